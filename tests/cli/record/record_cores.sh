#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Several cores in one command: each recording is the same as for the core alone, each run reads all of standard input, and bad
# lists are refused before anything runs.
. "$(dirname "$0")/../lib.sh"

# Reads a line of standard input, writes it out and counts down from the number that its first letter is.
arm reader <<'END'
	.arch armv5t
	.global _start
_start:	mov	r0, #0
	ldr	r1, =line
	mov	r2, #6
	mov	r7, #3
	swi	0
	mov	r2, r0
	mov	r0, #1
	mov	r7, #4
	swi	0
	ldrb	r4, [r1]
	mov	r4, r4, lsl #8
1:	ldr	r3, [r1]
	subs	r4, r4, #1
	bne	1b
	mov	r0, #0
	mov	r7, #1
	swi	0
	.bss
line:	.space	8
END
printf 'hello\n' >input

for core in arm1136 cortex-a7 cortex-a9; do
	"$APMU" record -q --core $core -e cycles,instructions -c 100 -o alone.$core ./reader <input >/dev/null || fail "$core alone"
	"$APMU" report -i alone.$core >alone.$core.txt 2>/dev/null
done
"$APMU" record --core arm1136,cortex-a7,cortex-a9 -J 2 -e cycles,instructions -c 100 -o many.data ./reader <input >out 2>err || fail "several cores"
[ "$(<out)" = $'hello\nhello\nhello' ] || fail "not every run read and wrote its line: $(<out)"
names=(arm1136jf-s cortex-a7 cortex-a9)
for name in "${names[@]}"; do
	grep -q "samples on $name in many.$name.data" err || fail "no word of $name: $(<err)"
	"$APMU" report -i many.$name.data 2>/dev/null | diff - alone.${name%jf-s}.txt || fail "$name differs from the run alone"
done
[ "$(ls many.*)" = "$(printf 'many.%s.data\n' "${names[@]}")" ] || fail "files: $(ls many.*)"

# A pipe is read in full by each; an older file is kept.
cat input | "$APMU" record -q --core cortex-a7,cortex-a9 -J 1 -o many.data ./reader >out || fail "from a pipe"
[ "$(<out)" = $'hello\nhello' ] || fail "a pipe was not read in full by each: $(<out)"
[ -s many.cortex-a7.data.old ] || fail "the older file is gone"

# The place of the name: before the last dot of the file's own name.
mkdir a.b
"$APMU" record -q --core cortex-a7,cortex-a9 -o a.b/plain ./reader <input >/dev/null || fail "-o without a dot"
[ "$(ls a.b)" = $'plain.cortex-a7\nplain.cortex-a9' ] || fail "names without a dot: $(ls a.b)"

refuses 2 "apmu record: arm1136jf-s is named twice: both recordings would be one file" record --core arm1136,arm1136jf-s ./reader
refuses 2 "apmu record: unknown core 'cortex-a54'; did you mean 'cortex-a5'?" record --core cortex-a7,cortex-a54 ./reader
refuses 2 "apmu record: -J '0' is not a number of runs at a time, 1 to 1024" record -J 0 --core cortex-a7,cortex-a9 ./reader
apmu annotate --exact --core cortex-a7,cortex-a9 -- ./reader
exits 2
says "this command takes one"
refuses 1 "apmu record: none/p.cortex-a7.data cannot be written: No such file or directory" record --core cortex-a7,cortex-a9 -o none/p.data ./reader

# One that cannot begin leaves no file of the others behind.
mkdir second.cortex-a9.data
apmu record -q --core cortex-a7,cortex-a9 -o second.data ./reader
exits 1
[ ! -e second.cortex-a7.data ] || fail "a head without a recording stays"

# A signal: what ran is kept, what did not begin leaves no file.
arm endless <<'END'
	.arch armv5t
	.global _start
_start:	b	_start
END
"$APMU" record --core cortex-a7,cortex-a9 -J 1 -o signal.data ./endless </dev/null 2>err &
pid=$!
for _ in $(seq 600); do
	[ "$(stat -c %s signal.cortex-a7.data 2>/dev/null || echo 0)" -gt 4096 ] && break
	sleep 0.1
done
kill -TERM $pid
wait $pid
[ $? -eq 143 ] || fail "the exit status is not SIGTERM's: $(<err)"
"$APMU" report -i signal.cortex-a7.data >out 2>&1 || fail "what was recorded until the signal is lost: $(<out)"
[ ! -e signal.cortex-a9.data ] || fail "a core that did not run has a file"
grep -q "interrupted before cortex-a9 ran" err || fail "nothing says that cortex-a9 did not run: $(<err)"
verdict
