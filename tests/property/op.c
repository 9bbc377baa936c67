/* SPDX-License-Identifier: MIT */
#include "life.h"

#include <stdio.h>
#include <string.h>

uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->s += 0x9E3779B97F4A7C15;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
	z = (z ^ z >> 27) * 0x94D049BB133111EB;
	return z ^ z >> 31;
}

unsigned rng_below(struct rng *r, unsigned n)
{
	return (unsigned)(rng_next(r) >> 32) % n;
}

bool rng_one_in(struct rng *r, unsigned n)
{
	return rng_below(r, n) == 0;
}

/* A random mode, mostly not halted, since ARM11 counts nothing there. Monitor mode is always Secure. */
static struct apmu_mode draw_mode(struct rng *r)
{
	struct apmu_mode mode = {
		.el = (uint8_t)rng_below(r, 2),
		.security = (uint8_t)rng_below(r, 2),
		.debug_halted = rng_one_in(r, 10),
	};

	if (mode.security == APMU_SECURE && rng_one_in(r, 8))
		mode.el = 3;
	return mode;
}

static struct apmu_inputs draw_inputs(struct rng *r)
{
	return (struct apmu_inputs){
		.dbgen = !rng_one_in(r, 4),
		.niden = !rng_one_in(r, 2),
		.spiden = rng_one_in(r, 2),
		.spniden = rng_one_in(r, 2),
		.cp15sdisable = rng_one_in(r, 4),
		.export_heard = rng_one_in(r, 4),
	};
}

/* A random count of signal `s` in one cycle, up to its step. */
static uint8_t draw_count(struct rng *r, unsigned s)
{
	return (uint8_t)(1 + rng_below(r, apmu_signal_row(s)->step));
}

static bool drawn(const struct op *op, unsigned signal)
{
	for (unsigned i = 0; i < op->signals; i++)
		if (op->signal[i] == signal)
			return true;
	return false;
}

static void draw_signals(struct op *op, struct rng *r, const struct family *f)
{
	unsigned n = rng_below(r, OP_SIGNALS + 1);

	for (unsigned i = 0; i < n; i++) {
		uint16_t s = rng_one_in(r, 3) ? (uint16_t)rng_below(r, APMU_SIGNALS)
					      : f->hot[rng_below(r, (unsigned)f->hots)];

		if (s == APMU_SIG_CYCLES || drawn(op, s))
			continue;
		op->signal[op->signals] = s;
		op->count[op->signals++] = draw_count(r, s);
	}
}

/* One cycle, a few, or enough to pass the divide-by-64; with or without events. */
static void draw_cycles(struct op *op, struct rng *r, const struct family *f)
{
	op->value = 1;
	if (rng_one_in(r, 4))
		op->value = 1 + rng_below(r, 8);
	if (rng_one_in(r, 32))
		op->value = 1 + rng_below(r, 200);
	if (!rng_one_in(r, 8))
		draw_signals(op, r, f);
}

/* A register of the family, mostly from a mode that may access it. */
static struct apmu_access draw_access(struct rng *r, const struct family *f)
{
	struct apmu_access at = {
		.view = APMU_VIEW_CP,
		.encoding = f->encoding[rng_below(r, (unsigned)f->encodings)],
		.from = {.el = 1, .security = rng_one_in(r, 4) ? APMU_NONSECURE : APMU_SECURE},
	};

	if (rng_one_in(r, 4))
		at.encoding = f->encoding[0]; /* the control register */
	if (rng_one_in(r, 6))
		at.from = draw_mode(r);
	return at;
}

/* An encoding next to a register's, or one in another view; mostly there is no register. */
static struct apmu_access draw_probe(struct rng *r, const struct family *f)
{
	struct apmu_access at = draw_access(r, f);

	at.from = draw_mode(r);
	at.encoding ^= 1u << rng_below(r, 20);
	if (rng_one_in(r, 4))
		at.encoding = (uint32_t)rng_next(r);
	if (rng_one_in(r, 3))
		at.view = (enum apmu_view)rng_below(r, APMU_VIEWS);
	return at;
}

static enum op_kind draw_kind(struct rng *r)
{
	static const struct {
		uint8_t upto;
		enum op_kind kind;
	} share[] = {
		{46, OP_CYCLES}, {52, OP_LATE},   {82, OP_WRITE}, {86, OP_PROBE},   {92, OP_ENTER},
		{95, OP_INPUT},  {96, OP_ERRATA}, {98, OP_SAVE},  {99, OP_RESTORE}, {100, OP_RESET},
	};
	unsigned p = rng_below(r, 100);
	size_t i = 0;

	while (p >= share[i].upto)
		i++;
	return share[i].kind;
}

void op_draw(struct op *op, struct rng *r, const struct subject *subject)
{
	const struct family *f = subject->family;

	memset(op, 0, sizeof *op);
	if (f->draw) {
		f->draw(op, r, subject);
		return;
	}
	op->kind = (uint8_t)draw_kind(r);
	op->turn = (uint32_t)rng_next(r);
	switch ((enum op_kind)op->kind) {
	case OP_CYCLES: draw_cycles(op, r, f); break;
	case OP_LATE: op->value = 1, draw_signals(op, r, f); break;
	case OP_WRITE:
		op->at = rng_one_in(r, 20) ? draw_probe(r, f) : draw_access(r, f);
		op->value = f->value(r, op->at.encoding, rng_next(r));
		break;
	case OP_PROBE: op->at = draw_probe(r, f); break;
	case OP_ENTER: op->mode = draw_mode(r); break;
	case OP_INPUT: op->in = draw_inputs(r); break;
	case OP_ERRATA: op->value = rng_below(r, 8); break;
	default: break;
	}
}

static void print_mode(struct apmu_mode m)
{
	static const char *const world[] = {"non-secure", "secure", "realm", "root"};

	printf("el%u %s%s%s", m.el, world[m.security & 3], m.debug_halted ? " halted" : "",
	       m.debug_port ? " by the debug port" : "");
}

static void print_access(struct apmu_access at)
{
	uint32_t e = at.encoding;

	if (at.view == APMU_VIEW_CP && e >> 20 == 0)
		printf("p%u,%u,c%u,c%u,%u", e >> 16 & 15, e >> 12 & 15, e >> 8 & 15, e >> 4 & 15, e & 15);
	else
		printf("view %d encoding 0x%X", (int)at.view, (unsigned)e);
	printf(" from ");
	print_mode(at.from);
}

static void print_cycles(const struct op *op)
{
	printf("%llu cycle%s", (unsigned long long)op->value, op->value == 1 ? "" : "s, in each");
	for (unsigned i = 0; i < op->signals; i++)
		printf(" %s*%u", apmu_signal_row(op->signal[i])->name, op->count[i]);
}

static void print_inputs(struct apmu_inputs in)
{
	printf("inputs: dbgen %d niden %d spiden %d spniden %d cp15sdisable %d export_heard %d", in.dbgen,
	       in.niden, in.spiden, in.spniden, in.cp15sdisable, in.export_heard);
}

static void print_machine(const struct apmu_machine_state *m)
{
	const struct {
		const char *name;
		uint64_t value;
	} part[] = {
		{"hcr_el2", m->hcr_el2},         {"scr_el3", m->scr_el3},
		{"hstr_el2", m->hstr_el2},       {"mdcr_el2", m->mdcr_el2},
		{"mdcr_el3", m->mdcr_el3},       {"hdfgrtr_el2", m->hdfgrtr_el2},
		{"hdfgwtr_el2", m->hdfgwtr_el2}, {"hdfgrtr2_el2", m->hdfgrtr2_el2},
		{"hdfgwtr2", m->hdfgwtr2_el2},   {"sder", m->sder},
		{"aarch32", m->aarch32},         {"streaming", m->streaming},
		{"pm", m->profiling_masked},     {"spe_stopped", m->spe_stopped},
		{"edscr_sdd", m->edscr_sdd},     {"os_lock", m->os_lock},
		{"double_lock", m->double_lock}, {"powered_off", m->powered_off},
		{"edecr_pme", m->edecr_pme},     {"brbe_fzp1", m->brbe_fzp1},
		{"brbe_fzp2", m->brbe_fzp2},
	};

	printf("machine:");
	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
		if (part[i].value)
			printf(" %s=0x%llX", part[i].name, (unsigned long long)part[i].value);
}

void op_print(const struct op *op)
{
	switch ((enum op_kind)op->kind) {
	case OP_CYCLES: print_cycles(op); break;
	case OP_LATE: print_cycles(op), printf(" (left pending)"); break;
	case OP_WRITE: printf("write 0x%llX to ", (unsigned long long)op->value), print_access(op->at); break;
	case OP_PROBE: printf("read "), print_access(op->at); break;
	case OP_ENTER: printf("enter "), print_mode(op->mode); break;
	case OP_INPUT: print_inputs(op->in); break;
	case OP_ERRATA: printf("errata 0x%llX", (unsigned long long)op->value); break;
	case OP_SAVE: printf("save"); break;
	case OP_RESTORE: printf("restore"); break;
	case OP_RESET: printf("reset"); break;
	case OP_MACHINE: print_machine(&op->machine); break;
	case OP_CAPTURE: printf("capture"); break;
	case OP_KINDS: break;
	}
	printf("\n");
}
