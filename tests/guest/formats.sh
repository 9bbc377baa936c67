# SPDX-License-Identifier: MIT
# Events by data type, and accesses that cross a line; formats.S says what each instruction counts as.
. "$SRC/tests/guest/lib.sh"
a64 formats

for core in neoverse-n2 cortex-a710; do
	"$BUILD/apmu" stat -c $core -j -o "$work/json" -e FP_HP_SPEC,FP_SP_SPEC,FP_DP_SPEC,FP_FIXED_OPS_SPEC,FP_SCALE_OPS_SPEC \
		-e ASE_SVE_INT8_SPEC,ASE_SVE_INT16_SPEC,ASE_SVE_INT32_SPEC,ASE_SVE_INT64_SPEC,SVE_PRED_SPEC,SVE_LDFF_SPEC \
		-e LDST_ALIGN_LAT,LD_ALIGN_LAT,ST_ALIGN_LAT -- "$work/formats" || fail "$core: exit status $?"
	got=$(python3 -c 'import json, sys; print(*[c["value"] for c in json.load(open(sys.argv[1]))["counters"]])' "$work/json")
	[ "$got" = "100 300 300 1400 800 100 100 100 100 300 100 200 100 100" ] || fail "$core: $got"
done
finish
