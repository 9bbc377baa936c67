#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The commands in README, the documents and the help texts run and exit with 0; the CTest options in them select a test, and the
# options named in them exist. The files that a command needs (a program, a firmware, a board's counts) are provided first. The
# tutorial has a test of its own.
. "$(dirname "$0")/../lib.sh"
commands=$SRC/tests/cli/common/commands.py
mkdir bin build
ln -s "$BUILD"/apmu "$BUILD"/apmu-tcg.so build
ln -s "$BUILD/apmu" bin
printf '#!/bin/sh\nexec cat\n' >bin/flamegraph.pl # in no package
chmod +x bin/flamegraph.pl
PATH=$work/bin:$PATH

cat >prog.c <<'END'
#include <stdio.h>
__attribute__((noinline)) int walk(const char *text) { volatile int n = 0; for (int i = 0; i < 4; i++) n += text[0]; return n; }
__attribute__((noinline)) int parse(const char *text) __asm__("_Z5parsePKc");
int parse(const char *text) { unsigned n = text[0]; for (int i = 0; i < 50000; i++) n = n * 1103515245 + 12345, n ^= n & 0x10000 ? walk(text) : 0; return n; }
int main(int argc, char **argv) { return printf("%d %d\n", parse(argv[0]), walk(argv[argc - 1])) < 0; }
END
arm-linux-gnueabi-gcc -static -g -O1 -o prog prog.c && aarch64-linux-gnu-gcc -static -g -O1 -o program prog.c || fail "cannot build prog.c"
cp "$BUILD"/examples/firmware/*.elf . || fail "no firmware"
cp arm11.elf firmware.elf
make -s -f "$SRC/examples/driver/Makefile" OUT=. ./measure-arm11.elf ./tasks-pmuv3.elf || fail "no driver's examples"
echo 'mov r0, #0x18; ldr r1, =0x20026; svc 0x123456' | arm-none-eabi-gcc -nostdlib -x assembler -Wl,-Ttext=0x8000,-e0x8000 -o end.elf -
arm-none-eabi-objcopy -O binary end.elf firmware.bin
echo 'mov w0, #0x18; adr x1, 1f; hlt #0xf000; .balign 8; 1: .quad 0x20026, 0' | aarch64-linux-gnu-as -o end.o && aarch64-linux-gnu-objcopy -O binary end.o end.bin
# Linux's image header before the same program, for --kernel
echo 'b 2f; .word 0; .quad 0, 0x1000, 0xa; .zero 24; .ascii "ARM\x64"; .word 0
2: mov w0, #0x18; adr x1, 1f; hlt #0xf000; .balign 8; 1: .quad 0x20026, 0' | aarch64-linux-gnu-as -o image.o && aarch64-linux-gnu-objcopy -O binary image.o kernel.bin
truncate -s 4096 initrd root.img
printf 'program ./prog 10\ncore cortex-a53 neoverse-n1\nevent cycles\nset l1d.size 16384 65536\n' >caches.plan # a cluster has nothing left to do
apmu stat -j -o old.json -c cortex-a53 -e instructions,cycles -- ./prog && cp old.json new.json && cp old.json ours.json
apmu record --core cortex-a53 -e cycles -c 100 -- ./prog && cp apmu.data old.data && cp apmu.data new.data
echo '{"counter-value" : "1000.000000", "unit" : "", "event" : "instructions:u", "event-runtime" : 123, "pcnt-running" : 100.00}' >board.json
echo 'memory = 200' >mine.uarch
echo 'pmcr_el0 (/64): 0x41033001' >openocd.txt
for n in 1 2 3; do # several programs of a board
	cp prog "prog$n" && cp board.json "board$n.json"
	apmu stat -j -o "ours$n.json" -c cortex-a53 -e instructions -- "./prog$n"
done

# What is shown with a place holder, or with the words alone that a sentence is about, as it is run.
as_run()
{
	sed -E \
		-e 's/--core X\b/--core cortex-a53/; s/-e E\b/-e cycles/; s/-c P\b/-c 1000/; s/\bN%/2%/; s/\bFORMAT\b/csv/; s/\bFILE\b/file/' \
		-e 's/\bBEFORE AFTER\b/old.json new.json/; s/\bCOMMAND\b/stat/; s/ \.\.\.$//; s/[][]//g; s/\$side/side/' \
		-e 's/ -- \.\/orders$/ -- .\/prog/' \
		-e 's/^(apmu run .*--kernel .*) Image$/\1 kernel.bin/' \
		-e 's/(-c cortex-a15 .*)firmware\.elf/\1armv7.elf/' \
		-e 's/^(apmu compare --fit)( file)?$/\1 file board1.json ours1.json/; s/^apmu compare --fit [^ ]+/& --params memory/' \
		-e 's/^apmu ([a-z][a-z-]*)$/apmu help \1/; t' \
		-e '/^apmu (stat|record) -/ { / --help|\.\/| -- /! s/$/ -- .\/prog/ }' \
		-e '/^apmu run -/ { / --help|elf|bin|\.\//! s/$/ -c cortex-a53 -b virt --raw 0x40200000 end.bin/ }' \
		-e 's/^apmu annotate --exact$/& -- .\/prog/; s/^apmu c2c record$/& -o lines.data -- .\/prog/; s/^apmu c2c report$/& lines.data/' \
		-e 's/^apmu diff -j$/& old.json new.json/; s/^apmu compare -j$/& board.json ours.json/; s/^apmu decode -j$/& PMNC 0x7/' \
		-e 's/^apmu list -j$/apmu list cores -j/; s/^apmu list events$/& --core cortex-a53/'
}

# What cannot end well here, and why. It ends with 1: it was understood, for what is not ends with 2.
excused()
{
	case $1 in
	*--system*) ;;      # no system to boot, guest/system has some
	*build/guests/*) ;; # fetched by `make run`
	*) return 1 ;;
	esac
}

"$commands" "$SRC/README.md" "$SRC/CHANGELOG.md" $(ls "$SRC"/docs/*.md "$SRC"/examples/*/README.md | grep -v tutorial) >shown
for name in "" $("$APMU" --help | awk '/^  [a-z0-9-]+ +[a-z]/ && $1 != "apmu" { print $1 }'); do
	"$APMU" ${name:+"$name"} --help | tee -a helps | "$commands" "apmu${name:+ $name}" >>shown
done
[ "$(grep -c help shown)" -ge 35 ] && [ "$(grep -vc help shown)" -ge 60 ] || fail "fewer commands are shown than there were: $(wc -l <shown)"

declare -A asked # the same question need not be asked twice
while IFS=$'\t' read -r where shown command; do
	case $command in
	"apmu help "* | "apmu list "*)
		[ -z "${asked[$command]:-}" ] || continue
		asked[$command]=1
		;;
	esac
	timeout 60 bash -o pipefail -c "$command" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	! excused "$command" || { [ $code -eq 1 ] || fail "$where: $command: exit $code, though it is excused"; continue; }
	[ $code -eq 0 ] || fail "$where: $shown (as: $command): exit $code: $(tail -n 3 "$work/err")"
	case $command in
	*gcc* | *" -o "* | *" --html "* | *">"* | *" --raw "* | *" --kernel "*) ;;
	*) [ -s "$work/out" ] || [ -s "$work/err" ] || fail "$where: $command: prints nothing" ;;
	esac
done < <(cut -f 2 shown | as_run | paste shown -)

ctest --test-dir "$BUILD" -N | sed -nE 's/^ *Test +#[0-9]+: //p' >tests
ctest --test-dir "$BUILD" --print-labels | sed -nE 's/^  //p' >labels
"$commands" --tests "$SRC"/README.md "$SRC"/docs/*.md >shown
[ "$(wc -l <shown)" -ge 30 ] || fail "fewer tests are shown than there were: $(wc -l <shown)"
while IFS=$'\t' read -r where option; do
	case $option in
	-R*) list=tests ;;
	-L*) list=labels ;;
	esac
	grep -qE -- "${option#-? }" $list || fail "$where: ctest $option chooses no test"
done <shown

# Options that sentences name are of some command, or of another program.
theirs=" --build-arg --cflags --libs --table --tool --cache-sim --branch-sim --toggle-collect --gc-sections --stdio --topdown --kallsyms --wait --test --list --write --judge --perf --boards --video --video-trixie --crypto --jit "
"$commands" --options "$SRC"/README.md "$SRC"/CHANGELOG.md "$SRC"/docs/*.md >shown
[ "$(wc -l <shown)" -ge 60 ] || fail "fewer options are named than there were: $(wc -l <shown)"
while IFS=$'\t' read -r where option; do
	grep -qE -- "(^|[ ,])$option($|[^a-z0-9-])" helps || grep -qF "\"${option#--}\"" "$SRC/src/cli/common/perf_words.c" || [[ $theirs == *" $option "* ]] || fail "$where: no command has $option"
done <shown
verdict
