/* SPDX-License-Identifier: MIT */
/*
 * What the guest's control registers, page tables and maintenance instructions do to the event sources:
 * units are switched, memory is cacheable or not, caches and TLBs are emptied.
 */
#include "base/log2.h"
#include "machine/instructions.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/translation.h"

#define SCTLR   (3u << 16 | 1 << 8) /* SCTLR_EL1 */
#define SCTLR_C 0x4u
#define SCTLR_I 0x1000u
#define NO_BIT  64u
#define LOW     32u /* bits of struct apmu_control_params from this one on: bit - 32, off while it is 1 */
#define NEVER   65u /* control.shared: no bit switches it on */

/* True if the unit that a bit of `word` switches is on. */
static bool is_on(uint32_t word, unsigned bit)
{
	if (bit >= NO_BIT)
		return true;
	return (word >> (bit & (LOW - 1)) & 1) != (bit >= LOW);
}

static bool is_ahead(const struct apmu_machine *m)
{
	const struct apmu_control_params *c = &m->params.control;

	if (c->ahead_off < NO_BIT && (m->actlr >> c->ahead_off & 1))
		return false;
	return c->ahead >= NO_BIT || (m->actlr >> c->ahead & ((1u << c->ahead_bits) - 1));
}

static uint32_t switches(const struct apmu_machine *m)
{
	const struct apmu_control_params *c = &m->params.control;
	uint32_t sctlr = (uint32_t)apmu_machine__control(m), actlr = (uint32_t)m->actlr, on = 0;
	const struct {
		bool on;
		uint32_t unit;
	} row[] = {
		{sctlr & SCTLR_I, APMU_ON_ICACHE},
		{sctlr & SCTLR_C, APMU_ON_DCACHE},
		{apmu_machine__mmu_on(m), APMU_ON_MMU},
		{is_on(sctlr, c->predict), APMU_ON_PREDICT},
		{is_on(actlr, c->dynamic), APMU_ON_DYNAMIC},
		{is_on(actlr, c->by_rule), APMU_ON_STATIC},
		{is_on(actlr, c->returns), APMU_ON_RETURNS},
		{is_on(actlr, c->levels), APMU_ON_LEVELS},
		{is_ahead(m), APMU_ON_AHEAD},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		on |= row[i].on ? row[i].unit : 0;
	return on;
}

static unsigned field(const struct apmu_machine *m, unsigned low, unsigned bits)
{
	return (unsigned)(m->actlr >> low & ((1u << bits) - 1));
}

/* Tuning by ACTLR. A bit or field that the core does not have leaves the row's value. */
static struct apmu_tuning tuning(const struct apmu_machine *m)
{
	const struct apmu_control_params *c = &m->params.control;
	const struct apmu_prefetch_params *p = &m->params.prefetch;
	struct apmu_tuning t = {p->streams, p->flights, p->next, m->params.read_allocate};
	const uint8_t runs[4] = {t.read_allocate, c->runs_1, c->runs_2, 0};

	if (c->streams < NO_BIT)
		t.streams = (uint8_t)(field(m, c->streams, 2) + 1);
	if (c->flights && field(m, c->ahead, 3)) /* 0: it is off */
		t.flights = (uint8_t)(field(m, c->ahead, 3) == 7 ? 8 : field(m, c->ahead, 3));
	if (c->next < NO_BIT)
		t.next = (uint8_t)(p->next + field(m, c->next, 1));
	if (c->runs < NO_BIT)
		t.read_allocate = runs[field(m, c->runs, 2)];
	return t;
}

/* Switches the folding of branches. Blocks of the event sources depend on it, so all are made anew. */
static void fold(struct apmu_machine *m, bool on)
{
	bool has = on && m->folds;

	if (m->params.folding == has)
		return;
	m->params.folding = has;
	apmu_machine__forget_runs(m);
}

/* Remembers SCTLR of each translation regime. AArch32's two banks begin alike. */
static void remember(struct apmu_machine *m)
{
	static const unsigned op1[] = {0, 4, 6};

	for (size_t i = 0; i < sizeof op1 / sizeof op1[0]; i++)
		m->control_before[op1[i] / 2] = m->model->a64
							? apmu_machine__sys(m, SCTLR | op1[i] << 12)
							: apmu_machine__cp(m, op1[i] == 4 ? 4 : 0, 1, 0, 0);
}

/* True if the program's registers switch its units. With --warm they are on until the program writes another
 * value to the SCTLR in force. */
static bool follows(struct apmu_machine *m)
{
	if (m->process)
		return false;
	if (m->config.warm && apmu_machine__control(m) == m->control_before[apmu_machine__regime(m) / 2])
		return m->follows;
	return true;
}

void apmu_machine__controls_reset(struct apmu_machine *m)
{
	m->actlr = m->params.control.actlr;
	m->folds = m->params.folding;
	m->follows = false;
	remember(m);
	apmu_machine__controls_look(m);
}

void apmu_machine__controls_look(struct apmu_machine *m)
{
	struct apmu_tuning tuned;

	if (!m->modelled || !m->uc)
		return;
	m->follows = follows(m);
	m->translates = apmu_machine__mmu_on(m);
	apmu_machine__space_look(m);
	apmu_machine__regions_look(m);
	if (!m->follows)
		return;
	fold(m, is_on((uint32_t)m->actlr, m->params.control.folding));
	tuned = tuning(m);
	apmu_uarch_tune(m->uarch, &tuned);
	apmu_uarch_switch(m->uarch, switches(m));
}

/* Finds the memory type of an address. DDI0406C B3.2.1, DDI0487 D8.2.10: without an MMU data are Strongly
 * Ordered, and code is cacheable. */
static struct apmu_board__walked walk(const struct apmu_machine *m, uint64_t address, bool code)
{
	struct apmu_board__walked walked = {.physical = address, .size = PAGE_BYTES};

	if (!m->model->mmu)
		return apmu_machine__region_at(m, address, code);
	if (m->translates && !code)
		walked = apmu_machine__walk(m, address, APMU_BOARD__WALK_READ);
	else if (!m->translates)
		walked.memory = code ? APMU_MEMORY_CACHED : APMU_MEMORY_ORDERED;
	if (m->translates && (code || walked.fault == APMU_BOARD__FAULT_PERMISSION))
		walked = apmu_machine__walk(m, address, APMU_BOARD__WALK_FETCH);
	return walked;
}

/* True if the core caches cacheable memory there. A bit of ACTLR decides for shareable data alone; cores that
 * never cache shareable memory cache neither data nor code of it. */
static bool is_kept(const struct apmu_machine *m, const struct apmu_board__walked *walked, bool code)
{
	const struct apmu_control_params *c = &m->params.control;

	if (walked->shareable && (c->shared == NEVER || (!code && !is_on((uint32_t)m->actlr, c->shared))))
		return false;
	return code || !walked->through || c->through;
}

static enum apmu_memory memory_of(const struct apmu_machine *m, const struct apmu_board__walked *walked,
				  bool code)
{
	enum apmu_memory memory = (enum apmu_memory)walked->memory;

	if (apmu_machine__in_tcm(m, walked->physical, code))
		return APMU_MEMORY_TCM;
	return memory < APMU_MEMORY_TCM && !is_kept(m, walked, code) ? APMU_MEMORY_UNCACHED : memory;
}

/* Walks the tables for m->page. An address that they do not map is never accessed. */
enum apmu_memory apmu_machine__memory_walked(struct apmu_machine *m, uint64_t address)
{
	struct apmu_machine__page *p = apmu_machine__page(m, address);
	struct apmu_board__walked walked = walk(m, address, false);
	enum apmu_memory memory;

	if (walked.fault)
		return APMU_MEMORY_CACHED;
	memory = memory_of(m, &walked, false);
	*p = (struct apmu_machine__page){.page = address / PAGE_BYTES,
					 .memory = (uint8_t)memory,
					 .local = walked.local,
					 .map = m->map};
	if (walked.size < PAGE_BYTES)
		p->page = UINT64_MAX;
	return memory;
}

/* Memory type of code, which may differ from that of data: with stage 2 alone, data are Device memory where
 * code is cacheable. */
enum apmu_memory apmu_machine__code_memory(const struct apmu_machine *m, uint64_t address)
{
	struct apmu_board__walked walked;

	if (!m->translates && !apmu_machine__has_regions(m))
		return APMU_MEMORY_CACHED;
	walked = walk(m, address, true);
	return walked.fault ? APMU_MEMORY_CACHED : memory_of(m, &walked, true);
}

/* Maintenance: what a write of coprocessor 15, or an A64 system instruction, does. */
enum by { ALL, ADDRESS, WAY, LOCKED, MODE }; /* MODE: bit 0 of the value chooses one of two */
struct row {
	uint16_t encoding; /* A32: CRn, CRm, opc2; A64: op1, CRn, CRm, op2; a hexadecimal digit each */
	uint8_t from, to;  /* versions of the architecture that have it */
	uint8_t by;        /* enum by */
	uint8_t count;
	uint8_t what[4]; /* enum apmu_maintenance */
};
#define I  APMU_MAINTAIN_ICACHE
#define D  APMU_MAINTAIN_INVALIDATE
#define C  APMU_MAINTAIN_CLEAN
#define F  APMU_MAINTAIN_CLEAN_INVALIDATE
#define B  APMU_MAINTAIN_BRANCHES
#define L  APMU_MAINTAIN_PIN
#define LI APMU_MAINTAIN_UNPIN_CODE
#define LD APMU_MAINTAIN_UNPIN_DATA
#define L0 APMU_MAINTAIN_PIN_NO_MORE
#define L1 APMU_MAINTAIN_PIN_DATA
#define A  APMU_MAINTAIN_ALLOCATE

/* DDI0211K 3.2.22, 3.3.19, XSCALE 7.2.8, 7.2.10, DDI0406C B4.2.1. Invalidating all instructions also empties
 * the branch target buffer. */
static const struct row a32[] = {
	{0x750, 5, 8, ALL, 2, {I, B}},
	{0x751, 5, 8, ADDRESS, 1, {I}},
	{0x756, 5, 8, ALL, 1, {B}},
	{0x757, 5, 8, ALL, 1, {B}},
	{0x710, 7, 8, ALL, 2, {I, B}},
	{0x716, 7, 8, ALL, 1, {B}},
	{0x760, 5, 6, ALL, 1, {D}},
	{0x761, 5, 8, ADDRESS, 1, {D}},
	{0x762, 6, 8, WAY, 1, {D}},
	{0x770, 5, 6, ALL, 3, {I, B, D}},
	{0x7A0, 6, 6, ALL, 1, {C}},
	{0x7A1, 5, 8, ADDRESS, 1, {C}},
	{0x7A2, 6, 8, WAY, 1, {C}},
	{0x7B1, 7, 8, ADDRESS, 1, {C}},
	{0x725, 5, 5, ADDRESS, 1, {A}},
	{0x7E0, 6, 6, ALL, 1, {F}},
	{0x7E1, 6, 8, ADDRESS, 1, {F}},
	{0x7E2, 6, 8, WAY, 1, {F}},
	{0x900, 6, 6, LOCKED, 1, {D}},
	{0x901, 6, 6, LOCKED, 1, {I}},
	{0x910, 5, 5, ADDRESS, 1, {L}},
	{0x911, 5, 5, ALL, 1, {LI}},
	{0x920, 5, 5, MODE, 2, {L0, L1}},
	{0x921, 5, 5, ALL, 1, {LD}},
	{0},
};

/* DDI0487 C5.3. */
static const struct row a64[] = {
	{0x0710, 8, 8, ALL, 2, {I, B}},  {0x0750, 8, 8, ALL, 2, {I, B}},  {0x3751, 8, 8, ADDRESS, 1, {I}},
	{0x0761, 8, 8, ADDRESS, 1, {F}}, {0x0762, 8, 8, WAY, 1, {D}},     {0x07A2, 8, 8, WAY, 1, {C}},
	{0x07E2, 8, 8, WAY, 1, {F}},     {0x37A1, 8, 8, ADDRESS, 1, {C}}, {0x37B1, 8, 8, ADDRESS, 1, {C}},
	{0x37C1, 8, 8, ADDRESS, 1, {C}}, {0x37E1, 8, 8, ADDRESS, 1, {F}}, {0},
};
#undef I
#undef D
#undef C
#undef F
#undef B
#undef L
#undef LI
#undef LD
#undef L0
#undef L1
#undef A

static const struct row *find(const struct row *row, uint32_t encoding, unsigned version)
{
	for (; row->encoding; row++)
		if (row->encoding == encoding && version >= row->from && version <= row->to)
			return row;
	return NULL;
}

static const struct row *row_of(const struct apmu_machine *m, const struct apmu_machine__code *c)
{
	uint32_t op = c->opcode;

	if (c->isa != APMU_ISA__A64) {
		uint32_t opc1 = op >> 21 & 7, crn = op >> 16 & 15;

		if ((op >> 8 & 15) != 15 || (op >> 20 & 1) || opc1)
			return NULL;
		return find(a32, crn << 8 | (op & 15) << 4 | (op >> 5 & 7), m->model->version);
	}
	return find(a64, (op >> 16 & 7) << 12 | (op >> 12 & 15) << 8 | (op >> 8 & 15) << 4 | (op >> 5 & 7),
		    8);
}

bool apmu_machine__is_maintenance(const struct apmu_machine *m, const struct apmu_machine__code *c)
{
	return (!m->model->a64 || c->isa == APMU_ISA__A64) && (row_of(m, c) || apmu_machine__is_unmap(m, c));
}

/* Maintenance by set and way. DDI0406C B4.2.1: the way is in the top bits, the set above the line's offset,
 * the level in bits 3:1. */
static void by_way(struct apmu_machine *m, enum apmu_maintenance what, uint32_t value)
{
	const struct apmu_uarch_params *p = &m->params;
	unsigned level = (value >> 1 & 7) + 1;
	const uint32_t shape[3][3] = {{p->l1d.size, p->l1d.ways, p->l1d.line},
				      {p->l2.size, p->l2.ways, p->l2.line},
				      {p->l3.size, p->l3.ways, p->l3.line}};

	if (level > 3 || !shape[level - 1][0])
		return;
	uint32_t size = shape[level - 1][0], ways = shape[level - 1][1], line = shape[level - 1][2];
	unsigned a = apmu_base__log2(2 * (uint64_t)ways - 1);
	apmu_uarch_maintain_way(m->uarch, what, level, value / line & (size / ways / line - 1),
				a ? value >> (32 - a) : 0);
}

static bool is_allowed(const struct apmu_machine *m)
{
	return m->mode.el > 0 || (m->model->a64 && apmu_machine__control(m) >> 26 & 1); /* SCTLR_EL1.UCI */
}

static void maintain(struct apmu_machine *m, const struct row *row, enum apmu_maintenance what,
		     uint64_t value)
{
	switch ((enum by)row->by) {
	case WAY: by_way(m, what, (uint32_t)value); break;
	case LOCKED: apmu_uarch_lock(m->uarch, what == APMU_MAINTAIN_ICACHE, value); break;
	case ADDRESS: apmu_uarch_maintain(m->uarch, what, value); break;
	case ALL:
	case MODE: apmu_uarch_maintain(m->uarch, what, APMU_MAINTAIN_ALL); break;
	}
}

/* Applies the maintenance to the event sources; the emulator executes the instruction. */
void apmu_machine__maintain(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	const struct row *row = row_of(m, c);
	uint64_t value =
		apmu_machine__reg(m, c->isa == APMU_ISA__A64 ? c->opcode & 31 : c->opcode >> 12 & 15);
	unsigned first, behind;

	if (m->modelled && !row)
		apmu_machine__unmap(m, c);
	if (!m->modelled || !row || !is_allowed(m))
		return;
	first = row->by == MODE ? value & 1 : 0;
	behind = row->by == MODE ? first + 1 : row->count;
	for (unsigned k = first; k < behind; k++)
		maintain(m, row, (enum apmu_maintenance)row->what[k], value);
}
