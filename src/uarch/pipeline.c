/* SPDX-License-Identifier: MIT */
/*
 * The in-order issue model: one instruction at a time, each when its operands have arrived, on a core that is
 * otherwise idle. Conditions are assumed to pass. What is in flight at the block's end is handed to the next
 * block.
 */
#include "uarch/block.h"
#include "uarch/timing.h"

#define REGISTERS 64
#define FLAGS     REGISTERS /* the condition flags, within a block */

struct issue {
	const struct apmu_uarch_params *p;
	uint32_t now;    /* next issue slot */
	uint32_t memory; /* cycle from which the load/store unit accepts another request */
	uint32_t pipe[APMU_UNITS][APMU_MOST_PIPES]; /* cycle from which each is free */
	uint32_t stalls, agu, simd;
	uint16_t number;                 /* of the instruction that is issuing */
	uint16_t writer[REGISTERS + 1];  /* the instruction that last wrote each register or FLAGS */
	uint32_t ready[REGISTERS + 1];   /* cycle of availability at the usual stage */
	uint8_t forwards[REGISTERS + 1]; /* cycles of address_extra that an address does not wait for it */
	const struct apmu_insn *elder;   /* issued last, if others may issue with it; else NULL */
	uint32_t elder_at;
	unsigned together; /* instructions issued in that cycle */
	uint64_t wrote;    /* registers that those instructions write */
	uint64_t early;    /* of `wrote`, those available to a younger instruction in the same cycle */
	uint64_t moved;    /* general registers that the vector unit wrote last */
	uint32_t vector;   /* cycle from which the vector unit has no result in flight */
	uint32_t both; /* 1 + the last cycle in which an integer instruction issued while one was in flight */
};

static unsigned lowest(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}

static unsigned members(uint64_t set)
{
	unsigned n = 0;
	for (; set; set &= set - 1)
		n++;
	return n;
}

/* Operands that an ALU instruction needs at the usual stage; those of its shifter are needed earlier. */
static uint64_t usual_operands(const struct apmu_insn *x)
{
	return x->cls == APMU_CLASS_ALU ? x->reads & ~x->shift_reads : 0;
}

/* True if register r is part of the address of a memory access or a preload. */
static bool addresses(const struct apmu_insn *x, unsigned r)
{
	return apmu_uarch__address_regs(x->cls, x->shift_reads) >> r & 1;
}

/* Cycles before (positive) or after (negative) the usual stage at which the instruction wants register r. */
static int wanted_early(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned r)
{
	struct apmu_uarch__timing t = apmu_uarch__timing_of(p, x);
	bool is_late = t.late && x->late_reads >> r & 1, shifts = x->shift_reads >> r & 1;
	int early = (int)t.early + (apmu_uarch__multiplies(x->cls) ? p->factor_extra : 0);
	if (is_late)
		return early - (int)t.late;
	if (x->cls == APMU_CLASS_VFP_MAC)
		return early - (shifts ? 0 : p->addend_late);
	if (addresses(x, r))
		return p->address_extra;
	if (shifts)
		return early + p->shift_extra;
	if (x->branch == APMU_BRANCH_IMMED)
		return early - p->branch_late;
	return early - (x->cls == APMU_CLASS_STORE ? p->store_late : 0);
}

/* The cycle in which the operands have arrived; *last is the register that arrived last, or FLAGS. Registers
 * in `here` are not waited for. */
static uint32_t operands(const struct issue *q, const struct apmu_insn *x, uint64_t here, unsigned *last)
{
	int64_t latest = 0;
	for (uint64_t set = x->reads & ~here; set; set &= set - 1) {
		unsigned r = lowest(set);
		if (q->ready[r] == 0)
			continue;
		int64_t at = (int64_t)q->ready[r] + wanted_early(q->p, x, r);
		at -= addresses(x, r) ? q->forwards[r] : 0;
		*last = at > latest ? r : *last;
		latest = at > latest ? at : latest;
	}
	/* a branch is predicted and does not wait for the flags */
	bool flags = (x->flags & APMU_INSN_READS_FLAGS) && x->branch == APMU_BRANCH_NONE;
	if (flags && q->ready[FLAGS] > latest) {
		*last = FLAGS;
		latest = q->ready[FLAGS];
	}
	return (uint32_t)latest;
}

uint32_t apmu_uarch__transfer_cycles(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	if (!(x->flags & APMU_INSN_MULTIPLE))
		return 1;
	uint32_t cycles = ((uint32_t)x->regs + p->multiple_per_cycle - 1) / p->multiple_per_cycle;
	return cycles ? cycles : 1;
}

/* Cycles for which the load/store unit accepts no other request: for the transfers, or for the bytes that the
 * cache delivers. */
static uint32_t occupied(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	struct apmu_uarch__timing t = apmu_uarch__timing_of(p, x);
	if (t.beside)
		return (uint32_t)apmu_uarch__busy_cycles(t.busy);
	uint32_t moved = apmu_uarch__transfer_cycles(p, x),
		 bytes = x->flags & APMU_INSN_DOUBLE ? 2u * x->width : x->width;
	if (x->cls != APMU_CLASS_LOAD || !p->load_bytes || bytes <= p->load_bytes * moved)
		return moved;
	return (bytes + p->load_bytes - 1) / p->load_bytes;
}

static uint32_t issue_cycles(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	bool waits = p->access_blocks && apmu_uarch__uses_memory(x->cls);
	struct apmu_uarch__timing t = apmu_uarch__timing_of(p, x);
	if (t.issue || t.beside) {
		uint32_t cycles = t.issue ? t.issue : 1;
		return waits && occupied(p, x) > cycles ? occupied(p, x) : cycles;
	}
	if (x->flags & APMU_INSN_MULTIPLE)
		return p->multiple_issue + (p->multiple_blocks ? apmu_uarch__transfer_cycles(p, x) : 0);
	bool by_register = x->cls == APMU_CLASS_ALU && (x->flags & APMU_INSN_SHIFT_REG);
	uint32_t cycles = (uint32_t)p->issue[apmu_uarch__class_of(x)] + (by_register ? p->shift_reg : 0);
	return waits && occupied(p, x) > cycles ? occupied(p, x) : cycles;
}

/* True if another instruction can issue in the last of this instruction's several cycles. */
static bool leaves_slot(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	if (apmu_uarch__uses_memory(x->cls))
		return x->flags & APMU_INSN_MULTIPLE ? p->multiple_slot : p->access_slot;
	return p->multiply_slot && apmu_uarch__multiplies(x->cls);
}

/* Registers loaded from memory: what is written, without a base that is written back. */
uint64_t apmu_uarch__loaded(const struct apmu_insn *x)
{
	if (x->cls != APMU_CLASS_LOAD && x->cls != APMU_CLASS_SWAP)
		return 0;
	if (x->writes >> 32 || x->flags & APMU_INSN_VECTOR) /* the base is a general register, and read */
		return x->writes & ~(x->reads & UINT32_MAX);
	unsigned expected = x->flags & APMU_INSN_MULTIPLE ? x->regs : x->flags & APMU_INSN_DOUBLE ? 2 : 1;
	if (expected && x->branch != APMU_BRANCH_NONE)
		expected--;
	return members(x->writes) > expected ? x->writes & ~x->reads : x->writes;
}

static uint32_t latency(const struct apmu_uarch_params *p, const struct apmu_insn *x, bool from_memory,
			unsigned nth)
{
	if (apmu_uarch__uses_memory(x->cls) && !from_memory)
		return p->result[APMU_CLASS_ALU];
	if (x->flags & APMU_INSN_MULTIPLE)
		return p->multiple_first + nth / p->multiple_per_cycle;
	uint32_t cycles = from_memory && p->vectors_apart ? apmu_uarch__timing_until(p, x, nth)
							  : apmu_uarch__timing_of(p, x).result;
	if (from_memory && (x->flags & APMU_INSN_SUBWORD))
		cycles += p->subword_extra;
	if (from_memory && (x->flags & APMU_INSN_DOUBLE) && p->load_bytes)
		cycles += nth * x->width / p->load_bytes;
	if (x->cls == APMU_CLASS_ALU && (x->flags & APMU_INSN_SHIFT_REG))
		cycles += p->shift_reg;
	return cycles;
}

/* Cycles of address_extra that an address does not wait for a register that x writes. */
static uint8_t forwarded(const struct apmu_uarch_params *p, const struct apmu_insn *x, bool from_memory)
{
	uint8_t cycles = p->address_base;
	if (!apmu_uarch__uses_memory(x->cls))
		return 0;
	if (from_memory)
		cycles = x->flags & APMU_INSN_SUBWORD ? 0 : p->address_load;
	return cycles < p->address_extra ? cycles : p->address_extra;
}

static void write_results(struct issue *q, const struct apmu_insn *x, uint32_t at, uint64_t loads)
{
	unsigned nth = 0;
	for (uint64_t set = x->writes; set; set &= set - 1) {
		unsigned r = lowest(set);
		bool from_memory = loads >> r & 1;
		uint32_t cycles = latency(q->p, x, from_memory, nth);
		uint32_t sooner = x->low == r + 1 ? q->p->low_early : 0;
		q->ready[r] = at + (cycles > sooner ? cycles - sooner : 0);
		q->forwards[r] = forwarded(q->p, x, from_memory);
		q->writer[r] = q->number;
		nth += from_memory;
	}
	if (x->flags & APMU_INSN_SETS_FLAGS) {
		q->ready[FLAGS] = at + latency(q->p, x, false, 0);
		q->writer[FLAGS] = q->number;
	}
}

static void count_stall(struct issue *q, const struct apmu_insn *x, uint32_t cycles, unsigned last)
{
	q->stalls += cycles;
	if (last == FLAGS)
		return;
	if (addresses(x, last))
		q->agu += cycles;
	else if (apmu_uarch__is_vector(last, x->halves))
		q->simd += cycles;
}

static bool in_vector_unit(const struct apmu_insn *x)
{
	return x->traits & ((uint64_t)1 << APMU_TRAIT_VFP | (uint64_t)1 << APMU_TRAIT_ASE);
}

/* Records how step s, which issued `stalled` cycles late for register `last`, meets the vector unit: if it
 * waited for a result from there, and if it began a cycle of integers beside it. */
static void note_vector(struct issue *q, const struct apmu_insn *x, struct apmu_uarch__schedule *s,
			uint32_t stalled, unsigned last)
{
	uint64_t general = x->writes & (x->halves ? UINT16_MAX : UINT32_MAX);
	if (!apmu_uarch__is_vector(last, x->halves) && (q->moved >> last & 1))
		s->moved = (uint8_t)(stalled < UINT8_MAX ? stalled : UINT8_MAX);
	if (in_vector_unit(x)) {
		uint32_t until = s->issue + latency(q->p, x, false, 0);
		q->vector = until > q->vector ? until : q->vector;
		q->moved |= general;
		return;
	}
	q->moved &= ~general;
	s->both = s->issue < q->vector && q->both != s->issue + 1;
	if (s->both)
		q->both = s->issue + 1;
}

static unsigned registers_read(const struct apmu_insn *x)
{
	return members(x->reads);
}

/* True if an ALU instruction has an immediate, or moves or extends a register. */
static bool has_immediate(const struct apmu_insn *x)
{
	bool of_bits = x->group == APMU_GROUP_BFI || x->group == APMU_GROUP_BIT_REVERSE;
	return registers_read(x) <= 1 && !of_bits && (!x->shift_reads || x->group == APMU_GROUP_EXTEND);
}

/* The pipe of the unit that is free first. */
static uint32_t *free_pipe(struct issue *q, unsigned unit)
{
	uint32_t *best = &q->pipe[unit][0];
	for (unsigned k = 1; k < q->p->pipes[unit] && k < APMU_MOST_PIPES; k++)
		if (q->pipe[unit][k] < *best)
			best = &q->pipe[unit][k];
	return best;
}

/* The cycle from which a pipe is free, or for a vector of two pipes both. */
static uint32_t pipes_free(struct issue *q, const struct apmu_uarch__timing *t)
{
	uint32_t *first = free_pipe(q, t->unit), was = *first, second;
	if (t->pipes == 1 || q->p->pipes[t->unit] == 1)
		return was;
	*first = UINT32_MAX;
	second = *free_pipe(q, t->unit);
	*first = was;
	return second;
}

/* The pipes that a load or store of vector registers takes besides those of its own unit. */
static struct apmu_uarch__timing beside(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	struct apmu_uarch__timing t = apmu_uarch__timing_of(p, x);
	bool vectors = apmu_uarch__uses_memory(x->cls) && x->flags & APMU_INSN_VECTOR;
	t.unit = vectors && p->vector_bytes == 8 ? p->vector_access : 0;
	return t;
}

/* The cycle from which all pipes that the instruction needs are free. */
static uint32_t pipes_from(struct issue *q, const struct apmu_insn *x)
{
	struct apmu_uarch__timing t = apmu_uarch__timing_of(q->p, x), also = beside(q->p, x);
	uint32_t from = t.unit ? pipes_free(q, &t) : 0, other = also.unit ? pipes_free(q, &also) : 0;
	return from > other ? from : other;
}

/* True if x can issue in the same cycle as the instructions before it. Their results are not available then,
 * except to store data, and except those that are early. */
static bool pairs(struct issue *q, const struct apmu_insn *x)
{
	const struct apmu_uarch_params *p = q->p;
	struct apmu_uarch__timing t = apmu_uarch__timing_of(p, x);
	uint64_t here = q->early & usual_operands(x);
	unsigned last = 0;
	if (!q->elder || q->together >= p->width || !(p->pair[apmu_uarch__class_of(x)] & APMU_PAIR_YOUNGER) ||
	    operands(q, x, here, &last) > q->elder_at)
		return false;
	here |= t.late ? x->late_reads : 0; /* an AESMC writes what the AESE before it wrote */
	if (x->writes & q->wrote & ~here || issue_cycles(p, x) > 1)
		return false;
	if (p->pair_immediate && x->cls == APMU_CLASS_ALU && !has_immediate(x))
		return false;
	if (apmu_uarch__uses_memory(x->cls) && q->memory > q->elder_at)
		return false;
	if (p->vector_elder && t.pipes > 1 && t.unit && !apmu_uarch__uses_memory(x->cls))
		return false;
	return pipes_from(q, x) <= q->elder_at;
}

/* Notes what may issue together with x: nothing if x changes the PC or takes several cycles, except in the
 * last cycle of an access or a multiplication. `early`: the result of x is available to them. */
static void issue_first(struct issue *q, const struct apmu_insn *x, uint32_t at, bool paired, bool early)
{
	const struct apmu_uarch_params *p = q->p;
	uint32_t cycles = issue_cycles(p, x);
	bool slot = cycles > 1 && leaves_slot(p, x);
	bool alone = p->width < 2 || !(p->pair[apmu_uarch__class_of(x)] & APMU_PAIR_ELDER) ||
		     (cycles != 1 && !slot) || x->branch != APMU_BRANCH_NONE;
	q->elder = alone ? NULL : x;
	q->elder_at = at + (slot ? cycles - 1 : 0);
	q->together = slot ? p->width - 1u : paired ? q->together + 1 : 1;
	q->wrote = (paired ? q->wrote : 0) | x->writes;
	q->early = (paired ? q->early & ~x->writes : 0) | (early ? x->writes : 0);
}

/* True if an ALU instruction that issues at `at` has its result for one in the same cycle. Its operands
 * arrived a cycle before, or before the block; the block then needs those a cycle earlier: taken_early(). */
static bool has_early(const struct issue *q, const struct apmu_insn *x, uint32_t ready, uint32_t at)
{
	return q->p->alu_early && x->cls == APMU_CLASS_ALU && !x->shift_reads &&
	       !(x->flags & APMU_INSN_SHIFT_REG) && (ready == 0 || ready < at);
}

static void take_pipes(struct issue *q, const struct apmu_uarch__timing *t, uint32_t until)
{
	for (unsigned k = 0; t->unit && k < t->pipes; k++)
		*free_pipe(q, t->unit) = until;
}

/* Reserves the pipes that x needs from `at` on, or when they are free; returns the cycle in which it starts.
 * Unit 0 has no pipes to reserve. */
static uint32_t reserve_pipes(struct issue *q, const struct apmu_insn *x, uint32_t at)
{
	struct apmu_uarch__timing t = apmu_uarch__timing_of(q->p, x), also = beside(q->p, x);
	uint32_t cycles = t.beside && t.busy ? (uint32_t)apmu_uarch__busy_cycles(t.busy) : 1,
		 from = pipes_from(q, x);
	if (apmu_uarch__multiplies(x->cls) && leaves_slot(q->p, x)) {
		uint32_t issues = issue_cycles(q->p, x);
		cycles = issues > cycles ? issues : cycles;
	}
	at = from > at ? from : at;
	take_pipes(q, &t, at + cycles);
	take_pipes(q, &also, at + 1);
	return at;
}

/* x uses results of instructions in its own cycle: those need their operands a cycle earlier. */
static void taken_early(const struct issue *q, const struct apmu_insn *x, struct apmu_block *b)
{
	for (uint64_t set = q->early & usual_operands(x); set; set &= set - 1)
		b->schedule[q->writer[lowest(set)]].other = 1;
}

static void issue_one(struct issue *q, const struct apmu_insn *x, struct apmu_block *b)
{
	struct apmu_uarch__schedule *s = &b->schedule[q->number];
	unsigned last = 0;
	uint32_t ready = operands(q, x, 0, &last), at = ready;
	bool paired = pairs(q, x);
	uint32_t stalled = !paired && at > q->now ? at - q->now : 0;
	if (paired) {
		taken_early(q, x, b);
		at = q->elder_at;
	} else if (at > q->now) {
		count_stall(q, x, stalled, last);
	} else {
		at = q->now;
	}
	if (apmu_uarch__uses_memory(x->cls) && q->memory > at)
		at = q->memory;
	at = reserve_pipes(q, x, at);
	s->issue = at;
	s->stalls = q->stalls;
	s->agu = (uint16_t)q->agu;
	s->simd = (uint16_t)q->simd;
	s->from = q->writer[last];
	b->absorbs |= stalled && s->from + 1u < q->number;
	note_vector(q, x, s, stalled, last);
	write_results(q, x, at, apmu_uarch__loaded(x));
	if (apmu_uarch__uses_memory(x->cls) &&
	    occupied(q->p, x) > 1) /* otherwise the pipes say when the next access can go */
		q->memory = at + occupied(q->p, x);
	issue_first(q, x, at, paired, has_early(q, x, ready, at));
	if (at + issue_cycles(q->p, x) > q->now)
		q->now = at + issue_cycles(q->p, x);
}

/* Cycles before its issue at which x, whose times are t, needs what a load has loaded. */
static int read_early(const struct apmu_insn *x, const struct apmu_uarch__schedule *t,
		      const struct apmu_uarch__schedule *load, uint64_t loads)
{
	if (!(x->reads & loads))
		return 0;
	unsigned r = lowest(x->reads & loads);
	return apmu_uarch__early_of(t, r) - (addresses(x, r) ? load->forwards : 0);
}

/* Finds the first instruction that touches what step i loads, and when it would have to wait for that.
 * Writing such a register waits too: the scoreboard keeps writes in order. */
static void find_need(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b,
		      uint32_t i)
{
	struct apmu_uarch__schedule *s = &b->schedule[i];
	uint64_t loads = apmu_uarch__loaded(&insn[i]);
	s->user = APMU_UARCH__NO_USE;
	if (loads == 0)
		return;
	uint32_t hit = s->issue + latency(p, &insn[i], true, 0);
	for (uint32_t j = i + 1; j < b->n; j++) {
		if (!((insn[j].reads | insn[j].writes) & loads))
			continue;
		int64_t slack =
			(int64_t)b->schedule[j].issue - hit - read_early(&insn[j], &b->schedule[j], s, loads);
		s->first_use = (slack > 0 ? (uint32_t)slack : 0) + s->issue;
		s->user = j;
		return;
	}
}

static uint32_t writer(const struct apmu_block *b, unsigned r)
{
	uint32_t i = b->n - 1;
	while (i > 0 && !(b->step[i].writes >> r & 1))
		i--;
	return i;
}

/* Adds an element to live->out[], the long ones first. */
static void add_live_out(struct apmu_block *b, unsigned what, int64_t late, uint32_t from, uint8_t forwards)
{
	bool is_long = late > APMU_UARCH__LONG;
	if (b->outs == APMU_UARCH__LIVE_OUTS && (!is_long || b->longs == b->outs))
		return;
	if (b->outs == APMU_UARCH__LIVE_OUTS) /* replaces a short one */
		b->outs--;
	late = late < INT16_MAX ? late : INT16_MAX;
	from = from < UINT16_MAX ? from : UINT16_MAX;
	unsigned at = is_long ? b->longs++ : b->outs;
	b->live->out[b->outs++] = b->live->out[at];
	b->live->out[at] = (struct apmu_uarch__live_out){
		.late = (int16_t)late, .from = (uint16_t)from, .what = (uint8_t)what, .forwards = forwards};
}

static void find_live_outs(struct issue *q, struct apmu_block *b, unsigned early)
{
	uint32_t last = b->n - 1;
	for (unsigned unit = 1; unit < APMU_UNITS; unit++) {
		uint32_t free = *free_pipe(q, unit);
		if (free > q->now)
			add_live_out(b, APMU_UARCH__UNIT + unit, free - q->now, last, 0);
	}
	if (q->memory + (q->p->folding ? 1 : 0) > q->now)
		add_live_out(b, APMU_UARCH__PORT, q->memory - q->now, last, 0);
	for (unsigned r = 0; r < REGISTERS; r++)
		if (q->ready[r] && q->ready[r] + early > q->now)
			add_live_out(b, r, (int64_t)q->ready[r] - q->now, writer(b, r), q->forwards[r]);
}

static void set_early_reads(const struct apmu_uarch_params *p, const struct apmu_insn *x,
			    struct apmu_uarch__schedule *s)
{
	s->unit = (uint8_t)apmu_uarch__timing_of(p, x).unit;
	s->forwards = forwarded(p, x, true);
	s->early_reads = (x->shift_reads | x->late_reads) & x->reads;
	s->early = s->early_reads ? (int8_t)wanted_early(p, x, lowest(s->early_reads)) : 0;
	uint64_t rest = x->reads & ~s->early_reads;
	s->other = rest ? (int8_t)wanted_early(p, x, lowest(rest)) : 0;
}

/* Attributes each empty slot to the instruction that comes next and has not issued; at the block's end, to
 * the last one. An instruction with more micro-operations than a cycle has slots takes slots of the following
 * cycles. */
static void find_slots(const struct apmu_uarch_params *p, struct apmu_block *b)
{
	int64_t found = 0, used = 0;
	for (uint32_t i = 0; i < b->n; i++) {
		struct apmu_uarch__schedule *s = &b->schedule[i];
		int64_t passed = (int64_t)s->issue * p->width - used;
		used += b->step[i].ops;
		if (i + 1 == b->n)
			passed = (int64_t)b->cycles * p->width - used;
		s->slots = passed > found ? (uint32_t)(passed - found) : 0;
		found += s->slots;
	}
}

uint32_t apmu_uarch__pipeline(const struct apmu_uarch_params *p, const struct apmu_insn *insn,
			      struct apmu_block *b)
{
	struct issue q = {.p = p};
	uint32_t before = 0, from;
	for (uint32_t i = 0; i < b->n; i++) {
		before = q.now;
		set_early_reads(p, &insn[i], &b->schedule[i]);
		q.number = (uint16_t)i;
		issue_one(&q, &insn[i], b);
	}
	struct apmu_uarch__schedule *last = &b->schedule[b->n - 1];
	for (uint32_t i = 0; i < b->n; i++)
		find_need(p, insn, b, i);
	if (b->loads_pc && last->user == APMU_UARCH__NO_USE) { /* the next fetch waits for the PC */
		last->user = b->n;
		last->first_use = q.now;
	}
	if (b->live) {
		unsigned early = apmu_uarch__timing_most_early(p);
		find_live_outs(&q, b, early);
		apmu_uarch__carry_in(p, b);
		apmu_uarch__carry_out(b, early);
	}
	b->cycles = q.now;
	b->supply = (b->n + p->width - 1) / p->width;
	find_slots(p, b);
	from = last->issue;
	return q.now - (from > before ? from : before);
}
