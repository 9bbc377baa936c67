# SPDX-License-Identifier: MIT
# Our rows and Capstone agree on which instructions are branches and which access memory, on whole binaries and random words.
. "$SRC/tests/guest/lib.sh"

cat >"$work/big.c" <<'C'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int n, char **argv)
{
	double x = atof(argv[n > 1]);
	qsort(argv, (size_t)n, sizeof(*argv), order);
	return printf("%f %f\n", sin(x) / n, sqrt(x)) < 0;
}
C
arm-linux-gnueabi-gcc -O2 -static "$work/big.c" -o "$work/a32" -lm || exit 1
aarch64-linux-gnu-gcc -O2 -static "$work/big.c" -o "$work/a64" -lm || exit 1
for flags in "-marm -mcpu=xscale" "-mthumb -mcpu=arm926ej-s" "-mthumb -mcpu=cortex-a15 -mfpu=neon-vfpv4 -mfloat-abi=softfp" \
	"-marm -mcpu=cortex-a15 -mfpu=neon-vfpv4 -mfloat-abi=softfp"; do
	i=$((${i:-0} + 1))
	for program in mix random branches; do
		arm-linux-gnueabi-gcc -O3 -ffast-math $flags -c "$SRC/bench/guest/$program.c" -o "$work/$program$i.o" || exit 1
	done
	arm-linux-gnueabi-gcc -nostdlib -static -Wl,--unresolved-symbols=ignore-all -Wl,-z,muldefs -Wl,-emain \
		"$work"/*"$i.o" -o "$work/bench$i" || exit 1
done

"$BUILD/tests/guest/capstone_check" "$work/a32" "$work/a64" "$work"/bench[1-4] a32 t32 a64 || fail "differences that are not listed"
finish
