# SPDX-License-Identifier: MIT
# The machine's loads and stores: a store-exclusive, before which libunicorn reads, is a store alone; a store that faults, which libunicorn
# reports before it faults, is none.
. "$SRC/tests/guest/lib.sh"
arm exclusive
arm fault
sed 's/ldr r3, \[r5\] .*/str r3, [r5]/' "$SRC/tests/guest/src/fault.S" >"$work/fault_store.S"
arm-linux-gnueabi-gcc -nostdlib -static -I"$SRC/tests/guest/src" "$work/fault_store.S" -o "$work/fault_store" || exit 1

# counts CORE PROGRAM EVENT=COUNT...: the same in both engines
counts() {
	local core=$1 program=$2 events='' got pair how
	shift 2
	for pair in "$@"; do events=$events,${pair%=*}; done
	for how in stat 'run --linux'; do
		"$APMU" $how -c "$core" -e "${events#,}" "$work/$program" >"$work/counts" 2>&1 </dev/null || fail "apmu $how $program: $(cat "$work/counts")"
		for pair in "$@"; do
			got=$(sed -nE "s/,//g; s/^ *([0-9]+) +${pair%=*}( .*)?$/\1/p" "$work/counts" | head -n 1)
			[ "$got" = "${pair#*=}" ] || fail "$how, $core, $program: ${pair%=*} is ${got:-missing}, not ${pair#*=}"
		done
	done
}

# memory.sh and faults.sh explain the sums.
counts cortex-a9 exclusive LD_RETIRED=202 ST_RETIRED=201
counts cortex-a15 exclusive LDREX_SPEC=200 STREX_PASS_SPEC=200 STREX_FAIL_SPEC=0
counts cortex-a9 fault LD_RETIRED=3002 ST_RETIRED=2000
counts cortex-a9 fault_store LD_RETIRED=3002 ST_RETIRED=2000 UNALIGNED_LDST_RETIRED=0
finish
