#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu compare: a board's counts from `perf stat -j` beside ours. The board's file has the form that perf 6.1 writes.
. "$(dirname "$0")/../lib.sh"

cat >board.json <<'END'
{"counter-value" : "2000.000000", "unit" : "", "event" : "cycles:u", "event-runtime" : 123, "pcnt-running" : 100.00, "metric-value" : 0.5, "metric-unit" : "GHz"}
{"counter-value" : "1000.000000", "unit" : "", "event" : "instructions:u", "event-runtime" : 123, "pcnt-running" : 100.00}
{"counter-value" : "<not supported>", "unit" : "", "event" : "stalled-cycles-frontend:u", "event-runtime" : 0, "pcnt-running" : 100.00}
{"counter-value" : "20.000000", "unit" : "", "event" : "armv8_cortex_a53/l1d_cache_refill/u", "event-runtime" : 60, "pcnt-running" : 50.00}
{"counter-value" : "3.100000", "unit" : "msec", "event" : "task-clock:u", "event-runtime" : 60, "pcnt-running" : 100.00}

{"metric-value" : 2.0, "metric-unit" : "cpi"}
END
cat >ours.json <<'END'
{"schema": "apmu-stat/1", "core": "cortex-a53", "counters": [
 {"event": "cycles", "number": null, "name": "CYCLES", "value": 2100},
 {"event": "instructions", "number": 8, "name": "INST_RETIRED", "value": 1000},
 {"event": "L1D_CACHE_REFILL", "number": 3, "name": "L1D_CACHE_REFILL", "value": 10}]}
END

apmu compare --events --core cortex-a53 board.json
exits 0
[ "$out" = "cycles,instructions,l1d_cache_refill" ] || fail "--events: $out"

# Raw numbers are events too, in each of perf's spellings.
for event in r3:u 0x3 cpu/event=0x03/u cpu/event=3/u armv8_pmuv3/config=0x3/; do
	echo '{"counter-value" : "20", "event" : "'$event'"}' >raw.json
	apmu compare --events --core cortex-a53 raw.json
	exits 0
	listed=$out
	apmu compare -j raw.json ours.json
	holds '.events[0].event == "'"$listed"'" and .events[0].ours == 10'
done
echo '{"counter-value" : "20", "event" : "r3ff"}' >reserved.json
refuses 1 "apmu compare: cortex-a53 has none of the board's events" compare --events --core cortex-a53 reserved.json

# The kernel's part alone is not what we count.
printf '%s\n' '{"counter-value" : "20", "event" : "cycles:k"}' '{"counter-value" : "1000", "event" : "instructions:u"}' >kernel.json
apmu compare --events --core cortex-a53 kernel.json
[ "$out" = instructions ] || fail "--events of a kernel's count: $out"
apmu compare -j kernel.json ours.json
holds '.events[0] | .event == "cycles:k" and .ours == null and .difference == null'

# Results of a newer apmu, and counts that are none.
sed 's,apmu-stat/1,apmu-stat/2,' ours.json >newer.json
refuses 1 "apmu compare: newer.json: its schema is 'apmu-stat/2', of a newer apmu; this one reads 'apmu-stat/1'" compare board.json newer.json
sed 's/2100/-1/; s/1000/1e300/' ours.json >wild.json
apmu compare -j board.json wild.json
holds '[.events[] | select(.event == "cycles" or .event == "instructions").ours] == [null, null]'

refuses 1 "apmu compare: /dev/zero:1: not a line of 'perf stat -j' output, which has one JSON object per line" compare /dev/zero ours.json

apmu compare board.json ours.json
exits 0
prints "2,000        2,100      +5.0 %  cycles"
prints "1,000        1,000      +0.0 %  instructions"
prints "20           10     -50.0 %  l1d_cache_refill (scaled: counted 50 % of the time)"
prints "not counted  not counted           -  stalled-cycles-frontend"
prints "3.100  not counted           -  task-clock"
[[ $out != *"kernel's part"* ]] || fail "all of it is user space: $out"
sed 's/cycles:u/cycles/' board.json >whole.json
apmu compare whole.json ours.json
prints "without ':u' hold the kernel's part"

apmu compare -j board.json ours.json
holds '.schema == "apmu-compare/1" and .core == "cortex-a53" and .kernel == false and (.events | length) == 5'
holds '.events[0] == {event: "cycles", board: 2000, ours: 2100, difference: 5, running: 100}'
holds '.events[2].board == null and .events[2].difference == null and .events[3].running == 50'

apmu compare --fail-above 50% board.json ours.json
exits 0
# An event of the core that a side did not count cannot pass; nor can one that only the board has.
sed 's/"2000.000000"/"<not counted>"/' board.json >lacks.json
apmu compare --fail-above 50% lacks.json ours.json
exits 1
says "apmu compare: cycles: not counted by the board, so --fail-above cannot judge it"
sed 's/instructions:u/branches:u/' board.json >lacks.json
apmu compare --fail-above 50% lacks.json ours.json
exits 1
says "apmu compare: branches: not counted by ours, so --fail-above cannot judge it"
apmu compare --fail-above 49.9% board.json ours.json
exits 3
apmu compare --fail-above 0 -j board.json ours.json
exits 3

refuses 2 "apmu compare: two files are needed: the board's, of 'perf stat -j', and ours, of 'apmu stat -j'" compare board.json
refuses 2 "apmu compare: unexpected argument 'x': compare takes two files, BOARD and OURS" compare board.json ours.json x
refuses 2 "apmu compare: --core is for --events; otherwise the core is that of OURS" compare --core cortex-a72 board.json ours.json
refuses 2 "apmu compare: --events needs --core NAME: 'apmu compare --events --core NAME BOARD'" compare --events board.json
refuses 2 "apmu compare: --fail-above 'much' is not a percentage such as 2%" compare --fail-above much board.json ours.json
refuses 1 "apmu compare: cannot read 'none.json': No such file or directory" compare none.json ours.json
: >few.json
refuses 1 "apmu compare: 'few.json' holds no event of 'perf stat -j'" compare few.json ours.json
echo '{"core": "cortex-a53"}' >some.json
refuses 1 "apmu compare: 'some.json' is not a result of 'apmu stat -j' for one core" compare board.json some.json
echo '{"counter-value" : "1", "event" : "nothing-of-ours"}' >other.json
refuses 1 "apmu compare: cortex-a53 has none of the board's events" compare --events --core cortex-a53 other.json

# Counts of a part of the run are none of all of it. An event that stands twice is no part: groups may share one.
for part in '"interval" : 0.100230679' '"cpu" : "0"' '"thread" : "prog-7"' '"socket" : "S0", "aggregate-number" : 2'; do
	echo "{$part, "'"counter-value" : "20", "event" : "cycles:u"}' >part.json
	refuses 1 "apmu compare: part.json:1: a count of an interval, a CPU or a thread: run 'perf stat -j' without -I, -A and --per-..." \
		compare part.json ours.json
done
sed '1p' board.json >twice.json
apmu compare twice.json ours.json
exits 0

# A number is read to its end: perf's decimals may follow a comma, but "300,000" is none that perf writes.
echo '{"counter-value" : "2000,000000", "event" : "cycles:u"}' >comma.json
apmu compare -j comma.json ours.json
exits 0
holds '.events[0].board == 2000'
# As perf 6.1 writes all of a line in a locale with a decimal comma.
echo '{"counter-value" : "2000,250000", "unit" : "", "event" : "cycles:u", "event-runtime" : 520023, "pcnt-running" : 50,25, "metric-value" : 174,270442, "metric-unit" : "GHz"}' >comma.json
apmu compare -j comma.json ours.json
exits 0
holds '.events[0].board == 2000.25 and .events[0].running == 50.25'
echo '{"counter-value" : "300,000", "event" : "cycles:u"}' >grouped.json
refuses 1 "apmu compare: grouped.json:1: not a line of 'perf stat -j' output, which has one JSON object per line" compare grouped.json ours.json
for count in '"-5.000000"' -5; do
	echo "{\"counter-value\" : $count, \"event\" : \"cycles:u\"}" >negative.json
	refuses 1 "apmu compare: negative.json:1: not a line of 'perf stat -j' output, which has one JSON object per line" compare negative.json ours.json
done

# Counts that a double cannot hold, to the last digit.
echo '{"counter-value" : "18014398509481985.000000", "event" : "cycles:u"}' >large.json
echo '{"core": "cortex-a53", "counters": [{"event": "cycles", "number": null, "value": 18014398509481987}]}' >larger.json
apmu compare large.json larger.json
prints "18,014,398,509,481,985  18,014,398,509,481,987      +0.0 %  cycles"
apmu compare --fail-above 0% -j large.json larger.json
exits 3
grep -qF '"board": 18014398509481985,' out && grep -qF '"ours": 18014398509481987,' out || fail "large counts: $out"
# Beyond what JSON's readers take as a whole number: rounded, not cut.
echo '{"counter-value" : "18446744073709549568", "event" : "cycles:u"}' >largest.json
apmu compare -j largest.json larger.json
grep -qF '"board": 1.844674407370955e19,' out && holds '.events[0].board == 18446744073709549568' || fail "a count above 2^63: $out"

# The cycle counter and CPU_CYCLES are one event.
for pair in cycles:17 cpu-cycles:null armv8_cortex_a53/cpu_cycles/:null r11:null; do
	echo '{"counter-value" : "2000", "event" : "'"${pair%:*}"'"}' >name.json
	echo '{"core": "cortex-a53", "counters": [{"event": "x", "number": '"${pair#*:}"', "value": 2100}]}' >number.json
	apmu compare -j name.json number.json
	holds '.events[0].ours == 2100'
done

# An event with ':uk' holds the kernel's part as one without a modifier does.
for modifier in u:false uk:true k:true '':true pu:false; do
	echo '{"counter-value" : "2000", "event" : "cycles:'"${modifier%:*}"'"}' >modified.json
	apmu compare -j modified.json ours.json
	holds ".kernel == ${modifier#*:}"
done

# What the board never saw has no percentage.
echo '{"counter-value" : "0.000000", "event" : "cycles:u"}' >zero.json
apmu compare zero.json ours.json
prints "0  2,100      from 0  cycles"
apmu compare --fail-above 1000% -j zero.json ours.json
exits 3
holds '.events[0].difference == null'

# A board with two kinds of cores counts on a PMU of each: only the one of our core is compared, listed and judged.
cat >both.json <<'END'
{"counter-value" : "2000.000000", "event" : "armv8_cortex_a53/cycles/u", "pcnt-running" : 100.00}
{"counter-value" : "<not counted>", "event" : "armv8_cortex_a72/cycles/u", "pcnt-running" : 0.00}
{"counter-value" : "1000.000000", "event" : "instructions:u [armv8_cortex_a53]", "pcnt-running" : 100.00}
{"counter-value" : "7.000000", "event" : "instructions:u [armv8_cortex_a72]", "pcnt-running" : 100.00}
END
apmu compare --events --core cortex-a53 both.json
[ "$out" = "cycles,instructions" ] || fail "--events of one PMU of two: $out"
apmu compare -j --fail-above 5% both.json ours.json
exits 0
holds '.kernel == false and [.events[].event] == ["cycles", "armv8_cortex_a72/cycles/u", "instructions", "instructions:u [armv8_cortex_a72]"]'
holds '[.events[].ours] == [2100, null, 1000, null]'
# Where no PMU is named after our core, it may be that of a relative, as a Cortex-A78AE's is in Linux.
sed -n '2!d; s/<not counted>/2000/; p' both.json >relative.json
apmu compare -j relative.json ours.json
holds '.events[0].event == "cycles" and .events[0].ours == 2100'

# An event of ours whose turn on a counter never came (--as-hardware) was not counted.
printf '{"counter-value": "5.0", "event": "instructions", "pcnt-running": 100.0}\n' >few.json
cat >late.json <<'END'
{"schema": "apmu-stat/1", "core": "cortex-a53", "program": ["p"], "counters": [
 {"event": "instructions", "number": 8, "name": "INST_RETIRED", "value": 0, "enabled": 9, "running": 0}]}
END
apmu compare -j few.json late.json
holds '.events[0].ours == null and .events[0].difference == null'

# What perf itself writes is read, whatever it could count here.
if perf stat -j -e task-clock -o real.json true 2>/dev/null; then
	apmu compare -j real.json ours.json
	exits 0
	holds '[.events[].event] | index("task-clock") != null'
fi

verdict

# Files of another kind: the message says what they are.
printf 'APMUPROF and so on' >recording
refuses 1 "apmu compare: recording is a recording of 'apmu record', which 'apmu report' and 'apmu diff' read, not output of 'perf stat -j'" \
	compare recording recording
refuses 1 "apmu compare: recording is a recording of 'apmu record', which 'apmu report' and 'apmu diff' read, not output of 'apmu stat -j'" \
	compare board.json recording
refuses 1 "apmu compare: ours.json is output of 'apmu stat -j', which 'apmu diff' and 'apmu compare' read, not output of 'perf stat -j'" \
	compare ours.json board.json
refuses 1 "apmu compare: board.json is output of 'perf stat -j', which 'apmu compare' reads, not output of 'apmu stat -j'" compare board.json board.json
