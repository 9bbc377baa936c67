/* SPDX-License-Identifier: MIT */
/* `apmu run --vcd`: what a reader of the file finds is what the machine did, cycle by cycle. */
#define _POSIX_C_SOURCE 200809L /* mkstemp() */
#include "cli/run/run_watch.h"
#include "guest.h"
#include "vcd_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

enum { MOST = 4096 };

/* What the machine was after the instruction that ended at a cycle. */
static struct sample {
	uint64_t cycle, pc, counter0, cycles, overflow, running, bus, inst;
	bool irq, enable;
	uint8_t el;
} sample[MOST];
static size_t samples;
static struct apmu_machine *machine;

static void on_step(void *ctx, uint64_t pc, uint64_t cycle, const struct apmu_tally *gained)
{
	const struct apmu *pmu = apmu_machine_pmu(machine);

	(void)ctx;
	if (samples == MOST)
		return;
	sample[samples++] = (struct sample){.cycle = cycle,
					    .pc = pc,
					    .counter0 = pmu->s.counter[0],
					    .cycles = pmu->s.counter[APMU_CYCLE_COUNTER],
					    .overflow = pmu->s.overflow,
					    .running = pmu->running,
					    .bus = apmu_export(pmu, gained),
					    .irq = apmu_line_up(pmu, APMU_LINE_IRQ),
					    .enable = pmu->s.word[APMU_WORD_ENABLE] & 1,
					    .el = pmu->s.mode.el,
					    .inst = gained->n[APMU_SIG_INST]};
}

static void write_reg(struct guest *g, unsigned op2, uint32_t value)
{
	guest_load(g, 0, value);
	guest_access(g, (struct apmu_access){APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, op2), {0}}, true, 0, 2);
}

/* ARM1176: PMN0 counts instructions, overflows once with its interrupt on, is acknowledged; User mode; the
 * bus is on. */
static void program(struct guest *g)
{
	guest_start(g, GUEST_A32);
	guest_prologue(g);
	write_reg(g, 2, 0xFFFFFFC0);
	write_reg(g, 0, 0x0070B811);
	guest_loop(g, 40);
	write_reg(g, 0, 0x0070B911);
	guest_to_user(g);
	guest_data_access(g, false);
	guest_to_privileged(g);
	write_reg(g, 0, 0x0070B010);
	guest_exit(g);
}

static void run(const struct guest *g, struct apmu_observer observer, struct cli__run_watch *watch)
{
	struct apmu_machine_config config = {
		.core = apmu_core_find("arm1176"), .cpi = 1, .observer = observer};
	struct apmu_stop stop;
	char error[120];

	CHECK_EQ(apmu_machine_new(&config, &machine, error, sizeof error), 0);
	cli__run_watch_attach(watch, apmu_machine_pmu(machine));
	CHECK_EQ(apmu_machine_load(machine, g->byte, GUEST_CODE, 0, false, error, sizeof error), 0);
	CHECK_EQ(apmu_machine_load(machine, g->byte + GUEST_CODE, g->here - GUEST_CODE, GUEST_CODE, true,
				   error, sizeof error),
		 0);
	CHECK_EQ(apmu_machine_run(machine, MOST, &stop), 0);
	CHECK_EQ(stop.reason, APMU_STOP_EXIT);
	apmu_machine_free(machine);
}

static uint64_t wire(const struct vcd_reader *r, const char *name)
{
	const struct vcd_wire *w = vcd_wire(r, name);

	if (!w || !w->known)
		fail_msg("no value of %s at %" PRIu64, name, r->time);
	return w->value;
}

static void same(const struct vcd_reader *r, const struct sample *s)
{
	CHECK_EQ(wire(r, "pc"), s->pc);
	CHECK_EQ(wire(r, "el"), s->el);
	CHECK_EQ(wire(r, "irq"), s->irq);
	CHECK_EQ(wire(r, "enable"), s->enable);
	CHECK_EQ(wire(r, "overflow"), s->overflow);
	CHECK_EQ(wire(r, "running"), s->running);
	CHECK_EQ(wire(r, "counter0"), s->counter0);
	CHECK_EQ(wire(r, "cycle_counter"), s->cycles);
	CHECK_EQ(wire(r, "bus"), s->bus);
	CHECK_EQ(wire(r, "event_inst"), s->inst);
}

TEST(the_waveform_is_what_the_machine_did)
{
	static struct guest g;
	char path[] = "/tmp/apmu-vcd-XXXXXX";
	struct cli__cli cli = {.out = stdout, .err = stderr, .command = "run"};
	struct cli__run_watch_options options = {.core = apmu_core_find("arm1176"), .vcd = path};
	struct cli__run_watch *watch;
	struct apmu_observer observer;
	struct vcd_reader r;
	size_t i = 0;
	unsigned rises = 0, buses = 0;

	close(mkstemp(path));
	program(&g);
	run(&g, (struct apmu_observer){.step = on_step}, NULL);
	CHECK_EQ(cli__run_watch_open(&cli, &options, &watch, &observer), 0);
	run(&g, observer, watch);
	CHECK_EQ(cli__run_watch_close(watch), 0);

	if (!vcd_open(&r, path))
		fail_msg("%s", r.error);
	for (bool was = false; vcd_moment(&r) && i < samples; i++) {
		CHECK_EQ(r.time, sample[i].cycle);
		same(&r, &sample[i]);
		rises += sample[i].irq && !was;
		buses += sample[i].bus != 0;
		was = sample[i].irq;
	}
	if (*r.error)
		fail_msg("%s", r.error);
	vcd_close(&r);
	unlink(path);
	CHECK_EQ(i, samples);
	CHECK(samples > 100 && rises == 1 && buses > 50);
}

TEST(a_file_that_cannot_be_written_is_said_before_the_run)
{
	char *text;
	size_t size;
	FILE *err = open_memstream(&text, &size);
	struct cli__cli cli = {.out = stdout, .err = err, .command = "run"};
	struct cli__run_watch_options options = {.core = apmu_core_find("arm1176"),
						 .vcd = "/nowhere/at/all.vcd"};
	struct cli__run_watch *watch;
	struct apmu_observer observer;

	CHECK_EQ(cli__run_watch_open(&cli, &options, &watch, &observer), CLI__EXIT_FAILURE);
	CHECK(watch == NULL);
	fclose(err);
	CHECK(strstr(text, "/nowhere/at/all.vcd") != NULL);
	free(text);
}
