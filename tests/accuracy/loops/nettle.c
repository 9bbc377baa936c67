/* SPDX-License-Identifier: MIT */
/*
 * Calls assembly of Nettle on 10240 bytes that L1 holds, as its own nettle-benchmark does.
 *
 *   nettle-a32 NAME ROUNDS
 *
 * prints how many blocks (of AES) or bytes a round takes. A run with twice the rounds less a run with ROUNDS
 * leaves the routine alone. AES runs on tables and keys of arbitrary words: its time does not depend on them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 10240
static unsigned char data[BYTES] __attribute__((aligned(64))), other[BYTES] __attribute__((aligned(64)));
static uint32_t keys[60] __attribute__((aligned(64))), table[64 + 4 * 256] __attribute__((aligned(64)));

void _nettle_aes_encrypt(unsigned rounds, const uint32_t *keys, const void *table, size_t length, void *to,
			 const void *from);
void nettle_memxor(void *to, const void *from, size_t length);
void nettle_memxor3(void *to, const void *a, const void *b, size_t length);

static void fill(void *to, size_t bytes)
{
	static uint32_t state = 1;
	for (size_t i = 0; i < bytes; i++) {
		state = state * 1664525 + 1013904223;
		((unsigned char *)to)[i] = (unsigned char)(state >> 24);
	}
}

static int aes(unsigned rounds)
{
	_nettle_aes_encrypt(rounds, keys, table, BYTES, data, data);
	return BYTES / 16;
}
static int aes128(void)
{
	return aes(10);
}
static int aes192(void)
{
	return aes(12);
}
static int aes256(void)
{
	return aes(14);
}
static int memxor(void)
{
	nettle_memxor(data, other, BYTES);
	return BYTES;
}
static int memxor3(void)
{
	nettle_memxor3(data, data, other, BYTES);
	return BYTES;
}

static const struct row {
	const char *name;
	int (*run)(void);
} rows[] = {
	{"aes128", aes128}, {"aes192", aes192}, {"aes256", aes256}, {"memxor", memxor}, {"memxor3", memxor3}};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(argv[1], rows[i].name) != 0)
			continue;
		int units = 0;
		fill(data, sizeof data);
		fill(other, sizeof other);
		fill(keys, sizeof keys);
		fill(table, sizeof table);
		for (long n = atol(argv[2]); n > 0; n--)
			units = rows[i].run();
		printf("%d\n", units);
		return 0;
	}
	fprintf(stderr, "usage: %s NAME ROUNDS\n", argv[0]);
	return 2;
}
