/* SPDX-License-Identifier: MIT */
/*
 * What a cache plugin costs that is written the plain way, as QEMU's own example is: a callback an
 * instruction and one an access, in each a lock, a scan of the whole set, and the time of use for LRU. It
 * counts hits and misses of an L1 instruction and an L1 data cache of 16 KiB, 8 ways and 64-byte lines, by
 * instruction too, and prints the sums. For comparison only (bench_tcg.sh).
 *
 * The work is the example's but for the end of a scan, which there is the way that hits: sets, tags and times
 * lie in allocations of their own, the lock is that of the virtual CPU's cache, the policy is called by
 * pointer, an access asks for its hardware address. The text is our own.
 */
#include "qemu/qemu_abi.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SETS 32
#define WAYS 8
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

struct qemu_plugin_hwaddr;
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t vaddr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *hwaddr);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *hwaddr);

struct line {
	uint64_t tag;
	bool valid;
};

struct set {
	struct line *line;
	uint64_t *used; /* of each way, by the set's own clock */
	uint64_t clock;
};

struct cache {
	pthread_mutex_t lock;
	struct set *set;
	uint64_t set_mask, tag_mask, accesses, misses;
	unsigned shift, ways;
};

/* An instruction, and what it missed. */
struct where {
	uint64_t addr, fetch_misses, data_misses;
};

static struct cache *icache, *dcache;
static unsigned cores = 1; /* QEMU's example takes one for a program, whatever its threads */

static void lru(struct set *s, unsigned way)
{
	s->used[way] = s->clock++;
}
static void (*use)(struct set *s, unsigned way);

static struct cache *caches_new(void)
{
	struct cache *all = calloc(cores, sizeof(*all));
	for (struct cache *c = all; c < all + cores; c++) {
		pthread_mutex_init(&c->lock, NULL);
		c->ways = WAYS;
		c->shift = LINE;
		c->set_mask = (uint64_t)(SETS - 1) << LINE;
		c->tag_mask = ~(c->set_mask | ((1u << LINE) - 1));
		c->set = calloc(SETS, sizeof(*c->set));
		for (unsigned i = 0; i < SETS; i++) {
			c->set[i].line = calloc(WAYS, sizeof(*c->set[i].line));
			c->set[i].used = calloc(WAYS, sizeof(*c->set[i].used));
		}
	}
	return all;
}

static unsigned victim(const struct cache *c, const struct set *s)
{
	unsigned oldest = 0;

	for (unsigned way = 0; way < c->ways; way++)
		if (!s->line[way].valid)
			return way;
	for (unsigned way = 1; way < c->ways; way++)
		if (s->used[way] < s->used[oldest])
			oldest = way;
	return oldest;
}

static bool hit(struct cache *c, uint64_t addr)
{
	uint64_t tag = addr & c->tag_mask;
	struct set *s = &c->set[(addr & c->set_mask) >> c->shift];

	unsigned found = c->ways;
	for (unsigned way = 0; way < c->ways; way++)
		if (s->line[way].tag == tag && s->line[way].valid)
			found = way;
	if (found < c->ways) {
		use(s, found);
		return true;
	}
	unsigned way = victim(c, s);
	use(s, way);
	s->line[way] = (struct line){tag, true};
	return false;
}

static void look_up(struct cache *c, uint64_t addr, uint64_t *missed)
{
	pthread_mutex_lock(&c->lock);
	if (!hit(c, addr)) {
		__atomic_fetch_add(missed, 1, __ATOMIC_SEQ_CST);
		c->misses++;
	}
	c->accesses++;
	pthread_mutex_unlock(&c->lock);
}

static void executed(unsigned vcpu, void *user)
{
	struct where *w = user;

	look_up(&icache[vcpu % cores], w->addr, &w->fetch_misses);
}

static void accessed(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	struct where *w = user;
	struct qemu_plugin_hwaddr *hardware = qemu_plugin_get_hwaddr(info, vaddr);

	if (hardware && qemu_plugin_hwaddr_is_io(hardware))
		return;
	look_up(&dcache[vcpu % cores], hardware ? qemu_plugin_hwaddr_phys_addr(hardware) : vaddr,
		&w->data_misses);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		struct where *w = calloc(1, sizeof(*w)); /* kept to the end */
		w->addr = qemu_plugin_insn_vaddr(insn);
		qemu_plugin_register_vcpu_mem_cb(insn, accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
						 w);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, QEMU_PLUGIN_CB_NO_REGS, w);
	}
}

static void finish(qemu_plugin_id_t id, void *user)
{
	(void)id;
	(void)user;
	fprintf(stderr, "i %" PRIu64 " %" PRIu64 " d %" PRIu64 " %" PRIu64 "\n", icache->accesses,
		icache->misses, dcache->accesses, dcache->misses);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	(void)argc;
	(void)argv;
	icache = caches_new();
	dcache = caches_new();
	use = lru;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, finish, NULL);
	return 0;
}
