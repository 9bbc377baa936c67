/* SPDX-License-Identifier: MIT */
/* Times a block out of order: when each instruction starts and finishes, and what stalls dispatch. */
#include "uarch/late_ops.h"
#include "uarch/pass.h"
#include "uarch/retire.h"
#include "uarch/timing.h"

#include <stddef.h>

/* Divides the ticks of a dispatch stall, from `at` to `until`, among its causes. While a late load is
 * outstanding they are caused by that load, as from[] says; the rest is caused by `other`
 * (APMU_UARCH__STALL_KINDS: by nothing that is counted). There is a rest if dispatch waits for a user of the
 * load, such as a scheduler's entry or a mispredicted branch, which ends later than the load. `whole`: a bit
 * for each kind that counts the whole stall; with the bit of the cause and that of idle slots
 * (APMU_UARCH__STALL_KINDS) it goes to the attribution of time (retire.h). */
static void divide_wait(struct apmu_uarch__window *w, uint64_t at, uint64_t until, uint32_t whole,
			unsigned other)
{
	unsigned causes = w->causes ? APMU_UARCH__CAUSES : 1;
	for (unsigned k = 0; k <= causes && at < until; k++) {
		uint64_t arrives = k < causes ? w->from[k] * w->cycle : until,
			 end = arrives < until ? arrives : until;
		unsigned part = k < causes ? APMU_UARCH__STALL_MEMORY + k : other;
		if (end <= at)
			continue;
		if (part < APMU_UARCH__STALL_KINDS)
			w->stalled[part] += end - at;
		if (w->retire)
			apmu_uarch__retire_stall(w->retire, at, end,
						 whole | 1u << part | 1u << APMU_UARCH__STALL_KINDS);
		at = end;
	}
}

static __attribute__((noinline)) void count_wait(struct apmu_uarch__window *w, uint64_t until,
						 enum apmu_uarch__stall_kind where)
{
	uint64_t end = until * w->cycle, ticks = end - w->now;
	bool window = where == APMU_UARCH__STALL_WINDOW || where == APMU_UARCH__STALL_BARRIER;
	bool queue = w->causes && (where == APMU_UARCH__STALL_STORE || where == APMU_UARCH__STALL_LOADS);
	enum apmu_uarch__stall_kind whole = window ? APMU_UARCH__STALL_WINDOW : APMU_UARCH__STALL_QUEUE;
	w->idle += ticks;
	w->stalled[whole] += ticks;
	if (where == APMU_UARCH__STALL_BARRIER)
		w->stalled[APMU_UARCH__STALL_BARRIER] += ticks;
	divide_wait(w, w->now, end,
		    1u << whole | (where == APMU_UARCH__STALL_BARRIER ? 1u << APMU_UARCH__STALL_BARRIER : 0),
		    queue ? where : APMU_UARCH__STALL_KINDS);
}

/* Stalls dispatch until the cycle `until`, which is later than the current one. */
static inline void wait_until(struct apmu_uarch *u, uint64_t until, enum apmu_uarch__stall_kind where)
{
	struct apmu_uarch__window *w = u->window;
	if (u->stalls)
		count_wait(w, until, where);
	w->now = until * w->cycle;
}

void apmu_uarch__window_wait(struct apmu_uarch *u, uint64_t until, enum apmu_uarch__stall_kind where)
{
	if (until > apmu_uarch__dispatching(u->window))
		wait_until(u, until, where);
}

#define INLINE static inline __attribute__((always_inline))

static uint64_t operands_of_many(const struct apmu_uarch__window *w, uint64_t set, uint64_t ready)
{
	for (; set; set &= set - 1)
		ready = apmu_uarch__later(ready, w->ready[__builtin_ctzll(set)]);
	return ready;
}

static void results_of_many(struct apmu_uarch__window *w, uint64_t set, uint64_t finish)
{
	for (; set; set &= set - 1)
		w->ready[__builtin_ctzll(set)] = finish;
}

/* The next instruction with a recorded miss or a forwarded load; the block's end if there is none. */
INLINE const struct apmu_uarch__op *next_irregular(const struct apmu_uarch__window *w,
						   const struct apmu_block *b)
{
	uint32_t late =
		w->next_late_access < w->late_accesses ? w->late_access[w->next_late_access].step : b->n;
	uint32_t forwarded = w->next_forwarded_load < w->forwarded_loads
				     ? w->forwarded_load[w->next_forwarded_load].step
				     : b->n;
	return &b->op[late < forwarded ? late : forwarded];
}

/* Stalls dispatch until the queue has room for `n` more entries. Chunks that made room for earlier entries
 * are not looked at again: dispatch has waited for them. */
INLINE void make_room(struct apmu_uarch *u, enum apmu_uarch__queues which, unsigned n,
		      enum apmu_uarch__stall_kind where)
{
	struct apmu_uarch__window *w = u->window;
	struct apmu_uarch__queue *q = &w->queue[which];
	uint64_t count = q->count += n, until;
	uint32_t first = q->first;
	if (count < q->chunk[first].due)
		return;
	do {
		until = q->chunk[first].until;
		first = (first + 1) & q->mask;
	} while (count >= q->chunk[first].due);
	q->first = first;
	if (until * w->cycle > w->now)
		wait_until(u, until, where);
}

/* Puts a chunk into the queue. A chunk that retires together with its predecessor frees no extra entries. */
INLINE void push(struct apmu_uarch__window *w, enum apmu_uarch__queues which, uint64_t until)
{
	struct apmu_uarch__queue *q = &w->queue[which];
	if (until == q->newest)
		return;
	struct apmu_uarch__leave *at = &q->chunk[q->last];
	q->newest = at->until = until;
	at->due = q->count + q->size;
	q->last = (q->last + 1) & q->mask;
	q->chunk[q->last].due = UINT64_MAX;
}

/* The cycle in which the instruction's operands are ready, `base` at the earliest. The operand that is likely
 * to be ready last is read last, which shortens the host's dependence chain. */
INLINE uint64_t operands_of(const struct apmu_uarch__window *w, const struct apmu_uarch__op *op,
			    uint64_t base)
{
	uint64_t late = op->late, more = op->factor ? w->factor : 0;
	uint64_t start = apmu_uarch__later(base + late, w->ready[op->source[2]]) - late;
	return operands_of_many(
		w, op->reads,
		apmu_uarch__later(start, apmu_uarch__later(w->ready[op->source[1]], w->ready[op->source[0]]) +
						 more));
}

INLINE uint64_t operands_of_plain(const struct apmu_uarch__window *w, const struct apmu_uarch__op *op,
				  uint64_t base)
{
	return apmu_uarch__later(
		apmu_uarch__later(apmu_uarch__later(base, w->ready[op->source[2]]), w->ready[op->source[1]]),
		w->ready[op->source[0]]);
}

/* Times an instruction with a late or forwarded access. A short path serves the block's last late access, if
 * it is a plain delay, no load is forwarded, and no stall signals are wanted. */
static inline struct apmu_uarch__times irregular_op(struct apmu_uarch *u, const struct apmu_block *b,
						    const struct apmu_uarch__op *op, uint64_t start,
						    uint64_t now)
{
	struct apmu_uarch__window *w = u->window;
	const struct apmu_uarch__late_access *n = &w->late_access[w->next_late_access];
	bool alone = w->forwarded_loads == 0 && w->next_late_access + 1 == w->late_accesses &&
		     n->kind == APMU_UARCH__LATE_CYCLES;
	if (alone & !u->stalls) {
		w->next_irregular = &b->op[b->n];
		return apmu_uarch__timed(w, op, start, n->value);
	}
	uint64_t before = w->now;
	w->now = now;
	struct apmu_uarch__times t = apmu_uarch__late_op_times(u, b, op, start);
	w->now = before;
	w->next_irregular = next_irregular(w, b);
	return t;
}

/* Records that this instruction and all before it have finished in the cycle `until`. */
static void put_retiring(struct apmu_uarch__window *w, const struct apmu_block *b,
			 const struct apmu_uarch__op *op, uint64_t until)
{
	uint32_t i = (uint32_t)(op - b->op);
	apmu_uarch__retire_run(w->retire, until * w->cycle, (uint64_t)op->slots * APMU_UARCH__TICKS,
			       apmu_uarch__address_of(b, i), w->retire->run + i + 1);
}

/* Records when a store's data can be forwarded, and when an address register that is written back is ready. A
 * store's address does not wait for its data. All before the instruction have retired by the cycle `retired`.
 */
INLINE void store_and_base(struct apmu_uarch__window *w, const struct apmu_uarch__op *op, uint64_t base,
			   uint64_t start, uint64_t retired)
{
	if (op->base == APMU_UARCH__NOT_SEEN)
		return;
	if (op->store) {
		uint64_t more = op->latency ? op->latency - 1u : 0; /* than a store of a general register */
		w->retired_by[w->stored % APMU_UARCH__DATA] = retired + w->fail;
		w->data[w->stored++ % APMU_UARCH__DATA] = start + more + w->fail;
	}
	w->ready[op->base] = (op->store ? apmu_uarch__later(base, w->ready[op->base]) : start) + 1;
}

/* Reserves every pipe that the instruction needs, of the group `unit`. Returns the cycle of the last one, in
 * which it starts. */
static inline uint64_t take_pipes(struct apmu_uarch__window *w, const struct apmu_uarch__op *op,
				  unsigned unit, uint64_t now, uint64_t far, uint64_t at)
{
	struct apmu_uarch__pipes *g = &w->pipes.group[unit];
	uint64_t start = at;
	for (unsigned k = 0; k < op->pipes; k++) {
		uint32_t owed = g->owed + op->part;
		bool more = owed >= APMU_UARCH__PARTS;
		g->owed = (uint8_t)(more ? owed - APMU_UARCH__PARTS : owed);
		unsigned hold = op->hold + more;
		uint64_t from = at;
		if (hold == 1)
			from = apmu_uarch__pipes_take_short(&w->pipes, unit, now, far, at);
		else if (hold)
			from = apmu_uarch__pipes_take(&w->pipes, unit, now, far, at, hold);
		start = apmu_uarch__later(start, from);
	}
	return start;
}

/* Reserves the vector pipes that a load or store also needs, from `at` on. Returns the last cycle. */
static uint64_t take_vector(struct apmu_uarch *u, const struct apmu_uarch__op *op, uint64_t now, uint64_t far,
			    uint64_t at)
{
	uint64_t last = at;
	for (unsigned k = 0; k < op->vector; k++)
		last = apmu_uarch__later(last, apmu_uarch__pipes_take_short(&u->window->pipes,
									    u->p.unit[APMU_CLASS_SIMD], now,
									    far, at));
	return last;
}

/* The cycle in which the registers of a load are ready, if its data pass through vector pipes. It is
 * `t.finish` if the data wait for none of these pipes. */
static uint64_t vector_loaded(struct apmu_uarch *u, const struct apmu_uarch__op *op, uint64_t now,
			      uint64_t far, struct apmu_uarch__times t)
{
	unsigned result = u->p.result[APMU_CLASS_SIMD],
		 more = (op->vector - 1u) / u->p.pipes[u->p.unit[APMU_CLASS_SIMD]];
	uint64_t last = apmu_uarch__later(t.start + result, t.finish) - result,
		 from = apmu_uarch__later(t.start + more, last) - more,
		 taken = take_vector(u, op, now, far, from);
	return taken > last ? t.finish + taken - last : t.finish;
}

/* Entries of a scheduler that are free in the cycle `at`. */
static inline uint32_t free_entries(const struct apmu_uarch__scheduler *s, uint64_t at)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < s->size; k++)
		n += s->leaves[k] <= at;
	return n;
}

/* The scheduler of the pipe group `unit` that a micro-operation waits in; of two, each in turn, from the
 * first on when both are empty in the cycle `at`, or the one with more room. A micro-operation that only one
 * of the two takes may count as that one's turn (w->bound). */
INLINE struct apmu_uarch__scheduler *scheduler_of(struct apmu_uarch__window *w, unsigned unit, uint64_t at)
{
	struct apmu_uarch__schedulers use = w->schedulers_of[unit];
	struct apmu_uarch__scheduler *s = &w->scheduler[use.in], *first = &w->scheduler[s->first],
				     *second = &w->scheduler[s->second];
	bool turn = first->turn & (apmu_uarch__later(first->latest, second->latest) > at),
	     either = use.in != use.or_in;
	if (w->by_room & either)
		return free_entries(second, at) > free_entries(first, at) ? second : first;
	first->turn = (w->bound && !either) ? s == first : turn ^ either;
	return turn && either ? second : s;
}

/* Progress of a chunk's dispatch. `first`: the cycle in which it begins; `ticks`: since that cycle began;
 * `cycle`: the current one; `far`: the first cycle whose pipes are not tracked individually. */
struct clock {
	uint64_t first, ticks, cycle, far;
};

INLINE struct clock clock_at(struct apmu_uarch__window *w, uint64_t cycle)
{
	return (struct clock){cycle, w->now - cycle * w->cycle, cycle,
			      apmu_uarch__pipes_from(&w->pipes, cycle)};
}

INLINE uint64_t clock_now(const struct apmu_uarch__window *w, struct clock t)
{
	return t.first * w->cycle + t.ticks;
}

/* Finds a free entry of the scheduler, or stalls dispatch until there is one, and makes it s->next. The entry
 * that was likely to be free is not. An instruction that has taken all entries already needs no more. */
static __attribute__((noinline)) struct clock wait_for_entry(struct apmu_uarch *u,
							     struct apmu_uarch__scheduler *s, struct clock t)
{
	struct apmu_uarch__window *w = u->window;
	for (uint32_t k = 0; k < s->size && s->leaves[s->next] > t.cycle; k++)
		s->next = s->leaves[k] < s->leaves[s->next] ? k : s->next;
	if (s->leaves[s->next] <= t.cycle || s->leaves[s->next] == APMU_UARCH__OCCUPIED)
		return t;
	w->now = clock_now(w, t);
	wait_until(u, s->leaves[s->next], APMU_UARCH__STALL_WINDOW);
	return clock_at(w, s->leaves[s->next]);
}

/* Sets the cycle in which the entry s->next becomes free. A scheduler without limit, such as that of
 * instructions that need no pipe, has no entries. */
INLINE void put_scheduled(struct apmu_uarch__scheduler *s, uint64_t leaves)
{
	if (s->size == 0)
		return;
	s->leaves[s->next] = leaves;
	s->latest = apmu_uarch__later(s->latest, leaves);
	s->next = s->next + 1 < s->size ? s->next + 1 : 0;
}

/* Takes the entries of an instruction of several micro-operations: those of its own scheduler `s`, and those
 * of what it does in vector pipes. Stalls dispatch until each is free. */
static __attribute__((noinline)) struct clock take_entries(struct apmu_uarch *u,
							   const struct apmu_uarch__op *op,
							   struct apmu_uarch__scheduler *s, struct clock t)
{
	for (unsigned k = 0; k < op->entries + op->vector; k++) {
		if (k >= op->entries)
			s = scheduler_of(u->window, u->p.unit[APMU_CLASS_SIMD], t.cycle);
		if (s->leaves[s->next] > t.cycle)
			t = wait_for_entry(u, s, t);
		put_scheduled(s, APMU_UARCH__OCCUPIED);
	}
	return t;
}

/* Sets the cycle in which `n` of the entries that take_entries() took, or all if they are fewer, become free.
 */
static void give_back(struct apmu_uarch__scheduler *s, unsigned n, uint64_t leaves)
{
	s->latest = 0;
	for (uint32_t k = 0; k < s->size; k++) {
		if (n && s->leaves[k] == APMU_UARCH__OCCUPIED) {
			s->leaves[k] = leaves;
			n--;
		}
		s->latest = apmu_uarch__later(s->latest, s->leaves[k]);
	}
}

/* Sets the cycles in which the entries that take_entries() took become free: its own when it has started,
 * those of its vector pipes when these work, which is before the result of a load. */
static __attribute__((noinline)) void give_back_entries(struct apmu_uarch *u, const struct apmu_uarch__op *op,
							struct apmu_uarch__scheduler *s,
							struct apmu_uarch__times x)
{
	struct apmu_uarch__window *w = u->window;
	struct apmu_uarch__schedulers use = w->schedulers_of[u->p.unit[APMU_CLASS_SIMD]];
	unsigned result = u->p.result[APMU_CLASS_SIMD];
	uint64_t worked = op->store ? x.start : apmu_uarch__later(x.start + result, x.finish) - result;
	give_back(s, op->entries, x.start + w->scheduler_cycles);
	give_back(&w->scheduler[use.in], op->vector, worked + w->scheduler_cycles);
	give_back(&w->scheduler[use.or_in], op->vector, worked + w->scheduler_cycles);
}

/* Times an instruction that is not plain, or whose access is late or forwarded. It is dispatched at the tick
 * `now`, in the cycle `cycle`; all before it have retired by the cycle `retired`. */
static __attribute__((noinline)) struct apmu_uarch__times
run_op(struct apmu_uarch *u, const struct apmu_block *b, const struct apmu_uarch__op *op, unsigned unit,
       uint64_t now, uint64_t cycle, uint64_t far, uint64_t retired)
{
	struct apmu_uarch__window *w = u->window;
	uint64_t start = operands_of(w, op, cycle);
	bool ordered = w->ordered && op->unit == w->ordered;
	start = take_pipes(w, op, unit, cycle, far, ordered ? apmu_uarch__later(start, w->started) : start);
	if (ordered)
		w->started = start;
	if (op->vector && op->store) /* a store's data pass through vector pipes */
		start = take_vector(u, op, cycle, far, start);
	struct apmu_uarch__times t = {start, start + op->latency};
	if (__builtin_expect(op == w->next_irregular, 0))
		t = irregular_op(u, b, op, start, now);
	if (op->vector && !op->store)
		t.finish = vector_loaded(u, op, cycle, far, t);
	w->ready[op->result[0]] = w->ready[op->result[1]] = t.finish;
	store_and_base(w, op, cycle, t.start, retired);
	results_of_many(w, op->writes, t.finish);
	if (op->delays) { /* the block uses one of the two */
		w->ready[APMU_UARCH__FLAGS] += w->mulh_flags;
		w->ready[APMU_UARCH__CARRIED] += w->mulh_flags;
	}
	if (op->low)
		w->ready[op->result[0]] =
			t.finish - (u->p.low_early < op->latency ? u->p.low_early : op->latency);
	return t;
}

/* Times a plain instruction, which begins once its operands and a pipe of `unit` are there. */
INLINE struct apmu_uarch__times plain_times(struct apmu_uarch__window *w, const struct apmu_uarch__op *op,
					    unsigned unit, struct clock t)
{
	uint64_t start = operands_of_plain(w, op, t.cycle);
	if (op->pipes && unit != op->unit)
		start = apmu_uarch__pipes_take_short(&w->pipes, unit, t.cycle, t.far, start);
	else if (op->pipes)
		start = apmu_uarch__pipes_take_one(&w->pipes, unit, t.cycle, t.far, start);
	return (struct apmu_uarch__times){start, start + op->latency};
}

/* Dispatches the instructions up to `end`. `attribute`: records when each retires. `scheduling`: some
 * scheduler has a limited size. */
INLINE void run_chunk(struct apmu_uarch *u, const struct apmu_block *b, const struct apmu_uarch__op *op,
		      const struct apmu_uarch__op *end, bool attribute, bool scheduling)
{
	struct apmu_uarch__window *w = u->window;
	struct apmu_uarch__times x;
	uint64_t retired = w->retired;
	struct clock t = clock_at(w, apmu_uarch__dispatching(w));
	do {
		struct apmu_uarch__scheduler *s = scheduling ? scheduler_of(w, op->unit, t.cycle) : NULL;
		unsigned unit = op->unit;
		bool several = scheduling && op->entries + op->vector > 1;
		if (several)
			t = take_entries(u, op, s, t);
		else if (scheduling && s->leaves[s->next] > t.cycle)
			t = wait_for_entry(u, s, t);
		if (scheduling && w->schedulers_of[unit].or_in != w->schedulers_of[unit].in)
			unit = (unsigned)(s - w->scheduler);
		if (__builtin_expect(op->plain && op != w->next_irregular, 1)) {
			x = plain_times(w, op, unit, t);
			w->ready[op->result[0]] = w->ready[op->result[1]] = x.finish;
		} else {
			x = run_op(u, b, op, unit, clock_now(w, t), t.cycle, t.far, retired);
		}
		if (several)
			give_back_entries(u, op, s, x);
		else if (scheduling)
			put_scheduled(s, x.start + w->scheduler_cycles);
		retired = apmu_uarch__later(retired, x.finish);
		if (attribute)
			put_retiring(w, b, op, retired);
		t.ticks += (uint64_t)op->slots * APMU_UARCH__TICKS;
		t.cycle = t.first + (t.ticks * w->inverse >> APMU_UARCH__INVERSE);
	} while (++op != end);
	w->now = clock_now(w, t);
	w->retired = retired;
	w->branch = x.finish;
}

/* noinline, here and below: keeps the loop free of spills. */
static __attribute__((noinline)) void run_quietly(struct apmu_uarch *u, const struct apmu_block *b,
						  const struct apmu_uarch__op *op,
						  const struct apmu_uarch__op *end)
{
	run_chunk(u, b, op, end, false, false);
}

static __attribute__((noinline)) void run_scheduling(struct apmu_uarch *u, const struct apmu_block *b,
						     const struct apmu_uarch__op *op,
						     const struct apmu_uarch__op *end)
{
	run_chunk(u, b, op, end, false, true);
}

/* Leaves dispatch slots empty: a queue has accepted as many instructions as it can per cycle. */
static inline void idle(struct apmu_uarch *u, uint32_t ticks)
{
	u->window->idle += u->stalls ? ticks : 0;
	u->window->now += ticks;
}

INLINE void dispatch(struct apmu_uarch *u, const struct apmu_block *b, const struct apmu_uarch__chunk *c,
		     const struct apmu_uarch__op *op, const struct apmu_uarch__op *end, bool attribute)
{
	struct apmu_uarch__window *w = u->window;
	make_room(u, APMU_UARCH__OPS, c->slots, APMU_UARCH__STALL_WINDOW);
	if (c->loads)
		make_room(u, APMU_UARCH__LOADS, c->loads, APMU_UARCH__STALL_LOADS);
	if (c->stores)
		make_room(u, APMU_UARCH__STORES, c->stores, APMU_UARCH__STALL_STORE);
	if (c->flags)
		make_room(u, APMU_UARCH__SETTERS, c->flags, APMU_UARCH__STALL_WINDOW);
	if (attribute)
		run_chunk(u, b, op, end, true, w->scheduling);
	else if (c->scheduled)
		run_scheduling(u, b, op, end);
	else
		run_quietly(u, b, op, end);
	if (c->pause && end - op == c->n)
		idle(u, c->pause);
	push(w, APMU_UARCH__OPS, w->retired);
	if (c->loads)
		push(w, APMU_UARCH__LOADS, w->retired);
	if (c->flags)
		push(w, APMU_UARCH__SETTERS, w->retired + w->flag_cycles);
	if (!c->stores)
		return;
	w->drained = apmu_uarch__later(w->drained, w->retired);
	push(w, APMU_UARCH__STORES, w->drained);
}

INLINE void run_ops(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n, bool attribute)
{
	struct apmu_uarch__window *w = u->window;
	const struct apmu_uarch__op *op = b->op, *end = op + n;
	ptrdiff_t chunk = (ptrdiff_t)b->chunk;
	w->next_irregular = op + b->n;
	if (w->late_accesses | w->forwarded_loads) {
		w->next_late_access = w->next_forwarded_load = 0;
		w->next_irregular = next_irregular(w, b);
	}
	for (const struct apmu_uarch__chunk *c = apmu_uarch__chunks(b); op != end; c++) {
		const struct apmu_uarch__op *next = end - op > chunk ? op + chunk : end;
		dispatch(u, b, c, op, next, attribute);
		op = next;
	}
	w->drained = apmu_uarch__later(w->drained, w->retired);
}

static __attribute__((noinline)) void run_attributed(struct apmu_uarch *u, const struct apmu_block *b,
						     uint32_t n)
{
	run_ops(u, b, n, true);
	u->window->retire->run += n;
}

INLINE void run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n)
{
	struct apmu_uarch__window *w = u->window;
	if (w->state)
		apmu_uarch__memo_unpack(w);
	if (apmu_uarch__retiring(w))
		run_attributed(u, b, n);
	else if (b->n) /* an empty block has no op[] */
		run_ops(u, b, n, false);
	w->late_accesses = 0;
	w->forwarded_loads = 0;
	w->forward_fingerprint = 0;
	u->memory.pendings = 0;
	if (b->barriers && n == b->n)
		apmu_uarch__window_wait(u, w->drained, APMU_UARCH__STALL_BARRIER);
}

void apmu_uarch__window_run(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n)
{
	run(u, b, n);
}

/* Until a mispredicted branch executes, wrong-path operations are dispatched, at most as many as the window
 * holds. */
static __attribute__((noinline)) void go_wrong(struct apmu_uarch *u, uint64_t until)
{
	struct apmu_uarch__window *w = u->window;
	uint64_t slots = (until - w->now) / APMU_UARCH__TICKS, wrong = slots < u->p.rob ? slots : u->p.rob;
	u->n[APMU_SIG_OP_SPEC] += wrong;
	w->idle += until - w->now - wrong * APMU_UARCH__TICKS;
	w->stalled[APMU_UARCH__STALL_WINDOW] += (slots - wrong) * APMU_UARCH__TICKS;
	if (slots > wrong)
		divide_wait(w, w->now + wrong * APMU_UARCH__TICKS, until, 1u << APMU_UARCH__STALL_WINDOW,
			    APMU_UARCH__STALL_KINDS);
	w->now = until;
}

/* Counts the dispatch slots that the front end left empty since the tick `from`. `stalls`: whole cycles count
 * as FETCH_STALL too. */
static void count_front(struct apmu_uarch *u, uint64_t from, bool stalls)
{
	struct apmu_uarch__window *w = u->window;
	uint64_t ticks = w->now - from, unfed = w->unfed + ticks;
	u->n[APMU_SIG_SLOT_FRONT] += unfed / APMU_UARCH__TICKS;
	w->unfed = (uint32_t)(unfed % APMU_UARCH__TICKS);
	u->n[APMU_SIG_FETCH_STALL] += stalls ? ticks / w->cycle : 0;
}

/* The tick at which the last cycle of the last instruction run begins (its start, if it takes one cycle), at
 * the earliest in the cycle of its last dispatch slot. */
static uint64_t branch_starts(const struct apmu_uarch__window *w)
{
	uint64_t last = apmu_uarch__cycle_of(w, w->now - APMU_UARCH__TICKS);
	return (apmu_uarch__later(w->branch, last + 1) - 1) * w->cycle;
}

/* Dispatch goes on after a predicted taken branch, of which there is a limited number per cycle. The branch's
 * target is dispatched no earlier than a gap after the target of the previous taken branch, which counts as
 * fetched when that branch was dispatched, however late the target itself was. The bubbles begin with that
 * gap if the predictor runs ahead, else when the branch has been dispatched. With `breaks`, the rest of the
 * branch's dispatch cycle stays empty. */
static inline void follow(struct apmu_uarch__window *w, uint64_t cost)
{
	uint32_t passed = w->breaks ? apmu_uarch__phase(w) : 0;
	w->now += passed ? w->cycle - passed : 0;
	uint64_t from = w->now, fetched = from > w->cycle ? from - w->cycle : 0;
	if (w->bubbles || !cost) {
		w->follows += cost;
		w->now = apmu_uarch__later(from, w->follows);
		w->follows = apmu_uarch__later(fetched, w->follows) + w->gap;
	} else {
		w->now = apmu_uarch__later(from, w->follows) + cost;
		w->follows = w->now + w->gap;
	}
}

/* Counts the dispatch slots since the tick `from`, and attributes them to the block's last instruction. */
static inline void count_refill(struct apmu_uarch *u, const struct apmu_block *b, uint64_t from, bool stalls)
{
	struct apmu_uarch__window *w = u->window;
	if (u->fronts)
		count_front(u, from, stalls);
	if (apmu_uarch__retiring(w) && w->now != from)
		apmu_uarch__retire_put(w->retire, w->now, b->branch, w->retire->run, false);
}

/* Adds the cost of the block's branch: from the branch's start if it was mispredicted, else from its
 * dispatch. follow() adds that of a taken branch that the predictor knew. */
static inline void go_on(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end)
{
	struct apmu_uarch__window *w = u->window;
	unsigned cycles = end & APMU_UARCH__END_CYCLES;
	uint64_t from = w->now, cost = (uint64_t)cycles * w->cycle;
	if ((end & APMU_UARCH__END_TAKEN) && !(end & APMU_UARCH__END_FLUSHED) && cycles <= u->p.taken) {
		follow(w, cost);
	} else {
		w->now = end & APMU_UARCH__END_FLUSHED ? apmu_uarch__later(from, branch_starts(w) + cost)
						       : from + cost;
		if (end & (APMU_UARCH__END_TAKEN | APMU_UARCH__END_FLUSHED))
			w->follows = w->now + w->gap;
	}
	count_refill(u, b, from, !(end & APMU_UARCH__END_FLUSHED)); /* a misprediction is no FETCH_STALL */
}

/* After an ISB: waits until everything has retired, then until the pipeline is refilled, as after a
 * misprediction. */
static __attribute__((noinline)) void synchronize(struct apmu_uarch *u, const struct apmu_block *b)
{
	struct apmu_uarch__window *w = u->window;
	apmu_uarch__window_wait(u, w->retired, APMU_UARCH__STALL_WINDOW);
	uint64_t from = w->now;
	w->now += (uint64_t)u->p.mispredict * w->cycle;
	count_refill(u, b, from, true);
}

/* Ticks that the block takes to dispatch without stalls. */
static uint64_t ticks_of(const struct apmu_block *b)
{
	uint64_t ticks = 0;
	const struct apmu_uarch__chunk *c = apmu_uarch__chunks(b);
	for (uint32_t i = 0; i < b->n; i += b->chunk, c++)
		ticks += (uint64_t)c->ticks + c->pause;
	return ticks;
}

/* Instructions of the block that missed in the MOP cache are decoded. If decode takes longer than dispatch,
 * slots stay empty. All of these slots are before the block, because later blocks wait most for its last
 * instruction, the branch. No cycle is wholly empty, so FETCH_STALL does not count. */
static __attribute__((noinline)) void decode(struct apmu_uarch *u, const struct apmu_block *b)
{
	struct apmu_uarch__window *w = u->window;
	uint64_t decoded = (uint64_t)w->decoded * w->cycle / u->p.mop.decode,
		 dispatched = ticks_of(b) * w->decoded / b->n, from;
	if (w->state)
		apmu_uarch__memo_unpack(w);
	from = w->now;
	w->now += decoded > dispatched ? decoded - dispatched : 0;
	if (u->fronts)
		count_front(u, from, false);
}

void apmu_uarch__window_step(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end)
{
	struct apmu_uarch__window *w = u->window;
	if (w->decoded)
		decode(u, b);
	run(u, b, b->n);
	if ((end & APMU_UARCH__END_FLUSHED) && branch_starts(w) > w->now)
		go_wrong(u, branch_starts(w));
	go_on(u, b, end);
	if (b->synchronizes)
		synchronize(u, b);
	if (u->memory.mshrs)
		apmu_uarch__free_mshrs(&u->memory, apmu_uarch__clock_now(u));
	if (w->now >= u->next_check)
		apmu_uarch__check_cycles(u, b);
}
