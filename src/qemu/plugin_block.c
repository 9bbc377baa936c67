/* SPDX-License-Identifier: MIT */
/*
 * Translation: each block that QEMU translates is classified once and gets a record, which is the user data
 * of the block's callbacks. QEMU forgets callbacks when it drops its translations; all records are freed
 * then, except those of blocks that threads are in. A program that keeps writing code keeps making records:
 * past a limit (record_limit.h), QEMU is asked to start over.
 */
#include "qemu/plugin_record.h"
#include "qemu/record_limit.h"

#include <malloc.h>
#include <stdlib.h>

#define MOST  512u /* instructions of a QEMU block */
#define PAGE  4096u
#define KUSER 0xFFFF0000u /* QEMU's kernel helpers of AArch32 programs */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct apmu_qemu__tb *records;
static size_t held; /* bytes of the records */
static struct apmu_qemu__record_limit limit;
static atomic_bool again; /* QEMU has been asked to start over and has not yet */

static bool touches_memory(const struct apmu_insn *insn)
{
	return insn->cls == APMU_CLASS_LOAD || insn->cls == APMU_CLASS_STORE || insn->cls == APMU_CLASS_SWAP;
}

static bool exclusive_store(const struct apmu_insn *insn)
{
	return insn->cls == APMU_CLASS_STORE && (insn->flags & APMU_INSN_EXCLUSIVE);
}

/* True if the instruction always makes an access: conditional ones may not, and exclusive stores may fail. */
static bool always_accesses(const struct apmu_insn *insn)
{
	return touches_memory(insn) && !(insn->flags & APMU_INSN_CONDITIONAL) && !exclusive_store(insn);
}

static bool is_indirect(const struct apmu_insn *insn)
{
	return insn->branch != APMU_BRANCH_NONE && insn->target == 0;
}

/* True if QEMU ends a block after the instruction, or the page ends there. If not, QEMU found the block's
 * last instruction undefined. */
static bool ends_block(const struct apmu_insn *insn, size_t n)
{
	uint64_t end = insn->addr + insn->size;
	bool system = insn->cls == APMU_CLASS_EXCEPTION || insn->cls == APMU_CLASS_SYSTEM ||
		      insn->cls == APMU_CLASS_BARRIER || insn->cls == APMU_CLASS_NOP;

	return insn->branch != APMU_BRANCH_NONE || system || n == MOST || end % PAGE < 4;
}

static void undecoded(struct apmu_qemu__tb *b, uint32_t word)
{
	if (!b->undecoded)
		b->undecoded_word = word;
	b->undecoded++;
}

/* Notes a load or store whose accesses are wanted but not reported. */
static void note_hidden(const struct apmu_insn *insn, uint32_t word)
{
	bool sve = insn->traits >> APMU_TRAIT_SVE & 1;

	if (apmu_qemu__plugin.needs_accesses && sve && touches_memory(insn) && insn->width)
		atomic_fetch_or(&apmu_qemu__plugin.share->hidden, apmu_qemu__hides(word));
}

static void classify(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b, struct apmu_insn *out)
{
	struct apmu_isa__stream stream = {.isa = (uint8_t)apmu_qemu__isa_of(tb)};

	for (uint32_t i = 0; i < b->n; i++) {
		const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t addr = qemu_plugin_insn_vaddr(insn);
		unsigned size = apmu_qemu__insn_size(stream.isa, insn);
		if (!apmu_qemu__plugin.a64 && !apmu_qemu__plugin.system && addr >= KUSER) {
			apmu_isa__classify_kuser(addr, &out[i]);
			continue;
		}
		uint8_t bytes[4];
		apmu_qemu__insn_bytes(insn, bytes);
		uint32_t word = size < 2 ? 0 : apmu_isa__opcode(stream.isa, bytes, size);
		if (!apmu_isa__classify(&stream, addr, word, size < 2 ? 4 : size, &out[i]))
			undecoded(b, word);
		note_hidden(&out[i], word);
		b->remaps |=
			apmu_qemu__plugin.system && apmu_qemu__remaps((enum apmu_isa__isa)stream.isa, word);
		if (apmu_qemu__plugin.counts_operations)
			apmu_isa__classify_operations((enum apmu_isa__isa)stream.isa, word, &out[i]);
	}
}

static uint64_t stack_pointer(void)
{
	return apmu_qemu__plugin.a64 ? (uint64_t)1 << 31 : 1u << 13;
}

static uint64_t link_register(void)
{
	return apmu_qemu__plugin.a64 ? (uint64_t)1 << 30 : 1u << 14;
}

/* A frame pointer: X29, R11, in T32 also R7. */
static uint64_t frame_pointer(const struct apmu_insn *insn)
{
	return apmu_qemu__plugin.a64 ? (uint64_t)1 << 29 : 1u << 11 | (insn->thumb ? 1u << 7 : 0);
}

/* True if the instruction sets the stack pointer from neither itself nor the frame pointer. */
static bool sets_stack(const struct apmu_insn *insn)
{
	return (insn->writes & stack_pointer()) && !(insn->reads & (stack_pointer() | frame_pointer(insn)));
}

static void outline(struct apmu_qemu__tb *b, const struct apmu_insn *insn)
{
	const struct apmu_insn *last = &insn[b->n - 1];

	b->addr = insn[0].addr;
	b->thumb = insn[0].thumb;
	b->end = last->addr + last->size;
	b->target = last->target ? last->target : b->end;
	b->indirect = is_indirect(last);
	b->flow = apmu_qemu__flow_of(last);
	b->kind = apmu_qemu__kind_of(last);
	for (uint32_t i = 0; i < b->n; i++)
		b->restacks |= apmu_qemu__plugin.record.chains && sets_stack(&insn[i]);
	b->unconditional = !(last->flags & APMU_INSN_CONDITIONAL);
	b->syscall = last->traits >> APMU_TRAIT_SVC & 1;
	b->breaks = last->cls == APMU_CLASS_EXCEPTION && !b->syscall;
	b->undefined_last = last->cls == APMU_CLASS_UNKNOWN || !ends_block(last, b->n);
}

/* Returns the size of each access of a plain load or store, or a list of words: all its accesses have one
 * size and kind, so QEMU need not be asked at each. 0: QEMU splits pairs and vectors in its own way. */
static uint8_t known_size(const struct apmu_insn *insn)
{
	bool plain =
		!(insn->flags & (APMU_INSN_DOUBLE | APMU_INSN_EXCLUSIVE)) && insn->cls != APMU_CLASS_SWAP;
	bool vectors = insn->flags & APMU_INSN_VECTOR;

	return plain && !vectors ? insn->width : 0;
}

/* True if the instruction stores the link register on the stack. */
static bool saves_return(const struct apmu_insn *insn)
{
	return apmu_qemu__plugin.record.chains && insn->cls == APMU_CLASS_STORE &&
	       (insn->reads & link_register()) && (insn->reads & stack_pointer());
}

/* True if the instruction loads the link register, or in A32 and T32 the PC, from the stack, which is of
 * interest in a block that switches stacks, and anywhere once there are several. */
static bool restores_return(const struct apmu_qemu__tb *b, const struct apmu_insn *insn)
{
	return (b->restacks || atomic_load(&apmu_qemu__plugin.stacks)) && insn->cls == APMU_CLASS_LOAD &&
	       ((insn->writes & link_register()) || insn->branch != APMU_BRANCH_NONE) &&
	       (insn->reads & stack_pointer());
}

/* True if the instruction stores the stack pointer, which A64 cannot, or a copy that the same block made. */
static bool keeps_stack(const struct apmu_insn *insn, uint32_t i)
{
	uint64_t sp = stack_pointer(), data = insn[i].reads & ~insn[i].shift_reads & ~insn[i].writes;
	uint64_t copies = apmu_qemu__plugin.a64 ? 0 : sp;

	if (!apmu_qemu__plugin.record.chains || insn[i].cls != APMU_CLASS_STORE ||
	    (insn[i].reads & sp & ~copies))
		return false;
	for (uint32_t k = 0; k < i; k++)
		if (insn[k].reads == sp && !touches_memory(&insn[k]))
			copies |= insn[k].writes & ~sp;
		else
			copies &= ~(insn[k].writes & ~sp);
	return data & copies;
}

/* True if the instruction loads the stack pointer, or a register that the block moves there. */
static bool switches_stack(const struct apmu_qemu__tb *b, const struct apmu_insn *insn, uint32_t i)
{
	if (!b->restacks || insn[i].cls != APMU_CLASS_LOAD)
		return false;
	for (uint32_t k = i + 1; k < b->n; k++)
		if (sets_stack(&insn[k]))
			return insn[k].reads == (insn[i].writes & insn[k].reads);
	return sets_stack(&insn[i]);
}

/* Returns how many registers a list of A32 or T32 moves before the return address: to lower addresses, and
 * earlier. A load has LR or PC last; a store may have PC behind LR. */
static uint8_t before_return(const struct apmu_insn *insn)
{
	uint64_t lower = (1u << 13) - 1;

	if (apmu_qemu__plugin.a64 || !insn->regs)
		return 0;
	return (uint8_t)(insn->cls == APMU_CLASS_LOAD ? insn->regs - 1
						      : __builtin_popcountll(insn->reads & lower));
}

/* True if `-g` has to know of the access. */
static bool is_for_chains(const struct apmu_qemu__watch *w)
{
	return w->saves || w->restores || w->keeps || w->switches;
}

/* Returns the callback of an access. The read of an exclusive store is ignored: QEMU itself makes it, to
 * compare before it stores. */
static qemu_plugin_mem_cb access_callback(const struct apmu_insn *insn, const struct apmu_qemu__watch *w)
{
	if (apmu_qemu__plugin.system)
		return apmu_qemu__access_system;
	if (!apmu_qemu__plugin.needs_accesses)
		return apmu_qemu__reach;
	if (w->atomic)
		return apmu_qemu__access_atomic;
	if (apmu_qemu__plugin.unconditional_callbacks && w->site.unconditional && !is_for_chains(w))
		return apmu_qemu__access_callback(apmu_qemu__plugin.record.on, apmu_qemu__plugin.forwards,
						  w->store);
	if (apmu_qemu__plugin.record.on)
		return exclusive_store(insn) || !known_size(insn) || is_for_chains(w)
			       ? apmu_qemu__access_recording
			       : apmu_qemu__access_recording_known;
	if (exclusive_store(insn))
		return apmu_qemu__access_stores;
	if (apmu_qemu__plugin.unconditional_callbacks &&
	    apmu_block_takes(w->site.block, w->index, w->size ? w->size : 1))
		return apmu_qemu__general_callback(w->size, apmu_qemu__plugin.forwards);
	return known_size(insn) ? apmu_qemu__access_known : apmu_qemu__access;
}

/* True if QEMU may make the instruction's accesses in a helper function. After a load of the PC, QEMU 7.2
 * calls that load's callback for such accesses too, unless the instruction has callbacks of its own. */
static bool in_helper(const struct apmu_insn *insn)
{
	return (insn->flags & APMU_INSN_EXCLUSIVE) || insn->cls == APMU_CLASS_SWAP ||
	       insn->traits >> APMU_TRAIT_SVE & 1;
}

static void watch_saves(const struct qemu_plugin_tb *tb, const struct apmu_qemu__tb *b,
			const struct apmu_insn *insn)
{
	for (uint32_t i = 0; i < b->n; i++) {
		bool saves = saves_return(&insn[i]), restores = restores_return(b, &insn[i]);
		bool keeps = keeps_stack(insn, i), switches = switches_stack(b, insn, i);
		bool helper = apmu_qemu__plugin.record.chains && in_helper(&insn[i]);
		uint64_t site = APMU_QEMU__RETURN_SITE(b->addr + b->offset[i], before_return(&insn[i]));
		if (saves || restores || keeps || switches || helper)
			qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i),
							 saves      ? apmu_qemu__save
							 : restores ? apmu_qemu__restore
							 : keeps    ? apmu_qemu__keep
							 : switches ? apmu_qemu__switch
								    : apmu_qemu__ignore,
							 QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
							 (void *)(uintptr_t)site);
	}
}

/* Notes the block's loads and stores. */
static void note_accesses(struct apmu_qemu__tb *b, const struct apmu_insn *insn)
{
	for (uint32_t i = 0; i < b->n; i++) {
		if (!touches_memory(&insn[i]))
			continue;
		struct apmu_qemu__watch *w = &b->watch[b->watches++];
		*w = (struct apmu_qemu__watch){.tb = b, .index = i, .size = known_size(&insn[i])};
		apmu_qemu__general_begin(w);
		apmu_block_access_site(b->block, i, w->size, &w->site);
		w->width = insn[i].width;
		w->pair = (insn[i].flags & APMU_INSN_DOUBLE) && !(insn[i].flags & APMU_INSN_VECTOR);
		w->store = insn[i].cls == APMU_CLASS_STORE;
		w->exclusive = exclusive_store(&insn[i]);
		w->atomic = insn[i].cls == APMU_CLASS_SWAP;
		w->saves = saves_return(&insn[i]);
		w->restores = restores_return(b, &insn[i]);
		w->keeps = keeps_stack(insn, i);
		w->switches = switches_stack(b, insn, i);
		w->before_return = before_return(&insn[i]);
	}
}

static void watch(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b, const struct apmu_insn *insn,
		  enum apmu_isa__isa isa)
{
	note_accesses(b, insn);
	if (!apmu_qemu__group_block(tb, b, insn, isa))
		apmu_qemu__plugin_die("no memory for the program's blocks");
	for (struct apmu_qemu__watch *w = b->watch; w < b->watch + b->watches; w++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, w->index);
		const struct apmu_insn *i = &insn[w->index];
		if (w->grouped && !w->group)
			continue;
		if (always_accesses(i))
			b->must = w->index + 1;
		if (i->cls != APMU_CLASS_LOAD)
			apmu_qemu__coherence_store(q, w);
		qemu_plugin_register_vcpu_mem_cb(
			q, w->group ? apmu_qemu__group_callback() : access_callback(i, w),
			QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, w->group ? (void *)w->group : w);
	}
}

static size_t count_memory(const struct apmu_insn *insn, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += touches_memory(&insn[i]);
	return count;
}

static enum apmu_isa__isa isa_of(const struct apmu_insn *insn)
{
	return apmu_qemu__plugin.a64 ? APMU_ISA__A64 : insn->thumb ? APMU_ISA__T32 : APMU_ISA__A32;
}

/* Called with the lock held: the instructions are described in memory that all translations share. */
static struct apmu_qemu__tb *describe(struct qemu_plugin_tb *tb, uint32_t n)
{
	static struct apmu_insn insn[MOST];
	struct apmu_qemu__tb head = {.n = n};
	bool watched = apmu_qemu__plugin.needs_accesses || apmu_qemu__plugin.watch_faults;

	classify(tb, &head, insn);
	size_t watches = watched ? count_memory(insn, n) : 0;
	struct apmu_qemu__tb *b = malloc(sizeof(*b) + watches * sizeof(b->watch[0]));
	if (!b)
		return NULL;
	*b = head;
	outline(b, insn);
	b->block = apmu_block_new_for(&apmu_qemu__plugin.uarch, apmu_qemu__plugin.wanted, insn, n);
	if (b->block && apmu_qemu__plugin.region.kind && !apmu_qemu__region_block(tb, b, isa_of(insn)))
		apmu_qemu__plugin_die("no memory for the program's blocks");
	if (apmu_qemu__plugin.needs_accesses && b->block &&
	    !(apmu_qemu__preload_watch(tb, b, insn, isa_of(insn)) && apmu_qemu__zero_watch(tb, b, insn)))
		apmu_qemu__plugin_die("no memory for the program's blocks");
	if (watched && b->block)
		watch(tb, b, insn, isa_of(insn));
	if (b->block && apmu_qemu__plugin.tagged)
		apmu_qemu__tags_watch(tb, insn, n);
	if (!apmu_qemu__plugin.record.on || !b->block)
		return b;
	if (!apmu_qemu__sampler_block(b, insn))
		apmu_qemu__plugin_die("no memory for the program's blocks");
	if (!apmu_qemu__plugin.needs_accesses)
		watch_saves(tb, b, insn);
	return b;
}

static void drop(struct apmu_qemu__tb *b)
{
	apmu_block_free(b->block);
	free(b->later);
	free(b->preloader);
	apmu_qemu__zero_drop(b);
	apmu_qemu__group_drop(b);
	apmu_qemu__region_drop(b);
	free(b);
}

/* Bytes that an allocation takes of the heap. */
static size_t bytes_of(const void *memory)
{
	return memory ? malloc_usable_size((void *)memory) + sizeof(size_t) : 0;
}

static size_t record_bytes(const struct apmu_qemu__tb *b)
{
	const struct apmu_block_count *counts = NULL;
	size_t bytes = bytes_of(b) + bytes_of(b->block) + bytes_of(b->later) + bytes_of(b->preloader) +
		       bytes_of(b->zeroer);

	apmu_block_counts(b->block, &counts);
	for (const struct apmu_qemu__group *g = b->groups; g; g = g->next)
		bytes += bytes_of(g);
	return bytes + bytes_of(counts);
}

static void keep(struct apmu_qemu__tb *b)
{
	b->next = records;
	records = b;
	held += record_bytes(b);
}

static void started_over(qemu_plugin_id_t id)
{
	apmu_qemu__plugin_listen(id);
	atomic_store(&again, false);
}

void apmu_qemu__start_over(qemu_plugin_id_t id)
{
	if (!atomic_exchange(&again, true))
		qemu_plugin_reset(id, started_over);
}

/* Returns the block's record, which is kept; NULL if the block is counted inline instead. */
static struct apmu_qemu__tb *record(struct qemu_plugin_tb *tb, uint32_t n)
{
	struct apmu_qemu__tb *b = describe(tb, n);

	if (!b || !b->block)
		apmu_qemu__plugin_die("no memory for the program's blocks");
	if (apmu_qemu__plugin.counts_inline && !apmu_qemu__plugin.record.on &&
	    apmu_qemu__inline_count(tb, b)) {
		drop(b);
		return NULL;
	}
	keep(b);
	apmu_qemu__limit_made(&limit, b->addr);
	return b;
}

static enum apmu_qemu__recording recording(void)
{
	const struct apmu_qemu__share_record *r = &apmu_qemu__plugin.record;
	bool misses = !r->chains;

	for (uint32_t e = 0; e < r->events; e++)
		for (uint32_t k = 0; k < r->event[e].signals; k++)
			misses &= r->event[e].signal[k] != APMU_SIG_INST;
	return r->chains ? APMU_QEMU__RECORDING_CALLS
	       : misses  ? APMU_QEMU__RECORDING_MISSES
			 : APMU_QEMU__RECORDING;
}

/* Returns the callback of a block that needs a special one; NULL if those of plugin_cb_block.c suit. */
static qemu_plugin_exec_cb special_callback(const struct apmu_qemu__tb *b)
{
	const struct apmu_qemu__plugin *p = &apmu_qemu__plugin;

	if (p->system)
		return apmu_qemu__enter_system;
	if (!p->counts_inline && apmu_qemu__handles_fault(b->addr))
		return apmu_qemu__enter_handler;
	if (p->record.on &&
	    (b->undecoded || p->record.exact || p->record.skid || p->record.branches || p->reports_all))
		return apmu_qemu__enter_recording;
	if (p->record.on)
		return NULL;
	if (p->counts_inline)
		return apmu_qemu__enter_inline;
	return p->interval || b->undecoded ? apmu_qemu__enter_general : NULL;
}

static void listen(struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b)
{
	qemu_plugin_exec_cb own = special_callback(b);
	bool records = apmu_qemu__plugin.record.on;

	if (apmu_qemu__plugin.region.kind == APMU_QEMU__REGION_FUNCTION)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, apmu_qemu__region_step, QEMU_PLUGIN_CB_NO_REGS, b);
	if (own)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, own, QEMU_PLUGIN_CB_NO_REGS, b);
	else
		qemu_plugin_register_vcpu_tb_exec_cb(
			tb, apmu_qemu__block_callback(records ? recording() : APMU_QEMU__RECORDING_NOT, b),
			QEMU_PLUGIN_CB_NO_REGS, b->block);
}

void apmu_qemu__translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	if (n == 0 || n > MOST)
		apmu_qemu__plugin_die("QEMU makes blocks of a size that this plugin does not know");
	bool based = !apmu_qemu__plugin.system && apmu_qemu__find_guest_base(qemu_plugin_tb_get_insn(tb, 0));
	if (based && apmu_qemu__plugin.record.on)
		apmu_qemu__maps_first();
	pthread_mutex_lock(&lock);
	struct apmu_qemu__tb *b = record(tb, (uint32_t)n);
	bool more = atomic_load(&apmu_qemu__plugin.stacks) && !apmu_qemu__plugin.follows_stacks;
	apmu_qemu__plugin.follows_stacks |= more;
	if (apmu_qemu__limit_passed(&limit, held) || more)
		apmu_qemu__start_over(id);
	pthread_mutex_unlock(&lock);
	apmu_qemu__coherence_block(tb);
	if (b && apmu_qemu__plugin.counts_inline && apmu_qemu__plugin.record.on)
		apmu_qemu__meter_block(tb, b);
	else if (b)
		listen(tb, b);
}

/* Every thread has stopped outside all blocks. */
void apmu_qemu__flush(qemu_plugin_id_t id)
{
	(void)id;
	pthread_mutex_lock(&lock);
	struct apmu_qemu__tb *all = records;
	apmu_qemu__inline_flush();
	apmu_qemu__threads_mark_blocks();
	records = NULL;
	held = 0;
	apmu_qemu__limit_freed(&limit);
	while (all) {
		struct apmu_qemu__tb *next = all->next;
		bool occupied = all->occupied;
		all->occupied = false;
		(occupied ? keep : drop)(all);
		all = next;
	}
	pthread_mutex_unlock(&lock);
}
