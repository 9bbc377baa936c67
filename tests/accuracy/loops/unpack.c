/* SPDX-License-Identifier: MIT */
/*
 * Unpacks a file as 7-Zip's benchmark does: with the decoder of the LZMA SDK, whose sources Debian's package
 * lzma has, and a checksum of the result.
 *
 *   unpack FILE
 */
#include "7zCrc.h"
#include "LzmaDec.h"

#include <stdio.h>
#include <stdlib.h>

enum { HEADER = LZMA_PROPS_SIZE + 8, MOST = 1 << 24 };

static void *allocate(void *unused, size_t size)
{
	(void)unused;
	return malloc(size);
}

static void release(void *unused, void *address)
{
	(void)unused;
	free(address);
}

int main(int argc, char **argv)
{
	static unsigned char packed[MOST], plain[MOST];
	ISzAlloc allocator = {allocate, release};
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	SizeT size = 0, n = file ? fread(packed, 1, sizeof(packed), file) : 0;
	ELzmaStatus status;

	for (unsigned k = 0; n > HEADER && k < 4; k++)
		size |= (SizeT)packed[LZMA_PROPS_SIZE + k] << 8 * k;
	SizeT got = size, rest = n - HEADER;
	CrcGenerateTable();
	if (n <= HEADER || n == MOST || size > MOST ||
	    LzmaDecode(plain, &got, packed + HEADER, &rest, packed, LZMA_PROPS_SIZE, LZMA_FINISH_ANY, &status,
		       &allocator) != SZ_OK ||
	    got != size) {
		fprintf(stderr, "usage: %s FILE (LZMA, of at most 16 MiB)\n", argv[0]);
		return 2;
	}
	printf("%08lx\n", (unsigned long)CrcCalc(plain, size));
	return 0;
}
