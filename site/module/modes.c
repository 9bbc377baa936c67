/* SPDX-License-Identifier: MIT */
/* The modes of a core, and what a list of cores says of it. */
#include "module.h"

static bool has(const struct apmu_core *core, unsigned feature)
{
	return core->features >> feature & 1;
}

const struct mode_row modes[] = {
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

const size_t mode_count = sizeof modes / sizeof modes[0];

bool mode_exists(const struct apmu_core *core, const struct mode_row *m)
{
	return m->rule == core->access_rule && (m->feature == 0xFF || has(core, m->feature)) &&
	       (m->without == 0xFF || !has(core, m->without));
}

static void put_modes(const struct apmu_core *core)
{
	put(",\"modes\":[");
	for (size_t i = 0; i < mode_count; i++)
		if (mode_exists(core, &modes[i])) {
			put_comma();
			put("[\"%s\",\"%s\"]", modes[i].word, modes[i].name);
		}
	put("]");
}

/* Every core: names, counters, the modes that it has. */
EXPORT("list_cores") void list_cores(void)
{
	begin();
	put("[");
	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_core *core = apmu_core_at(i);
		put_comma();
		put("{\"index\":%zu", i);
		put_member("name", core->name);
		put_member("title", core->title);
		put_member("family", core->family);
		put_member("unverified", core->unverified_text);
		put(",\"counters\":%u,\"width\":%u,\"midr\":\"0x%08" PRIx32 "\",\"aliases\":[",
		    core->counters, core->width, core->midr);
		for (size_t k = 0; core->alias && core->alias[k]; k++) {
			put_comma();
			put_string(core->alias[k]);
		}
		put("]");
		put_modes(core);
		put("}");
	}
	put("]");
}
