/* SPDX-License-Identifier: MIT */
#include "cli/encoding.h"
#include "cli/fields.h"
#include "cli/list.h"
#include "cli/table.h"

/* What a mode may do. The User access that an ARM1176 can make valid does not exist where the feature does
 * not. */
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

static bool has(const struct apmu_core *core, const struct apmu_reg *reg)
{
	return reg->feature == 0xFF || (core->features >> reg->feature & 1) != 0;
}

static void print_fields(const struct apmu__list *list, const struct apmu_reg *reg)
{
	fprintf(list->cli->out, "\n%s: %s (%s)\n", reg->name, reg->title, reg->src);
	apmu__fields_print(list->core, reg, NULL, list->width, list->cli->out);
}

void apmu__list_registers(const struct apmu__list *list)
{
	static const char *const head[] = {"register", "encoding", "User", "privileged", "title"};
	struct apmu__table table = {.head = head, .right = "LLLLL", .columns = 5};

	for (unsigned i = 0; i < apmu_reg_count(list->core); i++) {
		const struct apmu_reg *reg = apmu_reg_nth(list->core, i);

		for (unsigned e = 0; e < reg->encodings && has(list->core, reg); e++) {
			char at[APMU__ENCODING];

			apmu__encoding_text(at, &reg->at[e]);
			apmu__table_add(&table, "%s%s%s", reg->name, reg->aka != NULL ? "/" : "",
					reg->aka != NULL ? reg->aka : "");
			apmu__table_add(&table, "%s", at);
			apmu__table_add(&table, "%s", right_name(list->core, reg->right[0]));
			apmu__table_add(&table, "%s", right_name(list->core, reg->right[1]));
			apmu__table_add(&table, "%s", reg->title);
		}
	}
	apmu__table_print(&table, list->width, list->cli->out);
	for (unsigned i = 0; i < apmu_reg_count(list->core) && list->verbose; i++)
		if (has(list->core, apmu_reg_nth(list->core, i)))
			print_fields(list, apmu_reg_nth(list->core, i));
}

static json_t *encodings_json(const struct apmu_reg *reg)
{
	json_t *array = json_array();

	for (unsigned e = 0; e < reg->encodings; e++) {
		char at[APMU__ENCODING];

		apmu__encoding_text(at, &reg->at[e]);
		apmu__json_append(array, apmu__json_text(at));
	}
	return array;
}

json_t *apmu__list_registers_json(const struct apmu__list *list)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < apmu_reg_count(list->core); i++) {
		const struct apmu_reg *reg = apmu_reg_nth(list->core, i);
		json_t *object;

		if (!has(list->core, reg))
			continue;
		object = json_object();
		apmu__json_add(object, "register", apmu__json_text(reg->name));
		apmu__json_add(object, "title", apmu__json_text(reg->title));
		apmu__json_add(object, "source", apmu__json_text(reg->src));
		apmu__json_add(object, "encodings", encodings_json(reg));
		apmu__json_add(object, "user", apmu__json_text(right_name(list->core, reg->right[0])));
		apmu__json_add(object, "privileged", apmu__json_text(right_name(list->core, reg->right[1])));
		apmu__json_add(object, "fields", apmu__fields_json(list->core, reg, NULL));
		apmu__json_append(array, object);
	}
	return array;
}
