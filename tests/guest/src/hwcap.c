/* SPDX-License-Identifier: MIT */
/* What a program that asks sees of its core: the two words of capabilities, MIDR_EL1, bytes of DC ZVA and of
 * an SVE vector. */
#include <stdio.h>
#include <sys/auxv.h>

#define HWCAP_WORD  16
#define HWCAP2_WORD 26
#define HAS_SVE     (1ul << 22)

int main(void)
{
	unsigned long first = getauxval(HWCAP_WORD), midr, zero, vector = 0;

	__asm__("mrs %0, MIDR_EL1" : "=r"(midr));
	__asm__("mrs %0, DCZID_EL0" : "=r"(zero));
	if (first & HAS_SVE)
		__asm__(".arch armv8-a+sve\n\tcntb %0" : "=r"(vector));
	printf("%lx %lx %lx %lu %lu\n", first, getauxval(HWCAP2_WORD), midr, 4ul << (zero & 15), vector);
	return 0;
}
