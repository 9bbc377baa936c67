#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Bad input: one clear line, exit status 2 for an invalid command line and 1 for a failure at run time, and no partial output.
. "$(dirname "$0")/../lib.sh"
build_loop

# Unknown words: the nearest known one is named.
refuses 2 "apmu stat: unknown core 'arm1137'; did you mean 'arm1136'?" stat -c arm1137 -- ./loop
refuses 2 "apmu stat: unknown core 'sparc'; 'apmu list cores' has them all" stat -c sparc -- ./loop
refuses 2 "apmu stat: unknown core ''; 'apmu list cores' has them all" stat --core= -- ./loop
refuses 2 "apmu stat: unknown event 'brnch-misses'; did you mean 'branch-misses'?" stat -e brnch-misses -- ./loop
refuses 2 "apmu stat: unknown event 'zzzzzz'; 'apmu list events --core arm1136jf-s' has them all" \
	stat -c arm1136 -e zzzzzz -- ./loop
refuses 2 "apmu stat: unknown metric or group 'branchs'; did you mean 'branch'?" stat -M branchs -- ./loop
refuses 2 "apmu stat: unknown metric or group 'nope'; 'apmu list metrics' has them all" stat -M nope -- ./loop
refuses 2 "apmu stat: unknown option '--cores'; did you mean '--core'?" stat --cores x -- ./loop
refuses 2 "apmu stat: unknown option '-q'; --help lists them" stat -q -- ./loop
refuses 2 "apmu stat: --set: no parameter 'predit'; did you mean 'predict'?" stat --set predit=0 -- ./loop
refuses 2 "apmu stat: --set: l1d.size cannot be 'much': it is a number from 0 to 1048576" stat --set l1d.size=much -- ./loop
refuses 2 "apmu stat: --l1d '32M': l1d.size cannot be 33554432: it is a number from 0 to 1048576" stat --l1d 32M -- ./loop
refuses 2 "apmu record: --l2 '1M,65': l2.ways cannot be 65: it is a number from 1 to 64" record --l2 1M,65 -- ./loop
refuses 2 "apmu run: --l3 '1M,16,7': l3.line cannot be 7: it is a number from 8 to 256" run --l3 1M,16,7 ./loop
refuses 2 "apmu stat: --set 'predict': a parameter is set with KEY=VALUE" stat --set predict -- ./loop

# An event that this core lacks: the cores that have it are named.
refuses 2 "apmu stat: arm1136jf-s has no event 'PROC_CALL_EXEC'; cores that have it: arm1176jzf-s" \
	stat -c arm1136 -e PROC_CALL_EXEC -- ./loop
refuses 2 "apmu stat: '0x1ff' does not fit arm1136jf-s's event selector: numbers end at 0xff" \
	stat -c arm1136 -e 0x1ff -- ./loop

# Lists that cannot be meant.
refuses 2 "apmu stat: -e '{cycles': a group has no '}'" stat -e '{cycles' -- ./loop
refuses 2 "apmu stat: -e 'cycles,': an event's name is missing" stat -e cycles, -- ./loop
refuses 2 "apmu stat: -e 'cycles:k': modifiers ':k' and ':h' are not supported: apmu counts user space, or with --system everything" \
	stat -e cycles:k -- ./loop
refuses 2 "apmu run: a machine's counts are of all its exception levels: leave out ':u'" run -c arm1136 --stat -e cycles:u ./loop
refuses 2 "apmu stat: -e 'cycles:q': unknown modifier 'q'; use ':u' or ':p'" stat -e cycles:q -- ./loop
refuses 2 "apmu stat: -e 'cycles:': a modifier is missing after ':'; use ':u' or ':p'" stat -e cycles: -- ./loop

# Options without sense.
refuses 2 "apmu stat: no program to run; 'apmu stat --help' shows how" stat -c arm1136
refuses 2 "apmu stat: no program to run; 'apmu stat --help' shows how" stat --
refuses 2 "apmu stat: --core needs LIST" stat -c
refuses 2 "apmu stat: --json takes no value" stat --json=1 -- ./loop
refuses 2 "apmu stat: -r '0' is not a number of runs, 1 to 1000000" stat -r 0 -- ./loop
refuses 2 "apmu stat: -I '5x' is not a number of instructions (1000000i) or cycles (1000000c)" stat -I 5x -- ./loop
refuses 2 "apmu stat: --as-hardware '0' is not a number of cycles" stat --as-hardware=0 -- ./loop
refuses 2 "apmu stat: -j and -x exclude each other" stat -j -x, -- ./loop
refuses 2 "apmu stat: -x needs a separator, such as ','" stat -x '' -- ./loop
refuses 2 "apmu stat: -I and --as-hardware exclude each other: both cut the run into slices" \
	stat -I 1000 --as-hardware -- ./loop
refuses 2 "apmu stat: -r prints means over all runs: leave out -I and --per-thread, or -r" stat -r 2 --per-thread -- ./loop

# More events than the core's counters can hold together.
refuses 2 "apmu stat: a group of 3 events does not fit: arm1136jf-s has 2 event counters; make the group smaller \
or leave out --as-hardware" stat -c arm1136 --as-hardware -e '{instructions,branches,cache-misses}' -- ./loop

# Programs. The engine's words are its own; ours are the prefix, the name of the file, one line and the exit status.
cannot_run()
{
	local word=$1
	shift
	apmu stat "$@"
	exits 1
	silent
	says "apmu stat: "
	says "$word"
	[ "$(wc -l <err)" -eq 1 ] || fail "$said: not one line: $err"
}
echo "plain text" >text
cp loop locked
chmod a-x locked
cannot_run "not an ELF" -- ./text
cannot_run "not for Arm" -- /bin/true
cannot_run "no such program" -- ./missing
cannot_run "./locked" -- ./locked
cannot_run "is a directory" -- ./.
cannot_run "qemu-user" --qemu ./missing-qemu -- ./loop
cannot_run "-plugin" --qemu /bin/true -- ./loop
printf '#!/bin/sh\nkill -SEGV $$\n' >crashing
chmod +x crashing
cannot_run "./crashing cannot be run" --qemu ./crashing -- ./loop

# Results that cannot be written are known before the program runs; nothing half written stays behind.
mkdir folder
printf 'older\n' >results
refuses 1 "apmu stat: cannot write 'no/folder': No such file or directory" stat -o no/folder -- ./loop
refuses 1 "apmu stat: cannot write 'folder': Is a directory" stat -o folder -- ./loop
refuses 2 "apmu stat: -o '' is not the name of a file" stat -o '' -- ./loop
refuses 1 "apmu stat: cannot write '/dev/full': No space left on device" stat -o /dev/full -e cycles -- ./loop
cannot_run "no such program" -o results -- ./missing
[ "$(<results)" = older ] || fail "a failed run changed -o's file"
apmu stat -o results -e brnch -- ./loop
exits 2
[ "$(<results)" = older ] || fail "a refused command changed -o's file"
(ulimit -f 0 && trap '' XFSZ && exec "$APMU" stat -o results -e cycles -- ./loop) >/dev/null 2>err
[ $? -ne 0 ] || fail "a file that may not grow: no failure"
[ "$(<results)" = older ] || fail "a file that may not grow was truncated"
[ -z "$(find . -name 'results.*')" ] || fail "left behind: $(find . -name 'results.*')"
for command in "stat" "record -o results"; do
	(ulimit -f 8 && exec "$APMU" $command -e cycles -- ./loop) >/dev/null 2>err
	[ $? = 1 ] && grep -q "beyond the limit of file sizes (ulimit -f)" err || fail "$command with a small ulimit -f: $(<err)"
done

# The same of what goes to standard output, and of a machine's program. Text with what a terminal would obey is shown without.
build_firmware()
{
	printf '%s\n' '.arm' 'mov r0, #4' 'ldr r1, =text' 'svc 0x123456' 'mov r0, #0x18' 'ldr r1, =0x20026' 'svc 0x123456' 'text: .asciz "hello\\n"' >hello.S
	arm-none-eabi-gcc -nostdlib -static -Wl,-Ttext=0x8000 -Wl,-e,0x8000 hello.S -o hello.elf || fail "hello.elf"
}
build_firmware
for command in "list cores" "decode PMNC 1" "--version" "run --help" "run -c arm1136 hello.elf"; do
	# shellcheck disable=SC2086
	"$APMU" $command >/dev/full 2>err </dev/null
	[ $? -eq 1 ] || fail "apmu $command >/dev/full: not exit status 1"
	grep -qx 'apmu[a-z ]*: cannot write the output' err || fail "apmu $command >/dev/full: $(<err)"
done
printf 'c\033[31m red\n' >plan
refuses 2 "apmu sweep: plan:1: unknown word 'c?[31m'; a line begins with program, core, event, set or option" sweep plan

# Other commands.
refuses 2 "apmu top-down: no program to run; 'apmu top-down --help' shows how" top-down
refuses 2 "apmu stat: --qemu '' is not the name of a file" stat --qemu '' -- ./loop
refuses 1 "apmu compare: cannot read 'folder': Is a directory" compare folder folder
refuses 1 "apmu sweep: 'folder': Is a directory" sweep folder
refuses 1 "apmu run: cannot read 'folder': Is a directory" run -c arm1136 --raw 0x8000 folder
refuses 1 "apmu run: cannot read 'missing': No such file or directory" run -c arm1136 --raw 0x8000 missing
refuses 1 "apmu run: text: no Linux image: neither the header of an AArch64 Image nor of a zImage" \
	run -c cortex-a53 -b virt --kernel text
if (ulimit -v 400000 && "$APMU" --version) >out 2>err; then # not so with a sanitizer
	(ulimit -v 400000 && exec "$APMU" run -c arm1136 --raw 0x8000 /dev/zero) >out 2>err
	[ $? = 1 ] && [ "$(<err)" = "apmu run: cannot read '/dev/zero': Cannot allocate memory" ] || fail "a file without an end: $(<err)"
fi
refuses 2 "apmu run: --cpi '0' is not a whole number, 1 to 1000000" run -c arm1136 --cpi 0 hello.elf
refuses 2 "apmu run: --ram '0' is not a whole number, 1 to 1048576" run -c arm1136 --ram 0 hello.elf
refuses 2 "apmu run: --max-insns 'x' is not a whole number, 1 to 18446744073709551615" run -c arm1136 --max-insns x hello.elf
refuses 2 "apmu list: nothing to list: say cores, events, registers or metrics" list
refuses 2 "apmu run: no board 'nope'; there are bare, virt, virt-gicv3, versatile, pxa" run -c arm1136 -b nope hello.elf
refuses 2 "apmu report: -i '' is not the name of a file" report -i ''
refuses 2 "apmu record: -o '' is not the name of a file" record -o '' -- ./loop
refuses 2 "apmu list: no list of 'event'; did you mean 'events'?" list event
refuses 2 "apmu list: 'apmu list events' needs --core NAME; 'apmu list cores' has the names" list events
refuses 2 "apmu list: unknown core 'xscale3'; did you mean 'xscale1'?" list events --core xscale3
refuses 1 "apmu list: nothing in the list of cores matches 'more'" list cores more
refuses 2 "apmu decode: no register; 'apmu decode --help' shows how" decode
refuses 2 "apmu decode: no value; 'apmu decode --help' shows how" decode PMNC
refuses 2 "apmu decode: unknown register 'PMNX'; did you mean 'PMNC'?" decode PMNX 1
refuses 2 "apmu decode: arm1136jf-s has no register 'EVTSEL'; cores that have it: $(cores_of xscale2 armv7)" \
	decode --core arm1136 EVTSEL 1
refuses 2 "apmu decode: '0x100000000' is not a number that fits 32 bits" decode PMNC 0x100000000
refuses 2 "apmu decode: 'one' is not a number that fits 32 bits" decode --core arm1136 PMNC one
refuses 2 "apmu decode: PMNC has no field 'EvtCont0'; did you mean 'EvtCount0'?" \
	decode --core arm1136 PMNC --set EvtCont0=1
refuses 2 "apmu decode: PMNC.E: '2' is not a number from 0 to 0x1" decode --core arm1136 PMNC --set E=2
refuses 2 "apmu decode: PMNC.EvtCount0: 'CYCLE' is not an event or a number from 0 to 0xff" \
	decode --core arm1136 PMNC --set EvtCount0=CYCLE

verdict
