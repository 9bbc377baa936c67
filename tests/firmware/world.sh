#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What control registers, page tables and maintenance instructions do to what is counted: tests/firmware/src/world_*.c
# from reset on, with the core's own timing. Numbers: 100 turns are 99 taken branches; 64 loads, one every 64 bytes, are
# 64 accesses and lines; 512 NOPs are 64 lines of 32 bytes or 32 of 64, and what leads in and out of them.
. "$(dirname "$0")/lib.sh"

flags=(-std=gnu11 -O1 -g -Wall -Wextra -Werror -ffreestanding -fno-pic -nostdlib -static -I"$SRC"/examples/firmware)
link=(-T "$SRC"/examples/firmware/link.ld -Wl,--build-id=none,--no-warn-rwx-segments)
rt=$SRC/examples/firmware

# world CORE FLAG...: built for the core's family, run on it from reset.
world()
{
	local core=$1
	shift
	title="world on $core"
	if [[ "$*" = *PREFETCH* ]]; then
		aarch64-linux-gnu-gcc -mgeneral-regs-only -mstrict-align -no-pie "${flags[@]}" "$@" -DRT_UART=0x09000000u "${link[@]}" \
			-Wl,--defsym=RT_BASE=0x40200000 "$rt"/start_a64.S "$rt"/rt.c "$SRC"/tests/firmware/src/world_a64.c -o "$work/guest"
		set -- -b virt
	else
		arm-none-eabi-gcc -marm -mfloat-abi=soft -mno-unaligned-access "${flags[@]}" "$@" "${link[@]}" -Wl,--defsym=RT_BASE=0 \
			"$rt"/start_a32.S "$rt"/rt.c "$SRC"/tests/firmware/src/world_a32.c -lgcc -o "$work/guest"
		set --
	fi || fail "the guest does not build"
	timeout 60 "$APMU" run -c "$core" "$@" "$work/guest" >"$work/out" 2>"$work/err" || fail "$(head -n 2 "$work/err")"
}

# regions CORE ROW FLAG...: TCMs and MPU regions, with 16 KiB of each TCM; ROW: of spec/uarch.
regions()
{
	local core=$1 row=$2
	shift 2
	title="regions on $core"
	printf 'uarch tcm "16 KiB of each"\nlike %s\nitcm.size = 16384 "test"\ndtcm.size = 16384 "test"\n' "$row" >"$work/tcm.uarch"
	arm-none-eabi-gcc -marm -mfloat-abi=soft -mno-unaligned-access "${flags[@]}" "$@" "${link[@]}" -Wl,--defsym=RT_BASE=0 \
		"$rt"/start_a32.S "$rt"/rt.c "$SRC"/tests/firmware/src/world_regions.c -lgcc -o "$work/guest" || fail "the guest does not build"
	timeout 60 "$APMU" run -c "$core" --uarch "$work/tcm.uarch" "$work/guest" >"$work/out" 2>"$work/err" || fail "$(head -n 2 "$work/err")"
}

# What holds on each. ACCESSES: what 64 loads of a TCM count as; LINES: of the 512 NOPs. The register tells base, size
# (5: 16 KiB) and whether it is on; what goes round the NOPs has a line or two.
coupled()
{
	local accesses=$1 lines=$2
	want tcms 65537
	want region-register 5242901
	want tcm-first 0
	want tcm-accesses "$accesses"
	between behind-first 64 66
	want behind-accesses 64
	want off-first 64
	want off-accesses 64
	between code-before "$lines" $((lines + 6))
	between code-in-tcm 0 3
	want code-tcm-loads 0
	between code-behind "$lines" $((lines + 6))
}

# What holds on each. LINES: lines of the 512 NOPs. FILLS: refills of the 64 lines, fewer where a prefetcher runs ahead.
everywhere()
{
	local lines=$1 least=$2
	want reset-code-misses 0
	want reset-translations 0
	between code-first "$lines" $((lines + 6))
	between code-again 0 1 # a fetch beside the way that a branch cancels is looked up, where the layout has it so
	between code-invalidated "$lines" $((lines + 6))
	want code-off 0
	between data-first "$least" 64
	want data-again 0
	want data-accesses 64
	want data-one-line 1
	want data-on 0
	between data-emptied "$least" 64
	between pages-first "$least" 4
	want pages-again 0
}

predicts()
{
	want reset-mispredicted 99
	between predicted 0 20
	want unpredicted 99
}

# Looked up whatever the memory: AN195 7; XSCALE 8, event 0xA.
looked_up()
{
	want reset-accesses 64
	want reset-misses 64
	want data-off 64
	want normal-accesses 64
	want normal-misses 64
}

# DDI0487 and DDI0406C, L1D_CACHE and L1D_CACHE_REFILL: of cacheable memory.
passed_by()
{
	want reset-accesses 0
	want reset-misses 0
	want data-off 0
	want normal-accesses 0
}

# DDI0388I 7.4.3, A5TRM: Write-Through is treated as Non-cacheable, and so is what is shareable with ACTLR.SMP clear.
downgraded()
{
	want shared-accesses 0
	want through-accesses 0
	want coherent-again 0
	want coherent-accesses 64
}

for core in arm1136 arm1176; do
	world $core -mcpu=arm1136j-s -DWORLD_ARM11 -DWRITES -DWAY_BITS=2 -DLINE_BITS=5
	everywhere 64 4
	predicts
	looked_up
	# AN195 7: 0xA - 0x9. DDI0211K: without the MMU data are Strongly Ordered, and 0x12 counts those.
	want reset-uncached 64
	want reset-drained 64
	want normal-uncached 64
	want normal-drained 0
	want device-uncached 64
	want device-drained 0
	want ordered-uncached 64
	want ordered-drained 64
	# Half lines: one of each line that was stored to, and the stack's.
	between cleaned 64 70
	between cleaned-again 0 6
	want data-kept 0
	want pages-one 1
	between walks-first 4 6
	want walks-again 0
	between unlocked-misses 56 64
	want locked-misses 0
	want static-alone 1
	want none-of-three 99
	# DDI0301H 6.7.1: shareable memory is not cached at level one.
	want shared-again 64
	want shared-accesses 64
	want through-again 0

	# DDI0301H 7.3, AN195 7: an access to a TCM counts as cacheable and never misses, MMU or not; code comes from ITCM alone.
	regions $core $core -mcpu=arm1136j-s -DWORLD_ARM11
	want before-cacheable 0
	want early-cacheable 64
	want early-drained 0
	coupled 64 64
	between code-in-data-tcm 64 70
done

# DDI0363E 7.1: the default map (RAM below 1 GiB is cacheable), then the region of the highest number, with subregions;
# 8.7: only Normal Non-shared memory is cached. Both TCMs hold code and data, and are no cache.
for core in cortex-r4 cortex-r5; do
	regions $core $core -march=armv7-r -DWORLD_ARMV7 -DWORLD_PMSA
	want reset-accesses 0
	want default-first 64
	want default-again 0
	want default-1-accesses 64
	want default-6-accesses 64
	want region-chosen 7
	want normal-again 0
	want normal-accesses 64
	want uncached-accesses 0
	want device-accesses 0
	want ordered-accesses 0
	want shared-accesses 0
	want subregion-accesses 64
	want others-accesses 0
	want small-accesses 60
	between code-first 64 70
	between code-uncached 0 3
	between code-cached 64 70
	want region-off 64
	coupled 0 64
	between code-in-data-tcm 0 3
done

world xscale2 -mcpu=xscale -DWORLD_XSCALE2
everywhere 64 4
predicts
looked_up
want pages-one 1
# 80200 4.3.4, 6.4, 7.2.10: each line filled in lock mode stays, also where all is invalidated.
want locked-first 64
want locked-misses 0
want locked-kept 0
want unlocked-misses 64
# XSCALE 7.2.8: no fetch, no miss; the guest's own lines may be in the way.
between allocating-misses 0 1
want allocated-misses 0
want allocated-kept 0
want allocated-gone 64
between code-locked 0 6
between code-unlocked 64 70

world cortex-a8 -march=armv7-a -DWORLD_ARMV7 -DWAY_BITS=2 -DLINE_BITS=6
everywhere 32 1
predicts
passed_by
want pages-one 1

world cortex-a9 -march=armv7-a -DWORLD_ARMV7 -DWAY_BITS=2 -DLINE_BITS=5 '-DSMP=(1 << 6)'
everywhere 64 1
predicts
passed_by
downgraded
want pages-one 1

world cortex-a5 -march=armv7-a -DWORLD_ARMV7 -DWAY_BITS=2 -DLINE_BITS=5 '-DSMP=(1 << 6)'
passed_by
downgraded

world cortex-a15 -march=armv7-a -DWORLD_ARMV7 -DWRITES -DWAY_BITS=1 -DLINE_BITS=6
everywhere 32 1
predicts
passed_by
between cleaned 64 70
between cleaned-again 0 6
want data-kept 0

world cortex-a53 -DPREFETCH_OFF=0x090C0000 -DPREFETCH_ON=0x090CA000 -DTUNED
everywhere 32 1
passed_by
want reset-bus 1
want device-accesses 0
want ordered-accesses 0
want cleaned 64
want cleaned-again 0
want data-kept 0
want pages-one 1
want data-alone 64
between data-ahead 1 32
# A53TRM 4.3, CPUACTLR_EL1: a step more before a stream starts; two streams in turn have one place; what waits for lines
# that may not come together; from which line in a row on stores pass L1 by.
want step-later $(($(value data-ahead) + 1))
want one-stream 64
between two-streams 4 8
[ "$(value one-on-its-way)" -gt $((2 * $(value five-on-their-way))) ] || fail "one line on its way takes no longer"
between runs-4 60 61
between runs-64 0 1
want runs-128 0
want runs-never 0
between runs-of-words 0 1
# A53TRM: what is not Write-Back by both attributes is Non-cacheable.
want through-accesses 0
want inside-accesses 0

# A72TRM 6.4.9: CPUACTLR_EL1[56] switches the load/store prefetcher off.
world cortex-a72 -DPREFETCH_OFF='(1ull << 56)' -DPREFETCH_ON=0
want data-alone 64
between data-ahead 1 32
finish
