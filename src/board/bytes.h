/* SPDX-License-Identifier: MIT */
/* The receive and the send buffer of a UART, for the UARTs' files. */
#ifndef APMU_BOARD_BYTES_H
#define APMU_BOARD_BYTES_H

#include "board/parts.h"

static inline void apmu_board__bytes_push(struct apmu_board__uart_bytes *bytes, uint8_t byte)
{
	bytes->waiting[(bytes->first + bytes->count) % APMU_BOARD__FIFO_DEPTH] = byte;
	bytes->count++;
}

/* Takes the oldest byte; 0 if there is none. */
static inline uint8_t apmu_board__bytes_pop(struct apmu_board__uart_bytes *bytes)
{
	uint8_t byte = bytes->waiting[bytes->first];

	if (!bytes->count)
		return 0;
	bytes->first = (uint8_t)((bytes->first + 1) % APMU_BOARD__FIFO_DEPTH);
	bytes->count--;
	return byte;
}

static inline void apmu_board__bytes_send(struct apmu_board__uart_bytes *bytes, uint8_t byte)
{
	if (bytes->sent_n < sizeof(bytes->sent))
		bytes->sent[bytes->sent_n++] = byte;
}

#endif
