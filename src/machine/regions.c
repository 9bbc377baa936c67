/* SPDX-License-Identifier: MIT */
/*
 * Regions that CP15 describes without page tables: tightly coupled memories (c9), and the regions of a memory
 * protection unit (c6), whose registers the emulator keeps. The event sources need the memory type of an
 * address in them.
 */
#include "base/error_line.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/translation.h"

#define TCM_BTCM     (15u << 16 | 9 << 8 | 1 << 4) /* or the data TCM */
#define TCM_ATCM     (TCM_BTCM | 1)                /* or the instruction TCM */
#define TCM_STATUS   (15u << 16 | 2)
#define TCM_ON       1u
#define TCM_LEAST    4096u
#define TCM_MOST     (8u << 20)
#define TCM_SIZE_AT  2
#define SCTLR_M      1u
#define SCTLR_BR     0x20000u
#define REGION_ON    1u
#define REGION_LEAST 256u /* bytes: smaller ones have no subregions */

enum { DATA, CODE };

static bool is_size(uint64_t size)
{
	return size == 0 || (size >= TCM_LEAST && size <= TCM_MOST && (size & (size - 1)) == 0);
}

/* With --warm and for Linux programs the TCMs lie where the parameters say, whatever c9 says. */
int apmu_machine__regions_init(struct apmu_machine *m, char *error, size_t size)
{
	struct apmu_uarch_params *p = &m->params;
	bool fixed = m->config.warm || (m->config.board && strcmp(m->config.board, "linux") == 0);

	if (p->control.tcm == APMU_TCM_NONE)
		return 0;
	if (!is_size(p->itcm.size) || !is_size(p->dtcm.size))
		return apmu_base__say(
			error, size, APMU_EINVAL,
			"itcm.size and dtcm.size: this core's are 0 or a power of two from %u to %u",
			TCM_LEAST, TCM_MOST);
	m->tcm_window[DATA] = p->dtcm;
	m->tcm_window[CODE] = p->itcm;
	m->tcm_fixed = fixed;
	if (!fixed)
		p->itcm = p->dtcm = (struct apmu_window){0, 0};
	return 0;
}

/* DDI0211K 3.3.22: the register's size field; 0: no TCM. DDI0363E 4.2.20 has the same field. */
static uint32_t size_field(uint64_t size)
{
	return size ? (uint32_t)(63 - __builtin_clzll(size) - 9) << TCM_SIZE_AT : 0;
}

static uint32_t region_register(const struct apmu_machine *m, unsigned which)
{
	const struct apmu_window *w = &m->tcm_window[which];

	return (uint32_t)w->base | size_field(w->size) | (w->size && (m->tcm_fixed || m->tcm_on[which]));
}

bool apmu_machine__is_region(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding)
{
	return m->params.control.tcm && view == APMU_VIEW_CP &&
	       (encoding == TCM_BTCM || encoding == TCM_ATCM || encoding == TCM_STATUS);
}

bool apmu_machine__region_access(struct apmu_machine *m, uint32_t encoding, bool write, uint64_t *value)
{
	unsigned which = encoding == TCM_ATCM ? CODE : DATA;
	struct apmu_window *w = &m->tcm_window[which];

	if (m->mode.el == 0)
		return false;
	if (encoding == TCM_STATUS) {
		*value = (w->size ? 1u << 16 : 0) | (m->tcm_window[CODE].size ? 1u : 0);
		return !write;
	}
	if (!write) {
		*value = region_register(m, which);
	} else if (w->size && !m->tcm_fixed) {
		w->base = (uint32_t)*value & ~(uint32_t)(w->size - 1);
		m->tcm_on[which] = *value & TCM_ON;
		m->after |= APMU_MACHINE__AFTER_MAP;
	}
	return true;
}

static bool inside(const struct apmu_machine *m, unsigned which, uint64_t physical)
{
	return m->tcm_on[which] && physical - m->tcm_window[which].base < m->tcm_window[which].size;
}

/* True if the address is in a TCM. A core with split TCMs fetches instructions from the ITCM alone; data may
 * be in both. */
bool apmu_machine__in_tcm(const struct apmu_machine *m, uint64_t physical, bool code)
{
	return inside(m, CODE, physical) ||
	       ((!code || m->params.control.tcm == APMU_TCM_UNIFIED) && inside(m, DATA, physical));
}

bool apmu_machine__has_regions(const struct apmu_machine *m)
{
	return !m->model->mmu || m->tcm_on[DATA] || m->tcm_on[CODE];
}

/* Reads the MPU's regions, and puts back the region number register, which is the program's. */
void apmu_machine__regions_look(struct apmu_machine *m)
{
	uint64_t chosen;

	m->regions = 0;
	if (m->model->mmu)
		return;
	chosen = apmu_machine__cp(m, 0, 6, 2, 0);
	m->regions = (unsigned)(apmu_machine__cp(m, 0, 0, 0, 4) >> 8 & 0xFF);
	if (m->regions > APMU_MACHINE__REGIONS)
		m->regions = APMU_MACHINE__REGIONS;
	for (unsigned n = 0; n < m->regions; n++) {
		apmu_machine__cp_set(m, 0, 6, 2, 0, n);
		m->region[n] = (struct apmu_machine__region){
			.base = (uint32_t)apmu_machine__cp(m, 0, 6, 1, 0),
			.size = (uint32_t)apmu_machine__cp(m, 0, 6, 1, 2),
			.access = (uint32_t)apmu_machine__cp(m, 0, 6, 1, 4),
		};
	}
	apmu_machine__cp_set(m, 0, 6, 2, 0, chosen);
}

/* DDI0406C B5.1.3: the default memory map, for data and for instructions. */
static void by_default(struct apmu_board__walked *walked, uint32_t address, bool code)
{
	static const uint8_t data[8] = {APMU_MEMORY_CACHED,   APMU_MEMORY_CACHED, APMU_MEMORY_CACHED,
					APMU_MEMORY_UNCACHED, APMU_MEMORY_DEVICE, APMU_MEMORY_DEVICE,
					APMU_MEMORY_ORDERED,  APMU_MEMORY_ORDERED};
	unsigned part = address >> 29;

	walked->memory = code ? (part < 4 ? APMU_MEMORY_CACHED : APMU_MEMORY_UNCACHED) : data[part];
	walked->through = part == 2 && !code;
}

/* log2 of a region's bytes; DRSR.RSize, at least 32 bytes. */
static unsigned region_bits(const struct apmu_machine__region *r)
{
	unsigned bits = (r->size >> 1 & 31) + 1;

	return bits < 5 ? 5 : bits;
}

/* True if the region has the address. Subregions (eighths of it) can be left out. */
static bool holds(const struct apmu_machine__region *r, uint32_t address)
{
	unsigned bits = region_bits(r);
	uint64_t size = (uint64_t)1 << bits;
	uint32_t offset = address - (r->base & ~(uint32_t)(size - 1));

	if (!(r->size & REGION_ON) || offset >= size)
		return false;
	return size < REGION_LEAST || !(r->size >> (8 + (offset >> (bits - 3))) & 1);
}

/* True if what the region says may hold for a part of the address's page only. */
static bool divides(const struct apmu_machine__region *r, uint32_t address)
{
	unsigned bits = region_bits(r), part = r->size >> 8 & 0xFF ? bits - 3 : bits;
	uint32_t page = address & ~(PAGE_BYTES - 1), base = r->base & ~(uint32_t)(((uint64_t)1 << bits) - 1);

	if (!(r->size & REGION_ON) || (uint64_t)1 << part >= PAGE_BYTES)
		return false;
	return (uint64_t)base + ((uint64_t)1 << bits) > page && base < (uint64_t)page + PAGE_BYTES;
}

/* DDI0406C B5.1: the region of the highest number that has the address; without one, the default map. */
struct apmu_board__walked apmu_machine__region_at(const struct apmu_machine *m, uint64_t address, bool code)
{
	struct apmu_board__walked walked = {.physical = address, .size = PAGE_BYTES};
	uint32_t at = (uint32_t)address;
	bool on = apmu_machine__control(m) & SCTLR_M;
	unsigned n = on ? m->regions : 0;

	for (unsigned k = 0; k < n; k++)
		if (divides(&m->region[k], at))
			walked.size = 1;
	while (n > 0 && !holds(&m->region[n - 1], at))
		n--;
	if (n == 0) {
		by_default(&walked, at, code);
		return walked;
	}
	uint32_t access = m->region[n - 1].access;

	apmu_board__walk_type(&walked, access >> 3 & 7, (access & 1) | (access >> 1 & 1) << 1,
			      access >> 2 & 1);
	return walked;
}
