/* SPDX-License-Identifier: MIT */
/* The hooks that the emulator calls for instructions, blocks and accesses. */
#include "machine/counting.h"
#include "machine/emulator.h"
#include "machine/exceptions.h"
#include "machine/instructions.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/translation.h"
#include "machine/views.h"

#define STATE_SS  (1u << 21) /* PSTATE.SS */
#define DCZID_EL0 apmu_sysreg(3, 3, 0, 0, 7)

/* Bytes that libunicorn takes for the translation of a block and of each instruction, with a hook per
 * instruction, on a 64-bit x86 host. */
#define BLOCK_BYTES  250u
#define INSN_BYTES   200u
#define TRANSLATIONS (512u << 10) /* config.translations where it says nothing */

/* Where an IT block ends at or across a page's end, the emulator also ignores a write of the PC at the first
 * instruction after the block: that instruction is taken for one of the block's. */
static void note_page_end(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	if (m->it_left == 0 && (c->address & 0xFFF) + c->size >= 0x1000)
		m->it_behind = c->address + c->size + 1;
}

/* Counts instructions of an IT block up to `address`: the emulator calls no hook for those whose condition
 * fails. */
static void follow_it(struct apmu_machine *m, uint64_t address)
{
	while (m->it_left && m->it_next != address) {
		uint8_t first[2];

		if (!apmu_machine_peek(m, m->it_next, first, 2, false))
			break;
		m->in_it = true;
		m->current = apmu_machine__code_at(
			m, m->it_next, apmu_isa__thumb_size((uint16_t)(first[0] | first[1] << 8)));
		apmu_machine__count_insn(m, m->current);
		m->it_next += m->current->size;
		m->it_left--;
		note_page_end(m, m->current);
	}
	m->in_it = m->it_left > 0;
	if (m->in_it)
		m->it_left--;
	else
		m->in_it = m->it_behind == address + 1;
	m->it_behind = 0;
}

static void put_fix(struct apmu_machine *m)
{
	if (m->fix_rt2 != 255) {
		apmu_machine__reg_set(m, m->fix_rt, (uint32_t)m->fix);
		apmu_machine__reg_set(m, m->fix_rt2, m->fix >> 32);
	} else if (m->fix_rt != 15) {
		apmu_machine__reg_set(m, m->fix_rt, m->fix);
	}
}

/* Goes on in an IT block that an exception was taken from. */
static void resume_it(struct apmu_machine *m)
{
	unsigned left = m->it_state & 15;

	m->it_state = 0;
	if (!left || !m->thumb)
		return;
	m->it_left = 4 - (unsigned)__builtin_ctz(left);
	m->it_next = m->it_return;
	m->after |= APMU_MACHINE__AFTER_IT;
}

/* Does what the previous instruction left to do. */
void apmu_machine__finish(struct apmu_machine *m, uint64_t address)
{
	unsigned after = m->after;

	m->after = 0;
	if (after & APMU_MACHINE__AFTER_EL)
		apmu_machine__el_switch_done(m);
	if (after & APMU_MACHINE__AFTER_FIX)
		put_fix(m);
	if (after & APMU_MACHINE__AFTER_RESTORE)
		apmu_machine__reg_set(m, m->fix_rt, m->fix);
	if (after & APMU_MACHINE__AFTER_MAP) {
		m->maps++;
		apmu_machine__levels_look(m);
		apmu_machine__vector_look(m);
		apmu_machine__controls_look(m);
	}
	if (after & APMU_MACHINE__AFTER_STATE) {
		apmu_machine__state_look(m);
		resume_it(m);
	}
	if ((after | m->after) & APMU_MACHINE__AFTER_IT) {
		follow_it(m, address);
		if (m->in_it)
			m->after |= APMU_MACHINE__AFTER_IT;
	}
}

/* Ends a software step, if the instruction that the machine has executed in the emulator's place was
 * stepped. */
static void advance_step(struct apmu_machine *m)
{
	uint32_t state = apmu_machine__cpsr(m);

	if (!(state & STATE_SS))
		return;
	m->step_done = true;
	apmu_machine__cpsr_set(m, state & ~STATE_SS);
}

/* True if the emulator has translated as much code as it may; but between two renewals the program gets on. A
 * saved CPU with an MPU holds pointers into its emulator, so it cannot move to another. */
static bool is_full(const struct apmu_machine *m)
{
	uint64_t most = m->config.translations ? m->config.translations : TRANSLATIONS;

	return m->translated >= most << 10 && m->insns > m->renewed_at && m->model->mmu && !m->process;
}

/* Does what comes before an instruction. True: the instruction does not execute now. */
static bool put_off(struct apmu_machine *m, uint64_t address)
{
	if (m->el_switch.on && apmu_machine__el_switch_translated(m, address))
		return true;
	if (m->after)
		apmu_machine__finish(m, address);
	apmu_machine__look(m);
	if (m->writtens || m->retranslate_all)
		apmu_machine__retranslate(m);
	if (m->ended) {
		uc_emu_stop(m->uc);
		return true;
	}
	if (is_full(m) && !m->in_it && !m->el_switch.on) {
		m->renews = true;
		uc_emu_stop(m->uc);
		return true;
	}
	if (m->retranslate_all && !m->in_it) { /* this block too: it begins again */
		m->retranslate_all = false;
		apmu_machine__pc_set(m, address);
		return true;
	}
	if ((apmu_board__lines(&m->board) | m->virtual_lines) && apmu_machine__interrupt(m, address))
		return true;
	if (!m->illegal)
		return false;
	apmu_machine__illegal_state(m, address);
	return true;
}

/* General path: handles every case. */
static __attribute__((noinline)) void any_code(struct apmu_machine *m, uint64_t address, uint32_t size)
{
	struct apmu_machine__code *c;

	m->moved = false;
	if (put_off(m, address))
		return;
	c = apmu_machine__code_at(m, address, size);
	m->it_next = address + size;
	m->current = c;
	m->done = false;
	m->after |= c->after;
	apmu_machine__count_insn(m, c);
	if (c->kernel)
		apmu_machine__count_kernel(m, c);
	if (m->in_it)
		note_page_end(m, c);
	if (c->after & APMU_MACHINE__RETURNS && !m->model->a64 && !m->process)
		apmu_machine__returns32(m, c);
	if (c->vector && m->vector_to && apmu_machine__passes(m, c->cond)) {
		apmu_machine__vector_trap(m, c);
	} else if (c->special) {
		apmu_machine__special(m, c);
		if (m->moved && !m->el_switch.on && m->model->a64 && !m->aarch32)
			advance_step(m);
	} else if (c->preloads) {
		apmu_machine__preload(m, c);
	}
}

/* True if the previous instruction left something to do, or an interrupt is raised. */
static inline bool is_raised(const struct apmu_machine *m)
{
	return m->after | m->virtual_lines | apmu_board__lines(&m->board);
}

/* True if the PMU or the board must be looked at for what the event sources have counted. */
static inline bool is_counted_out(struct apmu_machine *m)
{
	return m->raw.n[APMU_SIG_CYCLES] >= m->look_cycles || apmu_machine__watch_hit(m);
}

/* Opens the fast path of on_code() for as long as nothing is due; with event sources, up to the end of the
 * run. Whoever makes something due closes it. */
static inline void open_fast_path(struct apmu_machine *m)
{
	uint64_t until = m->look_insns;

	m->plain_until = 0;
	if (!m->current || is_raised(m))
		return;
	if (m->modelled) {
		if (is_counted_out(m))
			return;
		until = m->run_end < until ? m->run_end : until;
	}
	m->plain_until = until;
}

/* True if the entry is for this address, and the instruction is as plain as when the entry was filled. */
static inline bool is_plain(const struct apmu_machine *m, const struct apmu_machine__code *c,
			    uint64_t address)
{
	return c->address == address && c->quick == m->key && apmu_machine__same_bytes(c);
}

/* Begins a run that was made before, if its first instruction is plain and nothing is due; else false. */
static inline bool enters(struct apmu_machine *m, uint64_t address, uint32_t size)
{
	struct apmu_machine__code *c = apmu_machine__place(m, address);

	if (m->insns >= m->look_insns || apmu_machine__in_run(m) || is_raised(m) ||
	    !is_plain(m, c, address) || !c->run || is_counted_out(m))
		return false;
	m->current = c;
	m->run_next = address + size;
	apmu_machine__take_run(m, c);
	m->insns++;
	apmu_machine__code_from(m, c);
	apmu_uarch_enter(m->uarch, c->block);
	return true;
}

static __attribute__((noinline)) void other_code(struct apmu_machine *m, uint64_t address, uint32_t size)
{
	if (!m->modelled || !enters(m, address, size))
		any_code(m, address, size);
	open_fast_path(m);
}

/* Fast path: nothing is due, and the instruction is a plain one that was seen before. Without event sources,
 * counting it is all; with them, it is the next one of its run. Its entry is often the next one's: two after
 * the last, since an entry stands for two bytes and A32 and A64 instructions have four. */
static void on_code(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
	struct apmu_machine *m = user;
	uint64_t insns = m->insns;
	struct apmu_machine__code *c;

	(void)uc;
	m->progress->pc = address;
	m->progress->insns = insns;
	if (insns >= m->plain_until) {
		other_code(m, address, size);
		return;
	}
	c = m->current + 2;
	if (__builtin_expect(c->address != address, 0))
		c = apmu_machine__place(m, address);
	if (!is_plain(m, c, address)) {
		other_code(m, address, size);
		return;
	}
	if (__builtin_expect(m->modelled, 0)) {
		if (address != m->run_next || c->opcode != m->run->opcode[m->step + 1]) {
			other_code(m, address, size);
			return;
		}
		m->step++;
		m->run_next = address + size;
	}
	m->current = c;
	m->insns = insns + 1;
}

/* General path of a block that is about to run: the previous instruction may have left something to do, or
 * something may be due in the block. The emulator's PC need not be at the block. */
static __attribute__((noinline)) void any_block(struct apmu_machine *m, uint64_t address, uint32_t size)
{
	uint64_t behind = m->insns + size / 4;

	m->moved = false;
	if (m->after)
		apmu_machine__finish(m, address);
	if (m->modelled || m->look_each || m->ended || m->illegal || m->writtens || is_raised(m) ||
	    behind > m->look_insns) {
		apmu_machine__block_back(m, address, size);
		return;
	}
	if (!m->current)
		m->current = apmu_machine__code_at(m, address, 4);
	m->insns = behind;
	open_fast_path(m);
}

/* Counts a block as a whole: blocks.c. */
static void on_block(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
	struct apmu_machine *m = user;
	uint64_t behind = m->insns + size / 4;

	(void)uc;
	m->progress->pc = address;
	m->progress->insns = m->insns;
	if (behind <= m->plain_until && !m->modelled)
		m->insns = behind;
	else
		any_block(m, address, size);
}

/* Tells the event sources the memory type of the accesses that follow. */
static __attribute__((noinline)) void tell_memory(struct apmu_machine *m, enum apmu_memory memory)
{
	apmu_uarch_data_memory(m->uarch, memory);
	m->data_memory = (uint8_t)memory;
}

/* Passes on a DC ZVA, at the first of its writes: the emulator makes one per piece, some bytes twice. */
static __attribute__((noinline)) void zero(const struct apmu_machine *m, uint64_t address)
{
	unsigned words = apmu_machine__sys(m, DCZID_EL0) & 15; /* log2 */

	apmu_uarch_zero(m->uarch, m->run->block, m->step, address, 4u << words);
}

/* Passes on an access of the current instruction, done (reads) or about to be (writes). The read of a
 * store-exclusive is the emulator's own, which compares before it stores. */
static void on_access(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value, void *user)
{
	struct apmu_machine *m = user;

	(void)uc;
	(void)value;
	if (!m->current || !m->run || (m->current->compares && type != UC_MEM_WRITE))
		return;
	if (m->follows) {
		enum apmu_memory memory = apmu_machine__memory_at(m, address);

		if (memory != m->data_memory)
			tell_memory(m, memory);
	}
	bool first = apmu_machine__before_access(m);
	if (!m->current->zeroes)
		apmu_uarch_access(m->uarch, m->run->block, m->step, address, (unsigned)size,
				  type == UC_MEM_WRITE);
	else if (first)
		zero(m, address);
	if (is_counted_out(m))
		m->plain_until = 0;
}

static void on_interrupt(uc_engine *uc, uint32_t number, void *user)
{
	struct apmu_machine *m = user;

	(void)uc;
	m->plain_until = 0;
	apmu_machine__raised(m, number);
}

/* The emulator has no region at the address, or the region does not permit the access. */
static bool on_refused(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value, void *user)
{
	bool denied = type == UC_MEM_READ_PROT || type == UC_MEM_WRITE_PROT || type == UC_MEM_FETCH_PROT;

	(void)uc;
	(void)size;
	(void)value;
	apmu_machine__missing(user,
			      &(struct apmu_machine__bad_access){
				      .nowhere = true,
				      .denied = denied,
				      .write = type == UC_MEM_WRITE_UNMAPPED || type == UC_MEM_WRITE_PROT,
				      .fetch = type == UC_MEM_FETCH_UNMAPPED || type == UC_MEM_FETCH_PROT,
				      .address = address});
	return false;
}

static bool on_invalid(uc_engine *uc, void *user)
{
	(void)uc;
	(void)user;
	return false; /* run.c handles it */
}

static void on_translated(uc_engine *uc, uc_tb *now, uc_tb *before, void *user)
{
	struct apmu_machine *m = user;

	(void)uc;
	(void)before;
	m->translated += BLOCK_BYTES + (uint64_t)now->icount * INSN_BYTES;
	if (is_full(m))
		apmu_machine__look_now(m);
	apmu_machine__translated(m, now->pc, now->size);
	apmu_machine__block_made(m, now->pc, now->size);
}

/* The library takes every callback as an object pointer. */
static bool add(struct apmu_machine *m, uc_hook *handle, int type, void (*call)(void))
{
	return uc_hook_add(m->uc, handle, type, (void *)(uintptr_t)call, m, 1, 0) == UC_ERR_OK;
}

bool apmu_machine__hook_accesses(struct apmu_machine *m)
{
	uc_hook handle;

	return !m->uc ||
	       add(m, &handle, UC_HOOK_MEM_READ_AFTER | UC_HOOK_MEM_WRITE, (void (*)(void))on_access);
}

int apmu_machine__hooks(struct apmu_machine *m)
{
	static const struct {
		int type;
		void (*call)(void);
	} hook[] = {
		{UC_HOOK_INTR, (void (*)(void))on_interrupt},
		{UC_HOOK_MEM_UNMAPPED | UC_HOOK_MEM_PROT, (void (*)(void))on_refused},
		{UC_HOOK_INSN_INVALID, (void (*)(void))on_invalid},
	};
	uc_hook handle;

	if (!apmu_machine__code_hooks(m, (void (*)(void))on_code, (void (*)(void))on_block))
		return APMU_ENOMEM;
	for (size_t i = 0; i < sizeof hook / sizeof *hook; i++)
		if (!add(m, &handle, hook[i].type, hook[i].call))
			return APMU_ENOMEM;
	if (!add(m, &handle, UC_HOOK_EDGE_GENERATED, (void (*)(void))on_translated))
		return APMU_ENOMEM;
	return !m->modelled || apmu_machine__hook_accesses(m) ? 0 : APMU_ENOMEM;
}
