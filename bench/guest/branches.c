/* SPDX-License-Identifier: MIT */
/* Branches: a small stack machine run over a program of its own, with calls and hard-to-predict choices. */
#include <stdint.h>
#include <stdio.h>

#define STEPS 5200000u
#define CODE  256u

static uint8_t code[CODE];
static uint32_t stack[16];

__attribute__((noinline)) static uint32_t collatz(uint32_t n)
{
	uint32_t steps = 0;

	while (n > 1 && steps < 12) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
	}
	return steps;
}

static uint32_t step(uint8_t op, uint32_t top, uint32_t below)
{
	switch (op & 7) {
	case 0: return top + below;
	case 1: return top ^ below << 1;
	case 2: return top > below ? top - below : below - top;
	case 3: return top * 5 + 1;
	case 4: return top + collatz(below | 1);
	case 5: return top >> 1 | below << 31;
	case 6: return below;
	default: return ~top;
	}
}

int main(void)
{
	uint32_t seed = 7;
	unsigned at = 0, sp = 0;

	for (unsigned i = 0; i < CODE; i++) {
		seed = seed * 1103515245u + 12345u;
		code[i] = (uint8_t)(seed >> 16);
	}
	for (uint32_t i = 0; i < STEPS; i++) {
		uint32_t top = stack[sp & 15], below = stack[(sp + 15) & 15];
		uint32_t made = step(code[at], top, below);
		stack[++sp & 15] = made + i;
		at = made & 1 ? (at + 1) % CODE : (at + (made >> 5)) % CODE;
	}
	printf("%08x\n", (unsigned)stack[sp & 15]);
	return 0;
}
