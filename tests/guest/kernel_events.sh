# SPDX-License-Identifier: MIT
# Events of operating systems in the machine: returns, calls, writes of the context and of table bases, and which level takes an exception.
. "$SRC/tests/guest/lib.sh"

# counts PROGRAM CORE ARG... -- EVENT=COUNT...
counts() {
	local program=$1 core=$2 args=() events='' got pair
	shift 2
	while [ "$1" != -- ]; do args+=("$1") && shift; done
	shift
	for pair in "$@"; do events=$events,${pair%=*}; done
	"$APMU" run -c "$core" "${args[@]}" -e "${events#,}" "$work/$program" >"$work/counts" 2>&1 </dev/null || fail "$core $program: $(cat "$work/counts")"
	for pair in "$@"; do
		got=$(sed -nE "s/,//g; s/^ *([0-9]+) +${pair%=*}( .*)?$/\1/p" "$work/counts" | head -n 1)
		[ "$got" = "${pair#*=}" ] || fail "$core, $program: ${pair%=*} is ${got:-missing}, not ${pair#*=}"
	done
}

aarch64-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x80000 "$SRC/tests/guest/src/kernel_events.S" -o "$work/kernel" || exit 1
aarch64-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x80000 -DLEVELS "$SRC/tests/guest/src/kernel_events.S" -o "$work/levels" || exit 1
arm-linux-gnueabi-gcc -march=armv7-a -mfloat-abi=soft -marm -nostdlib -static -Wl,-Ttext=0 "$SRC/tests/guest/src/kernel_events_a32.S" -o "$work/kernel_a32" || exit 1
counts kernel cortex-a57 -- EXC_SVC=10 EXC_UNDEF=10 EXC_TAKEN=20 EXC_RETURN=30 CID_WRITE_RETIRED=10 TTBR_WRITE_RETIRED=20 EXC_TRAP_OTHER=0
counts levels neoverse-n1 --el 2 -- EXC_HVC=10 EXC_UNDEF=10 EXC_TRAP_OTHER=10 EXC_RETURN=31 EXC_SMC=0 EXC_TAKEN=30
# the last SVC is the host's: it returns nowhere
counts kernel_a32 cortex-a15 -- EXC_RETURN=50 CID_WRITE_RETIRED=10 TTBR_WRITE_RETIRED=20
finish
