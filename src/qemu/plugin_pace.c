/* SPDX-License-Identifier: MIT */
/*
 * Keeps threads with coherent L1 data caches close together. Cores run side by side; the host's threads run
 * when the host lets them, perhaps one after the other, and then they would never contend for a line. So a
 * thread that is ahead of the slowest running one waits for it: when it is more than FAR instructions ahead,
 * or more than NEAR while threads contend for lines: lines that they take from each other come back soon.
 * Lines that move only one way, as data do from one thread to the next, need no such care.
 *
 * Nobody waits for a thread in a system call; it continues where the others are. But a thread that wakes
 * threads, or creates one, waits until they are there: a core would have them in microseconds, the host may
 * take as long as a short program runs. Every wait ends after PATIENCE, whatever the cause: QEMU may want all
 * threads to stop first, or the host may be busy. So there is no guarantee, and counts of programs with
 * several threads differ a little from run to run.
 */
#define _GNU_SOURCE
#include "qemu/plugin.h"

#include <apmu/uarch.h>
#include <time.h>

#define FAR      5000u /* instructions */
#define NEAR     40u
#define FOUGHT   10000u    /* instructions for which NEAR applies after a line has come back */
#define PATIENCE 100000000 /* nanoseconds */
#define MEMBERS  64u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gathered = PTHREAD_COND_INITIALIZER; /* what gather() waits for may have changed */
static struct apmu_qemu__thread *member[MEMBERS];
static struct apmu_qemu__thread *waiters; /* threads in wait_for_others(), also those that are no member */
static unsigned gathering;                /* threads that wake or create others and wait for them */
static uint64_t arrivals;                 /* how many threads have begun or were woken, ever */

/* Returns the position of the slowest other running thread; UINT64_MAX: no other one runs. */
static uint64_t slowest(const struct apmu_qemu__thread *self)
{
	uint64_t least = UINT64_MAX;

	for (unsigned k = 0; k < MEMBERS; k++)
		if (member[k] && member[k] != self && !member[k]->pace.away && member[k]->pace.at < least)
			least = member[k]->pace.at;
	return least;
}

/* Wakes the threads in wait_for_others() that may go on. Those wait for the slowest one, which is not one of
 * them. To wake all of them at each step of one would cost more than the steps. */
static void wake_others(void)
{
	uint64_t least = waiters ? slowest(NULL) : 0;

	for (struct apmu_qemu__thread *t = waiters; t; t = t->pace.after)
		if (t->pace.least <= least)
			pthread_cond_signal(&t->pace.moved);
}

/* Moves the thread forward to the slowest other one. */
static void catch_up(struct apmu_qemu__thread *t)
{
	uint64_t others = slowest(t);

	if (others != UINT64_MAX && others > t->pace.at)
		t->pace.at = others;
}

static void join(struct apmu_qemu__thread *t)
{
	for (unsigned k = 0; k < MEMBERS; k++)
		if (!member[k]) {
			member[k] = t;
			break;
		}
	catch_up(t);
	pthread_cond_init(&t->pace.moved, NULL);
	t->pace.member = true;
	arrivals++;
	pthread_cond_broadcast(&gathered);
}

static struct timespec patience(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += PATIENCE;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	return until;
}

static void wait_for_others(struct apmu_qemu__thread *t, uint64_t quantum)
{
	const struct timespec until = patience();
	int timed = 0;

	uint64_t least = t->pace.at < quantum ? 0 : t->pace.at - quantum;
	t->pace.least = least;
	t->pace.after = waiters;
	waiters = t;
	while (timed == 0 && slowest(t) < least)
		timed = pthread_cond_timedwait(&t->pace.moved, &lock, &until);
	struct apmu_qemu__thread **at = &waiters;
	while (*at != t)
		at = &(*at)->pace.after;
	*at = t->pace.after;
	for (unsigned k = 0; timed && k < MEMBERS; k++)
		if (member[k] && member[k] != t && member[k]->pace.at < least)
			member[k]->pace.away = true; /* until it runs again */
	if (timed)
		wake_others();
}

void apmu_qemu__pace(struct apmu_qemu__thread *t)
{
	struct apmu_qemu__pace *p = &t->pace;
	uint64_t now = t->slot->tally.n[APMU_SIG_INST];

	uint64_t contended = apmu_uarch_contended(t->u);
	if (contended != p->contended) {
		p->contended = contended;
		p->fought_until = now + FOUGHT;
		p->next = p->next < now + NEAR ? p->next : now + NEAR;
	}
	if (now < p->next)
		return;
	uint64_t quantum = now < p->fought_until ? NEAR : FAR;
	pthread_mutex_lock(&lock);
	if (!p->member)
		join(t);
	p->at += now - p->seen;
	p->seen = now;
	if (p->away)
		catch_up(t);
	p->away = false;
	wake_others();
	wait_for_others(t, quantum);
	pthread_mutex_unlock(&lock);
	p->next = now + quantum;
}

void apmu_qemu__pace_call(struct apmu_qemu__thread *t, bool wakes)
{
	if (!apmu_qemu__coheres())
		return;
	pthread_mutex_lock(&lock);
	if (!t->pace.member)
		join(t);
	t->pace.away = true;
	gathering -=
		t->pace.wakes; /* of a call whose result was not reported: callbacks were being renewed */
	gathering += wakes;
	t->pace.wakes = wakes;
	t->pace.arrivals = arrivals;
	wake_others();
	pthread_cond_broadcast(&gathered);
	pthread_mutex_unlock(&lock);
}

/* A woken thread waits until all that were woken with it are there; the one that woke them waits for all of
 * them. */
static void gather(struct apmu_qemu__thread *t, uint64_t others)
{
	const struct timespec until = patience();
	int timed = 0;

	while (timed == 0 && (t->pace.wakes ? arrivals < t->pace.arrivals + others : gathering > 0))
		timed = pthread_cond_timedwait(&gathered, &lock, &until);
	gathering -= t->pace.wakes;
	t->pace.wakes = false;
}

void apmu_qemu__pace_result(struct apmu_qemu__thread *t, uint64_t others, bool woken)
{
	if (!apmu_qemu__coheres())
		return;
	pthread_mutex_lock(&lock);
	if (!t->pace.member)
		join(t);
	arrivals += woken;
	pthread_cond_broadcast(&gathered);
	gather(t, others <= MEMBERS ? others : 0);
	t->pace.away = false;
	catch_up(t);
	pthread_cond_broadcast(&gathered);
	pthread_mutex_unlock(&lock);
}

void apmu_qemu__pace_leave(struct apmu_qemu__thread *t)
{
	pthread_mutex_lock(&lock);
	for (unsigned k = 0; k < MEMBERS; k++)
		if (member[k] == t)
			member[k] = NULL;
	gathering -= t->pace.wakes;
	wake_others();
	pthread_cond_broadcast(&gathered);
	pthread_mutex_unlock(&lock);
}

void apmu_qemu__pace_forked(struct apmu_qemu__thread *t)
{
	pthread_mutex_init(&lock, NULL);
	pthread_cond_init(&gathered, NULL);
	for (unsigned k = 0; k < MEMBERS; k++)
		member[k] = NULL;
	waiters = NULL;
	arrivals = gathering = 0;
	if (t)
		t->pace = (struct apmu_qemu__pace){0};
}
