/* SPDX-License-Identifier: MIT */
/**
 * The guest's memory as the parts of a board see it: two calls that the machine supplies. Whoever passes the
 * struct says if its addresses are virtual (semihosting, system calls: as the guest's own loads and stores
 * would see them) or physical (table walks, loading). A call moves all n bytes or returns false; then the
 * caller gives up, so that bytes moved already do not matter.
 */
#ifndef APMU_BOARD_MEMORY_H
#define APMU_BOARD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct apmu_board__memory {
	bool (*read)(void *ctx, uint64_t address, void *to, size_t n);
	bool (*write)(void *ctx, uint64_t address, const void *from, size_t n);
	void *ctx;
};

#endif
