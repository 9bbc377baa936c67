#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lists for people and for programs.
. "$(dirname "$0")/lib.sh"

apmu list cores
exits 0
for core in arm1136jf-s arm1156t2-s arm1176jzf-s xscale1 xscale2; do
	grep -qE "^$core +.* [24] \+ cycles " "$work/out" || fail "list cores lacks $core"
done
grep -qE "^xscale2 .*4 \+ cycles.* pxa270 .*ixp425" "$work/out" || fail "xscale2's products"
apmu list cores -v --core xscale1
prints "l1d.ways                               32"
prints "[PXA255]"
apmu list cores -j -v
holds 'type == "array" and ([.[].core] | index("arm1136jf-s") != null)'
holds 'all(.[]; (.figures | length) > 20 and all(.figures[]; .key != "" and .value != "" and .source != ""))'
holds '.[] | select(.core == "xscale2") | .counters == 4 and .width == 32 and (.aliases | index("pxa270") != null)'

# Every event of a core, once, with how far it can be trusted.
for core in $("$APMU" list cores -j | jq -r '.[].core'); do
	apmu list events --core "$core" -j
	exits 0
	holds 'length > 15 and .[0].number == null and ([.[1:][].number] | . == unique)'
	holds 'all(.[]; .counts as $c | ["exact", "modelled", "injected", "none"] | index($c) != null)'
	holds 'all(.[]; .text != null and .text != "")'
	holds '[.[].names[]] | index("instructions") != null and index("cycles") != null'
	apmu list registers --core "$core" -j
	holds 'length >= 4 and all(.[]; ([.fields[] | .hi - .lo + 1] | add) | . == 32 or . == 64) and all(.[]; (.encodings | length) > 0)'
	apmu list metrics --core "$core" -j
	holds 'length >= 5 and all(.[]; .cores | index("'"$core"'") != null)'
done

apmu list events --core arm1136
grep -qE "^0x05 +BR_EXEC +6:5 +exact +Branch instructions executed" "$work/out" || fail "BR_EXEC"
grep -qE "^0x20 +ETMEXTOUT_0 +- +injected" "$work/out" || fail "ETMEXTOUT_0 is not injected"
apmu list events --core arm1136 -v
exits 0
apmu list registers --core arm1176 -v
prints "SUNAVCR     p15,0,c15,c9,0   undefined     if Secure"
prints "PMNC: Performance Monitor Control (AN195 2)"
apmu list registers --core arm1136
[[ $out != *SUNAVCR* ]] || fail "ARM1136 has no TrustZone"
prints "PMNC        p15,0,c15,c12,0  undefined  read/write"
apmu list metrics
prints "branch-prediction-ratio (%)"
prints "= 1 - BR_MISPREDICT / BR_EXEC"
prints "on arm1136jf-s arm1156t2-s arm1176jzf-s"

# Text folds at the edge of a terminal, and only there.
COLUMNS=80 "$APMU" list events --core arm1176 >narrow || fail "narrow"
[ "$(wc -L <narrow)" -le 80 ] || fail "list events is $(wc -L <narrow) columns wide in 80"
COLUMNS=80 "$APMU" list cores -v >narrow || fail "narrow"
[ "$(wc -L <narrow)" -le 80 ] || fail "list cores -v is $(wc -L <narrow) columns wide in 80"
apmu list events --core arm1176
[ "$(wc -l <"$work/out")" -eq $(($("$APMU" list events --core arm1176 -j | jq length) + 1)) ] ||
	fail "list events: not a line an event"

verdict
