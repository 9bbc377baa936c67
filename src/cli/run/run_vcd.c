/* SPDX-License-Identifier: MIT */
/**
 * `apmu run --vcd FILE`: the PMU as a waveform (IEEE 1364, value change dump).
 *
 * One time unit is one core cycle. A value changes at the end of the instruction that made it; `bus` and
 * `event_*` are what that instruction added, and last for its cycles.
 */
#include "cli/run/run_watch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WAVES = 16 + APMU_COUNTERS };

struct wave {
	char name[18];
	unsigned bits;
	uint64_t value;
	bool known;
};

struct cli__vcd {
	const struct cli__cli *cli;
	const char *path;
	FILE *file;
	const struct apmu *pmu;
	struct wave wave[WAVES];
	unsigned waves;
	uint64_t time;
	bool timed; /* the current time has been written */
};

static void add(struct cli__vcd *v, unsigned bits, const char *name)
{
	struct wave *w = &v->wave[v->waves++];

	snprintf(w->name, sizeof w->name, "%s", name);
	w->bits = bits;
}

/* Declares the waves in the order in which look() and cli__vcd_step() set them. */
static void add_waves(struct cli__vcd *v, const struct apmu_core *core)
{
	static const struct {
		const char *name;
		unsigned bits;
	} fixed[] = {
		{"pc", 64},    {"el", 2},         {"irq", 1},           {"fiq", 1},    {"profiling", 1},
		{"enable", 1}, {"running", 33},   {"cnten", 33},        {"inten", 33}, {"overflow", 33},
		{"bus", 64},   {"event_inst", 8}, {"event_cycles", 64},
	};
	char name[18];

	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
		add(v, fixed[i].bits, fixed[i].name);
	add(v, 64, "cycle_counter");
	for (unsigned i = 0; i < core->counters; i++) {
		snprintf(name, sizeof name, "counter%u", i);
		add(v, 64, name);
	}
}

/* Identifiers are printable characters; two are enough. */
static void print_id(const struct cli__vcd *v, const struct wave *w)
{
	unsigned i = (unsigned)(w - v->wave);

	fprintf(v->file, "%c%c", '!' + (int)(i / 64), '!' + (int)(i % 64));
}

static void header(struct cli__vcd *v, const struct apmu_core *core)
{
	fprintf(v->file, "$comment one time unit is one core cycle $end\n$timescale 1 ns $end\n$scope module "
			 "pmu $end\n");
	fprintf(v->file, "$comment %s $end\n", core->name);
	for (unsigned i = 0; i < v->waves; i++) {
		fprintf(v->file, "$var wire %u ", v->wave[i].bits);
		print_id(v, &v->wave[i]);
		fprintf(v->file, " %s $end\n", v->wave[i].name);
	}
	fputs("$upscope $end\n$enddefinitions $end\n", v->file);
}

struct cli__vcd *cli__vcd_open(struct cli__cli *cli, const struct cli__run_watch_options *options)
{
	struct cli__vcd *v = cli__zalloc(1, sizeof *v);

	v->cli = cli;
	v->path = options->vcd;
	v->file = fopen(options->vcd, "w");
	if (!v->file) {
		cli__message(cli, "cannot write '%s': %s", options->vcd, strerror(errno));
		free(v);
		return NULL;
	}
	add_waves(v, options->core);
	header(v, options->core);
	return v;
}

static void print_value(struct cli__vcd *v, const struct wave *w)
{
	char bits[65];
	unsigned n = 0;

	if (w->bits == 1) {
		fprintf(v->file, "%u", (unsigned)w->value);
	} else {
		for (unsigned i = w->bits; i-- > 0;)
			if (n > 0 || i == 0 || (w->value >> i & 1))
				bits[n++] = (char)('0' + (w->value >> i & 1));
		fprintf(v->file, "b%.*s ", (int)n, bits);
	}
	print_id(v, w);
	fputc('\n', v->file);
}

static void set(struct cli__vcd *v, unsigned i, uint64_t value)
{
	struct wave *w = &v->wave[i];

	if (w->bits < 64)
		value &= ((uint64_t)1 << w->bits) - 1;
	if (w->known && w->value == value)
		return;
	if (!v->timed)
		fprintf(v->file, "#%" PRIu64 "\n", v->time);
	v->timed = true;
	w->value = value;
	w->known = true;
	print_value(v, w);
}

/* Sets all waves but the counters and what an instruction added. Returns the index of the next wave. */
static unsigned look(struct cli__vcd *v, uint64_t pc)
{
	const struct apmu *pmu = v->pmu;
	unsigned i = 0;

	set(v, i++, pc);
	set(v, i++, pmu->s.mode.el);
	set(v, i++, apmu_line_up(pmu, APMU_LINE_IRQ));
	set(v, i++, apmu_line_up(pmu, APMU_LINE_FIQ));
	set(v, i++, apmu_line_up(pmu, APMU_LINE_PROFILING));
	set(v, i++, pmu->s.word[APMU_WORD_ENABLE] & 1);
	set(v, i++, pmu->running);
	set(v, i++, pmu->s.cnten);
	set(v, i++, pmu->s.inten);
	set(v, i++, pmu->s.overflow);
	return i;
}

static void counters(struct cli__vcd *v, unsigned i)
{
	set(v, i++, v->pmu->s.counter[APMU_CYCLE_COUNTER]);
	for (unsigned n = 0; n < v->pmu->core->counters; n++)
		set(v, i++, v->pmu->s.counter[n]);
}

void cli__vcd_attach(struct cli__vcd *v, const struct apmu *pmu)
{
	v->pmu = pmu;
}

void cli__vcd_step(struct cli__vcd *v, uint64_t pc, uint64_t cycle, const struct apmu_tally *gained)
{
	unsigned i;

	if (cycle > v->time || !v->timed) {
		v->time = cycle;
		v->timed = false;
	}
	i = look(v, pc);
	set(v, i++, apmu_export(v->pmu, gained));
	set(v, i++, gained->n[APMU_SIG_INST]);
	set(v, i++, gained->n[APMU_SIG_CYCLES]);
	counters(v, i);
}

int cli__vcd_close(struct cli__vcd *v)
{
	int status = 0;

	if (!v)
		return 0;
	fprintf(v->file, "#%" PRIu64 "\n", v->time + 1);
	bool whole = !ferror(v->file);
	errno = EIO; /* of an earlier write the reason is gone */
	if (fclose(v->file) != 0 || !whole) {
		cli__message(v->cli, "%s: %s", v->path, strerror(errno));
		status = CLI__EXIT_FAILURE;
	}
	free(v);
	return status;
}
