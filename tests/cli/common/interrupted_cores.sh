#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A signal during the second of three runs, each on its core: the first core has its counts, the second those until then, and a message
# names the third.
. "$(dirname "$0")/../lib.sh"

cat >turns.c <<'END'
#include <fcntl.h>
#include <stdio.h>
int main(void)
{
	if (open("ran", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0)
		return 0;
	puts("second");
	fflush(stdout);
	for (;;)
		;
}
END
aarch64-linux-gnu-gcc -O1 -static turns.c -o turns || fail "cannot build turns"

# told COMMAND...: its status must be that of the program, which SIGINT ended on the second core
told() {
	said="apmu $*"
	rm -f ran
	: >said
	(exec env --default-signal=INT "$APMU" "$@" -c cortex-a53,cortex-a72,neoverse-n1 -e instructions -- ./turns </dev/null) >said 2>err &
	pid=$!
	for _ in $(seq 1200); do
		grep -q second said && break
		sleep 0.05
	done
	kill -INT $pid
	wait $pid 2>/dev/null
	code=$?
	err=$(<err)
	exits 130
	says "interrupted: the program did not run on "
}

told stat -J 1 -j -o out
says "did not run on neoverse-n1"
holds '.exit == 130 and (.cores | length) == 2 and .cores[0].core == "cortex-a53" and .cores[0].exit == 0
	and .cores[0].counters[0].value > 1000 and .cores[1].core == "cortex-a72" and .cores[1].signal == 2
	and .cores[1].counters[0].value > .cores[0].counters[0].value'
told stat -J 1 -x, -o out
[ "$(cut -d, -f1,4 out)" = $'cortex-a53,instructions\ncortex-a72,instructions' ] || fail "$said: $(<out)"
told stat -J 1
says "On cortex-a72 the program was ended by signal 2 (Interrupt)."
[[ $err != *"cortex-a53 the program"* && $err == *cortex-a53*cortex-a72*instructions* ]] || fail "$said: $err"
told bench -j -o out --save saved.json
holds '[.rows[].core] == ["cortex-a53", "cortex-a72"] and .rows[1].counts.instructions > .rows[0].counts.instructions'
cmp -s out saved.json || fail "$said: saves $(<saved.json)"

# Told after the first: one core remains of several, in the form for several.
cat >slow-qemu <<END
#!/bin/sh
case "\$*" in *turns*) [ -e ran ] && { echo second; exec sleep 100; } ;; esac
exec $(command -v qemu-aarch64) "\$@"
END
chmod +x slow-qemu
told stat -J 1 -j -o out --qemu ./slow-qemu
says "did not run on cortex-a72, neoverse-n1"
holds '.exit == 0 and (.cores | length) == 1 and .cores[0].core == "cortex-a53" and .cores[0].counters[0].value > 1000'
told stat -J 1 -x, -o out --qemu ./slow-qemu
[ "$(cut -d, -f1,4 out)" = cortex-a53,instructions ] || fail "$said: $(<out)"

verdict
