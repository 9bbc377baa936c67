#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu run: A32 and T32 code on a core that also has AArch64, and the hint for a program that waits for a distant time.
. "$(dirname "$0")/lib.sh"

printf '\x2a\x00\xa0\xe3\xfe\xff\xff\xea' >"$work/a32" # mov r0, #42; b .
printf '\x2a\x20\xfe\xe7' >"$work/t32"                 # movs r0, #42; b .
for how in a32 thumb; do
	file=$work/${how/thumb/t32}
	"$APMU" run -c cortex-a53 --$how --raw 0x40000000 --max-insns 100 "$file" >"$work/out" 2>&1
	grep -q 'r0 0000002a' "$work/out" || fail "--$how: $(head -3 "$work/out")"
done
"$APMU" run -c neoverse-n1 --a32 --raw 0x40000000 --max-insns 100 "$work/a32" >"$work/out" 2>&1
grep -q 'runs no AArch32 programs' "$work/out" || fail "a core without AArch32: $(cat "$work/out")"
"$APMU" run -c cortex-a53 --a32 "$work/a32" >"$work/out" 2>&1
[ $? = 2 ] && grep -q -- '--a32 and --thumb are for --raw' "$work/out" || fail "--a32 of an ELF file: $(cat "$work/out")"

# 1: mrs x1, cntvct_el0; b 1b
printf '\x41\xe0\x3b\xd5\xff\xff\xff\x17' >"$work/spins"
printf '\x00\x00\x00\x14' >"$work/waits" # b .
"$APMU" run -c cortex-a53 -b virt --cpi 1 --raw 0x40000000 --max-insns 200000 "$work/spins" >"$work/out" 2>&1
grep -q 'read the timer in a loop for 200000 instructions: with a lower --hz' "$work/out" || fail "no hint: $(head -3 "$work/out")"
"$APMU" run -c cortex-a53 -b virt --cpi 1 --raw 0x40000000 --max-insns 20000 "$work/spins" >"$work/out" 2>&1
! grep -q -- --hz "$work/out" || fail "a hint after 20000 instructions"
"$APMU" run -c cortex-a53 -b virt --cpi 1 --raw 0x40000000 --max-insns 200000 "$work/waits" >"$work/out" 2>&1
! grep -q -- --hz "$work/out" || fail "a hint to a program that does not read the timer"
verdict
