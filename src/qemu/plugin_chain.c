/* SPDX-License-Identifier: MIT */
/*
 * A shadow stack of calls, from what branches do. No register can be read, so there is no stack pointer to go
 * by; instead:
 *
 * A return goes to the address after its call: it pops that call and those above it, which were left in other
 * ways. A jump or return to an address at which no live call continues, but at which an earlier call of a
 * function that is still live did, is a longjmp: the stack falls back to that function. A tail call changes
 * nothing: its return is its caller's. A signal handler is entered where no branch leads, or at an address
 * that rt_sigaction named, and leaves by rt_sigreturn: to where the interrupted block continues or, if the
 * handler has changed the context, to a function that then looks as if called from there (Go's preemption)
 * and returns there. Whatever else happens (a C++ landing pad, a coroutine) shows when the next function
 * saves its return address: calls whose own was saved below that are dead.
 *
 * A program may have several stacks (goroutines, coroutines): then a block sets the stack pointer and jumps.
 * If it loads the pointer from where that of a stack was stored before its calls were parked, these go on.
 * Else if no call returns to the target, a new stack begins, and the calls so far are parked
 * (plugin_stacks.c). If some call does, it may be one of another stack with the same caller: the only one
 * that waits there or, if several do, the one that the next restored return address tells, because the call's
 * own was saved there. If the jump itself loads the PC from the stack (A32, T32), that address shows at once
 * which calls are left. A stack that only seems new (__builtin_longjmp(), OCaml's exceptions, a return of
 * Java's interpreter, which calls by jumps) shows by where the next return address is saved or restored:
 * among those of the parked calls. From then on a jump to its target changes nothing.
 *
 * Where the stack did not simply push or pop, the thread's `resyncs` counts it.
 */
#include "qemu/plugin_record.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST   (1u << 18) /* calls */
#define KNOWN     4096u      /* places for return addresses at first, and at most; powers of two */
#define MOST      (1u << 20)
#define STACK     (8u << 20)  /* bytes; addresses farther apart are on different stacks */
#define FRAME     (64u << 10) /* bytes of a function's frame, at most */
#define REGISTERS 64u         /* bytes that one instruction saves, at most */
#define WORD      4u          /* bytes of a register of A32 and T32 */
#define NEAR      512u        /* bytes that a stack has left, at least, when another one is begun */
#define NOWHERE   1u          /* `back` of a stack's first call: no instruction has this address */
#define TRIES     2u          /* a pair of registers is restored from two addresses */
#define AT_ROOT   1u          /* `entry` of the function at the bottom of the stack */
#define ANY       0u          /* `entry` of an address of this stack to which no call returns */

/* Returns the place of a return address: a pair of that address, 0 if it is not there, and the entry of the
 * calling function. */
static uint64_t *known(const struct apmu_qemu__calls *s, uint64_t back)
{
	size_t at = apmu_qemu__call_hash(back) & (s->places - 1);

	while (s->known[2 * at] && s->known[2 * at] != back)
		at = (at + 1) & (s->places - 1);
	return s->known + 2 * at;
}

static uint64_t entry_now(const struct apmu_qemu__calls *s)
{
	return s->depth ? s->call[s->depth - 1].entry : AT_ROOT;
}

/* Makes room for one more return address. A full table is emptied: code that is generated again and again has
 * ever new addresses. */
static void make_known(struct apmu_qemu__calls *s)
{
	uint64_t *old = s->known;
	uint32_t n = s->places;

	if (s->used * 2 < n)
		return;
	s->places = n == 0 ? KNOWN : n == MOST ? MOST : n * 2;
	s->known = calloc(2 * (size_t)s->places, sizeof(*s->known));
	if (!s->known)
		apmu_qemu__plugin_die("no memory for a thread's calls");
	for (size_t i = 0; n != MOST && i < n; i++)
		if (old[2 * i])
			memcpy(known(s, old[2 * i]), old + 2 * i, 2 * sizeof(*old));
	s->used = n == MOST ? 0 : s->used;
	free(old);
}

/* Remembers that `back` is in the function at `entry`. */
static void learn(struct apmu_qemu__calls *k, uint64_t back, uint64_t entry)
{
	make_known(k);
	uint64_t *pair = known(k, back);

	k->used += pair[0] == 0;
	pair[0] = back;
	pair[1] = entry;
}

/* The parts of an APMU_QEMU__RETURN_SITE. */
static uint32_t before(uint64_t site)
{
	return (uint32_t)(site >> 56);
}

static uint64_t address(uint64_t site)
{
	return site & (((uint64_t)1 << 56) - 1);
}

static void resync(struct apmu_qemu__sampler *s)
{
	s->thread->slot->resyncs++;
}

/* Forgets the outer half of a stack that is too deep. */
static void forget_half(struct apmu_qemu__sampler *s)
{
	struct apmu_qemu__calls *k = &s->stack;
	uint32_t half = k->depth / 2;

	memmove(k->call, k->call + half, (k->depth - half) * sizeof(*k->call));
	k->depth -= half;
	for (uint32_t i = 0; i < k->depth; i++)
		k->call[i].node = 0;
	resync(s);
}

static void push(struct apmu_qemu__sampler *s, struct apmu_qemu__call call)
{
	struct apmu_qemu__calls *k = &s->stack;

	if (k->depth == DEEPEST)
		forget_half(s);
	if (k->depth == k->room) {
		uint32_t room = k->room ? k->room * 2 : 64;
		struct apmu_qemu__call *larger = realloc(k->call, room * sizeof(*larger));
		if (!larger)
			apmu_qemu__plugin_die("no memory for a thread's calls");
		k->call = larger;
		k->room = room;
	}
	k->call[k->depth++] = call;
}

/* True if a return or jump to `to` ends this call. */
static bool returns_to(const struct apmu_qemu__call *c, uint64_t to)
{
	bool into = c->other && (c->other == to || (to <= c->back && c->back - to <= c->bytes));

	return !c->handler && (c->back == to || into);
}

static void call(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint64_t to)
{
	if (to == from->end) /* the condition failed, or the call only reads the PC */
		return;
	s->stack.arrived = 0;
	learn(&s->stack, from->end, entry_now(&s->stack));
	if (from->restacks && atomic_load(&apmu_qemu__plugin.stacks))
		apmu_qemu__stacks_park(s);
	push(s, (struct apmu_qemu__call){.site = from->addr + from->offset[from->n - 1],
					 .back = from->end,
					 .entry = to,
					 .elsewhere = from->restacks});
}

/* Forgets where the return addresses were saved: the function continues with another stack pointer before it
 * saved anything, because Go's runtime has moved its stack to where there is more room. */
static void moved(struct apmu_qemu__calls *k)
{
	for (uint32_t i = k->depth; i-- > 0;) {
		k->lowest = k->lowest ? k->lowest : k->call[i].stack;
		k->call[i].stack = k->call[i].first = 0;
	}
}

/* True if a call went to another stack and has not come back. */
static bool left_by_call(const struct apmu_qemu__calls *k)
{
	for (uint32_t i = 1; i < k->depth; i++)
		if (k->call[i].elsewhere)
			return true;
	return false;
}

/* Begins a new stack: a jump with another stack pointer, to where no call returns. */
static void begin_stack(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint64_t to)
{
	atomic_store(&apmu_qemu__plugin.stacks, true);
	if (!s->stack.landed) /* else nothing shows yet which stack the last jump led to */
		s->stack.parked = left_by_call(&s->stack) ? 0 : apmu_qemu__stacks_park(s);
	s->stack.landed = to;
	s->stack.depth = 0;
	s->stack.begun = true;
	push(s, (struct apmu_qemu__call){
			.site = from->addr + from->offset[from->n - 1], .back = NOWHERE, .entry = to});
}

/* Falls back to the newest call that returns to `to`. False if there is none. */
static bool fall_to_call(struct apmu_qemu__sampler *s, uint64_t to)
{
	struct apmu_qemu__calls *k = &s->stack;

	for (uint32_t i = k->depth; i-- > 0;) {
		if (k->call[i].back != to || k->call[i].handler || k->call[i].other)
			continue;
		if (i + 1 != k->depth)
			resync(s);
		k->landed = 0;
		k->depth = i;
		return true;
	}
	return false;
}

/* Falls back to the function in which some earlier call returned to `to`. False if there is none. */
static bool fall_to_function(struct apmu_qemu__sampler *s, uint64_t to)
{
	struct apmu_qemu__calls *k = &s->stack;
	const uint64_t *pair = known(k, to);
	uint32_t depth = k->depth;

	if (pair[0] != to || pair[1] == ANY || pair[1] == entry_now(k)) /* already in that function */
		return pair[0] == to;
	while (depth > 0 && k->call[depth - 1].entry != pair[1])
		depth--;
	if (depth == 0 && pair[1] != AT_ROOT)
		return false;
	k->landed = 0;
	k->depth = depth;
	resync(s);
	return true;
}

/* Continues with the stack that was left where it continues at `to`, if only one was. Where the next return
 * address is restored may still show that it is another. */
static bool go_back(struct apmu_qemu__sampler *s, uint64_t to)
{
	if (!apmu_qemu__stacks_take_waiting(s, to, known(&s->stack, to)[1]))
		return false;
	s->stack.landed = 0;
	s->stack.begun = true; /* not the same stack at another place */
	return true;
}

static bool in_handler(const struct apmu_qemu__calls *k)
{
	return k->depth && k->call[k->depth - 1].handler;
}

/* A32 and T32: true if the block's last instruction has loaded the PC from the stack, at k->popped. */
static bool popped_pc(const struct apmu_qemu__calls *k, const struct apmu_qemu__tb *from)
{
	return k->popped && from->indirect && address(k->restorer) == from->addr + from->offset[from->n - 1];
}

/* Handles a jump of that kind, in a block that also sets the stack pointer: the stack now begins above
 * k->popped, so calls that saved below are dead. True if that is on the stack of the present calls: the jump
 * is a return, or leads into the function on top (OCaml's exceptions). */
static bool unwind(struct apmu_qemu__sampler *s, uint64_t to)
{
	struct apmu_qemu__calls *k = &s->stack;
	uint64_t low = UINT64_MAX, high = 0;
	uint32_t depth = k->depth;

	for (uint32_t i = 0; i < depth; i++) {
		if (k->call[i].elsewhere || k->call[i].handler)
			return false;
		low = k->call[i].stack ? k->call[i].stack : low;
		high = k->call[i].first > high ? k->call[i].first : high;
	}
	if (k->popped < low || k->popped > high)
		return false;
	while (k->call[depth - 1].first < k->popped)
		depth--;
	if (depth < k->depth)
		resync(s);
	k->depth = returns_to(&k->call[depth - 1], to) ? depth - 1 : depth;
	return true;
}

/* Continues with the stack whose pointer the block has loaded, if that was parked: Go's runtime keeps each
 * goroutine's at an address of its own. True if so. */
static bool continue_kept(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint64_t to)
{
	struct apmu_qemu__calls *k = &s->stack;
	uint64_t at = k->from;

	k->from = 0;
	if (!at || from->flow != APMU_QEMU__FLOW_JUMP || !apmu_qemu__stacks_take_kept(s, at, to))
		return false;
	k->landed = k->arrived = k->unsure = 0;
	if (k->depth && k->call[k->depth - 1].stack == 0)
		moved(k);
	return true;
}

static void follow(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint64_t to);

void apmu_qemu__chain_follow(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint64_t to)
{
	uint64_t resyncs = s->thread->slot->resyncs;
	uint32_t depth = s->stack.depth;

	make_known(&s->stack);
	if (from->restacks && to != from->end && !s->stack.landed && popped_pc(&s->stack, from) &&
	    unwind(s, to))
		return;
	if (!from->restacks || from->flow == APMU_QEMU__FLOW_CALL ||
	    !atomic_load(&apmu_qemu__plugin.stacks)) {
		follow(s, from, to);
		return;
	}
	s->stack.left = left_by_call(&s->stack);
	s->stack.begun = false;
	s->stack.arrived = to;
	s->stack.lowest = 0;
	if (continue_kept(s, from, to))
		return;
	follow(s, from, to);
	if (!s->stack.begun && s->stack.depth && s->stack.depth < depth &&
	    s->stack.call[s->stack.depth - 1].stack == 0)
		moved(&s->stack);
	else
		s->stack.unsure = TRIES;
	s->thread->slot->resyncs = resyncs;
}

/* Returns a call for an interruption: that of a handler, or of a function that a handler has inserted. Its
 * `back` and `other` are where the interrupted block may continue. */
static struct apmu_qemu__call interruption(const struct apmu_qemu__tb *from, uint32_t done)
{
	uint32_t at = done < from->n ? done : from->n - 1;
	bool open = from->n == 0 || (from->indirect && done == from->n);

	return (struct apmu_qemu__call){.site = from->n ? from->addr + from->offset[at] : 0,
					.back = open ? 0 : from->end,
					.other = open ? 0 : from->target,
					.bytes = (uint16_t)(from->end - from->addr)};
}

/* Enters a handler: a signal came after `done` instructions of the block, whose call or return has been made
 * if all have run. */
static void enter_handler(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint32_t done,
			  uint64_t to)
{
	struct apmu_qemu__calls *k = &s->stack;
	struct apmu_qemu__call c = interruption(from, done);
	bool ended = from->n && done == from->n;

	c.handler = true;
	c.entry = to;
	if (ended && from->flow == APMU_QEMU__FLOW_RETURN && k->depth) {
		c.back = c.other = k->call[k->depth - 1].back;
		k->depth--;
	}
	if (ended && from->flow == APMU_QEMU__FLOW_CALL)
		call(s, from, from->indirect ? 0 : from->target);
	push(s, c);
}

static void follow(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint64_t to)
{
	struct apmu_qemu__calls *k = &s->stack;

	if (from->indirect && apmu_qemu__handles(to)) { /* a signal came right after the branch */
		enter_handler(s, from, from->n, to);
		return;
	}
	if (from->flow == APMU_QEMU__FLOW_CALL) {
		call(s, from, to);
		return;
	}
	if (k->depth && returns_to(&k->call[k->depth - 1], to)) {
		k->depth--;
		return;
	}
	if (to == from->end) /* the branch's condition failed */
		return;
	bool known_here = known(k, to)[0] == to;
	if (from->restacks && !known_here && from->indirect) {
		begin_stack(s, from, to);
		return;
	}
	if (from->flow == APMU_QEMU__FLOW_JUMP && !known_here)
		return; /* a jump table, a tail call, or a linkage stub */
	if (fall_to_call(s, to) || fall_to_function(s, to) || (from->restacks && go_back(s, to)))
		return;
	if (from->flow == APMU_QEMU__FLOW_RETURN &&
	    !in_handler(k)) /* else the handler returns to its trampoline */
		resync(s);
}

/* Handles an rt_sigreturn to `to`, where the interrupted block does not lead. */
static void insert_call(struct apmu_qemu__sampler *s, struct apmu_qemu__call c, uint64_t to)
{
	if (fall_to_call(s, to) || fall_to_function(s, to))
		return;
	c.entry = to;
	c.stack = c.first = 0; /* the handler's */
	push(s, c);
}

static void come_back(struct apmu_qemu__sampler *s, uint64_t to)
{
	struct apmu_qemu__calls *k = &s->stack;
	struct apmu_qemu__call c = k->interrupted;

	k->returning = false;
	if (apmu_qemu__handles(to)) { /* the next signal was already pending */
		push(s, c);
		return;
	}
	c.handler = false;
	if (c.back && !returns_to(&c, to))
		insert_call(s, c, to);
}

void apmu_qemu__chain_signal(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint32_t done,
			     uint64_t to)
{
	make_known(&s->stack);
	if (s->stack.returning)
		come_back(s, to);
	else
		enter_handler(s, from, done, to);
}

void apmu_qemu__chain_sigreturn(struct apmu_qemu__sampler *s)
{
	struct apmu_qemu__calls *k = &s->stack;
	uint32_t depth = k->depth;

	k->returning = true;
	k->interrupted = (struct apmu_qemu__call){0};
	while (depth > 0 && !k->call[depth - 1].handler)
		depth--;
	if (depth == 0) {
		resync(s);
		return;
	}
	k->depth = depth - 1;
	k->interrupted = k->call[k->depth];
}

/* Drops the dead calls above the one at `live`, except the newest, which takes the place of that one. */
static void drop_dead(struct apmu_qemu__sampler *s, uint32_t live)
{
	struct apmu_qemu__calls *k = &s->stack;

	k->call[live] = k->call[k->depth - 1];
	k->call[live].node = 0;
	k->depth = live + 1;
	resync(s);
}

void apmu_qemu__chain_kept(struct apmu_qemu__sampler *s, uint64_t at)
{
	struct apmu_qemu__calls *k = &s->stack;

	if (at == k->kept[0])
		return;
	k->kept[1] = k->kept[0];
	k->kept[0] = at;
}

/* Handles the first return address saved on what begin_stack() took for a new stack. If it lies on the stack
 * that was left, the jump stayed there: a longjmp or return to where no call returns. */
static void land(struct apmu_qemu__sampler *s, uint64_t at)
{
	struct apmu_qemu__calls *k = &s->stack;
	uint64_t landed = k->landed;

	k->landed = 0;
	if (!k->parked || k->depth == 0 || !apmu_qemu__stacks_take_back(s, at, k->depth == 1 ? NEAR : FRAME))
		return;
	learn(k, landed, ANY);
	resync(s);
}

/* Handles the first return address saved after a switch of stacks. If the function that was continued saved
 * it, at its beginning (Go's runtime had it wait there), the parked calls are those whose saved address is
 * the nearest above. */
static void arrive(struct apmu_qemu__sampler *s, uint64_t at)
{
	struct apmu_qemu__calls *k = &s->stack;
	uint64_t within = k->lowest > at ? k->lowest - at - 1 : FRAME;

	if (k->call[k->depth - 1].stack == 0 &&
	    apmu_qemu__stacks_take_above(s, at, k->arrived, within < FRAME ? within : FRAME))
		k->unsure = 0;
	k->arrived = 0;
}

/* Only the first of the instruction's accesses has an effect: the others come as again from the same saver.
 */
void apmu_qemu__chain_saved(struct apmu_qemu__sampler *s, uint64_t at, uint64_t by)
{
	struct apmu_qemu__calls *k = &s->stack;

	at += (uint64_t)WORD * before(by);
	if (k->landed)
		land(s, at);
	if (k->depth && k->arrived)
		arrive(s, at);
	if (k->depth == 0)
		return;
	uint32_t dead = k->depth;
	uint64_t was = k->call[k->depth - 1].stack, apart = at > was ? at - was : was - at;
	bool again = by == k->saver && (at > was || apart < REGISTERS || apart > FRAME);
	if (was && (again || apart > STACK))
		return; /* the other registers of one instruction, or a context that is kept elsewhere */
	k->saver = by;
	struct apmu_qemu__call *top = &k->call[k->depth - 1];
	top->stack = at;
	top->first = at > top->first ? at : top->first;
	if (was) /* a tail call: its frame replaces its caller's */
		return;
	for (uint32_t i = k->depth - 1; i-- > 0 && !k->call[i + 1].handler && !k->call[i + 1].elsewhere;) {
		uint64_t stack = k->call[i].first;
		if (stack && (stack > at || at - stack > STACK)) /* no two live calls save at one address */
			break;
		if (stack)
			dead = i;
	}
	if (dead < k->depth)
		drop_dead(s, dead);
}

/* Continues with the parked calls of which one saved its return address at `at`. If they are those that the
 * last jump seemed to leave, it was a longjmp. */
static bool take(struct apmu_qemu__sampler *s, uint64_t at)
{
	struct apmu_qemu__calls *k = &s->stack;
	uint64_t landed = k->landed, parked = apmu_qemu__stacks_take(s, at);

	if (!parked)
		return false;
	k->landed = 0;
	if (landed && parked == k->parked)
		learn(k, landed, ANY);
	return true;
}

/* True for the first register that the instruction `by` loads. A pair counts as two. */
static bool begins(struct apmu_qemu__calls *k, uint64_t by)
{
	bool goes_on = k->rest && by == k->restorer;

	k->rest = goes_on ? k->rest - 1 : before(by);
	k->restorer = by;
	return !goes_on;
}

void apmu_qemu__chain_restored(struct apmu_qemu__sampler *s, uint64_t at, uint64_t by)
{
	struct apmu_qemu__calls *k = &s->stack;
	bool here = false;

	at += (uint64_t)WORD * before(by);
	if (!begins(k, by))
		return;
	k->popped = at;
	if (!k->unsure)
		return;
	for (uint32_t i = k->depth; i-- > 0 && !here;)
		here = k->call[i].stack == at || k->call[i].first == at;
	if (!here)
		here = take(s, at);
	k->unsure = here ? 0 : (uint8_t)(k->unsure - 1);
	if (!here && k->unsure == 0)
		resync(s);
}

void apmu_qemu__chain_free(struct apmu_qemu__calls *k)
{
	free(k->call);
	free(k->node);
	free(k->known);
}
