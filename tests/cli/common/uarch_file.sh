#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --uarch FILE and --l2 SIZE,WAYS,LINE: errors are reported with their line, valid parameters take effect.
. "$(dirname "$0")/../lib.sh"

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
refuse "f:1: l2.ways has no effect where l2.size is 0: set l2.size too" 'l2.ways = 8'
refuse "f:3: mini.ways has no effect where mini.size is 0" 'like arm1176' 'memory = 5' 'mini.ways = 4'
refuse "f:1: load_queue has no effect where rob is 0: set rob too" 'load_queue = 8'
refuse "f:2: pair.load has no effect where rob is 128: it needs rob = 0" 'like cortex-a15' 'pair.load = none'
refuse "f:1: pair.load has no effect where width is 1: set width too" 'pair.load = none'
refuse "f:1: tage_tables has no effect where direction is btb: it needs direction = tage" 'tage_tables = 4'
refuse "f:2: history has no effect where direction is bimodal: it needs direction = gshare or local or tage or hybrid" 'like cortex-a7' 'history = 4'
refuse "f:1: pipes.6 has no effect: no class of instructions is of that group" 'pipes.6 = 2'
refuse "f:1: l2: a cache without a latency: set l2.latency too" 'l2.size = 65536'
refuse "f:1: no parameters 'arm1137' to be like" 'like arm1137'
refuse "f:2: 'like arm1176' stands before the parameters" 'memory = 5' 'like arm1176'
refuse "f:1: 'hello' is no parameter" 'hello'
refuse "1000 in 4 ways of 32 bytes a line; 512 or 1024 would do" 'l1d.size = 1000'
refuse "f:3: l2: its line is shorter than one of L1" 'l2.size = 65536' 'l2.latency = 9' 'l2.line = 16' 'memory = 90'
refuse "f:2: memory stands twice: in line 1 too" 'memory = 5' 'memory = 6'
refuse "f:1: '6' behind the value is no source" 'memory = 5 6'
refuse "f:1: l1d.size cannot be '512Kb': it is a number from 0 to 1048576" 'l1d.size = 512Kb'
refuse "f:1: l1d.size cannot be '99999999999999999999': it is a number" 'l1d.size = 99999999999999999999'
refuse "f: no parameter in it" '# nothing'

# refuse_file MESSAGE FILE: likewise, of what is no text.
refuse_file()
{
	local status=0
	timeout 20 "$APMU" stat -c arm1136 --uarch "$2" -- "$prog" >"$work/out" 2>&1 || status=$?
	[ "$status" -eq 2 ] || fail "status $status: $2"
	grep -qF -- "$1" "$work/out" || fail "$2 says: $(cat "$work/out")"
}
: >"$work/empty"
refuse_file "empty: no parameter in it" "$work/empty"
refuse_file "--uarch $work: Is a directory" "$work"
refuse_file "--uarch $work/none: No such file" "$work/none"
refuse_file "--uarch /dev/zero: not a parameter file" /dev/zero
refuse_file "not a parameter file" "$prog"
yes 'memory = 5 # again and again' | head -c 100000 >"$work/long"
refuse_file "not a parameter file" "$work/long"
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
good --set group.mull=result:9,busy:9,predict=0
printf 'uarch crlf "of an editor"\r\nmemory = 55 "issue #4"\r\nl1d.size = 8192' >"$work/with,a comma"
good --uarch "$work/with,a comma"
"$APMU" stat -c arm1136 --set "memory=70000" -- "$prog" >"$work/out" 2>&1 && fail "--set takes any number"
grep -qF "memory cannot be '70000': it is a number from 0 to 65535" "$work/out" || fail "--set says: $(cat "$work/out")"

# Figures of a unit that the core has not, by --set: refused for the core that has not got it, unless the unit is set too.
refuse_set()
{
	local want=$1 status=0
	shift
	"$APMU" stat "$@" -- "$prog" >"$work/out" 2>&1 || status=$?
	[ "$status" -eq 2 ] || fail "status $status: $*"
	[ "$(cat "$work/out")" = "apmu stat: $want" ] || fail "'$*' says: $(cat "$work/out")"
}
refuse_set "arm1136jf-s: l2.latency has no effect where l2.size is 0: set l2.size too" -c cortex-a15,arm1136 --set l2.latency=10
refuse_set "arm1136jf-s: l3.ways has no effect where l3.size is 0: set l3.size too" -c arm1136 --set memory=9,l3.ways=8
refuse_set "cortex-a7: store_queue has no effect where rob is 0: set rob too" -c cortex-a7 --set store_queue=8
refuse_set "cortex-a9: store_buffer has no effect where rob is 40: it needs rob = 0" -c cortex-a9 --set store_buffer=8
refuse_set "xscale1: tlb_hit has no effect where tlb.entries is 0: set tlb.entries too" -c xscale1 --set tlb_hit=3
refuse_set "xscale1: return_predicted has no effect where return_stack is 0: set return_stack too" -c xscale1 --set return_predicted=3
refuse_set "arm1136jf-s: counters has no effect where direction is btb: it needs direction = bimodal or gshare or local or tage or hybrid" \
	-c arm1136 --set counters=64
good --set l2.latency=10 --l2c l210
good --set rob=32,load_queue=8,folding=0
good --set l3.ways=8,l3.size=0

# Each row of spec/uarch is a parameter file.
for row in "$SRC"/spec/uarch/*.uarch; do
	good --uarch "$row"
done
for bad in 512Q 512Kb 512K,x 512K,8x 512K,8, 512K, 512K,8,64,1 ,8 -512K 00000000000000000000000000000000000512Q ''; do
	if "$APMU" stat -c arm1136 --l2 "$bad" -- "$prog" >"$work/out" 2>&1; then fail "--l2 '$bad' is accepted"; fi
	grep -q "is not SIZE" "$work/out" || fail "--l2 '$bad' says: $(cat "$work/out")"
done
verdict
