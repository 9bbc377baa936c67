#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu sweep: a plan's runs are ordinary command lines; results are those of stat; finished runs are not repeated.
. "$(dirname "$0")/../lib.sh"
build_loop
cat >small.plan <<'END'
# two programs would be two lines
program ./loop "an argument"   # quotes hold spaces
core arm1136 xscale2
event instructions branch-misses
set predict 0 1
END

apmu sweep -n small.plan
exits 0
cat >want <<'END'
apmu stat -c arm1136jf-s -e instructions,branch-misses --set predict=0 -- ./loop 'an argument'
apmu stat -c arm1136jf-s -e instructions,branch-misses --set predict=1 -- ./loop 'an argument'
apmu stat -c xscale2 -e instructions,branch-misses --set predict=0 -- ./loop 'an argument'
apmu stat -c xscale2 -e instructions,branch-misses --set predict=1 -- ./loop 'an argument'
END
cmp -s out want || fail "-n: $(diff out want)"
[ ! -e small.plan.jsonl ] || fail "-n ran something"

apmu sweep -j 2 --plot plot.svg small.plan
exits 0
[ "$(wc -l <small.plan.jsonl)" = 4 ] || fail "results: $(cat small.plan.jsonl)"
jq -es 'all(.schema == "apmu-sweep/1" and .exit == 7 and .counters.instructions == 2000004)' small.plan.jsonl >/dev/null ||
	fail "results: $(cat small.plan.jsonl)"
# Each command line, run by hand, gives the figure of its line and of the table.
while IFS= read -r command; do
	PATH=$(dirname "$APMU"):$PATH sh -c "${command/apmu stat/apmu stat -j -o by-hand.json}" </dev/null
	misses=$(jq '.counters[1].value' by-hand.json)
	[ "$(jq -r --arg c "$command" 'select(.command == $c).counters["branch-misses"]' small.plan.jsonl)" = "$misses" ] ||
		fail "$command: not $misses"
	core=$(sed 's/.*-c \([^ ]*\).*/\1/' <<<"$command") predict=$(sed 's/.*predict=\(.\).*/\1/' <<<"$command")
	tr -d , <out | grep -qE "^./loop 'an argument'  $core +$predict +2000004 +$misses  exit status 7" ||
		fail "table: no row of $core $predict $misses:" "$out"
done <want
python3 -c 'import xml.etree.ElementTree as t; assert len(list(t.parse("plot.svg").iter("{http://www.w3.org/2000/svg}rect"))) == 1 + 2 + 4' ||
	fail "plot: a ground, two cores, four bars"

# Results go into no file that is another's: not into the plan, nor a source.
cp small.plan kept.plan
refuses 2 "apmu sweep: 'kept.plan' is the plan itself: name another file for the results" sweep -o kept.plan kept.plan
refuses 2 "apmu sweep: 'kept.plan' is the plan itself: name another file for the results" sweep --plot kept.plan kept.plan
cmp -s small.plan kept.plan || fail "the plan: $(<kept.plan)"
echo 'int main(void);' >kept.c
refuses 2 "apmu sweep: 'kept.c' has no results of 'apmu sweep': name another file for them" sweep -o kept.c small.plan
[ "$(<kept.c)" = 'int main(void);' ] && [ ! -e kept.c.runs ] || fail "a source: $(<kept.c), $(ls)"

# Resuming: only what is missing is run. A torn last line is done again.
head -n 2 small.plan.jsonl >two && printf '{"schema":"apmu-sweep/1","comm' >>two && mv two small.plan.jsonl
rm small.plan.jsonl.runs/*
apmu sweep small.plan
exits 0
[ "$(find small.plan.jsonl.runs -name '*.json' | wc -l)" = 2 ] || fail "resumed: $(ls small.plan.jsonl.runs)"
[ "$(jq -R 'fromjson? | .command' small.plan.jsonl | sort -u | wc -l)" = 4 ] || fail "resumed: $(cat small.plan.jsonl)"

# Results of a program that was built anew are not taken.
printf x >>loop
rm small.plan.jsonl.runs/*
apmu sweep small.plan
exits 0
says "4 results are of another build of their program: these are run again"
[ "$(find small.plan.jsonl.runs -name '*.json' | wc -l)" = 4 ] || fail "built anew: $(ls small.plan.jsonl.runs)"

# Nor are results with other parameters in a file that an option names, in either form, or of another version of apmu.
for option in '--uarch mine.uarch' --uarch=mine.uarch; do
	printf 'program ./loop\ncore arm1136\nevent cycles\noption %s\n' "$option" >uarch.plan
	rm -f uarch.plan.jsonl
	echo 'mispredict = 6' >mine.uarch
	apmu sweep uarch.plan
	before=$(jq .counters.cycles uarch.plan.jsonl)
	apmu sweep uarch.plan
	[ -z "$err" ] && [ "$(wc -l <uarch.plan.jsonl)" = 1 ] || fail "$option: equal parameters are run again: $err"
	echo 'memory = 5000' >mine.uarch
	apmu sweep uarch.plan
	exits 0
	says "1 results are of another version of apmu or of the files of 'option': these are run again"
	[ "$(jq -s '.[-1].counters.cycles' uarch.plan.jsonl)" -gt "$before" ] || fail "$option: results of a changed file: $(<uarch.plan.jsonl)"
done
jq -c '.inputs = "0"' uarch.plan.jsonl >older && mv older uarch.plan.jsonl
apmu sweep uarch.plan
says "1 results are of another version of apmu"

# Ctrl-C ends it; what was done is there, and the rest is done by the next.
rm -rf small.plan.jsonl small.plan.jsonl.runs
(exec env --default-signal=INT "$APMU" sweep -j 1 small.plan >out 2>err) &
for _ in $(seq 200); do [ -s small.plan.jsonl ] && break; sleep 0.05; done
kill -INT $!
wait $!
[ $? = 130 ] || fail "Ctrl-C: not exit status 130: $(cat err)"
[ "$(jq -s 'map(select(.counters)) | length' small.plan.jsonl)" -lt 4 ] || fail "Ctrl-C came too late to mean anything"
apmu sweep small.plan
exits 0
[ "$(jq -s 'map(select(.counters).command) | unique | length' small.plan.jsonl)" = 4 ] || fail "after Ctrl-C: $(cat small.plan.jsonl)"

# A run that fails says why, is tried again, and the others are done.
printf 'program ./absent\nprogram ./loop\ncore arm1136\nevent instructions\n' >half.plan
apmu sweep half.plan
exits 1
says "1 of 2 runs left no result; run it again to try them again"
prints "apmu stat: ./absent: no such program"
cp loop absent
apmu sweep half.plan
exits 0

# A run has the three standard streams and no other descriptor of the sweep.
cat >qemu <<'END'
#!/bin/sh
ls -l /proc/self/fd >>descriptors
exec qemu-arm "$@"
END
chmod +x qemu
printf 'program ./loop\ncore arm1136\nevent instructions\noption --qemu ./qemu\n' >streams.plan
apmu sweep streams.plan
exits 0
! grep -E ' ([3-9]|[1-9][0-9]+) -> .*/run-0\.' descriptors || fail "descriptors of the sweep are left open in its runs"

# A program that its core cannot run.
printf 'program ./loop\ncore cortex-a65\nevent instructions\n' >width.plan
apmu sweep width.plan
exits 1
says "1 of 1 runs left no result: their program (32-bit or 64-bit) cannot run on their core"

# Events may have modifiers, groups and commas: the table and the picture have them by the names that results have.
printf 'program ./loop\ncore arm1136\nevent instructions:u,branches {cycles branch-misses}\n' >names.plan
apmu sweep --plot names.svg names.plan
exits 0
grep -qE '^program +core +instructions +branches +cycles +branch-misses *$' out && tr -d , <out | grep -qE '^./loop +arm1136jf-s +2000004 +1000000 ' ||
	fail "events: $out"
! grep -q 'no result' names.svg || fail "events: the picture has none"

# What one core lacks is counted on the others, and the rest on all; what no core has is an error.
printf 'program ./loop\ncore arm1136 xscale2\nevent LSU_STALL instructions {branches,DCACHE_HIT,branch-misses}\n' >lacks.plan
apmu sweep -n lacks.plan
cat >want <<'END'
apmu stat -c arm1136jf-s -e 'LSU_STALL,instructions,{branches,DCACHE_HIT,branch-misses}' -- ./loop
apmu stat -c xscale2 -e 'instructions,{branches,branch-misses}' -- ./loop
END
cmp -s out want || fail "-n: $(diff out want)"
apmu sweep --plot lacks.svg lacks.plan
exits 0
tr -d , <out | grep -qE '^./loop +xscale2 +<not supported> +2000004 +1000000 +<not supported> +[0-9]+ +exit status 7$' || fail "a core that lacks events: $out"
tr -d , <out | grep -qE '^./loop +arm1136jf-s +[0-9]+ +2000004 +1000000 +[0-9]+ +[0-9]+ +exit status 7$' || fail "a core that has them: $out"
jq -es 'map({(.core): .unsupported}) | add == {"arm1136jf-s": [], "xscale2": ["LSU_STALL", "DCACHE_HIT"]}' lacks.plan.jsonl >/dev/null ||
	fail "unsupported: $(cat lacks.plan.jsonl)"
grep -q '>not supported<' lacks.svg || fail "the picture of an event that a core lacks: $(cat lacks.svg)"
printf 'program ./loop\ncore arm1136 xscale2\nevent LSU_STALL\n' >one.plan
apmu sweep one.plan
exits 0
grep -qE '^./loop +xscale2 +<not supported> +exit status 7$' out || fail "a core that lacks all events: $out"
printf 'program ./none\ncore arm1136 xscale2\nevent instructions\n' >none.plan
apmu sweep none.plan
exits 1
says "2 of 2 runs left no result"
prints "./none: no such program"
rm none.plan

# Without 'event' the table has what any core counts: xscale2's usual events are fewer than arm1136's.
printf 'program ./loop\ncore xscale2 arm1136\n' >usual.plan
apmu sweep usual.plan
exits 0
for event in $(jq -r '.counters | keys[]' usual.plan.jsonl | sort -u); do
	head -n 1 out | grep -qE " $event( |\$)" || fail "no column of $event: $(head -n 1 out)"
done
[ "$(jq -s '[.[].counters | length] | unique | length' usual.plan.jsonl)" = 2 ] || fail "usual events of two cores are as many: $(<usual.plan.jsonl)"

# A picture is XML, whatever the program's name.
odd=$'lo\xe9<]]>\x1bp'
cp loop "$odd"
printf "program './%s'\ncore arm1136\nevent instructions\n" "$odd" >odd.plan
apmu sweep --plot odd.svg odd.plan
exits 0
python3 -c 'import xml.etree.ElementTree as t; assert "lo?<]]>?p" in t.parse("odd.svg").getroot().itertext()' || fail "plot: $(cat odd.svg)"

# Slurm's commands name their files, wherever these are. This sbatch does the tasks itself.
mkdir bin "of 'mine'"
cat >bin/sbatch <<'END'
#!/bin/sh
for job; do :; done
for task in $(seq "$(grep -c . "${job%/job}/commands")"); do SLURM_ARRAY_TASK_ID=$task sh "$job"; done
END
chmod +x bin/sbatch
PATH=$PWD/bin:$PATH apmu sweep --engine slurm -o "of 'mine'/results" names.plan
exits 0
[ -s "of 'mine'/results.runs/run-0.err" ] || [ -e "of 'mine'/results.runs/run-0.out" ] || fail "slurm: $(ls "of 'mine'/results.runs")"

# Results that cannot be written are refused before anything runs.
rm -rf names.plan.jsonl*
refuses 2 "apmu sweep: -o '' is not the name of a file" sweep -o '' names.plan
refuses 1 "apmu sweep: cannot write 'bin': Is a directory" sweep -o bin names.plan
[ ! -e .runs ] && [ ! -e bin.runs ] || fail "runs of a sweep that was refused"

# Whoever started it may not have waited for children.
timeout 60 python3 -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])' \
	"$APMU" sweep names.plan >out 2>err || fail "SIGCHLD ignored: status $?: $(<err)"

# An event whose turn on a counter never comes is not counted.
printf 'program ./loop\ncore arm1136\nevent instructions branches cache-misses\noption --as-hardware=1000000000\n' >late.plan
apmu sweep late.plan
prints "<not counted>"
holds '.counters["cache-misses"] == null and .counters.instructions > 0' late.plan.jsonl
jq -c '.counters.instructions = null' late.plan.jsonl >never && mv never late.plan.jsonl
apmu sweep --plot late.svg late.plan
grep -q 'font-style="italic">not counted<' late.svg || fail "the picture of an event that was not counted: $(<late.svg)"

# A plan of an editor that writes a byte order mark and ends lines with CR LF.
printf '\xEF\xBB\xBFprogram ./loop\r\ncore arm1136\r\nevent cycles\r\n' >mark.plan
apmu sweep -n mark.plan
[ "$out" = "apmu stat -c arm1136jf-s -e cycles -- ./loop" ] || fail "a byte order mark: $out$err"

# Bad plans.
bad() { printf '%b' "$2" >bad.plan; refuses 2 "apmu sweep: bad.plan:$1" sweep bad.plan; }
bad "1: unknown word 'cores'; did you mean 'core'?" 'cores x\n'
bad "1: a byte of 0: a plan is text" 'program ./loop\0 argument\ncore arm1136\n'
bad "3: a sweep has its own core and results, without '-o'" 'program x\ncore arm1136\noption -o mine.json\n'
bad "3: a sweep has its own core and results, without '--core=xscale2'" 'program x\ncore arm1136\noption -v --core=xscale2\n'
bad "2: a quote is not closed" 'core arm1136\nprogram "x\n'
bad "1: 'set' needs a parameter and its values" 'set predict\n'
printf 'program x\ncore arm1136\nevent a:q\n' >bad.plan
refuses 2 "apmu sweep: -e 'a:q': unknown modifier 'q'; use ':u' or ':p'" sweep bad.plan
bad "1: 'core' needs the name of a core" 'core\n'
bad "1: unknown word 'x'; a line begins with program, core, event, set or option" 'x\n'
bad "1: no program: 'program ./prog args'" 'core arm1136\n'
bad "4: more than 100000 runs" "program x\ncore arm1136\nset a $(seq -s ' ' 400)\nset b $(seq -s ' ' 400)\n"
bad "4: one 'set' line has all values of a parameter, and there is one of 'predict'" 'program x\ncore arm1136\nset predict 0\nset predict 1\n'
refuses 1 "apmu sweep: 'none.plan': No such file or directory" sweep none.plan
# What stat would take on no core is refused before anything is run, with a command line that has it; what one of the cores lacks is not.
wrong()
{
	printf "program ./loop\ncore arm1136 xscale2\n$1\n" >bad.plan
	refuses 2 "apmu sweep: bad.plan: refused is 'apmu stat -c arm1136jf-s $2 -- ./loop':
apmu stat: $3" sweep bad.plan
	[ ! -e bad.plan.jsonl ] || fail "$1: something was run"
}
wrong 'event nosuch' '-e nosuch' "unknown event 'nosuch'; 'apmu list events --core arm1136jf-s' has them all"
wrong 'set nosuch 1' '--set nosuch=1' "--set: no parameter 'nosuch'; 'apmu list cores -v' has them all"
wrong 'set predict 0 x' '--set predict=x' "--set: predict cannot be 'x': it is a number from 0 to 1"
wrong 'option --nosuch' '--nosuch' "unknown option '--nosuch'; --help lists them"
# What a plan names twice is run once.
printf 'program ./loop 1\nprogram ./loop 1\nprogram "./loop 1"\ncore arm1136 ARM1136JF-S\nset predict 1 1\n' >twice.plan
apmu sweep -n twice.plan
[ "$out" = "apmu stat -c arm1136jf-s --set predict=1 -- ./loop 1
apmu stat -c arm1136jf-s --set predict=1 -- './loop 1'" ] || fail "named twice: $out"
# Results in what is no file are written, never read: /dev/full has no end.
printf 'program ./loop\ncore arm1136\nevent cycles\n' >full.plan
(ulimit -v 4000000 && timeout 60 "$APMU" sweep -o /dev/full full.plan >out 2>err)
code=$?
[ "$code" = 1 ] && grep -qx 'apmu sweep: /dev/full: No space left on device' err || fail "-o /dev/full: exit $code: $(<err)"
# A line that is cut off, because the file may not grow further, is said to be that.
printf 'program ./loop\ncore arm1136\nset l1d.size 4096 8192 16384 32768\n' >long.plan
(ulimit -f 1 && timeout 60 "$APMU" sweep -o long.jsonl long.plan >out 2>err)
code=$?
[ "$code" = 1 ] && [ "$(sort -u err)" = 'apmu sweep: long.jsonl: File too large' ] || fail "a file that may not grow: exit $code: $(<err)"
mkfifo pipe.jsonl
timeout 60 "$APMU" sweep -o pipe.jsonl full.plan >out 2>err || fail "-o of a pipe: exit $?: $(<err)"
refuses 2 "apmu sweep: --engine is local or slurm, not 'slum'" sweep --engine slum small.plan
refuses 2 "apmu sweep: no plan; 'apmu sweep --help' shows one" sweep

verdict
