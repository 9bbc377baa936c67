#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Accesses that one callback reports as a group miss at their own addresses: two lines of every 256 bytes, 8192 times, whatever else is wanted.
. "$SRC/tests/guest/lib.sh"
aarch64-linux-gnu-gcc -nostdlib -static -Wa,--fatal-warnings "$SRC/tests/guest/src/grouped.S" -o "$work/grouped" || exit 1
printf '%s\n' 'like cortex-a53' 'prefetch.streams = 0' >"$work/alone"
for events in L1D_CACHE_REFILL L1D_CACHE_REFILL,L1D_TLB_REFILL L1D_CACHE_REFILL,L1D_CACHE L1D_CACHE_REFILL,cycles; do
	misses=$("$APMU" stat -c cortex-a53 --uarch "$work/alone" -x, -e "$events" -- "$work/grouped" 2>&1 | grep L1D_CACHE_REFILL | cut -d, -f1)
	[ "$misses" = 16384 ] || fail "with $events: $misses lines were brought, not 16384"
done

# A base that an instruction changes in a way that is not followed: each access has an address of its own.
printf '%s\n' 'like neoverse-n2' 'prefetch.streams = 0' >"$work/alone"
for how in -DVECTOR -DTAG; do
	aarch64-linux-gnu-gcc -nostdlib -static "$how" "$SRC/tests/guest/src/grouped_unknown.S" -o "$work/unknown" || exit 1
	for events in L1D_CACHE_REFILL L1D_CACHE_REFILL,cycles; do
		misses=$("$APMU" stat -c neoverse-n2 --uarch "$work/alone" -x, -e "$events" -- "$work/unknown" 2>&1 | grep L1D_CACHE_REFILL | cut -d, -f1)
		[ "$misses" = 2000 ] || fail "$how, with $events: $misses lines were brought, not 2000"
	done
done
finish
