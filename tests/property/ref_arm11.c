/* SPDX-License-Identifier: MIT */
#include "ref_arm11.h"

#include <string.h>

#define ON_1136 1u
#define ON_1156 2u
#define ON_1176 4u
#define ON_ALL  7u
#define ON_MMU  5u /* the two cores with micro-TLBs and a main TLB */
#define NO_BUS  0xFF
#define NONE    APMU_SIGNALS

/* AN195 table 2 and the 1136 TRM's table 3.141: number, cores, signals that are summed, EVNTBUS bits.
 * choice: ARM1156 drives the same bus positions as ARM1136; those of the events it lacks stay 0. */
static const struct {
	uint8_t number, cores;
	uint16_t a, b;
	uint8_t bus, bus_bits;
} events[] = {
	{0x00, ON_ALL, APMU_SIG_L1I_MISS, NONE, 0, 1},
	{0x01, ON_ALL, APMU_SIG_FETCH_STALL, NONE, 1, 1},
	{0x02, ON_ALL, APMU_SIG_DATA_STALL, NONE, 2, 1},
	{0x03, ON_MMU, APMU_SIG_L1I_TLB_REFILL, NONE, 3, 1},
	{0x04, ON_MMU, APMU_SIG_L1D_TLB_REFILL, NONE, 4, 1},
	{0x05, ON_ALL, APMU_SIG_BR_EXEC, NONE, 5, 2},
	{0x06, ON_ALL, APMU_SIG_BR_MIS_PRED, NONE, 7, 1},
	{0x07, ON_ALL, APMU_SIG_INST, NONE, 8, 2},
	{0x09, ON_ALL, APMU_SIG_L1D_ACCESS_CACHEABLE, NONE, 10, 1},
	{0x0A, ON_ALL, APMU_SIG_L1D_ACCESS, NONE, 11, 1},
	{0x0B, ON_ALL, APMU_SIG_L1D_MISS, NONE, 12, 1},
	{0x0C, ON_ALL, APMU_SIG_L1D_WB_HALF, NONE, 13, 1},
	{0x0D, ON_ALL, APMU_SIG_PC_CHANGE, NONE, 14, 2},
	{0x0F, ON_MMU, APMU_SIG_TLB_WALK, NONE, 16, 1},
	{0x10, ON_ALL, APMU_SIG_EXT_ACCESS, NONE, 17, 1},
	{0x11, ON_ALL, APMU_SIG_LSU_FULL_STALL, NONE, 18, 1},
	{0x12, ON_ALL, APMU_SIG_WBUF_DRAIN, NONE, 19, 1},
	{0x13, ON_1156, APMU_SIG_FIQ_DISABLED, NONE, NO_BUS, 0},
	{0x14, ON_1156, APMU_SIG_IRQ_DISABLED, NONE, NO_BUS, 0},
	{0x20, ON_ALL, APMU_SIG_ETMEXTOUT0, NONE, NO_BUS, 0},
	{0x21, ON_ALL, APMU_SIG_ETMEXTOUT1, NONE, NO_BUS, 0},
	{0x22, ON_ALL, APMU_SIG_ETMEXTOUT0, APMU_SIG_ETMEXTOUT1, NO_BUS, 0},
	{0x23, ON_1176, APMU_SIG_CALL, NONE, NO_BUS, 0},
	{0x24, ON_1176, APMU_SIG_RETURN, NONE, NO_BUS, 0},
	{0x25, ON_1176, APMU_SIG_RETURN_PRED, NONE, NO_BUS, 0},
	{0x26, ON_1176, APMU_SIG_RETURN_MIS_PRED, NONE, NO_BUS, 0},
	{0x30, ON_1156, APMU_SIG_L1I_TAG_PARITY, NONE, NO_BUS, 0},
	{0x31, ON_1156, APMU_SIG_L1I_DATA_PARITY, NONE, NO_BUS, 0},
	{0x32, ON_1156, APMU_SIG_L1D_TAG_PARITY, NONE, NO_BUS, 0},
	{0x33, ON_1156, APMU_SIG_L1D_DATA_PARITY, NONE, NO_BUS, 0},
	{0x34, ON_1156, APMU_SIG_ITCM_ERROR, NONE, NO_BUS, 0},
	{0x35, ON_1156, APMU_SIG_DTCM_ERROR, NONE, NO_BUS, 0},
	{0x36, ON_1156, APMU_SIG_RETURN, NONE, NO_BUS, 0},
	{0x37, ON_1156, APMU_SIG_RETURN_MIS_PRED, NONE, NO_BUS, 0},
	{0x38, ON_1156, APMU_SIG_L1D_DIRTY_PARITY, NONE, NO_BUS, 0},
	{0xFF, ON_ALL, APMU_SIG_CYCLES, NONE, NO_BUS, 0},
};
#define EVENTS (sizeof events / sizeof events[0])

static bool on_this_core(const struct ref_arm11 *r, size_t row)
{
	return (events[row].cores >> r->kind & 1) != 0;
}

/* choice: a signal that steps further than the event's width is counted in full, not clamped. */
static uint64_t row_count(size_t row, const uint64_t n[APMU_SIGNALS])
{
	uint64_t count = n[events[row].a];

	if (events[row].b != NONE)
		count += n[events[row].b];
	return count;
}

/* Reserved numbers, and those of other cores, count nothing (AN195 table 2). */
static uint64_t event_count(const struct ref_arm11 *r, uint8_t number, const uint64_t n[APMU_SIGNALS])
{
	for (size_t row = 0; row < EVENTS; row++)
		if (events[row].number == number && on_this_core(r, row))
			return row_count(row, n);
	return 0;
}

static bool event_has(const struct ref_arm11 *r, uint8_t number, enum apmu_signal s)
{
	for (size_t row = 0; row < EVENTS; row++)
		if (events[row].number == number && on_this_core(r, row))
			return events[row].a == s || events[row].b == s;
	return false;
}

void ref_arm11_init(struct ref_arm11 *r, enum ref_arm11_kind kind, struct apmu_mode mode)
{
	memset(r, 0, sizeof *r);
	r->kind = kind;
	r->mode = mode;
	r->in.dbgen = true;
	r->in.niden = true;
	r->in.spiden = true;
	r->in.spniden = true;
}

/* Resets all that the manuals give a reset value, and the rest to 0; pins and mode belong to the core. */
void ref_arm11_reset(struct ref_arm11 *r)
{
	enum ref_arm11_kind kind = r->kind;
	struct apmu_mode mode = r->mode;
	struct apmu_inputs in = r->in;

	ref_arm11_init(r, kind, mode);
	r->in = in;
}

/* DDI0301H 3-137, ARM1176: Debug state and the authentication interface. choice: on ARM1136 and ARM1156 Debug
 * state stops the counters too, and their authentication inputs mean nothing. choice: where non-invasive
 * debug is not permitted the cycle counter stops as the event counters do. */
static bool may_count(const struct ref_arm11 *r)
{
	if (r->mode.debug_halted)
		return false;
	if (r->kind != REF_ARM1176)
		return true;
	if (!r->in.dbgen && !r->in.niden)
		return false;
	if (r->mode.security != APMU_SECURE)
		return true;
	if (r->in.spiden || r->in.spniden)
		return true;
	if (r->mode.el == 0 && (r->suiden || r->suniden))
		return true;
	return false;
}

/* A request falls only with E set (AN195 1). choice: the latch rises at once when an enable meets a set flag,
 * also with E clear. */
static void drive_lines(struct ref_arm11 *r)
{
	bool irq = (r->ccr && r->ecc) || (r->cr1 && r->ec1) || (r->cr0 && r->ec0);
	bool fiq = (r->ccr && r->fcc) || (r->cr1 && r->fc1) || (r->cr0 && r->fc0);

	if (irq)
		r->irq = true;
	if (fiq)
		r->fiq = true;
	if (!irq && r->e)
		r->irq = false;
	if (!fiq && r->e)
		r->fiq = false;
}

static void add(uint32_t *counter, uint64_t step, bool *flag)
{
	while (step-- > 0) {
		*counter = *counter + 1;
		if (*counter == 0)
			*flag = true;
	}
}

/* choice: the divider runs in every cycle in which the cycle counter may count (not in the hold-off, not in
 * Debug state), whether D is set or not; the counter steps as it goes from 63 to 0. */
static void count_cycle(struct ref_arm11 *r)
{
	bool whole = r->divider == 63;

	r->divider = whole ? 0 : (uint8_t)(r->divider + 1);
	if (!r->d || whole)
		add(&r->ccnt, 1, &r->ccr);
}

/* choice: the hold-off runs down in every core cycle, also in those that may not be counted. */
void ref_arm11_cycle(struct ref_arm11 *r, const uint64_t n[APMU_SIGNALS])
{
	if (r->e && r->holdoff == 0 && may_count(r)) {
		add(&r->pmn0, event_count(r, r->evt0, n), &r->cr0);
		add(&r->pmn1, event_count(r, r->evt1, n), &r->cr1);
		count_cycle(r);
	}
	if (r->holdoff > 0)
		r->holdoff--;
	drive_lines(r);
}

/* choice: bits 31 and 7 are reserved, C and P read unpredictable (AN195 table 1): 0. */
static uint32_t read_pmnc(const struct ref_arm11 *r)
{
	uint32_t value = 0;

	if (r->kind == REF_ARM1156) {
		value |= (uint32_t)r->fcc << 30;
		value |= (uint32_t)r->fc1 << 29;
		value |= (uint32_t)r->fc0 << 28;
	}
	value |= (uint32_t)r->evt0 << 20;
	value |= (uint32_t)r->evt1 << 12;
	value |= (uint32_t)r->x << 11;
	value |= (uint32_t)r->ccr << 10;
	value |= (uint32_t)r->cr1 << 9;
	value |= (uint32_t)r->cr0 << 8;
	value |= (uint32_t)r->ecc << 6;
	value |= (uint32_t)r->ec1 << 5;
	value |= (uint32_t)r->ec0 << 4;
	value |= (uint32_t)r->d << 3;
	value |= (uint32_t)r->e;
	return value;
}

static void write_enable(struct ref_arm11 *r, bool e)
{
	if (e && !r->e)
		r->holdoff = 3;
	if (!e)
		r->holdoff = 0;
	r->e = e;
}

static void write_pmnc(struct ref_arm11 *r, uint32_t value)
{
	if (r->kind == REF_ARM1156) {
		r->fcc = value >> 30 & 1;
		r->fc1 = value >> 29 & 1;
		r->fc0 = value >> 28 & 1;
	}
	r->evt0 = (uint8_t)(value >> 20);
	r->evt1 = (uint8_t)(value >> 12);
	r->x = value >> 11 & 1;
	if (value >> 10 & 1)
		r->ccr = false;
	if (value >> 9 & 1)
		r->cr1 = false;
	if (value >> 8 & 1)
		r->cr0 = false;
	r->ecc = value >> 6 & 1;
	r->ec1 = value >> 5 & 1;
	r->ec0 = value >> 4 & 1;
	r->d = value >> 3 & 1;
	if (value >> 2 & 1) {
		r->ccnt = 0;
		r->divider = 0;
	}
	if (value >> 1 & 1) {
		r->pmn0 = 0;
		r->pmn1 = 0;
	}
	write_enable(r, value & 1);
}

enum which { NO_REGISTER, PMNC, CCNT, PMN0, PMN1, SUNAVCR, SDER };

/* The System Validation registers that share c15,c12 and c15,c13 are left out (DDI0301H 3-142). */
static enum which which(const struct ref_arm11 *r, struct apmu_access at)
{
	if (at.view != APMU_VIEW_CP)
		return NO_REGISTER;
	if (at.encoding == apmu_cp(15, 0, 15, 12, 0))
		return PMNC;
	if (at.encoding == apmu_cp(15, 0, 15, 12, 1))
		return CCNT;
	if (at.encoding == apmu_cp(15, 0, 15, 12, 2))
		return PMN0;
	if (at.encoding == apmu_cp(15, 0, 15, 12, 3))
		return PMN1;
	if (r->kind == REF_ARM1176 && at.encoding == apmu_cp(15, 0, 15, 9, 0))
		return SUNAVCR;
	if (r->kind == REF_ARM1176 && at.encoding == apmu_cp(15, 0, 1, 1, 1))
		return SDER;
	return NO_REGISTER;
}

/* User: Undefined (DDI0211K), on ARM1176 by V (DDI0301H 3-138). choice: Debug state gives no rights and takes
 * none; a level above 1 is privileged. */
static bool allowed(const struct ref_arm11 *r, enum which reg, struct apmu_mode from, bool write)
{
	bool privileged = from.el > 0;
	bool secure = from.security == APMU_SECURE;

	switch (reg) {
	case NO_REGISTER: return false;
	case SUNAVCR: return privileged && secure && !(write && r->in.cp15sdisable);
	case SDER: return privileged && secure; /* choice: CP15SDISABLE does not touch it */
	default: return privileged || (r->kind == REF_ARM1176 && r->v);
	}
}

enum apmu_outcome ref_arm11_read(const struct ref_arm11 *r, struct apmu_access at, uint64_t *value)
{
	enum which reg = which(r, at);

	if (!allowed(r, reg, at.from, false))
		return APMU_UNDEFINED;
	switch (reg) {
	case PMNC: *value = read_pmnc(r); break;
	case CCNT: *value = r->ccnt; break;
	case PMN0: *value = r->pmn0; break;
	case PMN1: *value = r->pmn1; break;
	case SUNAVCR: *value = r->v; break;
	case SDER: *value = (uint64_t)r->suiden | (uint64_t)r->suniden << 1; break;
	case NO_REGISTER: break;
	}
	return APMU_DONE;
}

/* choice: a write of a counter sets and clears no flag, and C and P clear none. */
enum apmu_outcome ref_arm11_write(struct ref_arm11 *r, struct apmu_access at, uint64_t value)
{
	enum which reg = which(r, at);

	if (!allowed(r, reg, at.from, true))
		return APMU_UNDEFINED;
	switch (reg) {
	case PMNC: write_pmnc(r, (uint32_t)value); break;
	case CCNT: r->ccnt = (uint32_t)value; break; /* choice: the divider keeps its phase */
	case PMN0: r->pmn0 = (uint32_t)value; break;
	case PMN1: r->pmn1 = (uint32_t)value; break;
	case SUNAVCR: r->v = value & 1; break;
	case SDER:
		r->suiden = value & 1;
		r->suniden = value >> 1 & 1;
		break;
	case NO_REGISTER: break;
	}
	drive_lines(r);
	return APMU_DONE;
}

/* Table 3.141 of the TRM: every event, selected or not, E set or not. choice: Debug state masks
 * the bus on all three cores; non-invasive debug that is not permitted does not. A one-bit position shows
 * whether the event happened, a two-bit one its count up to 3. */
uint64_t ref_arm11_bus(const struct ref_arm11 *r, const uint64_t n[APMU_SIGNALS])
{
	uint64_t bus = 0;

	if (!r->x || r->mode.debug_halted)
		return 0;
	for (size_t row = 0; row < EVENTS; row++) {
		uint64_t count = row_count(row, n), most = events[row].bus_bits == 2 ? 3 : 1;

		if (events[row].bus != NO_BUS && on_this_core(r, row))
			bus |= (count < most ? count : most) << events[row].bus;
	}
	return bus;
}

bool ref_arm11_wants(const struct ref_arm11 *r, enum apmu_signal s)
{
	if (!r->e || !may_count(r))
		return false;
	return s == APMU_SIG_CYCLES || event_has(r, r->evt0, s) || event_has(r, r->evt1, s);
}
