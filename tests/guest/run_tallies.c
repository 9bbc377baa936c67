/* SPDX-License-Identifier: MIT */
/*
 * Runs a program under the QEMU engine and prints the counts of its threads by signal, without a PMU or
 * events.
 *
 *   run_tallies [-c CORE] [-s SIGNAL,...] [-i SIGNAL:N] [-L ROOT] [-q QEMU] [-p PLUGIN] [-u KEY=VALUE] [-f]
 * [-6] PROGRAM ...
 *
 * -s: the signals wanted (default: all); -i: a mark every N counts of SIGNAL; -u: changes a parameter of the
 * core; -f: follow children; -6: a core that also has AArch64. Prints one JSON object to descriptor 3 if it
 * is open, else to standard error. Exits with 0 if the program ran, whatever its own status; else with 2.
 */
#define _POSIX_C_SOURCE 200809L /* getopt, fdopen */
#include "qemu/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arguments {
	struct apmu_qemu__run_options run;
	struct apmu_core core;
	struct apmu_uarch_params uarch;
	const char *core_name;
	bool a64;
};

static unsigned signal_named(const char *name, size_t n)
{
	for (unsigned s = 0; s < APMU_SIGNALS; s++) {
		const struct apmu_signal_row *row = apmu_signal_row(s);
		if (strlen(row->name) == n && strncmp(row->name, name, n) == 0)
			return s;
	}
	fprintf(stderr, "run_tallies: no signal %.*s\n", (int)n, name);
	exit(2);
}

static void want(struct arguments *a, const char *list)
{
	for (; *list; list += strcspn(list, ","), list += *list == ',')
		apmu_signal_add(a->run.wanted, signal_named(list, strcspn(list, ",")));
}

static void want_interval(struct arguments *a, const char *text)
{
	size_t n = strcspn(text, ":");

	a->run.interval_signal = (enum apmu_signal)signal_named(text, n);
	a->run.interval = text[n] ? strtoull(text + n + 1, NULL, 0) : 0;
}

static void set_param(struct arguments *a, const char *text)
{
	char key[64];
	size_t n = strcspn(text, "=");

	snprintf(key, sizeof(key), "%.*s", (int)n, text);
	if (!text[n] || apmu_uarch_set(&a->uarch, key, text + n + 1) != 0) {
		fprintf(stderr, "run_tallies: -u %s\n", text);
		exit(2);
	}
}

static void choose_core(struct arguments *a)
{
	const struct apmu_core *core = apmu_core_find(a->core_name);

	if (!core || !apmu_uarch_find(core->uarch)) {
		fprintf(stderr, "run_tallies: no core %s\n", a->core_name);
		exit(2);
	}
	a->core = *core;
	a->uarch = *apmu_uarch_find(core->uarch);
	a->run.core = &a->core;
	a->run.uarch = &a->uarch;
}

/* Makes a core that no chip is, one with AArch64 too: a bank with one register, which has an AArch64
 * encoding. */
static void widen_core(struct apmu_core *core)
{
	static const struct apmu_encoding door = {.view = APMU_VIEW_A64, .feature = 0xFF};
	static const struct apmu_reg reg = {.name = "DOOR", .at = &door, .encodings = 1, .feature = 0xFF};
	static const struct apmu_reg *const list[] = {&reg};
	static const struct apmu_bank bank = {.reg = list, .regs = 1};

	core->bank = &bank;
	core->qemu = "max";
}

static void parse(struct arguments *a, int argc, char **argv)
{
	int letter;

	*a = (struct arguments){.core_name = "arm1136jf-s"};
	choose_core(a);
	while ((letter = getopt(argc, argv, "+c:s:i:L:q:p:u:f6")) != -1) {
		switch (letter) {
		case 'c': a->core_name = optarg, choose_core(a); break;
		case 's': want(a, optarg); break;
		case 'i': want_interval(a, optarg); break;
		case 'L': a->run.sysroot = optarg; break;
		case 'q': a->run.qemu = optarg; break;
		case 'p': a->run.plugin = optarg; break;
		case 'u': set_param(a, optarg); break;
		case 'f': a->run.follow = true; break;
		case '6': a->a64 = true; break;
		default: exit(2);
		}
	}
	a->run.argv = argv + optind;
	if (a->a64)
		widen_core(&a->core);
	for (unsigned s = 0, any = 0; s < APMU_SIGNALS; s++) {
		any |= (unsigned)apmu_signal_in(a->run.wanted, s);
		if (s + 1 == APMU_SIGNALS && !any)
			memset(a->run.wanted, 0xFF, sizeof(a->run.wanted));
	}
}

static void print_mark(FILE *out, const struct apmu_qemu__snapshot *m)
{
	fprintf(out, "{\"pid\": %d, \"tid\": %d, \"last\": %s", (int)m->pid, (int)m->tid,
		m->last ? "true" : "false");
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (m->tally.n[s])
			fprintf(out, ", \"%s\": %llu", apmu_signal_row(s)->name,
				(unsigned long long)m->tally.n[s]);
	fputc('}', out);
}

static void print_result(FILE *out, const struct apmu_qemu__run_result *r)
{
	fprintf(out,
		"{\"exit\": %d, \"signal\": %d, \"undecoded\": %llu, \"word\": %llu, \"lost\": %llu, "
		"\"marks\": [",
		r->exit, r->signal, (unsigned long long)r->undecoded, (unsigned long long)r->undecoded_word,
		(unsigned long long)(r->marks_lost + r->threads_lost));
	for (size_t i = 0; i < r->marks; i++) {
		fputs(i ? ",\n " : "\n ", out);
		print_mark(out, &r->mark[i]);
	}
	fputs("]}\n", out);
}

int main(int argc, char **argv)
{
	struct apmu_qemu__run_result result;
	struct arguments a;
	char error[512];

	parse(&a, argc, argv);
	int code = apmu_qemu__run(&a.run, &result, error, sizeof(error));
	if (code != 0) {
		fprintf(stderr, "run_tallies: %s\n", error);
		return 2;
	}
	FILE *out = fdopen(3, "w");
	print_result(out ? out : stderr, &result);
	free(result.mark);
	return 0;
}
