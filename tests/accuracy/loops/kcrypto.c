/* SPDX-License-Identifier: MIT */
/*
 * Calls assembly of Linux's crypto routines on messages of 4096 bytes that L1 holds.
 *
 *   kcrypto-a64 NAME ROUNDS, kcrypto-a32 NAME ROUNDS
 *
 * prints how many bytes a round takes. A run with twice the rounds less a run with ROUNDS leaves the routine
 * alone. AES runs on tables and keys of arbitrary words: its time does not depend on them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 4096
static unsigned char in[BYTES + 64] __attribute__((aligned(64))),
	out[BYTES + 64] __attribute__((aligned(64)));
static unsigned char iv[16] __attribute__((aligned(16))), slices[8192 + 16] __attribute__((aligned(64)));
static unsigned char *const sliced =
	slices + 16; /* behind the number of rounds, as in Linux: its stores are aligned to 32 bytes */
static uint32_t key[60] __attribute__((aligned(64)));

/* crypto/aes_generic.c, lib/crypto/aes.c */
uint32_t crypto_ft_tab[256] __attribute__((aligned(64))), crypto_it_tab[256] __attribute__((aligned(64)));
unsigned char crypto_aes_sbox[256] __attribute__((aligned(64))),
	crypto_aes_inv_sbox[256] __attribute__((aligned(64)));

static void fill(void *to, size_t bytes)
{
	static uint32_t state = 1;
	for (size_t i = 0; i < bytes; i++) {
		state = state * 1664525 + 1013904223;
		((unsigned char *)to)[i] = (unsigned char)(state >> 24);
	}
}

static void prepare(void)
{
	fill(in, BYTES);
	fill(iv, sizeof iv);
	fill(key, sizeof key);
	fill(crypto_ft_tab, sizeof crypto_ft_tab);
	fill(crypto_it_tab, sizeof crypto_it_tab);
	fill(crypto_aes_sbox, sizeof crypto_aes_sbox);
	fill(crypto_aes_inv_sbox, sizeof crypto_aes_inv_sbox);
}

void aesbs_convert_key(unsigned char *to, const uint32_t *from, int rounds);

#ifdef __aarch64__
void __aes_arm64_encrypt(const uint32_t *key, void *to, const void *from, int rounds);
void neon_aes_ecb_encrypt(void *to, const void *from, const uint32_t *key, int rounds, int blocks);
void aesbs_ecb_encrypt(void *to, const void *from, const void *key, int rounds, int blocks);

static void aes(void)
{
	for (int i = 0; i < BYTES; i += 16)
		__aes_arm64_encrypt(key, out + i, in + i, 10);
}
static void aes_neon_ecb(void)
{
	neon_aes_ecb_encrypt(out, in, key, 10, BYTES / 16);
}
static void aes_sliced_ecb(void)
{
	aesbs_ecb_encrypt(out, in, sliced, 10, BYTES / 16);
}
#else
void __aes_arm_encrypt(const uint32_t *key, int rounds, const void *from, void *to);
void aesbs_xts_encrypt(void *to, const void *from, const void *key, int rounds, int blocks, void *iv, int);
void aesbs_xts_decrypt(void *to, const void *from, const void *key, int rounds, int blocks, void *iv, int);
void blake2b_compress_neon(void *state, const void *from, size_t blocks, uint32_t bytes_of_a_block);
void blake2s_compress(void *state, const void *from, size_t blocks, uint32_t bytes_of_a_block);
void chacha_4block_xor_neon(const uint32_t *state, void *to, const void *from, int rounds, unsigned bytes);
void nh_neon(const uint32_t *key, const void *from, size_t bytes, void *hash);
void sha1_block_data_order(void *state, const void *from, unsigned blocks);
void sha1_transform_neon(void *state, const void *from, unsigned blocks);
void sha256_block_data_order(void *state, const void *from, int blocks);
void sha256_block_data_order_neon(void *state, const void *from, unsigned blocks);

static uint64_t state[16] __attribute__((aligned(64)));
static uint32_t nh_key[(1024 + 48) / 4] __attribute__((aligned(64)));

/* The first tweak is a block of the scalar cipher; the rest is bit-sliced. */
#define XTS(name, crypt, rounds)                                      \
	static void name(void)                                        \
	{                                                             \
		unsigned char tweak[16] __attribute__((aligned(8)));  \
		__aes_arm_encrypt(key, rounds, iv, tweak);            \
		crypt(out, in, sliced, rounds, BYTES / 16, tweak, 0); \
	}
XTS(xts_128, aesbs_xts_encrypt, 10)
XTS(xts_128_decrypt, aesbs_xts_decrypt, 10)
XTS(xts_256, aesbs_xts_encrypt, 14)
XTS(xts_256_decrypt, aesbs_xts_decrypt, 14)

static void blake2b(void)
{
	blake2b_compress_neon(state, in, BYTES / 128, 128);
}
static void blake2s(void)
{
	blake2s_compress(state, in, BYTES / 64, 64);
}

static void chacha(int rounds)
{
	uint32_t *words = (uint32_t *)state;
	for (int i = 0; i < BYTES; i += 256, words[12] += 4)
		chacha_4block_xor_neon(words, out + i, in + i, rounds, 256);
}
static void chacha20(void)
{
	chacha(20);
}
static void chacha12(void)
{
	chacha(12);
}
static void chacha8(void)
{
	chacha(8);
}

/* The key lasts for 1024 bytes. */
static void nh(void)
{
	for (int i = 0; i < BYTES; i += 1024)
		nh_neon(nh_key, in + i, 1024, state);
}

/* SHA pads a message of 4096 bytes with one more block. */
#define SHA(name, function)                      \
	static void name(void)                   \
	{                                        \
		function(state, in, BYTES / 64); \
		function(state, out, 1);         \
	}
SHA(sha1, sha1_block_data_order)
SHA(sha1_neon, sha1_transform_neon)
SHA(sha256, sha256_block_data_order)
SHA(sha256_neon, sha256_block_data_order_neon)
#endif

static const struct row {
	const char *name;
	void (*run)(void);
	int rounds; /* of AES, whose key is bit-sliced first */
} rows[] = {
#ifdef __aarch64__
	{"aes", aes, 0},
	{"aes-neon-ecb", aes_neon_ecb, 0},
	{"aes-sliced-ecb", aes_sliced_ecb, 10},
#else
	{"aes-128-xts", xts_128, 10},
	{"aes-128-xts-decrypt", xts_128_decrypt, 10},
	{"aes-256-xts", xts_256, 14},
	{"aes-256-xts-decrypt", xts_256_decrypt, 14},
	{"blake2b-neon", blake2b, 0},
	{"blake2s", blake2s, 0},
	{"chacha20-neon", chacha20, 0},
	{"chacha12-neon", chacha12, 0},
	{"chacha8-neon", chacha8, 0},
	{"nh-neon", nh, 0},
	{"sha1", sha1, 0},
	{"sha1-neon", sha1_neon, 0},
	{"sha256", sha256, 0},
	{"sha256-neon", sha256_neon, 0},
#endif
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(argv[1], rows[i].name) != 0)
			continue;
		prepare();
		if (rows[i].rounds)
			aesbs_convert_key(sliced, key, rows[i].rounds);
		for (long n = atol(argv[2]); n > 0; n--)
			rows[i].run();
		printf("%d\n", BYTES);
		return 0;
	}
	fprintf(stderr, "usage: %s NAME ROUNDS\n", argv[0]);
	return 2;
}
