/* SPDX-License-Identifier: MIT */
/* Looking up cores, events and registers in the description. */
#include <apmu/core.h>

#include "base/bits.h"
#include "base/names.h"
#include "spec/tables.h"

const struct apmu_signal_row *apmu_signal_row(unsigned s)
{
	return s < APMU_SIGNALS ? &apmu_spec__signal_rows[s] : NULL;
}

const struct apmu_reason_row *apmu_reason_row(unsigned reason)
{
	return reason > APMU_REASON_NONE && reason < APMU_REASONS ? &apmu_spec__reason_rows[reason] : NULL;
}

size_t apmu_core_count(void)
{
	return apmu_spec__cores_n;
}

const struct apmu_core *apmu_core_at(size_t i)
{
	return i < apmu_spec__cores_n ? apmu_spec__cores[i] : NULL;
}

const struct apmu_core *apmu_core_default(bool a64, unsigned arch)
{
	const struct apmu_core *best = apmu_spec__cores[0];

	for (size_t i = 0; i < apmu_spec__cores_n; i++) {
		const struct apmu_core *core = apmu_spec__cores[i];
		if (a64 && core->default_a64)
			return core;
		if (!a64 && core->default_a32 && core->default_a32 - 1u <= arch &&
		    core->default_a32 > best->default_a32)
			best = core;
	}
	return best;
}

static bool named(const struct apmu_core *core, const char *name)
{
	if (apmu_base__same_name(core->name, name))
		return true;
	for (const char *const *alias = core->alias; *alias; alias++)
		if (apmu_base__same_name(*alias, name))
			return true;
	return false;
}

const struct apmu_core *apmu_core_find(const char *name)
{
	for (size_t i = 0; i < apmu_spec__cores_n; i++)
		if (named(apmu_spec__cores[i], name))
			return apmu_spec__cores[i];
	return NULL;
}
