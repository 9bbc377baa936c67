/* SPDX-License-Identifier: MIT */
/*
 * Finds the address that an access faulted at. The library raises the exception and has no call that returns
 * the address; with the MMU on, libunicorn 2.1 does not even call the memory hooks before.
 *
 * A saved CPU holds the address, at an offset that no header gives. So the offset is searched for once, in a
 * CPU that is made to fault at a distinctive address: the address follows a syndrome that says "data abort".
 */
#include "machine/exceptions.h"
#include "machine/machine_internal.h"

#include <string.h>

#define CODE          0x1000u
#define NOWHERE       0x5EC0DE13u /* odd: an exclusive load faults, whatever the MMU does */
#define LDREX         0xE1929F9Fu /* ldrex r9, [r2] */
#define LDXR          0x885F7C49u /* ldxr w9, [x2] */
#define BEFORE        8u          /* bytes from the syndrome to the address */
#define CLASS(esr)    ((esr) >> 26)
#define CLASS_LOWER   0x24u /* data abort from a lower level; plus 1: from the same level */
#define TARGET        8u    /* bytes from the address to the level that takes the exception */
#define SYNDROME_WNR  (1u << 6)
#define PLACE_UNKNOWN 0u
#define PLACE_NONE    1u

static bool says_abort(const uint8_t *at)
{
	uint32_t syndrome;

	memcpy(&syndrome, at, sizeof syndrome);
	return (CLASS(syndrome) & ~1u) == CLASS_LOWER;
}

static size_t search(const uint8_t *bytes, size_t n)
{
	size_t found = PLACE_NONE;
	uint64_t value;

	for (size_t at = BEFORE; at + sizeof value <= n; at += 4) {
		memcpy(&value, bytes + at, sizeof value);
		if (value != NOWHERE || !says_abort(bytes + at - BEFORE))
			continue;
		if (found != PLACE_NONE)
			return PLACE_NONE;
		found = at;
	}
	return found;
}

static void stop(uc_engine *uc, uint32_t number, void *user)
{
	(void)number;
	(void)user;
	uc_emu_stop(uc);
}

static bool make_fault(uc_engine *uc, bool a64)
{
	const uint32_t code = a64 ? LDXR : LDREX;
	uint64_t nowhere = NOWHERE;
	uc_hook handle;

	return uc_mem_map(uc, CODE, 0x1000, UC_PROT_ALL) == UC_ERR_OK &&
	       uc_mem_map(uc, NOWHERE & ~0xFFFu, 0x1000, UC_PROT_ALL) == UC_ERR_OK &&
	       uc_mem_write(uc, CODE, &code, sizeof code) == UC_ERR_OK &&
	       uc_reg_write(uc, a64 ? (int)UC_ARM64_REG_X2 : (int)UC_ARM_REG_R2, &nowhere) == UC_ERR_OK &&
	       uc_hook_add(uc, &handle, UC_HOOK_INTR, (void *)(uintptr_t)(void (*)(void))stop, NULL, 1, 0) ==
		       UC_ERR_OK &&
	       uc_emu_start(uc, CODE, CODE + 4, 0, 0) == UC_ERR_OK;
}

/* One offset holds for all CPUs of an architecture: their state is one structure. */
static size_t find_place(bool a64)
{
	size_t place = PLACE_NONE;
	uc_context *saved = NULL;
	uc_engine *uc;

	if (uc_open(a64 ? UC_ARCH_ARM64 : UC_ARCH_ARM, UC_MODE_ARM, &uc) != UC_ERR_OK)
		return place;
	if (uc_ctl_set_cpu_model(uc, a64 ? (int)UC_CPU_ARM64_A57 : (int)UC_CPU_ARM_CORTEX_A15) == UC_ERR_OK &&
	    uc_context_alloc(uc, &saved) == UC_ERR_OK && make_fault(uc, a64) &&
	    uc_context_save(uc, saved) == UC_ERR_OK)
		place = search((const uint8_t *)saved, uc_context_size(uc));
	if (saved)
		uc_context_free(saved);
	uc_close(uc);
	return place;
}

/* Syndrome, address (if the syndrome has one) and target level of the last exception that the emulator
 * raised. */
static bool last_exception(struct apmu_machine *m, uint32_t *syndrome, uint64_t *address, uint32_t *el)
{
	const uint8_t *bytes = (const uint8_t *)m->saved;

	if (m->abort_place == PLACE_UNKNOWN)
		m->abort_place = find_place(m->model->a64);
	if (m->abort_place == PLACE_NONE || uc_context_save(m->uc, m->saved) != UC_ERR_OK)
		return false;
	memcpy(syndrome, bytes + m->abort_place - BEFORE, sizeof *syndrome);
	memcpy(address, bytes + m->abort_place, sizeof *address);
	memcpy(el, bytes + m->abort_place + TARGET, sizeof *el);
	return true;
}

bool apmu_machine__abort_address(struct apmu_machine *m, uint64_t *address, bool *write)
{
	uint32_t syndrome = 0, el;

	if (!last_exception(m, &syndrome, address, &el) || (CLASS(syndrome) & ~1u) != CLASS_LOWER)
		return false;
	*write = syndrome & SYNDROME_WNR;
	return true;
}

/* Exception classes of trapped instructions: WFI, AArch32's coprocessors, floating point, PAuth, illegal
 * state, system registers, SVE. With any other class the instruction is undefined. */
#define TRAPS (1u << 0x01 | 0x7Du << 0x03 | 1u << 0x07 | 1u << 0x09 | 1u << 0x0E | 1u << 0x18 | 1u << 0x19)
/* Exception classes of AArch32's traps to Hyp mode: WFI, coprocessors 15 and 14 in all their forms, floating
 * point, VMRS, Jazelle, SMC. */
#define TRAPS32 (1u << 0x01 | 0x1F8u | 1u << 0x0A | 1u << 0x0C | 1u << 0x13)

uint32_t apmu_machine__trap_syndrome(struct apmu_machine *m, unsigned *el)
{
	uint32_t syndrome = 0, to = 0;
	uint64_t address;
	uint32_t traps = m->model->a64 ? TRAPS : TRAPS32;
	bool may = m->model->a64 || m->highest_el >= 2,
	     told = may && last_exception(m, &syndrome, &address, &to);

	*el = to <= m->highest_el ? to : 0;
	if (!m->model->a64 && to != 2)
		return 0;
	return told && CLASS(syndrome) < 32 && traps >> CLASS(syndrome) & 1 ? syndrome : 0;
}

/* Software step from a lower level; plus 1: from the same level. DDI0487 D2.12. */
#define CLASS_STEP 0x32u

bool apmu_machine__stepped(struct apmu_machine *m, uint32_t *syndrome)
{
	uint64_t address;
	uint32_t to;

	return m->model->a64 && last_exception(m, syndrome, &address, &to) &&
	       (CLASS(*syndrome) & ~1u) == CLASS_STEP;
}
