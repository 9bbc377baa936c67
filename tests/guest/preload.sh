# SPDX-License-Identifier: MIT
# Preloads: the lines that they fetch, by hand-counted programs, and the cycles that `__builtin_prefetch` saves a program.
. "$SRC/tests/guest/lib.sh"

# build64 NAME SOURCE FLAG...; build32
build64() {
	local name=$1 source=$2
	shift 2
	aarch64-linux-gnu-gcc -nostdlib -static "$@" "$SRC/tests/guest/src/$source" -o "$work/$name" || exit 1
}
build32() {
	local name=$1 source=$2
	shift 2
	arm-linux-gnueabi-gcc -nostdlib -static "$@" "$SRC/tests/guest/src/$source" -o "$work/$name" || exit 1
}

settings='--set prefetch.streams=0' # of counts

# value HOW CORE PROGRAM EVENT
value() {
	"$APMU" $1 -c "$2" -e "$4" "$work/$3" 2>&1 </dev/null | sed -nE "s/,//g; s/^ *([0-9]+) +$4( .*)?$/\1/p" | head -n 1
}

# less A B PERCENT WHAT: checks that A is at most that percentage of B
less() {
	[ -n "$1" ] && [ -n "$2" ] && [ $(($1 * 100)) -le $(($2 * $3)) ] || fail "$4: ${1:-nothing}, against ${2:-nothing}"
}

# Each addressing mode
build64 forms preload_forms.S
build64 forms_loads preload_forms.S -DLOADS
counts 'run --linux' generic-v9 forms L1D_CACHE_PRFM=12 L1D_CACHE_REFILL_PRFM=10 L1D_CACHE_HIT_PRFM=0 L1I_CACHE_PRFM=1
counts 'run --linux' generic-v9 forms_loads L1D_CACHE=23 L1D_CACHE_RW=11 L1D_CACHE_REFILL=1 L1D_CACHE_REFILL_PRFM=10
build32 words preload_a32.S -DLOADS
build32 words_preload preload_a32.S -DLOADS -DPRELOADS
counts 'run --linux' cortex-a7 words L1D_CACHE=18 L1D_CACHE_REFILL=15
counts 'run --linux' cortex-a7 words_preload L1D_CACHE=18 L1D_CACHE_REFILL=1

# Under a QEMU that shows no registers the address is known if another access of the block gives it, if it is in the code, or if its
# index is known; stat reports the others.
if shows_registers; then
	counts stat generic-v9 forms_loads L1D_CACHE_PRFM=12 L1D_CACHE_REFILL_PRFM=10 L1D_CACHE_REFILL=1
	! grep -q 'software prefetches' "$work/counts" || fail "forms_loads: $(cat "$work/counts")"
	counts stat cortex-a7 words_preload L1D_CACHE_REFILL=1
	! grep -q 'software prefetches' "$work/counts" || fail "words_preload: $(cat "$work/counts")"
else
	counts stat generic-v9 forms_loads L1D_CACHE_PRFM=12 L1D_CACHE_REFILL_PRFM=7 L1D_CACHE_REFILL=4
	grep -q ' 3 software prefetches (PRFM, PLD) had an address' "$work/counts" || fail "forms_loads: $(cat "$work/counts")"
	counts stat cortex-a7 words_preload L1D_CACHE_REFILL=15
	grep -q ' 14 software prefetches (PRFM, PLD) had an address' "$work/counts" || fail "words_preload: $(cat "$work/counts")"
fi

# A32 and T32: the address is given by an access before or behind, by a base that is written back or one that moves; each in a loop
cat >"$work/told.S" <<'S'
	.syntax unified
	.arch armv7-a
	.text
	.global _start
	.arm
_start:	ldr r0, =data
	mov r2, #20
	mov r5, r0
1:	ldr r1, [r0], #960
	pld [r0]
	subs r2, r2, #1
	bne 1b
	ldr r3, =thumb
	mov r2, #20
	blx r3
	mov r0, #0
	mov r7, #1
	svc #0
	.thumb
	.thumb_func
thumb:	add r3, r0, #960
	pld [r3]
	ldm r0, {r4, r6}
	add r0, r3, #0
	subs r2, #1
	bne thumb
	bx lr
	.balign 64
	.ltorg
	.data
	.word 1
	.bss
	.balign 4096
data:	.space 960 * 42
S
arm-linux-gnueabi-gcc -nostdlib -static "$work/told.S" -o "$work/told" || exit 1
for how in 'run --linux' stat; do # the first load and the literals miss
	counts "$how" cortex-a7 told L1D_CACHE_REFILL=2
	! grep -q 'no known address' "$work/counts" || fail "told: $(cat "$work/counts")"
done

# A walk that the prefetcher does not follow
build64 walk preload.S
build64 walk_ahead preload.S -DAHEAD
for how in 'run --linux' stat; do
	counts "$how" generic-v9 walk L1D_CACHE_PRFM=0 L1D_CACHE_REFILL=65 L1D_CACHE_REFILL_PRFM=0
	counts "$how" generic-v9 walk_ahead L1D_CACHE_PRFM=64 L1D_CACHE_REFILL=2 L1D_CACHE_REFILL_PRFM=64 L1D_CACHE_HIT_PRFM=0 \
		L2D_CACHE_PRFM=64 L2D_CACHE_REFILL_PRFM=64 L1D_CACHE_REFILL_PRF=64
	for event in L2D_CACHE L2D_CACHE_REFILL L2D_CACHE_RD; do # any transaction from L1: the last line is one more
		without=$(value "$how $settings" cortex-a76 walk $event) with=$(value "$how $settings" cortex-a76 walk_ahead $event)
		[ -n "$with" ] && [ "$with" -gt "$without" ] || fail "$how, cortex-a76: $event $with with preloads, $without without"
	done
	for core in cortex-a35 cortex-a53 cortex-a55; do
		less "$(value "$how" $core walk_ahead CYCLES)" "$(value "$how" $core walk CYCLES)" 75 "$how, $core: cycles with preloads"
	done
done

# Compiled code: words at indices from an array
cat >"$work/gather.c" <<'C'
unsigned place[4096], data[65536 * 4];
unsigned sum = 1;
void _start(void)
{
	unsigned x = sum;
	for (unsigned i = 0; i < 4096; i++) {
		x = x * 1664525 + 1013904223;
		place[i] = x >> 14;
	}
	for (unsigned i = 0; i < 4096 - 16; i++) {
#ifdef AHEAD
		__builtin_prefetch(&data[place[i + 16]]);
#endif
		sum += data[place[i]];
	}
#ifdef __aarch64__
	__asm__ volatile("mov x0, #0\n\tmov x8, #93\n\tsvc #0");
#else
	__asm__ volatile("mov r0, #0\n\tmov r7, #1\n\tsvc #0");
#endif
}
C
for flags in '' -DAHEAD; do
	aarch64-linux-gnu-gcc -O2 -ffreestanding -nostdlib -static $flags "$work/gather.c" -o "$work/gather64$flags" || exit 1
	arm-linux-gnueabi-gcc -O2 -march=armv7-a -ffreestanding -nostdlib -static $flags "$work/gather.c" -o "$work/gather32$flags" || exit 1
done
# Little to gain: out of order the loads overlap anyway, and Cortex-A8's row has one MSHR.
for triple in cortex-a53:gather64:85 cortex-a72:gather64:99 neoverse-n1:gather64:100 cortex-a7:gather32:85 cortex-a8:gather32:97; do
	IFS=: read -r core program share <<<"$triple"
	less "$(value 'run --linux' "$core" "$program-DAHEAD" CYCLES)" "$(value 'run --linux' "$core" "$program" CYCLES)" "$share" \
		"$core: cycles with preloads"
	less "$(value 'run --linux' "$core" "$program-DAHEAD" L1D_CACHE_REFILL)" "$(value 'run --linux' "$core" "$program" L1D_CACHE_REFILL)" \
		50 "$core: refills with preloads"
done
finish
