/* SPDX-License-Identifier: MIT */
/*
 * Parked stacks of calls, on which no thread runs: goroutines and coroutines that wait. Any thread may
 * continue with one. A stack is known by the addresses at which its calls saved their return addresses, up to
 * the call that left it, and by where its pointer was stored.
 *
 * A stack is parked as it is left, even if the call that leaves it (Go's systemstack) will return to it: then
 * the copy is of no use, and the next copy of the same stack replaces it.
 */
#include "qemu/plugin_record.h"

#include <stdlib.h>
#include <string.h>

#define PARKED 4096u /* a power of two */

struct parked {
	struct apmu_qemu__call *call;
	uint32_t depth;
	uint32_t serial;    /* serial of the thread that numbered the nodes */
	uint64_t low, high; /* lowest and highest address at which a call saved */
	uint64_t kept[2];   /* where the stack pointer was stored before the stack was left; 0: not known */
	uint64_t age;       /* a larger one is younger */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* A hash table by `high`, or else by `kept`; a collision overwrites the older one. */
static struct parked parked[PARKED];
static uint64_t age;

void apmu_qemu__stacks_forked(void)
{
	pthread_mutex_init(&lock, NULL);
}

/* Describes the calls on the current stack itself, up to a call that left it. A child of a fork has a new
 * serial number. */
static struct parked describe(const struct apmu_qemu__sampler *s)
{
	const struct apmu_qemu__calls *k = &s->stack;
	struct parked p = {.low = UINT64_MAX, .serial = s->thread->slot->serial};

	for (; p.depth < k->depth && (p.depth == 0 || !k->call[p.depth].elsewhere); p.depth++) {
		uint64_t at = k->call[p.depth].stack;
		if (at && at < p.low)
			p.low = at;
		if (k->call[p.depth].first > p.high)
			p.high = k->call[p.depth].first;
	}
	return p;
}

uint64_t apmu_qemu__stacks_park(struct apmu_qemu__sampler *s)
{
	struct parked p = describe(s);

	memcpy(p.kept, s->stack.kept, sizeof(p.kept));
	memset(s->stack.kept, 0, sizeof(s->stack.kept));
	if ((p.high | p.kept[0]) == 0 || p.depth == 0)
		return 0;
	p.call = malloc(p.depth * sizeof(*p.call));
	if (!p.call)
		apmu_qemu__plugin_die("no memory for a thread's calls");
	memcpy(p.call, s->stack.call, p.depth * sizeof(*p.call));
	pthread_mutex_lock(&lock);
	struct parked *place =
		&parked[apmu_qemu__call_hash(p.high ? p.high : p.kept[0] ^ p.kept[1]) % PARKED];
	free(place->call);
	p.age = ++age;
	*place = p;
	pthread_mutex_unlock(&lock);
	return p.age;
}

/* Returns how many calls are live if one restores its return address from `at`; 0: the address is not of this
 * stack. */
static uint32_t depth_at(const struct parked *p, uint64_t at)
{
	uint32_t depth = p->call && p->low <= at && at <= p->high ? p->depth : 0;

	while (depth > 0 && p->call[depth - 1].stack != at && p->call[depth - 1].first != at)
		depth--;
	return depth;
}

/* Returns how far above `at` the stack's lowest saved address is, if the stack was left at a call that
 * returns to `back`, made by a function that had saved nothing; else UINT64_MAX. */
static uint64_t room_above(const struct parked *p, uint64_t at, uint64_t back)
{
	const struct apmu_qemu__call *top = p->call && p->depth > 1 ? &p->call[p->depth - 1] : NULL;

	return top && top->back == back && !top->handler && !top[-1].stack && p->low > at ? p->low - at
											  : UINT64_MAX;
}

/* Takes out of the table the nearest stack above `at`, the youngest of several equally near, if it is at most
 * `within` bytes away. */
static bool take_above(uint64_t at, uint64_t back, uint64_t within, struct parked *out)
{
	struct parked *best = NULL;

	pthread_mutex_lock(&lock);
	for (struct parked *p = parked; p < parked + PARKED; p++) {
		uint64_t room = room_above(p, at, back);
		if (room > within || (best && room == within && p->age < best->age) || room == UINT64_MAX)
			continue;
		best = p;
		within = room;
	}
	if (best) {
		*out = *best;
		*best = (struct parked){0};
	}
	pthread_mutex_unlock(&lock);
	return best != NULL;
}

/* Takes out of the table the youngest stack that matches: older ones are of stacks that are gone. */
static bool take_out(uint64_t at, struct parked *out)
{
	struct parked *best = NULL;
	uint32_t depth = 0;

	pthread_mutex_lock(&lock);
	for (struct parked *p = parked; p < parked + PARKED; p++) {
		uint32_t n = depth_at(p, at);
		if (n && (!best || p->age > best->age))
			best = p, depth = n;
	}
	if (best) {
		*out = *best;
		out->depth = depth;
		*best = (struct parked){0};
	}
	pthread_mutex_unlock(&lock);
	return best != NULL;
}

/* True if the stack was left where it continues at `to`, in the function at `entry`. */
static bool waits_at(const struct parked *p, uint64_t to, uint64_t entry)
{
	const struct apmu_qemu__call *top = p->call ? &p->call[p->depth - 1] : NULL;

	return top && !top->handler && (top->back == to || top->entry == entry);
}

/* Takes out of the table the only stack that waits at `to`. */
static bool take_waiting(uint64_t to, uint64_t entry, struct parked *out)
{
	struct parked *only = NULL;
	uint32_t n = 0;

	pthread_mutex_lock(&lock);
	for (struct parked *p = parked; p < parked + PARKED; p++)
		if (waits_at(p, to, entry))
			only = p, n++;
	if (n == 1) {
		*out = *only;
		*only = (struct parked){0};
	}
	pthread_mutex_unlock(&lock);
	return n == 1;
}

/* Takes out of the table the youngest stack whose stack pointer was stored at `from`, if it waits at `to`. */
static bool take_kept(uint64_t from, uint64_t to, struct parked *out)
{
	struct parked *best = NULL;

	pthread_mutex_lock(&lock);
	for (struct parked *p = parked; p < parked + PARKED; p++)
		if (p->call && (p->kept[0] == from || p->kept[1] == from) && (!best || p->age > best->age))
			best = p;
	bool waits = best && best->call[best->depth - 1].back == to && !best->call[best->depth - 1].handler;
	if (waits) {
		*out = *best;
		*best = (struct parked){0};
	}
	pthread_mutex_unlock(&lock);
	return waits;
}

static void go_on_with(struct apmu_qemu__sampler *s, struct parked p)
{
	struct apmu_qemu__calls *k = &s->stack;

	if (!k->left) /* else a call parked it already, and by now another thread may run on it */
		apmu_qemu__stacks_park(s);
	for (uint32_t i = 0; p.serial != s->thread->slot->serial && i < p.depth; i++)
		p.call[i].node = 0;
	free(k->call);
	k->call = p.call;
	k->depth = k->room = p.depth;
}

uint64_t apmu_qemu__stacks_take(struct apmu_qemu__sampler *s, uint64_t at)
{
	struct parked p;

	if (!take_out(at, &p))
		return 0;
	go_on_with(s, p);
	return p.age;
}

bool apmu_qemu__stacks_take_kept(struct apmu_qemu__sampler *s, uint64_t from, uint64_t to)
{
	struct parked p;

	if (!take_kept(from, to, &p))
		return false;
	go_on_with(s, p);
	s->stack.depth--;
	return true;
}

bool apmu_qemu__stacks_take_waiting(struct apmu_qemu__sampler *s, uint64_t to, uint64_t entry)
{
	struct parked p;

	if (!take_waiting(to, entry, &p))
		return false;
	go_on_with(s, p);
	s->stack.depth -= p.call[p.depth - 1].back == to;
	return true;
}

bool apmu_qemu__stacks_take_above(struct apmu_qemu__sampler *s, uint64_t at, uint64_t back, uint64_t within)
{
	struct parked p;

	if (!take_above(at, back, within, &p))
		return false;
	go_on_with(s, p);
	s->stack.depth--;
	return true;
}

/* Takes out of the table the stack that was parked as `parked`, if `at` may be an address of its own, below a
 * call that is still live. */
static bool take_back(uint64_t parked_as, uint64_t at, uint64_t below, struct parked *out)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (struct parked *p = parked; p < parked + PARKED && !found; p++) {
		if (!p->call || p->age != parked_as || at >= p->high || p->low > at + below)
			continue;
		found = true;
		*out = *p;
		*p = (struct parked){0};
	}
	pthread_mutex_unlock(&lock);
	return found;
}

bool apmu_qemu__stacks_take_back(struct apmu_qemu__sampler *s, uint64_t at, uint64_t below)
{
	struct apmu_qemu__calls *k = &s->stack;
	struct parked p;

	if (!take_back(k->parked, at, below, &p))
		return false;
	while (p.call[p.depth - 1].first <= at)
		p.depth--;
	uint32_t live = p.depth, depth = live + k->depth - 1;
	p.call = realloc(p.call, depth * sizeof(*p.call));
	if (!p.call)
		apmu_qemu__plugin_die("no memory for a thread's calls");
	memcpy(p.call + live, k->call + 1, (k->depth - 1) * sizeof(*p.call));
	for (uint32_t i = p.serial == s->thread->slot->serial ? live : 0; i < depth; i++)
		p.call[i].node = 0;
	free(k->call);
	k->call = p.call;
	k->depth = k->room = depth;
	return true;
}
