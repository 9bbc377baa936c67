# SPDX-License-Identifier: MIT
# Vectors of 128 bits, which QEMU 7.2 reports in halves, at addresses that are and are not multiples of 16, and over a line's end;
# vectors that are loaded from where they were just stored; A32's D registers, which the models keep in halves.
. "$SRC/tests/guest/lib.sh"

# OFFSET, unaligned loads and stores, loads and stores over the end of a line of 64 bytes; the pair has the second vector at OFFSET + 16
while read -r offset unaligned loads stores; do
	aarch64-linux-gnu-gcc -nostdlib -static -DOFFSET="$offset" "$SRC/tests/guest/src/halves_a64.S" -o "$work/at$offset" || exit 1
	counts stat neoverse-n1 "at$offset" UNALIGNED_LD_SPEC="$unaligned" UNALIGNED_ST_SPEC="$unaligned"
	counts stat cortex-a520 "at$offset" LD_ALIGN_LAT="$loads" ST_ALIGN_LAT="$stores"
done <<'END'
0 0 0 0
8 1000 0 0
4 1000 0 0
40 1000 0 1000
48 0 0 0
56 1000 1000 1000
60 1000 1000 1000
END
# out of order a load takes its vector from the store, as one access, wherever in a line it is
for offset in 0 1 8 33; do
	aarch64-linux-gnu-gcc -nostdlib -static -DOFFSET=$offset '-DINSN=ldr q0, [x1]; str q0, [x1]' "$SRC/tests/guest/src/repeat.S" \
		-o "$work/back$offset" || exit 1
done
for core in cortex-a72 neoverse-n1; do
	cycles=$("$APMU" stat -x, -c $core -e cycles -- "$work/back0" 2>&1 >/dev/null | head -n 1 | cut -d, -f1)
	for offset in 1 8 33; do
		counts stat $core back$offset cycles="$cycles"
	done
done
for d in d0 d16; do # the first addition waits for nothing
	arm $d halves_a32 -DD=$d
	counts stat cortex-a53 $d SIMD_DEP_STALL=7996 OTHER_INTERLOCK_STALL=0
	counts stat cortex-a8 $d CYCLES_NEON_DATA_STALL=0
done
finish
