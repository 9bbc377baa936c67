/* SPDX-License-Identifier: MIT */
/*
 * Callgrind's client requests as they appear in programs (valgrind.h, PLAT_arm64_linux and PLAT_arm_linux):
 * four rotations of register 12 that together do nothing, then ORR of register 10 with itself, with register
 * 4 pointing to the request's number and arguments, words of a register's size. On a CPU they do nothing, so
 * the request returns its default.
 *
 * QEMU up to 8.2 does not show registers to a plugin. There the number and arguments are searched for at the
 * addresses of the block's last stores: the header's array is volatile, and is stored right before the
 * request.
 */
#define _GNU_SOURCE /* process_vm_readv */
#include "isa/classify.h"
#include "qemu/plugin_record.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DUMP_STATS, ZERO_STATS, TOGGLE_COLLECT, DUMP_STATS_AT, START_INSTRUMENTATION, STOP_INSTRUMENTATION };
#define CALLGRIND 0x43540000u /* 'C', 'T' and the request */

/* A request in one instruction set: its words as they lie in memory, little-endian. */
struct form {
	uint32_t rotations[4], request;
	unsigned size; /* bytes of an argument */
	const char *pointer;
};
static const struct form forms[] = {
	[APMU_ISA__A32] = {{0xE1A0C1EC, 0xE1A0C6EC, 0xE1A0CEEC, 0xE1A0C9EC}, 0xE18AA00A, 4, "r4"},
	[APMU_ISA__T32] = {{0x0CFCEA4F, 0x3C7CEA4F, 0x7C7CEA4F, 0x4CFCEA4F}, 0x0A0AEA4A, 4, "r4"},
	[APMU_ISA__A64] = {{0x93CC0D8C, 0x93CC358C, 0x93CCCD8C, 0x93CCF58C}, 0xAA0A014A, 8, "x4"},
};

static const struct form *form_of(const struct apmu_qemu__tb *b)
{
	return &forms[apmu_qemu__plugin.a64 ? APMU_ISA__A64 : b->thumb ? APMU_ISA__T32 : APMU_ISA__A32];
}

#define STORES 16u
#define PAGE   4096u /* reads of a text do not cross one: the next may be unmapped */

/* The state of requests in this thread. */
static __thread struct {
	uint64_t stored[STORES]; /* addresses of the words stored last */
	uint32_t stores;
	bool on, collects, started;
	bool others; /* another request than to start or to toggle has come */
} own __attribute__((tls_model("initial-exec")));

static bool copy(uint64_t at, void *other, size_t size, bool write)
{
	struct iovec here = {other, size}, there = {(void *)(uintptr_t)(at + apmu_qemu__guest_base()), size};
	ssize_t done = (write ? process_vm_writev : process_vm_readv)(getpid(), &here, 1, &there, 1, 0);

	return done == (ssize_t)size;
}

bool apmu_qemu__guest_read(uint64_t at, void *out, size_t size)
{
	return copy(at, out, size, false);
}

bool apmu_qemu__guest_text(uint64_t at, char *out, size_t room)
{
	bool ended = false;
	size_t n = 0;

	while (!ended && n < room) {
		size_t page = PAGE - (at + n) % PAGE, some = page < room - n ? page : room - n;
		if (!apmu_qemu__guest_read(at + n, &out[n], some))
			break;
		ended = memchr(&out[n], '\0', some) != NULL;
		n += some;
	}
	if (!ended && room)
		out[n < room ? n : room - 1] = '\0';
	return ended;
}

bool apmu_qemu__guest_write(uint64_t at, const void *from, size_t size)
{
	return copy(at, (void *)(uintptr_t)from, size, true);
}

void apmu_qemu__requests_begin(struct apmu_qemu__thread *t)
{
	own.on = apmu_qemu__plugin.region.begin != 0;
	own.collects = true;
	own.started = apmu_qemu__plugin.region.begin != 2;
	own.others = false;
	own.stores = 0;
	t->slot->inside = own.on;
	if (own.on)
		atomic_fetch_add(&apmu_qemu__plugin.share->region_entered, 1);
}

void apmu_qemu__requests_forked(struct apmu_qemu__thread *t)
{
	t->slot->inside = own.on && own.collects;
	if (t->slot->inside)
		atomic_fetch_add(&apmu_qemu__plugin.share->region_entered, 1);
}

static void on_store(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	unsigned size = 1u << qemu_plugin_mem_size_shift(info);
	const struct form *form = user;

	(void)vcpu;
	for (unsigned i = 0; i < size && qemu_plugin_mem_is_store(info); i += form->size)
		own.stored[own.stores++ % STORES] = vaddr + i;
}

/* Reads number and first argument of a request at `at`. False: there is none. */
static bool read_request(const struct form *form, uint64_t at, uint64_t out[2])
{
	uint8_t words[16];

	if (!apmu_qemu__guest_read(at, words, (size_t)2 * form->size))
		return false;
	out[0] = out[1] = 0;
	memcpy(&out[0], words, form->size);
	memcpy(&out[1], words + form->size, form->size);
	return (out[0] & ~(uint64_t)15) == CALLGRIND && (out[0] & 15) <= STOP_INSTRUMENTATION;
}

/* Finds number and first argument of the request. False: not found. */
static bool find(const struct form *form, uint64_t out[2])
{
	uint64_t at;

	if (apmu_qemu__shows_registers())
		return apmu_qemu__register(form->pointer, &at) && read_request(form, at, out);
	for (uint32_t i = 0; i < own.stores && i < STORES; i++)
		if (read_request(form, own.stored[(own.stores - 1 - i) % STORES], out))
			return true;
	return false;
}

static void zero(struct apmu_qemu__slot *slot, const struct apmu_qemu__boundary *start)
{
	slot->counted = (struct apmu_tally){{0}};
	if (slot->inside)
		apmu_qemu__region_count_from(slot, &start->rest);
}

/* Ends a part, writes its mark, and begins the next part. */
static void dump(struct apmu_qemu__thread *t, const struct apmu_qemu__boundary *start,
		 const struct apmu_qemu__boundary *stop, uint64_t name)
{
	struct apmu_qemu__slot *slot = t->slot;
	char text[64] = "";
	bool inside = slot->inside;

	if (name)
		apmu_qemu__guest_text(name, text, sizeof(text));
	if (inside)
		apmu_qemu__region_count_until(slot, &stop->rest);
	slot->inside = false;
	apmu_qemu__thread_dump(t, text);
	slot->inside = inside;
	zero(slot, start);
}

/* Handles the first request to start, if counting from the start was meant only for programs without one. */
static void begin(struct apmu_qemu__thread *t, const struct apmu_qemu__boundary *start,
		  const struct apmu_qemu__boundary *stop)
{
	own.started = true;
	own.on = false;
	if (t->slot->inside)
		apmu_qemu__region_leave(t, stop);
	zero(t->slot, start);
}

/* True if counting begins at the request. A program that zeroes or dumps before its first toggle counts from
 * its start, and the toggle ends that; one that toggles first means to begin there. */
static bool begins(unsigned what)
{
	bool toggles_first = what == TOGGLE_COLLECT && !own.others;

	own.others |= what != TOGGLE_COLLECT && what != START_INSTRUMENTATION;
	return !own.started && (what == START_INSTRUMENTATION || toggles_first);
}

static void on_request(unsigned vcpu, void *user)
{
	const struct apmu_qemu__boundary *start = user, *stop = start->next;
	struct apmu_qemu__thread *t = apmu_qemu__self;
	uint64_t request[2];
	bool found = find(form_of(start->tb), request);

	(void)vcpu;
	own.stores = 0;
	atomic_fetch_add(
		found ? &apmu_qemu__plugin.share->requests : &apmu_qemu__plugin.share->requests_unread, 1);
	if (!found)
		return;
	t->slot->asked = true;
	unsigned what = (unsigned)(request[0] & 15);
	if (begins(what)) {
		begin(t, start, stop);
		own.collects = what == START_INSTRUMENTATION; /* toggled below */
		own.on = true;
	}
	switch (what) {
	case DUMP_STATS:
	case DUMP_STATS_AT:
		if (apmu_qemu__plugin.region.end)
			dump(t, start, stop, what == DUMP_STATS_AT ? request[1] : 0);
		return;
	case ZERO_STATS: /* with samples or interval marks totals only grow */
		if (apmu_qemu__plugin.region.end || !(t->sampler || apmu_qemu__plugin.interval))
			zero(t->slot, start);
		return;
	case TOGGLE_COLLECT:
		own.started = true;
		own.collects = !own.collects;
		break;
	case START_INSTRUMENTATION: own.on = true; break;
	default: own.on = false; break;
	}
	bool inside = own.on && own.collects;
	if (inside != t->slot->inside)
		(inside ? apmu_qemu__region_enter : apmu_qemu__region_leave)(t, inside ? start : stop);
}

/* True if the instruction is a request: ORR, preceded by the rotations. */
static bool is_request(const struct form *form, const struct qemu_plugin_insn *insn)
{
	uint32_t word, before[4];
	uint8_t bytes[4];

	apmu_qemu__insn_bytes(insn, bytes);
	memcpy(&word, bytes, 4);
	return word == form->request &&
	       apmu_qemu__guest_read(qemu_plugin_insn_vaddr(insn) - 16, before, 16) &&
	       memcmp(before, form->rotations, 16) == 0;
}

bool apmu_qemu__requests_block(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b)
{
	const struct form *form = form_of(b);
	bool shown = apmu_qemu__shows_registers(), any = false;

	for (uint32_t i = 0; i < b->n; i++) {
		if (!is_request(form, qemu_plugin_tb_get_insn(tb, i)))
			continue;
		/* the request's own instructions count on neither side */
		struct apmu_qemu__boundary *stop = apmu_qemu__region_boundary(b, i < 4 ? 0 : i - 4);
		struct apmu_qemu__boundary *start = stop ? apmu_qemu__region_boundary(b, i + 1) : NULL;
		if (!start)
			return false;
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, i), on_request,
						       shown ? QEMU_PLUGIN_CB_R_REGS : QEMU_PLUGIN_CB_NO_REGS,
						       start);
		any = true;
	}
	for (uint32_t i = 0; any && !shown && i < b->n; i++)
		qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), on_store,
						 QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_W, (void *)form);
	return true;
}
