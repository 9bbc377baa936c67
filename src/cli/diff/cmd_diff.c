/* SPDX-License-Identifier: MIT */
#include "base/names.h"
#include "cli/common/colour.h"
#include "cli/common/options.h"
#include "cli/common/suggest.h"
#include "cli/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_ABOVE = 3 };
enum { OPT_EVENT, OPT_FAIL, OPT_LIMIT, OPT_JSON, OPT_MARKDOWN, OPT_ROOT, OPT_COLOUR, OPT_HELP };

static const struct cli__option options[] = {
	{'e', "event", "LIST",
	 "look at these events alone; the first is the one shown by\nfunction (default: all)", OPT_EVENT},
	{0, "fail-above", "N%", "exit with 3 if one of them grew by more than N percent", OPT_FAIL},
	{0, "limit", "N", "show N functions (default 20)", OPT_LIMIT},
	{'j', "json", NULL, "one JSON object (docs/json.md)", OPT_JSON},
	{0, "markdown", NULL, "tables for a pull request", OPT_MARKDOWN},
	{'L', "sysroot", "DIR", "where the programs' libraries and debug files lie", OPT_ROOT},
	{0, "color", "[=WHEN]", CLI__COLOUR_HELP, OPT_COLOUR},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

struct request {
	struct cli__load_options load;
	const char *path[2];
	size_t paths;
	char *events;  /* "a,b"; NULL: all */
	double limit;  /* percent; below 0: none */
	uint64_t rows; /* functions shown */
	bool json, markdown, help;
};

static void print_help(FILE *out)
{
	fputs("usage: apmu diff [OPTION]... BEFORE AFTER\n"
	      "\n"
	      "Compares two runs, or two builds: profiles of 'apmu record', or the JSON of 'apmu stat -j'. Functions are\n"
	      "compared by name, so that they may lie elsewhere, and the two programs may be called differently. Counts\n"
	      "repeat to the last digit, so a limit can be tight.\n"
	      "\n",
	      out);
	cli__options_help(options, out);
	fputs("\n"
	      "The exit status is 0; 3 if an event grew by more than --fail-above; 1 if a file cannot be read or lacks\n"
	      "an event of -e or, with --fail-above and without -e, any event that the other has on that core, if a\n"
	      "recording was cut off or the programs' own exit statuses differ; 2 if the command line is wrong.\n"
	      "\n"
	      "For example:\n"
	      "  apmu stat -j -o new.json -c cortex-a53 -e instructions,branch-misses -- ./prog\n"
	      "  apmu diff --fail-above 2% -e instructions old.json new.json\n"
	      "  apmu diff old.data new.data\n",
	      out);
}

static int take_option(const struct cli__cli *cli, struct request *request, int id, const char *value)
{
	switch (id) {
	case OPT_EVENT:
		free(request->events);
		request->events = cli__copy(value);
		break;
	case OPT_FAIL:
		return cli__option_percent(cli, "--fail-above", value, (double)INFINITY, &request->limit);
	case OPT_LIMIT: return cli__option_number(cli, "--limit", value, UINT32_MAX, &request->rows);
	case OPT_JSON: request->json = true; break;
	case OPT_MARKDOWN: request->markdown = true; break;
	case OPT_ROOT: request->load.sysroot = value; break;
	case OPT_COLOUR: return cli__colour_option(cli, value);
	default: request->help = true;
	}
	return 0;
}

static int parse(const struct cli__cli *cli, int argc, char **argv, struct request *request)
{
	struct cli__args args = {.cli = cli, .option = options, .argc = argc, .argv = argv, .at = 1};
	int code = 0;

	while (code == 0 && !request->help) {
		int id = cli__option_next(&args);
		if (id == CLI__OPTION_BAD)
			return CLI__EXIT_USAGE;
		if (id != CLI__OPTION_WORD)
			code = take_option(cli, request, id, args.value);
		else if (args.at >= argc)
			break;
		else if (request->paths < 2)
			request->path[request->paths++] = argv[args.at++];
		else {
			cli__message(cli, "unexpected argument '%s': diff takes two runs", argv[args.at]);
			return CLI__EXIT_USAGE;
		}
	}
	if (code == 0 && !request->help && request->json && request->markdown) {
		cli__message(cli, "-j and --markdown exclude each other");
		return CLI__EXIT_USAGE;
	}
	if (code == 0 && !request->help && request->paths < 2) {
		cli__message(cli,
			     "two files are needed, before and after; 'apmu diff --help' says of what kind");
		return CLI__EXIT_USAGE;
	}
	return code;
}

/* The place of an event in "a,b", from 0; -1 if it is not there. */
static int place_in(const char *list, const char *event)
{
	int at = 0;

	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL, at++) {
		char *name = cli__format("%.*s", (int)strcspn(list, ","), list);
		bool same = apmu_base__same_name(name, event);

		free(name);
		if (same)
			return at;
	}
	return -1;
}

static bool wanted(const struct request *request, const char *event)
{
	return request->events == NULL || place_in(request->events, event) >= 0;
}

/* The core of all of a run's counts; NULL if there are several. */
static const char *only_core(const struct cli__measured *run)
{
	for (size_t i = 1; i < run->counts; i++)
		if (strcmp(run->count[i].core, run->count[0].core) != 0)
			return NULL;
	return run->counts ? run->count[0].core : NULL;
}

/* The count of an event in the other run: of the same core or, with `any_core`, of any. */
static const struct cli__event_count *find(const struct cli__measured *in,
					   const struct cli__event_count *like, bool any_core)
{
	for (size_t i = 0; i < in->counts; i++)
		if (apmu_base__same_name(in->count[i].event, like->event) &&
		    (any_core || strcmp(in->count[i].core, like->core) == 0))
			return &in->count[i];
	return NULL;
}

/* The count in the other run of what is the same event of the same core by its number, and has another name
 * that this run does not have; NULL: none. */
static struct cli__event_count *namesake(struct cli__measured run[2], const struct cli__event_count *count)
{
	for (size_t i = 0; i < run[1].counts; i++) {
		struct cli__event_count *other = &run[1].count[i];
		if (other->number == count->number && strcmp(other->core, count->core) == 0 &&
		    find(&run[0], other, false) == NULL)
			return other;
	}
	return NULL;
}

/* Gives an event one name in both runs: "cycles" is also "cpu-cycles", "0x08" is also "instructions". It is
 * the first run's, or that of -e. */
static void align_names(const struct request *request, struct cli__measured run[2])
{
	for (size_t i = 0; i < run[0].counts; i++) {
		struct cli__event_count *count = &run[0].count[i], *other;
		if (count->number == CLI__NUMBER_NONE || find(&run[1], count, false) != NULL)
			continue;
		other = namesake(run, count);
		if (other == NULL)
			continue;
		bool theirs = request->events != NULL && place_in(request->events, other->event) >= 0;
		struct cli__event_count *to = theirs ? count : other;
		free(to->event);
		to->event = cli__copy(theirs ? other->event : count->event);
	}
}

static void add_count(struct cli__changes *changes, const struct cli__event_count *before,
		      const struct cli__event_count *after)
{
	const struct cli__event_count *any = before ? before : after;
	unsigned missing = (!before || before->unknown ? CLI__NEW_ONLY : 0) |
			   (!after || after->unknown ? CLI__OLD_ONLY : 0);

	changes->count = cli__grow(changes->count, changes->counts, sizeof *changes->count);
	changes->count[changes->counts++] = (struct cli__change){
		.core = any->core,
		.event = any->event,
		.core_after = before && after && strcmp(before->core, after->core) != 0 ? after->core : NULL,
		.before = before ? before->value : 0,
		.after = after ? after->value : 0,
		.missing = (enum cli__missing)missing,
	};
}

static void compare_counts(const struct request *request, const struct cli__measured *run,
			   struct cli__changes *changes)
{
	bool one_each = only_core(&run[0]) && only_core(&run[1]); /* a program on one core, then on another */

	for (size_t i = 0; i < run[0].counts; i++)
		if (wanted(request, run[0].count[i].event))
			add_count(changes, &run[0].count[i], find(&run[1], &run[0].count[i], one_each));
	for (size_t i = 0; i < run[1].counts; i++)
		if (wanted(request, run[1].count[i].event) &&
		    find(&run[0], &run[1].count[i], one_each) == NULL)
			add_count(changes, NULL, &run[1].count[i]);
}

/* Complains if a run has no such event; true if it has it. */
static bool has_event(const struct cli__cli *cli, const struct cli__measured *run, const char *event)
{
	struct cli__nearest near = {.want = event};

	for (size_t i = 0; i < run->counts; i++) {
		if (apmu_base__same_name(run->count[i].event, event))
			return true;
		cli__nearest_offer(&near, run->count[i].event);
	}
	const char *best = cli__nearest(&near);
	cli__message(cli, "%s has no event '%s'%s%s%s", run->path, event, best ? "; did you mean '" : "",
		     best ? best : "", best ? "'?" : "");
	return false;
}

/* Checks that every event of -e is in both runs: a limit on a missing event would never be passed. */
static int check_events(const struct cli__cli *cli, const struct request *request,
			const struct cli__measured *run, const struct cli__changes *changes)
{
	for (const char *at = request->events; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char *event = cli__format("%.*s", (int)strcspn(at, ","), at);
		bool known = has_event(cli, &run[0], event) && has_event(cli, &run[1], event);
		free(event);
		if (!known)
			return CLI__EXIT_FAILURE;
	}
	if (changes->counts)
		return 0;
	cli__message(cli, "%s and %s have no events", run[0].path, run[1].path);
	return CLI__EXIT_FAILURE;
}

/* The base name of an object. The program itself is called as in the first run, because a build may have
 * renamed it. */
static const char *object_of(const struct cli__measured run[2], bool after, const char *path)
{
	const char *name = profile__base_name(path);
	bool program = strcmp(name, profile__base_name(run[after].loaded.profile->program)) == 0;

	return program ? profile__base_name(run[0].loaded.profile->program) : name;
}

/* Adds the functions of one profile; merge_functions() joins those of the same name and object. */
static void add_functions(const struct cli__measured run[2], const char *event, bool after,
			  struct cli__changes *changes)
{
	const struct profile__summary *summary = &run[after].loaded.summary;
	size_t e = 0;

	while (e < summary->events && !apmu_base__same_name(run[after].count[e].event, event))
		e++;
	for (size_t i = 0; e < summary->events && i < summary->functions; i++) {
		const struct profile__function *function = &summary->function[i];
		uint64_t weight = summary->self[i * summary->events + e];
		if (weight == 0)
			continue;
		changes->function =
			cli__grow(changes->function, changes->functions, sizeof *changes->function);
		changes->function[changes->functions++] = (struct cli__change){
			.event = event,
			.function = function->place->named ? function->name : "(no name)",
			.object = object_of(run, after, function->place->object),
			.own = profile__base_name(function->place->object),
			.before = after ? 0 : weight,
			.after = after ? weight : 0,
			.missing = after ? CLI__NEW_ONLY : CLI__OLD_ONLY,
		};
	}
}

static int by_name(const void *a, const void *b)
{
	const struct cli__change *x = a;
	const struct cli__change *y = b;
	int order = strcmp(x->function, y->function);

	return order ? order : strcmp(x->object, y->object);
}

static uint64_t size_of(const struct cli__change *change)
{
	return change->after > change->before ? change->after - change->before
					      : change->before - change->after;
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = size_of(a);
	uint64_t y = size_of(b);

	return x > y ? -1 : x < y ? 1 : by_name(a, b);
}

/* Joins the rows of each function, and drops functions that did not change. */
static void merge_functions(struct cli__changes *changes)
{
	size_t n = 0;

	if (changes->functions == 0)
		return;
	qsort(changes->function, changes->functions, sizeof *changes->function, by_name);
	for (size_t i = 1; i < changes->functions; i++) {
		struct cli__change *to = &changes->function[n];
		const struct cli__change *from = &changes->function[i];
		if (by_name(to, from) != 0) {
			changes->function[++n] = *from;
			continue;
		}
		to->before += from->before;
		to->after += from->after;
		if (to->missing != from->missing)
			to->missing = CLI__IN_BOTH;
	}
	for (size_t i = 0; i <= n; i++)
		if (changes->function[i].missing == CLI__NEW_ONLY)
			changes->function[i].object = changes->function[i].own;
	qsort(changes->function, n + 1, sizeof *changes->function, by_size);
	changes->functions = n + 1;
	while (changes->functions && size_of(&changes->function[changes->functions - 1]) == 0)
		changes->functions--;
}

/* Complains about an event that one run has no count of, so that a limit says nothing about it. */
static void complain_of_missing(const struct cli__cli *cli, const struct cli__measured *run,
				const struct cli__change *change)
{
	bool old = change->missing == CLI__OLD_ONLY;

	if (change->missing == CLI__IN_NEITHER) /* both were cut off, which was said as they were read */
		return;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the core of a count may be "", not NULL */
	const char *on = change->core[0] ? " on " : "";
	cli__message(cli, "%s has no count of '%s'%s%s, which %s has: --fail-above needs both", run[old].path,
		     change->event, on, change->core, run[!old].path);
}

static int judge(const struct cli__cli *cli, const struct request *request, const struct cli__measured *run,
		 struct cli__changes *changes)
{
	bool missing = false;
	int code = 0;

	for (size_t i = 0; request->limit >= 0.0 && i < changes->counts; i++) {
		struct cli__change *change = &changes->count[i];
		if (change->missing != CLI__IN_BOTH) {
			complain_of_missing(cli, run, change);
			missing = true;
			continue;
		}
		change->above = cli__change_percent(change) > request->limit;
		code = change->above ? EXIT_ABOVE : code;
	}
	return missing ? CLI__EXIT_FAILURE : code;
}

/* Complains if the two programs ended differently, since their counts are then of different work. With a
 * limit this is a failure: a program that stops early counts less. 0, or an exit code. */
static int judge_ends(const struct cli__cli *cli, const struct request *request,
		      const struct cli__measured *run)
{
	if (request->limit >= 0.0 && (run[0].cut || run[1].cut)) /* which was said as it was read */
		return CLI__EXIT_FAILURE;
	if (run[0].exit == run[1].exit || run[0].exit < 0 || run[1].exit < 0)
		return 0;
	cli__message(cli, "%s: the program ended with exit status %d, in %s with %d: their work may differ",
		     run[1].path, run[1].exit, run[0].path, run[0].exit);
	return request->limit >= 0.0 ? CLI__EXIT_FAILURE : 0;
}

/* The event that is shown by function: the first that both runs counted; with -e the first there, if they
 * did. NULL: none. */
static const char *event_of_functions(const struct request *request, const struct cli__changes *changes)
{
	for (size_t i = 0; i < changes->counts; i++) {
		const struct cli__change *count = &changes->count[i];
		bool asked = request->events == NULL || place_in(request->events, count->event) == 0;
		if (asked && count->missing == CLI__IN_BOTH)
			return count->event;
	}
	return NULL;
}

static int compare(struct cli__cli *cli, const struct request *request, struct cli__measured *run,
		   struct cli__changes *changes)
{
	align_names(request, run);
	compare_counts(request, run, changes);
	int code = check_events(cli, request, run, changes);
	if (code != 0)
		return code;
	const char *event = event_of_functions(request, changes);
	if (event && run[0].profile && run[1].profile) {
		add_functions(run, event, false, changes);
		add_functions(run, event, true, changes);
	}
	merge_functions(changes);
	code = judge(cli, request, run, changes);
	int ends = judge_ends(cli, request, run);
	code = ends ? ends : code;
	if (request->json)
		return cli__diff_json(changes, request->rows, cli->out) ? CLI__EXIT_FAILURE : code;
	if (request->markdown)
		cli__diff_markdown(changes, request->rows, cli->out);
	else
		cli__diff_text(changes, request->rows, cli->out);
	return code;
}

static int diff(struct cli__cli *cli, const struct request *request)
{
	struct cli__measured run[2] = {0};
	struct cli__changes changes = {0};
	int code = cli__measured_read(cli, request->path[0], &request->load, &run[0]);

	if (code == 0)
		code = cli__measured_read(cli, request->path[1], &request->load, &run[1]);
	if (code == 0)
		code = compare(cli, request, run, &changes);
	cli__measured_free(&run[0]);
	cli__measured_free(&run[1]);
	free(changes.count);
	free(changes.function);
	return code;
}

int cli__cmd_diff(struct cli__cli *cli, int argc, char **argv)
{
	struct request request = {.limit = -1.0, .rows = 20};
	int code = parse(cli, argc, argv, &request);

	if (code == 0 && request.help)
		print_help(cli->out);
	else if (code == 0 && !cli->parse_only)
		code = diff(cli, &request);
	free(request.events);
	return code;
}
