# SPDX-License-Identifier: MIT
# Events by data type and by operation are the same under QEMU and in the machine, for A64 and AArch32; types64.S and types32.S say
# what each instruction counts as.
. "$SRC/tests/guest/lib.sh"
a64 types64
arm types32

# qemu PROGRAM CORE EVENTS, machine PROGRAM CORE EVENTS: print the counts, in order
qemu()
{
	"$BUILD/apmu" stat -c "$2" -j -o "$work/json" -e "$3" -- "$work/$1" || fail "$1 on $2 under QEMU: exit status $?"
	python3 -c 'import json, sys; print(*[c["value"] for c in json.load(open(sys.argv[1]))["counters"]])' "$work/json"
}
machine()
{
	"$BUILD/apmu" run --linux -c "$2" -e "$3" "$work/$1" >"$work/out" 2>&1 || fail "$1 on $2 in the machine: exit status $?"
	sed -n 's/,//g; s/^ *\([0-9][0-9]*\)  [A-Z].*/\1/p' "$work/out" | paste -sd " "
}

# both PROGRAM CORE EVENTS COUNTS
both()
{
	local engine got
	for engine in qemu machine; do
		got=$($engine "$1" "$2" "$3")
		[ "$got" = "$4" ] || fail "$1 on $2, $engine: $got, not $4"
	done
}
types=FP_HP_SPEC,FP_SP_SPEC,FP_DP_SPEC,FP_FIXED_OPS_SPEC,ASE_SVE_INT8_SPEC,ASE_SVE_INT16_SPEC,ASE_SVE_INT32_SPEC,ASE_SVE_INT64_SPEC
both types64 neoverse-n2 $types,LDST_ALIGN_LAT,SVE_INST_SPEC "100 200 100 1200 100 0 100 0 100 0"
both types64 generic-v9 FP_DIV_SPEC,ASE_FP_FMA_SPEC,FP_FMA_SPEC,ASE_INT_MUL_SPEC,INT_DIV_SPEC,ASE_SVE_LD_MULTI_SPEC,LSE_LDST_SPEC,LSE_LD_SPEC,LSE_ST_SPEC \
	"100 100 200 100 100 100 200 100 100"
both types64 generic-v9 LD_FIXED_OPS_SPEC,ST_FIXED_OPS_SPEC,LD_FIXED_BYTES_SPEC,ST_FIXED_BYTES_SPEC,LDST_FIXED_BYTES_SPEC \
	"1001 200 4808 1600 6408"
both types64 generic-v9 NONFP_SPEC,ASE_NONFP_SPEC "404 200"
both types32 generic-v9-aa32 $types "0 300 300 1500 100 0 100 100"
finish
