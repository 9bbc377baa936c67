/* SPDX-License-Identifier: MIT */
/*
 * Calls libcrypto as a program would: libcrypto WHAT NAME COUNT
 *
 *   encrypt, decrypt CIPHER   COUNT times 16,000 bytes in one stream
 *   speed CIPHER              COUNT KiB encrypted in place, 16 KiB per call: `openssl speed -evp CIPHER` of
 *                             3.0, the column of 16,384 bytes
 *   digest DIGEST             COUNT times 256 KiB
 *   sign, verify CURVE        COUNT signatures of a digest of the curve's size, with one key
 *   sign, verify rsa-BITS     COUNT signatures of a SHA-256 digest, padded by PSS, with one key
 * The key and the signature that is verified are the same in each run: how long a verification takes depends
 * on them. Signing draws its random numbers as libcrypto does.
 */
#include "rsa_keys.h"
#define OPENSSL_API_COMPAT 0x10100000L /* RAND_set_rand_method() */
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#define STREAM   16000
#define IN_PLACE (16 << 10)
#define DIGEST   (256 << 10)

static void need(int good)
{
	if (!good)
		exit(1);
}

static int same_bytes(unsigned char *to, int n)
{
	static unsigned long long state;

	for (int i = 0; i < n; i++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		to[i] = (unsigned char)(state >> 56);
	}
	return 1;
}

static int ready(void)
{
	return 1;
}

static EVP_CIPHER_CTX *cipher(const char *name, int encrypts)
{
	unsigned char key[EVP_MAX_KEY_LENGTH], iv[EVP_MAX_IV_LENGTH] = {0x47};
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	for (unsigned i = 0; i < sizeof key; i++)
		key[i] = (unsigned char)(3 * i + 1); /* XTS refuses two equal halves */
	need(EVP_CipherInit_ex(ctx, EVP_get_cipherbyname(name), NULL, key, iv, encrypts));
	need(EVP_CIPHER_CTX_set_padding(ctx, 0));
	return ctx;
}

static void crypt(const char *name, int encrypts, int count)
{
	static unsigned char from[STREAM], to[STREAM + EVP_MAX_BLOCK_LENGTH];
	EVP_CIPHER_CTX *ctx = cipher(name, encrypts);
	int n;

	memset(from, 0xA5, sizeof from);
	while (count-- > 0)
		need(EVP_CipherUpdate(ctx, to, &n, from, STREAM));
	EVP_CIPHER_CTX_free(ctx);
}

static void speed(const char *name, int kib)
{
	EVP_CIPHER_CTX *ctx = cipher(name, 1);
	unsigned char *buffer = calloc(1, IN_PLACE + EVP_MAX_BLOCK_LENGTH);
	int n;

	need(buffer != NULL);
	for (int done = 0; done < kib; done += IN_PLACE >> 10)
		need(EVP_EncryptUpdate(ctx, buffer, &n, buffer, IN_PLACE));
	need(EVP_EncryptFinal_ex(ctx, buffer, &n));
	free(buffer);
	EVP_CIPHER_CTX_free(ctx);
}

static void digest(const char *name, int count)
{
	static unsigned char from[DIGEST];
	unsigned char to[EVP_MAX_MD_SIZE];

	for (unsigned i = 0; i < sizeof from; i++)
		from[i] = (unsigned char)i;
	while (count-- > 0)
		need(EVP_Digest(from, sizeof from, to, NULL, EVP_get_digestbyname(name), NULL));
}

/* The key that is named, and the bytes of a digest that it signs. */
static EVP_PKEY *key_of(const char *name, size_t *size)
{
	size_t bits = strtoul(strchr(name, '-') + 1, NULL, 10);
	const unsigned char *der = bits == 2048 ? rsa_2048 : rsa_4096;

	*size = strncmp(name, "rsa-", 4) == 0 ? 32 : bits > 512 ? 64 : bits / 8;
	return strncmp(name, "rsa-", 4) != 0
		       ? EVP_EC_gen(name)
		       : d2i_AutoPrivateKey(NULL, &der, bits == 2048 ? sizeof rsa_2048 : sizeof rsa_4096);
}

static void pad(EVP_PKEY *key, EVP_PKEY_CTX *ctx)
{
	if (EVP_PKEY_is_a(key, "RSA"))
		need(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) > 0 &&
		     EVP_PKEY_CTX_set_signature_md(ctx, EVP_sha256()) > 0);
}

static void sign(const char *name, int verifies, int count)
{
	static const RAND_METHOD same = {.bytes = same_bytes, .pseudorand = same_bytes, .status = ready};
	unsigned char from[64], signature[512];
	size_t size, length = sizeof signature;
	need(RAND_set_rand_method(&same));
	EVP_PKEY *key = key_of(name, &size);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL), *check = EVP_PKEY_CTX_new(key, NULL);

	memset(from, 0x5A, sizeof from);
	need(EVP_PKEY_sign_init(ctx) > 0 && EVP_PKEY_verify_init(check) > 0);
	pad(key, ctx);
	pad(key, check);
	need(EVP_PKEY_sign(ctx, signature, &length, from, size) > 0);
	need(RAND_set_rand_method(NULL));
	while (count-- > 0) {
		if (verifies) {
			need(EVP_PKEY_verify(check, signature, length, from, size) > 0);
		} else {
			length = sizeof signature;
			need(EVP_PKEY_sign(ctx, signature, &length, from, size) > 0);
		}
	}
	EVP_PKEY_CTX_free(check);
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(key);
}

int main(int argc, char **argv)
{
	need(argc == 4);
	const char *what = argv[1];
	int count = atoi(argv[3]), verifies = strcmp(what, "verify") == 0;
	if (strcmp(what, "digest") == 0)
		digest(argv[2], count);
	else if (strcmp(what, "speed") == 0)
		speed(argv[2], count);
	else if (verifies || strcmp(what, "sign") == 0)
		sign(argv[2], verifies, count);
	else
		crypt(argv[2], strcmp(what, "encrypt") == 0, count);
	return 0;
}
