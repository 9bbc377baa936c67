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

# What holds on each. LINES: lines of the 512 NOPs. FILLS: refills of the 64 lines, fewer where a prefetcher runs ahead.
everywhere()
{
	local lines=$1 least=$2
	want reset-code-misses 0
	want reset-translations 0
	between code-first "$lines" $((lines + 6))
	want code-again 0
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
done

world xscale2 -mcpu=xscale -DWORLD_XSCALE2
everywhere 64 4
predicts
looked_up
want pages-one 1

world cortex-a8 -march=armv7-a -DWORLD_ARMV7 -DWAY_BITS=2 -DLINE_BITS=6
everywhere 32 1
predicts
passed_by
want pages-one 1

world cortex-a9 -march=armv7-a -DWORLD_ARMV7 -DWAY_BITS=2 -DLINE_BITS=5
everywhere 64 1
predicts
passed_by
want pages-one 1

world cortex-a15 -march=armv7-a -DWORLD_ARMV7 -DWRITES -DWAY_BITS=1 -DLINE_BITS=6
everywhere 32 1
predicts
passed_by
between cleaned 64 70
between cleaned-again 0 6
want data-kept 0

world cortex-a53 -DPREFETCH_OFF=0x090C0000 -DPREFETCH_ON=0x090CA000
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

# A72TRM 6.4.9: CPUACTLR_EL1[56] switches the load/store prefetcher off.
world cortex-a72 -DPREFETCH_OFF='(1ull << 56)' -DPREFETCH_ON=0
want data-alone 64
between data-ahead 1 32
finish
