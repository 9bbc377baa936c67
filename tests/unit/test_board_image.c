/* SPDX-License-Identifier: MIT */
/* Kernel images, whole and broken, against the kernel's booting documents. */
#include "../test.h"
#include "board/image.h"

#include <errno.h>

#define RAM_BASE 0x40000000u
#define RAM_SIZE 0x08000000u
#define MIB(n)   ((uint64_t)(n) << 20)

static uint8_t file[0x1000];
static struct apmu_board__image image;
static char said[160];

static void put(unsigned at, uint64_t value, unsigned n)
{
	memcpy(file + at, &value, n);
}

static void arm64(uint64_t text_offset, uint64_t image_size, uint64_t flags)
{
	memset(file, 0, sizeof(file));
	put(8, text_offset, 8);
	put(16, image_size, 8);
	put(24, flags, 8);
	memcpy(file + 56, "ARM\x64", 4);
}

static void zimage(uint32_t start, uint32_t end)
{
	memset(file, 0, sizeof(file));
	put(0x24, 0x016F2818, 4);
	put(0x28, start, 4);
	put(0x2C, end, 4);
}

static int place(size_t n, bool aarch64)
{
	said[0] = '\0';
	return apmu_board__image_place(file, n, aarch64, RAM_BASE, RAM_SIZE, &image, said, sizeof(said));
}

TEST(an_Image_goes_text_offset_above_two_MiB)
{
	arm64(0x80000, 0x200000, 0xA);
	CHECK_EQ(place(sizeof(file), true), 0);
	CHECK_EQ(image.load, RAM_BASE + 0x80000);
	CHECK_EQ(image.uses, 0x200000);
	CHECK_EQ(image.device_tree % MIB(2), 0);
	CHECK(image.device_tree >= image.load + image.uses);
	CHECK(image.device_tree + MIB(2) <= RAM_BASE + RAM_SIZE);
	arm64(0, 0x10000, 0xA);
	CHECK_EQ(place(sizeof(file), true), 0);
	CHECK_EQ(image.load, RAM_BASE);
	CHECK_EQ(apmu_board__image_place(file, sizeof(file), true, RAM_BASE + 0x1000, RAM_SIZE, &image, said,
					 sizeof(said)),
		 0);
	CHECK_EQ(image.load, RAM_BASE + MIB(2));
}

TEST(an_old_Image_without_its_size_has_the_old_offset)
{
	arm64(0x12345678, 0, 0);
	CHECK_EQ(place(sizeof(file), true), 0);
	CHECK_EQ(image.load, RAM_BASE + 0x80000);
	CHECK_EQ(image.uses, sizeof(file));
}

TEST(a_zImage_is_found_by_its_magic)
{
	zimage(0, 0x1000);
	CHECK_EQ(place(sizeof(file), false), 0);
	CHECK_EQ(image.load, RAM_BASE + 0x10000);
	CHECK(image.device_tree >= image.load + MIB(32));
	zimage(0x60000000, 0x60001000); /* linked elsewhere: only the difference counts */
	CHECK_EQ(place(sizeof(file), false), 0);
}

TEST(broken_headers_are_refused_with_a_reason)
{
	arm64(UINT64_MAX, 0x1000, 0);
	CHECK_EQ(place(sizeof(file), true), -ENOEXEC);
	CHECK(strstr(said, "text_offset") != NULL);
	arm64(0x80000, UINT64_MAX, 0);
	CHECK_EQ(place(sizeof(file), true), -ENOMEM);
	arm64(0x80000, RAM_SIZE, 0);
	CHECK_EQ(place(sizeof(file), true), -ENOMEM);
	arm64(RAM_SIZE - 1, 1, 0);
	CHECK_EQ(place(sizeof(file), true), -ENOMEM);
	arm64(0, RAM_SIZE, 0); /* fills it: no room for the tree */
	CHECK_EQ(place(sizeof(file), true), -ENOMEM);
	CHECK(strstr(said, "device tree") != NULL);
	arm64(0x80000, 0x1000, 1);
	CHECK_EQ(place(sizeof(file), true), -ENOEXEC);
	CHECK(strstr(said, "big-endian") != NULL);
	zimage(0, 0x1001);
	CHECK_EQ(place(sizeof(file), false), -ENOEXEC);
	CHECK(strstr(said, "cut short") != NULL);
	zimage(8, 4);
	CHECK_EQ(place(sizeof(file), false), -ENOEXEC);
}

TEST(what_is_no_image_is_named)
{
	memset(file, 0, sizeof(file));
	CHECK_EQ(place(sizeof(file), true), -ENOEXEC);
	CHECK_EQ(place(0, true), -ENOEXEC);
	CHECK_EQ(place(1, false), -ENOEXEC);
	file[0] = 0x1F;
	file[1] = 0x8B;
	CHECK_EQ(place(sizeof(file), true), -ENOEXEC);
	CHECK(strstr(said, "gunzip") != NULL);
	arm64(0x80000, 0x1000, 0);
	CHECK_EQ(place(63, true), -ENOEXEC); /* cut within its header */
	CHECK_EQ(place(sizeof(file), false), -ENOEXEC);
	CHECK(strstr(said, "32-bit") != NULL);
	zimage(0, 0x1000);
	CHECK_EQ(place(sizeof(file), true), -ENOEXEC);
	CHECK(strstr(said, "AArch64") != NULL);
}

TEST(little_memory_is_no_overflow)
{
	arm64(0, 0x1000, 0);
	CHECK_EQ(apmu_board__image_place(file, sizeof(file), true, RAM_BASE, 0x1000, &image, said,
					 sizeof(said)),
		 -ENOMEM);
	CHECK_EQ(apmu_board__image_place(file, sizeof(file), true, 0, 0, &image, said, sizeof(said)),
		 -ENOEXEC);
	zimage(0, 0x1000);
	CHECK_EQ(apmu_board__image_place(file, sizeof(file), false, RAM_BASE, 0x8000, &image, said,
					 sizeof(said)),
		 -ENOMEM);
}
