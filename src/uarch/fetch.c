/* SPDX-License-Identifier: MIT */
/*
 * The fetch side: a block's lines through the instruction micro-TLB and cache.
 *
 * Fetching within the line fetched last is sequential and not a look-up (AN195 8: only non-sequential misses
 * count).
 */
#include "uarch/pass.h"
#include "uarch/tlb.h"

#define CODE_AHEAD_PAGE 12 /* log2 of the bytes beyond which no code is requested ahead */

static bool runs_ahead(const struct apmu_uarch *u)
{
	return u->window && u->window->run_ahead.queue;
}

/* The entry of the fetch queue with which a line of the block begins. */
static uint32_t entry_of(const struct apmu_uarch *u, const struct apmu_block *b, uint64_t line)
{
	uint64_t addr = line << u->l1i.shift;
	return u->window->run_ahead.entries +
	       (line == b->line ? 0 : apmu_uarch__entries_of(b->addr, addr + 1) - 1);
}

/* The tick in which dispatch reaches a line of the block, if nothing stalls it. */
static uint64_t tick_of(const struct apmu_uarch *u, const struct apmu_block *b, uint64_t line)
{
	uint64_t before = line == b->line ? 0 : (line << u->l1i.shift) - b->addr;
	return u->window->now + before * b->n / (b->end - b->addr) * APMU_UARCH__TICKS;
}

static void translate(struct apmu_uarch *u, const struct apmu_block *b, uint64_t line, uint64_t page)
{
	if (apmu_uarch__cache_hit(&u->itlb, page))
		return;
	u->n[APMU_SIG_L1I_TLB_REFILL]++;
	u->epoch++;
	enum apmu_uarch__refill r = apmu_uarch__tlb_refill(u, &u->itlb, page, APMU_UARCH__REQUEST_CODE);
	if (!(u->units & APMU_UARCH__TIME))
		return;
	u->n[APMU_SIG_FETCH_STALL] += apmu_uarch__refill_stall(u, r);
	u->n[APMU_SIG_STALL_FETCH_TLB] += apmu_uarch__refill_stall(u, r);
	u->n[APMU_SIG_STALL_FETCH_MAIN] += r == APMU_UARCH__REFILL_MAIN ? apmu_uarch__refill_stall(u, r) : 0;
	apmu_uarch__wait_for_code(u, apmu_uarch__refill_cycles(u, r));
	if (runs_ahead(u))
		apmu_uarch__predict_anew(&u->window->run_ahead, tick_of(u, b, line), entry_of(u, b, line));
}

static void count_wait(struct apmu_uarch *u, enum apmu_uarch__at at, uint64_t cycles)
{
	u->n[APMU_SIG_FETCH_STALL] += cycles;
	u->n[APMU_SIG_STALL_FETCH_CACHE] += cycles;
	u->n[APMU_SIG_STALL_FETCH_MEM] += at == APMU_UARCH__AT_MEMORY ? cycles : 0;
	u->n[APMU_SIG_STALL_FETCH_L3] += at == APMU_UARCH__AT_L3 ? cycles : 0;
	u->n[APMU_SIG_FETCH_CYCLES] += cycles;
	if (cycles)
		apmu_uarch__wait_for_code(u, cycles);
}

/* The line of L2 that has a line of L1I. */
static uint64_t in_l2(const struct apmu_uarch *u, uint64_t line)
{
	return line >> (u->level[0]->sets.shift - u->l1i.shift);
}

/* A code line that fetch waits for overtakes those of the read-ahead lines before number `end` that nobody
 * waits for and that have not begun: each of these takes the turn of the next one, and the last takes `turn`.
 * Returns the cycle in which the line arrives. */
static uint64_t overtake(struct apmu_uarch *u, uint32_t end, enum apmu_uarch__at at, uint64_t asked,
			 uint64_t turn)
{
	uint64_t begun = asked + u->latency[at];
	for (uint32_t k = end; turn > begun && u->code_ahead.lines - k < APMU_UARCH__CODE_AHEAD;) {
		struct apmu_uarch__ahead *l = &u->code_ahead.line[--k % APMU_UARCH__CODE_AHEAD];
		if (l->wanted || l->at != at || l->ready <= begun || l->ready >= turn)
			continue;
		uint64_t earlier = l->ready;
		l->ready = turn;
		turn = earlier;
	}
	return turn;
}

/* The cycle in which L2 has a line that it was asked for ahead, the last time; 0: it has. Fetch waits for it
 * from the cycle `asked` on. */
static uint64_t read_ahead_by(struct apmu_uarch *u, uint64_t line, uint64_t asked)
{
	struct apmu_uarch__code_ahead *a = &u->code_ahead;
	for (uint32_t k = 1; u->p.code_ahead && k <= APMU_UARCH__CODE_AHEAD; k++) {
		struct apmu_uarch__ahead *l = &a->line[(a->lines - k) % APMU_UARCH__CODE_AHEAD];
		if (l->line != in_l2(u, line))
			continue;
		if (!l->wanted)
			l->ready = overtake(u, a->lines - k, (enum apmu_uarch__at)l->at, asked, l->ready);
		l->wanted = true;
		return l->ready;
	}
	return 0;
}

/* The cycle in which a line comes that is requested in the cycle `asked`. */
static uint64_t comes(struct apmu_uarch *u, uint64_t line, enum apmu_uarch__at at, uint64_t asked)
{
	uint64_t come = asked + apmu_uarch__read_bus(u, asked, at);
	if (at == APMU_UARCH__AT_L2)
		return apmu_uarch__later(come, read_ahead_by(u, line, asked));
	return u->p.code_ahead ? overtake(u, u->code_ahead.lines, at, asked, come) : come;
}

static bool on_one_page(const struct apmu_uarch *u, uint64_t line, uint64_t other)
{
	return (line ^ other) >> (CODE_AHEAD_PAGE - u->l1i.shift) == 0;
}

/* L2 reads ahead the code lines behind one that missed there, or the last of them behind one that follows the
 * line before. Counts do not depend on the cycle `asked`. */
static void read_ahead(struct apmu_uarch *u, uint64_t line, enum apmu_uarch__at at, uint64_t asked)
{
	struct apmu_uarch__code_ahead *a = &u->code_ahead;
	bool hit = at == APMU_UARCH__AT_L2, follows = line == a->last + 1;
	unsigned most = u->units & APMU_UARCH__LOWER ? u->p.code_ahead : 0;
	a->last = line;
	if (most == 0 || (hit && !follows))
		return;
	for (unsigned k = hit ? most : 1; k <= most; k++) {
		enum apmu_uarch__at from;
		if (!on_one_page(u, line, line + k))
			return;
		if (!apmu_uarch__lower_ahead(u, (line + k) << u->l1i.shift, &from) ||
		    !(u->units & APMU_UARCH__TIME))
			continue;
		a->line[a->lines++ % APMU_UARCH__CODE_AHEAD] = (struct apmu_uarch__ahead){
			in_l2(u, line + k), asked + apmu_uarch__read_for_prefetch(u, asked, from),
			(uint8_t)from, false};
	}
}

/* The cycle of fetch. Out of order dispatch is then at the block, behind the waits for the lines before it,
 * which the clock does not show yet. */
static uint64_t fetching(const struct apmu_uarch *u)
{
	return u->window ? apmu_uarch__clock_now(u) : u->clock;
}

/* The cycle in which a line that fetch needs now was requested: earlier, if the line before brought it. */
static uint64_t requested(struct apmu_uarch *u, uint64_t line, uint64_t now)
{
	struct apmu_uarch__code_next *next = &u->code_next;
	uint64_t asked = next->asked;
	if (u->p.code_next && line == next->line) {
		next->line = 0;
		return asked;
	}
	next->line = on_one_page(u, line, line + 1) ? line + 1 : 0;
	next->asked = now;
	return now;
}

static void request(struct apmu_uarch *u, uint64_t line, enum apmu_uarch__at at)
{
	uint64_t now = fetching(u), asked = requested(u, line, now);
	uint64_t come = comes(u, line, at, asked);
	read_ahead(u, line, at, asked);
	count_wait(u, at, come > now ? come - now : 0);
}

/* A line that prediction requested: dispatch waits only for the rest of its time. */
static void request_ahead(struct apmu_uarch *u, const struct apmu_block *b, uint64_t line,
			  enum apmu_uarch__at at)
{
	struct apmu_uarch__window *w = u->window;
	uint64_t tick = tick_of(u, b, line);
	uint32_t entry = entry_of(u, b, line);
	if (line != b->line)
		apmu_uarch__reach_point(&w->run_ahead, w->now, tick, entry);
	uint64_t asked = apmu_uarch__requested_ahead(u, entry, tick);
	uint64_t come = apmu_uarch__refilled(u, comes(u, line, at, asked));
	uint64_t needed = apmu_uarch__clock_in(u, apmu_uarch__cycle_of(w, tick));
	read_ahead(u, line, at, asked);
	count_wait(u, at, come > needed ? come - needed : 0);
}

static void fill(struct apmu_uarch *u, const struct apmu_block *b, uint64_t line)
{
	u->n[APMU_SIG_L1I_MISS]++;
	u->n[APMU_SIG_L1I_FILL]++;
	u->n[APMU_SIG_BCU_REQUEST]++;
	u->epoch++;
	apmu_uarch__cache_fill(&u->l1i, line);
	enum apmu_uarch__at at = APMU_UARCH__AT_MEMORY;
	if (u->units & APMU_UARCH__LOWER)
		at = apmu_uarch__lower_read(u, line << u->l1i.shift, APMU_UARCH__REQUEST_CODE);
	if (!(u->units & APMU_UARCH__TIME))
		read_ahead(u, line, at, 0);
	else if (runs_ahead(u))
		request_ahead(u, b, line, at);
	else
		request(u, line, at);
}

/* Fetches a line other than the last one. */
static void fetch_line(struct apmu_uarch *u, const struct apmu_block *b, uint64_t line)
{
	uint64_t page = line >> (u->itlb.shift - u->l1i.shift);
	if (page != u->ipage && (u->units & APMU_UARCH__ITLB))
		translate(u, b, line, page);
	u->ipage = page;
	if (!(u->units & APMU_UARCH__FETCH) || apmu_uarch__inside(&u->p.itcm, line << u->l1i.shift))
		return;
	if (!apmu_uarch__cache_hit(&u->l1i, line))
		fill(u, b, line);
}

/* Watched: attributes the fetch of the line to the first instruction in it, which out of order is still to
 * run. */
static void report_fill(struct apmu_uarch *u, const struct apmu_block *b, uint64_t line,
			struct apmu_watch *watch)
{
	uint32_t i = line == b->line ? 0 : apmu_uarch__holder(b, line << u->l1i.shift);
	if (u->window && apmu_uarch__retiring(u->window))
		apmu_uarch__retire_put(u->window->retire, u->window->now, apmu_uarch__address_of(b, i),
				       u->window->retire->run + i + 1, true);
	apmu_watch_look(watch, APMU_WATCH_FETCH, line == b->line ? b->addr : line << u->l1i.shift);
}

void apmu_uarch__fetch_lines(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_watch *watch)
{
	uint64_t line = b->line, epoch = u->epoch;
	for (uint32_t left = b->lines; left; left--, line++) {
		if (line == u->iline)
			continue;
		uint64_t page = line >> (u->itlb.shift - u->l1i.shift);
		bool translated = (page == u->ipage) | u->no_itlb | apmu_uarch__cache_knows(&u->itlb, page);
		u->iline = line;
		if (!(u->plain_fetch & translated & apmu_uarch__cache_knows(&u->l1i, line)))
			fetch_line(u, b, line);
		if (watch)
			report_fill(u, b, line, watch);
	}
	uint64_t last = b->last_line >> u->page_lines;
	if (!u->l1i.ordered && u->epoch == epoch && (last == b->page || !u->itlb.ordered))
		u->span[apmu_uarch__span_place(b->line, b->lines)] =
			(struct apmu_uarch__span){b->line, last, epoch, b->lines};
}

void apmu_uarch__fetch_shadow(struct apmu_uarch *u, uint64_t addr, uint64_t from)
{
	uint64_t line = addr >> u->l1i.shift;
	if (!u->p.branch_shadow || !(u->units & APMU_UARCH__FETCH) || line == from >> u->l1i.shift)
		return;
	if (!apmu_uarch__inside(&u->p.itcm, addr) && !apmu_uarch__cache_peek(&u->l1i, line))
		u->n[APMU_SIG_L1I_MISS]++; /* dropped: no fill (AN195 3) */
}

/* Each fetch reads its bytes from memory, and the core waits for them. There are no look-ups and so no misses
 * (AN195 3: event 0x0 needs the cache; 8: non-cacheable fetches are not in it). */
void apmu_uarch__fetch_outside(struct apmu_uarch *u, const struct apmu_block *before,
			       const struct apmu_block *b)
{
	bool goes_on = (before->end == b->addr) & ((b->addr & u->fetch_mask) != 0);
	uint64_t reads = b->fetches - goes_on;

	if (b->page != u->ipage && (u->units & APMU_UARCH__ITLB))
		translate(u, b, b->line, b->page);
	u->ipage = b->page;
	u->iline = APMU_UARCH__NO_LINE;
	u->n[APMU_SIG_BCU_REQUEST] += reads;
	if (u->units & APMU_UARCH__LOWER) {
		u->n[APMU_SIG_BUS_RD] += reads * (u->fetch_mask / u->p.bus_width + 1);
		u->n[APMU_SIG_BUS_REQ_RD] += reads;
		u->n[APMU_SIG_BUS_RD_CYCLES] += reads * u->latency[APMU_UARCH__AT_MEMORY];
		u->n[APMU_SIG_MEMORY_RD] += reads;
	}
	for (; reads && (u->units & APMU_UARCH__TIME); reads--)
		count_wait(u, APMU_UARCH__AT_MEMORY,
			   apmu_uarch__read_bus(u, fetching(u), APMU_UARCH__AT_MEMORY));
}
