/* SPDX-License-Identifier: MIT */
/* The PMU on the bench: words, single accesses, what it looks like now. */
#include "module.h"

const char *const outcome_names[] = {"done", "undefined", "trap to EL1", "trap to EL2", "trap to EL3"};

/* The bench holds core `index` out of reset. */
EXPORT("start") void start(unsigned index)
{
	vec_power_on(&bench, apmu_core_at(index), VEC_STRAIGHT);
}

/* Does the words in the input buffer. 1, or 0 with the reason in the output buffer. */
EXPORT("perform") int perform(void)
{
	bool ok;

	begin();
	bench.why[0] = '\0';
	ok = vec_do(&bench, input);
	if (!ok)
		put("%s", bench.why);
	return ok;
}

/* The name of counter n's register, where `name` has "<n>" for it. */
static void numbered(char out[NAME], const char *name, unsigned n)
{
	const char *mark = strstr(name, "<n>");

	if (!mark)
		snprintf(out, NAME, "%s", name);
	else
		snprintf(out, NAME, "%.*s%u%s", (int)(mark - name), name, n, mark + 3);
}

static void put_value(const char *name)
{
	struct apmu_access at = {.from = vec_observer(bench.pmu.core)};
	uint64_t value;

	if (!vec_register(bench.pmu.core, name, &at) || apmu_read(&bench.pmu, at, &value) != APMU_DONE)
		return;
	put_comma();
	put("{\"name\":\"%s\",\"value\":\"0x%" PRIx64 "\"}", name, value);
}

static void put_values(const struct apmu_core *core)
{
	char name[NAME];

	put(",\"registers\":[");
	for (size_t i = 0; i < apmu_reg_count(core); i++) {
		const struct apmu_reg *reg = apmu_reg_nth(core, i);
		if (!reachable(core, reg))
			continue;
		for (unsigned n = 0; n == 0 || (strstr(reg->name, "<n>") && n < core->counters); n++) {
			numbered(name, reg->name, n);
			put_value(name);
		}
	}
	put("]");
}

static void put_counter(const struct apmu *pmu, unsigned i)
{
	const struct apmu_event *event = pmu->event[i];

	put_comma();
	put("{\"index\":%u,\"value\":\"0x%" PRIx64 "\",\"enabled\":%u,\"counting\":%u,\"filtered\":%u,"
	    "\"overflow\":%u,\"interrupt\":%u",
	    i, pmu->s.counter[i], (unsigned)(pmu->s.cnten >> i & 1), (unsigned)(pmu->running >> i & 1),
	    (unsigned)(pmu->filtered >> i & 1), (unsigned)(pmu->s.overflow >> i & 1),
	    (unsigned)(pmu->s.inten >> i & 1));
	put_member("event", i == APMU_CYCLE_COUNTER   ? "CYCLES"
			    : i == APMU_INSTR_COUNTER ? "INST"
			    : event                   ? event->name
						      : NULL);
	put("}");
}

/* What the PMU on the bench looks like now: mode, lines, counters, registers, notes. */
EXPORT("look") void look(void)
{
	static const char *const line_names[] = {"irq", "fiq", "profiling", "trigger", "debug", "brbe"};
	static const char *const note_names[] = {"reserved-bits",  "reserved-event", "select-while-on",
						 "export-unheard", "absent-counter", "hpmn-range",
						 "not-software"};
	const struct apmu *pmu = &bench.pmu;

	vec_settle(&bench);
	begin();
	put("{\"el\":%u,\"security\":%u,\"halted\":%s,\"lines\":{", bench.mode.el, bench.mode.security,
	    bench.mode.debug_halted ? "true" : "false");
	for (unsigned i = 0; i < APMU_LINES; i++)
		put("%s\"%s\":%u", i ? "," : "", line_names[i], apmu_line_up(pmu, (enum apmu_line)i));
	put("},\"notes\":{");
	for (unsigned i = 0; i < APMU_NOTES; i++)
		put("%s\"%s\":%u", i ? "," : "", note_names[i], bench.notes[i]);
	put("},\"target\":%u,\"counters\":[", apmu_profiling(pmu));
	for (unsigned i = 0; i < APMU_COUNTERS; i++)
		if (pmu->exists >> i & 1)
			put_counter(pmu, i);
	put("]");
	put_values(pmu->core);
	put("}");
}

/* One access, as "read PMCR_EL0@el1" or "write PMCR_EL0@el1=5" in the input buffer; its outcome, the value
 * read, and the syndrome (ESR_ELx) of a refusal. */
EXPORT("access") void access_one(void)
{
	struct apmu_access at;
	enum apmu_outcome outcome;
	uint64_t value = 0;
	bool write = !strncmp(input, "write ", 6);
	char *reg = strchr(input, ' '), *equals = strchr(input, '=');

	begin();
	bench.why[0] = '\0';
	if (equals)
		*equals++ = '\0';
	vec_settle(&bench);
	if (!reg || (write && (!equals || !vec_number(equals, &value))) ||
	    !vec_access(&bench, reg + 1, bench.mode, &at)) {
		put("{\"error\":");
		put_string(bench.why[0] ? bench.why : "a write needs a number: 5, 0x40 or 1<<31");
		put("}");
		return;
	}
	outcome = write ? apmu_write(&bench.pmu, at, value) : apmu_read(&bench.pmu, at, &value);
	put("{\"outcome\":\"%s\",\"value\":\"0x%" PRIx64 "\"", outcome_names[outcome], value);
	if (outcome != APMU_DONE)
		put(",\"syndrome\":\"0x%08" PRIx32 "\"",
		    apmu_syndrome(&bench.pmu, at, outcome, write, 0, 0, 14));
	put("}");
}
