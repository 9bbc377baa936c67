#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Invalid command lines of record and report.
. "$(dirname "$0")/../lib.sh"

refuses 2 "apmu record: no program to run; 'apmu record --help' shows how" record
refuses 2 "apmu record: -c and -F exclude each other: a fixed period, or one that follows the rate" record -c 1 -F 1 ./x
refuses 2 "apmu record: -c '0' is not a number of occurrences, 1 or more (the core is --core)" record -c 0 ./x
refuses 2 "apmu record: -F '9x' is not a number of samples per million instructions, 1 to 1000000" record -F 9x ./x
refuses 2 "apmu record: --skid '-1' is not a number of instructions, 0 to 10000" record --skid -1 ./x
refuses 2 "apmu record: --exact takes no samples: leave out -c, -F, -g, -d and --skid" record --exact -g ./x
refuses 2 "apmu record: -o -: samples go to a file, not to a pipe; 'apmu report' reads it" record -o - ./x
refuses 2 "apmu record: unknown core 'cortex-a99'; did you mean 'cortex-a9'?" record --core cortex-a99 ./x
refuses 1 "apmu record: nothing-here: no such program in PATH" record --core arm1136 nothing-here
[ ! -e apmu.data ] || fail "a program that is not there left a file"
refuses 1 "apmu report: apmu.data: No such file or directory; 'apmu record' makes it, -i names another file" report
refuses 2 "apmu report: --sort: no key 'funktion'; did you mean 'function'?" report --sort funktion
refuses 2 "apmu report: --percent-limit '101' is not a percentage, 0 to 100" report --percent-limit 101
refuses 2 "apmu report: -n '0' is not a number of rows, 1 or more" report -n 0
refuses 2 "apmu report: unexpected argument 'y.data': a report takes one recording" report x.data y.data
refuses 2 "apmu report: unexpected argument 'y.data': a report takes one recording" report -i x.data y.data
refuses 1 "apmu report: x.data: No such file or directory" report x.data

for command in record report; do
	apmu $command --help
	exits 0
	prints "usage: apmu $command"
	while IFS= read -r line; do
		[ "$(expand <<<"$line" | wc -L)" -le 110 ] || fail "$said: wide line: $line"
	done <<<"$out"
done

# A file that is there becomes FILE.old; the report pipes.
build_loop
apmu record --core arm1136 -e instructions -c 1000 -o loop.data ./loop
exits 7
says "2000 samples in loop.data"
apmu record --core arm1136 -e branches -c 1000 -o loop.data ./loop
says "1000 samples in loop.data"
apmu report loop.data.old
# A link to a standard stream stays what it is, as /dev/stdout must.
ln -s /proc/self/fd/1 stream
printf x >streamed
"$APMU" record -q -o stream --core arm1136 -e instructions -- ./loop >>streamed 2>err
[ -L stream ] && [ ! -e stream.old ] && "$APMU" report -i streamed >out 2>err || fail "-o through a link: $(ls -l stream*) $(<err)"
prints "# 2,000 samples for 2,000,000 counted"
"$APMU" report -i loop.data --sort function,object,file,line,thread >ours
"$APMU" report -i loop.data --sort sym,dso,srcfile,srcline,tid >perfs
cmp -s ours perfs || fail "perf's words for keys give another report"
"$APMU" report -i loop.data --sort address >piped
grep -q "^100.00%  1,000,000    1,000  0x" piped || fail "report: $(<piped)"
# A recording through a pipe, and what is none.
"$APMU" report -i loop.data >want
for input in - /dev/stdin; do
	"$APMU" report "$input" <loop.data | cmp -s - want || fail "report $input, of a file"
	cat loop.data | "$APMU" report -i "$input" | cmp -s - want || fail "report -i $input, of a pipe"
done
refuses 2 "apmu report: --debug-dir 'nowhere' is not a folder" report --debug-dir nowhere loop.data
refuses 2 "apmu report: --sysroot 'want' is not a folder" report -L want loop.data
refuses 2 "apmu report: --thread 0: threads are counted from 1" report --thread 0 loop.data
refuses 2 "apmu report: --thread 99: loop.data has 1 thread" report --thread 99 loop.data
refuses 1 "apmu report: /dev/zero is not a profile of 'apmu record'" report /dev/zero
mkfifo nothing
: >nothing &
refuses 1 "apmu report: nothing is empty: 'apmu record' wrote nothing into it" report nothing
head -c 300 loop.data | "$APMU" report - >out 2>err
grep -qF -- "-: the file is cut short" err || grep -qF -- "-: the block that says what was recorded is missing" err || fail "a torn pipe: $(<err)"
# A recording that does not come about leaves what was there.
cat >broken <<END
#!/bin/sh
case "\$*" in *./loop*) exit 1 ;; esac
exec ${APMU_QEMU:+$APMU_QEMU/}qemu-arm "\$@"
END
chmod +x broken
cp loop.data kept
apmu record --core arm1136 -o loop.data --region strat ./loop
exits 2
says "has no symbol 'strat'"
apmu record --core arm1136 -o loop.data --qemu ./broken ./loop
exits 1
says "did not start it"
cmp -s loop.data kept || fail "a refused recording took the place of the last one"
apmu record --core arm1136 -o none.data --qemu ./broken ./loop
exits 1
[ ! -e none.data ] || fail "a recording that did not begin left a file"
"$APMU" record -q -o stream --qemu ./broken --core arm1136 ./loop >streamed 2>err && fail "broken, to a stream"
[ -L stream ] || fail "a recording that did not begin removed the link to its stream"

# A function that the compiler made a copy of is known by its name in the source.
printf '.global _start\n.type sum.constprop.0, %%function\n_start: b sum.constprop.0\nsum.constprop.0: mov r7, #1\n svc #0\n' | arm copied
apmu record --core arm1136 -o none.data --region sum ./copied
exits 2
says "has no symbol 'sum'; did you mean 'sum.constprop.0'?"
verdict
