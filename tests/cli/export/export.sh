#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each export format is opened by the tool that it is for. lib_profile.sh has the profile and its figures.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/cli/lib_profile.sh"
# Debian's own python3: jsonschema and prometheus_client are its packages.
make_program
make_profile apmu.data

# Folded stacks: exactly these, with the inlined functions.
apmu export folded
exits 0
cat >want <<-'END'
	prog;main 200
	prog;main;twice 1000
	prog;main;twice;outer;middle 2000
	prog;main;twice;outer;middle;leaf 3000
	prog;outer;middle;leaf 400
END
cmp -s out want || fail "folded: $(diff out want)"
apmu export folded --no-inline -e BR_MIS_PRED
prints "prog;main;twice;outer 5000"
# As everywhere, an event's name may be in any case, with - or _.
for event in br-mis-pred Branch_Misses; do
	apmu export folded --no-inline -e $event
	exits 0
	prints "prog;main;twice;outer 5000"
done
apmu export folded -e cpu-cycles
[ "$out" = "prog;main 7000" ] || fail "folded -e cpu-cycles: $out"
# Each stack stands under the program that its process had executed, also if that has the same functions.
cp prog second
printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53" "event cycles CPU_CYCLES cycles 10" \
	"map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id" "thread 0 100" "sample $main 1 weight=10" "sample 16 2 weight=3" \
	"thread 1 100" "map 0 $((16#7fffffffffffffff)) 0 [unknown]" "map $text_at $((text_at + text_size)) $text_offset $work/second $build_id" \
	"sample $main 1 weight=20" "sample 16 2 weight=4" "sample 16 3 weight=5" "total 0 13" "total 1 29" |
	python3 "$SRC/tests/cli/profile.py" executed.data
apmu export folded -i executed.data
sort -o got out
printf '%s\n' "prog;[[unknown]+0x10] 3" "prog;main 10" "second;[[unknown]+0x10] 9" "second;main 20" | cmp -s - got || fail "folded, a program that was executed: $out"

# callgrind_annotate: self and inclusive costs, callers, source lines.
apmu export callgrind -o callgrind.out.1
exits 0
silent
callgrind_annotate --show-percs=no callgrind.out.1 >self || fail "callgrind_annotate refuses it"
flat() { sed -E 's/[ \t]+/ /g; s/^ //' "$1"; }
for line in "6,600 7,000 PROGRAM TOTALS" "5,400 0 $from/inlined.c:outer [$work/prog]" \
	"1,000 0 $from/inlined.c:twice [$work/prog]" "200 7,000 $from/inlined.c:main [$work/prog]" \
	"3,400 0 sink = x;" "5,000 0 => $from/inlined.c:outer (50x)"; do
	flat self | grep -qxF -- "$line" || fail "callgrind_annotate does not say '$line':" "$(cat self)"
done
callgrind_annotate --show-percs=no --inclusive=yes --tree=both callgrind.out.1 >tree 2>&1 || fail "callgrind_annotate --tree"
flat tree | grep -qxF "6,200 7,000 * $from/inlined.c:main [$work/prog]" || fail "inclusive cost of main: $(cat tree)"
# A call's count is the number of samples with it on their chain; its target is the function's start.
for calls in "60 $twice" "68 $main" "50 $outer" "1 $outer"; do
	grep -qxF "$(printf 'calls=%d 0x%x 0' $calls)" callgrind.out.1 || fail "no 'calls=$calls': $(cat callgrind.out.1)"
done

# A function of which some lines are another file's (#line) is one function, with its own cost and that of its calls.
printf '%s\n' 'volatile int sink;' 'static void __attribute__((noinline)) parse(int n) {' '	for (int i = 0; i < n; i++) sink = i;' \
	'#line 7 "grammar.y"' '	for (int i = 0; i < n; i++) sink = -i;' '}' 'int main(void) { parse(1000); return sink == 1; }' >parse.c
aarch64-linux-gnu-gcc -static -g -O1 parse.c -o parse || exit 1
parse=$((16#$(aarch64-linux-gnu-nm parse | awk '$3 == "parse" { print $1 }')))
parts=$(aarch64-linux-gnu-objdump -dl --no-show-raw-insn --disassemble=parse parse | awk '/:[0-9]+( |$)/ { file = $1 } /^ *[0-9a-f]+:/ { sub(/:/, "", $1); print "0x" $1, file }')
y=$(awk '/grammar.y/ { print $1; exit }' <<<"$parts")
read -r at offset size < <(readelf -lW parse | awk '$1 == "LOAD" && /R E/ { print $3, $2, $5 }')
printf '%s\n' "program $work/parse" "argv parse" "core cortex-a53" chains "event cycles CPU_CYCLES cycles 10" "map $at $((at + size)) $offset $work/parse" "thread 0 100" \
	"frame $((16#$(aarch64-linux-gnu-nm parse | awk '$3 == "main" { print $1 }'))) 0" "sample $y 10 weight=70 chain=1" "sample $parse 20 weight=30 chain=1" "total 0 100" |
	python3 "$SRC/tests/cli/profile.py" parse.data
apmu export callgrind -i parse.data -o callgrind.out.2
exits 0
grep -qE '^fi=\([0-9]+\) .*grammar.y$' callgrind.out.2 || fail "no line of grammar.y: $(cat callgrind.out.2)"
awk -F'[()]' '/^fl=/ { fl = $2 } /^fn=.* parse$/ { own = fl; id = $2 } /^cfi=/ { cfi = $2 } /^cfn=/ && $2 == id { print own == cfi }' callgrind.out.2 | grep -qx 1 ||
	fail "one function in two files: $(cat callgrind.out.2)"

# perf report and perf script.
apmu export perf -o perf.data
exits 0
perf report -i perf.data --stdio --no-children -g none -F overhead,sample,period,sym >report 2>err || fail "perf report: $(cat err)"
for line in "81.82% 51 5400 [.] outer" "15.15% 10 1000 [.] twice" "3.03% 1 200 [.] main" "100.00% 7 7000 [.] main" \
	"# Samples: 62 of event 'branch-misses'" "# Event count (approx.): 6600"; do
	flat report | sed 's/ $//' | grep -qxF -- "$line" || fail "perf report does not say '$line':" "$(cat report)"
done
perf script -i perf.data -F tid,time,event,period,ip,sym,dso,ip >script 2>err || fail "perf script: $(cat err)"
[ "$(grep -c 'branch-misses:' script)" = 62 ] || fail "perf script: $(grep -c 'branch-misses:' script) samples"
grep -A3 -m1 '100 branch-misses:' script | awk 'NR > 1 { print $2 }' | paste -sd ' ' | grep -qx "outer twice main" ||
	fail "perf script: first chain: $(head -n 4 script)"
perf report -i perf.data --header-only 2>/dev/null >header
grep -q '# arch : aarch64' header && grep -q '# cpudesc : cortex-a53' header || fail "perf header: $(cat header)"
grep -q '^# cmdline : apmu record ./prog one ' header || fail "perf header: $(grep cmdline header)"
perf buildid-list -i perf.data 2>/dev/null | grep -q "^$build_id" || fail "perf buildid-list"

# Code that the program made is mapped before its first sample, also if a file is mapped later; counts of an exact recording have no branches.
cp prog later
{
	printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53" "event cycles CPU_CYCLES cycles 10" \
		"map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id" "thread 0 100" "sample 0x7000000004 10 weight=10" "sample $main 20 weight=10" \
		"thread 1 101" "map 0x10000000 0x10010000 0 $work/later $build_id" "sample 0x10000004 30 weight=10" "code 0x7000000000 0x100 made" "total 0 20" "total 1 10"
} | python3 "$SRC/tests/cli/profile.py" made.data
apmu export perf -i made.data -o made.perf
exits 0
perf script -i made.perf -F ip,dso >script 2>err || fail "perf script: $(cat err)"
grep -qF '7000000004 (/tmp/perf-100.map)' script || fail "code that the program made: $(cat script)"
"$APMU" record -q --exact -b -o exact.data --core cortex-a53 -e instructions -- ./prog
apmu export perf -i exact.data -o exact.perf
exits 0
perf script -i exact.perf -F ip >script 2>err || fail "perf script: $(cat err)"
[ -s script ] || fail "an exact recording with branches has no samples"
# A recording without samples is whole too: perf finds the program in it.
"$APMU" record -q -o none.data --core cortex-a53 -e cycles -c 1000000000 -- ./prog
apmu export perf -i none.data -o none.perf
exits 0
perf script -i none.perf --show-mmap-events >script 2>err || fail "perf script of no samples: $(cat err)"
grep -q 'PERF_RECORD_MMAP2 .*/prog$' script || fail "no mapping without samples: $(cat script) $(cat err)"

# A chain is cut at 126 frames.
{
	printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53" chains "event cycles CPU_CYCLES cycles 10" \
		"map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id" "thread 0 100"
	for ((i = 0; i < 200; i++)); do echo "frame $((main + 8)) $i"; done
	printf '%s\n' "sample $main 10 weight=10 chain=200" "total 0 10"
} | python3 "$SRC/tests/cli/profile.py" deep.data
apmu export perf -i deep.data -o deep.perf
exits 0
[ "$(perf script -i deep.perf -F ip 2>/dev/null | grep -c '[0-9a-f]')" = 126 ] || fail "frames of a deep chain: $(perf script -i deep.perf -F ip | grep -c '[0-9a-f]')"

# pprof: the message is well formed, and a reader of its own gives the same sums.
apmu export pprof -o profile.pb
exits 0
protoc --decode_raw <profile.pb >raw || fail "protoc --decode_raw"
[ "$(grep -c '^    3: [1-9]' raw)" = "$(grep -c '^2 {' raw)" ] || fail "samples without a thread, or with 0, which pprof drops: $(grep -A9 '^2 {' raw)"
"$APMU" export pprof -o - | cmp -s - profile.pb || fail "-o - is another profile"
[ ! -e ./- ] || fail "-o - makes a file"
"$SRC/tests/cli/export/pprof.py" profile.pb >got || fail "pprof"
printf '%s\n' 'samples branch-misses cpu-cycles' 'main 8 200 7000' 'main;twice 10 1000 0' 'main;twice;outer;middle 20 2000 0' \
	'main;twice;outer;middle;leaf 30 3000 0' 'outer;middle;leaf 1 400 0' >want
cmp -s got want || fail "pprof: $(diff got want)"
"$SRC/tests/cli/export/pprof.py" profile.pb --about >got || fail "pprof --about"
{
	echo "period 100 branch-misses/count default branch-misses of cortex-a53"
	printf "map 0x%x 0x%x 0x%x $work/prog $build_id 1 1 1 1\n" "$text_at" $((text_at + text_size)) "$text_offset"
	printf '%s\n' 'thread 1 6200' 'thread 2 400'
	echo "at $(printf '0x%x:1\n' "$main" $((main + 8)) "$outer" $((outer + 4)) $((twice + 4)) $((twice + 12)) | sort | paste -sd ' ')"
	for line in 'leaf 7' 'main 27 29' 'middle 13' 'outer 18' 'twice 22 23'; do
		echo "${line%% *} ${line%% *} $from/inlined.c ${line#* }"
	done
} >want
cmp -s got want || fail "pprof --about: $(diff got want)"

# Chrome's trace events: what the format's description demands of each, and slices that nest.
apmu export trace -o trace.json
/usr/bin/python3 - trace.json "$SRC/tests/cli/export/trace.schema.json" >got <<'PYTHON' || fail "trace.json: $(tail -n 3 got)"
import json, sys, jsonschema
trace = json.load(open(sys.argv[1]))
jsonschema.validate(trace, json.load(open(sys.argv[2])))
spent, counted = {}, 0
ends = {}
for e in sorted((e for e in trace["traceEvents"] if e["ph"] == "X"), key=lambda e: (e["tid"], e["ts"], -e["dur"])):
    open_until = ends.setdefault(e["tid"], [])
    while open_until and open_until[-1] <= e["ts"] + 1e-9: open_until.pop()
    assert not open_until or e["ts"] + e["dur"] <= open_until[-1] + 1e-9, e
    open_until.append(e["ts"] + e["dur"])
    spent[e["tid"], e["name"]] = spent.get((e["tid"], e["name"]), 0) + round(e["dur"] * 1000)
assert {(e["tid"], e["id"]) for e in trace["traceEvents"] if e["ph"] == "C"} == {(1, "thread 1"), (2, "thread 2")}
counted = sum(e["args"]["count"] for e in trace["traceEvents"] if e["ph"] == "C")
print(spent[1, "main"], spent[1, "twice"], spent[1, "outer"], spent[1, "leaf"], spent[2, "outer"], counted)
PYTHON
[ "$(cat got)" = "61000 60000 50000 30000 500 6600" ] || fail "trace: $(cat got)"

# CSV by a CSV reader; a comma and a quote in a name survive.
apmu export csv
python3 -c '
import csv, sys
rows = list(csv.DictReader(open("out")))
print(sum(int(r["count"]) for r in rows if r["event"] == "branch-misses"), len(rows),
      [r["address"] for r in rows if r["thread"] == "2"], {r["thread"] for r in rows} == {"1", "2"}, {r["function"] for r in rows if r["line"] == "7"})' >got || fail "csv"
[ "$(cat got)" = "6600 6 ['$(printf '0x%x' "$outer")'] True {'leaf'}" ] || fail "csv: $(cat got)"
cp prog 'a,"b'
make_profile odd.data "map 0x10000000 0x10010000 0 $work/a,\"b" "thread 2 102" "sample 0x10000004 5" "total 2 1 0"
apmu export csv -i odd.data
[ "$(python3 -c 'import csv; print(list(csv.DictReader(open("out")))[-1]["object"])')" = "$work/a,\"b" ] || fail "csv: $out"

# JSON: the documented members, the same bytes twice.
apmu export json
holds '.schema == "apmu-profile/1" and .core == "cortex-a53" and .program[2] == "\"two"'
holds '[.functions[] | select(.function == "outer") | .total[0]] == [5400]'
holds '[.instructions[].self[0]] | add == 6600'
holds '[.tree[].self[0]] | add == 6600'
holds '.events[1].number == null and .threads[1].totals[0] == 400'
cp out first
apmu export json
cmp -s out first || fail "json differs between two exports"
# The parts of a CPI stack are signals, and have no number of an event.
make_profile parts.data "event fetch fetch 0xfffffffe 100"
apmu export json -i parts.data
holds '[.events[] | [.event, .number]] == [["branch-misses", 16], ["cpu-cycles", null], ["fetch", null]]'

# OpenMetrics: by promtool, and by a reader of the standard.
apmu export openmetrics
exits 0
promtool check metrics <out >said 2>&1 || fail "promtool: $(cat said)"
/usr/bin/python3 -c '
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
all = {(s.name, s.labels.get("function"), s.labels.get("thread"), s.labels["event"]): s.value
       for f in parse(open("out").read()) for s in f.samples}
print(*(int(all["apmu_event_occurrences", None, n, "branch-misses"]) for n in "12"), int(all["apmu_function_all_occurrences", "twice", None, "branch-misses"]))' >got ||
	fail "openmetrics does not parse"
[ "$(cat got)" = "6200 400 6000" ] || fail "openmetrics: $(cat got)"

# Virtual CPUs keep their numbers, as in --thread of report.
make_profile system.data system
for format in csv openmetrics; do
	apmu export $format -i system.data
	exits 0
	threads=$(sed -nE 's/^([0-9]+),.*/\1/p; s/.*,thread="([0-9]+)".*/\1/p' out | sort -u | paste -sd ' ')
	[ "$threads" = "100 101" ] || fail "$said: virtual CPUs $threads"
done

# A stripped program reports by its functions' starts, without unwinding tables by address; one built anew gives no
# names, and says so.
# Lines that libelf cannot unpack, or it can.
cp prog whole
aarch64-linux-gnu-objcopy --compress-debug-sections=zstd prog || fail "cannot pack"
apmu export folded
grep -q "^apmu export: $work/prog: its debug information is packed as this libelf cannot unpack it" err ||
	grep -q '^prog;main;twice;outer;middle;leaf 3000' out || fail "packed by zstd: $out $err"
mv whole prog
aarch64-linux-gnu-strip prog
apmu export folded
prints "prog;$(printf '[prog+0x%x];[prog+0x%x];[prog+0x%x]' "$main" "$twice" "$outer") 5000"
aarch64-linux-gnu-strip -R .eh_frame -R .eh_frame_hdr prog
apmu export folded
prints "prog;$(printf '[prog+0x%x];[prog+0x%x];[prog+0x%x]' $((main + 8)) $((twice + 12)) "$outer") 3000"
aarch64-linux-gnu-gcc -static -no-pie -g -O1 -DOTHER "$from/inlined.c" -o prog
apmu export folded
exits 0
says "apmu export: $work/prog: was built anew since it was recorded (its build-id differs); its addresses stay bare"
prints "prog;[prog+0x"
rm prog
apmu export folded
exits 0
says "$work/prog: No such file or directory"

# Bad input.
refuses 2 "apmu export: no format given; 'apmu export --help' lists the formats" export
refuses 2 "apmu export: unknown format 'foldet'; did you mean 'folded'?" export foldet
refuses 2 "apmu export: unexpected argument 'json': export takes one format and one recording" export csv apmu.data json
apmu export csv
mv out as_input
apmu export csv apmu.data
exits 0
cmp -s as_input out || fail "export csv FILE differs from -i"
for format in callgrind pprof perf bolt autofdo profgen csv json openmetrics; do
	refuses 2 "apmu export: -e is for formats that hold one event, and '$format' holds all that were recorded" export $format -e branch-misses
done
refuses 2 "apmu export: apmu.data has no event 'branch-mises'; did you mean 'branch-misses'?" export folded -e branch-mises
refuses 1 "apmu export: nowhere.data: No such file or directory" export csv -i nowhere.data
refuses 1 "apmu export: cannot write '/nowhere/x': No such file or directory" export csv -o /nowhere/x
make_profile exact.data exact
refuses_time() { apmu export trace -i exact.data; exits 1; says "exact.data was recorded with --exact: it has counts, but no order of time"; }
refuses_time
apmu export --help
exits 0
for format in folded callgrind pprof perf trace csv json openmetrics; do prints "  $format"; done

# What is a pipe by now is no file of code: nobody waits for its writer.
mkfifo pipe
make_profile pipe.data "data" "program $work/pipe" "map 0x10000 0x20000 0 $work/pipe"
timeout 20 "$APMU" export perf -i pipe.data -o perf.data 2>err || fail "export of a mapping that is a pipe: $(cat err)"

# The recording is no place for what is made from it.
cp apmu.data kept.data
refuses 2 "apmu export: './kept.data' is the recording itself: name another file for the results" export html -i kept.data -o ./kept.data
refuses 2 "apmu report: 'kept.data' is the recording itself: name another file for the results" report -i kept.data --html kept.data
cmp -s apmu.data kept.data || fail "the recording was written over"

# A file that cannot be written whole is not written: what was there stays, nothing is left beside it.
echo before >kept.html
(
	trap '' XFSZ
	ulimit -f 8
	exec "$APMU" export html -o kept.html
) >out 2>err
[ $? -eq 1 ] || fail "export into too small a file: not exit status 1"
grep -qx "apmu export: cannot write 'kept.html': File too large" err || fail "export into too small a file: $(cat err)"
[ "$(cat kept.html)" = before ] && [ "$(echo kept.html*)" = kept.html ] || fail "too small a file left $(echo kept.html*)"

verdict
