/* SPDX-License-Identifier: MIT */
/* The machine around the PMU, by the names of struct apmu_machine_state and of the pins. */
#include "vec.h"

#include <string.h>

/* Type of a member. */
enum { WORD, FLAG, BYTE };

#define AT(member) offsetof(struct apmu_machine_state, member)

static const struct member {
	const char *name;
	size_t at;
	int is;
} members[] = {
	{"hcr_el2", AT(hcr_el2), WORD},
	{"scr_el3", AT(scr_el3), WORD},
	{"hstr_el2", AT(hstr_el2), WORD},
	{"mdcr_el2", AT(mdcr_el2), WORD},
	{"mdcr_el3", AT(mdcr_el3), WORD},
	{"hdfgrtr", AT(hdfgrtr_el2), WORD},
	{"hdfgwtr", AT(hdfgwtr_el2), WORD},
	{"hdfgrtr2", AT(hdfgrtr2_el2), WORD},
	{"hdfgwtr2", AT(hdfgwtr2_el2), WORD},
	{"sder", AT(sder), WORD},
	{"mpidr", AT(mpidr), WORD},
	{"aarch32", AT(aarch32), BYTE},
	{"streaming", AT(streaming), FLAG},
	{"profiling_masked", AT(profiling_masked), FLAG},
	{"spe_stopped", AT(spe_stopped), FLAG},
	{"edscr_sdd", AT(edscr_sdd), FLAG},
	{"os_lock", AT(os_lock), FLAG},
	{"double_lock", AT(double_lock), FLAG},
	{"powered_off", AT(powered_off), FLAG},
	{"edecr_pme", AT(edecr_pme), FLAG},
	{"brbe_fzp1", AT(brbe_fzp1), FLAG},
	{"brbe_fzp2", AT(brbe_fzp2), FLAG},
};

static void put(void *member, int is, uint64_t value)
{
	switch (is) {
	case WORD: *(uint64_t *)member = value; break;
	case FLAG: *(bool *)member = value != 0; break;
	default: *(uint8_t *)member = (uint8_t)value; break;
	}
}

static bool state(struct vec_bench *b, const char *name, uint64_t value)
{
	struct apmu_machine_state now;

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		if (strcmp(name, members[i].name))
			continue;
		apmu_machine_get(&b->pmu, &now);
		put((char *)&now + members[i].at, members[i].is, value);
		apmu_machine_set(&b->pmu, &now);
		return true;
	}
	return false;
}

static bool *pin(struct vec_bench *b, const char *name)
{
	const struct {
		const char *name;
		bool *pin;
	} pins[] = {
		{"dbgen", &b->in.dbgen},        {"niden", &b->in.niden},
		{"spiden", &b->in.spiden},      {"spniden", &b->in.spniden},
		{"heard", &b->in.export_heard}, {"cp15sdisable", &b->in.cp15sdisable},
	};

	for (size_t i = 0; i < sizeof pins / sizeof pins[0]; i++)
		if (!strcmp(name, pins[i].name))
			return pins[i].pin;
	return NULL;
}

bool vec_surroundings(struct vec_bench *b, const char *name, uint64_t value)
{
	bool *level = pin(b, name);

	if (!level)
		return state(b, name, value);
	*level = value != 0;
	apmu_input(&b->pmu, b->in);
	return true;
}
