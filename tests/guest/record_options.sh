# SPDX-License-Identifier: MIT
# --skid, -F and -d: samples N instructions later, the number of samples, and data addresses.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
dump=$BUILD/tests/guest/profile_dump
cd "$work" || exit 1
arm-linux-gnueabi-gcc -O1 -static "$SRC/tests/guest/src/record/work.c" -o work || exit 1

# record FILE OPTION...
record() {
	"$apmu" record --core cortex-a9 -q -o "$1" "${@:2}" -- ./work >out 2>said || fail "record ${*:2}: $(cat said)"
	"$dump" "$1" >"$1.txt" 2>"$1.about" || fail "$1: $(cat "$1.about")"
}
record one -e instructions -c 1
# The file is open only while one of its 23 blocks is written.
(ulimit -n 24 && record few -e instructions -c 1)
cmp -s one.txt few.txt || fail "with 24 descriptors: $(wc -l <few.txt) of $(wc -l <one.txt) samples"
record skid -e instructions -c 997 --skid 5
record often -e instructions -F 1000
record rate -e cycles -F 1000
record data -e cache-misses -c 7 -d
"$apmu" record --core cortex-a9 -c 7 -d -o data2 -e cache-misses,instructions -- ./work >out 2>said || fail "two events"
"$apmu" report -i data --sort level,function >report 2>&1 || fail "report by level"
grep -Eq 'L2|memory' report || fail "report by level: $(cat report)"

# A sample that cannot wait for its instruction, because too many do, has its call chain like the others.
"$apmu" record --core cortex-a9 -q -g -e instructions -c 1 --skid 100 -o chains.data -- ./work >out 2>said || fail "record --skid -g"
"$apmu" export folded -i chains.data --no-inline >folded 2>>said || fail "export folded"
grep -q 'main;.*scatter ' folded && ! grep 'scatter ' folded | grep -qv main || fail "chains with --skid: $(grep 'scatter ' folded)"

# Nor is a sample lost because the process ends first: 40 wait when it does.
record late -e instructions -c 197 --skid 8000
record early -e instructions -c 197
[ "$(wc -l <late.txt)" = "$(wc -l <early.txt)" ] || fail "at the end: $(wc -l <late.txt) samples with --skid, $(wc -l <early.txt) without"

# Nor is a sample lost because its thread ends first: 40 threads, each over about 500 instructions after its last overflow.
cat >short.c <<'END'
#include <pthread.h>
static void *run(void *argument)
{
	for (volatile int i = 0; i < 1000; i++)
		;
	return argument;
}
int main(void)
{
	for (int i = 0; i < 40; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, NULL) != 0)
			return 9;
	}
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static -pthread short.c -o short || exit 1
for skid in 0 700; do
	"$apmu" record --core cortex-a53 -q -c 1000 -e instructions --skid $skid -o short.data -- ./short || fail "threads with --skid $skid"
	"$apmu" export json -i short.data 2>/dev/null | jq .events[0].samples >short.$skid
done
# What pthread_join() waits for differs from run to run, by two samples of the main thread's.
[ $(($(<short.0) - $(<short.700))) -le 5 ] || fail "threads that end: $(<short.700) samples with --skid, $(<short.0) without"

# Instructions as the only event are counted inline (metered) until the program handles faults: none before, between or after is lost
# (fault.S explains its 14,012). With a second event they are not metered, and the samples are the same.
arm fault
for events in instructions instructions,branches; do
	"$apmu" record --core cortex-a9 -e $events -c 1 -o $events.data -- ./fault >out 2>said || fail "faults: $(cat said)"
	grep -q resynchronised said && fail "faults without -g: $(cat said)"
	"$dump" $events.data 2>about | awk '$1 == 0' >$events.txt
	[ "$(awk '{ n += $3 } END { print n }' $events.txt)" = 14012 ] || fail "faults, $events: $(cat about)"
done
cmp instructions.txt instructions,branches.txt || fail "metered samples are others"

# Without -c and -F the period is 500 instructions and doubles after each thousand samples, so a long run has thousands and a short one hundreds.
# Checked on a loop of N times two instructions: the weights of all samples are its instructions within a period, of which the last one
# may end behind the program.
for n in 50000 4000000; do
	printf '\t.arm\n\t.global _start\n_start:\tldr r0, =%s\n1:\tsubs r0, r0, #1\n\tbne 1b\n\tmov r7, #1\n\tsvc #0\n' $n |
		arm-linux-gnueabi-gcc -nostdlib -static -x assembler - -o loop$n || exit 1
	"$apmu" record --core cortex-a9 -q -e instructions -o loop$n.data -- ./loop$n || fail "loop $n"
	"$dump" loop$n.data 2>about | awk -v n=$n '{ k++; w += $3 } END { all = 2 * n
		for (s = 0; (left = all - 500000 * (2 ^ s - 1)) > 500000 * 2 ^ s; s++);
		want = 1000 * s + left / (500 * 2 ^ s); exit !(k > want * 0.9 && k < want * 1.1 && w <= all + 2 * 500 * 2 ^ s && w > all - 4 * 500 * 2 ^ s) }' || fail "default rate, $n: $(cat about)"
done

# A store multiple that begins in a line that was just read and ends in the next: the second line is the one that missed.
cat >lists.S <<'END'
	.arm
	.global _start
_start:	ldr r0, =table + 16
	mov r9, #200
1:	ldr r10, [r0]
list:	stmia r0, {r1-r8}
	add r0, #1088
	subs r9, #1
	bne 1b
	mov r0, #0
	mov r7, #1
	svc #0
	.bss
	.balign 32
table:	.skip 220000
END
arm-linux-gnueabi-gcc -nostdlib -static lists.S -o lists || exit 1
list=$(nm lists | sed -n 's/^0*\(.*\) t list$/0x\1/p')
"$apmu" record --core cortex-a9 -q -e cache-misses -c 1 -d -o lists.data -- ./lists || fail "lists of stores"
"$dump" lists.data 2>about | awk -v pc="$list" '$2 == pc { n++; near += $6 < 2 } END { exit !(n == 200 && !near) }' ||
	fail "lists of stores: $("$dump" lists.data 2>&1 | head -n 5)"

python3 - "$(nm work | sed -n 's/ b table$//p')" "$(nm work | sed -n 's/ t scatter$//p')" <<'PYTHON' || failed=1
import sys
table, scatter = (int(a, 16) for a in sys.argv[1:])
def rows(name):
    return [f.split() for f in open(name + ".txt")]
bad = []
pc = {int(r[3]): int(r[1], 16) for r in rows("one")}
total = max(pc)
if sorted(pc) != list(range(1, total + 1)):
    bad.append("-c 1 has gaps")
got = [(int(r[3]), int(r[1], 16)) for r in rows("skid")]
want = [(n, pc[n]) for n in range(997 + 5, total + 1, 997)]
if got != want:
    bad.append(f"skid: {got[:3]}, not {want[:3]}; {len(got)} samples, not {len(want)}")
# A sample per 1000 instructions, except at the start, where the period grows from 1.
for name in "often", "rate":
    r = rows(name)
    if not total / 1000 * 0.8 <= len(r) <= total / 1000 * 1.2 + 10:
        bad.append(f"{name}: {len(r)} samples of {total} instructions")
often = rows("often")
if not -8000 <= total - sum(int(r[2]) for r in often) <= 8000:
    bad.append("-F: weights do not sum to the total")
# Misses in scatter() are in the table, except for one on its stack now and then.
inside = [int(r[6], 16) - table for r in rows("data") if scatter <= int(r[1], 16) < scatter + 64]
if not inside or sum(0 <= a < 1 << 18 for a in inside) < 0.9 * len(inside):
    bad.append(f"data of scatter: {[hex(a) for a in inside[:4]]}")
if any(int(r[5]) < 2 for r in rows("data")):
    bad.append("a miss that hit L1")
for line in bad:
    print("FAIL:", line)
sys.exit(bool(bad))
PYTHON
finish
