/* SPDX-License-Identifier: MIT */
/* Who may access a register, and which single bit would let a refused access through. */
#include "module.h"

#include "cli/common/register_encoding.h"

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
			put_comma();
			put("\"%s", s->reg ? s->reg : s->name);
			if (field && field->hi == field->lo)
				put(".%s", field->name);
			else if (s->bits > 1)
				put("[%u]", bit);
			put("=%u\"", (unsigned)(~now >> bit & 1));
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

	cli__encoding_text(text, at);
	put("{\"encoding\":\"%s\",\"modes\":[", text);
	for (size_t i = 0; i < mode_count; i++) {
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
		put_comma();
		put("{\"mode\":\"%s\"", modes[i].name);
		put_attempt("read", access, false);
		put_attempt("write", access, true);
		put("}");
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

	begin();
	before = bench;
	put("[");
	for (unsigned i = 0; reg && i < reg->encodings; i++)
		if (apmu_encoding_reaches(core, reg, &reg->at[i])) {
			put_comma();
			put_way(core, &reg->at[i], 0);
		}
	put("]");
	bench = before;
}
