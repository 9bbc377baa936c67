# SPDX-License-Identifier: MIT
# The machine's loads and stores: a store-exclusive, before which libunicorn reads, is a store alone; a store that faults, which libunicorn
# reports before it faults, is none.
. "$SRC/tests/guest/lib.sh"
arm exclusive
arm fault
sed 's/ldr r3, \[r5\] .*/str r3, [r5]/' "$SRC/tests/guest/src/fault.S" >"$work/fault_store.S"
arm-linux-gnueabi-gcc -nostdlib -static -I"$SRC/tests/guest/src" "$work/fault_store.S" -o "$work/fault_store" || exit 1

# both CORE PROGRAM EVENT=COUNT...: the same in both engines
both() {
	counts stat "$@"
	counts 'run --linux' "$@"
}

# memory.sh and faults.sh explain the sums.
both cortex-a9 exclusive LD_RETIRED=202 ST_RETIRED=201
both cortex-a15 exclusive LDREX_SPEC=200 STREX_PASS_SPEC=200 STREX_FAIL_SPEC=0
both cortex-a9 fault LD_RETIRED=3002 ST_RETIRED=2000
both cortex-a9 fault_store LD_RETIRED=3002 ST_RETIRED=2000 UNALIGNED_LDST_RETIRED=0
finish
