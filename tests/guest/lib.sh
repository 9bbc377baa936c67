# SPDX-License-Identifier: MIT
# Shared by the scripts of this folder. Sourced with SRC and BUILD set, as CTest does.
#
#   arm NAME [SOURCE [FLAG...]]   builds src/SOURCE.S (default NAME) into $work/NAME; a64 likewise
#   count ARG...                  runs run_tallies; its output goes to $work/out, the program's output to $work/stdout
#   want 'EXPRESSION' VALUE       a Python expression over the result: r is the object, last the list of last marks,
#                                 t the first of them (a missing signal is 0)
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tool=$BUILD/tests/guest/run_tallies
failed=0

fail() {
	echo "FAIL: $*"
	failed=1
}

finish() {
	[ "$failed" = 0 ] && echo ok
	exit "$failed"
}

# True if QEMU lets plugins read registers.
shows_registers() {
	local major
	major=$("$APMU" --version | sed -n 's/^qemu-aarch64 \([0-9]*\)\..*/\1/p')
	[ "${major:-0}" -ge 9 ]
}

# counts HOW CORE PROGRAM EVENT=COUNT...: HOW is the command with its options
counts() {
	local how=$1 core=$2 program=$3 events='' got pair
	shift 3
	for pair in "$@"; do events=$events,${pair%=*}; done
	# shellcheck disable=SC2086
	"$APMU" $how -c "$core" ${settings-} -e "${events#,}" "$work/$program" >"$work/counts" 2>&1 </dev/null ||
		fail "apmu $how -c $core $program: $(cat "$work/counts")"
	for pair in "$@"; do
		got=$(sed -nE "s/,//g; s/^ *([0-9]+) +${pair%=*}( .*)?$/\1/p" "$work/counts" | head -n 1)
		[ "$got" = "${pair#*=}" ] || fail "$how, $core, $program: ${pair%=*} is ${got:-missing}, not ${pair#*=}"
	done
}

arm() {
	local name=$1 source=${2:-$1}
	shift $(($# < 2 ? $# : 2))
	arm-linux-gnueabi-gcc -nostdlib -static -I"$SRC/tests/guest/src" "$@" "$SRC/tests/guest/src/$source.S" \
		-o "$work/$name" || exit 1
}

a64() {
	aarch64-linux-gnu-gcc -nostdlib -static "$SRC/tests/guest/src/$1.S" -o "$work/$1" || exit 1
}

count() {
	"$tool" -p "$BUILD/apmu-tcg.so" "$@" 3>"$work/out" >"$work/stdout" || fail "run_tallies $*"
}

want() {
	local got
	got=$(python3 - "$work/out" "$1" <<'PYTHON'
import collections, json, sys
r = json.load(open(sys.argv[1]))
last = [collections.defaultdict(int, m) for m in r.get("marks", []) if m["last"]]
t = last[0] if last else None
print(eval(sys.argv[2]))
PYTHON
	)
	[ "$got" = "$2" ] || fail "$1 is $got, not $2"
}
