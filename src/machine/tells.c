/* SPDX-License-Identifier: MIT */
/* Checks that libunicorn reports every access. Up to 2.1.1 it does so on x86-64 hosts alone: on an Arm64 host
 * it reports one per page, and the rest bypass its hook (unicorn-engine/unicorn issue 1908, fixed by pull
 * request 2028). */
#include <apmu/machine.h>

#include <unicorn/unicorn.h>

#define READS 8u
#define CODE  0x10000u
#define DATA  0x11000u

static void count(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value, void *user)
{
	(void)uc;
	(void)type;
	(void)address;
	(void)size;
	(void)value;
	++*(unsigned *)user;
}

bool apmu_machine_sees_accesses(void)
{
	static const uint32_t loop[] = {
		0xE5910000, /* ldr r0, [r1] */
		0xE2522001, /* subs r2, r2, #1 */
		0x1AFFFFFC, /* bne */
	};
	uint32_t data = DATA, turns = READS;
	unsigned told = 0;
	uc_engine *uc;
	uc_hook hook;

	if (uc_open(UC_ARCH_ARM, UC_MODE_ARM, &uc) != UC_ERR_OK)
		return true; /* opening the machine fails too, and says why */
	uc_mem_map(uc, CODE, 0x2000, UC_PROT_ALL);
	uc_mem_write(uc, CODE, loop, sizeof loop);
	uc_reg_write(uc, UC_ARM_REG_R1, &data);
	uc_reg_write(uc, UC_ARM_REG_R2, &turns);
	uc_hook_add(uc, &hook, UC_HOOK_MEM_READ, (void *)(uintptr_t)count, &told, (uint64_t)1, (uint64_t)0);
	uc_emu_start(uc, CODE, CODE + sizeof loop, 0, 0);
	uc_close(uc);
	return told == READS;
}
