# SPDX-License-Identifier: MIT
# Instructions that read and write memory count as both, also once the process has had a thread, when QEMU makes both in one step.
. "$SRC/tests/guest/lib.sh"

aarch64-linux-gnu-gcc -nostdlib -static "$SRC/tests/guest/src/atomics.S" -o "$work/atomics" || exit 1
aarch64-linux-gnu-gcc -nostdlib -static -DTHREADED "$SRC/tests/guest/src/atomics.S" -o "$work/threaded" || exit 1
for program in atomics threaded; do
	counts stat cortex-a76 $program MEM_ACCESS_RD=5000 MEM_ACCESS_WR=4000 L1D_CACHE_RD=5000 L1D_CACHE_WR=4000
	# Cortex-A55's LD_RETIRED does not count the loads of instructions without a result.
	counts stat cortex-a55 $program LD_RETIRED=4000 ST_RETIRED=4000
	counts stat neoverse-n1 $program LD_SPEC=5000 ST_SPEC=4000
done
# Each read is a sample.
"$APMU" record -q --core neoverse-n1 -e MEM_ACCESS_RD -c 1 -o "$work/out" "$work/threaded" >"$work/err" 2>&1 </dev/null || fail "record: $(cat "$work/err")"
samples=$("$APMU" report -i "$work/out" --stdio 2>/dev/null | sed -nE 's/,//g; s/^# ([0-9]+) samples.*/\1/p')
[ "$samples" = 5000 ] || fail "$samples samples of 5000 reads"
finish
