/* SPDX-License-Identifier: MIT */
/*
 * T32's IT blocks, which the emulator cannot be made to leave: a PC written, or a stop, takes effect after
 * the block. The machine can only have the block translated differently.
 */
#include "machine/instructions.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"
#include "machine/translation.h"
#include "machine/views.h"

#define PAGE 0x1000u

/* The control word of uc_ctl_request_cache(), whose macro shifts a sign bit: the call, 2 arguments, read and
 * write. */
#define REQUEST_CACHE ((uc_control_type)((unsigned)UC_CTL_TB_REQUEST_CACHE | 2u << 26 | 3u << 30))

/* Drops the translation at an address, and translates what is there now. */
void apmu_machine__translate_block(const struct apmu_machine *m, uint64_t address, uint64_t end)
{
	uc_tb block;

	uc_ctl_remove_cache(m->uc, address, end);
	uc_ctl(m->uc, REQUEST_CACHE, address, &block);
}

/* The emulator ignores writes of the PC in an IT block, and goes on ignoring them if its translation ended
 * within one (a branch, an undefined instruction, SVC). Translating the last instruction of a block ends
 * that, so a branch is put there for a moment and translated. */
void apmu_machine__remind(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	static const uint8_t branch[2] = {0xFE, 0xE7};
	uint8_t *bytes = (uint8_t *)(uintptr_t)c->bytes, was[2];
	uint32_t cpsr = apmu_machine__cpsr(m);

	if (!bytes)
		return;
	memcpy(was, bytes, sizeof was);
	memcpy(bytes, branch, sizeof branch);
	apmu_machine__cpsr_set(m, (cpsr & ~CPSR_IT) | CPSR_T);
	apmu_machine__translate_block(m, c->address, c->address + 2);
	memcpy(bytes, was, sizeof was);
	uc_ctl_remove_cache(m->uc, c->address, c->address + 2);
	apmu_machine__cpsr_set(m, cpsr);
}

/* The next state of an IT block: DDI0406C A2.5.2, ITAdvance(). */
static uint32_t it_advanced(uint32_t cpsr)
{
	uint32_t it = (cpsr >> 25 & 3) | (cpsr >> 8 & 0xFC);

	it = (it & 7) == 0 ? 0 : (it & 0xE0) | (it << 1 & 0x1F);
	return (cpsr & ~CPSR_IT) | (it & 3) << 25 | (it & 0xFC) << 8;
}

bool apmu_machine__done_in_it(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	if (!m->in_it)
		return false;
	apmu_machine__remind(m, c);
	if (!m->done && c->special != APMU_MACHINE__SPECIAL_NOP)
		return false;
	apmu_machine__cpsr_set(m, it_advanced(apmu_machine__cpsr(m)));
	apmu_machine__pc_set(m, c->address + c->size);
	return true;
}

/* True if a translation of `n` bytes ends with an instruction of an IT block. `it`: ITSTATE at the first
 * instruction. */
static bool ends_in_it(const uint8_t *bytes, size_t n, unsigned it)
{
	bool inside = false;
	size_t at = 0;

	while (at + 2 <= n) {
		unsigned half = bytes[at] | (unsigned)bytes[at + 1] << 8;

		inside = it & 15;
		it = (it & 7) == 0 ? 0 : (it & 0xE0) | (it << 1 & 0x1F);
		if (!inside && (half & 0xFF00) == 0xBF00 && (half & 15))
			it = half & 0xFF;
		at += apmu_isa__thumb_size((uint16_t)half);
	}
	return inside;
}

/* After a translation that ends in an IT block, the emulator would take no interrupt in A32 code that it
 * translates next either. So apmu_machine__remind() is called at once, for the bytes after what was
 * translated or, if those are in the next page, at the beginning of the page. */
void apmu_machine__translated(struct apmu_machine *m, uint64_t address, size_t size)
{
	uint32_t cpsr = apmu_machine__cpsr(m);
	struct apmu_machine__code last = {.address = address + size};
	uint64_t physical;
	const uint8_t *bytes;

	if (!(cpsr & CPSR_T) || !apmu_machine__physical_of(m, address, &physical))
		return;
	bytes = apmu_machine__host(m, physical, size);
	if (!bytes || !ends_in_it(bytes, size, (cpsr >> 25 & 3) | (cpsr >> 8 & 0xFC)))
		return;
	if ((last.address & ~(uint64_t)(PAGE - 1)) != (address & ~(uint64_t)(PAGE - 1)))
		last.address = address & ~(uint64_t)(PAGE - 1);
	if (apmu_machine__physical_of(m, last.address, &physical))
		last.bytes = apmu_machine__host(m, physical, 2);
	apmu_machine__remind(m, &last);
}

/* True if a coprocessor access that belongs to the machine is at `bytes`. */
static bool is_access(const struct apmu_machine *m, const uint8_t *bytes, unsigned size)
{
	struct apmu_machine__code at = {.size = (uint8_t)size, .isa = APMU_ISA__T32};

	if (size != 4)
		return false;
	at.opcode = apmu_isa__opcode(APMU_ISA__T32, bytes, size);
	apmu_machine__decode(m, &at);
	return at.special == APMU_MACHINE__SPECIAL_MRC || at.special == APMU_MACHINE__SPECIAL_MRRC;
}

bool apmu_machine__refuse_in_it(struct apmu_machine *m, const struct apmu_machine__code *c, unsigned n)
{
	static const uint8_t udf[4] = {0xF0, 0xF7, 0x00, 0xA0};
	uint8_t *bytes = (uint8_t *)(uintptr_t)c->bytes, was[4 * 4];
	unsigned length = 2, left = PAGE - (unsigned)(c->address & (PAGE - 1));
	bool any = false;

	if (!bytes || left < 2 + sizeof was) /* across a page's end: left as the emulator translates it */
		return false;
	memcpy(was, bytes + 2, sizeof was);
	for (unsigned i = 0; i < n; i++) {
		unsigned size = apmu_isa__thumb_size((uint16_t)(was[length - 2] | was[length - 1] << 8));

		if (is_access(m, was + length - 2, size)) {
			memcpy(bytes + length, udf, sizeof udf);
			any = true;
		}
		length += size;
	}
	if (any)
		apmu_machine__translate_block(m, c->address, c->address + length);
	memcpy(bytes + 2, was, sizeof was);
	return any;
}
