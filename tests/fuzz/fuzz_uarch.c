/* SPDX-License-Identifier: MIT */
/* Parameter files of any bytes, and any parameters that are accepted, under random programs. What must hold:
 * what is read fits together, each end of a range is taken, a row prints what it was set to, and a machine of
 * any accepted parameters keeps the identities and counts the same whatever else is wanted, in whichever way
 * its accesses are told. */
#include "fuzz_uarch.h"

#include "bytes.h"
#include "unit/uarch_short.h"

#include <apmu/uarch.h>

#include <stdio.h>
#include <string.h>

enum { BLOCKS = 24, MOST = 12, STEPS = 250, LARGEST = 1 << 20 };

struct program {
	struct apmu_insn insn[BLOCKS][MOST];
	unsigned length[BLOCKS];
	uint64_t base; /* of the data */
};

/* How a life is lived. */
struct way {
	int signal; /* the only one wanted; -1: all */
	bool promised, watched, brief;
};

static uint64_t random_state;

static uint64_t draw(uint64_t n)
{
	random_state += 0x9E3779B97F4A7C15u;
	uint64_t z = random_state;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return (z ^ (z >> 31)) % n;
}

/* A value of the kind that the range speaks of: its ends, what is next to them, powers of two, a word. */
static void some_value(const char *range, uint8_t how, uint8_t what, char *out, size_t size)
{
	unsigned long long low, high, n;

	if (sscanf(range, "a number from %llu to %llu", &low, &high) == 2) {
		unsigned long long power = 1ull << what % 64;
		n = how % 8 == 0   ? low
		    : how % 8 == 1 ? high
		    : how % 8 == 2 ? low + what % 4
		    : how % 8 == 3 ? what
		    : how % 8 == 4 ? high + 1
				   : power;
		snprintf(out, size, "%llu", n);
		MUST(low <= high);
		return;
	}
	const char *word = strstr(range, "of ");
	MUST(word);
	for (word += 3; what % 8 && strchr(word, ' '); what--)
		word = strchr(word, ' ') + 1;
	snprintf(out, size, "%.*s", (int)strcspn(word, " "), word);
}

/* One parameter, if the row still fits together with it. */
static void change(struct apmu_uarch_params *p, struct bytes *b)
{
	struct apmu_uarch_params changed = *p;
	struct apmu_uarch_param f, now;
	char range[160], value[64];
	size_t i = word(b, 2) % 512;
	uint8_t how = byte(b), what = byte(b);

	if (!apmu_uarch_param(p, i, &f))
		return;
	apmu_uarch_range(f.key, range, sizeof range);
	some_value(range, how, what, value, sizeof value);
	if (apmu_uarch_set(&changed, f.key, value) != APMU_OK)
		return;
	MUST(apmu_uarch_param(&changed, i, &now) && strcmp(now.value, value) == 0);
	if (apmu_uarch_check(&changed) || changed.l2.size > LARGEST || changed.l3.size > LARGEST)
		return;
	*p = changed;
}

/* A file of these bytes changes nothing, or all that it says, and then it fits together. */
static void from_text(struct apmu_uarch_params *p, struct bytes *b)
{
	struct apmu_uarch_params before = *p;
	struct apmu_uarch_fault fault;
	char *text = malloc(b->left + 1);

	MUST(text);
	memcpy(text, b->at, b->left);
	text[b->left] = '\0';
	int bad = apmu_uarch_read(p, text, &fault);
	MUST(bad ? memcmp(p, &before, sizeof before) == 0 && fault.text[0] : apmu_uarch_check(p) == NULL);
	if (p->l2.size > LARGEST || p->l3.size > LARGEST)
		*p = before;
	free(text);
}

static struct apmu_insn some_insn(void)
{
	static const uint8_t memory[] = {APMU_CLASS_LOAD, APMU_CLASS_STORE, APMU_CLASS_SWAP};
	struct apmu_insn x = {.cls = draw(2) ? memory[draw(9) % 3] : (uint8_t)draw(APMU_CLASSES)};

	x.reads = 1ull << draw(14) | 1ull << draw(64);
	x.shift_reads = x.reads & 1ull << draw(14);
	x.writes = 1ull << draw(draw(4) ? 14 : 64);
	x.width = (uint8_t)(1u << draw(4));
	x.flags = (uint16_t)(draw(5) ? 0 : draw(512) & ~(unsigned)APMU_INSN_KUSER);
	x.regs = (uint8_t)draw(17);
	x.size = 4;
	x.traits = draw(8) ? 0 : 1ull << draw(APMU_TRAITS);
	return x;
}

/* Blocks one behind the other; most end in a branch to the first. */
static void write_program(struct program *p)
{
	uint64_t addr = draw(8) ? 0x8000 : draw(UINT64_MAX) & ~(uint64_t)3, first = addr;

	p->base = draw(8) ? 0x100000 : draw(UINT64_MAX) & ~(uint64_t)4095;
	for (unsigned k = 0; k < BLOCKS; k++) {
		unsigned n = p->length[k] = (unsigned)(1 + draw(MOST));
		for (unsigned i = 0; i < n; i++, addr += 4) {
			p->insn[k][i] = some_insn();
			p->insn[k][i].addr = addr;
		}
		struct apmu_insn *last = &p->insn[k][n - 1];
		last->branch = (uint8_t)(draw(3) ? APMU_BRANCH_IMMED : draw(APMU_BRANCHES));
		if (last->branch >= APMU_BRANCH_IMMED && last->branch <= APMU_BRANCH_IMMED_X)
			last->target = first;
	}
}

static uint64_t some_address(const struct program *p, unsigned size)
{
	uint64_t at = p->base + draw(draw(16) ? 4096 : 1 << 22);

	if (draw(64) == 0)
		at = draw(2) ? UINT64_MAX - draw(8) : draw(UINT64_MAX);
	return draw(16) ? at & ~(uint64_t)(size - 1) : at;
}

static void tell(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr, bool store,
		 struct way how)
{
	if (s->unconditional && how.promised)
		(store ? apmu_uarch_store : apmu_uarch_load)(u, s, addr);
	else if (s->unconditional && how.watched)
		(store ? apmu_uarch_store_each : apmu_uarch_load_each)(u, s, addr);
	else
		apmu_uarch_access(u, s->block, s->index, addr, s->size, store);
}

/* The accesses of the first `n` instructions. */
static void accesses(struct apmu_uarch *u, const struct program *p, const struct apmu_block *b, unsigned k,
		     unsigned n, struct way how)
{
	for (unsigned i = 0; i < n; i++) {
		const struct apmu_insn *x = &p->insn[k][i];
		bool store = x->cls == APMU_CLASS_STORE;
		struct apmu_access_site site;
		if (x->traits >> APMU_TRAIT_ZVA & 1)
			apmu_uarch_zero(u, b, i, some_address(p, 1), 8u << draw(9));
		if (x->cls != APMU_CLASS_LOAD && x->cls != APMU_CLASS_SWAP && !store)
			continue;
		apmu_block_access_site(b, i, x->width, &site);
		unsigned times =
			site.unconditional ? 1 : (unsigned)draw(x->flags & APMU_INSN_MULTIPLE ? 17 : 3);
		for (uint64_t at = some_address(p, x->width); times--; at += x->width)
			tell(u, &site, at, store || (x->cls == APMU_CLASS_SWAP && draw(2)), how);
	}
}

static void no_mark(struct apmu_watch *watch, uint32_t gauge, enum apmu_where where, uint64_t addr)
{
	(void)where, (void)addr;
	watch->gauge[gauge].due += 10;
}

static void enter(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_watch *watch, struct way how)
{
	if (how.watched && draw(2))
		apmu_uarch_enter_watched(u, b, watch);
	else if (how.brief)
		enter_short(u, b);
	else
		apmu_uarch_enter(u, b);
}

static void live(struct apmu_uarch *u, const struct program *p, struct apmu_block *const *block,
		 const struct apmu_tally *t, struct way how)
{
	struct apmu_gauge gauge = {.n = {&t->n[APMU_SIG_CYCLES]}, .terms = 1};
	struct apmu_watch watch = {.gauge = &gauge, .gauges = 1, .reached = no_mark};
	unsigned k = 0;

	if (how.promised)
		apmu_uarch_precount(u);
	else if (how.watched)
		apmu_uarch_count_each(u);
	for (unsigned step = 0; step < STEPS; step++) {
		uint64_t ends = draw(64), on = draw(4), far = draw(16), other = draw(BLOCKS);
		uint64_t seed = random_state; /* a life watched draws once more */
		enter(u, block[k], &watch, how);
		random_state = seed;
		unsigned n = ends ? p->length[k] : (unsigned)draw(p->length[k]);
		accesses(u, p, block[k], k, n, how);
		if (ends == 0)
			apmu_uarch_abandon(u, n);
		else if (ends == 1)
			apmu_uarch_break(u);
		k = on && k + 1 < BLOCKS ? k + 1 : far ? 0 : (unsigned)other;
	}
	apmu_uarch_break(u); /* sure loads are waited for ahead, others when their block is left */
}

static struct apmu_tally life(const struct apmu_uarch_params *params, const struct program *p, uint64_t seed,
			      struct way how)
{
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
	struct apmu_tally t = {0};
	struct apmu_block *block[BLOCKS];

	for (int s = 0; s < APMU_SIGNALS; s++)
		if (how.signal < 0 || how.signal == s)
			apmu_signal_add(wanted, (unsigned)s);
	struct apmu_uarch *u = apmu_uarch_new(params, &t, wanted);
	MUST(u);
	for (unsigned k = 0; k < BLOCKS; k++)
		MUST((block[k] = apmu_block_new(params, p->insn[k], p->length[k])) != NULL);
	random_state = seed;
	live(u, p, block, &t, how);
	apmu_uarch_free(u);
	for (unsigned k = 0; k < BLOCKS; k++)
		apmu_block_free(block[k]);
	return t;
}

#define N(signal) t->n[APMU_SIG_##signal]

static void identities(const struct apmu_tally *t)
{
	MUST(N(BR_IMMED) + N(BR_OTHER) == N(BR_EXEC) && N(BR_EXEC) <= N(INST));
	MUST(N(BR_MIS_PRED) <= N(BR_EXEC) && N(PC_CHANGE) <= N(BR_EXEC));
	MUST(N(BR_IMMED_MIS_PRED) <= N(BR_IMMED));
	MUST(N(RETURN_MIS_PRED) <= N(RETURN_PRED) && N(RETURN_PRED) <= N(RETURN));
	MUST(N(L1I_FILL) <= N(L1I_MISS));
	MUST(N(L1D_ACCESS_CACHEABLE) <= N(L1D_ACCESS) && N(L1D_MISS) <= N(L1D_ACCESS));
	MUST(N(L1D_FILL) <= N(L1D_MISS) && N(L1D_FILL_RD) + N(L1D_FILL_WR) == N(L1D_FILL));
	MUST(N(L1D_FILL_INNER) + N(L1D_FILL_OUTER) == N(L1D_FILL));
	MUST(N(MEM_RD) + N(MEM_WR) == N(L1D_ACCESS));
	MUST(N(L1D_WB) <= N(L1D_FILL) + N(PREFETCH_FILL));
	MUST(N(DTLB_WALK) + N(ITLB_WALK) == N(TLB_WALK));
	MUST(N(TLB_WALK) <= N(L1I_TLB_REFILL) + N(L1D_TLB_REFILL));
	MUST(N(L2_FILL_RD) <= N(L2_RD) && N(L2_FILL_WR) <= N(L2_WR) && N(L2_FILL_FETCH) <= N(L2_FETCH));
	MUST(N(L3_FILL_RD) <= N(L3_RD) && N(L3_FILL_WR) <= N(L3_WR) && N(L3_FILL_FETCH) <= N(L3_FETCH));
	MUST(N(LL_MISS_RD) <= N(LL_RD) && N(L1D_WB_CLEAN) <= N(L1D_INVAL));
	MUST(N(OP_RETIRED) >= N(INST) && N(OP_SPEC) >= N(OP_RETIRED));
	MUST(N(FETCH_STALL) + N(DATA_STALL) + N(LSU_FULL_STALL) <= N(CYCLES));
	MUST(N(CYCLES) < (uint64_t)1 << 40); /* nothing was taken back twice */
}

static void same(const struct apmu_tally *a, const struct apmu_tally *b, struct way how)
{
	for (int s = 0; s < APMU_SIGNALS; s++) {
		if (a->n[s] == b->n[s] || (how.signal >= 0 && s != how.signal))
			continue;
		fprintf(stderr, "signal %d: %llu, not %llu (only %d, promised %d, watched %d, brief %d)\n", s,
			(unsigned long long)b->n[s], (unsigned long long)a->n[s], how.signal, how.promised,
			how.watched, how.brief);
		abort();
	}
}

/* What the row differs in, for who reads a finding. */
static void say(const struct apmu_uarch_params *p)
{
	struct apmu_uarch_param f;

	if (!getenv("APMU_VERBOSE"))
		return;
	fprintf(stderr, "like %s\n", p->name);
	for (size_t i = 0; apmu_uarch_param(p, i, &f); i++)
		if (strcmp(f.source, "set by the user") == 0)
			fprintf(stderr, "%s = %s\n", f.key, f.value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = {data, size};
	uint8_t mode = byte(&b), changes = byte(&b) % 16;
	struct apmu_uarch_params p = *apmu_uarch_at(byte(&b) % apmu_uarch_count());
	uint64_t seed = word(&b, 3);
	static struct program program;

	if (mode % 4 == 0)
		from_text(&p, &b);
	else
		while (changes--)
			change(&p, &b);
	say(&p);
	random_state = seed;
	write_program(&program);
	int one = (int)(seed % APMU_SIGNALS);
	struct way ways[] = {{.signal = one},
			     {.signal = one, .promised = true, .brief = true},
			     {.signal = one, .watched = true},
			     {.signal = -1, .promised = true},
			     {.signal = -1, .watched = true},
			     {.signal = APMU_SIG_CYCLES, .promised = true, .brief = true}};
	struct apmu_tally all = life(&p, &program, seed, (struct way){.signal = -1});
	identities(&all);
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		struct apmu_tally t = life(&p, &program, seed, ways[k]);
		same(&all, &t, ways[k]);
	}
	return 0;
}
