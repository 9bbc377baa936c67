#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# report -g and -G: the call tree of a profile with known figures (lib_profile.sh).
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/cli/lib_profile.sh"
make_program

# The call tree and its inverse: main 6200 of 6600 (main 200, twice 1000, outer 5000 with leaf and middle inlined), and 400 of a thread without callers.
make_profile tree.data
apmu report -g -i tree.data -e branch-misses --percent-limit 0
exits 0
sed 's/^ *//' out | tr -s ' ' >got
for row in '93.94% 3.03% 200 main' '90.91% 15.15% 1,000 twice' '75.76% 0.00% 0 outer' '75.76% 30.30% 2,000 middle' '45.45% 45.45% 3,000 leaf' '6.06% 6.06% 400 leaf'; do
	grep -qxF -- "$row" got || fail "-g: no '$row' in" "$(cat out)"
done
[ "$(grep -c '%' got)" -ge 8 ] && grep -q '^  93.94%    3.03%              200  main$' out && grep -q '^  90.91%   15.15%            1,000    twice$' out || fail "-g: $(cat out)"
apmu report -G -i tree.data -e branch-misses -n 3
sed 's/^ *//' out | tr -s ' ' | grep '^[0-9]' >got
printf '%s\n' '51.52% 51.52% 3,400 leaf' '51.52% 0.00% 0 middle' '51.52% 0.00% 0 outer' | cmp -s - got || fail "-G: $(cat out)"
# perf's words for its call graphs, also as a word of its own.
cp out inverted
for words in "-g callee" "-gcallee" "--call-graph=graph,0.5,callee" "--call-graph callee"; do
	apmu report $words -i tree.data -e branch-misses -n 3
	cmp -s out inverted || [[ $words == *0.5* && $out == *"51.52%   51.52%            3,400  leaf"* ]] || fail "$said: $out"
done
"$APMU" report -g -i tree.data >caller
"$APMU" report -i tree.data >none
for order in caller none; do
	apmu report -g $order -i tree.data
	cmp -s out $order || fail "$said: $out"
done
apmu report -g graph,20,caller -i tree.data -e branch-misses
[[ $out == *leaf* && $out != *6.06%* ]] || fail "a least share behind -g: $out"
apmu report -g tree.data -e branch-misses
cp out whole
apmu report -g -i tree.data -e branch-misses
cmp -s out whole || fail "a recording behind -g: $(diff out whole)"
refuses 2 "apmu report: -g 'upwards' is not an order of perf's: caller, callee or none" report --call-graph=upwards
refuses 2 "apmu report: -g and -G show the tree of all calls: leave out what sorts and filters, but for -e, -n and --percent-limit" report -g --sort line
printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53" "event cycles CPU_CYCLES cycles 10" "thread 0 7" "total 0 3" | python3 "$SRC/tests/cli/profile.py" flat.data
refuses 1 "apmu report: flat.data was recorded without call chains: 'apmu record -g' takes them" report -g -i flat.data

verdict
