/* SPDX-License-Identifier: MIT */
/*
 * AArch32 at EL0 of a CPU whose levels above are AArch64.
 *
 * The emulator executes AArch32 code, but its calls return an AArch64 CPU's registers only in their AArch64
 * form, which is stale in AArch32 state. A saved CPU holds the AArch32 registers, at offsets that no header
 * gives. So find_place() searches for them once, in a CPU that has returned to AArch32 with distinctive
 * values in its registers; every field used here must be found with the value that it has to have.
 */
#include "machine/aarch32_el0.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"

#define CODE          0x1000u
#define USER          0x1100u
#define PLACE_UNKNOWN 0u
#define PLACE_NONE    1u

/* Offsets in bytes from the first general register; each field is a 32-bit word. */
enum { REG_PC = 15 * 4, UNCACHED = 340, CF = 520, VF = 524, NF = 528, ZF = 532, QF = 536, GE = 540 };
enum { THUMB = 544, IT = 548, DAIF = 560, LAST = 564 };

/* The state that is searched for: N, C, Q, some of GE, A and F masked, T32, User mode, at an undefined
 * instruction in an IT block. */
#define LOOK_N   (1u << 31)
#define LOOK_C   (1u << 29)
#define LOOK_Q   (1u << 27)
#define LOOK_GE  5u
#define LOOK_IT  0xE8u
#define LOOK_AIF 0x140u
#define LOOK     (LOOK_N | LOOK_C | LOOK_Q | LOOK_GE << 16 | LOOK_AIF | CPSR_T | 0x10)

#define CPSR_AIF 0x1C0u

#define SCR_EL3   ((uc_arm64_cp_reg){.op0 = 3, .op1 = 6, .crn = 1, .crm = 1, .val = 0x501}) /* RW, HCE, NS */
#define HCR_EL2   ((uc_arm64_cp_reg){.op0 = 3, .op1 = 4, .crn = 1, .crm = 1, .val = 1u << 31}) /* RW */
#define SPSR_EL1  ((uc_arm64_cp_reg){.op0 = 3, .crn = 4, .val = LOOK})
#define ELR_EL1   ((uc_arm64_cp_reg){.op0 = 3, .crn = 4, .op2 = 1, .val = USER})
#define ERET      0xD69F03E0u
#define WORD(n)   (0x5EC0DE00u + (n)) /* value of register n */
#define REGISTERS 15u

static uint32_t word_at(const uint8_t *bytes, size_t at)
{
	uint32_t value;

	memcpy(&value, bytes + at, sizeof value);
	return value;
}

static bool is_here(const uint8_t *at)
{
	for (unsigned n = 0; n < REGISTERS; n++)
		if (word_at(at, (size_t)4 * n) != WORD(n))
			return false;
	return word_at(at, REG_PC) == USER + 2 && (word_at(at, UNCACHED) & 0x1F) == 0x10 &&
	       word_at(at, CF) == 1 && !(word_at(at, VF) >> 31) && word_at(at, NF) >> 31 &&
	       word_at(at, ZF) != 0 && word_at(at, QF) == 1 && word_at(at, GE) == LOOK_GE &&
	       word_at(at, THUMB) == 1 && word_at(at, IT) == LOOK_IT &&
	       (word_at(at, DAIF) & CPSR_AIF) == LOOK_AIF;
}

struct search {
	uc_context *saved;
	size_t place;
};

static void look(uc_engine *uc, uint32_t number, void *user)
{
	struct search *s = user;
	const uint8_t *bytes = (const uint8_t *)s->saved;

	(void)number;
	uc_emu_stop(uc);
	if (uc_context_save(uc, s->saved) != UC_ERR_OK)
		return;
	for (size_t at = 0; at + LAST <= uc_context_size(uc); at += 4)
		if (is_here(bytes + at))
			s->place = at;
}

static bool set_up(uc_engine *uc, struct search *s)
{
	static const uint32_t eret = ERET;
	static const uint16_t code[] = {0xBF00 | LOOK_IT, 0xDE00}; /* IT AL; UDF */
	uc_arm64_cp_reg reg[] = {SCR_EL3, HCR_EL2, SPSR_EL1, ELR_EL1};
	uc_hook handle;
	bool done = true;

	for (size_t i = 0; i < sizeof reg / sizeof *reg; i++)
		done &= uc_reg_write(uc, UC_ARM64_REG_CP_REG, &reg[i]) == UC_ERR_OK;
	for (unsigned n = 0; n < REGISTERS; n++) {
		uint64_t value = WORD(n);

		done &= uc_reg_write(uc, UC_ARM64_REG_X0 + (int)n, &value) == UC_ERR_OK;
	}
	return done && uc_context_alloc(uc, &s->saved) == UC_ERR_OK &&
	       uc_mem_map(uc, CODE, 0x1000, UC_PROT_ALL) == UC_ERR_OK &&
	       uc_mem_write(uc, CODE, &eret, sizeof eret) == UC_ERR_OK &&
	       uc_mem_write(uc, USER, code, sizeof code) == UC_ERR_OK &&
	       uc_hook_add(uc, &handle, UC_HOOK_INTR, (void *)(uintptr_t)(void (*)(void))look, s, 1, 0) ==
		       UC_ERR_OK;
}

static size_t find_place(void)
{
	struct search s = {.place = PLACE_NONE};
	uc_engine *uc;

	if (uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &uc) != UC_ERR_OK)
		return PLACE_NONE;
	if (uc_ctl_set_cpu_model(uc, UC_CPU_ARM64_A57) == UC_ERR_OK && set_up(uc, &s))
		uc_emu_start(uc, CODE, 0, 0, 0);
	if (s.saved)
		uc_context_free(s.saved);
	uc_close(uc);
	return s.place;
}

bool apmu_machine__aarch32_known(struct apmu_machine *m)
{
	if (m->aarch32_place == PLACE_UNKNOWN)
		m->aarch32_place = find_place();
	return m->aarch32_place != PLACE_NONE;
}

/* Saves the CPU as it is now; returns its AArch32 registers. */
static uint8_t *now(const struct apmu_machine *m)
{
	uc_context_save(m->uc, m->saved);
	return (uint8_t *)m->saved + m->aarch32_place;
}

static void put(const struct apmu_machine *m, uint8_t *cpu, size_t at, uint32_t value)
{
	memcpy(cpu + at, &value, sizeof value);
	uc_context_restore(m->uc, m->saved);
}

uint32_t apmu_machine__aarch32_reg(const struct apmu_machine *m, unsigned n)
{
	return word_at(now(m), (size_t)4 * n);
}

void apmu_machine__aarch32_reg_set(struct apmu_machine *m, unsigned n, uint32_t value)
{
	put(m, now(m), (size_t)4 * n, value);
}

/* Nothing reads the AArch64 PC in AArch32 state, but writing it makes the emulator leave its block. */
void apmu_machine__aarch32_pc_set(struct apmu_machine *m, uint32_t pc)
{
	uint64_t unused = pc;

	apmu_machine__aarch32_reg_set(m, 15, pc);
	uc_reg_write(m->uc, UC_ARM64_REG_PC, &unused);
}

uint32_t apmu_machine__aarch32_cpsr(const struct apmu_machine *m)
{
	const uint8_t *cpu = now(m);
	uint32_t it = word_at(cpu, IT);

	return word_at(cpu, UNCACHED) | (word_at(cpu, NF) & 1u << 31) |
	       (uint32_t)(word_at(cpu, ZF) == 0) << 30 | word_at(cpu, CF) << 29 |
	       word_at(cpu, VF) >> 31 << 28 | word_at(cpu, QF) << 27 | (it & 3) << 25 |
	       word_at(cpu, GE) << 16 | (it & 0xFC) << 8 | (word_at(cpu, DAIF) & CPSR_AIF) |
	       word_at(cpu, THUMB) << 5;
}

/* Writes the IT bits and T; no other bit of CPSR is ever written. */
void apmu_machine__aarch32_cpsr_set(struct apmu_machine *m, uint32_t cpsr)
{
	uint8_t *cpu = now(m);
	uint32_t it = (cpsr >> 25 & 3) | (cpsr >> 8 & 0xFC);

	memcpy(cpu + IT, &it, sizeof it);
	put(m, cpu, THUMB, cpsr >> 5 & 1);
}
