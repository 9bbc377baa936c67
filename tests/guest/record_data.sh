# SPDX-License-Identifier: MIT
# -d: rings of dependent loads that L1, L2, L3 or memory alone hold (chase.c). With ways below L1 that a line does not
# occupy nothing else is on its way when a load goes, so it takes what the core's parameters add up to.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
aarch64-linux-gnu-gcc -O1 -static "$SRC/tests/guest/src/record/chase.c" -o chase || exit 1

# check CORE FUNCTION LEVEL PARAMETER...: the mean latency of that row is the sum of these parameters, and the row is no accident
check() {
	local core=$1 function=$2 level=$3 want=0 parameter
	shift 3
	for parameter in "$@"; do
		want=$((want + $(awk -v key="$parameter" '$1 == key { print $2 }' parameters)))
	done
	awk -F '  +' -v f="$function" -v l="$level" -v w="$want.0" '
		$6 == f && $7 == l { gsub(",", "", $4); if ($4 + 0 >= 200 && $5 == w) good = 1; seen = $0 }
		END { if (!good) { print seen; exit 1 } }' <(sed 's/^ */ x  /; s/^ x  //; s/^/  /' report) >row ||
		fail "$core, $function, $level: latency is not $* = $want: $(cat row)"
}
# on CORE FIGURES: records and reports, its levels below L1 taking no time between lines
on() {
	"$apmu" record --core "$1" -q --set "$2" -e L1D_CACHE -c 7 -d -o data -- ./chase || fail "record on $1"
	"$apmu" report data --sort function,level >report 2>&1
	"$apmu" list cores -v --core "$1" >parameters
}
on cortex-a55 l3.fill=0 # whose row has no L2
check cortex-a55 small L1 result.load
check cortex-a55 middle L3 result.load l3.latency
check cortex-a55 middle "L3, TLB miss" result.load l3.latency tlb_hit
on neoverse-n1 l2.fill=0,l3.fill=0
check neoverse-n1 small L1 result.load
check neoverse-n1 middle L2 result.load l2.latency
check neoverse-n1 large "L3, TLB miss" result.load l3.latency tlb_hit
on cortex-a53 l2.fill=0
check cortex-a53 small L1 result.load
check cortex-a53 middle L2 result.load l2.latency
check cortex-a53 middle "L2, TLB miss" result.load l2.latency tlb_hit
check cortex-a53 large "memory, TLB miss" result.load memory tlb_hit
grep -q 'large  *memory, table walk' report || fail "no walk: $(cat report)"

# Where nothing is known of data there is no latency: branches, and recordings without -d.
"$apmu" record --core cortex-a53 -q -e branches -c 1000 -d -o data -- ./chase
"$apmu" report data --sort level >report
grep -Eq ' - +\[none\]$' report || fail "branches: $(cat report)"
"$apmu" record --core cortex-a53 -q -e L1D_CACHE -c 1000 -o data -- ./chase
"$apmu" report data | grep -q latency && fail "latency without -d"
finish
