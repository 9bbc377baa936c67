/* SPDX-License-Identifier: MIT */
/*
 * An out-of-order core. In each cycle, in this order: lines arrive; finished instructions retire in program
 * order; retired stores go to the cache in program order; up to `width` instructions are dispatched into the
 * window, if it and their queues have room; instructions whose operands are ready start, the oldest first, if
 * a pipe is free.
 */
#include "clocks.h"
#include "paths.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define REGISTERS 64
#define CONDITION REGISTERS /* the condition flags, as a register that is waited for */
#define SETTERS   256       /* more than the flag registers of any row */
#define WINDOW    1024      /* largest `rob` of a row */
#define SOURCES   20
#define FOLLOWED  4 /* largest `dispatch.taken` of a row: taken branches per cycle */
#define LEAVING   8 /* largest `scheduler_cycles` of a row: from a start until the entry is free */
#define NEVER     UINT64_MAX
#define NOBODY    SIZE_MAX

/* WAITING: for operands or a pipe. REACHING: an access waits for its lines. DONE: `finished` is known. */
enum state { WAITING, REACHING, DONE };

struct source {
	size_t who; /* the instruction that writes the register, by its number in the story */
	unsigned reg;
	int early;
};

struct entry {
	const struct event *e;
	unsigned slots; /* dispatch slots that it takes */
	unsigned scheduler;
	uint8_t state;
	uint64_t started;              /* cycle in which it started */
	uint64_t reaches;              /* cycle in which an access gets to the cache */
	uint64_t data;                 /* cycle from which the latency of the result counts */
	unsigned pipe;                 /* in a group with a queue per pipe: the pipe it waits for */
	struct source source[SOURCES]; /* operands whose time is not known yet */
	unsigned sources;
	uint64_t operands; /* cycle in which the other operands are ready */
	uint64_t finished; /* state DONE: cycle from which it may retire */
	uint64_t retired;  /* cycle in which it retired */
	size_t from;       /* a load: the store whose data it takes; NOBODY: none */
	bool whole;        /* the store has all bytes of the load, at a place it can forward from */
	bool queued;       /* the store was in the store queue when the load was dispatched */
	bool half;         /* the store has a half of a vector, and the other comes from the cache */
	bool seen;         /* the prefetcher has seen the access */
};

struct machine {
	const struct apmu_uarch_params *p;
	struct story *s;
	struct paths m;
	struct entry window[WINDOW];
	size_t oldest, next;   /* instructions from oldest to next - 1 are in the window */
	unsigned held;         /* window entries in use: one per dispatch slot of these instructions */
	size_t undone[WINDOW]; /* instructions in the window whose state is not DONE, in program order */
	unsigned undones;
	size_t left;             /* stores before this instruction are in the cache */
	unsigned loads, stores;  /* occupied entries of the load and the store queue */
	unsigned setters;        /* flag registers taken */
	uint64_t freed[SETTERS]; /* cycles in which those of retired instructions are free, in order */
	unsigned first_freed, last_freed;
	size_t writer[REGISTERS];     /* the youngest instruction that writes the register */
	size_t setter;                /* the youngest that sets the condition flags */
	uint64_t pipe[APMU_UNITS][8]; /* cycle from which the pipe is free */
	uint64_t front;               /* cycle from which the front end has instructions */
	uint64_t followed[FOLLOWED];  /* cycles in which fetch went on behind the last branches */
	size_t predicted; /* the first instruction that is not predicted: the first of its piece (story.h) */
	unsigned owed;    /* parts of slots that the last instruction still takes */
	struct {
		uint64_t cycle;
		unsigned n;             /* instructions of the scheduler that started in the cycle */
	} leaving[APMU_UNITS][LEAVING]; /* by cycle % LEAVING */
	unsigned queued[3];             /* dispatched in this cycle: integer and branch, memory, vector */
	unsigned chosen[APMU_UNITS];    /* by group that several schedulers feed: the one chosen last */
};

static struct entry *entry_of(struct machine *c, size_t i)
{
	return &c->window[i % WINDOW];
}

static bool is_load(const struct event *e)
{
	return program_accesses(e->insn) && !program_stores(e->insn);
}

/* The cycle in which an ordinary reader of the register can start: 0 if the writer has retired, NEVER if not
 * known yet. */
static uint64_t ready(struct machine *c, size_t who, unsigned reg)
{
	if (who == NOBODY || who < c->oldest)
		return 0;
	const struct entry *w = entry_of(c, who);
	if (w->state == WAITING)
		return NEVER;
	if (reg != CONDITION && clock_writes_back(w->e->insn, reg))
		return w->started + 1;
	return w->state == DONE ? w->data + clock_result(c->p, w->e->insn, reg) : NEVER;
}

/* The cycle in which a store has its data, which is when it starts: 0 if it left the window long ago, NEVER
 * if not known yet. */
static uint64_t store_had_data(struct machine *c, size_t who)
{
	const struct entry *w = entry_of(c, who);
	if (c->next - who > WINDOW)
		return 0;
	return w->state == WAITING ? NEVER : w->started;
}

/* True if all operands are ready. An operand leaves the list when its time is known: that does not change. */
static bool operands_ready(struct machine *c, struct entry *w)
{
	for (; w->sources; w->sources--) {
		const struct source *from = &w->source[w->sources - 1];
		uint64_t at = ready(c, from->who, from->reg);
		if (at == NEVER)
			return false;
		if ((int64_t)at + from->early > (int64_t)w->operands)
			w->operands = (uint64_t)((int64_t)at + from->early);
	}
	return paths_since(&c->m, w->operands);
}

/* The cycle from which the instruction may retire. */
static uint64_t finished(struct machine *c, const struct entry *w)
{
	uint64_t last = w->data + 1, writes = w->e->insn->writes;
	if (program_stores(w->e->insn))
		return w->started + 1;
	while (writes) {
		uint64_t at = w->data + clock_result(c->p, w->e->insn, clock_take(&writes));
		last = at > last ? at : last;
	}
	return last;
}

static void done(struct machine *c, struct entry *w, uint64_t data)
{
	paths_moved(&c->m);
	w->data = data;
	w->state = DONE;
	w->finished = finished(c, w);
}

static bool may_retire(struct machine *c, const struct entry *w)
{
	return w->state == DONE && paths_since(&c->m, w->finished);
}

static bool sets_flags(const struct event *e)
{
	return e->insn->flags & APMU_INSN_SETS_FLAGS;
}

/* True for a multiplication that waits for the flags and takes a flag register. */
static bool passes_flags(const struct machine *c, const struct apmu_insn *x)
{
	return c->p->mulh_flags && x->cls == APMU_CLASS_MUL_HIGH;
}

static bool takes_flag_register(const struct machine *c, const struct event *e)
{
	return sets_flags(e) || passes_flags(c, e->insn);
}

/* A flag register is free some cycles after its instruction has retired. */
static void free_flags(struct machine *c)
{
	for (; c->first_freed != c->last_freed && paths_since(&c->m, c->freed[c->first_freed % SETTERS]);
	     c->first_freed++) {
		c->setters--;
		paths_moved(&c->m);
	}
}

static void retire(struct machine *c)
{
	while (c->oldest < c->next && may_retire(c, entry_of(c, c->oldest))) {
		c->loads -= is_load(entry_of(c, c->oldest)->e);
		if (takes_flag_register(c, entry_of(c, c->oldest)->e))
			c->freed[c->last_freed++ % SETTERS] = c->m.now + c->p->flag_cycles;
		c->held -= entry_of(c, c->oldest)->slots;
		entry_of(c, c->oldest)->retired = c->m.now;
		c->oldest++;
		paths_moved(&c->m);
	}
}

/* Retired stores, the oldest first, leave the store queue once their lines have arrived. */
static void stores_leave(struct machine *c)
{
	for (; c->left < c->oldest; c->left++, paths_moved(&c->m)) {
		const struct event *e = &c->s->event[c->left];
		if (!program_accesses(e->insn) || !program_stores(e->insn))
			continue;
		if (!paths_here(&c->m, e->fill[0]) || !paths_here(&c->m, e->fill[1]))
			return;
		if (e->outside && !paths_store(&c->m, e))
			return;
		c->stores--;
	}
}

/* True if a store may still set when a load has its data: it is in the store queue, or left it so lately that
 * forwarding would take longer. A load never has the data of a store sooner than by forwarding, for the way
 * through the cache, which the store writes after it has retired, is no shorter. */
static bool may_matter(struct machine *c, size_t i)
{
	unsigned forward = c->p->forward, fail = c->p->forward_fail, most = forward > fail ? forward : fail;
	if (i >= c->left)
		return true;
	most += clock_arranges(c->p, c->s->event[i].insn);
	return c->next - i < WINDOW && entry_of(c, i)->retired + most > c->m.now;
}

/* True if the bytes that the store shares with the load are the first or the second half of a load of 16
 * bytes, and the core can forward from there: the store's first byte, or its middle. */
static bool has_half(const struct event *store, const struct event *e)
{
	uint64_t end = e->address + e->bytes, store_end = store->address + store->bytes;
	uint64_t from = store->address > e->address ? store->address : e->address;
	uint64_t to = store_end < end ? store_end : end, offset = from - store->address;
	return e->bytes == 16 && to - from == 8 && (from - e->address) % 8 == 0 &&
	       (offset == 0 || offset * 2 == store->bytes);
}

/* Finds the youngest older store that writes any byte of the load, if it may matter. */
static void find_store(struct machine *c, struct entry *w, size_t load)
{
	const struct event *e = w->e;
	w->from = NOBODY;
	for (size_t i = load; i > 0 && may_matter(c, i - 1);) {
		i--;
		const struct event *s = &c->s->event[i];
		if (!program_accesses(s->insn) || !program_stores(s->insn))
			continue;
		if (s->address >= e->address + e->bytes || e->address >= s->address + s->bytes)
			continue;
		uint64_t offset = e->address - s->address;
		w->from = i;
		w->queued = i >= c->left;
		w->whole = e->address >= s->address && e->address + e->bytes <= s->address + s->bytes &&
			   (offset == 0 || offset * 2 == s->bytes);
		w->half = c->p->forward_half && !w->whole && has_half(s, e);
		return;
	}
}

/* Cycles by which the instruction needs the register earlier than others do. */
static int early(struct machine *c, const struct apmu_insn *x, unsigned r)
{
	size_t who = c->writer[r];
	bool computed = who != NOBODY && who >= c->oldest && entry_of(c, who)->e->insn->cls == APMU_CLASS_ALU;
	return clock_early(c->p, x, r) + (computed && clock_multiplies(x) ? c->p->alu_factor : 0);
}

static void look_up_sources(struct machine *c, struct entry *w)
{
	uint64_t reads = w->e->insn->reads;
	while (reads) {
		unsigned r = clock_take(&reads);
		if (w->sources == SOURCES)
			abort();
		w->source[w->sources++] = (struct source){c->writer[r], r, early(c, w->e->insn, r)};
	}
	if (passes_flags(c, w->e->insn))
		w->source[w->sources++] = (struct source){c->setter, CONDITION, 0};
}

/* True if prediction begins anew behind the instruction: a wrong branch, or one that only decode found. */
static bool prediction_ends(const struct machine *c, const struct event *e)
{
	return e->outcome == BRANCH_WRONG ||
	       (e->outcome == BRANCH_STATIC && clock_branch(c->p, e) > c->p->taken);
}

/* Requests the code lines of the next piece. False if as many are in flight as may be. */
static bool predict_piece(struct machine *c)
{
	const struct event *e = c->s->event;
	size_t i = c->predicted, piece = e[i].piece;
	for (; i < c->s->events && e[i].piece == piece; i++)
		for (unsigned k = 0; k < e[i].codes; k++) {
			if (c->s->fill[e[i].code[k]].asked)
				continue;
			if (!paths_code_room(&c->m))
				return false;
			paths_ask_code(&c->m, e[i].code[k]);
		}
	c->predicted = i;
	paths_moved(&c->m);
	return true;
}

/* Branch prediction runs ahead of fetch, within the queue. It does not fall behind dispatch: a piece from
 * which something has been dispatched counts as predicted. A place in the queue is free in the cycle after
 * the one in which the last of its piece was dispatched. */
static void predict(struct machine *c)
{
	const struct event *e = c->s->event;
	if (!story_runs_ahead(c->p))
		return;
	if (c->predicted < c->next)
		c->predicted = c->next;
	while (c->predicted && c->predicted < c->s->events &&
	       e[c->predicted].piece == e[c->predicted - 1].piece)
		c->predicted++;
	for (unsigned n = 0; n < c->p->run_ahead.rate && c->predicted < c->s->events; n++) {
		if (e[c->predicted].piece - e[c->next].piece >= c->p->run_ahead.queue)
			return;
		if (c->predicted && prediction_ends(c, &e[c->predicted - 1]) &&
		    (c->next < c->predicted || !paths_since(&c->m, c->front)))
			return;
		if (!predict_piece(c))
			return;
	}
}

/* True if the front end has the instruction. The lines of a block are requested one at a time. */
static bool fetched(struct machine *c, const struct event *e)
{
	if (!paths_since(&c->m, c->front))
		return false;
	for (unsigned k = 0; k < e->codes; k++) {
		paths_fetch(&c->m, e->code[k]);
		if (!paths_code_here(&c->m, e->code[k]))
			return false;
	}
	return true;
}

/* Cycles that the instruction holds its pipe. */
static unsigned pipe_cycles(const struct machine *c, const struct apmu_insn *x)
{
	const struct apmu_uarch_params *p = c->p;
	if (x->flags & APMU_INSN_MULTIPLE)
		return p->multiple_issue +
		       (p->multiple_blocks ? (x->regs + p->multiple_per_cycle - 1u) / p->multiple_per_cycle
					   : 0u);
	return clock_divide(p, x, p->issue[x->cls]);
}

/* True if the access also writes a new base address; any result of a store but the status of an exclusive is
 * one. */
static bool computes_base(const struct apmu_insn *x)
{
	if (!program_accesses(x) || x->flags & APMU_INSN_EXCLUSIVE)
		return false;
	for (uint64_t set = x->writes; set;)
		if (clock_writes_back(x, clock_take(&set)))
			return true;
	return x->cls == APMU_CLASS_STORE && x->writes;
}

/* True for a conditional branch that the core dispatches as one with the compare before it. */
static bool is_fused(const struct machine *c, const struct event *e)
{
	const struct apmu_insn *x = e->insn;
	return c->p->fused_compares && e > c->s->event && x->branch != APMU_BRANCH_NONE &&
	       (x->flags & APMU_INSN_READS_FLAGS) && e[-1].insn->group == APMU_GROUP_COMPARE &&
	       e[-1].insn->addr + e[-1].insn->size == x->addr;
}

/* The group of pipes that executes the instruction, 0: none. One of the branch's executes a compare and the
 * branch fused with it. */
static unsigned unit_of(const struct machine *c, const struct event *e)
{
	bool last = e + 1 == c->s->event + c->s->events;
	if (is_fused(c, e))
		return 0;
	return c->p->unit[!last && is_fused(c, e + 1) ? APMU_CLASS_BRANCH : e->insn->cls];
}

/* Dispatch slots: a load or store multiple takes one per cycle that it holds its pipe, a branch that is fused
 * with a compare none. */
static unsigned slots_of(const struct machine *c, const struct event *e)
{
	const struct apmu_insn *x = e->insn;
	if (is_fused(c, e))
		return 0;
	unsigned cycles = x->flags & APMU_INSN_MULTIPLE ? pipe_cycles(c, x) : 1;
	return (cycles ? cycles : 1) + (computes_base(x) ? c->p->base_slots : 0u);
}

/* True if each pipe of the group has a queue. */
static bool queue_per_pipe(const struct machine *c, unsigned unit)
{
	for (; unit; unit = c->p->within[unit])
		if (unit == c->p->queue_per_pipe)
			return true;
	return false;
}

/* The pipe, of those of a group with queues, that the instruction is queued for: that with the least work, in
 * cycles, of what waits for it and what it does. A smaller group has the first or the last pipes. */
static unsigned queue_for(const struct machine *c, const struct event *e)
{
	unsigned unit = unit_of(c, e), n = c->p->pipes[unit], best = 0;
	unsigned first = unit == c->p->queue_first ? 0 : c->p->pipes[c->p->queue_per_pipe] - n;
	uint64_t least = NEVER;
	for (unsigned k = first; queue_per_pipe(c, unit) && k < first + n; k++) {
		uint64_t until = c->pipe[c->p->queue_per_pipe][k],
			 work = until > c->m.now ? until - c->m.now : 0;
		for (unsigned i = 0; i < c->undones; i++) {
			const struct entry *w = &c->window[c->undone[i] % WINDOW];
			if (w->state == WAITING && queue_per_pipe(c, unit_of(c, w->e)) && w->pipe == k)
				work += pipe_cycles(c, w->e->insn);
		}
		if (work < least)
			best = k, least = work;
	}
	return best;
}

/* Occupied entries of scheduler `q`: instructions that have not started, and those that started less than
 * `scheduler_cycles` ago. */
static unsigned waiting(struct machine *c, unsigned q)
{
	unsigned n = 0;
	for (unsigned k = 0; k < LEAVING; k++)
		if (c->leaving[q][k].n &&
		    !paths_since(&c->m, c->leaving[q][k].cycle + c->p->scheduler_cycles))
			n += c->leaving[q][k].n;
	for (unsigned k = 0; k < c->undones; k++) {
		const struct entry *w = &c->window[c->undone[k] % WINDOW];
		n += w->state == WAITING && w->scheduler == q;
	}
	return n;
}

/* The group within `unit` with a scheduler that comes after group `after`, round and round; 0: none. */
static unsigned next_scheduler(const struct machine *c, unsigned unit, unsigned after)
{
	for (unsigned k = 1; k <= APMU_UNITS; k++) {
		unsigned group = (after + k) % APMU_UNITS;
		if (group && c->p->within[group] == unit && c->p->schedulers[group])
			return group;
	}
	return 0;
}

/* The group within `unit` whose scheduler has most free entries, the first of several; 0: none. */
static unsigned roomiest_scheduler(struct machine *c, unsigned unit)
{
	unsigned best = 0, room = 0;
	for (unsigned k = 1; unit && k < APMU_UNITS; k++) {
		if (c->p->within[k] != unit || !c->p->schedulers[k])
			continue;
		unsigned left = c->p->schedulers[k] - waiting(c, k);
		if (!best || left > room)
			best = k, room = left;
	}
	return best;
}

/* The scheduler that the instruction waits in: that of its pipe group, else of a larger group that contains
 * it, else one of those of the groups within it, by room or in turn; 0: none. A row with a single scheduler
 * for all groups (`scheduler`) uses number 1. */
static unsigned scheduler_of(struct machine *c, const struct event *e)
{
	unsigned unit = unit_of(c, e);
	if (c->p->scheduler)
		return unit != 0;
	for (unsigned k = unit; k; k = c->p->within[k])
		if (c->p->schedulers[k])
			return k;
	if (c->p->scheduler_room)
		return roomiest_scheduler(c, unit);
	return unit ? next_scheduler(c, unit, c->chosen[unit]) : 0;
}

/* When the schedulers within a group are all empty, their turns begin anew. */
static void begin_turns(struct machine *c)
{
	for (unsigned unit = 1; unit < APMU_UNITS; unit++) {
		bool empty = c->chosen[unit] != 0;
		for (unsigned k = 1; empty && k < APMU_UNITS; k++)
			empty = c->p->within[k] != unit || !c->p->schedulers[k] || !waiting(c, k);
		if (empty)
			c->chosen[unit] = 0;
	}
}

static bool scheduler_has_room(struct machine *c, const struct event *e)
{
	unsigned q = scheduler_of(c, e);
	return !q || waiting(c, q) < (c->p->scheduler ? c->p->scheduler : c->p->schedulers[q]);
}

static bool queues_have_room(struct machine *c, const struct event *e)
{
	if (!scheduler_has_room(c, e))
		return false;
	if (c->held > 0 && c->held + slots_of(c, e) > c->p->rob)
		return false;
	if (takes_flag_register(c, e) && c->p->flag_registers && c->setters >= c->p->flag_registers)
		return false;
	if (is_load(e))
		return !c->p->load_queue || c->loads < c->p->load_queue;
	if (program_accesses(e->insn))
		return !c->p->store_queue || c->stores < c->p->store_queue;
	return true;
}

static void note_followed(struct machine *c, uint64_t when)
{
	memmove(c->followed, c->followed + 1, sizeof(c->followed) - sizeof(c->followed[0]));
	c->followed[FOLLOWED - 1] = when;
}

/* The cycle from which the front end has what follows a correctly predicted branch. With a limit on taken
 * branches per cycle (`dispatch.taken`), that is at least one cycle after the branch `dispatch.taken` before.
 * A predictor that runs ahead (`taken_ahead`) counts the cost of a taken branch from there; any other counts
 * it from this branch on. */
static uint64_t goes_on(struct machine *c, const struct event *e)
{
	const struct apmu_uarch_params *p = c->p;
	unsigned cost = clock_branch(p, e), most = p->dispatch.taken;
	uint64_t first = most ? c->followed[FOLLOWED - most] + 1 : 0, at = c->m.now;
	bool known = e->outcome != BRANCH_STATIC;
	if (e->outcome == BRANCH_NONE || e->outcome == BRANCH_FOLDED || e->outcome == BRANCH_JOINED)
		return at;
	if (most && p->taken_ahead && known && cost <= p->taken)
		first += cost;
	else if (cost)
		at += 1 + cost;
	at = first > at ? first : at;
	if (p->dispatch.breaks && at == c->m.now)
		at++;
	note_followed(c, at);
	return at;
}

/* Dispatches the next instruction if it can. False if nothing more can be dispatched in this cycle. */
static bool dispatch_one(struct machine *c)
{
	const struct event *e = &c->s->event[c->next];
	begin_turns(c);
	if (!fetched(c, e) || !queues_have_room(c, e))
		return false;
	struct entry *w = entry_of(c, c->next);
	paths_moved(&c->m);
	*w = (struct entry){.e = e,
			    .slots = slots_of(c, e),
			    .scheduler = scheduler_of(c, e),
			    .pipe = queue_for(c, e),
			    .from = NOBODY};
	if (c->p->within[w->scheduler] == unit_of(c, e) || c->p->scheduler_bound)
		c->chosen[c->p->within[w->scheduler]] = w->scheduler;
	c->held += w->slots;
	look_up_sources(c, w);
	if (is_load(e) && c->p->forward)
		find_store(c, w, c->next);
	c->loads += is_load(e);
	c->setters += takes_flag_register(c, e);
	if (sets_flags(e))
		c->setter = c->next;
	c->stores += program_accesses(e->insn) && program_stores(e->insn);
	for (uint64_t writes = e->insn->writes; writes;)
		c->writer[clock_take(&writes)] = c->next;
	c->undone[c->undones++] = c->next++;
	if (e->outcome == BRANCH_WRONG)
		c->front = NEVER; /* until the branch has executed */
	else
		c->front = goes_on(c, e);
	return c->front <= c->m.now;
}

/* Index into `queued`: 0 for the integer and branch pipes, 1 for the memory pipes, 2 for the vector pipes. */
static unsigned queue_of(const struct apmu_insn *x)
{
	if (program_accesses(x) || x->cls == APMU_CLASS_PRELOAD)
		return 1;
	bool vector =
		x->cls == APMU_CLASS_SIMD || (x->cls >= APMU_CLASS_VFP && x->cls <= APMU_CLASS_VFP_DIV_64);
	return vector ? 2 : 0;
}

/* True if the queues of the instruction's pipes take one more in this cycle. */
static bool queue_takes(const struct machine *c, const struct apmu_insn *x)
{
	const struct apmu_dispatch_params *p = &c->p->dispatch;
	const unsigned most[] = {p->integer, p->memory, p->vector};
	unsigned q = queue_of(x);
	return x->cls == APMU_CLASS_NOP || !most[q] || c->queued[q] < most[q];
}

/* Places of its queue that the instruction takes: its micro-operations, but one for a vector. */
static unsigned places_of(const struct machine *c, const struct event *e)
{
	if (e->insn->cls == APMU_CLASS_NOP)
		return 0;
	return queue_of(e->insn) == 2 ? 1 : slots_of(c, e);
}

/* Parts of a cycle that the instruction takes. A cycle has `width` slots of `mop.decode` parts each. An
 * instruction that is decoded anew takes at least `width` parts, so that `mop.decode` of them fit. */
static unsigned parts_of(const struct machine *c, const struct event *e)
{
	unsigned decode = c->p->mop.decode, parts = slots_of(c, e) * decode;
	return e->decoded && parts < c->p->width ? c->p->width : parts;
}

static void dispatch(struct machine *c)
{
	unsigned slots = c->p->width * c->p->mop.decode;
	memset(c->queued, 0, sizeof c->queued);
	while (slots > 0 && c->owed > 0) {
		paths_moved(&c->m);
		c->owed--;
		slots--;
	}
	while (slots > 0 && c->next < c->s->events) {
		const struct event *e = &c->s->event[c->next];
		const struct apmu_insn *x = e->insn;
		unsigned takes = parts_of(c, e);
		size_t before = c->next;
		if (!queue_takes(c, x))
			return;
		bool more = dispatch_one(c);
		if (c->next == before)
			return;
		c->queued[queue_of(x)] += places_of(c, e);
		c->owed = takes > slots ? takes - slots : 0;
		slots -= takes > slots ? slots : takes;
		if (!more)
			return;
	}
}

/* A pipe of the group that is free now; NULL: none. */
static uint64_t *free_pipe(struct machine *c, unsigned unit)
{
	for (unsigned k = 0; k < c->p->pipes[unit]; k++)
		if (paths_since(&c->m, c->pipe[unit][k]))
			return &c->pipe[unit][k];
	return NULL;
}

/* The group whose pipes the instruction may take: its own, or the one within it whose scheduler it waits in.
 */
static unsigned pipes_of(const struct machine *c, const struct entry *w)
{
	unsigned unit = unit_of(c, w->e);
	return !c->p->scheduler && w->scheduler && c->p->within[w->scheduler] == unit ? w->scheduler : unit;
}

/* Reserves a pipe of the instruction's group, and one of each larger group that contains it. False if one is
 * not free. */
static bool take_pipe(struct machine *c, const struct entry *w)
{
	if (queue_per_pipe(c, unit_of(c, w->e))) {
		uint64_t *until = &c->pipe[c->p->queue_per_pipe][w->pipe];
		if (!paths_since(&c->m, *until))
			return false;
		*until = c->m.now + pipe_cycles(c, w->e->insn);
		return true;
	}
	for (unsigned unit = pipes_of(c, w); unit; unit = c->p->within[unit])
		if (!free_pipe(c, unit))
			return false;
	for (unsigned unit = pipes_of(c, w); unit; unit = c->p->within[unit])
		*free_pipe(c, unit) = c->m.now + pipe_cycles(c, w->e->insn);
	return true;
}

/* The cycle in which the lines that an access touches have arrived; NEVER: not known yet. A line that nobody
 * has requested needs a free MSHR. */
static uint64_t lines_come(struct machine *c, const struct entry *w)
{
	uint64_t come = w->reaches;
	for (unsigned k = 0; k < 2; k++) {
		size_t fill = w->e->fill[k];
		if (!paths_asked(&c->m, fill)) {
			if (!paths_room(&c->m) || !paths_turn(&c->m, fill))
				return NEVER;
			paths_ask(&c->m, fill);
		}
		paths_want(&c->m, fill);
		if (fill == NO_FILL || program_stores(w->e->insn) || come == NEVER)
			continue;
		if (!c->s->fill[fill].begun)
			come = NEVER;
		else if (c->s->fill[fill].comes > come)
			come = c->s->fill[fill].comes;
	}
	return come;
}

/* The cycle in which all before the instruction have retired: 0 if that was long ago, NEVER if not known yet.
 */
static uint64_t retired_before(struct machine *c, size_t who)
{
	if (who == 0 || c->next - who >= WINDOW)
		return 0;
	return c->oldest < who ? NEVER : entry_of(c, who - 1)->retired;
}

/* The cycle in which a hit would have to start to have its data when the store forwards them; NEVER: not
 * known yet. */
static uint64_t store_gives(struct machine *c, const struct entry *w)
{
	unsigned hit = clock_result(c->p, w->e->insn, 0);
	bool forwards = w->whole || w->half;
	unsigned takes = forwards || !c->p->forward_fail ? c->p->forward : c->p->forward_fail;
	uint64_t had = store_had_data(c, w->from);
	uint64_t alone = !forwards && c->p->forward_retired ? retired_before(c, w->from) : 0;
	if (had == NEVER || alone == NEVER)
		return NEVER;
	had = (alone > had ? alone : had) + clock_arranges(c->p, c->s->event[w->from].insn);
	return had + takes > w->reaches + hit ? had + takes - hit : w->reaches;
}

/* Shows the access to the prefetcher, once: a miss when its lines have been requested. */
static void show(struct machine *c, struct entry *w, bool taken)
{
	bool made = taken || (paths_asked(&c->m, w->e->fill[0]) && paths_asked(&c->m, w->e->fill[1]));
	if (w->seen || !made)
		return;
	w->seen = true;
	paths_ask_prefetches(&c->m, w->e);
}

/* The access gets to the cache: it is done if the arrival of its data is known. */
static void reach(struct machine *c, struct entry *w)
{
	if (!paths_since(&c->m, w->reaches))
		return;
	bool taken = w->from != NOBODY && w->whole && w->queued; /* all from the queue: waits for no line */
	uint64_t data = taken ? w->reaches : lines_come(c, w);
	show(c, w, taken);
	if (w->from != NOBODY && data != NEVER) {
		uint64_t given = store_gives(c, w);
		if (given > data)
			data = given;
	}
	if (data == NEVER)
		return;
	done(c, w, data);
}

/* True if the instruction's group starts in program order (`ordered`) and an older one has not started. */
static bool waits_its_turn(const struct machine *c, const struct entry *w)
{
	if (!c->p->ordered || unit_of(c, w->e) != c->p->ordered)
		return false;
	for (unsigned k = 0; k < c->undones; k++) {
		const struct entry *before = &c->window[c->undone[k] % WINDOW];
		if (before == w)
			return false;
		if (before->state == WAITING && unit_of(c, before->e) == c->p->ordered)
			return true;
	}
	return false;
}

static void leave_scheduler(struct machine *c, const struct entry *w)
{
	unsigned k = c->m.now % LEAVING;
	if (c->leaving[w->scheduler][k].cycle != c->m.now)
		c->leaving[w->scheduler][k].n = 0;
	c->leaving[w->scheduler][k].cycle = c->m.now;
	c->leaving[w->scheduler][k].n++;
}

static void start(struct machine *c, struct entry *w)
{
	if (!operands_ready(c, w) || waits_its_turn(c, w) || !take_pipe(c, w))
		return;
	paths_moved(&c->m);
	w->started = c->m.now;
	leave_scheduler(c, w);
	if (program_accesses(w->e->insn)) {
		w->state = REACHING;
		w->reaches = c->m.now + w->e->translation;
		return;
	}
	done(c, w, c->m.now);
	if (w->e->outcome == BRANCH_WRONG) {
		c->front = c->m.now + clock_branch(c->p, w->e);
		note_followed(c, c->front);
	}
}

static void execute(struct machine *c)
{
	unsigned stay = 0;
	for (unsigned k = 0; k < c->undones; k++)
		if (entry_of(c, c->undone[k])->state == WAITING)
			start(c, entry_of(c, c->undone[k]));
	for (unsigned k = 0; k < c->undones; k++) {
		struct entry *w = entry_of(c, c->undone[k]);
		if (w->state == REACHING)
			reach(c, w);
		if (w->state != DONE)
			c->undone[stay++] = c->undone[k];
	}
	c->undones = stay;
}

uint64_t clock_out_of_order(const struct apmu_uarch_params *p, struct story *s)
{
	struct machine *c = calloc(1, sizeof(*c));
	if (!c)
		abort();
	c->p = p;
	c->s = s;
	for (unsigned r = 0; r < REGISTERS; r++)
		c->writer[r] = NOBODY;
	c->setter = NOBODY;
	paths_open(&c->m, p, s);
	while (c->next < s->events) {
		paths_begin(&c->m);
		retire(c);
		free_flags(c);
		stores_leave(c);
		predict(c);
		dispatch(c);
		execute(c);
		paths_end(&c->m);
	}
	uint64_t cycles = c->m.now;
	paths_close(&c->m);
	free(c);
	return cycles;
}
