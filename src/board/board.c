/* SPDX-License-Identifier: MIT */
/* A board at work: which device an address is, and what every wire says after each touch. */
#include "board/board.h"
#include "base/bits.h"

#include <string.h>

static const struct {
	const struct apmu__device_ops *ops;
	size_t state; /* where in struct apmu__board_state */
} parts[APMU__PART_DEVICES] = {
	[APMU__PART_UART] = {&apmu__pl011_ops, offsetof(struct apmu__board_state, uart)},
	[APMU__PART_UART16] = {&apmu__uart16_ops, offsetof(struct apmu__board_state, uart16)},
	[APMU__PART_PL190] = {&apmu__pl190_ops, offsetof(struct apmu__board_state, pl190)},
	[APMU__PART_PXA] = {&apmu__pxa_ops, offsetof(struct apmu__board_state, pxa)},
	[APMU__PART_GIC] = {&apmu__gic_ops, offsetof(struct apmu__board_state, gic)},
	[APMU__PART_GTIMER] = {&apmu__gtimer_ops, offsetof(struct apmu__board_state, gtimer)},
};

static bool has(const struct apmu__board *board, unsigned part)
{
	for (unsigned i = 0; i < APMU__BOARD_WIRES; i++)
		if (board->row->wire[i].from == part)
			return true;
	return false;
}

static void *state_of(struct apmu__board *board, unsigned part)
{
	return (uint8_t *)&board->s + parts[part].state;
}

static const void *state_of_const(const struct apmu__board *board, unsigned part)
{
	return (const uint8_t *)&board->s + parts[part].state;
}

static uint32_t levels(const struct apmu__board *board, unsigned part)
{
	if (part == APMU__PART_PMU)
		return board->s.pmu;
	return parts[part].ops->lines(state_of_const(board, part));
}

static void drive(struct apmu__board *board, const struct apmu__wire *wire, bool up)
{
	unsigned to = wire->to, line = wire->to_line;

	if (to != APMU__PART_CPU) {
		parts[to].ops->input(state_of(board, to), line, up);
		return;
	}
	if (wire->from == APMU__PART_PMU && board->pmu_to_fiq)
		line = APMU__CPU_FIQ;
	board->s.cpu = (uint8_t)(board->s.cpu | (unsigned)up << line);
}

static uint64_t deadline(const struct apmu__board *board)
{
	uint64_t soonest = APMU__BOARD_NEVER;

	for (unsigned part = APMU__PART_NONE + 1; part < APMU__PART_DEVICES; part++) {
		if (!parts[part].ops->deadline)
			continue;
		uint64_t at = parts[part].ops->deadline(state_of_const(board, part));
		soonest = at < soonest ? at : soonest;
	}
	return soonest;
}

/* Every wire takes its level. They stand in the row from the sources to the CPU, so one pass is enough. */
static void settle(struct apmu__board *board)
{
	board->s.cpu = 0;
	for (unsigned i = 0; i < APMU__BOARD_WIRES && board->row->wire[i].from; i++) {
		const struct apmu__wire *wire = &board->row->wire[i];

		drive(board, wire, apmu__is_set(levels(board, wire->from), wire->from_line));
	}
	board->s.next = deadline(board);
}

static void send(struct apmu__board *board, struct apmu__uart_bytes *bytes)
{
	for (unsigned i = 0; i < bytes->sent_n; i++)
		if (board->transmit)
			board->transmit(board->ctx, bytes->sent[i]);
	bytes->sent_n = 0;
}

static void touched(struct apmu__board *board)
{
	send(board, &board->s.uart.bytes);
	send(board, &board->s.uart16.bytes);
	settle(board);
}

void apmu__board_reset(struct apmu__board *board)
{
	for (unsigned part = APMU__PART_NONE + 1; part < APMU__PART_DEVICES; part++)
		parts[part].ops->reset(state_of(board, part));
	settle(board);
}

void apmu__board_init(struct apmu__board *board, const struct apmu__board_row *row,
		      const struct apmu__board_config *config)
{
	memset(board, 0, sizeof(*board));
	board->row = row;
	board->transmit = config->transmit;
	board->ctx = config->ctx;
	board->pmu_to_fiq = config->pmu_to_fiq;
	board->generic_timer = !config->no_generic_timer && has(board, APMU__PART_GTIMER);
	apmu__gic_init(&board->s.gic, row->gic);
	apmu__gtimer_init(&board->s.gtimer, config->core_hz, config->counter_hz);
	apmu__board_reset(board);
}

static const struct apmu__board_window *window_at(const struct apmu__board *board, uint64_t address)
{
	for (unsigned i = 0; i < APMU__BOARD_WINDOWS; i++) {
		const struct apmu__board_window *window = &board->row->window[i];

		if (address - window->base < window->size)
			return window;
	}
	return NULL;
}

const char *apmu__board_name_at(const struct apmu__board *board, uint64_t address)
{
	const struct apmu__board_window *window = window_at(board, address);

	return window ? parts[window->part].ops->name : NULL;
}

static bool is_size(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* A 32-bit device: words at multiples of 4; a narrower access sees the low bits. */
static uint64_t read_narrow(struct apmu__board *board, unsigned part, uint32_t offset, unsigned size)
{
	const struct apmu__device_ops *ops = parts[part].ops;
	void *state = state_of(board, part);

	if (offset % 4 || (size == 8 && offset % 8))
		return 0;
	if (size < 8)
		return ops->read(state, offset, size) & apmu__ones(size * 8);
	uint64_t low = (uint32_t)ops->read(state, offset, 4);
	return low | ops->read(state, offset + 4, 4) << 32;
}

static void write_narrow(struct apmu__board *board, unsigned part, uint32_t offset, unsigned size,
			 uint64_t value)
{
	const struct apmu__device_ops *ops = parts[part].ops;
	void *state = state_of(board, part);

	if (offset % 4 || (size == 8 && offset % 8))
		return;
	ops->write(state, offset, value & apmu__ones(size < 4 ? size * 8 : 32), size < 8 ? size : 4);
	if (size == 8)
		ops->write(state, offset + 4, value >> 32, 4);
}

bool apmu__board_read(struct apmu__board *board, uint64_t address, unsigned size, uint64_t *value)
{
	const struct apmu__board_window *window = window_at(board, address);

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

bool apmu__board_write(struct apmu__board *board, uint64_t address, unsigned size, uint64_t value)
{
	const struct apmu__board_window *window = window_at(board, address);

	if (!window || !is_size(size))
		return false;
	uint32_t offset = (uint32_t)(address - window->base) + window->bias;
	if (parts[window->part].ops->wide)
		parts[window->part].ops->write(state_of(board, window->part), offset,
					       value & apmu__ones(size * 8), size);
	else
		write_narrow(board, window->part, offset, size, value);
	touched(board);
	return true;
}

/* Coprocessor 6 of a PXA27x: the interrupt controller's registers without the bus, for privileged code. */
static enum apmu__board_answer cp6(struct apmu__board *board, struct apmu_access at, bool write,
				   uint64_t *value)
{
	uint32_t offset;

	if (at.view != APMU_VIEW_CP || at.encoding >> 16 != APMU__PXA_COPROCESSOR ||
	    (at.encoding & ~(0xFu << 8)) != apmu_cp(APMU__PXA_COPROCESSOR, 0, 0, 0, 0) ||
	    !apmu__pxa_cp6_offset(at.encoding >> 8 & 0xF, &offset))
		return APMU__ANSWER_NOT_MINE;
	if (at.from.el == 0)
		return APMU__ANSWER_UNDEFINED;
	if (write)
		apmu__pxa_ops.write(&board->s.pxa, offset, (uint32_t)*value, 4);
	else
		*value = apmu__pxa_ops.read(&board->s.pxa, offset, 4);
	return APMU__ANSWER_DONE;
}

static enum apmu__board_answer sysreg(struct apmu__board *board, struct apmu_access at, bool write,
				      uint64_t *value)
{
	enum apmu__board_answer answer = APMU__ANSWER_NOT_MINE;

	if (board->generic_timer)
		answer = apmu__gtimer_sysreg(&board->s.gtimer, at, write, value);
	if (answer == APMU__ANSWER_NOT_MINE)
		answer = apmu__gic_sysreg(&board->s.gic, at, write, value);
	if (answer == APMU__ANSWER_NOT_MINE && has(board, APMU__PART_PXA))
		answer = cp6(board, at, write, value);
	if (answer == APMU__ANSWER_DONE)
		settle(board);
	return answer;
}

enum apmu__board_answer apmu__board_sysreg_read(struct apmu__board *board, struct apmu_access at,
						uint64_t *value)
{
	return sysreg(board, at, false, value);
}

enum apmu__board_answer apmu__board_sysreg_write(struct apmu__board *board, struct apmu_access at,
						 uint64_t value)
{
	return sysreg(board, at, true, &value);
}

void apmu__board_pmu(struct apmu__board *board, unsigned line, bool up)
{
	if (line > 1 || apmu__is_set(board->s.pmu, line) == up)
		return;
	board->s.pmu = (uint8_t)apmu__with(board->s.pmu, line, up);
	settle(board);
}

size_t apmu__board_receive(struct apmu__board *board, const uint8_t *bytes, size_t n)
{
	bool pl011 = has(board, APMU__PART_UART);
	size_t room = pl011 ? apmu__pl011_room(&board->s.uart) : apmu__uart16_room(&board->s.uart16);

	if (n > room)
		n = room;
	for (size_t i = 0; i < n; i++) {
		if (pl011)
			apmu__pl011_receive(&board->s.uart, bytes[i]);
		else
			apmu__uart16_receive(&board->s.uart16, bytes[i]);
	}
	settle(board);
	return n;
}

void apmu__board_advance(struct apmu__board *board, uint64_t now)
{
	if (now <= board->s.now)
		return;
	board->s.now = now;
	for (unsigned part = APMU__PART_NONE + 1; part < APMU__PART_DEVICES; part++)
		if (parts[part].ops->advance)
			parts[part].ops->advance(state_of(board, part), now);
	if (now >= board->s.next)
		settle(board);
}
