# SPDX-License-Identifier: MIT
# Events by operation (0x8000 to 0x80FF); operations.S says what each instruction counts as. 100 iterations.
. "$SRC/tests/guest/lib.sh"
a64 operations

check() { # CORE EVENT=PER-TURN...
	local core=$1 names got
	shift
	names=$(echo "$*" | sed 's/=[0-9.]*//g; s/ /,/g')
	"$BUILD/apmu" stat -c "$core" --cpu max -j -o "$work/json" -e "$names" -- "$work/operations" || fail "$core: exit status $?"
	got=$(python3 -c 'import json, sys
print(*["%s=%g" % (c["name"], c["value"] / 100) for c in json.load(open(sys.argv[1]))["counters"]])' "$work/json")
	[ "$got" = "$*" ] || fail "$core: $(diff <(echo "$got" | tr ' ' '\n') <(echo "$*" | tr ' ' '\n'))"
}
check generic-v9 FP_DIV_SPEC=4 ASE_FP_DIV_SPEC=1 SVE_FP_DIV_SPEC=1 FP_SQRT_SPEC=3 FP_FMA_SPEC=9 ASE_FP_FMA_SPEC=4 SVE_FP_FMA_SPEC=2 \
	FP_MUL_SPEC=3 ASE_SVE_FP_MUL_SPEC=2 FP_ADDSUB_SPEC=4 ASE_FP_ADDSUB_SPEC=1 FP_RECPE_SPEC=4 SVE_FP_RECPE_SPEC=2 FP_CVT_SPEC=7 \
	ASE_FP_CVT_SPEC=3 SVE_FP_CVT_SPEC=1 SVE_FP_AREDUCE_SPEC=1 ASE_FP_PREDUCE_SPEC=1 SVE_FP_VREDUCE_SPEC=2 ASE_SVE_FP_VREDUCE_SPEC=4 \
	SVE_MATH_SPEC=2 INT_DIV_SPEC=4 INT_DIV64_SPEC=3 SVE_INT_DIV64_SPEC=1 INT_MUL_SPEC=11 ASE_INT_MUL_SPEC=4 SVE_INT_MUL_SPEC=3 \
	INT_MUL64_SPEC=3 SVE_INT_MUL64_SPEC=1 INT_MULH64_SPEC=1 ASE_INT_VREDUCE_SPEC=1 SVE_INT_VREDUCE_SPEC=1 ASE_SVE_INT_DOT_SPEC=2 \
	SVE_MOVPRFX_SPEC=3 SVE_MOVPRFX_Z_SPEC=1 SVE_MOVPRFX_M_SPEC=1 SVE_MOVPRFX_U_SPEC=3 SVE_PGEN_CMP_SPEC=1 SVE_PGEN_FCM_SPEC=1 \
	SVE_PGEN_LOGIC_SPEC=1 SVE_PCNT_SPEC=3 SVE_XPIPE_Z2R_SPEC=2 SVE_PLOOP_TEST_SPEC=2 SVE_PLOOP_WHILE_SPEC=1 SVE_PLOOP_TERM_SPEC=1 \
	BASE_LD_REG_SPEC=3 BASE_ST_REG_SPEC=2 FPASE_LD_REG_SPEC=3 FPASE_ST_REG_SPEC=2 ASE_SVE_LD_MULTI_SPEC=3 ASE_SVE_ST_MULTI_SPEC=2 \
	SVE_LD_SPEC=9 SVE_ST_SPEC=6 ASE_SVE_LD_SPEC=12 ASE_SVE_ST_SPEC=8 SVE_PRF_SPEC=3 SVE_LDR_REG_SPEC=2 SVE_STR_REG_SPEC=2 SVE_LDR_PREG_SPEC=1 \
	SVE_STR_PREG_SPEC=1 SVE_LD_CONTIG_SPEC=4 SVE_ST_CONTIG_SPEC=2 SVE_LDNT_CONTIG_SPEC=1 SVE_STNT_CONTIG_SPEC=1 SVE_PRF_CONTIG_SPEC=2 \
	SVE_LD_MULTI_SPEC=1 SVE_ST_MULTI_SPEC=1 SVE_LD_GATHER_SPEC=2 SVE_LD64_GATHER_SPEC=1 SVE_ST_SCATTER_SPEC=1 SVE_ST64_SCATTER_SPEC=1 \
	SVE_PRF_GATHER_SPEC=1 SVE_PRF64_GATHER_SPEC=1 PRF_SPEC=4 BASE_LDST_REG_SPEC=6 SVE_LDST_SPEC=18 ASE_SVE_LDST_SPEC=23 \
	FPASE_LDST_REG_SPEC=5 SVE_SPEC=39.05 # 5 of them before the loop
check a64fx FP_FMA_SPEC=9 FP_RECPE_SPEC=4 FP_CVT_SPEC=7 SVE_MATH_SPEC=2 SVE_MOVPRFX_SPEC=3 ASE_SVE_LD_SPEC=12 ASE_SVE_ST_SPEC=8 \
	BASE_LD_REG_SPEC=3 BASE_ST_REG_SPEC=2 SVE_LDR_REG_SPEC=2 SVE_STR_PREG_SPEC=1 SVE_PRF_CONTIG_SPEC=2 ASE_SVE_LD_MULTI_SPEC=3 \
	SVE_LD_GATHER_SPEC=2 SVE_ST_SCATTER_SPEC=1 SVE_PRF_GATHER_SPEC=1
# Loads and stores of all kinds, including SVE, of which no QEMU reports all (sve_accesses.sh): stat says so if data accesses are wanted.
for core in neoverse-v1 a64fx; do
	check $core LD_SPEC=17 ST_SPEC=11
done
says() { # EVENT: what is said of accesses
	"$BUILD/apmu" stat -c neoverse-v1 --cpu max -o "$work/text" -e "$1" -- "$work/operations" || fail "$1: exit status $?"
	grep -c 'this QEMU reports no addresses of' "$work/text"
}
[ "$(says L1D_CACHE)" = 1 ] || fail "nothing is said of accesses that are not told: $(cat "$work/text")"
[ "$(says INST_RETIRED)" = 0 ] || fail "accesses are not wanted: $(cat "$work/text")"
"$BUILD/apmu" stat -c neoverse-v1 --cpu max -j -o "$work/json" -e LD_SPEC -- "$work/operations"
grep -q '"hidden": *true' "$work/json" || fail "hidden: $(cat "$work/json")"
finish
