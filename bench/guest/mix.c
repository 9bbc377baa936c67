/* SPDX-License-Identifier: MIT */
/* Integer work with little memory traffic: a bitwise CRC, a shell sort, a matrix product. */
#include <stdint.h>
#include <stdio.h>

#define BYTES  4096u
#define KEYS   2048u
#define SIDE   24u
#define ROUNDS 420u

static uint8_t text[BYTES];
static uint32_t keys[KEYS], a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];

static uint32_t draw(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static uint32_t crc(void)
{
	uint32_t sum = 0xFFFFFFFF;

	for (unsigned i = 0; i < BYTES; i++) {
		sum ^= text[i];
		for (unsigned bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (0xEDB88320u & -(sum & 1));
	}
	return ~sum;
}

static void sort(void)
{
	for (unsigned gap = KEYS / 2; gap; gap /= 2)
		for (unsigned i = gap; i < KEYS; i++) {
			uint32_t key = keys[i];
			unsigned j = i;
			for (; j >= gap && keys[j - gap] > key; j -= gap)
				keys[j] = keys[j - gap];
			keys[j] = key;
		}
}

static void multiply(void)
{
	for (unsigned i = 0; i < SIDE; i++)
		for (unsigned j = 0; j < SIDE; j++) {
			uint32_t sum = 0;
			for (unsigned k = 0; k < SIDE; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
}

int main(void)
{
	uint32_t seed = 1, sum = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < BYTES; i++)
			text[i] = (uint8_t)draw(&seed);
		for (unsigned i = 0; i < KEYS; i++)
			keys[i] = draw(&seed);
		for (unsigned i = 0; i < SIDE * SIDE; i++)
			a[i / SIDE][i % SIDE] = b[i % SIDE][i / SIDE] = draw(&seed);
		sum += crc();
		sort();
		multiply();
		sum += keys[KEYS / 2] + c[1][2];
	}
	printf("%08x\n", (unsigned)sum);
	return 0;
}
