/* SPDX-License-Identifier: MIT */
/* The registers of a core: encodings, fields. */
#include "module.h"

#include "cli/common/register_encoding.h"

static const char *const view_names[] = {"MRC/MCR", "MRRC/MCRR", "MRS/MSR", "frame", "64-bit frame"};

bool reachable(const struct apmu_core *core, const struct apmu_reg *reg)
{
	for (unsigned i = 0; i < reg->encodings; i++)
		if (apmu_encoding_reaches(core, reg, &reg->at[i]))
			return true;
	return false;
}

static void put_encodings(const struct apmu_core *core, const struct apmu_reg *reg)
{
	put(",\"encodings\":[");
	for (unsigned i = 0; i < reg->encodings; i++) {
		const struct apmu_encoding *at = &reg->at[i];
		char text[CLI__ENCODING];
		if (!apmu_encoding_reaches(core, reg, at))
			continue;
		cli__encoding_text(text, at);
		put_comma();
		put("{\"view\":%u,\"way\":\"%s\",\"text\":\"%s\",\"form\":%u,\"stride\":%u,\"lo\":%u,"
		    "\"width\":%u,"
		    "\"encoding\":%" PRIu32 "}",
		    at->view, view_names[at->view], text, at->form, at->stride, at->lo, at->width,
		    at->encoding);
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
		put_comma();
		put("{\"hi\":%u,\"lo\":%u,\"kind\":\"%s\",\"event\":%s", field->hi, field->lo,
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

	begin();
	put("[");
	for (size_t i = 0; i < apmu_reg_count(core); i++) {
		const struct apmu_reg *reg = apmu_reg_nth(core, i);
		if (!reachable(core, reg))
			continue;
		put_comma();
		put("{\"width\":%u", reg->width);
		put_member("name", reg->name);
		put_member("aka", reg->aka);
		put_member("title", reg->title);
		put_member("source", reg->src);
		put_encodings(core, reg);
		put_fields(core, reg);
		put("}");
	}
	put("]");
}
