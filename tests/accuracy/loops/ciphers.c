/* SPDX-License-Identifier: MIT */
/*
 * Calls other libraries of cryptography as programs would: ciphers LIBRARY WHAT NAME COUNT
 *
 *   encrypt, decrypt aes-128, aes-256   COUNT times 16,000 bytes in CBC mode, each with its key
 *   sign, verify rsa-2048, rsa-4096     COUNT signatures of a digest, with one key
 * LIBRARY: mbedtls, tomcrypt with libtommath, tomcrypt-gmp with GNU MP.
 * Mbed TLS pads signatures as PKCS #1 says, libtomcrypt by PSS.
 */
#include "rsa_keys.h"
#define LTM_DESC
#define GMP_DESC
#include <mbedtls/cipher.h>
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/pk.h>
#include <stdlib.h>
#include <string.h>
#include <tomcrypt.h>
#include <tommath.h>

#define STREAM 16000
static unsigned char from[STREAM], to[STREAM], key[32], digest[32];
static const unsigned char iv[16] = {0x47};

static void need(int good)
{
	if (!good)
		exit(1);
}

/* For the seed of a generator of random numbers. */
static int same_bytes(void *unused, unsigned char *out, size_t n)
{
	(void)unused;
	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)(7 * i + 3);
	return 0;
}

/* What libtommath blinds signatures with; by default the system's random bytes. */
static mp_err same_blinding(void *out, size_t n)
{
	same_bytes(NULL, out, n);
	return MP_OKAY;
}

static void mbedtls_aes(unsigned bits, int encrypts)
{
	mbedtls_cipher_context_t ctx;
	size_t n = sizeof to;

	mbedtls_cipher_init(&ctx);
	need(!mbedtls_cipher_setup(&ctx,
				   mbedtls_cipher_info_from_type(bits == 128 ? MBEDTLS_CIPHER_AES_128_CBC
									     : MBEDTLS_CIPHER_AES_256_CBC)));
	need(!mbedtls_cipher_setkey(&ctx, key, (int)bits, encrypts ? MBEDTLS_ENCRYPT : MBEDTLS_DECRYPT));
	need(!mbedtls_cipher_set_padding_mode(&ctx, MBEDTLS_PADDING_NONE));
	need(!mbedtls_cipher_crypt(&ctx, iv, sizeof iv, from, STREAM, to, &n));
	mbedtls_cipher_free(&ctx);
}

static void tomcrypt_aes(unsigned bits, int encrypts)
{
	static int cipher = -1;
	symmetric_CBC ctx;

	if (cipher < 0)
		cipher = register_cipher(&aes_desc);
	need(cbc_start(cipher, iv, key, (int)bits / 8, 0, &ctx) == CRYPT_OK);
	need((encrypts ? cbc_encrypt(from, to, STREAM, &ctx) : cbc_decrypt(from, to, STREAM, &ctx)) ==
	     CRYPT_OK);
	cbc_done(&ctx);
}

static void mbedtls_rsa(unsigned bits, int verifies, int count)
{
	mbedtls_pk_context pk;
	mbedtls_ctr_drbg_context random;
	unsigned char signature[512];
	size_t n;

	mbedtls_pk_init(&pk);
	mbedtls_ctr_drbg_init(&random);
	need(!mbedtls_ctr_drbg_seed(&random, same_bytes, NULL, NULL, 0));
	need(!mbedtls_pk_parse_key(&pk, bits == 2048 ? rsa_2048 : rsa_4096,
				   bits == 2048 ? sizeof rsa_2048 : sizeof rsa_4096, NULL, 0));
	need(!mbedtls_pk_sign(&pk, MBEDTLS_MD_SHA256, digest, sizeof digest, signature, &n,
			      mbedtls_ctr_drbg_random, &random));
	while (count-- > 0)
		need(verifies
			     ? !mbedtls_pk_verify(&pk, MBEDTLS_MD_SHA256, digest, sizeof digest, signature, n)
			     : !mbedtls_pk_sign(&pk, MBEDTLS_MD_SHA256, digest, sizeof digest, signature, &n,
						mbedtls_ctr_drbg_random, &random));
}

static void tomcrypt_rsa(unsigned bits, int verifies, int count, int gmp)
{
	int hash = register_hash(&sha256_desc), generator = register_prng(&yarrow_desc), good;
	prng_state random;
	rsa_key pair;
	unsigned char signature[512];
	unsigned long n = sizeof signature;

	ltc_mp = gmp ? gmp_desc : ltm_desc;
	mp_rand_source(same_blinding);
	need(yarrow_start(&random) == CRYPT_OK && yarrow_add_entropy(key, sizeof key, &random) == CRYPT_OK &&
	     yarrow_ready(&random) == CRYPT_OK);
	need(rsa_import(bits == 2048 ? rsa_2048 : rsa_4096, bits == 2048 ? sizeof rsa_2048 : sizeof rsa_4096,
			&pair) == CRYPT_OK);
	need(rsa_sign_hash(digest, sizeof digest, signature, &n, &random, generator, hash, 32, &pair) ==
	     CRYPT_OK);
	while (count-- > 0) {
		if (verifies) {
			need(rsa_verify_hash(signature, n, digest, sizeof digest, hash, 32, &good, &pair) ==
				     CRYPT_OK &&
			     good);
		} else {
			n = sizeof signature;
			need(rsa_sign_hash(digest, sizeof digest, signature, &n, &random, generator, hash, 32,
					   &pair) == CRYPT_OK);
		}
	}
}

int main(int argc, char **argv)
{
	need(argc == 5);
	const char *library = argv[1], *what = argv[2];
	unsigned bits = (unsigned)strtoul(argv[3] + 4, NULL, 10);
	int count = atoi(argv[4]), first = strcmp(what, "encrypt") == 0 || strcmp(what, "verify") == 0;
	int mbedtls = strcmp(library, "mbedtls") == 0;

	memset(from, 0x78, sizeof from);
	memset(key, 0xA5, sizeof key);
	memset(digest, 0x5A, sizeof digest);
	if (strncmp(argv[3], "rsa-", 4) != 0)
		while (count-- > 0)
			(mbedtls ? mbedtls_aes : tomcrypt_aes)(bits, first);
	else if (mbedtls)
		mbedtls_rsa(bits, first, count);
	else
		tomcrypt_rsa(bits, first, count, strcmp(library, "tomcrypt-gmp") == 0);
	return 0;
}
