#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The cost of events is that of the units that they need, in host instructions by callgrind, so independent of time. More events of
# units that run anyway add a tenth at most; a machine without a unit is cheaper than one with it.
. "$(dirname "$0")/../lib.sh"

gcc -std=c11 -O2 -I"$SRC/include" "$SRC/tests/cli/stat/units_cost.c" "$BUILD/libapmu-uarch.a" "$BUILD/libapmu.a" -lpthread \
	-o cost || fail "units_cost.c does not compile"

# cost CORE EVENT...: sets $spent to the host instructions for 5000 blocks.
cost()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null ./cost "$1" 5000 "${@:2}" >out 2>&1 || fail "$*: $(tail -3 out)"
	spent=$(sed -n 's/.*Collected : *//p' out)
}

# grows CORE ONE "MORE...": the events MORE beside ONE, of the same units, add a tenth at most.
grows()
{
	local one more
	cost "$1" "$2"
	one=$spent
	# shellcheck disable=SC2086
	cost "$1" "$2" $3
	more=$spent
	[ $((more * 10)) -le $((one * 11)) ] ||
		fail "$1: $2 costs $one instructions, with $3 $more"
}

for core in cortex-a53 neoverse-n1; do
	grows $core L1D_CACHE_REFILL "L1D_CACHE MEM_ACCESS"
	grows $core L1D_TLB_REFILL "L1D_CACHE MEM_ACCESS"
	grows $core CPU_CYCLES "L1D_CACHE_REFILL L1D_CACHE BR_MIS_PRED L1I_CACHE_REFILL L2D_CACHE_REFILL INST_RETIRED BUS_ACCESS"
done
grows cortex-a53 L2D_CACHE_REFILL "L2D_CACHE L2D_CACHE_WB BUS_ACCESS L1D_CACHE_REFILL L1D_CACHE L1I_CACHE_REFILL"
grows arm1136 CPU_CYCLES "DCACHE_MISS DCACHE_ACCESS ICACHE_MISS BR_MISPREDICT BR_EXEC INSTR_EXEC DTLB_MISS MAIN_TLB_MISS DDEP_STALL"

# order CORE EVENT...: each costs no more than the next, within a hundredth: more units may have the shorter path into a block.
order()
{
	local core=$1 last=0 event
	shift
	for event; do
		cost "$core" "$event"
		[ $((spent * 100)) -gt $((last * 99)) ] || fail "$core: $event costs $spent instructions, the one with fewer units $last"
		last=$spent
	done
}
order cortex-a53 INST_RETIRED BR_MIS_PRED L1D_CACHE L1D_CACHE_REFILL L2D_CACHE_REFILL CPU_CYCLES
verdict
