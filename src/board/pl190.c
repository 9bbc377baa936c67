/* SPDX-License-Identifier: MIT */
/* PrimeCell Vectored Interrupt Controller (DDI0181E). */
#include "base/bits.h"
#include "board/parts.h"

#include <string.h>

enum {
	IRQSTATUS = 0x000,
	FIQSTATUS = 0x004,
	RAWINTR = 0x008,
	INTSELECT = 0x00C,
	INTENABLE = 0x010,
	INTENCLEAR = 0x014,
	SOFTINT = 0x018,
	SOFTINTCLEAR = 0x01C,
	PROTECTION = 0x020,
	VECTADDR = 0x030,
	DEFVECTADDR = 0x034,
	VECTADDRS = 0x100,
	VECTCNTLS = 0x200,
	VECTORS_END = 0x40,
	ID = 0xFE0,
};

#define CONTROL_ENABLE 0x20u
#define CONTROL_SOURCE 0x1Fu
#define PLAIN          APMU_BOARD__PL190_VECTORS /* the priority of requests without a vector */
#define IDLE           (PLAIN + 1)

static const uint8_t id[] = {0x90, 0x11, 0x04, 0x00, 0x0D, 0xF0, 0x05, 0xB1};

static void reset(void *state)
{
	struct apmu_board__pl190 *vic = state;
	uint32_t input = vic->input;

	memset(vic, 0, sizeof(*vic));
	vic->input = input;
}

static uint32_t raw(const struct apmu_board__pl190 *vic)
{
	return vic->input | vic->soft;
}

static uint32_t irqs(const struct apmu_board__pl190 *vic)
{
	return raw(vic) & vic->enable & ~vic->select;
}

static uint32_t fiqs(const struct apmu_board__pl190 *vic)
{
	return raw(vic) & vic->enable & vic->select;
}

/* The highest priority among the requests: a vector's index, PLAIN, or IDLE without any. */
static unsigned best(const struct apmu_board__pl190 *vic)
{
	uint32_t pending = irqs(vic);

	for (unsigned i = 0; i < APMU_BOARD__PL190_VECTORS; i++)
		if (vic->control[i] & CONTROL_ENABLE &&
		    apmu_base__is_set(pending, vic->control[i] & CONTROL_SOURCE))
			return i;
	return pending ? PLAIN : IDLE;
}

static unsigned served(const struct apmu_board__pl190 *vic)
{
	return vic->serviced ? apmu_base__lowest(vic->serviced) : IDLE;
}

/* Reading VICVECTADDR starts the service of the pending request, which masks requests of its priority and
 * below. */
static uint32_t begin_service(struct apmu_board__pl190 *vic)
{
	unsigned p = best(vic);

	if (p < served(vic))
		vic->serviced |= (uint32_t)apmu_base__bit(p);
	return p < PLAIN ? vic->vector[p] : vic->plain_vector;
}

static void end_service(struct apmu_board__pl190 *vic)
{
	vic->serviced &= vic->serviced - 1;
}

static uint64_t read_table(const struct apmu_board__pl190 *vic, uint32_t offset)
{
	if (offset >= ID && (offset - ID) / 4 < sizeof(id))
		return id[(offset - ID) / 4];
	if (offset >= VECTADDRS && offset < VECTADDRS + VECTORS_END)
		return vic->vector[(offset - VECTADDRS) / 4];
	if (offset >= VECTCNTLS && offset < VECTCNTLS + VECTORS_END)
		return vic->control[(offset - VECTCNTLS) / 4];
	return 0;
}

static uint64_t read(void *state, uint32_t offset, unsigned size)
{
	struct apmu_board__pl190 *vic = state;

	(void)size;
	switch (offset) {
	case IRQSTATUS: return irqs(vic);
	case FIQSTATUS: return fiqs(vic);
	case RAWINTR: return raw(vic);
	case INTSELECT: return vic->select;
	case INTENABLE: return vic->enable;
	case SOFTINT: return vic->soft;
	case PROTECTION: return vic->protection;
	case VECTADDR: return begin_service(vic);
	case DEFVECTADDR: return vic->plain_vector;
	default: return read_table(vic, offset);
	}
}

static void write_table(struct apmu_board__pl190 *vic, uint32_t offset, uint32_t word)
{
	if (offset >= VECTADDRS && offset < VECTADDRS + VECTORS_END)
		vic->vector[(offset - VECTADDRS) / 4] = word;
	else if (offset >= VECTCNTLS && offset < VECTCNTLS + VECTORS_END)
		vic->control[(offset - VECTCNTLS) / 4] = word & (CONTROL_ENABLE | CONTROL_SOURCE);
}

static void write(void *state, uint32_t offset, uint64_t value, unsigned size)
{
	struct apmu_board__pl190 *vic = state;
	uint32_t word = (uint32_t)value;

	(void)size;
	switch (offset) {
	case INTSELECT: vic->select = word; break;
	case INTENABLE: vic->enable |= word; break;
	case INTENCLEAR: vic->enable &= ~word; break;
	case SOFTINT: vic->soft |= word; break;
	case SOFTINTCLEAR: vic->soft &= ~word; break;
	case PROTECTION: vic->protection = word & 1; break;
	case VECTADDR: end_service(vic); break;
	case DEFVECTADDR: vic->plain_vector = word; break;
	default: write_table(vic, offset, word); break;
	}
}

static void input(void *state, unsigned line, bool up)
{
	struct apmu_board__pl190 *vic = state;

	if (line < 32)
		vic->input = (uint32_t)apmu_base__with(vic->input, line, up);
}

static uint32_t lines(const void *state)
{
	const struct apmu_board__pl190 *vic = state;

	return (uint32_t)(best(vic) < served(vic)) | (uint32_t)(fiqs(vic) != 0) << 1;
}

const struct apmu_board__device_ops apmu_board__pl190_ops = {
	.name = "PL190 interrupt controller",
	.reset = reset,
	.read = read,
	.write = write,
	.input = input,
	.lines = lines,
};
