#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The text output of `apmu stat`.
. "$(dirname "$0")/../lib.sh"
build_loop

# One core. The program is ldr, a million times subs and bne, two movs, svc.
apmu stat -c arm1136 -e instructions:u,branches,0x0b -- ./loop
exits 7
silent
[ "$err" = "
 Performance counter stats for './loop' on arm1136jf-s, user space:

    2,000,004  instructions
    1,000,000  branches
            1  0x0b (DCACHE_MISS)

        0.000  data-cache-mpki

 The program ended with status 7." ] || fail "$said:"$'\n'"$err"

# -o - is standard output, for export too, and makes no file of that name.
apmu stat -c arm1136 -e instructions -o - -- ./loop
exits 7
prints "2,000,004  instructions"
[ -z "$err" ] && [ ! -e ./- ] || fail "$said: a file, or $err"

# Nor does it replace the program.
refuses 2 "apmu stat: 'loop' is the program itself: name another file for the results" stat -c arm1136 -o loop -- ./loop

# Names in any case, with '-' or '_', and perf's; each as it was written.
apmu stat -c arm1176 -e Instr-Exec,INSTRUCTIONS,r07,br_exec -- ./loop
for name in Instr-Exec INSTRUCTIONS "r07 \(INSTR_EXEC\)"; do
	grep -qE "^ +2,000,004  $name\$" err || fail "$said: no $name: $err"
done

# Several cores in columns, each in the order of -c; what only some have is not silently missing.
apmu stat -c xscale2,arm1176 -e instructions,PROC_CALL_EXEC -- ./loop
exits 7
[ "$err" = "
 Performance counter stats for './loop', user space:

         xscale2  arm1176jzf-s
       2,000,004     2,000,004  instructions
 <not supported>             0  PROC_CALL_EXEC

 The program ended with status 7." ] || fail "$said:"$'\n'"$err"

# The default set has metrics, and fits its terminal by folding names, then by printing columns in parts.
apmu stat -c arm1136,arm1176,xscale1,xscale2 -- ./loop
for name in cycles instructions branches branch-misses cache-misses stalled-cycles-frontend cpi ipc \
	branch-prediction-ratio data-cache-miss-ratio; do
	grep -qE "^( +[0-9][0-9.,%]*){4} +$name\$" err || fail "$said: no row '$name' of four figures: $err"
done
for width in 60 80 120; do
	COLUMNS=$width "$APMU" stat -c arm1136,arm1176,xscale1,xscale2 -M all -- ./loop 2>narrow
	[ "$(wc -L <narrow)" -le $width ] || fail "stat is $(wc -L <narrow) columns wide in $width"
	for core in arm1136jf-s arm1176jzf-s xscale1 xscale2; do
		grep -q " $core" narrow || fail "stat in $width columns lacks $core"
	done
done

# A number that counts nothing is said to.
apmu stat -c arm1136 -e 0x08,instructions,ETMEXTOUT_0 -- ./loop
exits 7
says "apmu stat: event number 0x08 is reserved on arm1136jf-s: it counts nothing"
says "apmu stat: no program can cause ETMEXTOUT_0 on arm1136jf-s: it stays 0"
says "0  0x08 (RESERVED)"

# -M: the events of the metric, and the metric.
apmu stat -c arm1136 -M branch-prediction-ratio -- ./loop
says "1,000,000  BR_EXEC"
says "%  branch-prediction-ratio"
[[ $err != *ipc* ]] || fail "$said: ipc was not asked for"

# Without prediction every taken branch is mispredicted (AN195): all but the last.
apmu stat -c arm1136 --set predict=0 -e branches,branch-misses -- ./loop
grep -qE '^ +999,999  branch-misses +# 100\.00% of all branches$' err || fail "$said: $err"

# -v says what counts: three events take two PMUs of two counters.
apmu stat -v -c arm1136 -e branches,branch-misses,instructions -- ./loop
says "apmu stat: arm1136jf-s: 2 PMUs of 2 event counters"

# Whose timing a core has that has none of its own: where time is modelled, and only there.
apmu stat -c cortex-a32 -e cycles -- ./loop
says " cortex-a32 has no timing of its own: caches and cycles are those of cortex-a35."
apmu stat -j -c cortex-a32 -e cycles -- ./loop
[ "$(printf '%s' "$err" | python3 -c 'import json, sys; print(json.load(sys.stdin)["timing_of"])')" = cortex-a35 ] || fail "$said: $err"
for quiet in "cortex-a32 -e instructions" "cortex-a53 -e cycles"; do
	apmu stat -c $quiet -- ./loop
	case $err in *"no timing of its own"*) fail "$said: $err" ;; esac
done

# Remarks in perf's words, and seconds of the core's clock: cycles / 530 MHz, and what is counted per such second. Where no time is
# modelled there are neither.
apmu stat -c arm1136 -e cycles,instructions,branches,branch-misses,cycles -- ./loop
[ "$(grep -cE '  cycles \(modelled, about [0-9]+ %\) +#   0\.530 GHz$' err)" = 1 ] || fail "$said: cycles not once: $err"
cycles=$(awk '$2 == "cycles" { gsub(",", "", $1); print $1 }' err)
[ "$(awk '/ seconds simulated$/ { print $1 }' err)" = "$(awk "BEGIN { printf \"%.6f\", $cycles / 530e6 }")" ] || fail "$said: seconds: $err"
grep -qE '^ +1,000,000  branches +# '"$(awk "BEGIN { printf \"%7.3f\", 1000000 * 530 / $cycles }")"' M/sec$' err || fail "$said: $err"
grep -qE '^ +2,000,004  instructions +# +'"$(awk "BEGIN { printf \"%.2f\", 2000004 / $cycles }")"' insn per cycle$' err || fail "$said: $err"
apmu stat -c arm1136 -e instructions -- ./loop
[[ $err != *simulated* && $err != *"#"* ]] || fail "$said: no cycles, no time: $err"

# Branches are another event on one core than on another: said. Alike on all: nothing.
apmu stat -c arm1136,cortex-a7,cortex-a8 -e branches,branch-misses -- ./loop
says " 'branches' is not the same event on each core:
   BR_EXEC on arm1136jf-s: "
says "   PC_WRITE_RETIRED on cortex-a7, cortex-a8: "
[[ $err != *"'branch-misses' is not"* ]] || fail "$said: $err"
apmu stat -c cortex-a7,cortex-a8 -e branches -- ./loop
[[ $err != *"is not the same"* ]] || fail "$said: $err"
apmu stat -c cortex-a7 -e branches,branch-misses -- ./loop
says "of taken branches"

# -r: mean and spread.
apmu stat -r 3 -c arm1136 -e instructions -- ./loop
says "mean of 3 runs"
grep -qE '^ +2,000,004 \(\+-  0\.00%\)  instructions$' err || fail "$said: $err"

# -I: by the program's own clock. Marks stand at the end of a block, so within a few instructions.
apmu stat -I 500000 -c arm1136 -e instructions,branches -- ./loop
says "#   instructions               counts  event on arm1136jf-s"
total=$(awk '$3 == "instructions" { gsub(",", "", $2); n += $2 } END { print n }' err)
[ "$total" -eq 2000004 ] || fail "$said: the slices' instructions add up to $total"
[ "$(grep -cE '^ +[0-9,]+ +[0-9,]+  branches$' err)" -ge 4 ] || fail "$said: $err"

# --as-hardware: shares of time, values scaled to the whole run. The loop is steady, so they are near the truth.
apmu stat --as-hardware=20000 -c arm1136 -e cycles,instructions,branches,branch-misses,cache-misses -- ./loop
grep -qE '^ +[0-9,]+ \(100\.0%\)  cycles \(modelled, about [0-9]+ %\) +#   0\.530 GHz$' err || fail "$said: cycles have their own counter: $err"
grep -qE '^ +(2,0[0-4]|1,9[6-9])[0-9],[0-9]{3} \( [45][0-9]\.[0-9]%\)  instructions +# ' err || fail "$said: $err"
says "in brackets the share"
apmu stat --as-hardware -c xscale2 -e branches,branch-misses,cache-misses,instructions -- ./loop
grep -qE '^ +2,000,004 \(100\.0%\)  instructions$' err || fail "$said: four events fit four counters: $err"
# Events whose turn never comes are no zeros, nor are the metrics that need them.
late=(--as-hardware=1000000000 -c arm1136 -e instructions,branches,cache-references,cache-misses)
apmu stat "${late[@]}" -- ./loop
says "<not counted>  cache-misses"
[[ $err != *data-cache-mpki* && $err != *"of all cache refs"* ]] || fail "$said: a metric of what was not counted: $err"
apmu stat -x, "${late[@]}" -- ./loop
says "<not counted>,,cache-misses,0,0.00"
[[ $err != *data-cache-mpki* ]] || fail "$said: a metric of what was not counted: $err"

verdict
