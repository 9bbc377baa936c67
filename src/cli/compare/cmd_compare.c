/* SPDX-License-Identifier: MIT */
/*
 * `apmu compare`: a board's own counts, from `perf stat -j`, beside those of `apmu stat -j`. perf writes one
 * object per line, and its values as text; an event it could not count has "<not counted>" or "<not
 * supported>" for a value.
 */
#include "cli/common/events.h"
#include "cli/common/file_kind.h"
#include "cli/common/format_number.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/table.h"
#include "cli/common/uarch_options.h"
#include "cli/compare/compare.h"

#include <apmu/metric.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_ABOVE = 3 };
enum { LONGEST = 1 << 20, MOST = 4096 }; /* bytes of a line, events: more is no perf output */
enum {
	OPT_CORE,
	OPT_EVENTS,
	OPT_FAIL,
	OPT_FIT,
	OPT_PARAMS,
	OPT_SET,
	OPT_UARCH,
	OPT_SYSROOT,
	OPT_JSON,
	OPT_HELP
};

static const struct cli__option options[] = {
	{0, "events", NULL,
	 "print the board's events that --core has, as a list for\n'apmu stat -e', and stop", OPT_EVENTS},
	{'c', "core", "NAME", "with --events: the core", OPT_CORE},
	{0, "fail-above", "N%",
	 "exit with 3 if an event differs by more than N percent, with 1 if a side did not count it",
	 OPT_FAIL},
	{0, "fit", "FILE",
	 "which parameters of the core explain the differences of several\nprograms; writes them to FILE, for 'apmu stat --uarch FILE'",
	 OPT_FIT},
	{0, "params", "KEY,...",
	 "with --fit: try these alone (default: every number of the core's\nrow that has an effect: a run of each program for each)",
	 OPT_PARAMS},
	{0, "set", "KEY=VALUE,...", "with --fit: parameters to begin with", OPT_SET},
	{0, "uarch", "FILE", "with --fit: a file of such parameters", OPT_UARCH},
	{'L', "sysroot", "DIR", "with --fit: where dynamic programs' libraries are", OPT_SYSROOT},
	{'j', "json", NULL, "one JSON object (docs/json.md)", OPT_JSON},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

struct request {
	const char *path[2];
	size_t paths;
	struct cli__fit_request fit; /* with an output file: --fit was given */
	const struct apmu_core *core;
	double limit; /* percent; below 0: none */
	bool events, json, help;
};

static void print_help(FILE *out)
{
	fputs("usage: apmu compare [OPTION]... BOARD OURS\n"
	      "       apmu compare --events --core NAME BOARD\n"
	      "       apmu compare --fit FILE [--params KEY,...] BOARD OURS [BOARD OURS]...\n"
	      "\n"
	      "Shows the counts of a real core, as 'perf stat -j' wrote them, beside those of 'apmu stat -j' for the\n"
	      "same program, and how far apmu's (ours) are off.\n"
	      "\n"
	      "--fit takes such pairs of files for several programs. It runs each program again (its command line is in\n"
	      "OURS; in this folder, with an empty standard input) with each parameter changed a little, and then adjusts,\n"
	      "one after the other, the parameters that explain the differences best: least squares over the logarithms\n"
	      "of all counts. Parameters on which no count depends keep their values and are listed. BOARD may also be\n"
	      "of 'apmu stat -j'.\n"
	      "\n",
	      out);
	cli__options_help(options, out);
	fputs("\nFor example:\n"
	      "  perf stat -j -o board.json -e cycles:u,instructions:u,l1d_cache_refill:u ./prog   # there\n"
	      "  apmu stat -c cortex-a53 -j -o ours.json -e $(apmu compare --events -c cortex-a53 board.json) ./prog\n"
	      "  apmu compare board.json ours.json\n"
	      "  apmu compare --fit mine.uarch board1.json ours1.json board2.json ours2.json\n"
	      "  apmu stat -c cortex-a53 --uarch mine.uarch -- ./prog\n",
	      out);
}

/* The core that Linux names a PMU after: "armv8_cortex_a53". NULL: none, as in "armv8_pmuv3_0". */
static const struct apmu_core *core_of_pmu(const char *pmu, size_t length)
{
	char *text = cli__format("%.*s", (int)length, pmu);
	const char *core = strchr(text, '_');
	const struct apmu_core *found = core != NULL ? apmu_core_find(core + 1) : NULL;

	free(text);
	return found;
}

/* Takes event and PMU out of "armv8_cortex_a53/l1d_cache/u", "cpu/event=0x11/", "cycles:u" or
 * "cycles:u [armv8_cortex_a53]"; `kernel`: the kernel's part is included. An event without the user's part
 * keeps its whole name, which no core has. */
static void take_name(struct cli__measured_event *m, const char *name)
{
	const char *slash = strchr(name, '/'), *bracket = strstr(name, " [");
	const char *from = slash != NULL ? slash + 1 : name;
	const char *pmu = slash != NULL ? name : bracket != NULL ? bracket + 2 : "";
	size_t length = strcspn(from, slash != NULL ? "/" : ": ");
	const char *modifier = from + length + (from[length] != '\0');
	size_t letters = strcspn(modifier, " ");

	m->name = cli__copy(name);
	m->label = slash != NULL ? cli__pmu_label(from, length) : cli__format("%.*s", (int)length, from);
	m->pmu = core_of_pmu(pmu, strcspn(pmu, "/]"));
	bool user = memchr(modifier, 'u', letters) != NULL;
	bool above = memchr(modifier, 'k', letters) != NULL || memchr(modifier, 'h', letters) != NULL;
	m->kernel = above || !user;
	if (above && !user) {
		free(m->label);
		m->label = cli__copy(name);
	}
}

void cli__board_choose(struct cli__board *board, const struct apmu_core *core)
{
	bool own = false;

	for (size_t i = 0; i < board->n; i++)
		own = own || board->event[i].pmu == core;
	for (size_t i = 0; own && i < board->n; i++) {
		struct cli__measured_event *m = &board->event[i];
		if (m->pmu == NULL || m->pmu == core)
			continue;
		free(m->label);
		m->label = m->name;
		m->name = NULL;
	}
}

/* True for what may stand behind a number: nothing, or a comma and six decimals, because perf writes "%f" in
 * the locale that it runs in. */
static bool is_rest(const char *text)
{
	return *text == '\0' || (*text == ',' && strlen(text) == 7 && strspn(text + 1, "0123456789") == 6);
}

/* Notes a value's digits if it is a whole number. */
static void whole_of(const json_t *value, struct cli__measured_event *m)
{
	const char *text = json_string_value(value);
	size_t digits = text != NULL ? strspn(text, "0123456789") : 0;
	const char *rest = text != NULL ? text + digits : "";

	rest += *rest == '.' || *rest == ',';
	m->exact = json_is_integer(value) || (digits != 0 && rest[strspn(rest, "0")] == '\0');
	errno = 0;
	m->whole = text != NULL ? strtoull(text, NULL, 10) : (uint64_t)json_integer_value(value);
	m->exact = m->exact && errno == 0 && m->value >= 0;
}

/* Parses a count; perf's "<not counted>" and "<not supported>" become NAN. False if it is neither. */
static bool number_of(const json_t *value, double *n)
{
	const char *text = json_string_value(value);
	char *end;

	*n = json_is_number(value) ? json_number_value(value) : (double)NAN;
	if (text == NULL || text[0] == '<')
		return !(*n < 0);
	*n = strtod(text, &end);
	if (end == text || !isfinite(*n) || *n < 0 || !is_rest(end))
		return false;
	if (*end == ',')
		*n += strtod(end + 1, NULL) / 1e6;
	return true;
}

/* What perf says first on a line of a part of the run: an interval, a CPU, a thread. NULL: nothing. */
static const char *part_of(const json_t *object)
{
	static const char *const parts[] = {"interval", "cpu", "thread", "core", "cache",
					    "cluster",  "die", "socket", "node", NULL};
	const char *const *part = parts;

	while (*part != NULL && json_object_get(object, *part) == NULL)
		part++;
	return *part;
}

/* Makes a decimal comma a point: in the locale of its user, perf writes `"pcnt-running" : 100,00, ...`. */
static void point(char *line)
{
	bool quoted = false;

	for (char *at = line; *at != '\0'; at++) {
		quoted ^= *at == '"';
		if (!quoted && *at == ',' && at != line && isdigit((unsigned char)at[-1]) &&
		    isdigit((unsigned char)at[1]))
			*at = '.';
	}
}

/* Takes a line of perf's. Returns why it cannot; NULL: it did. Lines without an event (metrics alone) are
 * passed over. */
static const char *take_line(struct cli__board *board, char *line)
{
	point(line);
	json_t *object = json_loads(line, 0, NULL);
	const json_t *event = json_object_get(object, "event"),
		     *value = json_object_get(object, "counter-value");
	const json_t *running = json_object_get(object, "pcnt-running");

	bool whole = json_is_object(object);
	struct cli__measured_event m = {.running = 100};

	if (value != NULL)
		whole = number_of(value, &m.value) && whole;
	whole_of(value, &m);
	if (whole && json_is_string(event) && value != NULL && board->n < MOST) {
		take_name(&m, json_string_value(event));
		if (json_is_number(running))
			m.running = json_number_value(running);
		board->event = cli__grow(board->event, board->n, sizeof(*board->event));
		board->event[board->n++] = m;
	}
	bool part = event != NULL && part_of(object) != NULL;
	json_decref(object);
	if (part)
		return "a count of an interval, a CPU or a thread: "
		       "run 'perf stat -j' without -I, -A and --per-...";
	return whole ? NULL : "not a line of 'perf stat -j' output, which has one JSON object per line";
}

void cli__board_free(struct cli__board *board)
{
	for (size_t i = 0; i < board->n; i++) {
		free(board->event[i].label);
		free(board->event[i].name);
	}
	free(board->event);
	free(board->core);
}

int cli__board_read(const struct cli__cli *cli, const char *path, struct cli__board *board)
{
	FILE *file = fopen(path, "r");
	char *line = cli__zalloc(LONGEST, 1);
	const char *bad = NULL;
	unsigned number = 0;
	int why = file == NULL ? errno : 0;

	while (file != NULL && bad == NULL && fgets(line, LONGEST, file) != NULL) {
		number++;
		bool blank = line[0] != '\0' && line[strspn(line, " \t\r\n")] == '\0'; /* not a byte of 0 */
		if (!blank && line[0] != '#')
			bad = take_line(board, line);
	}
	free(line);
	if (file != NULL && ferror(file))
		why = errno; /* such as a folder */
	if (file != NULL)
		fclose(file);
	enum cli__file_kind kind = number == 1 && bad != NULL ? cli__file_kind(path) : CLI__FILE_UNKNOWN;
	if (why != 0)
		cli__message(cli, "cannot read '%s': %s", path, strerror(why));
	else if (kind != CLI__FILE_UNKNOWN && kind != CLI__FILE_PERF_STAT)
		cli__message(cli, "%s is %s, not output of 'perf stat -j'", path, cli__file_kind_text(kind));
	else if (bad != NULL)
		cli__message(cli, "%s:%u: %s", path, number, bad);
	else if (board->n == 0)
		cli__message(cli, "'%s' holds no event of 'perf stat -j'", path);
	return why == 0 && bad == NULL && board->n != 0 ? 0 : CLI__EXIT_FAILURE;
}

bool cli__board_event(const struct apmu_core *core, const char *label, const struct apmu_event **event,
		      bool *cycles)
{
	bool known = apmu_event_name(core, label, event, cycles) == 0;

	for (unsigned i = 0; !known && i < core->events; i++) {
		*event = apmu_event_at(core, i);
		*cycles = false;
		known = cli__label_means(core, label, (*event)->number);
	}
	return known;
}

static bool has(const struct apmu_core *core, const char *label)
{
	const struct apmu_event *event;
	bool cycles;

	return cli__board_event(core, label, &event, &cycles);
}

static int print_events(const struct cli__cli *cli, const struct apmu_core *core, struct cli__board *board)
{
	size_t printed = 0;

	cli__board_choose(board, core);
	for (size_t i = 0; i < board->n; i++)
		if (has(core, board->event[i].label))
			fprintf(cli->out, "%s%s", printed++ ? "," : "", board->event[i].label);
	if (printed == 0) {
		cli__message(cli, "%s has none of the board's events", core->name);
		return CLI__EXIT_FAILURE;
	}
	fputc('\n', cli->out);
	return 0;
}

/* Our count of what the board calls `label`; NULL if it was not counted. */
static const json_t *ours_of(const struct apmu_core *core, const json_t *counters, const char *label)
{
	size_t i;
	json_t *counter;

	json_array_foreach(counters, i, counter)
	{
		const json_t *number = json_object_get(counter, "number");
		unsigned n =
			json_is_integer(number) ? (unsigned)json_integer_value(number) : APMU_METRIC_CYCLES;

		if (cli__label_means(core, label, n) ||
		    cli__label_means(core, label, cli__event_twin(core, n)))
			return cli__json_counted(counter);
	}
	return NULL;
}

struct result {
	struct cli__measured_event ours; /* its value is NaN: not counted */
	double error;                    /* percent; NaN: none */
};

/* Returns how much more than the board we count. */
static double more(const struct cli__measured_event *ours, const struct cli__measured_event *board)
{
	if (!ours->exact || !board->exact)
		return ours->value - board->value;
	return ours->whole < board->whole ? -(double)(board->whole - ours->whole)
					  : (double)(ours->whole - board->whole);
}

static struct result result_of(const struct apmu_core *core, const json_t *counters,
			       const struct cli__measured_event *m)
{
	const json_t *ours = ours_of(core, counters, m->label);
	struct result r = {.error = (double)NAN};

	r.ours.value = ours ? json_number_value(ours) : (double)NAN;
	whole_of(ours, &r.ours);
	if (!isnan(r.ours.value) && !isnan(m->value))
		r.error = m->value != 0.0 ? 100 * more(&r.ours, m) / m->value
					  : (r.ours.value == 0.0 ? 0.0 : (double)INFINITY);
	return r;
}

static void add_count(struct cli__table *table, const struct cli__measured_event *m)
{
	char text[CLI__NUMBER] = "";

	if (m->exact)
		cli__format_whole(text, m->whole);
	else if (!isnan(m->value))
		cli__format_count(text, m->value);
	if (isnan(m->value))
		cli__table_add(table, "not counted");
	else if (m->exact || m->value == floor(m->value))
		cli__table_add(table, "%s", text);
	else
		cli__table_add(table, "%.3f", m->value);
}

static void add_row(struct cli__table *table, const struct cli__measured_event *m, struct result r)
{
	add_count(table, m);
	add_count(table, &r.ours);
	if (isnan(r.error))
		cli__table_add(table, "-");
	else if (r.error > 0 && isinf(r.error))
		cli__table_add(table, "from 0");
	else
		cli__table_add(table, "%+.1f %%", r.error);
	if (m->running < 99.995 && !isnan(m->value))
		cli__table_add(table, "%s (scaled: counted %.0f %% of the time)", m->label, m->running);
	else
		cli__table_add(table, "%s", m->label);
}

static json_t *count_json(const struct cli__measured_event *m)
{
	if (isnan(m->value))
		return json_null();
	return m->exact ? cli__json_count(m->whole) : json_real(m->value);
}

static json_t *row_json(const struct cli__measured_event *m, struct result r)
{
	json_t *object = json_object();

	cli__json_add(object, "event", cli__json_text(m->label));
	cli__json_add(object, "board", count_json(m));
	cli__json_add(object, "ours", count_json(&r.ours));
	cli__json_add(object, "difference", isfinite(r.error) ? json_real(r.error) : json_null());
	cli__json_add(object, "running", json_real(m->running));
	return object;
}

/* True if --fail-above cannot judge an event of the core, because one side has no count of it. Says so. */
static bool unjudged(const struct cli__cli *cli, const struct request *request, const struct apmu_core *core,
		     const char *label, struct result r)
{
	if (request->limit < 0.0 || !isnan(r.error) || !has(core, label))
		return false;
	cli__message(cli, "%s: not counted %s, so --fail-above cannot judge it", label,
		     isnan(r.ours.value) ? "by ours" : "by the board");
	return true;
}

static int compare(const struct cli__cli *cli, const struct request *request, const struct apmu_core *core,
		   const json_t *counters, const struct cli__board *board)
{
	static const char *const head[] = {"board", "ours", "difference", "event"};
	struct cli__table table = {.head = head, .right = "RRRL", .columns = 4};
	json_t *rows = json_array(), *all = json_object();
	bool above = false, kernel = false, lacks = false;

	for (size_t i = 0; i < board->n; i++) {
		struct result r = result_of(core, counters, &board->event[i]);

		lacks |= unjudged(cli, request, core, board->event[i].label, r);
		above = above || (request->limit >= 0.0 && !isnan(r.error) && fabs(r.error) > request->limit);
		kernel = kernel || board->event[i].kernel;
		if (request->json)
			cli__json_append(rows, row_json(&board->event[i], r));
		else
			add_row(&table, &board->event[i], r);
	}
	cli__json_add(all, "schema", cli__json_text("apmu-compare/1"));
	cli__json_add(all, "core", cli__json_text(core->name));
	cli__json_add(all, "kernel", json_boolean(kernel));
	cli__json_add(all, "events", rows);
	if (request->json)
		return cli__json_print(all, cli->out) != 0 ? CLI__EXIT_FAILURE
		       : above                             ? EXIT_ABOVE
		       : lacks                             ? CLI__EXIT_FAILURE
							   : 0;
	json_decref(all);
	cli__table_print(&table, cli__width(cli->out), cli->out);
	if (kernel)
		fputs("\nThe board's events without ':u' hold the kernel's part too; ours never do.\n",
		      cli->out);
	return above ? EXIT_ABOVE : lacks ? CLI__EXIT_FAILURE : 0;
}

void cli__complain_no_json(const struct cli__cli *cli, const char *path, const char *error)
{
	enum cli__file_kind kind = cli__file_kind(path);

	if (kind != CLI__FILE_UNKNOWN && kind != CLI__FILE_STAT)
		cli__message(cli, "%s is %s, not output of 'apmu stat -j'", path, cli__file_kind_text(kind));
	else
		cli__message(cli, "%s: %s", path, error);
}

static int read_ours(const struct cli__cli *cli, const struct request *request, struct cli__board *board)
{
	json_error_t error;
	json_t *ours = json_load_file(request->path[1], 0, &error);
	const char *name = json_string_value(json_object_get(ours, "core"));
	const char *schema = json_string_value(json_object_get(ours, "schema"));
	const json_t *counters = json_object_get(ours, "counters");
	const struct apmu_core *core = NULL;
	int code = CLI__EXIT_FAILURE;

	if (ours == NULL)
		cli__complain_no_json(cli, request->path[1], error.text);
	else if (cli__json_newer(cli, request->path[1], schema))
		;
	else if (name == NULL || !json_is_array(counters))
		cli__message(cli, "'%s' is not a result of 'apmu stat -j' for one core", request->path[1]);
	else
		core = cli__core(cli, name);
	if (core != NULL) {
		cli__board_choose(board, core);
		code = compare(cli, request, core, counters, board);
	}
	json_decref(ours);
	return code;
}

static int take_option(const struct cli__cli *cli, struct request *request, int id, const char *value)
{
	switch (id) {
	case OPT_CORE:
		request->core = cli__core(cli, value);
		return request->core != NULL ? 0 : CLI__EXIT_USAGE;
	case OPT_EVENTS: request->events = true; return 0;
	case OPT_JSON: request->json = true; return 0;
	case OPT_FIT: request->fit.output = value; return cli__option_file(cli, "--fit", value);
	case OPT_PARAMS: request->fit.params = value; return 0;
	case OPT_SYSROOT: request->fit.sysroot = value; return 0;
	case OPT_SET: cli__sets_add(&request->fit.sets, value); return 0;
	case OPT_UARCH: return cli__sets_add_file(&request->fit.sets, value);
	case OPT_FAIL:
		return cli__option_percent(cli, "--fail-above", value, (double)INFINITY, &request->limit);
	default: request->help = true; return 0;
	}
}

static int check(const struct cli__cli *cli, const struct request *request)
{
	const char *wrong = NULL;

	const struct cli__fit_request *fit = &request->fit;

	if (fit->output != NULL && (request->events || request->json || request->limit >= 0.0))
		wrong = "--fit prints a table and writes a file: leave out --events, --json and --fail-above";
	else if (fit->output != NULL && (fit->paths == 0 || fit->paths % 2 != 0))
		wrong = "--fit needs pairs of files: a board's, of 'perf stat -j', "
			"and ours of the same program, of 'apmu stat -j'";
	else if (fit->output == NULL && (fit->params != NULL || fit->sets != NULL || fit->sysroot != NULL))
		wrong = "--params, --set, --uarch and --sysroot are for --fit";
	else if (request->core != NULL && !request->events)
		wrong = "--core is for --events; otherwise the core is that of OURS";
	else if (fit->output != NULL)
		return 0;
	else if (request->events && request->core == NULL)
		wrong = "--events needs --core NAME: 'apmu compare --events --core NAME BOARD'";
	else if (request->paths < (request->events ? 1u : 2u))
		wrong = "two files are needed: the board's, of 'perf stat -j', and ours, of 'apmu stat -j'";
	if (wrong != NULL)
		cli__message(cli, "%s", wrong);
	return wrong != NULL ? CLI__EXIT_USAGE : 0;
}

static int parse(const struct cli__cli *cli, int argc, char **argv, struct request *request)
{
	struct cli__args args = {.cli = cli, .option = options, .argc = argc, .argv = argv, .at = 1};
	int code = 0;

	while (code == 0 && !request->help) {
		int id = cli__option_next(&args);

		if (id == CLI__OPTION_BAD)
			return CLI__EXIT_USAGE;
		if (id != CLI__OPTION_WORD) {
			code = take_option(cli, request, id, args.value);
		} else if (args.at >= argc) {
			break;
		} else if (request->fit.output != NULL) {
			request->fit.path = argv + args.at;
			request->fit.paths = (size_t)(argc - args.at);
			break;
		} else if (request->paths == (request->events ? 1u : 2u)) {
			cli__message(cli, "unexpected argument '%s': %s", argv[args.at],
				     request->events ? "--events takes one file, BOARD"
						     : "compare takes two files, BOARD and OURS");
			return CLI__EXIT_USAGE;
		} else {
			request->path[request->paths++] = argv[args.at++];
		}
	}
	return code != 0 || request->help ? code : check(cli, request);
}

/* Prints one board's counts, beside ours or as a list. */
static int show(const struct cli__cli *cli, const struct request *request)
{
	struct cli__board board = {0};
	int code = cli__board_read(cli, request->path[0], &board);

	if (code == 0)
		code = request->events ? print_events(cli, request->core, &board)
				       : read_ours(cli, request, &board);
	cli__board_free(&board);
	return code;
}

int cli__cmd_compare(struct cli__cli *cli, int argc, char **argv)
{
	struct request request = {.limit = -1.0};
	int code = parse(cli, argc, argv, &request);

	if (code == 0 && request.help)
		print_help(cli->out);
	if (code == 0 && !request.help && !cli->parse_only)
		code = request.fit.output != NULL ? cli__fit(cli, &request.fit) : show(cli, &request);
	free(request.fit.sets);
	return code;
}
