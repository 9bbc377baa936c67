#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The error band of modelled cycles is printed with them, depends on where they were spent, and costs nothing if cycles are not counted.
. "$(dirname "$0")/../lib.sh"
build_loop

apmu stat -c arm1136 -e cycles,instructions -- ./loop
grep -qE '^ +[0-9,]+  cycles \(modelled, about [0-9]+ %\)( +#.*)?$' err || fail "$said: no band beside the cycles: $err"
grep -qE '^ +2,000,004  instructions( +#.*)?$' err || fail "$said: a band beside what is exact: $err"
apmu stat -c cortex-a32 -e CPU_CYCLES -- ./loop
grep -qE '^ +[0-9,]+  CPU_CYCLES \(modelled, about [0-9]+ %\)( +#.*)?$' err || fail "$said: $err"
apmu stat -c arm1136 -e instructions,branches -- ./loop
[[ $err != *modelled* ]] || fail "$said: nothing is modelled: $err"

# The parts: shares of all cycles, and their mean error.
whole='.band | ([.classes[].share] | add | . > 0.999 and . < 1.001) and (([.classes[] | .share * .error] | add) - .within | . < 1e-9 and . > -1e-9)'
apmu stat -j -c arm1136 -e cycles -- ./loop
holds "$whole" err
holds '[.band.classes[] | select(.class == "instructions")][0].share > 0.9' err
apmu stat -j -c arm1136 --set predict=0 -e cycles -- ./loop
holds "$whole" err
holds '[.band.classes[] | select(.class == "branches")][0].share > 0.5' err
apmu stat -j -c arm1136 -e instructions -- ./loop
holds 'has("band") | not' err

# Loads that each wait for the one before: most cycles are of the level that holds the list.
"$SRC/tests/accuracy/build.sh" "$BUILD/accuracy" || fail "the kernels cannot be built"
while read -r core bytes turns level; do
	apmu stat -j -c "$core" -e cycles -- "$BUILD/accuracy/kernels-a64" chase "$bytes" "$turns"
	holds "$whole" err
	holds "[.band.classes[] | select(.share > 0.5).class] == [\"$level\"]" err
done <<-'END'
	cortex-a76 131072 20 l2
	cortex-a76 1048576 4 l3
	cortex-a53 2097152 2 memory
END

# A core that borrows its timing is told to be off by no less than the core it has it from.
within() { apmu stat -j -c "$1" -e cycles -- ./loop; jq .band.within err; }
awk "BEGIN { exit !($(within cortex-a32) >= 0.05 && $(within cortex-a32) >= $(within cortex-a35)) }" ||
	fail "cortex-a32 has a narrower band than cortex-a35, whose timing it has"

# Of several cores in a row of the table; in CSV as a metric.
apmu stat -c arm1136,cortex-a32 -e cycles -- ./loop
grep -qE '^ +[0-9]+ % +[0-9]+ %  cycles-band$' err || fail "$said: $err"
apmu stat -x , -c arm1136 -e cycles -- ./loop
grep -qE '^,,,,,[0-9.]+,%  cycles-band$' err || fail "$said: $err"
apmu stat -x , -c arm1136 -e instructions -- ./loop
[[ $err != *band* ]] || fail "$said: $err"

# Where most cycles went to what no free figure of the core tells of, that is said.
apmu stat -c cortex-a32 -e cycles -- ./loop
says "cortex-a32 has no published figure that is independent of the model's fit"
# Where no error is shown, nothing is said of it.
apmu stat --per-thread -c cortex-a32 -e cycles -- ./loop
exits 7
[[ $err == *cycles* && $err != *"the error shown"* && $err != *"about"* ]] || fail "$said: $err"

verdict
