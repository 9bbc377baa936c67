/* SPDX-License-Identifier: MIT */
/* Shared between semihost.c (operations) and semihost_file.c (handles). */
#ifndef APMU_BOARD_SEMIHOST_INTERNAL_H
#define APMU_BOARD_SEMIHOST_INTERNAL_H

#include "board/semihost.h"

/* One operation under way: its parameter block's fields are read once. */
struct apmu_board__asked {
	struct apmu_board__semihost *host;
	const struct apmu_board__memory *memory;
	const struct apmu_board__semihost_call *call;
	uint64_t field[4];
};

#define APMU_BOARD__SEMIHOST_FAILED UINT64_MAX

/* Notes the error for SYS_ERRNO; returns -1. */
uint64_t apmu_board__semihost_fail(struct apmu_board__semihost *host, int error);

uint64_t apmu_board__semihost_open(const struct apmu_board__asked *asked);
uint64_t apmu_board__semihost_shut(const struct apmu_board__asked *asked);
uint64_t apmu_board__semihost_write(const struct apmu_board__asked *asked);
uint64_t apmu_board__semihost_read(const struct apmu_board__asked *asked);
uint64_t apmu_board__semihost_seek(const struct apmu_board__asked *asked);
uint64_t apmu_board__semihost_length(const struct apmu_board__asked *asked);
uint64_t apmu_board__semihost_terminal(const struct apmu_board__asked *asked);
uint64_t apmu_board__semihost_remove(const struct apmu_board__asked *asked);
uint64_t apmu_board__semihost_rename(const struct apmu_board__asked *asked);
uint64_t apmu_board__semihost_temporary(const struct apmu_board__asked *asked);

#endif
