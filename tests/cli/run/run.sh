#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `apmu run`: exit codes, reports, counts with -e, limits, semihosting's command line and folder, determinism.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
cd "$work" || exit 1

fail()
{
	echo "FAIL: $*"
	failed=1
}

# build NAME: A32 assembly from standard input
build()
{
	arm-none-eabi-gcc -g -mcpu=arm1176jzf-s -marm -nostdlib -Wl,-n,-Ttext=0x8000 -x assembler - -o "$1" || exit 1
}

# ends STATUS ARG...: runs, keeps streams in out and err
ends()
{
	local want=$1 got
	shift
	timeout 60 "$APMU" run "$@" >out 2>err
	got=$?
	[ "$got" = "$want" ] || { fail "apmu run $*: status $got, not $want"; cat err; }
}

says()
{
	grep -qF -- "$1" err || { fail "no '$1' in:"; cat err; }
}

build exits <<'ASM'
	.global _start
_start:	ldr r1, =block
	mov r0, #0x20
	svc 0x123456
block:	.word 0x20026, 42
ASM
build wild <<'ASM'
	.global _start
	.func _start
	.type _start, %function
_start:	mov r0, #0x60000000
	ldr r1, [r0, #4]
	b .
	.size _start, . - _start
ASM
build loop <<'ASM'
	.global _start
_start:	b _start
ASM
build waits <<'ASM'
	.global _start
_start:	mov r0, #0
	mcr p15, 0, r0, c7, c0, 4
	b _start
ASM
build udf <<'ASM'
	.global _start
_start:	.word 0xe7f000f0
ASM

ends 42 -c arm1176 exits
[ ! -s err ] || fail "an exit that the program asked for is reported"
ends 1 -c arm1176 wild
says "wild: read of an address with neither memory nor a device (data abort), and there is no handler at its vector 0x10"
says "at 0x8004 <_start+0x4>"
says "address 0x60000004, after 1 instructions"
says "r0 60000000"
ends 1 -c arm1176 udf
says "undefined instruction"
ends 1 -c arm1176 --max-insns 1000 loop
says "after 1000 instructions"
ends 1 -c arm1176 --cpi 2 --timeout 0.001 loop
says "1000000 cycles"
ends 1 -c arm1176 waits
says "waits for an interrupt that cannot come"
ends 1 -c arm1176 --cpi 3 -e cycles,instructions --max-insns 1000 loop
says "3,000"
says "instructions (INSTR_EXEC)"

ends 2
says "no core"
ends 2 loop
says "no core"
ends 2 -c arm1176
says "no program"
ends 2 -c cortex-a54 loop
says "did you mean"
ends 2 -c arm1176 --cpi x loop
says "whole number"
ends 2 -c arm1176 --timeout -1 loop
ends 2 -c arm1176 --folder nowhere loop
ends 2 -c arm1176 --set no.such=1 loop
ends 1 -c arm1176 nowhere
says "no such program"
ends 1 -c arm1176 "$APMU"
says "not for Arm"
ends 2 -c arm1176 -b moon loop
says "no board 'moon'; there are bare, virt"
ends 2 -c cortex-a55 --ram 100000000 loop
ends 2 -c cortex-a55 --ram 1000000 loop
says "has room for"
ends 2 -c arm1176 --load note@x loop
[ "$(cat err)" = "apmu run: --load 'note@x' is not FILE@ADDRESS, such as image.bin@0x80000" ] || fail "--load note@x: $(cat err)"

# An address is decimal, with a zero before it too, as --raw has it.
build word <<'ASM'
	.global _start
_start:	ldr r1, =20000
	ldr r4, [r1]
1:	b 1b
ASM
printf '\170\126\064\022' >bytes
for address in 20000 020000 0x4e20; do
	ends 1 -c arm1176 --load bytes@$address --max-insns 10 word
	grep -q 'r4 12345678' err || fail "--load bytes@$address: $(cat err)"
done
# What a console receives is no folder.
ends 1 -c cortex-a15 -b virt --console . word
grep -q "apmu run: --console '.': Is a directory" err || fail "--console .: $(cat err)"
# A time of less than a cycle is a limit too.
ends 1 -c arm1176 --timeout 1e-12 word
grep -q 'the limit of modelled time is reached' err || fail "--timeout 1e-12: $(cat err)"

cat >hello.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
	FILE *file = fopen("note.txt", "w");
	if (file)
		fputs("kept\n", file);
	printf("%d words, the last %s, %s\n", argc, argv[argc - 1], file ? "a file" : "no file");
	return 3;
}
C
arm-none-eabi-gcc --specs=rdimon.specs -mcpu=arm1176jzf-s hello.c -o hello || exit 1
ends 3 -c arm1176 hello one two
[ "$(cat out)" = "3 words, the last two, no file" ] || fail "hello says: $(cat out)"
mkdir folder
ends 3 -c arm1176 --folder folder hello
[ "$(cat folder/note.txt)" = kept ] || fail "the file is not in the folder"
[ ! -e note.txt ] || fail "a file outside the folder"

# The core's parameters, as `apmu stat` takes them.
ends 2 -c arm1176 --set l1d.sise=1 loop
says "did you mean 'l1d.size'?"
printf '%s\n' '' 'memory = -5' >parameters
ends 2 -c arm1176 --uarch parameters loop
says "parameters:2: memory cannot be '-5'"
ends 2 -c arm1176 --l1d 1000,3 loop
says "arm1176jzf-s: l1d: size is not ways x line"
ends 2 -c arm1176 --l2c pl310 loop
says "is not l210 or l220"
ends 2 -c arm1176 --stat -e l210/ir-req loop
says "l210/ir-req needs --l2c l210"
misses()
{
	"$APMU" run --warm -c cortex-a15 "$@" --stat -e L1D_CACHE_REFILL hello 2>&1 >/dev/null | awk '/L1D_CACHE_REFILL/ { gsub(",", "", $1); print $1 }'
}
[ "$(misses --l1d 512,1)" -gt "$(misses)" ] || fail "a cache of 512 bytes misses $(misses --l1d 512,1), the core's own $(misses)"
printf '%s\n' 'l1d.size = 512' 'l1d.ways = 1' >parameters
[ "$(misses --uarch parameters)" = "$(misses --set l1d.size=512,l1d.ways=1)" ] || fail "--uarch and --set differ"
"$APMU" run --warm -c arm1176 --l2c l210 --stat -e ICACHE_MISS,l210/ir-req,l210/dr-req hello >out 2>&1
grep -qE '^ +[1-9][0-9,]* +l210/dr-req' out || fail "l210: $(cat out)"

"$APMU" run -c cortex-a15 --stat hello >first 2>&1
"$APMU" run -c cortex-a15 --stat hello >second 2>&1
cmp first second || fail "two runs differ"

# What an erratum adds to an event, --stat counts as 'apmu stat' does.
arm-linux-gnueabi-gcc -nostdlib -static -x assembler - -o returns <<'ASM' || exit 1
	.arm
	.global _start
_start:	mov r4, #0xb80
1:	bl leaf
	subs r4, r4, #1
	bne 1b
	mov r0, #0
	mov r7, #1
	svc #0
leaf:	mov pc, lr
ASM
undelivered() { awk '/ICACHE_NO_DELIVER/ { gsub(",", "", $1); print $1 }' err; }
ends 0 -c xscale2 --linux --stat -e ICACHE_NO_DELIVER returns
ours=$(undelivered)
"$APMU" stat -c xscale2 -e ICACHE_NO_DELIVER ./returns >out 2>err
[ "${ours:-0}" -gt 2944 ] && [ "$ours" = "$(undelivered)" ] || fail "ICACHE_NO_DELIVER: run has $ours, stat $(undelivered)"

# exception levels that the core, or the way to load, has not
ends 2 -c arm1176 --el 4 exits
says "--el '4' is not 1, 2 or 3"
ends 2 -c cortex-a53 --el 2 --linux exits
says "--linux runs a program at EL0: --el is for bare metal"
ends 2 -c arm1176jzf-s --linux --fiq exits
says "--linux runs a program, to which no interrupt goes: leave out --fiq and --skid"
ends 2 -c cortex-a53 -b virt --fiq exits
says "--fiq is for board bare"
ends 1 -c arm1136jf-s --el 3 exits
says "arm1136jf-s has no EL3"
ends 1 -c cortex-a9 --el 2 exits
says "cortex-a9 has no EL2"

[ $failed = 0 ] && echo ok
# A signal ends a program that does not end; what it did until then is counted.
build forever <<'ASM'
	.global _start
_start:	b _start
ASM
for signal in INT TERM HUP; do
	(exec env --default-signal=INT timeout -s $signal 2 "$APMU" run --core arm1176 --stat -e instructions forever >out 2>err)
	grep -qE '^ +[0-9,]*[0-9]{3}  instructions' err || fail "SIG$signal: no counts: $(cat err)"
	says "forever: interrupted"
done
# The emulator's end from outside is no bug of its library.
"$APMU" run -c arm1176 forever >out 2>err &
run=$!
child=
for i in $(seq 100); do
	child=$(cat "/proc/$run/task/$run/children") && [ -n "$child" ] && break
	sleep 0.05
done
kill -KILL $child && wait $run
[ $? = 1 ] || fail "an emulator that was killed: status $?"
says "the system (no memory, a limit of processor time) or a user ended it"

exit $failed
