# SPDX-License-Identifier: MIT
# Threads are counted separately, children of fork from zero and only on request; exit status and signals pass through.
. "$SRC/tests/guest/lib.sh"
arm fork
arm thread
arm cat
arm wait
arm kill15 die -DSIGNAL=15
arm kill9 die -DSIGNAL=9

# fork.S: the parent 4 + 6 + 3; the child starts at the instruction after fork: 2 + 1 + 10000 + 3
for way in "-s INST" ""; do
	count $way "$work/fork"
	want 'r["exit"]' 4
	want '[m["INST"] for m in last]' '[13]'
	count -f $way "$work/fork"
	want 'sorted(m["INST"] for m in last)' '[13, 10006]'
	want 'len({m["pid"] for m in last})' 2

	# thread.S: the first 9 + 3; the second 2 + 1 + 6000 + 3
	count $way "$work/thread"
	want 'r["exit"]' 5
	want 'sorted(m["INST"] for m in last)' '[12, 6006]'
	want 'len({m["pid"] for m in last})' 1
	want 'len({m["tid"] for m in last})' 2

	# die.S: 1 + 4000 + 5
	for signal in 15 9; do
		count $way "$work/kill$signal"
		want 'r["signal"]' $signal
		want 'r["exit"]' $((128 + signal))
		want 't["INST"]' 4006
	done
done

# Marks too: of the parent only, or separate for each process.
count -i INST:1000 "$work/fork"
want 'len(r["marks"])' 1
count -f -i INST:1000 "$work/fork"
want 'len(r["marks"])' 12
want 'len({m["pid"] for m in r["marks"]})' 2

# cat.S on 11 bytes: 1 + 12 * 7 + 11 * 5 + 3; it uses the command's own input and output
printf 'hello world' | count "$work/cat"
want 'r["exit"]' 11
want 't["INST"]' 143
[ "$(cat "$work/stdout")" = "hello world" ] || fail "output is $(cat "$work/stdout")"

# A signal to the command is passed on. Waits until the program has printed something; the output of cat.S is removed first.
: >"$work/stdout"
"$tool" -p "$BUILD/apmu-tcg.so" "$work/wait" 3>"$work/out" >"$work/stdout" &
for _ in $(seq 200); do
	[ -s "$work/stdout" ] && break
	sleep 0.05
done
kill -TERM $!
wait $!
want 'r["signal"]' 15

# Real threads: 8 workers of 100,000 instructions each, plus the same few in each.
arm-linux-gnueabi-gcc -O1 -static -pthread "$SRC/tests/guest/src/threads.c" -o "$work/threads" || exit 1
for way in "-s INST" ""; do
	count $way "$work/threads"
	want 'r["exit"]' 0
	want 'len(last)' 9
	want 'len([m for m in last if 100000 <= m["INST"] < 102000])' 8
	want 'r["lost"]' 0
done

# A fork while another thread names threads or sets handlers: the child counts and ends, whichever locks that thread held.
aarch64-linux-gnu-gcc -O1 -static -pthread "$SRC/tests/guest/src/forks.c" -o "$work/forks" || exit 1
for what in names handlers; do
	timeout 100 "$BUILD/apmu" stat -c cortex-a53 -e branches -- "$work/forks" $what 100 >"$work/said" 2>&1 ||
		fail "forks $what: $? $(cat "$work/said")"
done

# An argument of a 32-bit program's call with the highest bit set: an address, of the thread's name.
cat >"$work/high.c" <<'END'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
int main(void)
{
	char *name = mmap((void *)0xD0000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	return prctl(PR_SET_NAME, strcpy(name, "highest"));
}
END
arm-linux-gnueabi-gcc -O1 -static "$work/high.c" -o "$work/high" || exit 1
"$BUILD/apmu" stat -c cortex-a9 -e instructions --per-thread -- "$work/high" >"$work/said" 2>&1 || fail "high"
grep -q highest "$work/said" || fail "a name at 0xD0000000: $(cat "$work/said")"

# A second thread that ends while its blocks are still counted inline keeps its counts: on one processor it does so in two of five runs.
aarch64-linux-gnu-gcc -O1 -nostdlib -static -ffreestanding "$SRC/tests/guest/src/shared_first.c" -o "$work/shared_first" || exit 1
for _ in $(seq 20); do
	taskset -c 0 "$BUILD/apmu" stat -c cortex-a53 -e instructions --per-thread -x , -o "$work/threads.csv" -- "$work/shared_first" || fail "shared_first"
	[ "$(awk -F , 'NR > 1 { printf "%s ", $2 }' "$work/threads.csv")" = "103 40005 " ] || fail "a thread that ends early: $(cat "$work/threads.csv")"
done
finish
