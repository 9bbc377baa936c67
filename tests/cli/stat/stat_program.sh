#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stat does not change the program's behaviour: its streams, exit status, signals, threads and children.
. "$(dirname "$0")/../lib.sh"

# Reads standard input, writes what it read, and a word to standard error; exit status 5.
arm cat5 <<-'END'
	.arch armv5t
	.arm
	.global _start
_start:	mov	r0, #0
	ldr	r1, =buffer
	mov	r2, #64
	mov	r7, #3
	svc	#0
	mov	r2, r0
	mov	r0, #1
	ldr	r1, =buffer
	mov	r7, #4
	svc	#0
	mov	r0, #2
	ldr	r1, =word
	mov	r2, #6
	mov	r7, #4
	svc	#0
	mov	r0, #5
	mov	r7, #1
	svc	#0
	.data
word:	.ascii	"mine!\n"
	.bss
buffer:	.space	64
END
printf 'some input\n' >input
"$APMU" stat -o results -e instructions -- ./cat5 <input >out 2>err
[ $? -eq 5 ] || fail "exit status is not the program's"
cmp -s input out || fail "standard input or output: $(<out)"
[ "$(<err)" = "mine!" ] || fail "standard error: $(<err)"
grep -q instructions results || fail "results: $(<results)"
# An empty entry of PATH, the last one too, is the working folder, as for execvp().
PATH=$PATH: "$APMU" stat -o results -e instructions -- cat5 <input >out 2>err
[ $? -eq 5 ] || fail "PATH ends in a colon: $(<err)"

# Each of several runs reads a file from where the first did.
"$APMU" stat -o results -c arm1136,xscale1 -r 2 -e instructions -- ./cat5 <input >out 2>err
[ "$(<out)" = "$(printf 'some input\n%.0s' 1 2 3 4)" ] || fail "four runs read: $(<out)"

# Without a terminal there is no progress in between.
[ "$(<err)" = "$(printf 'mine!\n%.0s' 1 2 3 4)" ] || fail "four runs said: $(<err)"

# Of several runs, one whose process is killed is named as such.
cat >deadly <<-'END'
	#!/bin/sh
	case "$*" in *./cat5*) kill -9 $PPID ;; esac
	exec ${APMU_QEMU:+$APMU_QEMU/}qemu-arm "$@"
END
chmod +x deadly
apmu stat --qemu ./deadly -c arm1136 -r 2 -e instructions -- ./cat5
exits 1
says "a run has no result: signal 9 ended its process"

# Standard input that cannot be read to its end is not its end.
cat >cut.py <<-'END'
	import socket, subprocess, sys
	ours, theirs = socket.socketpair()
	ours.sendall(b"x" * 1000)
	theirs.sendall(b"unread: the end of this socket resets the other")
	ours.close()
	sys.exit(subprocess.run(sys.argv[1:], stdin=theirs).returncode)
END
python3 cut.py "$APMU" stat -J 2 -c arm1136,xscale1 -e instructions -- ./cat5 >out 2>err
[ $? -eq 1 ] || fail "input that was cut: exit status"
err=$(<err)
says "a run did not get all of standard input"

# A signal ends it: 128 + its number, and the counts are there all the same.
arm wild <<-'END'
	.arch armv5t
	.arm
	.global _start
_start:	mov	r0, #0
	mov	r1, #100
1:	subs	r1, r1, #1
	bne	1b
	str	r0, [r0]
END
(ulimit -c 0 && exec "$APMU" stat -j -o results.json -c arm1136 -e branches -- ./wild) >/dev/null 2>&1
[ $? -eq 139 ] || fail "a program that faults: exit status"
said="stat ./wild"
holds '.exit == 139 and .signal == 11 and .counters[0].value == 100' results.json
arm newer <<-'END'
	.arch armv7-a
	.arm
	.global _start
_start:	movw	r0, #1
END
(ulimit -c 0 && exec "$APMU" stat -o results.txt -c arm1136 -e instructions -- ./newer) >/dev/null 2>&1
[ $? -eq 132 ] || fail "an instruction that ARM1136 lacks: exit status"
tr '\n' ' ' <results.txt >line.txt
grep -q "signal 4 (Illegal instruction). The core may lack an instruction (-c chooses another),  or the program reads the core's counters itself ('apmu run --linux' lets it)." line.txt || fail "MOVW on ARM1136: $(<results.txt)"

# Threads: the sum, and each.
cat >threads.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void *spin(void *n) { for (volatile long i = (long)n; i > 0; i--) ; return NULL; }
int main(int argc, char **argv)
{
	pthread_t thread[2];
	(void)argv;
	for (long i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, spin, (void *)(100000 * (i + 1)));
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	if (argc > 1 && fork() == 0) {
		spin((void *)1000000);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
END
arm-linux-gnueabi-gcc -marm -march=armv5te -O1 -static -pthread threads.c -o threads || fail "cannot build threads"
apmu stat -j --per-thread -c arm1136 -e instructions,branches -- ./threads
exits 0
holds '(.threads | length) == 3 and .threads[0].pid == .threads[0].tid' err
holds '([.threads[].counters[0].value] | add) == .counters[0].value' err
holds '[.threads[1:][].counters[1].value] | sort | .[0] > 100000 and .[0] < 110000 and .[1] > 200000 and .[1] < 210000' err

# Children count too, but not with -i.
apmu stat -j -i -c arm1136 -e branches -- ./threads fork
holds '.counters[0].value < 400000' err
apmu stat -j -c arm1136 -e branches -- ./threads fork
holds '.counters[0].value > 1300000 and .counters[0].value < 1400000' err
apmu stat -j --per-thread -c arm1136 -e branches -- ./threads fork
holds '([.threads[].pid] | unique | length) == 2' err

# Dynamic programs find Debian's cross root; -L says otherwise.
echo 'int main(void) { return 9; }' >dynamic.c
arm-linux-gnueabi-gcc -marm -march=armv5te dynamic.c -o dynamic || fail "cannot build dynamic"
apmu stat -c arm1136 -e instructions -- ./dynamic
exits 9
apmu stat -L /usr/arm-linux-gnueabi -c arm1136 -e instructions -- ./dynamic
exits 9

arm-linux-gnueabi-gcc -static dynamic.c -o static || fail "cannot build static"
refuses 1 "apmu stat: --sysroot 'nowhere' is not a folder" stat -L nowhere -c arm1136 -e instructions -- ./static

# Ctrl-C is the program's: apmu stays to print what was counted until then.
arm endless <<-'END'
	.arch armv5t
	.arm
	.global _start
_start:	b	_start
END
set -m
"$APMU" stat -j -o results.json -c arm1136 -e branches -- ./endless &
job=$!
sleep 1
kill -INT -- -$job
wait $job
[ $? -eq 130 ] || fail "interrupted: exit status"
said="stat ./endless"
holds '.exit == 130 and .signal == 2 and .counters[0].value > 1000' results.json

# With several cores or runs it ends them all: those side by side have counted until then, those to come do not begin.
for signal in INT TERM; do
	rm -f results.json
	timeout -s KILL 60 "$APMU" stat -J 1 -j -o results.json -c arm1136,xscale1 -e branches -- ./endless 2>err &
	job=$!
	sleep 1
	kill -$signal -- -$job
	wait $job
	[ $? -eq $((128 + $(kill -l $signal))) ] || fail "$signal with two cores: exit status"
	[ "$(jq -c "[.cores[] | [.core, .signal, .counters[0].value > 1000]]" results.json)" = "[[\"arm1136jf-s\",$(kill -l $signal),true]]" ] || fail "$signal with two cores: $(cat results.json err)"
	grep -q "interrupted: the program did not run on xscale1" err || fail "$signal: $(<err)"
	timeout -s KILL 60 "$APMU" stat -J 2 -j -o results.json -c arm1136,xscale1 -e branches -- ./endless 2>err &
	job=$!
	sleep 1
	if [ $signal = TERM ]; then kill -TERM "$(pgrep -P $job)"; else kill -$signal -- -$job; fi # to the command alone: it passes it on
	wait $job
	[ $? -eq $((128 + $(kill -l $signal))) ] || fail "$signal side by side: exit status"
	[ "$(jq '[.cores[]?.counters[0].value // .counters[0].value] | map(select(. > 1000)) | length' results.json)" = 2 ] || fail "$signal side by side: $(cat results.json err)"
done

# Side by side each run has the whole of standard input, a file or a pipe, and what they print comes in their order.
cat >bytes.c <<-'END'
	#include <stdio.h>
	#include <unistd.h>
	int main(void)
	{
		char some[3000];
		long all = 0, n;
		while ((n = read(0, some, sizeof some)) > 0)
			all += n;
		printf("%ld\n", all);
		fprintf(stderr, "%ld read\n", all);
		return 0;
	}
END
arm-linux-gnueabi-gcc -O1 -static bytes.c -o bytes || exit 1
seq 60000 >some
for jobs in 1 2 4; do
	"$APMU" stat -J $jobs -c arm1136,xscale1 -r 2 -e instructions -- ./bytes <some >out 2>err
	[ "$(sort out | uniq -c)" = "      4 $(stat -c %s some)" ] || fail "a file for each: $(<out)"
	cat some | "$APMU" stat -J $jobs -c arm1136,xscale1 -r 2 -e instructions -- ./bytes >out 2>err
	[ "$(sort out | uniq -c)" = "      4 $(stat -c %s some)" ] && [ "$(grep -c 'read$' err)" = 4 ] || fail "a pipe for each: $(<out) $(<err)"
	"$APMU" stat -J $jobs -c arm1136,xscale1 -e instructions -- /bin/sh -c : >out 2>err && fail "no Arm program ran"
done
# Nobody waits for a pipe that the program does not read.
printf '\t.arm\n\t.global _start\n_start:\tmov r7, #1\n\tsvc #0\n' | arm-linux-gnueabi-gcc -nostdlib -static -x assembler - -o reads_nothing || exit 1
timeout 40 "$APMU" stat -c arm1136,xscale1 -e instructions -- ./reads_nothing 2>err < <(exec sleep 45)
[ $? -ne 124 ] || fail "a pipe that stays open: waited for"

# The same signal many times, as a shell, `timeout` and a terminal may send it together: none may hit the command between
# the program's end and the last line of the results.
rm -f results.json
"$APMU" stat -j -o results.json -c arm1136 -e branches -- ./endless &
job=$!
sleep 1
while kill -TERM -- -$job 2>/dev/null; do :; done
wait $job
[ $? -eq 143 ] || fail "TERM many times: exit status"
said="stat ./endless, TERM many times"
holds '.exit == 143 and .signal == 15 and .counters[0].value > 1000' results.json

verdict
