#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu bench: Callgrind's client requests by its own header (from Debian's valgrind), rows, baseline, limits, formats; --fixed;
# and the launcher that takes valgrind's command line.
. "$(dirname "$0")/../lib.sh"
mkdir include && cp -r /usr/include/valgrind include || fail "no valgrind headers"
cat >marked.c <<'END'
#include <valgrind/callgrind.h>
/* 3 instructions a turn, 2 besides with the return */
void spin(long turns);
#ifdef __aarch64__
__asm__(".global spin\n .type spin, %function\nspin: nop\n 1: subs x0, x0, #1\n nop\n b.ne 1b\n ret");
#else
__asm__(".syntax unified\n .global spin\n .type spin, %function\nspin: nop\n 1: subs r0, r0, #1\n nop\n bne 1b\n bx lr");
#endif
int main(int argc, char **argv)
{
	spin(1000);
	CALLGRIND_START_INSTRUMENTATION;
	spin(10000);
	CALLGRIND_STOP_INSTRUMENTATION;
	CALLGRIND_DUMP_STATS_AT("ten thousand");
	spin(argc > 1 ? 3000 : 5000);
	CALLGRIND_START_INSTRUMENTATION;
	spin(argc > 1 ? 21000 : 20000);
	CALLGRIND_DUMP_STATS;
	spin(30000);
	CALLGRIND_STOP_INSTRUMENTATION;
	CALLGRIND_DUMP_STATS_AT("a | b\033[31m");
	CALLGRIND_START_INSTRUMENTATION;
	spin(7);
	CALLGRIND_ZERO_STATS;
	spin(1000);
	CALLGRIND_TOGGLE_COLLECT;
	spin(777);
	CALLGRIND_TOGGLE_COLLECT;
	spin(1000);
	CALLGRIND_STOP_INSTRUMENTATION;
	CALLGRIND_DUMP_STATS_AT("two thousand");
	return 5 * (argc > 2);
}
END
# parts PROGRAM CORE: loops exactly; between a request and its loop there are few instructions.
parts()
{
	apmu bench -c "$2" -e instructions -j -o rows.json -- "./$1"
	exits 0
	[ -z "$err" ] || fail "$1 $2: $err"
	jq -r '.rows[] | [.benchmark, .counts.instructions] | @tsv' rows.json >rows
	while IFS=$'\t' read -r name count && IFS=$'\t' read -r want turns calls <&3; do
		[ "$name" = "$want" ] && [ "$count" -ge $((3 * turns + 2 * calls)) ] && [ "$count" -le $((3 * turns + 2 * calls + 30 * calls)) ] ||
			fail "$1 $2: '$name' has $count, not '$want' with about $((3 * turns + 2 * calls))"
	done <rows 3<<-END
		ten thousand	10000	1
		$1/2	20000	1
		a | b?[31m	30000	1
		two thousand	2000	2
	END
	[ "$(wc -l <rows)" = 4 ] || fail "$1 $2: $(cat rows)"
}
for level in 0 1 2; do
	aarch64-linux-gnu-gcc "-O$level" -Iinclude -static -o "marked$level" marked.c || fail "cannot build marked.c"
	for core in cortex-a53 neoverse-n1; do
		parts "marked$level" "$core"
	done
done
arm-linux-gnueabi-gcc -O1 -marm -Iinclude -static -o a32 marked.c && parts a32 arm1136jf-s
arm-linux-gnueabi-gcc -O2 -mthumb -march=armv7-a -Iinclude -static -o t32 marked.c && parts t32 cortex-a9

# A request whose numbers were stored long before: where they lie is in a register, which QEMU 9.0 and later show.
cat >kept.c <<'END'
#include <valgrind/callgrind.h>
static volatile unsigned long kept[6] = {VG_USERREQ__DUMP_STATS_AT, (unsigned long)"by register"};
int main(void)
{
	__asm__ volatile("mov x3, 0\n mov x4, %0\n" __SPECIAL_INSTRUCTION_PREAMBLE "orr x10, x10, x10" ::"r"(kept) : "x3", "x4", "memory");
}
END
aarch64-linux-gnu-gcc -O1 -Iinclude -static -no-pie -o kept kept.c || fail "cannot build kept.c"
for qemu in "$(dirname "$(command -v qemu-aarch64)")" "$BUILD/qemu"; do
	[ -x "$qemu/qemu-aarch64" ] || continue
	APMU_QEMU=$qemu apmu bench -c cortex-a53 -e instructions -j -o rows.json -- ./kept
	exits 0
	said="$err$(jq -r '.rows[].benchmark' rows.json)"
	case $("$qemu/qemu-aarch64" --version) in
	*' version '[78].*) [ "$said" = "apmu bench: 1 client requests could not be read: a request's number must be stored right before the request"kept ] ;;
	*) [ "$said" = "by register" ] ;;
	esac || fail "a request by register, $qemu: $said"
done
# What lies between two parts of the same shape is the loop alone, to the instruction.
apmu bench -c cortex-a53 -e instructions -j -o rows.json -- ./marked2
less=$(jq '[.rows[].counts.instructions] | .[0]' rows.json)
apmu bench -c cortex-a53 -e instructions --instr-atstart yes -j -o rows.json -- ./marked2
more=$(jq '[.rows[].counts.instructions] | .[0]' rows.json)
[ $((more - less)) -gt 3000 ] || fail "--instr-atstart yes: $more, without $less"

# Collection is on from the start, as in Callgrind, if a part ends before the first toggle, which then switches it off. A toggle before
# all other requests begins a part. Callgrind itself counts the same parts, to some instructions.
cat >toggled.c <<'END'
#include <valgrind/callgrind.h>
void spin(long turns);
__asm__(".global spin\n .type spin, %function\nspin: nop\n 1: subs x0, x0, #1\n nop\n b.ne 1b\n ret");
int main(int argc, char **argv)
{
	(void)argv;
	spin(1000);
	if (argc > 1) {
		CALLGRIND_TOGGLE_COLLECT;
		spin(7000);
		CALLGRIND_TOGGLE_COLLECT;
		spin(500);
		CALLGRIND_DUMP_STATS_AT("seven");
		return 0;
	}
	CALLGRIND_ZERO_STATS;
	spin(10000);
	CALLGRIND_DUMP_STATS_AT("ten");
	spin(20000);
	CALLGRIND_DUMP_STATS_AT("twenty");
	CALLGRIND_TOGGLE_COLLECT;
	spin(50000);
	CALLGRIND_TOGGLE_COLLECT;
	spin(30000);
	CALLGRIND_DUMP_STATS_AT("thirty");
	CALLGRIND_STOP_INSTRUMENTATION;
	spin(40000);
	CALLGRIND_START_INSTRUMENTATION;
	spin(5000);
	CALLGRIND_DUMP_STATS_AT("five");
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -Iinclude -static -o toggled toggled.c || fail "cannot build toggled.c"
thousands() { jq -r '[.rows[] | .benchmark + " " + (.counts.instructions / 3000 | floor | tostring)] | join(", ")' rows.json; }
for start in "" "--instr-atstart yes"; do
	# shellcheck disable=SC2086
	apmu bench -c cortex-a53 -e instructions $start -j -o rows.json -- ./toggled
	[ "$(thousands)" = "ten 10, twenty 20, thirty 30, five 5" ] || fail "toggled $start: $(thousands)"
done
apmu bench -c cortex-a53 -e instructions -j -o rows.json -- ./toggled first
[ "$(thousands)" = "seven 7" ] || fail "a toggle before all others: $(thousands)"

# The same region for stat and record: all parts together; recorded totals are those of stat.
apmu stat -c cortex-a53 -e instructions -j -o stat.json --region requests,no -- ./marked2
sum=$(jq '.counters[0].value' stat.json)
[ "$sum" -ge $((3 * 2000)) ] && [ "$sum" -le $((3 * 2000 + 90)) ] || fail "stat --region requests,no, from the last zero on: $sum"
sed '/CALLGRIND_ZERO_STATS/d' marked.c >plain.c && aarch64-linux-gnu-gcc -O2 -Iinclude -static -o marked plain.c
apmu stat -c cortex-a53 -e instructions -j -o stat.json --region requests -- ./marked
sum=$(jq '.counters[0].value' stat.json)
[ "$sum" -ge $((3 * 62007)) ] && [ "$sum" -le $((3 * 62007 + 200)) ] || fail "stat --region requests: $sum"
apmu record --core cortex-a53 --exact -e instructions -q -o marked.data --region requests -- ./marked
apmu export json -i marked.data
holds ".events[0].total == $sum and .events[0].weight == $sum"

# Each core's program reads the whole of standard input, from a pipe and from a file.
cat >reads.c <<'END'
#include <stdio.h>
int main(void)
{
	int n = 0;
	while (getchar() != EOF) n++;
	printf("%d\n", n);
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static -o reads reads.c || fail "cannot build reads.c"
seq 20000 >numbers
read_all()
{
	exits 0
	[ "$(tr '\n' ' ' <out)" = "108894 108894 108894 " ] || fail "standard input from $1: $out"
	holds '[.rows[].counts.instructions] | length == 3 and all(. > 108894) and max - min == 0' rows.json
}
apmu bench -c cortex-a53,cortex-a72,cortex-a35 -e instructions -j -o rows.json -- ./reads < <(cat numbers)
read_all "a pipe"
apmu bench -c cortex-a53,cortex-a72,cortex-a35 -e instructions -j -o rows.json -- ./reads <numbers
read_all "a file"

# A program without requests: what it executes and forks counts, as for stat. If one of the programs makes requests, those that make none
# do not count, which is said in one line.
cat >starts.c <<'END'
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int status = 0;
	if (argc < 3) return 99;
	if (strcmp(argv[1], "fork") == 0 && fork() > 0) {
		wait(&status);
		return WEXITSTATUS(status);
	}
	execv(argv[2], argv + 2);
	return 98;
}
END
aarch64-linux-gnu-gcc -O1 -static -o starts starts.c || fail "cannot build starts.c"
none="apmu bench: several programs ran, by fork or exec: those that made no client requests are not counted"
apmu bench -c cortex-a53 -e instructions -j -o rows.json -- ./toggled
alone=$(jq -c '[.rows[] | .counts.instructions]' rows.json)
for way in exec fork; do
	for start in "" "--instr-atstart yes"; do
		apmu stat -c cortex-a53 -e instructions -j -o stat.json -- ./starts $way ./reads <numbers
		want=$(jq '.counters[0].value' stat.json)
		# shellcheck disable=SC2086
		apmu bench -c cortex-a53 -e instructions $start -j -o rows.json -- ./starts $way ./reads <numbers
		exits 0
		[ -z "$err" ] && [ "$want" -gt 108894 ] && holds ".rows | length == 1 and .[0].counts.instructions == $want" rows.json ||
			fail "$way $start: not $want as by stat: $err $(cat rows.json)"
	done
	apmu bench -c cortex-a53 -e instructions -j -o rows.json -- ./starts $way ./toggled
	exits 0
	[ "$err" = "$none" ] && [ "$(jq -c '[.rows[] | .counts.instructions]' rows.json)" = "$alone" ] || fail "$way toggled: '$err' $(cat rows.json)"
done
cat >asks.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>
void spin(long turns);
__asm__(".global spin\n .type spin, %function\nspin: nop\n 1: subs x0, x0, #1\n nop\n b.ne 1b\n ret");
int main(int argc, char **argv)
{
	CALLGRIND_START_INSTRUMENTATION;
	spin(10000);
	if (fork() == 0) {
		spin(50000);
		_exit(0);
	}
	wait(0);
	CALLGRIND_STOP_INSTRUMENTATION;
	return argc > 1 ? execv(argv[1], argv + 1) : 0;
}
END
aarch64-linux-gnu-gcc -O1 -Iinclude -static -o asks asks.c || fail "cannot build asks.c"
for more in "" ./reads ./starts; do
	apmu bench -c cortex-a53 -e instructions -j -o rows.json -- ./asks $more <numbers
	[ "$err" = "$none" ] && [ "$(thousands)" = "asks 10" ] || fail "asks $more: '$err' $(cat rows.json)"
done
apmu bench -c cortex-a53 -e instructions -- ./starts exec /bin/true
says "apmu bench: programs of the host, not Arm's, were executed 1 times, and not counted; the first was /bin/true"

# Baseline, limits, exit status.
apmu bench -c cortex-a53,cortex-a72 --save base.json -q -- ./marked2
exits 0
[ -z "$err" ] || fail "-q says: $err"
apmu bench -c cortex-a53 --baseline base.json --limit 0% -- ./marked2
exits 0
says "(=)"
python3 -c 'import json
print(json.dumps(json.load(open("base.json"), parse_int=float)))' >real.json # 3.0, as other tools write it
apmu bench -c cortex-a53 --baseline real.json --limit 0% -- ./marked2
exits 0
apmu bench -c cortex-a53 --baseline base.json --limit 1% -- ./marked2 longer
exits 3
says "apmu bench: marked2/2 on cortex-a53: instructions grew by 5.00 %, from"
apmu bench -c cortex-a53 --baseline base.json --limit 1% --limit instructions=6% --limit cycles=6% --limit BRANCH_MISSES=100% --limit cache-misses=250.5% -- ./marked2 longer
exits 0
apmu bench -c cortex-a53 --baseline base.json --limit 1% -- ./marked2 longer fails
exits 5
says "apmu bench: marked2/2 on cortex-a53: instructions grew by 5.00 %, from"
apmu bench -c cortex-a53 -q -j -- ./marked2
exits 0
jq -e '.schema == "apmu-bench/1" and (.rows | length) > 0' <err >/dev/null || fail "-q -j: $err"

# What the baseline lacks has no limit, which is said.
jq 'del(.rows[] | select(.benchmark == "marked2/2")) | del(.rows[].counts.cycles)' base.json >less.json
apmu bench -c cortex-a53 --baseline less.json --limit 1% -- ./marked2
exits 0
says "apmu bench: marked2/2 on cortex-a53: it is not in less.json, so no limit is checked"
says "apmu bench: ten thousand on cortex-a53: cycles is not in less.json, so no limit is checked"
jq '(.rows[] | select(.benchmark == "marked2/2").benchmark) = "older"' base.json >older.json
apmu bench -c cortex-a53 --baseline older.json --limit 1% -- ./marked2
exits 0
says "apmu bench: older on cortex-a53: it is in older.json but was not counted, so no limit is checked"
[[ $err != *"older on cortex-a72"* ]] || fail "a core that was not asked for: $err"
apmu bench -c cortex-a53 --baseline less.json --limit instructions=1% -- ./marked2
[[ $err != *"cycles is not in"* ]] || fail "an event without a limit: $err"

# A file keeps rows of other programs; its own are replaced.
cp marked2 other
apmu bench -c cortex-a53 --save base.json -q --name other -- ./other
apmu bench -c cortex-a53 --save base.json -q -- ./marked2
[ "$(jq -r '[.rows[] | .program + " " + .core] | group_by(.) | map(.[0] + " " + (length | tostring)) | join(", ")' base.json)" = \
	"marked2 cortex-a53 4, marked2 cortex-a72 4, other cortex-a53 4" ] || fail "--save: $(jq -c '[.rows[] | .program + .core]' base.json)"
jq -e '.schema == "apmu-bench/1" and (.rows[0].counts | keys == ["branch-misses", "cache-misses", "cycles", "instructions"])' base.json >summary || fail "--save: $(cat base.json)"

# GitHub's table, and where a job wants it.
jq '(.. | objects | select(has("branch-misses"))."branch-misses") = 0' base.json >zero.json
cmp -s base.json zero.json && fail "no count of branch misses to make 0: $(cat base.json)"
apmu bench -c cortex-a53 -e branch-misses --baseline zero.json --limit 1% -- ./marked2
exits 3
prints_both() { [[ $out$err == *"$1"* ]] || fail "$said: no '$1': $out$err"; }
prints_both " (from 0)"
says "branch-misses grew from 0 to "
apmu bench -c cortex-a53 -e instructions --baseline base.json --github -- ./marked2
says '| benchmark | core | instructions |'
says '| a \| b?[31m | cortex-a53 | 90,'
GITHUB_STEP_SUMMARY=$work/step.md apmu bench -c cortex-a53 -e instructions --github -- ./marked2
[ -z "$err" ] && [ "$(grep -c '^| ten thousand' step.md)" = 1 ] || fail "GITHUB_STEP_SUMMARY: $err"

# A program without requests is one row; threads' counts together.
build_loop
apmu bench -c arm1176 -e instructions --name count -- ./loop
exits 7
says "2,000,004  arm1176jzf-s  count"

# --fixed: time, random numbers and what depends on them, the same in 20 runs; what is not is named.
cat >moody.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct timespec t;
	struct timeval v;
	struct rusage u;
	unsigned r[3], n = 0;
	clock_gettime(CLOCK_MONOTONIC, &t);
	gettimeofday(&v, NULL);
	getrusage(RUSAGE_SELF, &u);
	if (getrandom(r, 4, 0) != 4) return 1;
	FILE *f = fopen("/dev/urandom", "r");
	if (!f || fread(r + 1, 4, 2, f) != 2) return 1;
	printf("%ld %ld %ld %ld %ld %x %x %x %p\n", t.tv_sec, t.tv_nsec, v.tv_sec, (long)v.tv_usec, u.ru_maxrss, r[0], r[1], r[2], (void *)f);
	for (srand(r[0] ^ r[1] ^ (unsigned)t.tv_nsec); n < 1000; n++) if (rand() & 64) n += (unsigned)rand() & 1;
	if (argc > 1) printf("%d\n", getpid());
	return 0;
}
END
for target in aarch64-linux-gnu arm-linux-gnueabi; do
	"$target-gcc" -O1 -static -o moody moody.c || fail "cannot build moody.c"
	for run in $(seq 20); do
		apmu bench --fixed -j -o "fixed.$run" -- ./moody
		exits 0
		cat out >>"fixed.$run"
		cmp -s fixed.1 "fixed.$run" || fail "$target: run $run differs: $(diff fixed.1 "fixed.$run")"
		[ -z "$err" ] || fail "--fixed: $err"
	done
	apmu bench -j -o loose -- ./moody
	cat out >>loose
	! cmp -s fixed.1 loose || fail "$target: without --fixed it is the same"
done
apmu bench --fixed -- ./moody pid
says "apmu bench: --fixed: the program used values that cannot be fixed: process and thread numbers"

# The launcher: a file for callgrind_annotate, with Callgrind's names; its regions.
export APMU
launcher=$SRC/src/cli/bench/valgrind
ln -s "$launcher" valgrind
./valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes --callgrind-out-file=all.out --log-file=log ./marked2 || fail "launcher: $?"
grep -q '^events: Ir Dr Dw I1mr D1mr D1mw DLmr DLmw Br Brm$' all.out || fail "launcher: $(head all.out)"
callgrind_annotate all.out >theirs 2>&1; grep -q spin theirs || fail "callgrind_annotate: $(callgrind_annotate all.out 2>&1 | head)"
grep -q '== Collected : ' log || fail "launcher's log: $(cat log)"
total() { sed -n 's/^summary: \([0-9]*\).*/\1/p' "$1"; }
./valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=part.out -q ./marked2
[ "$(total part.out)" -lt "$(total all.out)" ] && [ "$(total part.out)" -gt $((3 * 62000)) ] || fail "--instr-atstart=no: $(total part.out)"
./valgrind --tool=callgrind --toggle-collect=spin --callgrind-out-file=spin.out -q ./marked2
[ "$(total spin.out)" -ge 1000 ] || fail "--toggle-collect: $(total spin.out)"
./valgrind --tool=callgrind '--toggle-collect=sp?n*' --callgrind-out-file=pattern.out -q ./marked2
[ "$(total pattern.out)" = "$(total spin.out)" ] || fail "--toggle-collect with a pattern: $(total pattern.out), not $(total spin.out)"
! ./valgrind --tool=callgrind --toggle-collect=spin --toggle-collect=main ./marked2 2>err && grep -q 'one --toggle-collect' err || fail "two toggles: $(cat err)"
refuses 2 "apmu stat: --region: $PWD/marked2 has no function 'spun*'" stat --region 'spun*' -- "$PWD/marked2"

# Cargo's programs have a hash in their names, which a baseline must not know.
mkdir -p target/release/deps && cp marked2 target/release/deps/primes-0123456789abcdef
apmu bench -e instructions -j -o cargo.json -- target/release/deps/primes-0123456789abcdef
holds '.rows | length > 0 and all(.program == "primes")' cargo.json
cp marked2 marked2-0123456789abcdef
apmu bench -e instructions -j -o plain.json -- ./marked2-0123456789abcdef
holds '.rows | length > 0 and all(.program == "marked2-0123456789abcdef")' plain.json
! APMU_CORE=cortex-a72 ./valgrind --tool=callgrind --branch-sim=yes ./marked2 2>err && grep -q 'need all of .*BR_RETIRED.*APMU_CORE=neoverse-n1 has them' err ||
	fail "a core that does not count all branches: $(cat err)"
! ./valgrind --tool=memcheck ./marked2 2>err && grep -q 'callgrind alone' err || fail "--tool=memcheck: $(cat err)"
./valgrind --tool=callgrind -q --callgrind-out-file=x.out ./marked2 a b
[ $? = 5 ] || fail "the launcher's exit status is not the program's"

# An event that a core lacks is not a count of 0, nor is one that a row of another program was made without.
build_loop
apmu bench -c arm1136,cortex-a7 -e PC_WRITE_RETIRED,instructions --save lacks.json -- ./loop
says "<not supported>     2,000,004  arm1136jf-s  loop"
apmu bench -e cycles --save lacks.json -- ./marked2
holds '[.rows[] | select(.program == "loop").counts | keys] == [["instructions"], ["PC_WRITE_RETIRED", "instructions"]]' lacks.json
apmu bench -c arm1136,cortex-a7 -e cycles,PC_WRITE_RETIRED,instructions --baseline lacks.json --limit 1% -- ./loop
exits 7
says "2,000,004 (=)"
# A count may grow by as much as its limit says: here from 100 to 110.
arm steps <<-'END'
	.arm
	.global _start
_start:	mov	r0, #53
again:	subs	r0, r0, #1
	bne	again
	mov	r7, #1
	mov	r1, #0
	svc	#0
END
apmu bench -e instructions --save steps.json -- ./steps
says "110  arm1136jf-s  steps"
jq '.rows[0].counts.instructions = 100' steps.json >fewer.json
apmu bench -e instructions --baseline fewer.json --limit 10% -- ./steps
exits 0
apmu bench -e instructions --baseline fewer.json --limit 9.9% -- ./steps
exits 3

# Bad input.
refuses 2 "apmu bench: no program to run; 'apmu bench --help' shows how" bench
refuses 2 "apmu bench: l210/ir-req is counted by 'apmu stat' alone" bench -c arm1136 -e l210/ir-req -- ./loop
refuses 2 "apmu bench: --limit needs --baseline FILE, from which the change is measured" bench --limit 1% -- ./marked2
refuses 2 "apmu bench: --limit '-1%' is not a percentage such as 2%" bench --baseline base.json --limit -1% -- ./marked2
refuses 2 "apmu bench: --limit l1: that event is not counted; -e counts it" bench --baseline base.json --limit l1=1% -- ./marked2
refuses 2 "apmu bench: --instr-atstart 'maybe' is not yes or no" bench --instr-atstart maybe -- ./marked2
jq .rows rows.json >other.json
refuses 1 "apmu bench: other.json is not a file of 'apmu bench --save'" bench --baseline other.json -- ./marked2
for count in -5 null '"x"' 1e30; do
	jq ".rows[0].counts.instructions = $count" rows.json >other.json
	refuses 1 "apmu bench: other.json is not a file of 'apmu bench --save'" bench --baseline other.json -- ./marked2
done
refuses 2 "apmu stat: --region requests,x: yes or no says whether the program's start is counted" stat --region requests,x -- ./marked2
verdict
