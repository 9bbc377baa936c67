#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# However a command is stopped, no process of it is left: the list of processes is checked after each way. The exit status is the
# signal's; what was counted, recorded or printed until then is kept.
. "$(dirname "$0")/../lib.sh"

arm endless <<-'END'
	.arch armv5t
	.arm
	.global _start
_start:	b	_start
END
here=$PWD
left() { ps -eo stat=,args= | grep -vE '^Z|grep ' | grep -F "$here/"; }
# gone WHAT: within half a minute nothing of ours runs
gone() {
	for _ in $(seq 600); do
		left >/dev/null || return 0
		sleep 0.05
	done
	fail "$1: still there: $(left)"
	ps -eo pid=,args= | grep -F "$here/" | grep -v grep | while read -r pid _; do kill -KILL "$pid"; done
}
# started N: until N of our guests run
started() {
	for _ in $(seq 1200); do
		[ "$(ps -eo stat=,args= | grep -vE '^Z' | grep -cE "qemu-[^ ]* .*$here/endless")" -ge "$1" ] && return 0
		sleep 0.05
	done
	fail "only these run: $(left)"
}
# spun: until what is ours has used half a second of a processor, however busy that is: then it is past its start
spun() {
	for _ in $(seq 1200); do
		pgrep -f "$here/" | sed 's|.*|/proc/&/stat|' | xargs -r cat 2>/dev/null | awk '{ sub(/.*\) /, ""); ticks += $12 } END { exit ticks < 50 }' && return 0
		sleep 0.05
	done
	fail "this does nothing: $(left)"
}
# told SIGNAL COMMAND...: starts it in a group of its own, sends the signal to its process alone; its status in $status
told() {
	local signal=$1
	shift
	(exec env --default-signal=INT,QUIT,HUP "$@") >out 2>err &
	pid=$!
	started "$guests"
	spun
	kill -"$signal" $pid
	wait $pid 2>/dev/null
	status=$?
	said="${*:2} ($signal)"
	[ $status = $((128 + $(kill -l "$signal"))) ] || fail "$said: status $status: $(<err)"
	gone "$said"
}

printf 'program %s/endless\ncore arm1136 xscale1 cortex-a15 cortex-a53\nevent cycles\n' "$here" >endless.plan
ulimit -c 0
for signal in TERM INT HUP QUIT KILL; do
	guests=1
	rm -f results.json data
	told $signal "$APMU" stat -j -o results.json -c arm1136 -e branches -- "$here/endless"
	[ $signal = KILL ] || holds '.counters[0].value > 0' results.json
	told $signal "$APMU" record -o data -c 1000 -e instructions -- "$here/endless"
	"$APMU" report -i data >out 2>err || fail "what a recording had at $signal: $(<err)"
	guests=4
	rm -rf endless.plan.jsonl*
	told $signal "$APMU" sweep -j 4 endless.plan
	[ ! -s endless.plan.jsonl ] || fail "a sweep that was ended ($signal) has results: $(<endless.plan.jsonl)"
done

# The program's own signals reach all runs, and end the program, not the command.
guests=2
rm -f results.json
told USR1 "$APMU" stat -J 2 -j -o results.json -c arm1136,xscale1 -e branches -- "$here/endless"
holds '.exit == 138 and .cores[0].signal == 10 and .cores[0].counters[0].value > 0 and .cores[1].counters[0].value > 0' results.json

# A terminal that is closed. The command is its session's leader, as under ssh -t, xterm -e or docker run -t.
cat >hang_up.py <<'END'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
time.sleep(1.5)
os.close(terminal)
for _ in range(100):
    if os.waitpid(pid, os.WNOHANG)[0]:
        break
    time.sleep(0.05)
END
for command in "stat -c arm1136 -e branches" "record -o hung -c 1000 -e instructions" "sweep -j 4 endless.plan"; do
	case $command in
	sweep*) python3 hang_up.py "$APMU" $command ;;
	*) python3 hang_up.py "$APMU" $command -- "$here/endless" ;;
	esac
	gone "$command, hung up"
done

# Told while QEMU starts: that was the signal, and nothing else. Whichever moment it hits.
for moment in 0 0.005 0.01 0.02 0.03 0.05 0.08; do
	(exec "$APMU" stat -c arm1136 -e branches -- "$here/endless") >out 2>err &
	sleep $moment
	kill -TERM $!
	wait $! 2>/dev/null
	status=$?
	[ $status = 143 ] || fail "told after $moment s: status $status: $(<err)"
	! grep -q "did not start" err || fail "told after $moment s: $(<err)"
	gone "told after $moment s"
done

# Told while results are made (1000 threads, marks by the thousand): it does not go on.
cat >many.c <<'END'
#include <pthread.h>
#include <stdio.h>
static void *spin(void *n) { for (volatile long i = (long)n; i > 0; i--) ; return NULL; }
int main(void)
{
	for (long k = 0; k < 60; k++) {
		pthread_t thread;
		pthread_create(&thread, NULL, spin, (void *)20000);
		pthread_join(thread, NULL);
	}
	puts("ended");
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static -pthread many.c -o many || fail "cannot build many"
mkfifo results
(exec "$APMU" stat -j -I 20 -c cortex-a53 -e cycles,instructions,cache-misses,branch-misses -o results -- "$here/many") >out 2>err &
pid=$!
exec 8<>results # nobody reads: with its results it comes to no end
for _ in $(seq 2400); do
	grep -q ended out && ! ps -eo args= | grep -qE "^[^ ]*qemu-.*$here/many" && break
	sleep 0.05
done
kill -0 $pid 2>/dev/null || fail "told while it writes its results: it was done before: $(<err)"
kill -TERM $pid
wait $pid 2>/dev/null
[ $? = 143 ] || fail "told while it writes its results: status $?"
exec 8>&-

# The file of top-down --by is removed, although nobody opens the pipe that its report goes to.
mkdir folder
(exec env TMPDIR="$here/folder" "$APMU" top-down --by function -o results -- "$here/many") >out 2>err &
pid=$!
for _ in $(seq 2400); do
	grep -q ended out && ! ps -eo args= | grep -qE "^[^ ]*qemu-.*$here/many" && break
	sleep 0.05
done
sleep 1
kill -TERM $pid
wait $pid 2>/dev/null
[ $? = 143 ] && [ -z "$(ls folder)" ] || fail "top-down --by leaves $(ls folder): $(<err)"

# After Ctrl-C the mean is that of the runs that were, and says how many these were.
cat >long.c <<'END'
#include <stdio.h>
int main(void) { puts("here"); for (volatile long i = 30000000; i > 0; i--) ; return 0; }
END
aarch64-linux-gnu-gcc -O1 -static long.c -o long || fail "cannot build long"
(exec env --default-signal=INT "$APMU" stat -r 1000 -J 1 -j -e instructions -o mean.json -- "$here/long" </dev/null) >out 2>err &
pid=$!
for _ in $(seq 1200); do
	[ "$(grep -c here out)" -ge 2 ] && break
	sleep 0.05
done
kill -INT $pid
wait $pid 2>/dev/null
jq -e '.runs >= 2 and .runs < 1000 and .counters[0].value > 0' mean.json >/dev/null || fail "-r, interrupted: $(<err) $(<mean.json)"

# A signal while QEMU starts the second run does not lose the first.
printf '#!/bin/sh\ncase "$*" in *short*) [ ! -e ran ] || { : >waits; exec sleep 100; }; : >ran ;; esac\nexec %s "$@"\n' \
	"$(command -v qemu-aarch64)" >slow-qemu && chmod +x slow-qemu
printf '.global _start\n_start: mov x8, 93\nmov x0, 0\nsvc 0\n' >short.s
aarch64-linux-gnu-gcc -nostdlib -static short.s -o short || fail "cannot build short"
(exec env --default-signal=INT "$APMU" stat -r 5 -J 1 -j -e instructions -o mean.json --qemu ./slow-qemu -- ./short </dev/null) >out 2>err &
pid=$!
for _ in $(seq 1200); do
	[ -e waits ] && break
	sleep 0.05
done
kill -INT $pid
wait $pid 2>/dev/null
jq -e '.runs == 1 and .counters[0].value == 3' mean.json >/dev/null || fail "-r, interrupted at its second start: $(<err)"

# The machine's guest has printed a line that does not end: it is written, whatever ends the command.
cat >hello.s <<'END'
	.arm
	.global _start
_start:	ldr	r1, =0x09000000
	adr	r2, text
1:	ldrb	r0, [r2], #1
	cmp	r0, #0
	beq	2f
	str	r0, [r1]
	b	1b
2:	b	2b
text:	.asciz	"half a line"
END
arm-none-eabi-gcc -mcpu=cortex-a15 -nostdlib -Ttext=0x40200000 hello.s -o hello.elf 2>/dev/null || fail "cannot build hello"
for signal in TERM INT HUP; do
	(exec env --default-signal=INT "$APMU" run -c cortex-a15 -b virt "$here/hello.elf") >out 2>err &
	pid=$!
	spun
	kill -$signal $pid
	wait $pid 2>/dev/null
	status=$?
	[ $status = $((128 + $(kill -l $signal))) ] || fail "run ($signal): status $status: $(<err)"
	[ "$(<out)" = "half a line" ] || fail "run ($signal) wrote '$(<out)'; $(<err)"
	gone "run ($signal)"
done

# The reader of symbols ends with its command. A line table of some millions of rows takes it seconds.
cat >rows.py <<'END'
print("\t.text\n\t.global _start\n_start:\n\t.file 1 \"a.c\"")
print("\n".join(f"\t.loc 1 {i % 60000 + 1}\n\tnop" for i in range(1500000)))
print("\tmov x8, #93\n\tmov x0, #0\n\tsvc #0")
END
python3 rows.py >rows.s && aarch64-linux-gnu-gcc -g -nostdlib -static rows.s -o rows 2>/dev/null || fail "cannot build rows"
"$APMU" record -q -o rows.data -c 10007 -e instructions -- "$here/rows" >out 2>err || fail "rows: $(<err)"
(exec "$APMU" report -i rows.data) >out 2>err &
pid=$!
for _ in $(seq 1500); do
	pgrep -P $pid >children && break
	sleep 0.02
done
kill -TERM $pid 2>/dev/null
wait $pid 2>/dev/null
for _ in $(seq 600); do
	kill -0 "$(<children)" 2>/dev/null || break
	sleep 0.05
done
[ -s children ] || fail "no reader was seen"
! kill -0 "$(<children)" 2>/dev/null || fail "the reader of symbols outlives report"

verdict
