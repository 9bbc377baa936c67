#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu annotate: the instructions are objdump's, the counts those of the profile (lib_profile.sh), and they add up.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/cli/lib_profile.sh"
make_program
make_profile apmu.data

# Functions are complete: their addresses are objdump's, in order.
apmu annotate
exits 0
for function in outer twice main; do
	aarch64-linux-gnu-objdump -d --no-show-raw-insn --disassemble=$function prog |
		sed -nE 's/^ +([0-9a-f]+):\t([a-z.0-9]+).*/\1 \2/p' >want
	awk -v f="$function  $work/prog" '$0 == f { on = 1 } / total$/ { on = 0 }
		on && match($0, /[0-9a-f]+:  /) { print substr($0, RSTART), "" }' out |
		sed -E 's/^([0-9a-f]+):  ([a-z.0-9]+).*/\1 \2/' >got
	[ "$(wc -l <want)" -gt 5 ] && cmp -s want got || fail "$function: $(diff want got)"
done

# counts COLUMN: of the instructions of the last output, added up (1: share, 2 and 3: the events).
counts() { grep -E ' +[0-9a-f]+:  ' out | cut -c 1-34 | tr -d % | awk -v c="$1" '{ n = NF - 2; if (c == 2) s += $(NF - 1); else s += $NF } END { print s + 0 }'; }
[ "$(counts 2) $(counts 3)" = "6600 7000" ] || fail "counts add up to $(counts 2) $(counts 3)"
prints " 62.96%           3400           .  $(printf '%8x' "$outer"):  adrp"
prints "5400 of 6600 branch-misses (81.82%)"
prints "inlined.c:7 (leaf, inlined)
        	sink = x;"
prints "inlined.c:22
        {"
[ "$(grep -c ' total$' out)" = 3 ] || fail "$(grep -c ' total$' out) functions"

# Another event sorts and is the share.
apmu annotate -e cpu-cycles
[ "$(head -n 2 out)" = "main  $work/prog
7000 of 7000 cpu-cycles (100.00%)" ] || fail "-e cpu-cycles: $out"
prints "2 more functions have less than 1 percent each (--percent-limit)"

# One function; lines alone; a window.
apmu annotate twice
[ "$(grep -c ' total$' out)" = 1 ] && [ "$(counts 2)" = 1000 ] || fail "twice: $out"
apmu annotate -l outer
[ "$(sed -n '5,6p' out)" = " 62.96%           3400           .  inlined.c:7  	sink = x;
 37.04%           2000           .  inlined.c:13  	return leaf(x + 1) ^ leaf(x + 7);" ] || fail "-l: $out"
apmu annotate --context 1 --no-source outer
[ "$(grep -cE '^.{36} +[0-9a-f]+:  ' out)" = 3 ] && prints "        ..." || fail "--context 1: $out"
[[ $out != *inlined.c* ]] || fail "--no-source shows source: $out"

# Patterns; a compiler's copy by its function's name; what was inlined says where it is.
apmu annotate 'tw*' '?ain'
[ "$(grep -c ' total$' out)" = 2 ] && [ "$(counts 2)" = 1200 ] || fail "patterns: $out"
refuses 1 "apmu annotate: 'leaf' was inlined: its instructions are in 'outer'" annotate leaf
refuses 1 "apmu annotate: 'middle' was inlined: its instructions are in 'outer'" annotate 'mid*'
refuses 1 "apmu annotate: nothing was counted in 'x*'; 'apmu report' lists the functions" annotate 'x*'
apmu annotate --percent-limit 3.5%
[ "$(grep -c ' total$' out)" = 2 ] || fail "--percent-limit 3.5%: $out"
prints "1 more functions have less than 3.5 percent each (--percent-limit)"
refuses 2 "apmu annotate: --percent-limit '101' is not a percentage, 0 to 100" annotate --percent-limit 101
refuses 2 "apmu annotate: --percent-limit 'nan' is not a percentage, 0 to 100" annotate --percent-limit nan
cat >clone.s <<'END'
	.global _start
	.type "_ZN2ns1fEi.isra.0", %function
"_ZN2ns1fEi.isra.0": ret
	.size "_ZN2ns1fEi.isra.0", .-"_ZN2ns1fEi.isra.0"
_start:	bl "_ZN2ns1fEi.isra.0"
	mov x8, #93
	svc #0
END
aarch64-linux-gnu-gcc -nostdlib -static clone.s -o clone || exit 1
"$APMU" record -q --core cortex-a53 -e instructions -c 1 -o clone.data ./clone
for name in 'ns::f(int)' 'ns::f' 'ns::f(int) [clone .isra.0]'; do
	apmu annotate -i clone.data "$name"
	exits 0
	prints "1 of 4 instructions (25.00%)"
done

# Two symbols that start together are two functions, as in `report`: the global one where it reaches, the longer one behind that.
cat >together.s <<'END'
	.global _start, whole, begins
	.type whole, %function
	.type begins, %function
begins:
whole:	nop
	nop
	nop
	ret
	.size begins, 8
	.size whole, 16
_start:	bl whole
	mov x8, #93
	svc #0
END
aarch64-linux-gnu-gcc -nostdlib -static together.s -o together || exit 1
"$APMU" record -q --core cortex-a53 -e instructions -c 1 -o together.data ./together
for name in begins whole; do
	apmu annotate -i together.data $name
	exits 0
	prints "2 of 7 instructions (28.57%)"
	[[ $out != *"no code in the file"* ]] || fail "$name: $out"
done

# Functions that debug information alone names.
printf 'int sized(int x) { return x; }\nstatic int __attribute__((noinline)) first(int x) { return x * 3 + 1; }\nstatic int __attribute__((noinline)) second(int x) { return x * 5 + 2; }
int main(int n, char **v) { return first(n) + second(n) == 11; }\n' >only.c
aarch64-linux-gnu-gcc -g -O1 -fno-toplevel-reorder -fno-asynchronous-unwind-tables -fno-unwind-tables -static only.c -o only && aarch64-linux-gnu-objcopy -N first -N second only || exit 1
"$APMU" record -q --core cortex-a53 -e instructions -c 1 -o only.data ./only
for name in first second; do
	apmu annotate -i only.data $name
	exits 0
	[ "$(grep -c ' total$' out)" = 1 ] && [ "$(grep -cE ':  ret' out)" = 1 ] && [[ $out != *"no code in the file"* ]] || fail "$name: $out"
done

# Nothing was sampled.
"$APMU" record -q --core cortex-a53 -e instructions -c 100 -o clone.data ./clone
apmu annotate -i clone.data
exits 0
[ "$out" = "nothing was counted" ] || fail "nothing was sampled: $out"

# No source, no symbols, no file: what is known is shown, and the counts still add up.
sed -i 's/inlined/unfound/' prog
apmu annotate outer
prints "unfound.c:7 (leaf, inlined)  [source not found]"
aarch64-linux-gnu-strip prog
apmu annotate
exits 0
prints "$(printf '[prog+0x%x]' "$outer")  $work/prog"
prints "$(printf '%8x' "$outer"):  adrp"
[ "$(counts 2) $(counts 3)" = "6600 7000" ] || fail "stripped: counts add up to $(counts 2) $(counts 3): $out"
aarch64-linux-gnu-strip -R .eh_frame -R .eh_frame_hdr prog
apmu annotate
exits 0
prints "(code without names)  $work/prog"
prints "$(printf '%8x' "$outer"):  adrp"
[ "$(counts 2) $(counts 3)" = "6600 7000" ] || fail "stripped: counts add up to $(counts 2) $(counts 3): $out"
rm prog
apmu annotate
exits 0
says "$work/prog: No such file or directory"
prints "(no code in the file)"
[ "$(counts 2)" = 6600 ] || fail "without its file: $out"

# 32-bit code: A32 and T32 in one program, literal pools are data.
for flags in "-marm" "-mthumb -march=armv7-a"; do
	arm-linux-gnueabi-gcc -static $flags -g -O2 "$from/inlined.c" -o arm || exit 1
	read -r at size <<<"$(arm-linux-gnueabi-nm -S arm | awk '$4 == "outer" { print $1, $2 }')"
	at=$((0x$at / 2 * 2))
	printf '%s\n' "program $work/arm" "machine 40" "argv arm" "core cortex-a9" "event cpu-cycles CPU_CYCLES cycles 10" \
		"map 0x10000 $((0x10000 + 0x100000)) 0 $work/arm" "thread 0 7" "sample $at 3 weight=11" "total 0 11" |
		python3 "$SRC/tests/cli/profile.py" arm.data
	apmu annotate -i arm.data --no-source
	arm-linux-gnueabi-objdump -d --no-show-raw-insn --disassemble=outer arm |
		sed -nE 's/^ +([0-9a-f]+):\t.*/\1/p' >want
	sed -nE 's/.* ([0-9a-f]+):  .*/\1/p' out >got
	[ -s want ] && cmp -s want got || fail "$flags: $(diff want got)" "$out"
	prints ".word 0x"
	# The same without names: every instruction that was executed is what objdump says, if it is known to be T32 or A32.
	arm-linux-gnueabi-objdump -d --disassemble=outer arm |
		sed -nE 's/^ +([0-9a-f]+):\t([0-9a-f]+( [0-9a-f]{4})?) +\t([a-z0-9.]+).*/\1 \4/p' | grep -v '[.]word' >named
	{
		printf '%s\n' "program $work/arm" "machine 40" "argv arm" "core cortex-a9" "event cpu-cycles CPU_CYCLES cycles 10" \
			"map 0x10000 $((0x10000 + 0x100000)) 0 $work/arm" "thread 0 7"
		while read -r at _; do echo "sample $((0x$at)) 3 weight=1"; done <named
		echo "total 0 $(wc -l <named)"
	} | python3 "$SRC/tests/cli/profile.py" bare.data
	arm-linux-gnueabi-strip arm
	apmu annotate -i bare.data
	prints "(code without names)"
	sed -nE 's/.* ([0-9a-f]+):  ([a-z0-9.]+).*/\1 \2/p' out | sed -E 's/[.][nw]$//' >got
	sed -E -i 's/[.][nw]$//' named
	[ "$(wc -l <got)" -gt 8 ] && cmp -s named got || fail "stripped, $flags: $(diff named got | head -n 4)"
done

# A table of TBB may end in the middle of a word: the instruction behind it has its count. Instructions in an IT block have its conditions.
arm-linux-gnueabi-gcc -nostdlib -static -march=armv7-a -x assembler - -o table <<'END' || exit 1
	.syntax unified
	.thumb
	.balign 4
	.global _start
	.type _start, %function
_start:	tbb	[pc, r0]
	.byte	3, 4, 3, 4, 3, 4
	movs	r0, #1
	cmp	r0, #1
	ite	eq
	moveq	r7, #1
	addne	r7, r7, #2
	adds	r7, r7, #3
	.size _start, . - _start
END
at=$((0x$(arm-linux-gnueabi-nm table | awk '$3 == "_start" { print $1 }')))
printf '%s\n' "program $work/table" "machine 40" "argv table" "core cortex-a9" "event cpu-cycles CPU_CYCLES cycles 10" \
	"map 0x10000 0x12000 0 $work/table" "thread 0 7" "sample $((at + 10)) 3 weight=11" "total 0 11" |
	python3 "$SRC/tests/cli/profile.py" table.data
apmu annotate -i table.data
prints " $(printf %x $((at + 4))):  .word 0x04030403
"
prints " $(printf %x $((at + 8))):  .short 0x0403
"
prints "100.00%          11     $(printf %x $((at + 10))):  movs r0, #1"
[ "$(sed -n '/ite eq/,/total/s/.*:  //p' out | paste -sd ,)" = "ite eq,moveq r7, #1,addne r7, #2,adds r7, #3" ] || fail "an IT block: $out"

# In one step: the counts are those of stat, to the last, and of `record --exact`; the program's own output does not mix with them.
build_loop
at=$(arm-linux-gnueabi-nm loop | awk '$3 == "_start" { print $1 }')
mkdir temporary
TMPDIR=$work/temporary apmu annotate --exact --core arm1136 -e instructions,branches --no-source _start -- ./loop
exits 7
prints "2000004 of 2000004 instructions (100.00%)"
prints " 50.00%       1000000           .     $(printf %x $((0x$at + 4))):  subs r0, r0, #1
 50.00%       1000000     1000000     $(printf %x $((0x$at + 8))):  bne "
[ -z "$(ls -A temporary)" ] || fail "a temporary file is left"
# However the command ends: nobody reads its output; a signal in its first milliseconds.
TMPDIR=$work/temporary "$APMU" annotate --exact --core arm1136 -e instructions --no-source -- ./loop 2>err | true
[ -z "$(ls -A temporary)" ] || fail "annotate --exact | true: a temporary file is left"
for ms in 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9; do
	TMPDIR=$work/temporary timeout 0.00$ms "$APMU" annotate --exact --core arm1136 -e instructions --no-source -- ./loop >out 2>err
done
[ -z "$(ls -A temporary)" ] || fail "annotate --exact, ended by a signal: temporary files are left"
TMPDIR=$work/nowhere apmu annotate --exact --core arm1136 -- ./loop
exits 1
says "'$work/nowhere'"
says "TMPDIR names another folder"
apmu annotate --exact --core=arm1136 -e instructions -o kept.data -l -- ./loop
exits 7
says "apmu annotate: exact counts in kept.data"
apmu annotate -i kept.data
prints "2000004 of 2000004 instructions (100.00%)"
arm-linux-gnueabi-gcc -static -O1 -x c - -o talks <<'END' || exit 1
#include <stdio.h>
int main(void) { puts("from the program"); return 0; }
END
apmu annotate --exact --core arm1136 main -- ./talks
exits 0
[[ $out != *"from the program"* ]] && says "from the program" || fail "the program's output: $out"
"$APMU" stat -c arm1136 -j -o stat.json -e instructions,branches -- ./talks >as_file
apmu annotate --exact --core arm1136 -e instructions,branches --percent-limit 0 --no-source -- ./talks
for column in 2 3; do
	sum=$(awk -v c=$column '/ total$/ { s += c == 2 ? $(NF - 2) : $(NF - 1) } END { print s }' out)
	want=$(jq ".counters[$((column - 2))].value" stat.json)
	[ "$sum" = "$want" ] || fail "--exact: $sum in all functions, stat counts $want"
done
refuses 2 "apmu annotate: --exact needs a program after '--': apmu annotate --exact -- ./prog" annotate --exact ./loop
refuses 2 "apmu annotate: --core is for --exact, which runs a program" annotate --core arm1136
refuses 2 "apmu annotate: --exact runs a program: leave out -i, or --exact" annotate --exact -i kept.data -- ./loop
refuses 2 "apmu annotate: --exact takes no samples: leave out -c, -F, -g, -d and --skid" annotate --exact -c 9 -- ./loop
refuses 2 "apmu annotate: unknown core 'arm1135'; did you mean 'arm1136'?" annotate --exact --core arm1135 -- ./loop

# Bad input.
refuses 1 "apmu annotate: nothing was counted in 'x'; 'apmu report' lists the functions" annotate -i arm.data x
refuses 2 "apmu annotate: --context 'x' is not a number of instructions" annotate --context x
refuses 2 "apmu annotate: unknown option '--lins'; did you mean '--lines'?" annotate --lins
apmu annotate --help
exits 0
prints "usage: apmu annotate"

verdict
