#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu diff: figures, functions that moved, limits and exit codes; and two builds of a real program.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/cli/lib_profile.sh"
make_program
make_profile old.data
# 150 more in main, which had 200; `twice` is unchanged; one function is new.
make_profile new.data "thread 2 102" "sample $((main + 4)) 9 weight=150" "sample $(start_of _start) 10 weight=7" \
	"total 2 157 0"

apmu diff old.data new.data
exits 0
flat() { sed -E 's/[ \t]+/ /g; s/^ //; s/ $//' "$work/out"; }
for line in "before after difference change event on cortex-a53" "6,600 6,757 +157 +2.38% branch-misses" "7,000 7,000 +0 +0.00% cpu-cycles" \
	"200 350 +150 +75.00% main [prog]" "0 7 +7 new _start [prog]"; do
	flat | grep -qxF -- "$line" || fail "no '$line': $out"
done
[[ $out != *twice* ]] || fail "what did not change is shown: $out"
apmu diff old.data new.data --limit 1
prints "1 more functions changed less (--limit)"
apmu diff new.data old.data
flat | grep -qxF -- "7 0 -7 gone _start [prog]" || fail "no 'gone': $out"

# A build of another name.
cp prog build2
make_profile renamed.data "program $work/build2" "map $text_at $((text_at + text_size)) $text_offset $work/build2 $build_id" \
	"thread 2 102" "sample $((main + 4)) 9 weight=150" "total 2 150 0"
apmu diff old.data renamed.data
exits 0
flat | grep -qxF -- "200 350 +150 +75.00% main [prog]" && [[ $out != *gone* && $out != *new* ]] || fail "a build of another name: $out"

# The limit: more than, not from; only growth; only the chosen events.
apmu diff --fail-above 2% old.data new.data
exits 3
prints "<- above the limit"
apmu diff --fail-above 2.37 old.data new.data
exits 3
apmu diff --fail-above 2.38% old.data new.data
exits 0
apmu diff --fail-above 0% new.data old.data
exits 0
apmu diff --fail-above 0 -e cpu-cycles old.data new.data
exits 0
apmu diff --fail-above 0 -e cpu-cycles,branch-misses old.data new.data
exits 3

# JSON and Markdown.
apmu diff -j old.data new.data
holds '.schema == "apmu-diff/1" and .events[0].before == 6600 and .events[0].after == 6757'
holds '.events[0].percent > 2.378 and .events[0].percent < 2.379 and .events[0].above == false'
holds '.functions[1].function == "_start" and .functions[1].before == null and .functions[1].after == 7'
apmu diff --markdown --fail-above 1 old.data new.data
exits 3
prints '| event on cortex-a53 | before | after | change |'
prints '| `branch-misses` | 6,600 | 6,757 | **+2.38%** |'

# The JSON of stat: two builds of a loop, 1,000,000 rounds and 1,100,000.
build_loop
"$APMU" stat -j -o old.json -c arm1136,xscale2 -e instructions,branches -- ./loop
sed -n '/^build_loop/,/^}/p' "$SRC/tests/cli/lib.sh" | sed 's/1000000/1100000/; s/arm loop/arm loop2/; s/build_loop/build_other/' >other.sh
. ./other.sh
build_other
"$APMU" stat -j -o new.json -c arm1136,xscale2 -e instructions,branches -- ./loop2
apmu diff old.json new.json --fail-above 5%
exits 3
flat | grep -qxF -- "2,000,004 2,200,004 +200,000 +10.00% instructions (arm1136jf-s) <- above the limit" || fail "stat: $out"
flat | grep -qxF -- "1,000,000 1,100,000 +100,000 +10.00% branches (xscale2) <- above the limit" || fail "stat: $out"
apmu diff old.json old.json --fail-above 0%
exits 0

# One core each, and another: event by event.
"$APMU" stat -j -o one.json -c arm1136 -e instructions,branches -- ./loop
"$APMU" stat -j -o two.json -c xscale2 -e instructions,branches -- ./loop2
apmu diff one.json two.json
flat | grep -qxF -- "before after difference change event on arm1136jf-s, then xscale2" || fail "heading of two cores: $out"
flat | grep -qxF -- "2,000,004 2,200,004 +200,000 +10.00% instructions" || fail "two cores: $out"
apmu diff -j one.json two.json
holds '.events | length == 2 and all(.core == "arm1136jf-s" and .core_after == "xscale2" and .before < .after)'
apmu diff one.json new.json
flat | grep -qxF -- "2,000,004 2,200,004 +200,000 +10.00% instructions (arm1136jf-s)" || fail "one core of two is found: $out"
flat | grep -qxF -- "<not counted> 2,200,004 - - instructions (xscale2)" || fail "one core against two: $out"

# What one run did not count is no 0, and keeps no limit.
jq '.cores[1].counters |= map(select(.event != "branches"))' old.json >less.json
for files in "old.json less.json" "less.json old.json"; do
	apmu diff --fail-above 5% $files
	exits 1
	says "apmu diff: less.json has no count of 'branches' on xscale2, which old.json has: --fail-above needs both"
	apmu diff --fail-above 5% -e branches $files
	exits 1
	apmu diff --fail-above 5% -e instructions $files
	exits 0
	apmu diff $files
	exits 0
	[ -z "$err" ] || fail "$said: $err"
done
apmu diff old.json less.json
flat | grep -qxF -- "1,000,000 <not counted> - - branches (xscale2)" || fail "an event that is not counted: $out"
apmu diff --markdown old.json less.json
prints '| `branches (xscale2)` | 1,000,000 | not counted | - |'
apmu diff -j old.json less.json
holds '.events | map(select(.core == "xscale2" and .event == "branches")) == [{"event": "branches", "core": "xscale2", "before": 1000000, "after": null, "percent": null, "above": false}]'
apmu diff -j less.json old.json
holds '.events | map(select(.before == null)) | length == 1 and .[0].after == 1000000 and .[0].percent == null'
# A limit that another event passes does not hide it.
jq '.cores[0].counters[0].value *= 2' less.json >both.json
apmu diff --fail-above 5% old.json both.json
exits 1
prints "<- above the limit"

# Counts that a double cannot hold, to the last digit.
for n in 5 6; do
	echo '{"schema": "apmu-stat/1", "core": "cortex-a53", "counters": [{"event": "cycles", "value": 1801439850948198'$n'}]}' >large$n.json
done
apmu diff --fail-above 0% large5.json large6.json
exits 3
flat | grep -qxF -- "18,014,398,509,481,985 18,014,398,509,481,986 +1 +0.00% cycles <- above the limit" || fail "large counts: $out"

# A program that failed did other work, and less of it: no limit can be kept by that.
jq '.exit = 1' old.json >failed.json
apmu diff old.json failed.json
exits 0
says "apmu diff: failed.json: the program ended with exit status 1, in old.json with 7: their work may differ"
apmu diff --fail-above 0% old.json failed.json
exits 1
apmu diff --fail-above 0% failed.json failed.json
exits 0
make_profile ended.data "exit 139"
apmu diff --fail-above 50% old.data ended.data
exits 1
says "ended.data: the program ended with exit status 139, in old.data with 0"

# Nor by a recording that was cut off.
head -c -40 old.data >cut.data
apmu diff old.data cut.data
exits 0
apmu diff --fail-above 50% old.data cut.data
exits 1
says "cut.data: recording was cut off: totals are missing"

# Its totals are unknown: neither 0 nor what its samples came to. Nothing is said of its functions, which have a part of their counts.
apmu diff old.data cut.data
flat | grep -qxF -- "6,600 <not counted> - - branch-misses" && [[ $out != *function* ]] || fail "a recording that was cut off: $out"
apmu diff -j cut.data old.data
holds '.functions == [] and (.events | length == 2 and all(.before == null and .after > 0 and .percent == null))'
apmu diff -j cut.data cut.data
holds '.functions == [] and (.events | length == 2 and all(.before == null and .after == null and .percent == null))'
apmu diff --fail-above 50% cut.data cut.data
exits 1
[[ $err != *"has no count"* ]] || fail "both were cut off: $err"

# Functions are of an event that both recordings counted; if there is none, no function has changed.
# of EVENT...: a profile of these events, 10 in main and 5 in twice of each
of()
{
	local e=0 event
	printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53"
	for event in "$@"; do echo "event $event X ${#event} 1"; done
	printf '%s\n' "map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id" "thread 0 100"
	for event in "$@"; do
		printf '%s\n' "sample $main 10 event=$e weight=10" "sample $twice 20 event=$e weight=$((5 + $#))"
		((e++))
	done
	echo "total 0$(for event in "$@"; do echo -n " $((15 + $#))"; done)"
}
of instructions | python3 "$SRC/tests/cli/profile.py" first.data
of cycles | python3 "$SRC/tests/cli/profile.py" second.data
of instructions cycles | python3 "$SRC/tests/cli/profile.py" two.data
apmu diff first.data second.data
exits 0
flat | grep -qxF -- "16 <not counted> - - instructions" && flat | grep -qxF -- "<not counted> 16 - - cycles" && [[ $out != *function* ]] || fail "no common event: $out"
apmu diff -j first.data second.data
holds '.functions == []'
apmu diff two.data second.data
prints "cycles by function, without what they call"
flat | grep -qxF -- "7 6 -1 -14.29% twice [prog]" || fail "the second event is the common one: $out"

# A function that one program alone has is that program's, however the other is called.
printf '%s\n' "program $work/build2" "argv build2" "core cortex-a53" "event branch-misses BR_MIS_PRED 0x10 100" \
	"map $text_at $((text_at + text_size)) $text_offset $work/build2 $build_id" "thread 0 100" "sample $main 3 weight=9" \
	"sample $(start_of _start) 4 weight=8" "total 0 17" | python3 "$SRC/tests/cli/profile.py" build2.data
apmu diff old.data build2.data
flat | grep -qxF -- "0 8 +8 new _start [build2]" && flat | grep -qxF -- "200 9 -191 -95.50% main [prog]" &&
	flat | grep -qxF -- "1,000 0 -1,000 gone twice [prog]" || fail "a function of the other program: $out"

# Through pipes: JSON, not profiles.
"$APMU" diff old.json new.json >want
"$APMU" diff <(cat old.json) - <new.json | cmp -s - want || fail "diff of pipes"
cat old.data | "$APMU" diff - new.data >out 2>err && fail "diff of a profile in a pipe: $(<out)"
grep -qxF "apmu diff: -: a profile cannot be read from a pipe; give the name of its file" err || fail "a profile in a pipe: $(<err)"

# Bad input.
refuses 2 "apmu diff: two files are needed, before and after; 'apmu diff --help' says of what kind" diff old.data
refuses 2 "apmu diff: unexpected argument 'c': diff takes two runs" diff a b c
refuses 2 "apmu diff: --fail-above 'two' is not a percentage such as 2%" diff --fail-above two a b
refuses 1 "apmu diff: nowhere: No such file or directory" diff nowhere old.data
refuses 1 "apmu diff: other.sh: neither a profile of 'apmu record' nor the JSON of 'apmu stat -j'" diff other.sh old.data
# As everywhere, an event's name may be in any case, with - or _.
apmu diff -e Instructions old.json new.json
exits 0
prints "instructions (arm1136jf-s)"
apmu diff --fail-above 0% -e INSTRUCTIONS old.json new.json
exits 3
# So may the two runs have written it, and a limit holds all the same; the functions of both are found.
sed 's/"instructions"/"INSTRUCTIONS"/' new.json >upper.json
apmu diff --fail-above 0% -e instructions old.json upper.json
exits 3
[[ $out != *"not counted"* ]] || fail "another way to write a name: $out"
"$APMU" record -q -o lower.data --core arm1136 -e instructions -c 1000 -- ./loop
"$APMU" record -q -o upper.data --core arm1136 -e INSTRUCTIONS -c 1000 -- ./loop
apmu diff lower.data upper.data
exits 0
[[ $out != *"not counted"* && $out != *function* ]] || fail "another way to write a name: $out"
# An event has several names: perf's two, the manual's, its number. It is one event on a core, also by function, and -e takes the name of either run.
"$APMU" stat -j -o short.json -c xscale2 -e cycles,instructions -- ./loop
"$APMU" stat -j -o long.json -c xscale2 -e cpu-cycles,0x07,branches -- ./loop2
apmu diff short.json long.json
exits 0
flat | grep -qE '^[0-9,]+ [0-9,]+ \+[0-9,]+ \+10.00% cycles$' && flat | grep -qxF -- "2,000,004 2,200,004 +200,000 +10.00% instructions" &&
	flat | grep -qxF -- "<not counted> 1,100,000 - - branches" || fail "other names of events: $out"
for event in instructions 0x07; do
	apmu diff --fail-above 9% -e $event short.json long.json
	exits 3
	prints "+10.00%  $event"
done
"$APMU" record -q -o number.data --core arm1136 -e 0x07 -c 1000 -- ./loop2
apmu diff lower.data number.data
flat | grep -qE '^[0-9,]+ [0-9,]+ \+[0-9,]+ \+[0-9.]+% _start \[loop\]$' && [[ $out != *"not counted"* ]] || fail "a recording's event by number: $out"
for core in arm1136 cortex-a53; do
	echo '{"schema": "apmu-stat/1", "core": "'$core'", "exit": 0, "counters": [{"event": "cycles", "number": null, "value": 200}]}' >counter.json
	number=$("$APMU" list events --core $core CPU_CYCLES -j | jq '.[].number')
	sed 's/cycles/CPU_CYCLES/; s/null/'"$number/; s/200/210/" counter.json >event.json
	apmu diff counter.json event.json
	exits 0
	flat | grep -qxF "200 210 +10 +5.00% cycles" || fail "$core: the cycle counter and CPU_CYCLES are one event: $out"
done
# Another core's number is another event.
"$APMU" stat -j -o other.json -c arm1136 -e 0x07 -- ./loop2
apmu diff short.json other.json
[[ $out == *"not counted"* ]] || fail "numbers of two cores: $out"

# An event whose turn on a counter never came (--as-hardware) has no count.
sed '0,/"running": [0-9]*/s//"running": 0/' old.json >late.json
apmu diff late.json new.json
prints "<not counted>"
apmu diff --fail-above 2% late.json new.json
says "late.json has no count of 'instructions' on arm1136jf-s, which new.json has: --fail-above needs both"
refuses 1 "apmu diff: old.data has no event 'cycels'" diff -e cycels --fail-above 1 old.data new.data
refuses 1 "apmu diff: old.json has no event 'instructoins'; did you mean 'instructions'?" diff -e instructoins old.json new.json

verdict
