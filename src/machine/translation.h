/* SPDX-License-Identifier: MIT */
/* Address translation, and what follows from it: mmu.c, controls.c, space.c, regions.c. */
#ifndef APMU_MACHINE_TRANSLATION_H
#define APMU_MACHINE_TRANSLATION_H

#include "machine/machine_internal.h"

/* controls.c. _reset(): out of reset. _look(): the translation or a register that switches units has changed.
 */
void apmu_machine__controls_reset(struct apmu_machine *m);
void apmu_machine__controls_look(struct apmu_machine *m);
bool apmu_machine__is_maintenance(const struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__maintain(struct apmu_machine *m, const struct apmu_machine__code *c);

/* space.c. _look(): the translation may have changed. _unmap(): TLB maintenance. */
int apmu_machine__spaces_init(struct apmu_machine *m);
void apmu_machine__space_look(struct apmu_machine *m);
bool apmu_machine__is_unmap(const struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__unmap(struct apmu_machine *m, const struct apmu_machine__code *c);

/* mmu.c. op1 of the current translation regime's registers: 0 (EL1), 4 (EL2), 6 (EL3). */
unsigned apmu_machine__regime(const struct apmu_machine *m);
/* AArch32: TTBR0 (0), TTBR1 (1), HTTBR (4) or VTTBR (6), by `which`. 64 bits on CPUs with LPAE, else 32. */
uint64_t apmu_machine__table_base(const struct apmu_machine *m, unsigned which);

/* Memory type of a data access; the slow path, memory_walked(), walks the tables. */
enum apmu_memory apmu_machine__memory_walked(struct apmu_machine *m, uint64_t address);
static inline struct apmu_machine__page *apmu_machine__page(struct apmu_machine *m, uint64_t address)
{
	return &m->page[address / PAGE_BYTES % APMU_MACHINE__PAGES];
}
static inline enum apmu_memory apmu_machine__memory_at(struct apmu_machine *m, uint64_t address)
{
	const struct apmu_machine__page *p = apmu_machine__page(m, address);

	if (p->page == address / PAGE_BYTES && p->map == m->map)
		return (enum apmu_memory)p->memory;
	return apmu_machine__memory_walked(m, address);
}

/* Memory type of the code at an address. */
enum apmu_memory apmu_machine__code_memory(const struct apmu_machine *m, uint64_t address);

/* Tells the event sources the memory type of the code that is entered, if it is another. */
static inline void apmu_machine__code_from(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	if (c->memory == m->code_memory)
		return;
	m->code_memory = c->memory;
	apmu_uarch_code_memory(m->uarch, (enum apmu_memory)c->memory);
}

/* regions.c. _init(): sizes from the parameters. _look(): MPU registers may have changed. _access(): CP15
 * registers of TCMs; false: the emulator answers. */
int apmu_machine__regions_init(struct apmu_machine *m, char *error, size_t size);
void apmu_machine__regions_look(struct apmu_machine *m);
bool apmu_machine__is_region(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding);
bool apmu_machine__region_access(struct apmu_machine *m, uint32_t encoding, bool write, uint64_t *value);
bool apmu_machine__in_tcm(const struct apmu_machine *m, uint64_t physical, bool code);
bool apmu_machine__has_regions(const struct apmu_machine *m); /* an MPU, or a TCM that is on */
struct apmu_board__walked apmu_machine__region_at(const struct apmu_machine *m, uint64_t address, bool code);

/* mmu.c */
bool apmu_machine__mmu_on(const struct apmu_machine *m);
uint64_t apmu_machine__control(const struct apmu_machine *m); /* SCTLR of the translation regime */
void apmu_machine__control_set(struct apmu_machine *m, uint64_t control);
void apmu_machine__hcr_set(struct apmu_machine *m, uint64_t hcr);
/* Switch translation off and on again, between two instructions. */
void apmu_machine__flatten(struct apmu_machine *m, struct apmu_machine__untranslated *was);
void apmu_machine__translate_again(struct apmu_machine *m, const struct apmu_machine__untranslated *was);
/* A walk for a read or, without permission to read, for a fetch. */
struct apmu_board__walked apmu_machine__walk_any(const struct apmu_machine *m, uint64_t address);
bool apmu_machine__physical_of(const struct apmu_machine *m, uint64_t address, uint64_t *physical);
void apmu_machine__walk_regs(const struct apmu_machine *m, struct apmu_board__walk_a32 *regs);
struct apmu_board__walked apmu_machine__walk_with(const struct apmu_machine *m, uint64_t address,
						  enum apmu_board__walk_kind kind, bool privileged);
struct apmu_board__walked apmu_machine__walk(const struct apmu_machine *m, uint64_t address,
					     enum apmu_board__walk_kind kind);

#endif
