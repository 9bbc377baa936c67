/* SPDX-License-Identifier: MIT */
/* The second flash bank of QEMU's virt: two 16-bit chips side by side that take the Intel command set (JEDEC
 * JEP137B, 0x0001). Commands: read array, status and identifier, program by word and by buffer, erase a
 * block, lock. */
#include "base/bits.h"
#include "board/parts.h"

#include <string.h>

enum {
	READ_ARRAY = 0xFF,
	READ_STATUS = 0x70,
	CLEAR_STATUS = 0x50,
	READ_ID = 0x90,
	PROGRAM = 0x40,
	PROGRAM_OLD = 0x10,
	PROGRAM_BUFFER = 0xE8,
	ERASE = 0x20,
	LOCK = 0x60,
	CONFIRM = 0xD0,
};

#define READY        0x80u       /* status */
#define BAD_SEQUENCE 0x30u       /* status: an erase and a program failed */
#define BOTH         0x00010001u /* a factor: the same value from each chip */
#define MAKER        0x89u
#define CHIP         0x18u

static void reset(void *state)
{
	struct apmu_board__nor_flash *flash = state;
	uint8_t *bytes = flash->bytes;

	memset(flash, 0, sizeof(*flash));
	flash->bytes = bytes;
	flash->shows = READ_ARRAY;
	flash->status = READY;
}

static uint64_t read(void *state, uint32_t offset, unsigned size)
{
	const struct apmu_board__nor_flash *flash = state;
	uint64_t value = 0;

	if (!flash->bytes || offset + size > APMU_BOARD__NOR_FLASH_SIZE)
		return 0;
	if (flash->shows == READ_ARRAY)
		memcpy(&value, flash->bytes + offset, size);
	else if (flash->shows == READ_ID)
		value = (offset & 0xFF) == 0 ? MAKER * BOTH : (offset & 0xFF) == 4 ? CHIP * BOTH : 0;
	else
		value = flash->status * (uint64_t)BOTH;
	return value;
}

/* Programming clears bits; only an erase sets them. */
static void program(struct apmu_board__nor_flash *flash, uint32_t offset, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		flash->bytes[offset + i] &= (uint8_t)(value >> 8 * i);
}

static void erase(struct apmu_board__nor_flash *flash, uint32_t offset)
{
	uint32_t block = offset & ~(APMU_BOARD__NOR_FLASH_BLOCK - 1);

	memset(flash->bytes + block, 0xFF, APMU_BOARD__NOR_FLASH_BLOCK);
}

static void begin(struct apmu_board__nor_flash *flash, uint8_t command)
{
	flash->shows = command == READ_ARRAY || command == READ_ID ? command : READ_STATUS;
	switch (command) {
	case CLEAR_STATUS:
		flash->status = READY;
		flash->shows = READ_ARRAY;
		break;
	case PROGRAM:
	case PROGRAM_OLD:
	case PROGRAM_BUFFER:
	case ERASE:
	case LOCK: flash->command = command; break;
	default: break;
	}
}

/* Writes that follow PROGRAM_BUFFER: how many words, the words themselves, the confirmation. */
static void buffer(struct apmu_board__nor_flash *flash, uint32_t offset, uint64_t value, unsigned size)
{
	if (!flash->counted) {
		flash->counted = true;
		flash->left = (uint32_t)(value & 0xFFFF) + 1;
	} else if (flash->left) {
		program(flash, offset, value, size);
		flash->left--;
	} else {
		flash->counted = false;
		flash->command = 0;
		flash->status |= (value & 0xFF) == CONFIRM ? 0 : BAD_SEQUENCE;
	}
}

static void write(void *state, uint32_t offset, uint64_t value, unsigned size)
{
	struct apmu_board__nor_flash *flash = state;
	uint8_t command = flash->command;

	if (!flash->bytes || offset + size > APMU_BOARD__NOR_FLASH_SIZE)
		return;
	if (command == 0) {
		begin(flash, (uint8_t)value);
		return;
	}
	if (command == PROGRAM_BUFFER) {
		buffer(flash, offset, value, size);
		return;
	}
	flash->command = 0;
	if (command == PROGRAM || command == PROGRAM_OLD)
		program(flash, offset, value, size);
	else if (command == ERASE && (value & 0xFF) == CONFIRM)
		erase(flash, offset);
	else if (command == ERASE)
		flash->status |= BAD_SEQUENCE;
}

static uint32_t lines(const void *state)
{
	(void)state;
	return 0;
}

const struct apmu_board__device_ops apmu_board__nor_flash_ops = {
	.name = "NOR flash",
	.wide = true,
	.reset = reset,
	.read = read,
	.write = write,
	.lines = lines,
};
