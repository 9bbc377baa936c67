/* SPDX-License-Identifier: MIT */
#include "replay_words.h"

#include <string.h>

enum { SCR_EEL2 = 1 << 18 };

/* "mdcr_el2=1<<6": what is the host's own word is an EL3 instruction here; false: no such word. */
bool replay_host(struct replay *r, const char *name, struct try *t, bool *ok)
{
	static const struct {
		const char *name;
		uint8_t op1, crn, crm, op2;
		bool emulated; /* the PMU's model has no such register */
		uint64_t least;
	} host[] = {
		{"hcr_el2", 4, 1, 1, 0, true, GUEST_HCR}, {"hstr_el2", 4, 1, 1, 3, true, 0},
		{"mdcr_el2", 4, 1, 1, 1, false, 0},       {"mdcr_el3", 6, 1, 3, 1, false, 0},
		{"hdfgrtr", 4, 3, 1, 4, false, 0},        {"hdfgwtr", 4, 3, 1, 5, false, 0},
		{"hdfgrtr2", 4, 3, 1, 0, false, 0},       {"hdfgwtr2", 4, 3, 1, 1, false, 0},
	};
	unsigned n;

	for (size_t i = 0; r->guest.isa == GUEST_A64 && i < sizeof host / sizeof host[0]; i++) {
		if (strcmp(name, host[i].name) != 0)
			continue;
		t->at.view = APMU_VIEW_A64;
		t->at.encoding = apmu_sysreg(3, host[i].op1, host[i].crn, host[i].crm, host[i].op2);
		t->at.from = vec_observer(r->core);
		t->value |= host[i].least;
		*ok = host[i].emulated || apmu_reg_at(r->core, t->at.view, t->at.encoding, &n)
			      ? replay_try(r, t, name)
			      : replay_cannot(r, "no register for %s", name);
		return true;
	}
	if (strcmp(name, "scr_el3") != 0)
		return false;
	if (r->guest.isa == GUEST_A64 && t->value & SCR_EEL2) {
		*ok = replay_cannot(r, "Secure EL2");
		return true;
	}
	r->scr = t->value | (r->guest.isa == GUEST_A64 ? GUEST_SCR : GUEST_SCR32);
	*ok = replay_go(r, r->line, name);
	return true;
}
