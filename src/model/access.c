/* SPDX-License-Identifier: MIT */
/* Which accesses a mode may make, and making them. */
#include "model.h"

static bool secure(struct apmu_mode from)
{
	return from.security == APMU_SECURE;
}

/* The register's right at the level the access comes from. */
bool apmu__allowed(const struct apmu *pmu, const struct apmu_reg *reg, struct apmu_mode from, bool write)
{
	switch ((enum apmu_right)reg->right[from.el & 3]) {
	case APMU_RIGHT_RW: return true;
	case APMU_RIGHT_RO: return !write;
	case APMU_RIGHT_USER_VALID: return pmu->s.word[APMU_WORD_USER] != 0;
	case APMU_RIGHT_SECURE: return secure(from);
	case APMU_RIGHT_SECURE_LOCK: return secure(from) && !(write && pmu->s.in.cp15sdisable);
	case APMU_RIGHT_NONE:
	case APMU_RIGHTS: break;
	}
	return false;
}

enum apmu_outcome apmu_read(const struct apmu *pmu, struct apmu_access at, uint64_t *value)
{
	unsigned n;
	const struct apmu_reg *reg = apmu_reg_at(pmu->core, at.view, at.encoding, &n);
	uint64_t word = 0;

	if (!reg || !apmu__allowed(pmu, reg, at.from, false))
		return APMU_UNDEFINED;
	for (unsigned i = 0; i < reg->fields; i++)
		word = apmu_field_put(&reg->field[i], word, apmu__field_read(pmu, &reg->field[i]));
	*value = word;
	return APMU_DONE;
}

enum apmu_outcome apmu_write(struct apmu *pmu, struct apmu_access at, uint64_t value)
{
	unsigned n;
	const struct apmu_reg *reg = apmu_reg_at(pmu->core, at.view, at.encoding, &n);
	bool was = pmu->s.word[APMU_WORD_ENABLE] != 0;

	apmu_advance(pmu);
	if (!reg || !apmu__allowed(pmu, reg, at.from, true))
		return APMU_UNDEFINED;
	apmu__lint(pmu, reg, value);
	for (unsigned i = 0; i < reg->fields; i++) {
		const struct apmu_field *field = &reg->field[i];

		apmu__field_write(pmu, field, apmu__get(value, field->hi, field->lo));
	}
	apmu__enable_changed(pmu, was);
	apmu__settle(pmu);
	return APMU_DONE;
}
