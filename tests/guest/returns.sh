# SPDX-License-Identifier: MIT
# Returns beyond the depth of the return stack: mispredicted, and counted as returns.
. "$SRC/tests/guest/lib.sh"

aarch64-linux-gnu-gcc -nostdlib -static "$SRC/tests/guest/src/returns.S" -o "$work/returns" || exit 1
counts stat cortex-a55 returns BR_RETURN_RETIRED=1500 BR_RETURN_ADDR_PRED=1500 BR_RETURN_ADDR_MIS_PRED=700 BR_INDIRECT_MIS_PRED=0 BR_INDIRECT_ADDR_MIS_PRED=0 BR_INDIRECT_ADDR_PRED=0
counts stat cortex-a510 returns BR_RETURN_ADDR_PRED=1500
finish
