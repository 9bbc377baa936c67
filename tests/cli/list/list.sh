#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu list: text and JSON.
. "$(dirname "$0")/../lib.sh"

apmu list cores
exits 0
for core in arm1136jf-s arm1156t2-s arm1176jzf-s xscale1 xscale2; do
	grep -qE "^$core +.* [24] \+ cycles " "$work/out" || fail "list cores lacks $core"
done
grep -qE "^xscale2 .*4 \+ cycles.* pxa270 .*ixp425" "$work/out" || fail "xscale2's products"
[ "$(grep -n '^ARM11$\|^Intel XScale$\|^Armv7: \|^Armv8 and Armv9: ' "$work/out" | wc -l)" -eq 4 ] ||
	fail "list cores: not four families"
! grep -q ' $' "$work/out" || fail "list cores: a line ends in a space"
apmu list cores -v --core xscale1
prints "l1d.ways                               32"
prints "[PXA255]"
prints "PMU: registers by XSCALE; nothing of it unverified"
apmu list cores -v neoverse-v1
prints "unverified: Secure EL2"
apmu list cores -j -v
holds 'type == "array" and ([.[].core] | index("arm1136jf-s") != null)'
holds 'all(.[]; (.parameters | length) > 20 and all(.parameters[]; .key != "" and .value != "" and .source != ""))'
holds '.[] | select(.core == "cortex-a53") | .unverified == null and .source == "DDI0487 and QEMUID and A53TRM"'
holds '.[] | select(.core == "cortex-a520") | .unverified | test("PMU version.*PMCR.IMP")'
holds '.[] | select(.core == "xscale2") | .counters == 4 and .width == 32 and (.aliases | index("pxa270") != null)'

# Every event of a core, once, with how far it can be trusted.
for core in $("$APMU" list cores -j | jq -r '.[].core'); do
	apmu list events --core "$core" -j
	exits 0
	holds 'length > 15 and .[0].number == null and ([.[1:][].number] | . == unique)'
	holds 'all(.[]; .counts as $c | ["exact", "modelled", "injected", "not produced"] | index($c) != null)'
	holds 'all(.[]; .text != null and .text != "")'
	holds '[.[] | del(.less) | keys] | unique | length == 1'
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
# Words pick: a part of a name in any case, a pattern of all of it, a number, another name; each must be found.
apmu list events --core arm1136 -j 0x05 CPU-cycles
holds '[.[].name] == ["BR_EXEC", "CPU_CYCLES"]'
apmu list events l1d 'br_mis*' --core cortex-a53 -j
holds 'length > 4 and all(.[]; ([.name, .names[]] | any(test("l1d|^br_mis"; "i"))))'
# The name of a core means that core alone; any other word is a part of a name.
names() { jq -r '[.[].core] | join(" ")' out; }
apmu list cores cortex-a5 -j
[ "$(names)" = cortex-a5 ] || fail "$said: $(names)"
apmu list cores CORTEX_A5 -v -j
[ "$(names)" = cortex-a5 ] || fail "$said: $(names)"
apmu list cores cortex-a5 a53 -j
[ "$(names)" = "cortex-a5 cortex-a53" ] || fail "$said: $(names)"
apmu list cores 'cortex-a5*' -j
[[ "$(names)" == "cortex-a5 cortex-a53 "* ]] || fail "$said: $(names)"
apmu list cores pxa270 -j
holds '[.[].core] == ["xscale2"]'
apmu list registers --core cortex-a15 pmcr -j
holds '[.[].register] == ["PMCR"]'
apmu list metrics CPI --core cortex-a53 -j
holds '[.[].metric] == ["cpi"]'
refuses 1 "apmu list: nothing in the list of cores matches 'raspi'" list cores xscale raspi
refuses 1 "apmu list: nothing in the list of registers matches 'PMCRR'; did you mean 'PMCR'?" list registers --core cortex-a15 PMCRR
refuses 1 "apmu list: nothing in the list of metrics matches 'cpii'; did you mean 'cpi'?" list metrics cpii
refuses 1 "apmu list: nothing in the list of events matches 'L1D_CACHE_REFIL_'; did you mean 'L1D_CACHE_REFILL'?" \
	list events --core cortex-a53 L1D_CACHE_REFIL_
apmu list registers --core arm1176 -v
prints "SUNAVCR     undefined     if Secure "
prints "Secure User and Non-secure Access Validation Control [p15,0,c15,c9,0]"
prints "PMNC: Performance Monitor Control (AN195 2)"
apmu list registers --core arm1136
[[ $out != *SUNAVCR* ]] || fail "ARM1136 has no TrustZone"
prints "PMNC        undefined  read/write  Performance Monitor Control [p15,0,c15,c12,0]"

# Who may, on PMUv3 and Armv7 (pmuv3 3.1; ARM DDI 0406C PMUSERENR), and no way that the core lacks.
apmu list registers --core cortex-a53
grep -qE '^PMCR_EL0/PMCR +if EN +read/write ' "$work/out" || fail "PMCR_EL0's rights"
grep -qE '^PMCCNTR_EL0/PMCCNTR +read EN/CR, write EN +read/write ' "$work/out" || fail "PMCCNTR_EL0's rights"
grep -qE '^PMSWINC_EL0/PMSWINC +write if EN/SW +write ' "$work/out" || fail "PMSWINC_EL0's rights"
grep -qE '^PMINTENSET_EL1/PMINTENSET +undefined +read/write ' "$work/out" || fail "PMINTENSET_EL1's rights"
grep -qE '^MDCR_EL3 +undefined +read/write from EL3 ' "$work/out" || fail "MDCR_EL3's rights"
prints "[S3_3_C14_C12+n/8_n%8; p15,0,c14,c12+n/8,n%8; offset 0x400+4n; offset 0xA00+4n (63:32)]"
apmu list registers --core generic-v9
[[ $out != *"p15,"* ]] || fail "generic-v9 has AArch64 only"
grep -qE '^PMCCNTR_EL0/PMCCNTR +read EN/CR/UEN, write EN/UEN ' "$work/out" || fail "PMCCNTR_EL0's rights, p9"
apmu list registers --core cortex-a15
grep -qE '^PMUSERENR/USEREN +read +read/write ' "$work/out" || fail "PMUSERENR's rights"
grep -qE '^PMOVSR/FLAG +if EN +read/write ' "$work/out" || fail "PMOVSR's rights"
apmu list metrics
prints "branch-prediction-ratio (%)"
prints "= 1 - BR_MISPREDICT / BR_EXEC"
prints "on arm1136jf-s arm1156t2-s arm1176jzf-s"

# What is counted is said of every event, also where the manual's words are only its name.
apmu list events --core neoverse-v1 SVE_PRED_SPEC
prints "modelled  SVE instructions with a governing predicate. Architecturally executed"
"$APMU" list events --core generic-v9 -j >"$work/json"
jq -e 'map(select((.counts == "exact" or .counts == "modelled") and .signals != []
	and .text == (.name | ascii_downcase | gsub("_"; " ")) and (.here == .note or .here == ""))) | length == 0' "$work/json" >/dev/null ||
	fail "events that nothing is said of"

# Text folds at the edge of a terminal, and only there.
COLUMNS=80 "$APMU" list events --core arm1176 >narrow || fail "narrow"
[ "$(wc -L <narrow)" -le 80 ] || fail "list events is $(wc -L <narrow) columns wide in 80"
COLUMNS=80 "$APMU" list cores -v >narrow || fail "narrow"
[ "$(wc -L <narrow)" -le 80 ] || fail "list cores -v is $(wc -L <narrow) columns wide in 80"
for list in "cores" "registers --core generic-v9" "registers --core cortex-a53" "events --core neoverse-v2" "metrics"; do
	COLUMNS=80 "$APMU" list $list >narrow || fail "narrow"
	[ "$(wc -L <narrow)" -le 80 ] || fail "list $list is $(wc -L <narrow) columns wide in 80"
done
apmu list events --core arm1176
[ "$(wc -l <"$work/out")" -eq $(($("$APMU" list events --core arm1176 -j | jq length) + 1)) ] ||
	fail "list events: not a line an event"

verdict
