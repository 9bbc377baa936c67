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
for bad in 512Q 512K,x 512K,8,64,1 ,8 ''; do
	if "$APMU" stat -c arm1136 --l2 "$bad" -- "$prog" >"$work/out" 2>&1; then fail "--l2 '$bad' is accepted"; fi
	grep -q "is not SIZE" "$work/out" || fail "--l2 '$bad' says: $(cat "$work/out")"
done
verdict
