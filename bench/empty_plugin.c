/* SPDX-License-Identifier: MIT */
/*
 * What QEMU takes for calling alone: a callback a block and one an access, as apmu's plugin has them, and
 * nothing in either. No plugin that is told of blocks and accesses can be faster. For comparison only
 * (bench_tcg.sh).
 */
#include "qemu/qemu_abi.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

static __attribute__((constructor)) void choose_version(void)
{
	if (qemu_plugin_scoreboard_new)
		qemu_plugin_version = 2;
}

static void executed(unsigned vcpu, void *user)
{
	(void)vcpu, (void)user;
}

static void accessed(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info, (void)vaddr, (void)user;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, QEMU_PLUGIN_CB_NO_REGS, NULL);
	for (size_t i = 0; i < n; i++)
		qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), accessed,
						 QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	(void)info, (void)argc, (void)argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
