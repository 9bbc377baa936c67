#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The contract of docs/json.md, and the fields of -x.
. "$(dirname "$0")/../lib.sh"
build_loop

apmu stat -j -c arm1136 -e instructions,0x05,cycles -- ./loop
exits 7
silent
python3 -m json.tool err >/dev/null || fail "$said: not JSON"
holds '.schema == "apmu-stat/1" and .core == "arm1136jf-s" and .program == ["./loop"] and .exit == 7' err
holds '.counters[0] | .event == "instructions" and .number == 7 and .name == "INSTR_EXEC" and .value == 2000004' err
holds '.counters[1] | .event == "0x05" and .number == 5 and .name == "BR_EXEC" and .value == 1000000' err
holds '.counters[2] | .event == "cycles" and .number == null and .name == "CYCLES"' err
holds '.time == "cycles" and .mode == "exact"' err
holds '.counters[2].value as $c | $c > 1000000 and all(.counters[]; .enabled == $c and .running == $c)' err
holds '.metrics | length > 0 and all(.[]; has("metric") and has("value") and has("unit"))' err
holds '(.metrics[] | select(.metric == "cpi").value) as $cpi |
	.counters[2].value / .counters[0].value - $cpi | fabs < 1e-9' err

# Without cycles nothing needs a pipeline; then the clock is instructions, and says so.
apmu stat -j -c arm1136 -e instructions,branches -- ./loop
holds '.time == "instructions" and all(.counters[]; .enabled == 2000004 and .running == 2000004)' err

# Several cores.
apmu stat -j -c arm1176,xscale1 -e instructions,PROC_CALL_EXEC -- ./loop
exits 7
holds '.schema == "apmu-stat/1" and .exit == 7 and (has("core") | not) and (has("counters") | not)' err
holds '[.cores[].core] == ["arm1176jzf-s", "xscale1"]' err
holds 'all(.cores[]; .exit == 7 and .counters[0].event == "instructions" and .counters[0].value == 2000004)' err
holds '.cores[0].unsupported == [] and .cores[1].unsupported == ["PROC_CALL_EXEC"]' err
holds '.cores[0].counters[1].number == 35' err

# -o: whole or not at all; the error stream is the program's.
echo old >file.json
apmu stat -j -o file.json -c arm1136 -e instructions -- ./loop
[ -z "$err" ] || fail "$said: standard error: $err"
holds '.counters[0].value == 2000004' file.json
[ "$(stat -c %a file.json)" = "$(printf %o $((0666 & ~$(umask))))" ] || fail "rights of file.json"
[ "$(find . -name 'file.json*' | wc -l)" -eq 1 ] || fail "left beside: $(ls)"
apmu stat -j -o /dev/stdout -c arm1136 -e instructions -- ./loop
exits 7
holds '.counters[0].value == 2000004'
[ -h /dev/stdout ] || fail "/dev/stdout is no link any more"
# A link stays one, and leads to what was written, also where that is not there yet.
echo old >target.json
ln -s target.json link.json
ln -s new.json dangling.json
for link in link.json dangling.json; do
	apmu stat -j -o "$link" -c arm1136 -e instructions -- ./loop
	[ -h "$link" ] || fail "$said: $link is no link any more"
	holds '.counters[0].value == 2000004' "$link"
done
[ -f new.json ] && holds '.counters[0].value == 2000004' target.json || fail "not written through the link"

# -r, --as-hardware, -I, --per-thread.
apmu stat -j -r 2 -c xscale1 -e instructions -- ./loop
holds '.runs == 2 and .counters[0].value == 2000004 and .counters[0].spread == 0' err
# Equal counts have no spread, however large: the squares of these do not fit a double.
arm large <<-'END'
	.arm
	.global _start
_start:	ldr	r0, =61728392
again:	subs	r0, r0, #1
	bne	again
	mov	r7, #1
	mov	r1, #0
	mov	r0, #0
	svc	#0
END
apmu stat -j -r 7 -c arm1136 -e instructions -- ./large
holds '.counters[0].value == 123456789 and .counters[0].spread == 0' err
apmu stat -j --as-hardware=20000 -c arm1136 -e instructions,branches,cache-misses,branch-misses -- ./loop
holds '.mode == "as-hardware" and .time == "cycles"' err
holds 'all(.counters[]; .running < .enabled and .counted <= .value)' err
holds '.counters[0] | .value - 2000004 | fabs < 60000' err
apmu stat -j --as-hardware=1000000000 -c arm1136 -e instructions,branches,cache-references,cache-misses -- ./loop
holds '.counters[3] | .value == 0 and .running == 0 and .enabled > 0' err
holds '.metrics[] | select(.metric == "data-cache-mpki").value == null' err
apmu stat -j -I 500000i -c arm1136 -e instructions,cycles -- ./loop
holds '.interval == 500000 and .interval_unit == "instructions" and (.intervals | length) >= 4' err
holds '([.intervals[].counters[0].value] | add) == 2000004 and .intervals[-1].at == 2000004' err
holds '([.intervals[].counters[1].value] | add) == .counters[1].value' err
apmu stat -j -I 500000c -c arm1136 -e instructions -- ./loop
holds '.interval_unit == "cycles" and ([.intervals[].counters[0].value] | add) == 2000004' err
apmu stat -j --per-thread -c arm1136 -e instructions -- ./loop
holds '(.threads | length) == 1 and .threads[0].pid == .threads[0].tid and
	.threads[0].counters[0].value == 2000004' err

# A metric that divides by zero has no value, "nan" in text as in perf's; the JSON stays JSON.
arm exit0 <<-'END'
	.arch armv5t
	.arm
	.global _start
_start:	mov	r0, #0
	mov	r7, #1
	svc	#0
END
apmu stat -j -c arm1136 -M branch -- ./exit0
exits 0
holds '.metrics[] | select(.metric == "branch-prediction-ratio").value == null' err
apmu stat -c arm1136 -M branch -- ./exit0
grep -qE '^ +nan%  branch-prediction-ratio$' err || fail "$said: $err"
apmu stat -x, -c arm1136 -M branch -- ./exit0
grep -qx ',,,,,nan,%  branch-prediction-ratio' err || fail "$said: $err"
apmu stat -c arm1136 -e instructions -- ./exit0
grep -qE '^ +3  instructions$' err || fail "$said: $err"

# A name that is no UTF-8.
cp exit0 $'n\xff'
apmu stat -j -c arm1136 -e instructions -- $'./n\xff' $'\xfen\xc3\xa4'
exits 0
holds '.program == ["./n?", "?n\u00e4"]' err
apmu record -q --core arm1136 -o n.data -- $'./n\xff' $'\xfen\xc3\xa4'
apmu export json -i n.data -o n.json
exits 0
holds '.program == ["./n?", "?n\u00e4"]' n.json

# -x: value, unit, event, time, share (as perf has it, 100 of an event that is not supported); then metrics. Several cores have the core in front.
apmu stat -x, -c arm1136 -e instructions,branches -- ./loop
[ "$err" = "2000004,,instructions,2000004,100.00
1000000,,branches,2000004,100.00" ] || fail "$said: $err"
apmu stat -x '\t' -c xscale2,arm1176 -e instructions,PROC_CALL_EXEC -- ./loop
[ "$err" = "xscale2	2000004		instructions	2000004	100.00
xscale2	<not supported>		PROC_CALL_EXEC	0	100.00
arm1176jzf-s	2000004		instructions	2000004	100.00
arm1176jzf-s	0		PROC_CALL_EXEC	2000004	100.00" ] || fail "$said: $err"
apmu stat -x, -r 2 -c arm1136 -e instructions,cycles -- ./loop
grep -qE '^2000004,,instructions,0\.00%,[0-9]+,100\.00$' err || fail "$said: $err"
grep -qE '^,,,,,,0\.[0-9]+,cpi$' err || fail "$said: $err"

verdict
