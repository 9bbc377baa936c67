/* SPDX-License-Identifier: MIT */
/**
 * The WebAssembly module of the register and event explorer: the description as JSON, one PMU on a bench, and
 * the conformance vectors. It is the library's own code; JavaScript holds no rule of a PMU.
 *
 * Text goes in through input_buffer() and comes out of output_buffer(), both UTF-8 and ended by a zero byte.
 * The bench does the words of tests/conformance/README.md, so that what was tried in the page is a vector.
 * One thread; nothing is allocated.
 */
#include <apmu/core.h>
#include <apmu/metric.h>
#include <apmu/model.h>

#include "cli/common/register_encoding.h"
#include "conformance/vec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))

enum { INPUT = 1 << 16, OUTPUT = 1 << 20, NAME = 64 };

static char input[INPUT], output[OUTPUT];
static size_t used;
static struct vec_bench bench;

EXPORT("input_buffer") char *input_buffer(void)
{
	return input;
}

EXPORT("input_size") unsigned input_size(void)
{
	return INPUT;
}

EXPORT("output_buffer") char *output_buffer(void)
{
	return output;
}

/* What does not fit is cut off, so that the page's JSON.parse() fails rather than shows half a list. */
__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(output + used, OUTPUT - used, format, list);
	va_end(list);
	if (n > 0)
		used += (size_t)n < OUTPUT - used ? (size_t)n : OUTPUT - used - 1;
}

static void put_string(const char *text)
{
	if (!text) {
		put("null");
		return;
	}
	put("\"");
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			put("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			put("\\u%04x", (unsigned)(unsigned char)*text);
		else
			put("%c", *text);
	put("\"");
}

static void put_member(const char *name, const char *text)
{
	put(",\"%s\":", name);
	put_string(text);
}

static bool has(const struct apmu_core *core, unsigned feature)
{
	return core->features >> feature & 1;
}

/* A mode of a core, in the vectors' words, and what a reader calls it. */
struct mode_row {
	const char *word, *name;
	uint8_t rule;    /* enum apmu_access_rule_of */
	uint8_t feature; /* that the core must have, or 0xFF */
	uint8_t without; /* that it must not have, or 0xFF */
};

static const struct mode_row modes[] = {
	{"user", "User", APMU_ACCESS_PLAIN, 0xFF, APMU_FEATURE_TRUSTZONE},
	{"priv", "Privileged", APMU_ACCESS_PLAIN, 0xFF, APMU_FEATURE_TRUSTZONE},
	{"user-ns", "Non-secure User", APMU_ACCESS_PLAIN, APMU_FEATURE_TRUSTZONE, 0xFF},
	{"priv-ns", "Non-secure privileged", APMU_ACCESS_PLAIN, APMU_FEATURE_TRUSTZONE, 0xFF},
	{"user-secure", "Secure User", APMU_ACCESS_PLAIN, APMU_FEATURE_TRUSTZONE, 0xFF},
	{"priv-secure", "Secure privileged", APMU_ACCESS_PLAIN, APMU_FEATURE_TRUSTZONE, 0xFF},
	{"user-ns", "Non-secure PL0", APMU_ACCESS_V7, 0xFF, 0xFF},
	{"priv-ns", "Non-secure PL1", APMU_ACCESS_V7, 0xFF, 0xFF},
	{"hyp-ns", "Hyp (PL2)", APMU_ACCESS_V7, APMU_FEATURE_EL2, 0xFF},
	{"user-secure", "Secure PL0", APMU_ACCESS_V7, 0xFF, 0xFF},
	{"priv-secure", "Secure PL1", APMU_ACCESS_V7, 0xFF, 0xFF},
	{"el0", "EL0", APMU_ACCESS_V8, 0xFF, 0xFF},
	{"el1", "EL1", APMU_ACCESS_V8, 0xFF, 0xFF},
	{"el2", "EL2", APMU_ACCESS_V8, APMU_FEATURE_EL2, 0xFF},
	{"el0-secure", "Secure EL0", APMU_ACCESS_V8, APMU_FEATURE_EL3, 0xFF},
	{"el1-secure", "Secure EL1", APMU_ACCESS_V8, APMU_FEATURE_EL3, 0xFF},
	{"el2-secure", "Secure EL2", APMU_ACCESS_V8, APMU_FEATURE_SEL2, 0xFF},
	{"el0-realm", "Realm EL0", APMU_ACCESS_V8, APMU_FEATURE_RME, 0xFF},
	{"el1-realm", "Realm EL1", APMU_ACCESS_V8, APMU_FEATURE_RME, 0xFF},
	{"el2-realm", "Realm EL2", APMU_ACCESS_V8, APMU_FEATURE_RME, 0xFF},
	{"el3", "EL3", APMU_ACCESS_V8, APMU_FEATURE_EL3, 0xFF},
};

static bool mode_exists(const struct apmu_core *core, const struct mode_row *m)
{
	return m->rule == core->access_rule && (m->feature == 0xFF || has(core, m->feature)) &&
	       (m->without == 0xFF || !has(core, m->without));
}

static void put_modes(const struct apmu_core *core)
{
	const char *comma = "";

	put(",\"modes\":[");
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (mode_exists(core, &modes[i])) {
			put("%s[\"%s\",\"%s\"]", comma, modes[i].word, modes[i].name);
			comma = ",";
		}
	put("]");
}

/* Every core: names, counters, the modes that it has. */
EXPORT("list_cores") void list_cores(void)
{
	used = 0;
	put("[");
	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_core *core = apmu_core_at(i);
		put("%s{\"index\":%zu", i ? "," : "", i);
		put_member("name", core->name);
		put_member("title", core->title);
		put_member("family", core->family);
		put_member("unverified", core->unverified_text);
		put(",\"counters\":%u,\"width\":%u,\"midr\":\"0x%08" PRIx32 "\",\"aliases\":[",
		    core->counters, core->width, core->midr);
		for (size_t k = 0; core->alias && core->alias[k]; k++) {
			put("%s", k ? "," : "");
			put_string(core->alias[k]);
		}
		put("]");
		put_modes(core);
		put("}");
	}
	put("]");
}

static const char *const view_names[] = {"MRC/MCR", "MRRC/MCRR", "MRS/MSR", "frame", "64-bit frame"};

/* A register that this core cannot reach is not one of its own. */
static bool reachable(const struct apmu_core *core, const struct apmu_reg *reg)
{
	for (unsigned i = 0; i < reg->encodings; i++)
		if (apmu_encoding_reaches(core, reg, &reg->at[i]))
			return true;
	return false;
}

static void put_encodings(const struct apmu_core *core, const struct apmu_reg *reg)
{
	const char *comma = "";

	put(",\"encodings\":[");
	for (unsigned i = 0; i < reg->encodings; i++) {
		const struct apmu_encoding *at = &reg->at[i];
		char text[CLI__ENCODING];
		if (!apmu_encoding_reaches(core, reg, at))
			continue;
		cli__encoding_text(text, at);
		put("%s{\"view\":%u,\"way\":\"%s\",\"text\":\"%s\",\"form\":%u,\"stride\":%u,\"lo\":%u,"
		    "\"width\":%u,"
		    "\"encoding\":%" PRIu32 "}",
		    comma, at->view, view_names[at->view], text, at->form, at->stride, at->lo, at->width,
		    at->encoding);
		comma = ",";
	}
	put("]");
}

static const char *kind_name(enum apmu_kind kind)
{
	switch (kind) {
	case APMU_KIND_RW: return "rw";
	case APMU_KIND_RO: return "ro";
	case APMU_KIND_WO: return "wo";
	case APMU_KIND_W1C: return "w1c";
	case APMU_KIND_W1S: return "w1s";
	case APMU_KIND_DO: return "do";
	case APMU_KIND_CONST: return "const";
	case APMU_KIND_UNP: return "unp";
	case APMU_KIND_RES0: return "res0";
	case APMU_KIND_RES1: return "res1";
	case APMU_KIND_RAO_W1S: return "rao";
	}
	return "?";
}

static void put_fields(const struct apmu_core *core, const struct apmu_reg *reg)
{
	put(",\"fields\":[");
	for (unsigned i = 0; i < reg->fields; i++) {
		const struct apmu_field *field = &reg->field[i];
		put("%s{\"hi\":%u,\"lo\":%u,\"kind\":\"%s\",\"event\":%s", i ? "," : "", field->hi, field->lo,
		    kind_name(apmu_field_kind(field, core->features)),
		    field->place.kind == APMU_PLACE_TYPE && field->place.lsb == 0 ? "true" : "false");
		put_member("name", field->name);
		put_member("text", field->text);
		put("}");
	}
	put("]");
}

/* The registers of core `index`, with their encodings and fields. */
EXPORT("list_registers") void list_registers(unsigned index)
{
	const struct apmu_core *core = apmu_core_at(index);
	const char *comma = "";

	used = 0;
	put("[");
	for (size_t i = 0; i < apmu_reg_count(core); i++) {
		const struct apmu_reg *reg = apmu_reg_nth(core, i);
		if (!reachable(core, reg))
			continue;
		put("%s{\"width\":%u", comma, reg->width);
		put_member("name", reg->name);
		put_member("aka", reg->aka);
		put_member("title", reg->title);
		put_member("source", reg->src);
		put_encodings(core, reg);
		put_fields(core, reg);
		put("}");
		comma = ",";
	}
	put("]");
}

static void put_signals(const struct apmu_event *event)
{
	put(",\"signals\":[");
	for (unsigned k = 0; k < event->signals; k++)
		put("%s\"%s%s\"", k ? "," : "", k + event->minus < event->signals ? "" : "-",
		    apmu_signal_row(event->signal[k])->name);
	put("]");
}

static void put_aliases(const struct apmu_core *core, unsigned number)
{
	const char *comma = "";

	put(",\"names\":[");
	for (unsigned k = 0; k < core->aliases; k++)
		if (!core->event_alias[k].cycle_counter && core->event_alias[k].number == number) {
			put("%s", comma);
			put_string(core->event_alias[k].name);
			comma = ",";
		}
	put("]");
}

/* The events of core `index`. */
EXPORT("list_events") void list_events(unsigned index)
{
	static const char *const produced[] = {"exact", "modelled", "injected", "not produced"};
	const struct apmu_core *core = apmu_core_at(index);

	used = 0;
	put("[");
	for (size_t i = 0; i < core->events; i++) {
		const struct apmu_event *event = apmu_event_at(core, i);
		const struct apmu_reason_row *reason = apmu_reason_row(event->reason);
		put("%s{\"number\":%u,\"step\":%u,\"counts\":\"%s\"", i ? "," : "", event->number,
		    event->step, produced[event->produced]);
		put_member("name", event->name);
		put_member("text", event->text);
		put_member("note", event->note);
		put_member("reason", reason ? reason->text : NULL);
		put_signals(event);
		put_aliases(core, event->number);
		put("}");
	}
	put("]");
}

/* The metrics of core `index`. */
EXPORT("list_metrics") void list_metrics(unsigned index)
{
	const struct apmu_core *core = apmu_core_at(index);

	used = 0;
	put("[");
	for (size_t i = 0; i < apmu_metric_count(core); i++) {
		const struct apmu_metric *metric = apmu_metric_at(core, i);
		put("%s{\"unit\":\"%s\"", i ? "," : "", metric->unit);
		put_member("group", metric->group_text);
		put_member("name", metric->name);
		put_member("formula", metric->formula);
		put_member("text", metric->text);
		put("}");
	}
	put("]");
}

/* Every signal that an event source may add to. */
EXPORT("list_signals") void list_signals(void)
{
	used = 0;
	put("[");
	for (unsigned s = 0; s < APMU_SIGNALS; s++) {
		put("%s{\"unit\":\"%s\"", s ? "," : "", apmu_signal_row(s)->unit);
		put_member("name", apmu_signal_row(s)->name);
		put_member("text", apmu_signal_row(s)->text);
		put("}");
	}
	put("]");
}

/* The bench holds core `index` out of reset. */
EXPORT("start") void start(unsigned index)
{
	vec_power_on(&bench, apmu_core_at(index), VEC_STRAIGHT);
}

/* Does the words in the input buffer. 1, or 0 with the reason in the output buffer. */
EXPORT("perform") int perform(void)
{
	bool ok;

	used = 0;
	output[0] = '\0';
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
	put("%s{\"name\":\"%s\",\"value\":\"0x%" PRIx64 "\"}", output[used - 1] == '[' ? "" : ",", name,
	    value);
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

	put("%s{\"index\":%u,\"value\":\"0x%" PRIx64 "\",\"enabled\":%u,\"counting\":%u,\"filtered\":%u,"
	    "\"overflow\":%u,\"interrupt\":%u",
	    output[used - 1] == '[' ? "" : ",", i, pmu->s.counter[i], (unsigned)(pmu->s.cnten >> i & 1),
	    (unsigned)(pmu->running >> i & 1), (unsigned)(pmu->filtered >> i & 1),
	    (unsigned)(pmu->s.overflow >> i & 1), (unsigned)(pmu->s.inten >> i & 1));
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
	used = 0;
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

static const char *const outcome_names[] = {"done", "undefined", "trap to EL1", "trap to EL2", "trap to EL3"};

/* One access to `pmu`, a write by what was read before: nothing changes that can be seen. */
static enum apmu_outcome attempt(struct apmu *pmu, struct apmu_access at, bool write)
{
	uint64_t value = 0;

	return write ? apmu_write(pmu, at, value) : apmu_read(pmu, at, &value);
}

/* Settings that can stand before an access: a register or a host state, bit by bit. */
static const struct setting {
	const char *name; /* the vectors' word */
	const char *reg;  /* whose field names the bits; NULL: the bits have their numbers for names */
	unsigned bits;
} settings[] = {
	{"PMUSERENR_EL0", "PMUSERENR_EL0", 32},
	{"PMUSERENR", "PMUSERENR", 32},
	{"SUNAVCR", "SUNAVCR", 32},
	{"mdcr_el2", "MDCR_EL2", 64},
	{"mdcr_el2", "HDCR", 32},
	{"mdcr_el3", "MDCR_EL3", 64},
	{"hdfgrtr", "HDFGRTR_EL2", 64},
	{"hdfgwtr", "HDFGWTR_EL2", 64},
	{"hdfgrtr2", "HDFGRTR2_EL2", 64},
	{"hdfgwtr2", "HDFGWTR2_EL2", 64},
	{"scr_el3", NULL, 64},
	{"hcr_el2", NULL, 64},
	{"hstr_el2", NULL, 64},
	{"cp15sdisable", NULL, 1},
	{"os_lock", NULL, 1},
	{"double_lock", NULL, 1},
	{"powered_off", NULL, 1},
};

static const struct apmu_field *field_of_bit(const struct apmu_core *core, const char *name, unsigned bit)
{
	const struct apmu_reg *reg = name ? apmu_reg_find(core, name) : NULL;

	for (unsigned i = 0; reg && i < reg->fields; i++)
		if (reg->field[i].lo <= bit && bit <= reg->field[i].hi && strcmp(reg->field[i].name, "-"))
			return &reg->field[i];
	return NULL;
}

/* What the setting is now; false if the core has no such thing. */
static bool setting_now(struct vec_bench *b, const struct setting *s, uint64_t *value)
{
	const struct apmu_reg *reg = s->reg ? apmu_reg_find(b->pmu.core, s->reg) : NULL;
	struct apmu_access at = {.from = vec_observer(b->pmu.core)};
	struct apmu_machine_state m;

	if (s->reg && (!reg || strcmp(reg->name, s->reg))) /* another name of one that stands in the table */
		return false;
	if (s->name[0] >= 'A' && s->name[0] <= 'Z')
		return vec_register(b->pmu.core, s->name, &at) && apmu_read(&b->pmu, at, value) == APMU_DONE;
	apmu_machine_get(&b->pmu, &m);
	const struct {
		const char *name;
		uint64_t value;
	} now[] = {{"mdcr_el2", m.mdcr_el2},
		   {"mdcr_el3", m.mdcr_el3},
		   {"hdfgrtr", m.hdfgrtr_el2},
		   {"hdfgwtr", m.hdfgwtr_el2},
		   {"hdfgrtr2", m.hdfgrtr2_el2},
		   {"hdfgwtr2", m.hdfgwtr2_el2},
		   {"scr_el3", m.scr_el3},
		   {"hcr_el2", m.hcr_el2},
		   {"hstr_el2", m.hstr_el2},
		   {"os_lock", m.os_lock},
		   {"double_lock", m.double_lock},
		   {"powered_off", m.powered_off},
		   {"cp15sdisable", b->in.cp15sdisable}};
	for (size_t i = 0; i < sizeof now / sizeof now[0]; i++)
		if (!strcmp(now[i].name, s->name)) {
			*value = now[i].value;
			return true;
		}
	return false;
}

static bool set_to(struct vec_bench *b, const struct setting *s, uint64_t value)
{
	struct apmu_access at = {.from = vec_observer(b->pmu.core)};

	if (s->name[0] >= 'A' && s->name[0] <= 'Z')
		return vec_register(b->pmu.core, s->name, &at) && apmu_write(&b->pmu, at, value) == APMU_DONE;
	return vec_surroundings(b, s->name, value);
}

/* Is the access done with that one bit turned over? */
static bool done_with(const struct setting *s, uint64_t value, struct apmu_access at, bool write)
{
	static struct vec_bench trial;

	trial = bench;
	trial.pmu.tally = &trial.tally;
	trial.pmu.lines = (struct apmu_lines){0};
	return set_to(&trial, s, value) && attempt(&trial.pmu, at, write) == APMU_DONE;
}

/* The single bits that stand before the access, in the words "MDCR_EL2.TPM=0". */
static void put_remedies(struct apmu_access at, bool write)
{
	const struct apmu_core *core = bench.pmu.core;
	const char *comma = "";

	put(",\"remedy\":[");
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
		const struct setting *s = &settings[i];
		uint64_t now;
		if (!setting_now(&bench, s, &now))
			continue;
		for (unsigned bit = 0; bit < s->bits; bit++) {
			const struct apmu_field *field = field_of_bit(core, s->reg, bit);
			if ((s->reg && !field) || !done_with(s, now ^ (uint64_t)1 << bit, at, write))
				continue;
			put("%s\"%s", comma, s->reg ? s->reg : s->name);
			if (field && field->hi == field->lo)
				put(".%s", field->name);
			else if (s->bits > 1)
				put("[%u]", bit);
			put("=%u\"", (unsigned)(~now >> bit & 1));
			comma = ",";
		}
	}
	put("]");
}

static void put_attempt(const char *what, struct apmu_access at, bool write)
{
	static struct vec_bench trial;
	enum apmu_outcome outcome;

	trial = bench;
	trial.pmu.tally = &trial.tally;
	trial.pmu.lines = (struct apmu_lines){0};
	outcome = attempt(&trial.pmu, at, write);
	put(",\"%s\":{\"outcome\":\"%s\"", what, outcome_names[outcome]);
	if (outcome != APMU_DONE)
		put_remedies(at, write);
	put("}");
}

/* AArch32's views are tried with that level, and what is below it, in AArch32. */
static void in_state(const struct apmu_encoding *at, unsigned el)
{
	bool a32 = at->view == APMU_VIEW_CP || at->view == APMU_VIEW_CP64;

	vec_surroundings(&bench, "aarch32", a32 ? (2u << el) - 1u : 0);
}

static void put_way(const struct apmu_core *core, const struct apmu_encoding *at, unsigned n)
{
	char text[CLI__ENCODING];
	const char *comma = "";

	cli__encoding_text(text, at);
	put("{\"encoding\":\"%s\",\"modes\":[", text);
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		struct apmu_access access = {at->view == APMU_VIEW_MMIO64 ? APMU_VIEW_MMIO
									  : (enum apmu_view)at->view,
					     apmu_encoding_for(at, n), vec_observer(core)};
		char word[NAME], *rest = word;
		if (!mode_exists(core, &modes[i]))
			continue;
		snprintf(word, sizeof word, "%s", modes[i].word);
		for (char *part; (part = vec_part(&rest, "-")) != NULL;)
			vec_mode(core, part, &access.from);
		in_state(at, access.from.el);
		put("%s{\"mode\":\"%s\"", comma, modes[i].name);
		put_attempt("read", access, false);
		put_attempt("write", access, true);
		put("}");
		comma = ",";
	}
	put("]}");
}

/* Who may access the register whose name is in the input buffer, through which encoding, as the bench stands;
 * and for each refusal the single bits that would let the access through. Counter 0's where there are
 * several. */
EXPORT("rights") void rights(void)
{
	static struct vec_bench before;
	const struct apmu_core *core = bench.pmu.core;
	const struct apmu_reg *reg = apmu_reg_find(core, input);
	const char *comma = "";

	used = 0;
	before = bench;
	put("[");
	for (unsigned i = 0; reg && i < reg->encodings; i++)
		if (apmu_encoding_reaches(core, reg, &reg->at[i])) {
			put("%s", comma);
			put_way(core, &reg->at[i], 0);
			comma = ",";
		}
	put("]");
	bench = before;
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

	used = 0;
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

/* Runs the vector in the input buffer on each core that it names, straight and with snapshots, as the
 * project's tests do. The number of runs; 0 with the reason in the output buffer; -1 for a line that holds no
 * vector. */
EXPORT("vector") int vector(void)
{
	char why[VEC_WHY];
	struct vec v;
	int runs = 0;

	used = 0;
	output[0] = '\0';
	input[strcspn(input, "#\r\n")] = '\0';
	if (!input[strspn(input, " \t")])
		return -1;
	if (!vec_split(input, &v)) {
		put("not five columns");
		return 0;
	}
	for (char *name; (name = vec_part(&v.cores, ", ")) != NULL;) {
		const struct apmu_core *core = apmu_core_find(name);
		for (unsigned way = 0; core && way < VEC_WAYS; way++, runs++)
			if (!vec_run(&v, core, (enum vec_way)way, why)) {
				put("%s: %s", name, why);
				return 0;
			}
		if (!core) {
			put("%s: no such core", name);
			return 0;
		}
	}
	return runs;
}
