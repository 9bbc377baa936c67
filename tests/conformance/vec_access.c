/* SPDX-License-Identifier: MIT */
#include "vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct mode_word {
	const char *name;
	int el, security, halted; /* -1: unchanged */
} mode_words[] = {
	{"user", 0, -1, -1},
	{"priv", 1, -1, -1},
	{"hyp", 2, -1, -1},
	{"monitor", 3, -1, -1},
	{"el0", 0, APMU_NONSECURE, -1},
	{"el1", 1, APMU_NONSECURE, -1},
	{"el2", 2, APMU_NONSECURE, -1},
	{"el3", 3, APMU_SECURE, -1},
	{"ns", -1, APMU_NONSECURE, -1},
	{"secure", -1, APMU_SECURE, -1},
	{"realm", -1, APMU_REALM, -1},
	{"root", -1, APMU_ROOT, -1},
	{"debug", -1, -1, 1},
	{"running", -1, -1, 0},
};

/* The security state of EL3: Root on a core that has it. */
static uint8_t world_of_el3(const struct apmu_core *core)
{
	return core->features >> APMU_FEATURE_RME & 1 ? APMU_ROOT : APMU_SECURE;
}

bool vec_mode(const struct apmu_core *core, const char *word, struct apmu_mode *mode)
{
	if (!strcmp(word, "port")) {
		mode->debug_port = true;
		return true;
	}
	for (size_t i = 0; i < sizeof mode_words / sizeof mode_words[0]; i++) {
		const struct mode_word *w = &mode_words[i];
		if (strcmp(word, w->name))
			continue;
		if (w->el >= 0)
			mode->el = (uint8_t)w->el;
		if (w->security >= 0)
			mode->security = w->el == 3 ? world_of_el3(core) : (uint8_t)w->security;
		if (w->halted >= 0)
			mode->debug_halted = w->halted;
		return true;
	}
	return false;
}

struct apmu_mode vec_observer(const struct apmu_core *core)
{
	struct apmu_mode mode = {.el = 1, .security = APMU_SECURE};

	if (core->access_rule == APMU_ACCESS_V8 && (core->features >> APMU_FEATURE_EL3 & 1))
		vec_mode(core, "el3", &mode);
	else if (core->access_rule == APMU_ACCESS_V8 && (core->features >> APMU_FEATURE_EL2 & 1))
		vec_mode(core, "el2", &mode);
	return mode;
}

unsigned vec_signal(const struct apmu_core *core, const char *name)
{
	const struct apmu_event *event = NULL;
	bool cycles = false;

	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (!strcmp(name, apmu_signal_row(s)->name))
			return s;
	if (apmu_event_name(core, name, &event, &cycles) || !event || !event->signals)
		return APMU_SIGNALS;
	return event->signal[0];
}

/* "0,c15,c12,0": up to five numbers, register numbers with or without their c. */
static unsigned numbers(const char *text, unsigned out[5])
{
	unsigned n = 0;

	while (*text && n < 5) {
		char *end;
		if (*text == 'c')
			text++;
		out[n++] = (unsigned)strtoul(text, &end, 0);
		if (end == text || (*end && *end != ','))
			return 0;
		text = *end ? end + 1 : end;
	}
	return *text ? 0 : n;
}

/* Raw encodings: cp15(opc1,CRn,CRm,opc2), cp15(opc1,CRm) for MRRC, a64(op0,op1,CRn,CRm,op2), mmio(offset). */
static bool raw_encoding(const char *text, struct apmu_access *at)
{
	unsigned cp = strncmp(text, "cp14", 4) ? 15 : 14;
	char inside[64];
	unsigned v[5] = {0};

	if (vec_inside(text, cp == 14 ? "cp14" : "cp15", inside, sizeof inside)) {
		unsigned n = numbers(inside, v);
		at->view = n == 2 ? APMU_VIEW_CP64 : APMU_VIEW_CP;
		at->encoding = n == 2 ? apmu_cp64(cp, v[0], v[1]) : apmu_cp(cp, v[0], v[1], v[2], v[3]);
		return n == 2 || n == 4;
	}
	if (vec_inside(text, "a64", inside, sizeof inside) && numbers(inside, v) == 5) {
		at->view = APMU_VIEW_A64;
		at->encoding = apmu_sysreg(v[0], v[1], v[2], v[3], v[4]);
		return true;
	}
	if (vec_inside(text, "mmio", inside, sizeof inside) && numbers(inside, v) == 1) {
		at->view = APMU_VIEW_MMIO;
		at->encoding = v[0];
		return true;
	}
	return false;
}

/* "ns-user" or "ns user": each part is a mode word. */
static bool mode_list(const struct apmu_core *core, char *text, struct apmu_mode *mode)
{
	for (char *part; (part = vec_part(&text, "- ")) != NULL;)
		if (!vec_mode(core, part, mode))
			return false;
	return true;
}

bool vec_access(struct vec_bench *b, const char *text, struct apmu_mode from, struct apmu_access *at)
{
	char name[96];

	snprintf(name, sizeof name, "%s", text);
	char *mode = strchr(name, '@');
	if (mode)
		*mode++ = '\0';
	*at = (struct apmu_access){.from = from};
	if (mode && !mode_list(b->pmu.core, mode, &at->from))
		return vec_fail(b, "'%s': no such mode", text);
	if (raw_encoding(name, at))
		return true;
	return vec_register(b->pmu.core, name, at) || vec_fail(b, "'%s': no such word or register", text);
}
