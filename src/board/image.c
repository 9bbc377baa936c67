/* SPDX-License-Identifier: MIT */
/* Linux images: two formats of header, and their rules. */
#include "board/image.h"

#include "base/error_line.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MIB(n) ((uint64_t)(n) << 20)

#define ARM64_HEADER   64u
#define ARM64_OFFSET   8
#define ARM64_SIZE     16
#define ARM64_FLAGS    24
#define ARM64_MAGIC_AT 56
#define ARM64_MAGIC    0x644D5241u /* "ARM\x64" */
#define ARM64_BE       1u
#define ARM64_ALIGN    MIB(2)
#define OLD_OFFSET \
	0x80000u /* kernels before 3.17 leave image_size 0, and text_offset may be of any endianness */

#define ZIMAGE_HEADER   0x30u
#define ZIMAGE_MAGIC_AT 0x24
#define ZIMAGE_START_AT 0x28
#define ZIMAGE_END_AT   0x2C
#define ZIMAGE_MAGIC    0x016F2818u
#define ZIMAGE_SWAPPED  0x18286F01u
#define ZIMAGE_OFFSET   0x10000u
#define ZIMAGE_ROOM     MIB(32) /* kept free for the unpacked kernel, whose size is not known */

#define TREE_SIZE MIB(2)

static uint64_t read64(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static uint32_t read32(const uint8_t *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* Checks that all that the kernel uses lies in memory, and puts the tree behind that, into the last 2 MiB. */
static int fit(uint64_t base, uint64_t memory, struct apmu_board__image *out, char *error, size_t size)
{
	uint64_t offset = out->load - base;
	uint64_t after = (base + memory - TREE_SIZE) & ~(TREE_SIZE - 1);

	if (offset > memory || out->uses > memory - offset) {
		snprintf(error, size,
			 "the kernel needs %" PRIu64 " KiB of memory from 0x%" PRIx64
			 " on, and there are %" PRIu64 " KiB from 0x%" PRIx64,
			 out->uses >> 10, out->load, memory >> 10, base);
		return -ENOMEM;
	}
	if (memory < TREE_SIZE || after < out->load || after - out->load < out->uses)
		return apmu_base__say(error, size, -ENOMEM,
				      "no room for a device tree behind the kernel: give it more memory");
	out->device_tree = after;
	return 0;
}

static int place_arm64(const uint8_t *file, size_t n, uint64_t base, uint64_t memory,
		       struct apmu_board__image *out, char *error, size_t size)
{
	uint64_t offset = read64(file + ARM64_OFFSET), wants = read64(file + ARM64_SIZE);

	if (read64(file + ARM64_FLAGS) & ARM64_BE)
		return apmu_base__say(error, size, -ENOEXEC,
				      "a big-endian kernel; only little-endian ones can run");
	if (wants == 0)
		offset = OLD_OFFSET;
	if (offset >= memory)
		return apmu_base__say(error, size, -ENOEXEC,
				      "the kernel's header is damaged: its text_offset is beyond memory");
	uint64_t start = (base + ARM64_ALIGN - 1) & ~(ARM64_ALIGN - 1);
	*out = (struct apmu_board__image){
		.aarch64 = true, .load = start + offset, .uses = wants > n ? wants : n};
	return fit(base, memory, out, error, size);
}

static int place_zimage(const uint8_t *file, size_t n, uint64_t base, uint64_t memory,
			struct apmu_board__image *out, char *error, size_t size)
{
	uint32_t start = read32(file + ZIMAGE_START_AT), end = read32(file + ZIMAGE_END_AT);

	if (end < start || end - start > n) {
		snprintf(error, size,
			 "the zImage is cut short: its header says %" PRIu32 " bytes, the file has %zu",
			 end - start, n);
		return -ENOEXEC;
	}
	*out = (struct apmu_board__image){.load = base + ZIMAGE_OFFSET, .uses = n + ZIMAGE_ROOM};
	return fit(base, memory, out, error, size);
}

static int refuse(const uint8_t *file, size_t n, char *error, size_t size)
{
	if (n >= 2 && file[0] == 0x1F && file[1] == 0x8B)
		return apmu_base__say(error, size, -ENOEXEC, "a compressed file: unpack it first (gunzip)");
	if (n >= ZIMAGE_HEADER && read32(file + ZIMAGE_MAGIC_AT) == ZIMAGE_SWAPPED)
		return apmu_base__say(error, size, -ENOEXEC,
				      "a big-endian zImage; only little-endian ones can run");
	return apmu_base__say(error, size, -ENOEXEC,
			      "no Linux image: neither the header of an AArch64 Image nor of a zImage");
}

int apmu_board__image_place(const void *file, size_t n, bool aarch64, uint64_t ram_base, uint64_t ram_size,
			    struct apmu_board__image *out, char *error, size_t size)
{
	const uint8_t *bytes = file;
	bool is_arm64 = n >= ARM64_HEADER && read32(bytes + ARM64_MAGIC_AT) == ARM64_MAGIC;
	bool is_zimage = n >= ZIMAGE_HEADER && read32(bytes + ZIMAGE_MAGIC_AT) == ZIMAGE_MAGIC;

	if (is_arm64 && aarch64)
		return place_arm64(bytes, n, ram_base, ram_size, out, error, size);
	if (is_zimage && !aarch64)
		return place_zimage(bytes, n, ram_base, ram_size, out, error, size);
	if (is_arm64)
		return apmu_base__say(error, size, -ENOEXEC,
				      "an AArch64 kernel, and the core is a 32-bit one");
	if (is_zimage)
		return apmu_base__say(error, size, -ENOEXEC,
				      "a 32-bit kernel (zImage), and the core runs in AArch64");
	return refuse(bytes, n, error, size);
}
