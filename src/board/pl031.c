/* SPDX-License-Identifier: MIT */
/* PrimeCell Real Time Clock (DDI0224): seconds of modelled time, from 1970 until the guest loads another. Its
 * alarm is not wired. */
#include "board/parts.h"

#include <string.h>

enum { DATA = 0x000, MATCH = 0x004, LOAD = 0x008, CONTROL = 0x00C, IMSC = 0x010, ID = 0xFE0 };

static const uint8_t id[] = {0x31, 0x10, 0x04, 0x00, 0x0D, 0xF0, 0x05, 0xB1};

static void reset(void *state)
{
	struct apmu_board__pl031 *clock = state;

	*clock = (struct apmu_board__pl031){.hz = clock->hz, .now = clock->now};
}

static uint32_t seconds(const struct apmu_board__pl031 *clock)
{
	return clock->hz ? (uint32_t)(clock->now / clock->hz) : 0;
}

static uint64_t read(void *state, uint32_t offset, unsigned size)
{
	const struct apmu_board__pl031 *clock = state;

	(void)size;
	if (offset >= ID && offset < ID + 4 * sizeof id)
		return id[(offset - ID) / 4];
	switch (offset) {
	case DATA: return seconds(clock) + clock->ahead;
	case MATCH: return clock->match;
	case LOAD: return clock->load;
	case CONTROL: return 1;
	case IMSC: return clock->imsc;
	default: return 0;
	}
}

static void write(void *state, uint32_t offset, uint64_t value, unsigned size)
{
	struct apmu_board__pl031 *clock = state;

	(void)size;
	switch (offset) {
	case MATCH: clock->match = (uint32_t)value; break;
	case LOAD:
		clock->load = (uint32_t)value;
		clock->ahead = (uint32_t)value - seconds(clock);
		break;
	case IMSC: clock->imsc = value & 1; break;
	default: break;
	}
}

static uint32_t lines(const void *state)
{
	(void)state;
	return 0;
}

static void advance(void *state, uint64_t now)
{
	struct apmu_board__pl031 *clock = state;

	clock->now = now;
}

const struct apmu_board__device_ops apmu_board__pl031_ops = {
	.name = "PL031 clock",
	.reset = reset,
	.read = read,
	.write = write,
	.lines = lines,
	.advance = advance,
};
