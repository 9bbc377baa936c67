/* SPDX-License-Identifier: MIT */
#include "cli/fields.h"

#include "cli/table.h"

#include <stdlib.h>

static const char *kind_name(unsigned kind)
{
	static const char *const name[] = {
		[APMU_KIND_RW] = "read/write",    [APMU_KIND_RO] = "read",
		[APMU_KIND_WO] = "write",         [APMU_KIND_W1C] = "1 clears",
		[APMU_KIND_W1S] = "1 sets",       [APMU_KIND_DO] = "write 1",
		[APMU_KIND_CONST] = "constant",   [APMU_KIND_UNP] = "write as 0",
		[APMU_KIND_RES0] = "reserved, 0",
	};

	return kind < sizeof name / sizeof name[0] ? name[kind] : "?";
}

static bool is_reserved(unsigned kind)
{
	return kind == APMU_KIND_UNP || kind == APMU_KIND_RES0;
}

bool apmu__field_is_event(const struct apmu_field *field)
{
	return field->place.kind == APMU_PLACE_TYPE && field->place.lsb == 0;
}

/* The event that a field's value selects: its name, or that there is none. */
static const char *event_name(const struct apmu_core *core, uint64_t value)
{
	const struct apmu_event *event = value <= UINT16_MAX ? apmu_event_find(core, (unsigned)value) : NULL;

	return event != NULL ? event->name : "reserved";
}

static void bits_text(char out[16], const struct apmu_field *field)
{
	if (field->hi == field->lo)
		snprintf(out, 16, "%u", field->lo);
	else
		snprintf(out, 16, "%u:%u", field->hi, field->lo);
}

static void add_meaning(struct apmu__table *table, const struct apmu_core *core,
			const struct apmu_field_value *v, bool valued)
{
	const char *text = v->field->text != NULL ? v->field->text : "";

	if (is_reserved(v->kind))
		apmu__table_add(table, "%s",
				valued && v->value != 0 ? "reserved, and should be 0" : "reserved");
	else if (valued && apmu__field_is_event(v->field))
		apmu__table_add(table, "%s: %s", event_name(core, v->value), text);
	else
		apmu__table_add(table, "%s", text);
}

static struct apmu_field_value *decode(const struct apmu_core *core, const struct apmu_reg *reg,
				       uint64_t value, size_t *n)
{
	struct apmu_field_value *fields = apmu__zalloc(reg->fields, sizeof *fields);

	*n = apmu_reg_decode(reg, core->features, value, fields, reg->fields);
	return fields;
}

void apmu__fields_print(const struct apmu_core *core, const struct apmu_reg *reg, const uint64_t *value,
			unsigned width, FILE *out)
{
	static const char *const head[] = {"bits", "field", "access", "value", "meaning"};
	struct apmu__table table = {.head = head, .right = "RLLRL", .columns = 5, .indent = 2};
	size_t n;
	struct apmu_field_value *fields = decode(core, reg, value != NULL ? *value : 0, &n);

	for (size_t i = 0; i < n; i++) {
		const struct apmu_field *field = fields[i].field;
		char bits[16];

		bits_text(bits, field);
		apmu__table_add(&table, "%s", bits);
		apmu__table_add(&table, "%s%s%s", is_reserved(fields[i].kind) ? "-" : field->name,
				field->aka != NULL && !is_reserved(fields[i].kind) ? "/" : "",
				field->aka != NULL && !is_reserved(fields[i].kind) ? field->aka : "");
		apmu__table_add(&table, "%s", kind_name(fields[i].kind));
		if (value == NULL)
			apmu__table_add(&table, "%s", "");
		else
			apmu__table_add(&table, field->hi == field->lo ? "%llu" : "0x%llx",
					(unsigned long long)fields[i].value);
		add_meaning(&table, core, &fields[i], value != NULL);
	}
	free(fields);
	apmu__table_print(&table, width, out);
}

json_t *apmu__fields_json(const struct apmu_core *core, const struct apmu_reg *reg, const uint64_t *value)
{
	json_t *array = json_array();
	size_t n;
	struct apmu_field_value *fields = decode(core, reg, value != NULL ? *value : 0, &n);

	for (size_t i = 0; i < n; i++) {
		const struct apmu_field *field = fields[i].field;
		json_t *object = json_object();
		bool reserved = is_reserved(fields[i].kind);

		apmu__json_add(object, "field", apmu__json_text(reserved ? NULL : field->name));
		apmu__json_add(object, "hi", json_integer(field->hi));
		apmu__json_add(object, "lo", json_integer(field->lo));
		apmu__json_add(object, "access", apmu__json_text(kind_name(fields[i].kind)));
		if (value != NULL)
			apmu__json_add(object, "value", apmu__json_count(fields[i].value));
		if (value != NULL && !reserved && apmu__field_is_event(field))
			apmu__json_add(object, "event", apmu__json_text(event_name(core, fields[i].value)));
		apmu__json_add(object, "text", apmu__json_text(reserved ? NULL : field->text));
		apmu__json_append(array, object);
	}
	free(fields);
	return array;
}
