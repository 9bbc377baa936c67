/* SPDX-License-Identifier: MIT */
#include "cli/common/register_encoding.h"
#include "cli/common/register_fields.h"
#include "cli/common/table.h"
#include "cli/list/list.h"

#include <stdlib.h>
#include <string.h>

/* What a mode may do, by the `plain` access rule. User access by SUNAVCR.V (ARM1176) exists only with
 * TrustZone. */
static const char *right_name(const struct apmu_core *core, unsigned right)
{
	static const char *const name[APMU_RIGHTS] = {
		[APMU_RIGHT_NONE] = "undefined",   [APMU_RIGHT_RW] = "read/write",
		[APMU_RIGHT_RO] = "read",          [APMU_RIGHT_USER_VALID] = "if SUNAVCR.V",
		[APMU_RIGHT_SECURE] = "if Secure", [APMU_RIGHT_SECURE_LOCK] = "if Secure",
	};

	if (right == APMU_RIGHT_USER_VALID && (core->features >> APMU_FEATURE_TRUSTZONE & 1) == 0)
		right = APMU_RIGHT_NONE;
	return right < APMU_RIGHTS ? name[right] : "?";
}

static const char *way_name(unsigned way)
{
	static const char *const name[] = {[APMU_WAY_RW] = "read/write",
					   [APMU_WAY_RO] = "read",
					   [APMU_WAY_WO] = "write",
					   [APMU_WAY_WO_RAZ] = "write"};

	return way < sizeof name / sizeof name[0] ? name[way] : "?";
}

/* True if the core has the register. A row that only another programmers' model of the frame shows does not
 * count. */
static bool is_here(const struct apmu_core *core, const struct apmu_reg *reg)
{
	for (unsigned e = 0; e < reg->encodings; e++)
		if (apmu_encoding_reaches(core, reg, &reg->at[e]))
			return true;
	return false;
}

/* True if instructions reach the register. Registers of the frame alone have no User and no privileged mode:
 * whoever can address them may. */
static bool by_instruction(const struct apmu_reg *reg)
{
	for (unsigned e = 0; e < reg->encodings; e++)
		if (reg->at[e].view != APMU_VIEW_MMIO && reg->at[e].view != APMU_VIEW_MMIO64)
			return true;
	return false;
}

/* "EN/ER and not UEN": the bits of PMUSERENR that this core has, of those that a rule names. */
static char *user_bits(const struct apmu_core *core, struct apmu_user rule)
{
	const struct apmu_reg *useren = apmu_reg_find(core, "PMUSERENR");
	char *any = cli__copy(""), *none = cli__copy("");

	for (unsigned f = 0; useren != NULL && f < useren->fields; f++) {
		const struct apmu_field *field = &useren->field[useren->fields - 1 - f];
		bool in_any = rule.any >> (field->lo & 7) & 1, in_none = rule.none >> (field->lo & 7) & 1;
		char **list = in_any ? &any : &none, *longer;

		if (cli__field_is_reserved(apmu_field_kind(field, core->features)) || (!in_any && !in_none))
			continue;
		longer = cli__format("%s%s%s", *list, (*list)[0] == '\0' ? "" : "/", field->name);
		free(*list);
		*list = longer;
	}
	if (none[0] != '\0') {
		char *both = cli__format("%s and not %s", any, none);

		free(any);
		any = both;
	}
	free(none);
	return any;
}

/* What User mode (EL0) may do, by the rules of Armv7 and PMUv3. */
static char *user_text(const struct apmu_core *core, const struct apmu_reg *reg)
{
	enum { ALWAYS = 0x80 };
	char *reads = user_bits(core, reg->user_read), *writes = user_bits(core, reg->user_write), *text;
	bool never_reads = reg->user_read.any == 0, never_writes = reg->user_write.any == 0;

	if (never_reads && never_writes)
		text = cli__copy("undefined");
	else if (never_writes)
		text = cli__format("read%s%s", (reg->user_read.any & ALWAYS) != 0 ? "" : " if ",
				   (reg->user_read.any & ALWAYS) != 0 ? "" : reads);
	else if (never_reads)
		text = cli__format("write if %s", writes);
	else if (strcmp(reads, writes) == 0)
		text = cli__format("if %s", reads);
	else
		text = cli__format("read %s, write %s", reads, writes);
	free(reads);
	free(writes);
	return text;
}

static char *user_right(const struct apmu_core *core, const struct apmu_reg *reg)
{
	if (core->access_rule == APMU_ACCESS_PLAIN)
		return cli__copy(right_name(core, reg->right[0]));
	return by_instruction(reg) ? user_text(core, reg) : cli__copy("-");
}

static char *privileged_right(const struct apmu_core *core, const struct apmu_reg *reg)
{
	if (core->access_rule == APMU_ACCESS_PLAIN)
		return cli__copy(right_name(core, reg->right[1]));
	if (reg->min_el > 1)
		return cli__format("%s from EL%u", way_name(reg->way), reg->min_el);
	return cli__format("%s%s", way_name(reg->way), reg->secure ? " if Secure" : "");
}

static bool is_wanted(const struct cli__list *list, const struct apmu_reg *reg)
{
	return is_here(list->core, reg) &&
	       (cli__list_wants(list, reg->name) || cli__list_wants(list, reg->aka));
}

static void print_fields(const struct cli__list *list, const struct apmu_reg *reg)
{
	fprintf(list->cli->out, "\n%s: %s (%s)\n", reg->name, reg->title, reg->src);
	cli__fields_print(list->core, reg, UINT64_MAX, NULL, list->width, list->cli->out);
}

static void add_register(struct cli__table *table, const struct apmu_core *core, const struct apmu_reg *reg)
{
	char *user = user_right(core, reg), *privileged = privileged_right(core, reg), *ways = cli__copy("");

	for (unsigned e = 0; e < reg->encodings; e++) {
		char at[CLI__ENCODING], *longer;

		if (!apmu_encoding_reaches(core, reg, &reg->at[e]))
			continue;
		cli__encoding_text(at, &reg->at[e]);
		longer = cli__format("%s%s%s", ways, ways[0] == '\0' ? "" : "; ", at);
		free(ways);
		ways = longer;
	}
	cli__table_add(table, "%s%s%s", reg->name, reg->aka != NULL ? "/" : "",
		       reg->aka != NULL ? reg->aka : "");
	cli__table_add(table, "%s", user);
	cli__table_add(table, "%s", privileged);
	cli__table_add(table, "%s [%s]", reg->title, ways);
	free(user);
	free(privileged);
	free(ways);
}

void cli__list_registers(const struct cli__list *list)
{
	static const char *const head[] = {"register", "User", "privileged", "title [encodings]"};
	struct cli__table table = {.head = head, .right = "LLLL", .columns = 4};

	for (unsigned i = 0; i < apmu_reg_count(list->core); i++)
		if (is_wanted(list, apmu_reg_nth(list->core, i)))
			add_register(&table, list->core, apmu_reg_nth(list->core, i));
	cli__table_print(&table, list->width, list->cli->out);
	for (unsigned i = 0; i < apmu_reg_count(list->core) && list->verbose; i++)
		if (is_wanted(list, apmu_reg_nth(list->core, i)))
			print_fields(list, apmu_reg_nth(list->core, i));
}

static json_t *encodings_json(const struct apmu_core *core, const struct apmu_reg *reg)
{
	json_t *array = json_array();

	for (unsigned e = 0; e < reg->encodings; e++) {
		char at[CLI__ENCODING];

		cli__encoding_text(at, &reg->at[e]);
		if (apmu_encoding_reaches(core, reg, &reg->at[e]))
			cli__json_append(array, cli__json_text(at));
	}
	return array;
}

static json_t *register_json(const struct apmu_core *core, const struct apmu_reg *reg)
{
	char *user = user_right(core, reg), *privileged = privileged_right(core, reg);
	json_t *object = json_object();

	cli__json_add(object, "register", cli__json_text(reg->name));
	cli__json_add(object, "title", cli__json_text(reg->title));
	cli__json_add(object, "source", cli__json_text(reg->src));
	cli__json_add(object, "encodings", encodings_json(core, reg));
	cli__json_add(object, "user", cli__json_text(user));
	cli__json_add(object, "privileged", cli__json_text(privileged));
	cli__json_add(object, "fields", cli__fields_json(core, reg, UINT64_MAX, NULL));
	free(user);
	free(privileged);
	return object;
}

json_t *cli__list_registers_json(const struct cli__list *list)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < apmu_reg_count(list->core); i++)
		if (is_wanted(list, apmu_reg_nth(list->core, i)))
			cli__json_append(array, register_json(list->core, apmu_reg_nth(list->core, i)));
	return array;
}
