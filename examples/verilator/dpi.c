/* SPDX-License-Identifier: MIT */
/**
 * The model behind SystemVerilog's DPI-C: one PMU, which is given the events of each cycle.
 *
 * Only integers and strings cross the interface, so no header of a simulator is included. Order of calls in a
 * cycle: apmu_pulse() for each event, apmu_cycle(), then the register write of the same clock edge. A real
 * bench would allocate a struct unit per PMU and pass it as a chandle.
 */
#include <apmu/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void apmu_open(const char *core);
int apmu_signal(const char *name);
void apmu_pulse(int signal, int count);
void apmu_cycle(void);
void apmu_mcr(int opc2, int value);
int apmu_mrc(int opc2);
int apmu_irq(void);

static struct unit {
	struct apmu_tally tally;
	struct apmu pmu;
} unit;

static struct apmu_access reg(int opc2)
{
	return (struct apmu_access){APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, (unsigned)opc2), {.el = 1}};
}

void apmu_open(const char *core)
{
	const struct apmu_core *row = apmu_core_find(core);

	if (!row) {
		fprintf(stderr, "no core \"%s\"\n", core);
		exit(1);
	}
	apmu_init(&unit.pmu, row, &unit.tally, (struct apmu_lines){0});
	apmu_enter(&unit.pmu, (struct apmu_mode){.el = 1});
}

int apmu_signal(const char *name)
{
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (!strcmp(apmu_signal_row(s)->name, name))
			return (int)s;
	fprintf(stderr, "no signal \"%s\": spec/signals.sig has the list\n", name);
	exit(1);
}

void apmu_pulse(int signal, int count)
{
	unit.tally.n[signal] += (unsigned)count;
}

void apmu_cycle(void)
{
	unit.tally.n[APMU_SIG_CYCLES]++;
	apmu_advance(&unit.pmu);
}

void apmu_mcr(int opc2, int value)
{
	(void)apmu_write(&unit.pmu, reg(opc2), (uint32_t)value);
}

int apmu_mrc(int opc2)
{
	uint64_t value = 0;

	(void)apmu_read(&unit.pmu, reg(opc2), &value);
	return (int)(uint32_t)value;
}

int apmu_irq(void)
{
	return apmu_line_up(&unit.pmu, APMU_LINE_IRQ);
}
