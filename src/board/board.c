/* SPDX-License-Identifier: MIT */
/* A board at run time: finds the device at an address, and updates every wire after each access. */
#include "board/board.h"
#include "base/bits.h"

#include <string.h>

#define DEFAULT_HZ 1000000000u

static const struct {
	const struct apmu_board__device_ops *ops;
	size_t state; /* offset in struct apmu_board__state */
} parts[APMU_BOARD__PART_DEVICES] = {
	[APMU_BOARD__PART_UART] = {&apmu_board__pl011_ops, offsetof(struct apmu_board__state, uart)},
	[APMU_BOARD__PART_UART16] = {&apmu_board__uart16_ops, offsetof(struct apmu_board__state, uart16)},
	[APMU_BOARD__PART_PL190] = {&apmu_board__pl190_ops, offsetof(struct apmu_board__state, pl190)},
	[APMU_BOARD__PART_PXA] = {&apmu_board__pxa_ops, offsetof(struct apmu_board__state, pxa)},
	[APMU_BOARD__PART_GIC] = {&apmu_board__gic_ops, offsetof(struct apmu_board__state, gic)},
	[APMU_BOARD__PART_GTIMER] = {&apmu_board__gtimer_ops, offsetof(struct apmu_board__state, gtimer)},
	[APMU_BOARD__PART_VIRTIO] = {&apmu_board__virtio_ops, offsetof(struct apmu_board__state, virtio)},
	[APMU_BOARD__PART_RTC] = {&apmu_board__pl031_ops, offsetof(struct apmu_board__state, rtc)},
	[APMU_BOARD__PART_NOR_FLASH] = {&apmu_board__nor_flash_ops,
					offsetof(struct apmu_board__state, nor_flash)},
};

/* True if the board has the part: a wire leads from each part. */
static bool has(const struct apmu_board__board *board, unsigned part)
{
	for (unsigned i = 0; i < APMU_BOARD__WIRES; i++)
		if (board->row->wire[i].from == part)
			return true;
	return false;
}

static void *state_of(struct apmu_board__board *board, unsigned part)
{
	return (uint8_t *)&board->s + parts[part].state;
}

static const void *state_of_const(const struct apmu_board__board *board, unsigned part)
{
	return (const uint8_t *)&board->s + parts[part].state;
}

static uint32_t levels(const struct apmu_board__board *board, unsigned part)
{
	if (part == APMU_BOARD__PART_PMU)
		return board->s.pmu;
	return parts[part].ops->lines(state_of_const(board, part));
}

static void drive(struct apmu_board__board *board, const struct apmu_board__wire *wire, bool up)
{
	unsigned to = wire->to, line = wire->to_line;

	if (to != APMU_BOARD__PART_CPU) {
		parts[to].ops->input(state_of(board, to), line, up);
		return;
	}
	if (wire->from == APMU_BOARD__PART_PMU && board->pmu_to_fiq)
		line = APMU_BOARD__CPU_FIQ;
	board->s.cpu = (uint8_t)(board->s.cpu | (unsigned)up << line);
}

/* Passes on the lines that changed; few of the 32 do at a time. */
static void drive_each(struct apmu_board__board *board, const struct apmu_board__wire *wire)
{
	uint32_t now = levels(board, wire->from), moved = now ^ board->s.each;

	board->s.each = now;
	for (; moved; moved &= moved - 1) {
		unsigned line = apmu_base__lowest(moved);

		parts[wire->to].ops->input(state_of(board, wire->to), wire->to_line + line,
					   apmu_base__is_set(now, line));
	}
}

static uint64_t deadline(const struct apmu_board__board *board)
{
	uint64_t soonest = APMU_BOARD__NEVER;

	for (unsigned part = APMU_BOARD__PART_NONE + 1; part < APMU_BOARD__PART_DEVICES; part++) {
		if (!parts[part].ops->deadline)
			continue;
		uint64_t at = parts[part].ops->deadline(state_of_const(board, part));
		soonest = at < soonest ? at : soonest;
	}
	return soonest;
}

/* Sets every wire to its level. The row lists the wires from the sources to the CPU, so one pass is
 * enough. */
static void settle(struct apmu_board__board *board)
{
	board->s.cpu = 0;
	for (unsigned i = 0; i < APMU_BOARD__WIRES && board->row->wire[i].from; i++) {
		const struct apmu_board__wire *wire = &board->row->wire[i];

		if (wire->from_line == APMU_BOARD__EACH_LINE)
			drive_each(board, wire);
		else
			drive(board, wire, apmu_base__is_set(levels(board, wire->from), wire->from_line));
	}
	board->s.next = deadline(board);
}

static void send(struct apmu_board__board *board, struct apmu_board__uart_bytes *bytes)
{
	for (unsigned i = 0; i < bytes->sent_n; i++)
		if (board->transmit)
			board->transmit(board->ctx, bytes->sent[i]);
	bytes->sent_n = 0;
}

static void touched(struct apmu_board__board *board)
{
	send(board, &board->s.uart.bytes);
	send(board, &board->s.uart16.bytes);
	settle(board);
}

void apmu_board__reset(struct apmu_board__board *board)
{
	for (unsigned part = APMU_BOARD__PART_NONE + 1; part < APMU_BOARD__PART_DEVICES; part++)
		parts[part].ops->reset(state_of(board, part));
	settle(board);
}

static void plug_in(struct apmu_board__board *board, const struct apmu_board__config *config)
{
	struct apmu_board__virtio *bus = &board->s.virtio;

	bus->memory = config->memory;
	bus->transmit = config->transmit;
	bus->warn = config->warn;
	bus->ctx = config->ctx;
	for (unsigned i = 0; i < APMU_BOARD__WINDOWS; i++)
		if (board->row->window[i].part == APMU_BOARD__PART_VIRTIO)
			bus->base = board->row->window[i].base;
	for (size_t i = 0; i < config->virtios && i < APMU_BOARD__VIRTIO_DEVICES; i++)
		bus->device[i].config = config->virtio[i];
}

void apmu_board__init(struct apmu_board__board *board, const struct apmu_board__row *row,
		      const struct apmu_board__config *config)
{
	memset(board, 0, sizeof(*board));
	board->row = row;
	board->transmit = config->transmit;
	board->ctx = config->ctx;
	board->pmu_to_fiq = config->pmu_to_fiq;
	board->generic_timer = !config->no_generic_timer && has(board, APMU_BOARD__PART_GTIMER);
	apmu_board__gic_init(&board->s.gic, row->gic);
	apmu_board__gtimer_init(&board->s.gtimer, config->core_hz, config->counter_hz);
	board->s.rtc.hz = config->core_hz ? config->core_hz : DEFAULT_HZ;
	board->s.nor_flash.bytes = config->nor_flash;
	board->s.virtio.pause = board->s.rtc.hz / 10;
	plug_in(board, config);
	apmu_board__reset(board);
}

static const struct apmu_board__window *window_at(const struct apmu_board__board *board, uint64_t address)
{
	for (unsigned i = 0; i < APMU_BOARD__WINDOWS; i++) {
		const struct apmu_board__window *window = &board->row->window[i];

		if (address - window->base < window->size)
			return window;
	}
	return NULL;
}

const char *apmu_board__name_at(const struct apmu_board__board *board, uint64_t address)
{
	const struct apmu_board__window *window = window_at(board, address);

	return window ? parts[window->part].ops->name : NULL;
}

static bool is_size(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Reads a device of 32-bit registers, at multiples of 4 bytes; a narrower access sees the low bits. */
static uint64_t read_narrow(struct apmu_board__board *board, unsigned part, uint32_t offset, unsigned size)
{
	const struct apmu_board__device_ops *ops = parts[part].ops;
	void *state = state_of(board, part);

	if (offset % 4 || (size == 8 && offset % 8))
		return 0;
	if (size < 8)
		return ops->read(state, offset, size) & apmu_base__ones(size * 8);
	uint64_t low = (uint32_t)ops->read(state, offset, 4);
	return low | ops->read(state, offset + 4, 4) << 32;
}

static void write_narrow(struct apmu_board__board *board, unsigned part, uint32_t offset, unsigned size,
			 uint64_t value)
{
	const struct apmu_board__device_ops *ops = parts[part].ops;
	void *state = state_of(board, part);

	if (offset % 4 || (size == 8 && offset % 8))
		return;
	ops->write(state, offset, value & apmu_base__ones(size < 4 ? size * 8 : 32), size < 8 ? size : 4);
	if (size == 8)
		ops->write(state, offset + 4, value >> 32, 4);
}

bool apmu_board__read(struct apmu_board__board *board, uint64_t address, unsigned size, uint64_t *value)
{
	const struct apmu_board__window *window = window_at(board, address);

	if (!window || !is_size(size))
		return false;
	uint32_t offset = (uint32_t)(address - window->base) + window->bias;
	if (parts[window->part].ops->wide)
		*value = parts[window->part].ops->read(state_of(board, window->part), offset, size);
	else
		*value = read_narrow(board, window->part, offset, size);
	touched(board);
	return true;
}

bool apmu_board__write(struct apmu_board__board *board, uint64_t address, unsigned size, uint64_t value)
{
	const struct apmu_board__window *window = window_at(board, address);

	if (!window || !is_size(size))
		return false;
	uint32_t offset = (uint32_t)(address - window->base) + window->bias;
	if (parts[window->part].ops->wide)
		parts[window->part].ops->write(state_of(board, window->part), offset,
					       value & apmu_base__ones(size * 8), size);
	else
		write_narrow(board, window->part, offset, size, value);
	touched(board);
	return true;
}

/* Coprocessor 6 of a PXA27x: the interrupt controller's registers without the bus, for privileged code. */
static enum apmu_board__answer cp6(struct apmu_board__board *board, struct apmu_access at, bool write,
				   uint64_t *value)
{
	uint32_t offset;

	if (at.view != APMU_VIEW_CP || at.encoding >> 16 != APMU_BOARD__PXA_COPROCESSOR ||
	    (at.encoding & ~(0xFu << 8)) != apmu_cp(APMU_BOARD__PXA_COPROCESSOR, 0, 0, 0, 0) ||
	    !apmu_board__pxa_cp6_offset(at.encoding >> 8 & 0xF, &offset))
		return APMU_BOARD__ANSWER_NOT_MINE;
	if (at.from.el == 0)
		return APMU_BOARD__ANSWER_UNDEFINED;
	if (write)
		apmu_board__pxa_ops.write(&board->s.pxa, offset, (uint32_t)*value, 4);
	else
		*value = apmu_board__pxa_ops.read(&board->s.pxa, offset, 4);
	return APMU_BOARD__ANSWER_DONE;
}

static enum apmu_board__answer sysreg(struct apmu_board__board *board, struct apmu_access at, bool write,
				      uint64_t *value)
{
	enum apmu_board__answer answer = APMU_BOARD__ANSWER_NOT_MINE;

	if (board->generic_timer)
		answer = apmu_board__gtimer_sysreg(&board->s.gtimer, at, write, value);
	if (answer == APMU_BOARD__ANSWER_NOT_MINE)
		answer = apmu_board__gic_sysreg(&board->s.gic, at, write, value);
	if (answer == APMU_BOARD__ANSWER_NOT_MINE && has(board, APMU_BOARD__PART_PXA))
		answer = cp6(board, at, write, value);
	if (answer == APMU_BOARD__ANSWER_DONE)
		settle(board);
	return answer;
}

enum apmu_board__answer apmu_board__sysreg_read(struct apmu_board__board *board, struct apmu_access at,
						uint64_t *value)
{
	return sysreg(board, at, false, value);
}

enum apmu_board__answer apmu_board__sysreg_write(struct apmu_board__board *board, struct apmu_access at,
						 uint64_t value)
{
	return sysreg(board, at, true, &value);
}

void apmu_board__pmu(struct apmu_board__board *board, unsigned line, bool up)
{
	if (line > 1 || apmu_base__is_set(board->s.pmu, line) == up)
		return;
	board->s.pmu = (uint8_t)apmu_base__with(board->s.pmu, line, up);
	settle(board);
}

size_t apmu_board__receive(struct apmu_board__board *board, const uint8_t *bytes, size_t n)
{
	bool pl011 = has(board, APMU_BOARD__PART_UART);
	size_t room =
		pl011 ? apmu_board__pl011_room(&board->s.uart) : apmu_board__uart16_room(&board->s.uart16);

	if (n > room)
		n = room;
	for (size_t i = 0; i < n; i++) {
		if (pl011)
			apmu_board__pl011_receive(&board->s.uart, bytes[i]);
		else
			apmu_board__uart16_receive(&board->s.uart16, bytes[i]);
	}
	settle(board);
	return n;
}

void apmu_board__advance(struct apmu_board__board *board, uint64_t now)
{
	if (now <= board->s.now)
		return;
	board->s.now = now;
	for (unsigned part = APMU_BOARD__PART_NONE + 1; part < APMU_BOARD__PART_DEVICES; part++)
		if (parts[part].ops->advance)
			parts[part].ops->advance(state_of(board, part), now);
	if (now >= board->s.next)
		settle(board);
}
