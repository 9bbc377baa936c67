# SPDX-License-Identifier: MIT
# Branches by kind, preloads, CAS; kinds.S says how many of each there are.
. "$SRC/tests/guest/lib.sh"
a64 kinds

# Events and counts on generic-v9, which has all of these events: all at once, and one at a time with the fast paths for entering a block.
exact="BR_RETIRED=1100 BR_SKIP_RETIRED=101 BR_IMMED_RETIRED=600 BR_IMMED_TAKEN_RETIRED=499 BR_IMMED_SKIP_RETIRED=101
	BR_IND_RETIRED=500 BR_IND_TAKEN_RETIRED=500 BR_IND_SKIP_RETIRED=0 BR_INDNR_RETIRED=200 BR_INDNR_TAKEN_RETIRED=200
	BR_RETURN_RETIRED=300 BR_RETURN_ANY_RETIRED=300 BR_RETURN_SKIP_RETIRED=0 BL_TAKEN_RETIRED=300 BRNL_TAKEN_RETIRED=699
	BL_IMMED_TAKEN_RETIRED=200 BRNL_IMMED_TAKEN_RETIRED=299 BL_IND_TAKEN_RETIRED=100 BRNL_IND_TAKEN_RETIRED=400
	BRNL_INDNR_TAKEN_RETIRED=100 BR_COND_RETIRED=300 BR_COND_TAKEN_RETIRED=199 BR_UNCOND_RETIRED=800
	PC_WRITE_RETIRED=999 L1D_CACHE_PRFM=200 L1I_CACHE_PRFM=100 L1D_TLB_PRFM=200 CAS_SPEC=100 CAS_NEAR_SPEC=100"
values() { # OPTIONS of stat, then the events
	"$BUILD/apmu" stat -j -o "$work/json" "$@" -- "$work/kinds" || fail "$*: exit status $?"
	python3 -c 'import json, sys; print(*[c["name"] + "=" + str(c["value"]) for c in json.load(open(sys.argv[1]))["counters"]])' \
		"$work/json"
}
names=$(echo $exact | sed 's/=[0-9]*//g; s/ /,/g')
[ "$(values -c generic-v9 -e "$names")" = "$(echo $exact)" ] || fail "all at once: $(values -c generic-v9 -e "$names")"
for one in $exact; do
	[ "$(values -c generic-v9 -e "${one%=*}")" = "$one" ] || fail "alone: $(values -c generic-v9 -e "${one%=*}"), not $one"
done
[ "$(values -c cortex-a520 -e BR_INDNR_TAKEN_RETIRED)" = BR_INDNR_TAKEN_RETIRED=200 ] || fail "in order"

# Each branch is predicted rightly or wrongly, taken or not, and is of one kind.
pairs="BR_PRED_RETIRED,BR_MIS_PRED_RETIRED,BR_IMMED_PRED_RETIRED,BR_IMMED_MIS_PRED_RETIRED,BR_INDNR_PRED_RETIRED"
pairs=$pairs,BR_INDNR_MIS_PRED_RETIRED,BR_RETURN_PRED_RETIRED,BR_RETURN_MIS_PRED_RETIRED,BR_TAKEN_PRED_RETIRED
pairs=$pairs,BR_TAKEN_MIS_PRED_RETIRED,BR_SKIP_PRED_RETIRED,BR_SKIP_MIS_PRED_RETIRED
for core in neoverse-v3 cortex-x4; do
	values -c $core -e $pairs >"$work/pairs"
	python3 - "$work/pairs" <<'P' || fail "$core: $(cat "$work/pairs")"
import sys
v = dict(w.split("=") for w in open(sys.argv[1]).read().split())
v = [int(n) for n in v.values()]
sums = [v[i] + v[i + 1] for i in range(0, 12, 2)]
sys.exit(sums != [1100, 600, 200, 300, 999, 101] or v[1] != v[3] + v[5] + v[7] or v[1] != v[9] + v[11] or v[1] == 0)
P
done

# An event that is a difference of signals is recorded like any other: the profile's total is stat's count, with a sample per period.
right=$(values -c neoverse-v3 -e BR_PRED_RETIRED)
"$BUILD/apmu" record -q --core neoverse-v3 -e BR_PRED_RETIRED --exact -o "$work/exact" -- "$work/kinds" || fail "record --exact"
"$BUILD/apmu" report "$work/exact" | tr -d , | grep -qx "# exact: ${right#*=} counted" || fail "$right, but $("$BUILD/apmu" report "$work/exact")"
"$BUILD/apmu" record -q --core neoverse-v3 -e BR_PRED_RETIRED -c 50 -o "$work/some" -- "$work/kinds" || fail "record"
"$BUILD/apmu" report "$work/some" | grep -q "^# $((${right#*=} / 50)) samples" || fail "$right, but $("$BUILD/apmu" report "$work/some")"
finish
