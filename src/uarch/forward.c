/* SPDX-License-Identifier: MIT */
/*
 * Store-to-load forwarding: loads that take their data from stores. Arm's software optimization guides for
 * the cores since Cortex-A77 say which loads can: a load that begins where the store begins, or in the
 * store's middle, and lies within the store; and a load of eight bytes or more that takes a half from each of
 * two stores. Measured on Neoverse N1 and V1 (`forward_half`): a load of 16 bytes that takes a half from a
 * store and the other from the cache. Any other load of stored bytes waits until the cache has them.
 */

#include "uarch/machine.h"
#include "uarch/pass.h"

#include <stdlib.h>

int apmu_uarch__forward_init(struct apmu_uarch *u)
{
	if (!u->p.forward || !(u->units & APMU_UARCH__TIME))
		return APMU_OK;
	u->recent = malloc(APMU_UARCH__RECENT * sizeof(*u->recent));
	if (!u->recent)
		return APMU_ENOMEM;
	for (unsigned i = 0; i < APMU_UARCH__RECENT; i++)
		u->recent[i] = (struct apmu_uarch__recent){.granule = UINT64_MAX};
	return APMU_OK;
}

bool apmu_uarch_forwards(const struct apmu_uarch_params *params, const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return params->forward && params->rob &&
	       (apmu_uarch__units(params, apmu_uarch__asked(wanted)) & APMU_UARCH__TIME);
}

/* The result of looking a load up in the table. */
struct found {
	uint32_t when;          /* number of the youngest store; in order, cycle of its issue */
	unsigned bytes, stores; /* bytes of the load that are in the table; stores that wrote them */
	bool apt;               /* they begin where the core can forward from */
};

/* How many of the `size` bytes from `addr` on the store wrote. */
static unsigned overlap(const struct apmu_uarch__recent *r, uint64_t addr, unsigned size)
{
	int begin = (int16_t)(r->low - (uint16_t)addr), end = begin + r->size;
	begin = begin > 0 ? begin : 0;
	end = end < (int)size ? end : (int)size;
	return end > begin ? (unsigned)(end - begin) : 0;
}

/* True if a load of `size` bytes can take its bytes from `at` on from the store: from the store's begin or
 * middle if they are the load's first, from the store's begin if they are its second half. */
static bool begins_well(const struct apmu_uarch__recent *r, uint64_t addr, unsigned at, unsigned size)
{
	uint16_t offset = (uint16_t)((uint16_t)(addr + at) - r->low);
	if (at)
		return offset == 0 && at * 2 == size && size >= 8;
	return offset == 0 || offset * 2 == r->size;
}

static struct found find_any(const struct apmu_uarch *u, uint64_t addr, unsigned size, uint32_t oldest,
			     uint32_t span)
{
	struct found f = {.when = oldest, .apt = true};
	uint32_t last = 0;
	for (unsigned at = 0, step; at < size; at += step) {
		uint64_t granule = (addr + at) >> APMU_UARCH__GRANULE;
		const struct apmu_uarch__recent *r = &u->recent[granule % APMU_UARCH__RECENT];
		step = (unsigned)(((granule + 1) << APMU_UARCH__GRANULE) - (addr + at));
		step = step < size - at ? step : size - at;
		bool fresh = r->granule == granule && r->when - oldest < span;
		unsigned has = fresh ? overlap(r, addr + at, step) : 0;
		if (has && (f.stores == 0 || r->when != last)) {
			f.apt &= begins_well(r, addr, at, size);
			f.stores++;
			last = r->when;
		}
		f.bytes += has;
		f.when = has && (int32_t)(r->when - f.when) > 0 ? r->when : f.when;
	}
	return f;
}

/* Looks a load up among the stores of the `span` numbers (in order: cycles) from `oldest` on. A store of an
 * abandoned block may have a later number. The common load, which reads exactly what one store wrote, has a
 * short path. */
static struct found find(const struct apmu_uarch *u, uint64_t addr, unsigned size, uint32_t oldest,
			 uint32_t span)
{
	uint64_t first = addr >> APMU_UARCH__GRANULE, last = (addr + size - 1) >> APMU_UARCH__GRANULE;
	const struct apmu_uarch__recent *a = &u->recent[first % APMU_UARCH__RECENT],
					*b = &u->recent[last % APMU_UARCH__RECENT];
	bool both = (a->granule == first) & (b->granule == last) & (last - first < 2) & (a->when == b->when);
	if (both && a->low == (uint16_t)addr && a->size == size && a->when - oldest < span)
		return (struct found){a->when, size, 1, true};
	return find_any(u, addr, size, oldest, span);
}

/* On some cores: true if a store has half of a vector of 128 bits. */
static bool forwards_half(const struct apmu_uarch *u, const struct found *f, unsigned size)
{
	return u->p.forward_half && f->apt && size == 16 && f->bytes == 8 && f->stores == 1;
}

/* True if one store has all bytes of the load, or two stores have a half each, or one has what
 * forwards_half() says. */
static bool forwards(const struct apmu_uarch *u, const struct found *f, unsigned size)
{
	return (f->apt && f->bytes == size) || forwards_half(u, f, size);
}

/* Hash of one forwarded load. The block's is their sum, which does not depend on the order. */
static uint64_t fingerprint_of(const struct apmu_uarch__forwarded_load *t)
{
	uint64_t h =
		((uint64_t)t->step << 16 | (uint64_t)t->half << 15 | (uint64_t)t->age << 1 | t->fails) + 1;
	h *= 0x9E3779B97F4A7C15u;
	return (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
}

/* True if the store's data may come after the block's first dispatch. Otherwise no load waits for them. */
static bool late(const struct apmu_uarch__window *w, unsigned age)
{
	if (w->state)
		return apmu_uarch__memo_late(w) >> (age - 1) & 1;
	return w->data[(w->stored - age) % APMU_UARCH__DATA] > apmu_uarch__dispatching(w);
}

static void record_forwarded(struct apmu_uarch__window *w, struct apmu_uarch__forwarded_load now)
{
	struct apmu_uarch__forwarded_load *t =
		w->forwarded_loads ? &w->forwarded_load[w->forwarded_loads - 1] : NULL;
	if (t && t->step == now.step) { /* another element of the instruction: the youngest store counts */
		w->forward_fingerprint -= fingerprint_of(t);
		t->age = now.age < t->age ? now.age : t->age;
		t->fails |= now.fails;
		t->half |= now.half;
	} else if (w->forwarded_loads < APMU_UARCH__FORWARDED_LOADS) {
		t = &w->forwarded_load[w->forwarded_loads++];
		*t = now;
	} else {
		return;
	}
	w->forward_fingerprint += fingerprint_of(t);
}

static void load_out_of_order(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			      unsigned size)
{
	struct apmu_uarch__window *w = u->window;
	uint32_t now = w->stored + b->step[i].stores;
	struct found f = find(u, addr, size, now - APMU_UARCH__AGES, APMU_UARCH__AGES);
	uint32_t age = now - f.when;
	bool earlier = age > b->step[i].stores; /* the store is of an earlier block */
	if (f.bytes == 0)
		return;
	if (!earlier || late(w, age - b->step[i].stores))
		record_forwarded(w, (struct apmu_uarch__forwarded_load){(uint16_t)i, (uint8_t)age,
									!forwards(u, &f, size),
									forwards_half(u, &f, size)});
}

static void load_in_order(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			  unsigned size)
{
	uint32_t now = (uint32_t)apmu_uarch__position(u, b, i), most = u->p.forward;
	most = u->p.forward_fail > most ? u->p.forward_fail : most;
	struct found f = find(u, addr, size, now - most, most + 1);
	uint32_t comes = f.when + (forwards(u, &f, size) ? u->p.forward : most);
	uint32_t hit = now + u->p.result[APMU_CLASS_LOAD];
	if (f.bytes && (int32_t)(comes - hit) > 0)
		apmu_uarch__late_data(u, b, i, comes - hit, APMU_UARCH__FOR_CACHE);
}

static void access_element(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			   unsigned size, bool store)
{
	struct apmu_uarch__window *w = u->window;
	if (store)
		apmu_uarch__recent_put(u->recent, addr, size,
				       w ? w->stored + b->step[i].stores
					 : (uint32_t)apmu_uarch__position(u, b, i));
	else if (w)
		load_out_of_order(u, b, i, addr, size);
	else
		load_in_order(u, b, i, addr, size);
}

void apmu_uarch__forward(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			 unsigned size, bool store)
{
	if (size == 8 && b->step[i].quads) { /* the whole vector is examined at its first half */
		if (apmu_uarch__note_half(u, i, addr, store))
			return;
		size = 16;
	}
	unsigned width = b->step[i].width, all = size < APMU_UARCH__MOST ? size : APMU_UARCH__MOST;
	unsigned element = width && width < all && width < APMU_UARCH__ELEMENT ? width : all;
	for (unsigned at = 0; at < all; at += element)
		access_element(u, b, i, addr + at, all - at < element ? all - at : element, store);
}
