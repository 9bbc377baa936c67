/* SPDX-License-Identifier: MIT */
/*
 * Coherence of the threads' L1 data caches: from the second thread on, each block begins by taking the snoops
 * of other threads, and each store claims its line. Blocks that were translated before do neither; they are
 * translated anew.
 */
#include "qemu/plugin.h"

static void snoop(unsigned vcpu, void *user)
{
	(void)vcpu, (void)user;
	if (!apmu_qemu__self)
		return;
	apmu_qemu__pace(apmu_qemu__self); /* may wait while others write */
	apmu_uarch_snooped(apmu_qemu__self->u);
}

static void claim(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu_qemu__watch *w = user;

	struct apmu_qemu__thread *t = apmu_qemu__self;
	unsigned size = 1u << qemu_plugin_mem_size_shift(info);

	(void)vcpu;
	if (!qemu_plugin_mem_is_store(info))
		return;
	if (t->sampler)
		apmu_qemu__sampler_claim(t, w, vaddr, size);
	else
		apmu_uarch_claim(t->u, w->tb->block, w->index, vaddr, size);
}

/* The machine is asked once. Virtual CPUs of a whole system have address spaces of their own, so they are
 * never coherent. */
bool apmu_qemu__coheres(void)
{
	enum { UNKNOWN, YES, NO };
	static _Atomic int known;
	const struct apmu_qemu__plugin *p = &apmu_qemu__plugin;

	if (!apmu_qemu__is_threaded())
		return false;
	if (known == UNKNOWN)
		known = !p->system && apmu_uarch_coheres(&p->uarch, p->wanted) ? YES
									       : NO; /* twice is harmless */
	return known == YES;
}

void apmu_qemu__coherence_block(struct qemu_plugin_tb *tb)
{
	if (apmu_qemu__coheres())
		qemu_plugin_register_vcpu_tb_exec_cb(tb, snoop, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

void apmu_qemu__coherence_store(struct qemu_plugin_insn *insn, struct apmu_qemu__watch *w)
{
	if (apmu_qemu__plugin.needs_accesses && apmu_qemu__coheres())
		qemu_plugin_register_vcpu_mem_cb(insn, claim, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_W, w);
}
