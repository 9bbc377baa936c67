/* SPDX-License-Identifier: MIT */
/*
 * Exceptions that the emulator raises, and aborts: it says that there is one, not where. The access is tried
 * again with somebody listening, then the guest's tables are walked for the syndrome.
 */
#include "inside.h"

#define RAISED_UNDEFINED 1
#define RAISED_SVC       2
#define RAISED_FETCH     3
#define RAISED_DATA      4
#define RAISED_BKPT      7

#define EC(class, iss)  ((uint32_t)(class) << 26 | 1u << 25 | (uint32_t)(iss))
#define EC_FETCH        0x20u
#define EC_DATA         0x24u
#define STATUS_EXTERNAL 0x10u /* ESR */
#define FSR_EXTERNAL    0x08u /* DFSR, short descriptors */
#define FSR_WRITE       (1u << 11)

static uint32_t syndrome_of(const struct apmu_machine *m, const struct apmu__bad_access *f)
{
	if (!m->model->a64)
		return FSR_EXTERNAL | (f->write && m->model->version >= 6 ? FSR_WRITE : 0);
	return EC((f->fetch ? EC_FETCH : EC_DATA) | (m->mode.el != 0),
		  STATUS_EXTERNAL | (f->write ? 1u << 6 : 0));
}

static void enter_abort(struct apmu_machine *m, uint64_t pc, const struct apmu__bad_access *f)
{
	static const char *const why[] = {"read of an address where nothing is",
					  "write to an address where nothing is",
					  "jump to an address where nothing is"};

	m->stop.fault = f->address;
	apmu__take_exception(
		m, &(struct apmu__entry){.what = f->fetch ? APMU_EXCEPTION_PREFETCH : APMU_EXCEPTION_DATA,
					 .pc = pc,
					 .size = 4,
					 .syndrome = syndrome_of(m, f),
					 .address = f->address,
					 .why = why[f->fetch ? 2 : f->write]});
}

/* A data abort: first time round, listen. */
static void data_abort(struct apmu_machine *m)
{
	uint64_t pc = apmu__pc(m);

	apmu__uncounted(m);
	if (!m->finding) {
		apmu__listen(m, true);
		return;
	}
	apmu__listen(m, false);
	enter_abort(m, pc, &m->fault);
}

static void fetch_abort(struct apmu_machine *m)
{
	uint64_t pc = apmu__pc(m);
	struct apmu__bad_access fault = {.fetch = true, .address = pc};

	m->current = NULL; /* it is the next one that could not be fetched */
	enter_abort(m, pc, &fault);
}

/* A supervisor call or breakpoint in an IT block. */
static void from_it(struct apmu_machine *m, enum apmu_exception what)
{
	const struct apmu__code *c = m->current;

	if (what == APMU_EXCEPTION_BREAKPOINT)
		apmu__uncounted(m);
	apmu__take_exception(m, &(struct apmu__entry){.what = what,
						      .pc = c->address,
						      .size = c->size,
						      .syndrome = 2,
						      .why = "an exception in an IT block"});
}

void apmu__raised(struct apmu_machine *m, uint32_t number)
{
	const struct apmu__code *c = m->current;

	if (number == RAISED_FETCH) {
		fetch_abort(m);
	} else if (number == RAISED_DATA) {
		data_abort(m);
	} else if (number == RAISED_UNDEFINED && c) {
		apmu__uncounted(m);
		apmu__undefined(m, c->address, c->size, 1u << 25, "undefined instruction");
	} else if ((number == RAISED_SVC || number == RAISED_BKPT) && c && m->in_it) {
		from_it(m, number == RAISED_SVC ? APMU_EXCEPTION_SVC : APMU_EXCEPTION_BREAKPOINT);
	} else {
		apmu__end(m, APMU_STOP_ENGINE, apmu__pc(m), "the emulator raised exception %u", number);
	}
}

bool apmu__missing(struct apmu_machine *m, uint64_t address, bool write, bool fetch)
{
	uint64_t physical;

	if (apmu__mmu_on(m) && apmu__physical_of(m, address, &physical) && apmu__cover(m, address))
		return true;
	m->fault = (struct apmu__bad_access){
		.pending = true, .write = write, .fetch = fetch, .address = address};
	return false;
}

void apmu__unmapped(struct apmu_machine *m)
{
	struct apmu__bad_access fault = m->fault;
	uint64_t pc = fault.fetch ? fault.address : apmu__pc(m);

	if (!fault.pending) {
		apmu__end(m, APMU_STOP_ENGINE, pc, "the emulator lost a memory access");
		return;
	}
	m->fault.pending = false;
	if (fault.fetch)
		m->current = NULL;
	else
		apmu__uncounted(m);
	enter_abort(m, pc, &fault);
}
