#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# record -b: each edge against a trace of every instruction that QEMU writes by itself, mispredictions against `stat`,
# and perf's reading of the branch stacks.
. "$(dirname "$0")/../lib.sh"
cat >prog.c <<'END'
static int __attribute__((noinline)) odd(int x) { return x & 1; }
static int __attribute__((noinline)) three(int x) { return x % 3 == 0 ? 5 : 7; }
static int (*const table[])(int) = {odd, three};
static int __attribute__((noinline)) work(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += (i & 6 ? s > i : odd(i)) ? table[i % 2](i) : 3;
	return s;
}
int main(void) { return work(800) & 63; }
#ifdef __aarch64__
__asm__(".global _start\n_start: bl main\n mov x8, #93\n svc #0\n b .");
#else
__asm__(".arm\n .global _start\n_start: bl main\n mov r7, #1\n svc #0\n b .");
#endif
END

# The program and nothing but it: no C library chooses its way by where strings lie.
build()
{
	"$1" -nostdlib -ffreestanding -fno-builtin -static -no-pie -O1 -g "${@:3}" -o "$2" prog.c || fail "cannot build $2"
}
build aarch64-linux-gnu-gcc a64
build arm-linux-gnueabi-gcc a32 -marm
build arm-linux-gnueabi-gcc t32 -mthumb -march=armv7-a

# QEMU's trace of every instruction, as "from->to:times" of all that did not go straight on; and our edges, but those
# of branches to the next instruction, which the trace cannot tell from none.
agrees()
{
	local qemu=$1 core=$2 prog=$3
	"$qemu" -cpu "$4" -singlestep -d exec,nochain -D trace "./$prog"
	"$5-linux-gnu${6:-}-objdump" -d "$prog" |
		sed -nE 's/^ *([0-9a-f]+):\t([0-9a-f]{8}|[0-9a-f]{4}( [0-9a-f]{4})?) *\t.*/\1 \2/p' >words
	python3 - words trace "$(readelf -lW "$prog" | awk '$1 == "LOAD" { print $3; exit }')" >want <<-'PYTHON'
		import sys, collections, re
		size = {int(at, 16): len("".join(word)) // 2 for at, *word in (line.split() for line in open(sys.argv[1]))}
		count, last = collections.Counter(), None
		for line in open(sys.argv[2]):
		    m = re.match(r"Trace \d+: 0x\w+ \[\w+/(\w+)/", line)
		    if not m: continue
		    now = int(m[1], 16)
		    if last is not None and now != last + size[last]: count[last, now] += 1
		    last = now
		base = int(sys.argv[3], 16)
		print("\n".join("%x->%x:%d" % (a - base, b - base, n) for (a, b), n in sorted(count.items())))
	PYTHON
	apmu record --core "$core" -b -q -o "$prog.data" -- "./$prog"
	apmu export autofdo -i "$prog.data"
	exits 0
	grep -e '->' out >got
	[ "$(wc -l <want)" -gt 8 ] && cmp -s got want || fail "$prog: branches differ from QEMU's trace:" "$(diff got want | head -n 20)"
}
agrees qemu-aarch64 cortex-a53 a64 cortex-a53 aarch64
agrees qemu-aarch64 neoverse-n1 a64 cortex-a53 aarch64
agrees qemu-arm arm1176 a32 arm1176 arm eabi
agrees qemu-arm cortex-a9 t32 cortex-a9 arm eabi

# The counted ranges hold all instructions but those of the last block (mov, svc); the edges all mispredictions of branches but
# returns (which are all right here).
apmu stat -j -o stat.json -c cortex-a53 -e instructions,branch-misses -- ./a64
apmu record --core cortex-a53 -b -q -e branch-misses -c 1 -o a64.data -- ./a64
apmu export bolt -i a64.data
exits 0
missed=$(awk '{ n += $(NF - 1) } END { print n }' out)
[ "$missed" = "$(jq '.counters[1].value' stat.json)" ] ||
	fail "export bolt has $missed mispredictions: $(cat stat.json)"
apmu export profgen -i a64.data
ran=$(python3 -c '
import re
print(sum(((int(b, 16) - int(a, 16)) // 4 + 1) * int(n) for a, b, n in re.findall(r"^([0-9a-f]+)-([0-9a-f]+):(\d+)$", open("out").read(), re.M)))')
all=$(jq '.counters[0].value' stat.json)
[ "$ran" = $((all - 2)) ] || fail "ranges hold $ran instructions of $all"

# BOLT's names: a local function has a number; the call of main's is there as often as it is made.
apmu export bolt -i a64.data
grep -qE '^1 main [0-9a-f]+ 1 work/1 0 0 1$' out || fail "no call of work: $(grep work out)"
[ "$(grep -cE '^1 three/1 .* 1 work/1' out)" = 0 ] || fail "a return is an edge"

# A symbol inside a function ends where its size says; what follows is the outer function's again.
cat >nested.s <<'END'
	.global _start
_start:	bl outer
	mov x8, #93
	svc #0
	.type outer, %function
outer:	mov w0, #5
	.type inner, %function
inner:	subs w0, w0, #1
	nop
	.size inner, .-inner
	b.ne inner
	ret
	.size outer, .-outer
END
aarch64-linux-gnu-gcc -nostdlib -static -no-pie -o nested nested.s || fail "cannot build nested"
apmu record --core cortex-a53 -b -q -o nested.data -- ./nested
apmu export bolt -i nested.data
grep -qE '^1 outer/1 c 1 inner/1 0 [01] 4$' out || fail "behind a nested symbol: $out"

# perf: each sample's stack is a way that the program can go, the youngest first; a sample a misprediction: the branch
# that was mispredicted is the next one's youngest.
apmu export perf -i a64.data -o perf.data
exits 0
perf script -i perf.data -F ip,brstack 2>err >script || fail "perf script: $(cat err)"
python3 >got <<'END' || fail "brstack: $(tail -n 1 got)"
import re, collections
kinds, wrong, samples, deepest, cycles = collections.Counter(), 0, 0, 0, 0
for line in open("script"):
    words = line.split()
    stack = [w.split("/") for w in words[1:]]
    samples += 1
    deepest = max(deepest, len(stack))
    for i, (start, to, predicted, tx, abort, clock, *kind) in enumerate(stack):
        kinds[kind[0]] += 1
        cycles += int(clock)
        if i:  # what came before led to this branch's straight code
            assert int(stack[i - 1][0], 16) >= int(to, 16), line
    if len(stack) > 1: wrong += stack[0][2] == "M" or stack[1][2] == "M"
assert deepest == 32, deepest
assert cycles > samples, cycles
assert {"COND", "CALL", "IND_CALL", "RET"} <= set(kinds), kinds
print("good", wrong > 0)
END
[ "$(cat got)" = "good True" ] || fail "brstack: $(cat got) $(head -n 3 script)"
perf report -i perf.data --stdio --branch-history --no-children >report 2>err || fail "perf report --branch-history: $(cat err)"
grep -q 'work' report || fail "perf report --branch-history: $(head -n 30 report)"

# A profile without branches, another build, a whole system.
apmu record --core cortex-a53 -q -o plain.data -- ./a64
refuses 1 "apmu export: plain.data was recorded without branches: 'apmu record -b' records them" export bolt -i plain.data
build aarch64-linux-gnu-gcc a64 -DOTHER -O2
refuses 1 "apmu export: $work/a64 was built anew since it was recorded (its build-id differs): record it again" export bolt -i a64.data
rm a64
refuses 1 "apmu export: $work/a64: No such file or directory" export profgen -i a64.data
refuses 2 "apmu record: -b cannot follow branches in a whole system, whose kernel switches threads unseen: leave out -b, or record the program by itself, without --system" \
	record -b --system --core cortex-a53 -- qemu-system-aarch64
verdict
