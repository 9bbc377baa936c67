# SPDX-License-Identifier: MIT
# -d: rings of dependent loads that fit in L1, L2, L3 or only in memory (chase.c). The paths below L1 have no transfer time here,
# so a load never waits for another line, and its latency is the sum of the core's parameters.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
aarch64-linux-gnu-gcc -O1 -static "$SRC/tests/guest/src/record/chase.c" -o chase || exit 1

# check CORE FUNCTION LEVEL PARAMETER...: checks that the mean latency of that row is the sum of these parameters, with at least 200 samples
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
# on CORE SETTINGS: records and reports; the settings remove the transfer time of the levels below L1
on() {
	"$apmu" record --core "$1" -q --set "$2" -e L1D_CACHE -c 7 -d -o data -- ./chase || fail "record on $1"
	"$apmu" report data --sort function,level >report 2>&1
	"$apmu" list cores -v --core "$1" >parameters
}
on cortex-a55 l3.fill=0 # its row has no L2
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

# Samples without data addresses have no latency: branches, and recordings without -d.
"$apmu" record --core cortex-a53 -q -e branches -c 1000 -d -o data -- ./chase
"$apmu" report data --sort level >report
grep -Eq ' - +\[none\]$' report || fail "branches: $(cat report)"
"$apmu" record --core cortex-a53 -q -e L1D_CACHE -c 1000 -o data -- ./chase
"$apmu" report data | grep -q latency && fail "latency without -d"

# A child of fork counts its instructions from 1: its third loads from b, its parent's third from a.
cat >fork.S <<'END'
	.global _start
_start:	adrp	x3, a
	nop
	ldr	x4, [x3]
	mov	x0, 17
	mov	x1, 0
	mov	x2, 0
	mov	x3, 0
	mov	x4, 0
	mov	x8, 220
	svc	0
	adrp	x3, b
	cbnz	x0, 1f
	ldr	x4, [x3]
	b	2f
1:	mov	x8, 260	/* wait4: what a child does after the command's own process has ended is not counted */
	svc	0
2:	mov	x0, 0
	mov	x8, 94
	svc	0
	.bss
	.balign 4096
a:	.space	4096
b:	.space	4096
END
aarch64-linux-gnu-gcc -nostdlib -static fork.S -o fork || exit 1
"$apmu" record --core cortex-a53 -q -e L1D_CACHE_REFILL -c 1 -d -o data -- ./fork || fail "record of a fork"
addresses=$("$BUILD/tests/guest/profile_dump" data 2>about | awk '{ print $7 }' | sort | tr '\n' ' ')
want=$(aarch64-linux-gnu-nm fork | sed -n 's/^0*\([0-9a-f]*\) b [ab]$/0x\1/p' | sort | tr '\n' ' ')
[ "$addresses" = "$want" ] || fail "of a fork: addresses $addresses, not $want"
finish
