/* SPDX-License-Identifier: MIT */
#include "cli/common/register_fields.h"

#include "cli/common/table.h"

#include <stdlib.h>
#include <string.h>

static const char *kind_name(unsigned kind)
{
	static const char *const name[] = {
		[APMU_KIND_RW] = "read/write",    [APMU_KIND_RO] = "read",
		[APMU_KIND_WO] = "write",         [APMU_KIND_W1C] = "1 clears",
		[APMU_KIND_W1S] = "1 sets",       [APMU_KIND_DO] = "write 1",
		[APMU_KIND_CONST] = "constant",   [APMU_KIND_UNP] = "write as 0",
		[APMU_KIND_RES0] = "reserved, 0", [APMU_KIND_RES1] = "reserved, 1",
		[APMU_KIND_RAO_W1S] = "1 sets",
	};

	return kind < sizeof name / sizeof name[0] ? name[kind] : "?";
}

bool cli__field_is_reserved(unsigned kind)
{
	return kind == APMU_KIND_UNP || kind == APMU_KIND_RES0 || kind == APMU_KIND_RES1;
}

bool cli__field_is_named(const struct apmu_field *field, unsigned kind)
{
	return !cli__field_is_reserved(kind) && strcmp(field->name, "-") != 0;
}

bool cli__field_is_event(const struct apmu_field *field)
{
	return field->place.kind == APMU_PLACE_TYPE && field->place.lsb == 0;
}

bool cli__field_holds_event(const struct apmu_core *core, const struct apmu_field *field,
			    const struct apmu_field *part)
{
	return cli__field_is_event(field) && part->place.kind == APMU_PLACE_TYPE &&
	       part->place.index == field->place.index && part->place.lsb < 16 &&
	       core->event_mask >> part->place.lsb != 0;
}

const struct apmu_event *cli__fields_event(const struct apmu_core *core,
					   const struct apmu_field_value *fields, size_t n, size_t i)
{
	uint64_t number = 0;

	for (size_t k = 0; k < n; k++)
		if (!cli__field_is_reserved(fields[k].kind) &&
		    cli__field_holds_event(core, fields[i].field, fields[k].field))
			number |= fields[k].value << fields[k].field->place.lsb;
	return number <= UINT16_MAX ? apmu_event_find(core, (unsigned)number) : NULL;
}

/* Name of the event that field i selects, or "reserved". */
static const char *event_name(const struct apmu_core *core, const struct apmu_field_value *fields, size_t n,
			      size_t i)
{
	const struct apmu_event *event = cli__fields_event(core, fields, n, i);

	return event != NULL ? event->name : "reserved";
}

static void add_bits(struct cli__table *table, unsigned hi, unsigned lo)
{
	if (hi == lo)
		cli__table_add(table, "%u", lo);
	else
		cli__table_add(table, "%u:%u", hi, lo);
}

static void add_value(struct cli__table *table, unsigned bits, uint64_t value, bool valued)
{
	if (!valued)
		cli__table_add(table, "%s", "");
	else
		cli__table_add(table, bits == 1 ? "%llu" : "0x%llx", (unsigned long long)value);
}

/* Adds one row for adjacent reserved fields of the same kind, however many features they are reserved for.
 * Returns the number of these fields. */
static size_t add_reserved(struct cli__table *table, const struct apmu_field_value *v, size_t n, bool valued)
{
	unsigned kind = v[0].kind, hi = v[0].field->hi, lo = v[0].field->lo;
	bool ones = kind == APMU_KIND_RES1, wrong;
	uint64_t value = v[0].value;
	size_t i = 1;

	for (; i < n && v[i].kind == v[0].kind; i++) {
		lo = v[i].field->lo;
		value = value << (v[i].field->hi - lo + 1u) | v[i].value;
	}
	wrong = valued && value != (ones ? UINT64_MAX >> (63 - (hi - lo)) : 0);
	add_bits(table, hi, lo);
	cli__table_add(table, "-");
	cli__table_add(table, "%s", kind_name(kind));
	add_value(table, hi - lo + 1u, value, valued);
	cli__table_add(table, "reserved%s", !wrong ? "" : ones ? ", and should be 1" : ", and should be 0");
	return i;
}

static void add_meaning(struct cli__table *table, const struct apmu_core *core,
			const struct apmu_field_value *fields, size_t n, size_t i, bool valued)
{
	const struct apmu_field *field = fields[i].field;
	const char *text = field->text != NULL ? field->text : "";

	if (valued && cli__field_is_event(field))
		cli__table_add(table, "%s: %s", event_name(core, fields, n, i), text);
	else
		cli__table_add(table, "%s", text);
}

static void add_field(struct cli__table *table, const struct apmu_core *core,
		      const struct apmu_field_value *fields, size_t n, size_t i, bool valued)
{
	const struct apmu_field *field = fields[i].field;

	add_bits(table, field->hi, field->lo);
	cli__table_add(table, "%s%s%s", field->name, field->aka != NULL ? "/" : "",
		       field->aka != NULL ? field->aka : "");
	cli__table_add(table, "%s", kind_name(fields[i].kind));
	add_value(table, field->hi - field->lo + 1u, fields[i].value, valued);
	add_meaning(table, core, fields, n, i, valued);
}

static struct apmu_field_value *decode(const struct apmu_core *core, const struct apmu_reg *reg,
				       uint64_t part, uint64_t value, size_t *n)
{
	struct apmu_field_value *fields = cli__zalloc(reg->fields, sizeof *fields);
	size_t all = apmu_reg_decode(reg, core->features, value, fields, reg->fields);

	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (apmu_field_put(fields[i].field, 0, UINT64_MAX) & part)
			fields[(*n)++] = fields[i];
	return fields;
}

void cli__fields_print(const struct apmu_core *core, const struct apmu_reg *reg, uint64_t part,
		       const uint64_t *value, unsigned width, FILE *out)
{
	static const char *const head[] = {"bits", "field", "access", "value", "meaning"};
	struct cli__table table = {.head = head, .right = "RLLRL", .columns = 5, .indent = 2};
	size_t n;
	struct apmu_field_value *fields = decode(core, reg, part, value != NULL ? *value : 0, &n);

	for (size_t i = 0; i < n;) {
		if (cli__field_is_reserved(fields[i].kind))
			i += add_reserved(&table, &fields[i], n - i, value != NULL);
		else
			add_field(&table, core, fields, n, i++, value != NULL);
	}
	free(fields);
	cli__table_print(&table, width, out);
}

json_t *cli__fields_json(const struct apmu_core *core, const struct apmu_reg *reg, uint64_t part,
			 const uint64_t *value)
{
	json_t *array = json_array();
	size_t n;
	struct apmu_field_value *fields = decode(core, reg, part, value != NULL ? *value : 0, &n);

	for (size_t i = 0; i < n; i++) {
		const struct apmu_field *field = fields[i].field;
		json_t *object = json_object();
		bool reserved = cli__field_is_reserved(fields[i].kind);

		bool named = cli__field_is_named(field, fields[i].kind);

		cli__json_add(object, "field", cli__json_text(named ? field->name : NULL));
		cli__json_add(object, "hi", json_integer(field->hi));
		cli__json_add(object, "lo", json_integer(field->lo));
		cli__json_add(object, "access", cli__json_text(kind_name(fields[i].kind)));
		if (value != NULL)
			cli__json_add(object, "value", cli__json_bits(fields[i].value));
		if (value != NULL && !reserved && cli__field_is_event(field))
			cli__json_add(object, "event", cli__json_text(event_name(core, fields, n, i)));
		cli__json_add(object, "text", cli__json_text(reserved ? NULL : field->text));
		cli__json_append(array, object);
	}
	free(fields);
	return array;
}
