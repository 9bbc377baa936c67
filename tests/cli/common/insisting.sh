#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that ignores the signals that ask it to end, or that cannot take them: the second brings a message, the third kills it, and
# what was counted until then is printed. A program that stopped itself goes on to take the signal.
. "$(dirname "$0")/../lib.sh"

cat >deaf.c <<'END'
#include <signal.h>
#include <stdio.h>
int main(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	puts("deaf");
	fflush(stdout);
	for (;;)
		;
}
END
printf '#include <signal.h>\n#include <stdio.h>\nint main(void) { puts("stops"); fflush(stdout); raise(SIGSTOP); puts("goes on"); return 0; }\n' >stops.c
for program in deaf stops; do
	aarch64-linux-gnu-gcc -O1 -static $program.c -o $program || fail "cannot build $program"
done
here=$PWD
# begun N COMMAND...: starts it, until N programs have written a line
begun() {
	local n=$1
	shift
	said="apmu $*"
	: >printed
	(exec env --default-signal=INT "$APMU" "$@" </dev/null) >printed 2>err &
	pid=$!
	for _ in $(seq 1200); do
		[ "$(pgrep -fc "^[^ ]*qemu-.*$here/")" -ge "$n" ] && { [ "$n" -gt 1 ] || grep -q . printed; } && break
		sleep 0.05
	done
	[ "$n" = 1 ] || sleep 2 # their lines come at their end
}
# sends SIGNAL: and waits until it is no longer the same as the one before
sends() {
	kill -"$1" $pid
	sleep 0.5
}
ended() {
	wait $pid 2>/dev/null
	code=$?
	err=$(<err)
	exits "$1"
	! pgrep -f "$here/" >/dev/null || fail "$said: still there: $(pgrep -af "$here/")"
}
warning="the program has not ended; one more signal kills it"

begun 1 stat -j -o out -c cortex-a53 -e instructions -- "$here/deaf"
sends INT
! grep -q "$warning" err || fail "$said: warns at once"
sends TERM
grep -q "^apmu stat: $warning$" err || fail "$said: no warning: $(<err)"
kill -0 $pid || fail "$said: ended by the second signal"
sends INT
ended 137
holds '.signal == 9 and .exit == 137 and .counters[0].value > 10000'
[ "$(grep -c "$warning" err)" = 1 ] || fail "$said: $(<err)"

begun 1 record -o data -c 10000 -e instructions -- "$here/deaf"
for _ in 1 2 3; do sends TERM; done
ended 137
says "apmu record: $warning"
apmu report -i data
prints main

# Two signals at a time, as `timeout` sends them, are one.
begun 1 stat -j -o out -c cortex-a53 -e instructions -- "$here/deaf"
for _ in 1 2; do
	kill -TERM $pid
	sends TERM
done
kill -0 $pid || fail "$said: ended by the second signal, which came twice"
sends TERM
ended 137

begun 2 stat -J 2 -j -o out -c cortex-a53,cortex-a72 -e instructions -- "$here/deaf"
for _ in 1 2 3; do sends TERM; done
ended 137
holds '[.cores[] | .signal == 9 and .counters[0].value > 10000] | all and length == 2'
[ "$(grep -c "$warning" err)" = 1 ] || fail "$said: $(<err)"

# A QEMU that waits for its debugger.
: >printed
said="apmu stat, waiting for gdb"
(exec env --default-signal=INT QEMU_GDB="$here/gdb" "$APMU" stat -c cortex-a53 -e instructions -- "$here/deaf" </dev/null) >printed 2>err &
pid=$!
for _ in $(seq 1200); do
	pgrep -f "^[^ ]*qemu-.*$here/deaf" >/dev/null && [ -S gdb ] && break
	sleep 0.05
done
for _ in 1 2 3; do sends INT; done
ended 130
says "interrupted before $here/deaf ran"

for signal in TERM INT; do
	begun 1 stat -j -o out -c cortex-a53 -e instructions -- "$here/stops"
	for _ in $(seq 200); do
		ps -eo stat=,args= | grep -q "^T.*$here/stops" && break
		sleep 0.05
	done
	sends $signal
	ended $((128 + $(kill -l $signal)))
	holds ".signal == $(kill -l $signal) and .counters[0].value > 1000"
done

verdict
