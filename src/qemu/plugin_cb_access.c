/* SPDX-License-Identifier: MIT */
/* Access callbacks. The first set is for loads and stores that always make exactly one access
 * (apmu_uarch_precount()). When recording, a hit adds to no event, unless some event counts accesses or time
 * (EACH). */
#include "qemu/thread.h"

#include "uarch/fast.h"

#include <stdatomic.h>

enum touched { /* enum apmu_uarch__hit, and: */ FORWARDED = APMU_UARCH__HIT_ALL + 1, EACH, EACH_FORWARDED };

/* A miss, which may cause an overflow. noinline: keeps the hit path free of spills. */
static __attribute__((noinline)) void miss(const struct apmu_qemu__watch *w, uint64_t vaddr, bool store)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	if (apmu_qemu__near_access(t))
		apmu_qemu__sampler_access(t, w, vaddr, w->size, store);
	else
		apmu_uarch__fast_any(t->u, &w->site, vaddr, store);
}

static inline __attribute__((always_inline)) void each(struct apmu_qemu__thread *t,
						       const struct apmu_qemu__watch *w, uint64_t vaddr,
						       bool store, bool forwarded)
{
	if (__builtin_expect(apmu_qemu__near_access(t), 0))
		apmu_qemu__sampler_access(t, w, vaddr, w->size, store);
	else if (!forwarded)
		apmu_uarch__fast_one(t->u, &w->site, vaddr, store, true);
	else
		(store ? apmu_uarch_store_each : apmu_uarch_load_each)(t->u, &w->site, vaddr);
}

static inline __attribute__((always_inline)) void touch(const struct apmu_qemu__watch *w, uint64_t vaddr,
							unsigned what, bool store, bool recording)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;
	const struct apmu_access_site *site = &w->site;

	t->reached = site->index + 1;
	if (what == EACH || what == EACH_FORWARDED)
		each(t, w, vaddr, store, what == EACH_FORWARDED);
	else if (what == FORWARDED)
		(store ? apmu_uarch__fast_store_forward : apmu_uarch__fast_load_forward)(t->u, site, vaddr);
	else if (apmu_uarch__fast_near(t->u, site, vaddr, store, (enum apmu_uarch__hit)what))
		return;
	else if (recording)
		miss(w, vaddr, store);
	else
		apmu_uarch__fast_beyond(t->u, site, vaddr, store);
}

#define TOUCHER(name, what, store, recording)                                                   \
	static void name(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user) \
	{                                                                                       \
		(void)vcpu, (void)info;                                                         \
		touch(user, vaddr, what, store, recording);                                     \
	}

#define TOUCHERS(name, what, recording)              \
	TOUCHER(load_##name, what, false, recording) \
	TOUCHER(store_##name, what, true, recording)

TOUCHERS(tag, APMU_UARCH__HIT_TAG, false)
TOUCHERS(page, APMU_UARCH__HIT_PAGE, false)
TOUCHERS(user, APMU_UARCH__HIT_USER, false)
TOUCHERS(all, APMU_UARCH__HIT_ALL, false)
TOUCHERS(forward, FORWARDED, false)
TOUCHERS(record_tag, APMU_UARCH__HIT_TAG, true)
TOUCHERS(record_page, APMU_UARCH__HIT_PAGE, true)
TOUCHERS(record_user, APMU_UARCH__HIT_USER, true)
TOUCHERS(record_all, APMU_UARCH__HIT_ALL, true)
TOUCHERS(record_each, EACH, true)
TOUCHERS(record_forward, EACH_FORWARDED, true)

/* QEMU's description of an access, asked for once per site, because it hardly ever changes there: 32 bits of
 * info, then the size, then whether it is a store. */
#define INFO(info)  ((uint32_t)(info))
#define SIZE(info)  ((info) >> 32 & 0xFF)
#define STORE(info) ((info) >> 40 & 1)
#define NONE        UINT32_MAX

void apmu_qemu__general_begin(struct apmu_qemu__watch *w)
{
	atomic_init(&w->access_info, NONE);
}

static __attribute__((noinline)) void ask(struct apmu_qemu__watch *w, qemu_plugin_meminfo_t info,
					  uint64_t vaddr)
{
	unsigned size = 1u << qemu_plugin_mem_size_shift(info);
	bool store = qemu_plugin_mem_is_store(info);

	apmu_qemu__group_learn(w, size);
	if (apmu_block_takes(w->site.block, w->site.index, size))
		atomic_store_explicit(&w->access_info, (uint64_t)store << 40 | (uint64_t)size << 32 | info,
				      memory_order_relaxed);
	apmu_uarch_access(apmu_qemu__self->u, w->site.block, w->site.index, vaddr, size, store);
}

enum general { PLAINLY, LEAN, FORWARDING };

static inline __attribute__((always_inline)) void
general(struct apmu_qemu__watch *w, qemu_plugin_meminfo_t info, uint64_t vaddr, bool known, enum general how)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;
	uint64_t site_info = atomic_load_explicit(&w->access_info, memory_order_relaxed);
	unsigned size = known ? w->size : (unsigned)SIZE(site_info);
	bool store = known ? w->store : STORE(site_info);

	t->reached = w->site.index + 1;
	if (!known && INFO(site_info) != info)
		ask(w, info, vaddr);
	else if (how == FORWARDING)
		apmu_uarch__fast_some_forward(t->u, &w->site, vaddr, size, store);
	else
		apmu_uarch__fast_some(t->u, &w->site, vaddr, size, store, how == LEAN);
}

#define GENERAL(name, known, how)                                                               \
	static void name(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user) \
	{                                                                                       \
		(void)vcpu;                                                                     \
		general(user, info, vaddr, known, how);                                         \
	}

GENERAL(general_reported, false, PLAINLY)
GENERAL(general_known, true, PLAINLY)
GENERAL(general_reported_lean, false, LEAN)
GENERAL(general_known_lean, true, LEAN)
GENERAL(general_reported_forward, false, FORWARDING)
GENERAL(general_known_forward, true, FORWARDING)

qemu_plugin_mem_cb apmu_qemu__general_callback(bool known, bool forwards)
{
	static const qemu_plugin_mem_cb by[][2] = {
		[PLAINLY] = {general_reported, general_known},
		[LEAN] = {general_reported_lean, general_known_lean},
		[FORWARDING] = {general_reported_forward, general_known_forward}};
	bool lean = apmu_qemu__self && apmu_uarch__is_lean(apmu_qemu__self->u);

	return by[forwards ? FORWARDING : lean ? LEAN : PLAINLY][known];
}

/* Reports a group: the anchor's first access reports all of it, the anchor's further accesses nothing. */
static inline __attribute__((always_inline)) void tell_group(const struct apmu_qemu__group *g, uint64_t vaddr,
							     enum apmu_uarch__hit hit)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	if (t->reached == g->reached)
		return;
	t->reached = g->reached;
	apmu_uarch__fast_group(t->u, &g->group, vaddr, hit);
}

#define GROUP(name, hit)                                                                        \
	static void name(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user) \
	{                                                                                       \
		(void)vcpu, (void)info;                                                         \
		tell_group(user, vaddr, hit);                                                   \
	}

GROUP(group_tag, APMU_UARCH__HIT_TAG)
GROUP(group_page, APMU_UARCH__HIT_PAGE)
GROUP(group_user, APMU_UARCH__HIT_USER)
GROUP(group_all, APMU_UARCH__HIT_ALL)

qemu_plugin_mem_cb apmu_qemu__group_callback(void)
{
	static const qemu_plugin_mem_cb by[] = {[APMU_UARCH__HIT_TAG] = group_tag,
						[APMU_UARCH__HIT_PAGE] = group_page,
						[APMU_UARCH__HIT_USER] = group_user,
						[APMU_UARCH__HIT_ALL] = group_all};

	return by[apmu_qemu__self->u->unconditional_access.hit];
}

/* Returns the callback of sites that make exactly one access. When recording, no access is counted at block
 * entry. */
qemu_plugin_mem_cb apmu_qemu__access_callback(bool recording, bool forwards, bool store)
{
	static const qemu_plugin_mem_cb by[][2][2] = {
		[APMU_UARCH__HIT_TAG] = {{load_tag, store_tag}, {load_record_tag, store_record_tag}},
		[APMU_UARCH__HIT_PAGE] = {{load_page, store_page}, {load_record_page, store_record_page}},
		[APMU_UARCH__HIT_USER] = {{load_user, store_user}, {load_record_user, store_record_user}},
		[APMU_UARCH__HIT_ALL] = {{load_all, store_all}, {load_record_all, store_record_all}},
		[FORWARDED] = {{load_forward, store_forward}, {load_record_forward, store_record_forward}},
		[EACH] = {{load_all, store_all}, {load_record_each, store_record_each}}};
	const struct apmu_uarch *u = apmu_qemu__self ? apmu_qemu__self->u : NULL;
	bool counted = recording && (!u || u->unconditional);
	unsigned hit = u ? u->unconditional_access.hit : APMU_UARCH__HIT_ALL;

	return by[forwards ? FORWARDED : counted ? EACH : hit][recording][store];
}
