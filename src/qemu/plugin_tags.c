/* SPDX-License-Identifier: MIT */
/*
 * Tag checks (FEAT_MTE): the program's system calls decide which accesses are checked. Memory that it maps
 * with PROT_MTE has tags, and accesses to such memory are checked while prctl() is set not to ignore tag
 * check faults. Before the first such mapping no access has a callback. DDI0487 D10.4.1.
 */
#include "qemu/plugin_record.h"
#include "qemu/plugin_syscalls.h"

#include "isa/classify_tags.h"

#include <stdatomic.h>
#include <stdlib.h>

#define PROT_TAGS       0x20u /* PROT_MTE */
#define SET_TAGGED_ADDR 55u   /* PR_SET_TAGGED_ADDR_CTRL */
#define CHECK_FAULTS    0x6u  /* PR_MTE_TCF_SYNC and PR_MTE_TCF_ASYNC */

#define RANGES 1024 /* ranges of memory with tags; further ones are ignored */
#define PAGE   4096u

struct range {
	_Atomic uint64_t start, end; /* an empty range has start == end */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held by writers of the ranges */
static struct range range[RANGES];
static _Atomic uint32_t ranges;
static atomic_bool checks; /* tag check faults count; per process, though per thread on Linux */

/* The system call under way. */
static __thread struct {
	int64_t number;
	uint64_t start, length, protection; /* of mremap(), `protection` is the new length */
} call __attribute__((tls_model("initial-exec")));

static void add(uint64_t start, uint64_t end)
{
	uint32_t n = ranges;

	for (uint32_t i = 0; i < n; i++)
		if (range[i].start == range[i].end) {
			range[i].start = start;
			range[i].end = end;
			return;
		}
	if (n < RANGES && start < end) {
		range[n].start = start;
		range[n].end = end;
		ranges = n + 1;
	}
}

/* Removes what another mapping, or none, replaces. */
static void cut(uint64_t start, uint64_t end)
{
	for (uint32_t i = 0, n = ranges; i < n; i++) {
		uint64_t from = range[i].start, to = range[i].end;
		if (start >= to || end <= from)
			continue;
		range[i].end = start > from ? start : from;
		if (end < to)
			add(end, to);
	}
}

void apmu_qemu__tags_call(int64_t number, const uint64_t a[6])
{
	call.number = number;
	call.start = a[0], call.length = a[1];
	call.protection = number == A64_MUNMAP ? 0 : a[2];
}

static uint64_t whole_pages(uint64_t length)
{
	return (length + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static bool has_tags(uint64_t addr)
{
	for (uint32_t i = 0, n = ranges; i < n; i++)
		if (addr >= range[i].start && addr < range[i].end)
			return true;
	return false;
}

/* Memory is at another address, or longer or shorter: it keeps its tags. */
static void moved(uint64_t to)
{
	pthread_mutex_lock(&lock);
	bool tags = has_tags(call.start);
	cut(call.start, call.start + whole_pages(call.length));
	cut(to, to + whole_pages(call.protection));
	if (tags)
		add(to, to + whole_pages(call.protection));
	pthread_mutex_unlock(&lock);
}

/* Memory is mapped, unmapped or protected. mprotect() without PROT_MTE leaves the tags. */
static void mapped(qemu_plugin_id_t id, uint64_t start)
{
	uint64_t end = start + whole_pages(call.length);

	if (end <= start)
		return;
	pthread_mutex_lock(&lock);
	if (call.number != A64_MPROTECT || call.protection & PROT_TAGS)
		cut(start, end);
	if (call.protection & PROT_TAGS) {
		add(start, end);
		bool first = !apmu_qemu__plugin.tagged;
		apmu_qemu__plugin.tagged = true;
		if (first)
			apmu_qemu__start_over(id);
	}
	pthread_mutex_unlock(&lock);
}

void apmu_qemu__tags_result(qemu_plugin_id_t id, int64_t number, int64_t result)
{
	if ((result < 0 && result >= -4095) || number != call.number)
		return;
	if (number == A64_PRCTL && call.start == SET_TAGGED_ADDR)
		checks = (call.length & CHECK_FAULTS) != 0;
	else if (number == A64_MMAP)
		mapped(id, (uint64_t)result);
	else if (number == A64_MREMAP)
		moved((uint64_t)result);
	else if (number == A64_MUNMAP || number == A64_MPROTECT)
		mapped(id, call.start);
}

void apmu_qemu__tags_forked(void)
{
	pthread_mutex_init(&lock, NULL);
}

enum { STORES = 1, ATOMIC };

/* Counts a checked access. `how`: STORES of an exclusive store, whose read is QEMU's own, so that only the
 * write counts; ATOMIC of an instruction that reads and writes, whose read QEMU may not report
 * (apmu_qemu__access_atomic()). */
static void access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *how)
{
	static __thread bool read __attribute__((tls_model("initial-exec")));
	uint64_t addr = vaddr << 8 >> 8;
	bool store = qemu_plugin_mem_is_store(info), only = (uintptr_t)how == STORES,
	     atomic = (uintptr_t)how == ATOMIC, unread = atomic && store && !read;

	(void)vcpu;
	read = atomic && !store;
	if (!checks || (only && !store) || !apmu_qemu__self || !has_tags(addr))
		return;
	apmu_qemu__self->slot->tally.n[store ? APMU_SIG_TAG_CHECK_WR : APMU_SIG_TAG_CHECK_RD]++;
	apmu_qemu__self->slot->tally.n[APMU_SIG_TAG_CHECK_RD] += unread;
}

void apmu_qemu__tags_watch(const struct qemu_plugin_tb *tb, const struct apmu_insn *insn, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, i);
		bool exclusive = insn[i].cls == APMU_CLASS_STORE && insn[i].flags & APMU_INSN_EXCLUSIVE;
		uintptr_t how = exclusive ? STORES : insn[i].cls == APMU_CLASS_SWAP ? ATOMIC : 0;
		uint8_t bytes[4];
		apmu_qemu__insn_bytes(q, bytes);
		if (apmu_isa__tag_checked(apmu_isa__opcode(APMU_ISA__A64, bytes, 4)))
			qemu_plugin_register_vcpu_mem_cb(q, access, QEMU_PLUGIN_CB_NO_REGS,
							 QEMU_PLUGIN_MEM_RW, (void *)how);
	}
}
