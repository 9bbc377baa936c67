/* SPDX-License-Identifier: MIT */
/*
 * Preloads. QEMU makes no access for them, and not every QEMU shows registers. The address follows from an
 * access of the same block, if the two differ by a known constant (isa/follow.h). The access's address is
 * kept when the access is made, and the preload is reported when it runs, or with the access if that comes
 * later. A QEMU that shows registers is asked if an address stays unknown; with another, that preload is
 * counted and fills nothing.
 */
#include "qemu/plugin_record.h"

#include "isa/follow.h"
#include "isa/preload.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 16u     /* preloads per block that are reported */
#define FIRST 0x1000u /* no program has memory below this address: Linux's mmap_min_addr, or more */
#define NONE  UINT32_MAX

/* A preload whose address is known when another instruction's is, or is a constant. */
struct apmu_qemu__preloader {
	const struct apmu_qemu__tb *tb;
	uint32_t index, slot;
	uint64_t offset; /* from the access's address; or the constant address */
	uint64_t mask;   /* mask of address bits */
	bool store;
	struct apmu_isa__preload decoded; /* whose registers are read */
};

/* An access's or a preload's address, as far as it is known. */
struct known_address {
	struct apmu_isa__value at;
	struct apmu_isa__preload preload;        /* if it is a preload */
	bool accesses, preloads, known, decodes; /* decodes: `decoded` holds */
	struct apmu_isa__preload decoded;        /* a preload as it stands in the code */
};

/* For each preload: the address of the access that it waits for. Of several accesses of an instruction the
 * first has the address: `armed` has a bit for each preload whose access has yet to come. */
static __thread uint64_t address[SLOTS] __attribute__((tls_model("initial-exec")));
static __thread uint32_t armed __attribute__((tls_model("initial-exec")));

static void report_preload(const struct apmu_qemu__preloader *p, uint64_t base)
{
	uint64_t addr = (base + p->offset) & p->mask;

	if (addr < FIRST)
		return;
	if (apmu_qemu__self->sampler)
		apmu_qemu__sampler_preload(apmu_qemu__self, p->tb, p->index, addr, p->store);
	else
		apmu_uarch_preload(apmu_qemu__self->u, p->tb->block, p->index, addr, p->store);
}

static void arm(unsigned vcpu, void *user)
{
	const struct apmu_qemu__preloader *p = user;

	(void)vcpu;
	armed |= 1u << p->slot;
}

static bool disarm(const struct apmu_qemu__preloader *p)
{
	uint32_t before = armed;

	armed &= ~(1u << p->slot);
	return before >> p->slot & 1;
}

static void keep(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu_qemu__preloader *p = user;

	(void)vcpu, (void)info;
	if (disarm(p))
		address[p->slot] = vaddr;
}

static void tell_behind(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info;
	if (disarm(user))
		report_preload(user, vaddr);
}

static void tell_kept(unsigned vcpu, void *user)
{
	const struct apmu_qemu__preloader *p = user;

	(void)vcpu;
	report_preload(p, address[p->slot]);
}

static void tell_constant(unsigned vcpu, void *user)
{
	(void)vcpu;
	report_preload(user, 0);
}

static void count(unsigned vcpu, void *user)
{
	(void)vcpu, (void)user;
	atomic_fetch_add(&apmu_qemu__plugin.share->preloads, 1);
}

static bool value_of(unsigned reg, uint64_t *value)
{
	*value = 0;
	return reg == APMU_ISA__NO_REGISTER || apmu_qemu__general_register(reg, value);
}

/* Reads the registers of the preload, which is about to run. */
static void tell_read(unsigned vcpu, void *user)
{
	const struct apmu_qemu__preloader *p = user;
	uint64_t base, index;
	bool zero = p->decoded.wide && p->decoded.index == 31;

	if (value_of(p->decoded.base, &base) &&
	    value_of(zero ? APMU_ISA__NO_REGISTER : p->decoded.index, &index))
		report_preload(p, apmu_isa__preload_address(&p->decoded, base, index));
	else
		count(vcpu, NULL);
}

/* Follows a preload's address. An index register, if there is one, must be known. */
static void follow_preload(const struct apmu_isa__values *values, struct known_address *t)
{
	struct apmu_isa__preload *p = &t->preload;
	struct apmu_isa__value index = {0, 0};

	t->preloads = p->data || !t->known;
	t->at = apmu_isa__follow_value(values, p->base, p->offset);
	if (p->index == APMU_ISA__NO_REGISTER)
		return;
	if (!p->wide || p->index != 31)
		index = values->reg[p->index];
	t->known = t->known && !index.name;
	p->base = APMU_ISA__NO_REGISTER;
	t->at.offset += (int64_t)apmu_isa__preload_address(p, 0, (uint64_t)index.offset) - p->offset;
}

static bool accesses(const struct apmu_insn *insn)
{
	return (insn->cls == APMU_CLASS_LOAD || insn->cls == APMU_CLASS_STORE) &&
	       !(insn->flags & (APMU_INSN_CONDITIONAL | APMU_INSN_EXCLUSIVE));
}

static struct known_address follow(struct apmu_isa__values *values, const struct qemu_plugin_insn *q,
				   const struct apmu_insn *insn, enum apmu_isa__isa isa)
{
	uint8_t bytes[4];
	struct known_address t = {0};

	apmu_qemu__insn_bytes(q, bytes);
	uint32_t word = apmu_isa__opcode(isa, bytes, insn->size);
	struct apmu_isa__addressed m = apmu_isa__addressed(isa, insn->addr, word, insn->size);
	t.preloads = insn->cls == APMU_CLASS_PRELOAD;
	t.accesses = accesses(insn) && m.what == APMU_ISA__MOVE_ACCESS;
	if (t.preloads) {
		t.known = t.decodes = apmu_isa__preload_decode(isa, insn->addr, word, &t.preload);
		t.decoded = t.preload;
		follow_preload(values, &t);
	} else if (t.accesses) {
		t.at = apmu_isa__follow_value(values, m.base, m.offset);
	}
	apmu_isa__follow_step(values, &m, insn);
	return t;
}

/* Returns the nearest access from which instruction i's address follows, preferably one before it; NONE:
 * there is none. */
static uint32_t source_of(const struct known_address *known, uint32_t n, uint32_t i)
{
	for (uint32_t k = i; k-- > 0;)
		if (known[k].accesses && known[k].at.name == known[i].at.name)
			return k;
	for (uint32_t k = i + 1; k < n; k++)
		if (known[k].accesses && known[k].at.name == known[i].at.name)
			return k;
	return NONE;
}

static void listen(const struct qemu_plugin_tb *tb, struct apmu_qemu__preloader *p, uint32_t source)
{
	struct qemu_plugin_insn *from = qemu_plugin_tb_get_insn(tb, source);
	struct qemu_plugin_insn *preload = qemu_plugin_tb_get_insn(tb, p->index);

	qemu_plugin_register_vcpu_insn_exec_cb(from, arm, QEMU_PLUGIN_CB_NO_REGS, p);
	qemu_plugin_register_vcpu_mem_cb(from, source < p->index ? keep : tell_behind, QEMU_PLUGIN_CB_NO_REGS,
					 QEMU_PLUGIN_MEM_RW, p);
	if (source < p->index)
		qemu_plugin_register_vcpu_insn_exec_cb(preload, tell_kept, QEMU_PLUGIN_CB_NO_REGS, p);
}

/* Registers a preload's callbacks. False: its address is unknown. */
static bool register_preload(const struct qemu_plugin_tb *tb, struct apmu_qemu__preloader *p,
			     const struct known_address *known)
{
	const struct known_address *t = &known[p->index];
	uint32_t source = t->known && t->at.name ? source_of(known, p->tb->n, p->index) : NONE;

	p->store = t->preload.store;
	p->mask = t->preload.wide ? UINT64_MAX : UINT32_MAX;
	p->offset = (uint64_t)t->at.offset;
	if (t->known && !t->at.name) {
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, p->index), tell_constant,
						       QEMU_PLUGIN_CB_NO_REGS, p);
		return true;
	}
	if (source == NONE && t->decodes && apmu_qemu__shows_registers()) {
		p->decoded = t->decoded;
		p->offset = 0;
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, p->index), tell_read,
						       QEMU_PLUGIN_CB_R_REGS, p);
		return true;
	}
	if (source == NONE)
		return false;
	p->offset -= (uint64_t)known[source].at.offset;
	listen(tb, p, source);
	return true;
}

static bool watch(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b, const struct apmu_insn *insn,
		  enum apmu_isa__isa isa, struct known_address *known)
{
	struct apmu_isa__values values;
	uint32_t used = 0;

	b->preloader = calloc(SLOTS, sizeof(*b->preloader));
	if (!b->preloader)
		return false;
	apmu_isa__follow_start(&values);
	for (uint32_t i = 0; i < b->n; i++)
		known[i] = follow(&values, qemu_plugin_tb_get_insn(tb, i), &insn[i], isa);
	for (uint32_t i = 0; i < b->n; i++) {
		if (!known[i].preloads)
			continue;
		struct apmu_qemu__preloader p = {.tb = b, .index = i, .slot = used};
		if (used < SLOTS)
			b->preloader[used] = p;
		if (!apmu_qemu__plugin.system && used < SLOTS &&
		    register_preload(tb, &b->preloader[used], known))
			used++;
		else
			qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, i), count,
							       QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
	return true;
}

bool apmu_qemu__preload_watch(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b,
			      const struct apmu_insn *insn, enum apmu_isa__isa isa)
{
	uint32_t i = 0;

	while (i < b->n && insn[i].cls != APMU_CLASS_PRELOAD)
		i++;
	if (i == b->n)
		return true;
	struct known_address *known = calloc(b->n, sizeof(*known));
	bool done = known && watch(tb, b, insn, isa, known);
	free(known);
	return done;
}
