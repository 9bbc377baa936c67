/* SPDX-License-Identifier: MIT */
/**
 * Kernel images as Linux boots them: where in memory they go, where they begin, where the device tree may
 * lie. Rules of Documentation/arch/arm64/booting.rst and Documentation/arch/arm/booting.rst. Pure; the file
 * is not trusted.
 *
 * AArch64 `Image`: text_offset above a 2 MiB boundary, image_size bytes of memory; x0 is the device tree, x1
 * to x3 are 0. AArch32 `zImage`: position-independent; r0 is 0, r1 the machine type, r2 the device tree.
 * Compressed images (Image.gz) are refused with an error that says so.
 */
#ifndef APMU_BOARD_IMAGE_H
#define APMU_BOARD_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct apmu_board__image {
	bool aarch64;
	uint64_t load;        /* physical address of the file's first byte; also the entry */
	uint64_t uses;        /* bytes of memory from there that the kernel takes, at least the file's size */
	uint64_t device_tree; /* address for a tree of up to 2 MiB; a multiple of 2 MiB */
};

/* Places an image in RAM. `aarch64`: the core that shall run it is in AArch64. 0, or a negative errno value
 * with one line in `error` that says what is wrong with the file or the memory. */
int apmu_board__image_place(const void *file, size_t n, bool aarch64, uint64_t ram_base, uint64_t ram_size,
			    struct apmu_board__image *out, char *error, size_t size);

#endif
