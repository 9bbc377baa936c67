#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --uarch FILE and --l2 SIZE,WAYS,LINE: what is wrong is named with its line, what is right takes effect.
. "$(dirname "$0")/lib.sh"

prog=$work/prog
arm-linux-gnueabi-gcc -static -nostdlib -x c - -o "$prog" <<'C'
void _start(void)
{
	register long r7 __asm__("r7") = 1, r0 __asm__("r0") = 0;
	__asm__ volatile("svc 0" : : "r"(r7), "r"(r0));
}
C

# refuse MESSAGE LINE...: a file of these lines is refused with exit status 2 and this message, and nothing runs.
refuse()
{
	local want=$1 status=0
	shift
	printf '%s\n' "$@" >"$work/f"
	"$APMU" stat -c arm1136 --uarch "$work/f" -- "$prog" >"$work/out" 2>&1 || status=$?
	[ "$status" -eq 2 ] || fail "status $status: $*"
	grep -qF "$want" "$work/out" || fail "'$*' says: $(cat "$work/out")"
}

refuse "f:1: l1d: size is not ways x line" 'l1d.size = 1000 "a guess"'
refuse "f:3: l1d: size is not ways x line" '# ways that do not divide' 'l1d.size = 32768' 'l1d.ways = 3'
refuse "f:1: memory cannot be '-5': it is a number from 0 to 65535" 'memory = -5'
refuse "f:2: unknown key 'l1d.sise'; did you mean 'l1d.size'?" '' 'l1d.sise = 32768'
refuse "f:1: l1d.replace cannot be 'lucky': it is one of lru plru round-robin fifo random" 'l1d.replace = lucky'
refuse "f:1: a figure of a unit that is missing: l2.size is 0" 'l2.ways = 8'
refuse "f:1: l2: a cache without a latency" 'l2.size = 65536'
refuse "f:1: no parameters 'arm1137' to be like" 'like arm1137'
refuse "f:2: 'like arm1176' stands before the figures" 'memory = 5' 'like arm1176'
refuse "f:1: 'hello' is no figure" 'hello'
refuse "1000 in 4 ways of 32 bytes a line; 512 or 1024 would do" 'l1d.size = 1000'
refuse "f:3: l2: its line is shorter than one of L1" 'l2.size = 65536' 'l2.latency = 9' 'l2.line = 16' 'memory = 90'
refuse "f:2: memory stands twice: in line 1 too" 'memory = 5' 'memory = 6'
refuse "f:1: '6' behind the value is no source" 'memory = 5 6'
refuse "f:1: l1d.size cannot be '512Kb': it is a number from 0 to 1048576" 'l1d.size = 512Kb'
refuse "f:1: l1d.size cannot be '99999999999999999999': it is a number" 'l1d.size = 99999999999999999999'
refuse "f: no figure in it" '# nothing'

# refuse_file MESSAGE FILE: likewise, of what is no text.
refuse_file()
{
	local status=0
	timeout 20 "$APMU" stat -c arm1136 --uarch "$2" -- "$prog" >"$work/out" 2>&1 || status=$?
	[ "$status" -eq 2 ] || fail "status $status: $2"
	grep -qF -- "$1" "$work/out" || fail "$2 says: $(cat "$work/out")"
}
: >"$work/empty"
refuse_file "empty: no figure in it" "$work/empty"
refuse_file "--uarch $work: Is a directory" "$work"
refuse_file "--uarch $work/none: No such file" "$work/none"
refuse_file "--uarch /dev/zero: is no parameter file" /dev/zero
refuse_file "is no parameter file" "$prog"
yes 'memory = 5 # again and again' | head -c 100000 >"$work/long"
refuse_file "is no parameter file" "$work/long"
printf '%0300d\n' 0 >"$work/wide"
refuse_file "wide:1: the line is too long" "$work/wide"

# good OPTION... : what it says of the machine must run.
good()
{
	"$APMU" stat -c arm1136 -e instructions "$@" -j -o "$work/json" -- "$prog" >"$work/out" 2>&1 ||
		fail "$*: $(cat "$work/out")"
}
printf '%s\n' 'uarch mine "of my own"' 'like arm1176' '' 'l1d.size = 8192   "measured"' 'l2.size = 131072' \
	'l2.ways = 8' 'l2.latency = 9 "a guess"' >"$work/f"
good --uarch "$work/f"
good --l1d 8K,2,32
good --l2 512K,8,64 --set l2.latency=10
printf 'uarch crlf "of an editor"\r\nmemory = 55 "issue #4"\r\nl1d.size = 8192' >"$work/with,a comma"
good --uarch "$work/with,a comma"
"$APMU" stat -c arm1136 --set "memory=70000" -- "$prog" >"$work/out" 2>&1 && fail "--set takes any number"
grep -qF "memory cannot be '70000': it is a number from 0 to 65535" "$work/out" || fail "--set says: $(cat "$work/out")"
for bad in 512Q 512Kb 512K,x 512K,8x 512K,8, 512K, 512K,8,64,1 ,8 -512K 00000000000000000000000000000000000512Q ''; do
	if "$APMU" stat -c arm1136 --l2 "$bad" -- "$prog" >"$work/out" 2>&1; then fail "--l2 '$bad' is accepted"; fi
	grep -q "is not SIZE" "$work/out" || fail "--l2 '$bad' says: $(cat "$work/out")"
done
verdict
