/* SPDX-License-Identifier: MIT */
/*
 * What a cache plugin costs that is written the plain way, as QEMU's own example is: a callback an
 * instruction and one an access, a lock round each look-up, a scan of the whole set, a time of use for LRU.
 * It counts hits and misses of an L1 instruction and an L1 data cache and prints them. For comparison only
 * (bench_tcg.sh).
 */
#include "engine/tcg/qemu_abi.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#define SETS 128
#define WAYS 4
#define LINE 6 /* log2 of bytes */

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

static __attribute__((constructor)) void choose_version(void)
{
	if (qemu_plugin_scoreboard_new)
		qemu_plugin_version = 2;
}

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_exec_cb cb,
					    enum qemu_plugin_cb_flags flags, void *user);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id, void *user),
				    void *user);

struct cache {
	pthread_mutex_t lock;
	uint64_t tag[SETS][WAYS], used[SETS][WAYS], clock, accesses, misses;
};
static struct cache icache = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct cache dcache = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void look_up(struct cache *c, uint64_t addr)
{
	uint64_t line = addr >> LINE, set = line % SETS;
	unsigned oldest = 0;

	pthread_mutex_lock(&c->lock);
	c->accesses++;
	for (unsigned way = 0; way < WAYS; way++) {
		if (c->tag[set][way] == line + 1) {
			c->used[set][way] = ++c->clock;
			pthread_mutex_unlock(&c->lock);
			return;
		}
		if (c->used[set][way] < c->used[set][oldest])
			oldest = way;
	}
	c->misses++;
	c->tag[set][oldest] = line + 1;
	c->used[set][oldest] = ++c->clock;
	pthread_mutex_unlock(&c->lock);
}

static void executed(unsigned vcpu, void *user)
{
	(void)vcpu;
	look_up(&icache, (uint64_t)(uintptr_t)user);
}

static void accessed(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu;
	(void)info;
	(void)user;
	look_up(&dcache, vaddr);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		void *addr = (void *)(uintptr_t)qemu_plugin_insn_vaddr(insn);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, QEMU_PLUGIN_CB_NO_REGS, addr);
		qemu_plugin_register_vcpu_mem_cb(insn, accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
						 NULL);
	}
}

static void finish(qemu_plugin_id_t id, void *user)
{
	(void)id;
	(void)user;
	fprintf(stderr, "i %" PRIu64 " %" PRIu64 " d %" PRIu64 " %" PRIu64 "\n", icache.accesses,
		icache.misses, dcache.accesses, dcache.misses);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	(void)argc;
	(void)argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, finish, NULL);
	return 0;
}
