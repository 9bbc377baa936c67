/* SPDX-License-Identifier: MIT */
#include "cli/common/events.h"

#include "cli/common/l2c.h"
#include "cli/common/perf_words.h"
#include "cli/common/suggest.h"

#include <stdlib.h>
#include <string.h>

static void add(struct cli__rows *rows, const char *label, size_t length, unsigned group, bool asked)
{
	struct cli__row *row;

	rows->row = cli__grow(rows->row, rows->n, sizeof *rows->row);
	row = &rows->row[rows->n++];
	row->label = cli__format("%.*s", (int)length, label);
	row->group = group;
	row->asked = asked;
}

void cli__rows_add(struct cli__rows *rows, const char *label, bool asked)
{
	add(rows, label, strlen(label), rows->groups++, asked);
}

/* Drops the last row, an event outside groups, if an earlier row has the same label. */
static void drop_double(struct cli__rows *rows)
{
	struct cli__row *last = &rows->row[rows->n - 1];

	for (size_t i = 0; i + 1 < rows->n; i++)
		if (strcmp(rows->row[i].label, last->label) == 0) {
			free(last->label);
			rows->n--;
			return;
		}
}

void cli__rows_usual(struct cli__rows *rows)
{
	static const char *const usual[] = {
		"cycles",
		"instructions",
		"branches",
		"branch-misses",
		"cache-references",
		"cache-misses",
		"L1-icache-load-misses",
		"iTLB-load-misses",
		"dTLB-load-misses",
		"stalled-cycles-frontend",
		"stalled-cycles-backend",
	};

	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
		cli__rows_add(rows, usual[i], false);
}

void cli__rows_detailed(struct cli__rows *rows, unsigned level)
{
	static const struct {
		unsigned level;
		const char *name;
	} detailed[] = {
		{1, "L1-dcache-loads"},  {1, "L1-dcache-load-misses"}, {1, "LLC-loads"},
		{1, "LLC-load-misses"},  {2, "L1-icache-loads"},       {2, "L1-icache-load-misses"},
		{2, "dTLB-loads"},       {2, "dTLB-load-misses"},      {2, "iTLB-loads"},
		{2, "iTLB-load-misses"}, {3, "L1-dcache-prefetches"},  {3, "L1-dcache-prefetch-misses"},
	};

	for (size_t i = 0; i < sizeof detailed / sizeof detailed[0]; i++)
		if (detailed[i].level <= level) {
			cli__rows_add(rows, detailed[i].name, false);
			drop_double(rows);
		}
}

void cli__rows_l2c(struct cli__rows *rows)
{
	const struct apmu_event *event;

	for (size_t i = 0; (event = cli__l2c_event_at(i)) != NULL; i++)
		cli__rows_add(rows, event->name, false);
}

void cli__rows_free(struct cli__rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->row[i].label);
	free(rows->row);
	*rows = (struct cli__rows){0};
}

static int refuse(const struct cli__cli *cli, const char *list, const char *why)
{
	cli__message(cli, "-e '%s': %s", list, why);
	return CLI__EXIT_USAGE;
}

static int refuse_modifier(const struct cli__cli *cli, const char *list, const char *at)
{
	cli__message(cli, "-e '%s': unknown modifier '%c'; use ':u' or ':p'", list, *at);
	return CLI__EXIT_USAGE;
}

/* Takes the letters after a colon. u is noted: of a program it is what is counted anyway; p and P change
 * nothing, because samples are as precise as they can ask for, nor do W (a weak group), D (pinned) and e
 * (exclusive), because every event fits, nor I (not while idle), because a program is never idle; S (samples
 * of the group's first event alone) is noted; k and h (kernel, hypervisor or host) are refused. */
static int letters(const struct cli__cli *cli, struct cli__rows *rows, const char *list, const char **at)
{
	if (memchr(*at, '_', strcspn(*at, ",}")) != NULL)
		return refuse(cli, list,
			      "a tracepoint is an event of Linux, not of a core: no PMU counts it");
	for (; **at != '\0' && strchr(",}", **at) == NULL; (*at)++)
		if (**at == 'k' || **at == 'h')
			return refuse(cli, list,
				      "modifiers ':k' and ':h' are not supported: apmu counts user space, or "
				      "with --system everything");
		else if (strchr("upPWDeIS", **at) == NULL)
			return refuse_modifier(cli, list, *at);
		else
			rows->user |= **at == 'u', rows->first |= **at == 'S';
	return 0;
}

static int modifiers(const struct cli__cli *cli, struct cli__rows *rows, const char *list, const char **at)
{
	if (**at != ':')
		return 0;
	(*at)++;
	if (**at == '\0' || strchr(",}", **at) != NULL)
		return refuse(cli, list, "a modifier is missing after ':'; use ':u' or ':p'");
	return letters(cli, rows, list, at);
}

/* "armv8_pmuv3/l1d_cache/", "cpu/event=0x11/u": the length of the PMU's name with its slash; 0 if there is
 * none. */
static size_t pmu_name(const char *at)
{
	size_t length = strcspn(at, "/,:{}");

	if (at[length] != '/' || (strncmp(at, "armv", 4) != 0 && strncmp(at, "cpu/", 4) != 0))
		return 0;
	return length + 1;
}

char *cli__pmu_label(const char *text, size_t length)
{
	size_t head = strncmp(text, "event=", 6) == 0 ? 6 : strncmp(text, "config=", 7) == 0 ? 7 : 0;

	text += head;
	length -= head;
	if (head != 0 && length != 0 && length <= 5 && strspn(text, "0123456789") >= length)
		return cli__format("0x%02lx", strtoul(text, NULL, 10));
	return cli__format("%.*s", (int)length, text);
}

/* Parses what stands between the slashes. */
static int pmu_event(const struct cli__cli *cli, struct cli__rows *rows, const char *list, const char **at,
		     unsigned group)
{
	const char *end = strchr(*at, '/');

	if (!end)
		return refuse(cli, list, "a PMU's event ends with '/'");
	size_t length = (size_t)(end - *at);
	char *label = cli__pmu_label(*at, length);
	bool bad = label[0] == '\0' || strpbrk(label, ",=:{}") != NULL;
	if (!bad)
		add(rows, label, strlen(label), group, true);
	free(label);
	if (bad)
		return refuse(cli, list, "write a name, event=0x11 or config=0x11 between a PMU's slashes");
	*at = end + 1;
	return **at == ':' ? modifiers(cli, rows, list, at) : letters(cli, rows, list, at);
}

static int event(const struct cli__cli *cli, struct cli__rows *rows, const char *list, const char **at,
		 unsigned group)
{
	size_t length = strcspn(*at, ",:{}"), pmu = pmu_name(*at);

	if (pmu) {
		*at += pmu;
		return pmu_event(cli, rows, list, at, group);
	}
	if (length == 0)
		return refuse(cli, list, "an event's name is missing");
	add(rows, *at, length, group, true);
	*at += length;
	if (**at == '{')
		return refuse(cli, list, "'{' stands only at the start of a group");
	return modifiers(cli, rows, list, at);
}

static int group(const struct cli__cli *cli, struct cli__rows *rows, const char *list, const char **at)
{
	unsigned number = rows->groups++;
	int bad = 0;

	do {
		(*at)++;
		bad = event(cli, rows, list, at, number);
	} while (bad == 0 && **at == ',');
	if (bad != 0)
		return bad;
	if (**at != '}')
		return refuse(cli, list, "a group has no '}'");
	(*at)++;
	return modifiers(cli, rows, list, at);
}

int cli__rows_parse(const struct cli__cli *cli, struct cli__rows *rows, const char *list)
{
	const char *at = list;

	for (;;) {
		bool alone = *at != '{';
		int bad = alone ? event(cli, rows, list, &at, rows->groups++) : group(cli, rows, list, &at);

		if (bad != 0)
			return bad;
		if (alone)
			drop_double(rows);
		if (*at == '\0')
			return 0;
		if (*at != ',')
			return refuse(cli, list, "events are separated by ','");
		at++;
	}
}

/* Parses a raw event number, 0x0b or r0b; a decimal number is none. */
static bool is_raw(const char *label, uint64_t *number)
{
	char hex[32];

	if (cli__number(label, UINT32_MAX, number))
		return label[0] == '0' && (label[1] == 'x' || label[1] == 'X');
	if ((label[0] != 'r' && label[0] != 'R') || strlen(label) + 2 > sizeof hex)
		return false;
	snprintf(hex, sizeof hex, "0x%s", label + 1);
	return cli__number(hex, UINT32_MAX, number);
}

bool cli__label_means(const struct apmu_core *core, const char *label, unsigned number)
{
	const struct apmu_event *event;
	uint64_t raw;
	bool cycles;

	if (apmu_event_name(core, label, &event, &cycles) == 0)
		return cycles ? number == APMU_METRIC_CYCLES : event->number == number;
	return is_raw(label, &raw) && raw == number;
}

unsigned cli__event_twin(const struct apmu_core *core, unsigned number)
{
	const struct apmu_event *event;
	bool cycles;

	if (apmu_event_name(core, "CPU_CYCLES", &event, &cycles) != 0 || cycles)
		return number;
	return number == APMU_METRIC_CYCLES ? event->number
	       : number == event->number    ? APMU_METRIC_CYCLES
					    : number;
}

/* "arm1136jf-s, arm1176jzf-s": the cores that have an event of this name, for a message. */
static char *cores_with(const char *label)
{
	struct cli__names names = {0};

	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_event *found;
		bool cycles;

		if (apmu_event_name(apmu_core_at(i), label, &found, &cycles) == 0)
			cli__names_add(&names, apmu_core_at(i)->name);
	}
	return cli__names_take(&names);
}

static void unknown_event(const struct cli__cli *cli, const char *label, const struct apmu_core *core)
{
	struct cli__nearest near = {.want = label};

	if (cli__perf_software(label)) {
		cli__message(cli, "'%s' is an event of Linux, not of a core: no PMU counts it", label);
		return;
	}
	if (strchr(label, '/') != NULL && !cli__l2c_named(label)) {
		cli__message(
			cli,
			"unknown event '%s': slashes are for a PMU and its event, as in cpu/cycles/; a period "
			"is given to 'apmu record', -c N or -F N",
			label);
		return;
	}
	for (unsigned i = 0; i < core->events; i++)
		cli__nearest_offer(&near, apmu_event_at(core, i)->name);
	for (unsigned i = 0; i < core->aliases; i++)
		cli__nearest_offer(&near, core->event_alias[i].name);
	if (cli__nearest(&near) != NULL)
		cli__message(cli, "unknown event '%s'; did you mean '%s'?", label, cli__nearest(&near));
	else
		cli__message(cli, "unknown event '%s'; 'apmu list events --core %s' has them all", label,
			     core->name);
}

static int complain_of_event(const struct cli__cli *cli, const char *label, const struct apmu_core *core)
{
	char *others = cores_with(label);

	if (others[0] != '\0')
		cli__message(cli, "%s has no event '%s'; cores that have it: %s", core->name, label, others);
	else
		unknown_event(cli, label, core);
	free(others);
	return CLI__EXIT_USAGE;
}

static bool any_has(const struct apmu_core *const *cores, size_t n, const char *label)
{
	for (size_t i = 0; i < n; i++) {
		const struct apmu_event *found;
		bool cycles;

		if (apmu_event_name(cores[i], label, &found, &cycles) == 0)
			return true;
	}
	return false;
}

bool cli__label_absent(const struct apmu_core *core, const char *label, const struct apmu_core *const *cores,
		       size_t n)
{
	uint64_t raw;

	return !cli__l2c_named(label) && !is_raw(label, &raw) && !any_has(&core, 1, label) &&
	       any_has(cores, n, label);
}

static void warn_of_silence(const struct cli__cli *cli, const struct apmu_core *core,
			    const struct cli__wanted *w)
{
	if (w->cycles)
		return;
	if (w->event == NULL)
		cli__message(cli, "event number 0x%02x is reserved on %s: it counts nothing", w->number,
			     core->name);
	else if (w->event->produced == APMU_NOTHING)
		cli__message(cli, "%s counts nothing on %s", w->event->name, core->name);
	else if (w->event->produced == APMU_INJECTED)
		cli__message(cli, "no program can cause %s on %s: it stays 0", w->event->name, core->name);
}

static int resolve_outside(const struct cli__cli *cli, const struct cli__row *row, struct cli__wanted *w)
{
	char *names;

	w->event = cli__l2c_event(row->label);
	w->outside = true;
	if (w->event != NULL) {
		w->number = w->event->number;
		return 0;
	}
	names = cli__l2c_names();
	cli__message(cli, "unknown event '%s' of the L2 cache controller; it has: %s", row->label, names);
	free(names);
	return CLI__EXIT_USAGE;
}

/* Finds a row's event on `core`. 0, or an exit code after a complaint. */
static int resolve(const struct cli__cli *cli, const struct cli__row *row, const struct apmu_core *core,
		   const struct apmu_core *const *cores, size_t n, struct cli__wanted *w)
{
	uint64_t number;

	*w = (struct cli__wanted){.label = row->label, .group = row->group};
	if (cli__l2c_named(row->label))
		return resolve_outside(cli, row, w);
	if (apmu_event_name(core, row->label, &w->event, &w->cycles) == 0) {
		w->number = w->event != NULL ? w->event->number : 0;
	} else if (is_raw(row->label, &number)) {
		if (number > core->event_mask) {
			cli__message(cli, "'%s' does not fit %s's event selector: numbers end at 0x%x",
				     row->label, core->name, core->event_mask);
			return CLI__EXIT_USAGE;
		}
		w->raw = true;
		w->number = (unsigned)number;
		w->event = apmu_event_find(core, w->number);
	} else if (!row->asked || any_has(cores, n, row->label)) {
		w->absent = true;
	} else {
		return complain_of_event(cli, row->label, core);
	}
	return 0;
}

/* True for an event that no user program can cause, but an operating system. */
static bool of_firmware(const struct cli__wanted *w)
{
	const unsigned can = 1u << APMU_REASON_KERNEL | 1u << APMU_REASON_INTERRUPT |
			     1u << APMU_REASON_HYPERVISOR | 1u << APMU_REASON_DEVICE | 1u << APMU_REASON_PMU |
			     1u << APMU_REASON_MAPPING;

	return w->event != NULL && w->event->produced == APMU_INJECTED &&
	       w->event->reason <= APMU_REASON_NOTHING && can >> w->event->reason & 1;
}

struct cli__wanted *cli__wanted_of(const struct cli__cli *cli, const struct cli__rows *rows,
				   const struct apmu_core *core, const struct apmu_core *const *cores,
				   size_t n)
{
	struct cli__wanted *wanted = cli__zalloc(rows->n, sizeof *wanted);

	for (size_t i = 0; i < rows->n; i++) {
		if (resolve(cli, &rows->row[i], core, cores, n, &wanted[i]) != 0) {
			free(wanted);
			return NULL;
		}
		if (rows->row[i].asked && !wanted[i].absent && !(rows->firmware && of_firmware(&wanted[i])))
			warn_of_silence(cli, core, &wanted[i]);
	}
	return wanted;
}

size_t cli__wanted_find(const struct cli__wanted *wanted, size_t n, unsigned number)
{
	size_t i = 0;

	while (i < n && (wanted[i].absent || wanted[i].outside ||
			 (number == APMU_METRIC_CYCLES ? !wanted[i].cycles
						       : wanted[i].cycles || wanted[i].number != number)))
		i++;
	return i;
}

bool cli__wanted_over_counts(const struct apmu_core *core, const struct cli__wanted *wanted)
{
	const struct apmu_event *event = wanted->event;

	return !wanted->outside && event->erratum < 32 && (core->errata_on >> event->erratum & 1) != 0;
}

void cli__wanted_signals(const struct apmu_core *core, const struct cli__wanted *wanted,
			 uint64_t set[APMU_SIGNAL_WORDS])
{
	const struct apmu_event *event = wanted->event;

	if (wanted->cycles)
		apmu_signal_add(set, APMU_SIG_CYCLES);
	if (wanted->cycles || event == NULL)
		return;
	for (unsigned i = 0; i < event->signals; i++)
		apmu_signal_add(set, event->signal[i]);
	if (cli__wanted_over_counts(core, wanted))
		apmu_signal_add(set, event->extra);
}

const char *cli__wanted_name(const struct cli__wanted *wanted)
{
	if (wanted->cycles)
		return "CYCLES";
	return wanted->event != NULL ? wanted->event->name : "RESERVED";
}

int cli__wanted_refuse_outside(const struct cli__cli *cli, const struct cli__wanted *wanted, size_t n,
			       const char *why)
{
	for (size_t i = 0; i < n; i++) {
		if (!wanted[i].outside)
			continue;
		cli__message(cli, "%s %s", wanted[i].label, why);
		return CLI__EXIT_USAGE;
	}
	return 0;
}
