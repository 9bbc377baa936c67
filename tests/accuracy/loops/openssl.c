/* SPDX-License-Identifier: MIT */
/*
 * Calls OpenSSL's assembly routines on a buffer that L1 holds.
 *
 *   openssl-a64 NAME ROUNDS, openssl-a32 NAME ROUNDS
 *
 * prints how many bytes a round takes. A run with twice the rounds less a run with ROUNDS leaves the routine
 * alone.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* crypto/arm_arch.h: which path a routine takes */
#define NEON   (1u << 0)
#define AES    (1u << 2)
#define SHA1   (1u << 3)
#define SHA256 (1u << 4)
#define PMULL  (1u << 5)
unsigned OPENSSL_armcap_P;

#define BYTES 4096
static unsigned char in[BYTES + 64] __attribute__((aligned(64))),
	out[BYTES + 64] __attribute__((aligned(64)));
static unsigned char state[1024] __attribute__((aligned(64))), iv[16], key[32];
static struct {
	uint32_t word[4 * 15];
	int rounds;
} schedule __attribute__((aligned(64))); /* AES_KEY */
static struct {
	uint64_t high, low;
} table[16] __attribute__((aligned(64))); /* u128 */

typedef void hash(void *state, const void *in, size_t blocks);
hash sha1_block_data_order, sha256_block_data_order, sha512_block_data_order;

int aes_v8_set_encrypt_key(const unsigned char *key, int bits, void *schedule);
int aes_v8_set_decrypt_key(const unsigned char *key, int bits, void *schedule);
void aes_v8_cbc_encrypt(const void *in, void *out, size_t bytes, const void *schedule, void *iv, int encrypt);
void aes_v8_ctr32_encrypt_blocks(const void *in, void *out, size_t blocks, const void *schedule,
				 const void *iv);
void gcm_init_v8(void *table, const uint64_t h[2]);
void gcm_ghash_v8(void *x, const void *table, const void *in, size_t bytes);
void ChaCha20_ctr32(void *out, const void *in, size_t bytes, const uint32_t key[8],
		    const uint32_t counter[4]);
size_t SHA3_absorb(void *state, const void *in, size_t bytes, size_t rate);
int poly1305_init(void *context, const unsigned char key[16], void *functions);

#define SHA(name, cap, block, function)               \
	static size_t name(void)                      \
	{                                             \
		OPENSSL_armcap_P = (cap);             \
		function(state, in, BYTES / (block)); \
		return BYTES;                         \
	}
SHA(sha1_plain, 0, 64, sha1_block_data_order)
SHA(sha1_ce, NEON | SHA1, 64, sha1_block_data_order)
SHA(sha256_plain, 0, 64, sha256_block_data_order)
SHA(sha256_ce, NEON | SHA256, 64, sha256_block_data_order)
SHA(sha512_plain, 0, 128, sha512_block_data_order)

static void aes_prepare(void)
{
	OPENSSL_armcap_P = NEON | AES;
	aes_v8_set_encrypt_key(key, 128, &schedule);
}
static void aes_prepare_decrypt(void)
{
	OPENSSL_armcap_P = NEON | AES;
	aes_v8_set_decrypt_key(key, 128, &schedule);
}
static size_t aes_cbc_encrypt(void)
{
	aes_v8_cbc_encrypt(in, out, BYTES, &schedule, iv, 1);
	return BYTES;
}
static size_t aes_cbc_decrypt(void)
{
	aes_v8_cbc_encrypt(in, out, BYTES, &schedule, iv, 0);
	return BYTES;
}
static size_t aes_ctr(void)
{
	aes_v8_ctr32_encrypt_blocks(in, out, BYTES / 16, &schedule, iv);
	return BYTES;
}

static void ghash_prepare(void)
{
	static const uint64_t h[2] = {0x66e94bd4ef8a2c3b, 0x884cfa59ca342b2e};
	OPENSSL_armcap_P = NEON | PMULL;
	gcm_init_v8(table, h);
}
static size_t ghash(void)
{
	gcm_ghash_v8(state, table, in, BYTES);
	return BYTES;
}

static size_t chacha_plain(void)
{
	OPENSSL_armcap_P = 0;
	ChaCha20_ctr32(out, in, BYTES, (const uint32_t *)(void *)key, (const uint32_t *)(void *)iv);
	return BYTES;
}
static size_t chacha_neon(void)
{
	OPENSSL_armcap_P = NEON;
	ChaCha20_ctr32(out, in, BYTES, (const uint32_t *)(void *)key, (const uint32_t *)(void *)iv);
	return BYTES;
}

static size_t keccak(void)
{
	SHA3_absorb(state, in, 4080 / 136 * 136, 136);
	return 4080;
}

typedef void poly_blocks(void *context, const void *in, size_t bytes, uint32_t pad);
static poly_blocks *poly_functions[2];
static void poly_key(int (*init)(void *, const unsigned char *, void *), unsigned cap, poly_blocks *otherwise)
{
	OPENSSL_armcap_P = cap;
	poly_functions[0] = otherwise;
	memset(state, 0, sizeof state);
	init(state, (const unsigned char *)"0123456789abcdef", poly_functions);
}
static size_t poly(void)
{
	poly_functions[0](state, in, BYTES, 1);
	return BYTES;
}

#ifdef __aarch64__
poly_blocks poly1305_blocks;
static void poly_prepare(void)
{
	poly_key(poly1305_init, 0, poly1305_blocks);
}
static void poly_prepare_neon(void)
{
	poly_key(poly1305_init, NEON, poly1305_blocks);
}

/* The same file, with the code for 512 bytes and more never taken. */
void chacha_4_1_ctr32(void *out, const void *in, size_t bytes, const uint32_t key[8],
		      const uint32_t counter[4]);
static size_t chacha_neon_4_1(void)
{
	OPENSSL_armcap_P = NEON;
	chacha_4_1_ctr32(out, in, 12 * 320, (const uint32_t *)(void *)key, (const uint32_t *)(void *)iv);
	return 12 * 320;
}

int vpaes_set_encrypt_key(const unsigned char *key, int bits, void *schedule);
int vpaes_set_decrypt_key(const unsigned char *key, int bits, void *schedule);
void vpaes_cbc_encrypt(const void *in, void *out, size_t bytes, const void *schedule, void *iv, int encrypt);
void vpaes_ecb_encrypt(const void *in, void *out, size_t bytes, const void *schedule);
void vpaes_ecb_decrypt(const void *in, void *out, size_t bytes, const void *schedule);
static void vpaes_prepare(void)
{
	vpaes_set_encrypt_key(key, 128, &schedule);
}
static void vpaes_prepare_decrypt(void)
{
	vpaes_set_decrypt_key(key, 128, &schedule);
}
static size_t vpaes_cbc(void)
{
	vpaes_cbc_encrypt(in, out, BYTES, &schedule, iv, 1);
	return BYTES;
}
static size_t vpaes_ecb(void)
{
	vpaes_ecb_encrypt(in, out, BYTES, &schedule);
	return BYTES;
}
static size_t vpaes_ecb_back(void)
{
	vpaes_ecb_decrypt(in, out, BYTES, &schedule);
	return BYTES;
}
#else
SHA(sha1_neon, NEON, 64, sha1_block_data_order)
SHA(sha256_neon, NEON, 64, sha256_block_data_order)
SHA(sha512_neon, NEON, 128, sha512_block_data_order)

/* poly1305-armv4.pl for Armv6: both loops of the file, its integer one loads bytes. */
int v6_poly1305_init(void *context, const unsigned char key[16], void *functions);
poly_blocks poly1305_blocks, v6_poly1305_blocks;
static void poly_prepare(void)
{
	poly_key(v6_poly1305_init, 0, v6_poly1305_blocks);
}
static void poly_prepare_neon(void)
{
	poly_key(poly1305_init, NEON, poly1305_blocks);
}

size_t t32_SHA3_absorb(void *state, const void *in, size_t bytes, size_t rate);
size_t SHA3_absorb_neon(void *state, const void *in, size_t bytes, size_t rate);
size_t v6_SHA3_absorb(void *state, const void *in, size_t bytes, size_t rate);
static size_t keccak_v6(void)
{
	v6_SHA3_absorb(state, in, 4080, 136);
	return 4080;
}
static size_t keccak_t32(void)
{
	t32_SHA3_absorb(state, in, 4080, 136);
	return 4080;
}
static size_t keccak_neon(void)
{
	SHA3_absorb_neon(state, in, 4080, 136);
	return 4080;
}

void gcm_init_neon(void *table, const uint64_t h[2]);
void gcm_ghash_neon(void *x, const void *table, const void *in, size_t bytes);
void gcm_ghash_4bit(void *x, const void *table, const void *in, size_t bytes);
static void ghash_prepare_neon(void)
{
	static const uint64_t h[2] = {0x66e94bd4ef8a2c3b, 0x884cfa59ca342b2e};
	gcm_init_neon(table, h);
}
static size_t ghash_neon(void)
{
	gcm_ghash_neon(state, table, in, BYTES);
	return BYTES;
}
static size_t ghash_4bit(void)
{
	gcm_ghash_4bit(state, table, in, BYTES);
	return BYTES;
}

int AES_set_encrypt_key(const unsigned char *key, int bits, void *schedule);
void AES_encrypt(const void *in, void *out, const void *schedule);
static void aes_prepare_plain(void)
{
	AES_set_encrypt_key(key, 128, &schedule);
}
static size_t aes_plain(void)
{
	for (int i = 0; i < BYTES; i += 16)
		AES_encrypt(in + i, out + i, &schedule);
	return BYTES;
}

int AES_set_decrypt_key(const unsigned char *key, int bits, void *schedule);
void AES_decrypt(const void *in, void *out, const void *schedule);
void ossl_bsaes_cbc_encrypt(const void *in, void *out, size_t bytes, const void *schedule, void *iv,
			    int encrypt);
void ossl_bsaes_ctr32_encrypt_blocks(const void *in, void *out, size_t blocks, const void *schedule,
				     const void *iv);
/* What CBC encrypts with; bsaes links to it. Never called. */
void AES_cbc_encrypt(void);
void AES_cbc_encrypt(void)
{
	abort();
}
static void bsaes_prepare_decrypt(void)
{
	AES_set_decrypt_key(key, 128, &schedule);
}
static size_t bsaes_cbc_decrypt(void)
{
	ossl_bsaes_cbc_encrypt(in, out, BYTES, &schedule, iv, 0);
	return BYTES;
}
static size_t bsaes_ctr(void)
{
	ossl_bsaes_ctr32_encrypt_blocks(in, out, BYTES / 16, &schedule, iv);
	return BYTES;
}
#endif

static const struct row {
	const char *name;
	void (*prepare)(void);
	size_t (*run)(void);
} rows[] = {
	{"sha1", 0, sha1_plain},
	{"sha1-ce", 0, sha1_ce},
	{"sha256", 0, sha256_plain},
	{"sha256-ce", 0, sha256_ce},
	{"sha512", 0, sha512_plain},
	{"aes-ce-cbc", aes_prepare, aes_cbc_encrypt},
	{"aes-ce-cbc-decrypt", aes_prepare_decrypt, aes_cbc_decrypt},
	{"aes-ce-ctr", aes_prepare, aes_ctr},
	{"ghash-pmull", ghash_prepare, ghash},
	{"chacha", 0, chacha_plain},
	{"chacha-neon", 0, chacha_neon},
	{"keccak", 0, keccak},
	{"poly1305", poly_prepare, poly},
	{"poly1305-neon", poly_prepare_neon, poly},
#ifdef __aarch64__
	{"chacha-neon-4-1", 0, chacha_neon_4_1},
	{"vpaes-cbc", vpaes_prepare, vpaes_cbc},
	{"vpaes-ecb", vpaes_prepare, vpaes_ecb},
	{"vpaes-ecb-decrypt", vpaes_prepare_decrypt, vpaes_ecb_back},
#else
	{"sha1-neon", 0, sha1_neon},
	{"sha256-neon", 0, sha256_neon},
	{"sha512-neon", 0, sha512_neon},
	{"keccak-v6", 0, keccak_v6},
	{"keccak-t32", 0, keccak_t32},
	{"keccak-neon", 0, keccak_neon},
	{"ghash-neon", ghash_prepare_neon, ghash_neon},
	{"ghash-4bit", 0, ghash_4bit},
	{"aes", aes_prepare_plain, aes_plain},
	{"bsaes-ctr", aes_prepare_plain, bsaes_ctr},
	{"bsaes-cbc-decrypt", bsaes_prepare_decrypt, bsaes_cbc_decrypt},
#endif
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(argv[1], rows[i].name) != 0)
			continue;
		size_t bytes = 0;
		for (size_t k = 0; k < BYTES; k++)
			in[k] = (unsigned char)(k * 167 + (k >> 8));
		if (rows[i].prepare)
			rows[i].prepare();
		for (long n = atol(argv[2]); n > 0; n--)
			bytes = rows[i].run();
		printf("%zu\n", bytes);
		return 0;
	}
	fprintf(stderr, "usage: %s NAME ROUNDS\n", argv[0]);
	return 2;
}
