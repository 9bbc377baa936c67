/* SPDX-License-Identifier: MIT */
/*
 * Finds parameters that explain what a board counted. Each is tried with a small change, which gives the
 * slope of each count. Then parameters are taken in one by one, the one that explains most first: of the few
 * that would by their slopes, each is tried, with all that are in solved anew and run again (Gauss-Newton).
 * The search ends when no parameter explains enough.
 */
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/uarch_options.h"
#include "cli/compare/compare.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIVE = 12, TURNS = 5, TRIES = 8 };
static const double NOISE = 0.005; /* relative uncertainty of every count, besides that of its size */
static const double PAYS = 9; /* least gain of a parameter: three standard deviations of one count, squared */
static const double SHARE = 0.005; /* least gain, as a share of the squared difference at the beginning */

static double sum_of(const double *rest, size_t n)
{
	double sum = 0;

	for (size_t c = 0; c < n; c++)
		sum += rest[c] * rest[c];
	return sum;
}

static void rest_of(const struct cli__fit *fit, const double *ours, double *rest)
{
	for (size_t c = 0; c < fit->counts; c++)
		rest[c] = fit->count[c].weight * (log(fit->count[c].board + 1) - log(ours[c] + 1));
}

static bool fits(const struct apmu_uarch_params *params)
{
	return apmu_uarch_check(params) == NULL;
}

/* Sets the parameter to the whole number nearest to `value`, else to the nearest power of two. Returns what
 * was set; NAN: neither is allowed. */
static double settle(struct apmu_uarch_params *params, const char *key, double value)
{
	double tries[2] = {round(value), value > 0 ? exp2(round(log2(value))) : 0};
	char text[32];

	for (unsigned i = 0; i < 2; i++) {
		struct apmu_uarch_params changed = *params;
		snprintf(text, sizeof text, "%.0f", fmax(tries[i], 0));
		if (apmu_uarch_set(&changed, key, text) == 0 && fits(&changed)) {
			*params = changed;
			return fmax(tries[i], 0);
		}
	}
	return (double)NAN;
}

/* All parameters with the values fitted so far. */
static struct apmu_uarch_params params_now(struct cli__fit *fit)
{
	struct apmu_uarch_params params = fit->begin;

	for (size_t k = 0; k < fit->params; k++)
		if (fit->param[k].active)
			settle(&params, fit->param[k].key, fit->param[k].now);
	return params;
}

/* True if the parameter is among those of --params, or there is no --params. */
static bool asked(const char *list, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = list; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (strncmp(at, key, n) == 0 && (at[n] == ',' || at[n] == '\0'))
			return true;
	return list == NULL;
}

/* Adds a parameter if it is a number, has an effect on this machine and allows a small change. A switch (0 or
 * 1) is added only if --params names it. */
static void add_param(struct cli__fit *fit, const struct apmu_uarch_param *f)
{
	struct apmu_uarch_params tried = fit->begin;
	char *end, why[200];
	double value = strtod(f->value, &end);
	bool named = fit->request->params != NULL;

	if (*end != '\0' || end == f->value || (!named && value < 2) ||
	    !asked(fit->request->params, f->key) ||
	    apmu_uarch_idle(&fit->begin, f->key, why, sizeof why) != NULL)
		return;
	double step = settle(&tried, f->key, value + fmax(1, round(value / 8))) - value;
	if (isnan(step) || step == 0)
		step = settle(&tried, f->key, 2 * value) - value;
	if (isnan(step) || step == 0)
		return;
	fit->param = cli__grow(fit->param, fit->params, sizeof *fit->param);
	fit->param[fit->params++] =
		(struct cli__fit_param){.key = f->key,
					.begin = value,
					.now = value,
					.step = step,
					.slope = cli__zalloc(fit->counts, sizeof(double))};
}

static int find_params(struct cli__fit *fit)
{
	const char *list = fit->request->params;
	struct apmu_uarch_param f;

	for (const char *at = list; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		int n = (int)strcspn(at, ",");
		bool known = false;
		for (size_t i = 0; !known && apmu_uarch_param(&fit->begin, i, &f); i++)
			known = strlen(f.key) == (size_t)n && strncmp(f.key, at, (size_t)n) == 0;
		if (known)
			continue;
		cli__message(fit->cli, "--params: no parameter '%.*s'; 'apmu list cores -v' has them all", n,
			     at);
		return CLI__EXIT_USAGE;
	}
	for (size_t i = 0; apmu_uarch_param(&fit->begin, i, &f); i++)
		add_param(fit, &f);
	if (fit->params != 0)
		return 0;
	cli__message(fit->cli, "nothing to fit: %s is a number that can be changed and has an effect on %s",
		     list ? "no parameter of --params" : "no parameter", fit->core->name);
	return CLI__EXIT_USAGE;
}

/* Measures the slopes of the parameters `which` around the current values, and the rest there. 0, or 1 after
 * a complaint. */
static int slopes(struct cli__fit *fit, const size_t *which, size_t n)
{
	struct apmu_uarch_params *params = cli__zalloc(n + 1, sizeof *params);
	double *ours = cli__zalloc((n + 1) * fit->counts, sizeof *ours),
	       *step = cli__zalloc(n + 1, sizeof *step);

	params[0] = params_now(fit);
	for (size_t i = 0; i < n; i++) {
		struct cli__fit_param *f = &fit->param[which[i]];
		params[i + 1] = params[0];
		step[i] = settle(&params[i + 1], f->key, f->now + f->step) - f->now;
		if (isnan(step[i]) || step[i] == 0)
			step[i] = settle(&params[i + 1], f->key, f->now / 2) - f->now;
	}
	int bad = cli__fit_run(fit, params, n + 1, ours);
	for (size_t i = 0; i < n && bad == 0; i++) {
		struct cli__fit_param *f = &fit->param[which[i]];
		double sum = 0;
		for (size_t c = 0; c < fit->counts && !isnan(step[i]) && step[i] != 0; c++) {
			f->slope[c] = fit->count[c].weight *
				      (log(ours[(i + 1) * fit->counts + c] + 1) - log(ours[c] + 1)) / step[i];
			sum += f->slope[c] * f->slope[c] * f->step * f->step;
		}
		f->strength = sqrt(sum);
	}
	if (bad == 0) {
		rest_of(fit, ours, fit->rest);
		fit->sum = sum_of(fit->rest, fit->counts);
	}
	free(params);
	free(ours);
	free(step);
	return bad;
}

static size_t active(const struct cli__fit *fit, size_t *which)
{
	size_t n = 0;

	for (size_t k = 0; k < fit->params && n < ACTIVE; k++)
		if (fit->param[k].active)
			which[n++] = k;
	return n;
}

/* Changes each of the `n` parameters by its `change`, within limits; value[]: what they are then. */
static struct apmu_uarch_params stepped(const struct cli__fit *fit, const size_t *which, size_t n,
					const double *change, double part, double *value)
{
	struct apmu_uarch_params params = fit->begin;

	for (size_t i = 0; i < n; i++) {
		const struct cli__fit_param *f = &fit->param[which[i]];
		double to = f->now + change[i] * part;
		double got = settle(&params, f->key, fmin(fmax(to, f->now / 4), 4 * f->now + 4));
		if (isnan(got))
			got = settle(&params, f->key, f->now);
		value[i] = isnan(got) ? f->begin : got;
	}
	return params;
}

/* Tries a step of all parameters that are in: whole, half and a quarter; takes the best. 1 if it helped, 0 if
 * not, -1 after a complaint. */
static int improve(struct cli__fit *fit)
{
	enum { PARTS = 3 };
	size_t which[ACTIVE], n = active(fit, which);
	double change[ACTIVE];
	struct apmu_uarch_params params[PARTS];
	double *ours = cli__zalloc(PARTS * fit->counts, sizeof *ours),
	       *rest = cli__zalloc(fit->counts, sizeof *rest);
	double value[PARTS][ACTIVE], best = fit->sum;
	unsigned chosen = PARTS;

	cli__fit_solve(fit, which, n, change);
	for (unsigned p = 0; p < PARTS; p++)
		params[p] = stepped(fit, which, n, change, 1 / (double)(1u << p), value[p]);
	int bad = cli__fit_run(fit, params, PARTS, ours);
	for (unsigned p = 0; p < PARTS && bad == 0; p++) {
		rest_of(fit, ours + p * fit->counts, rest);
		double sum = sum_of(rest, fit->counts);
		if (sum < best - 1e-9) {
			best = sum;
			chosen = p;
		}
	}
	if (chosen < PARTS) {
		for (size_t i = 0; i < n; i++)
			fit->param[which[i]].now = value[chosen][i];
		rest_of(fit, ours + chosen * fit->counts, fit->rest);
		fit->sum = best;
	}
	free(ours);
	free(rest);
	return bad != 0 ? -1 : chosen < PARTS;
}

/* Takes steps until none helps, at most TURNS. 0, or 1 after a complaint. */
static int refine(struct cli__fit *fit)
{
	size_t which[ACTIVE], n = active(fit, which);

	for (unsigned turn = 0; turn < TURNS && n != 0; turn++) {
		int helped = improve(fit);
		if (helped < 0 || (helped && slopes(fit, which, n) != 0))
			return CLI__EXIT_FAILURE;
		if (!helped)
			break;
	}
	return 0;
}

static double threshold(const struct cli__fit *fit)
{
	return fmax(PAYS, SHARE * fit->first);
}

/* The parameters that would explain most of what is left if their slopes held, the best first. Returns how
 * many explain enough. */
static size_t next_params(const struct cli__fit *fit, size_t best[TRIES])
{
	size_t which[ACTIVE + 1], n = active(fit, which), found = 0;
	double change[ACTIVE + 1], least[TRIES];

	for (size_t k = 0; k < fit->params && n < ACTIVE && n < fit->counts; k++) {
		const struct cli__fit_param *f = &fit->param[k];
		if (f->active || f->refused || f->strength < 1)
			continue;
		which[n] = k;
		double left = cli__fit_solve(fit, which, n + 1, change);
		if (left >= fit->sum - threshold(fit) || f->now + change[n] <= 0)
			continue;
		size_t at = found < TRIES ? found++ : TRIES;
		for (; at != 0 && left < least[at - 1]; at--)
			if (at < TRIES) {
				least[at] = least[at - 1];
				best[at] = best[at - 1];
			}
		if (at < TRIES) {
			least[at] = left;
			best[at] = k;
		}
	}
	return found;
}

/* A state of the fit to go back to. */
struct state {
	double *now, *rest, sum;
};

static struct state keep(const struct cli__fit *fit)
{
	struct state s = {cli__zalloc(fit->params, sizeof(double)), cli__zalloc(fit->counts, sizeof(double)),
			  fit->sum};

	for (size_t k = 0; k < fit->params; k++)
		s.now[k] = fit->param[k].now;
	memcpy(s.rest, fit->rest, fit->counts * sizeof *s.rest);
	return s;
}

static void go_back(struct cli__fit *fit, const struct state *s)
{
	for (size_t k = 0; k < fit->params; k++)
		fit->param[k].now = s->now[k];
	memcpy(fit->rest, s->rest, fit->counts * sizeof *s->rest);
	fit->sum = s->sum;
}

static void state_free(struct state *s)
{
	free(s->now);
	free(s->rest);
	*s = (struct state){0};
}

/* Tries each of `n` parameters, because slopes of small steps may not hold for large ones, and takes the one
 * in that explains most, if that is enough. The others that explain as much are its rivals. 0, or 1 after a
 * complaint. */
static int take_in(struct cli__fit *fit, const size_t *tried, size_t n)
{
	struct state before = keep(fit), best = {0};
	size_t which[ACTIVE], chosen = fit->params;
	double left[TRIES];
	int bad = 0;

	for (size_t i = 0; i < n && bad == 0; i++) {
		struct cli__fit_param *f = &fit->param[tried[i]];
		f->active = true;
		bad = refine(fit);
		f->active = false;
		left[i] = fit->sum;
		f->refused = before.sum - fit->sum < threshold(fit);
		if (!f->refused && (best.now == NULL || fit->sum < best.sum)) {
			state_free(&best);
			best = keep(fit);
			chosen = tried[i];
		}
		go_back(fit, &before);
	}
	if (bad == 0 && best.now != NULL) {
		struct cli__fit_param *f = &fit->param[chosen];
		go_back(fit, &best);
		f->active = true;
		f->explains = fit->first > 0 ? (before.sum - fit->sum) / fit->first : 0;
		for (size_t i = 0; i < n; i++)
			if (tried[i] != chosen && left[i] - fit->sum < threshold(fit))
				fit->param[tried[i]].rival = f;
		bad = slopes(fit, which, active(fit, which));
	}
	state_free(&before);
	state_free(&best);
	return bad;
}

/* Takes out parameters that the others can do without, because what came in first may be explained by those
 * after it. 0, or 1 after a complaint. */
static int leave_out(struct cli__fit *fit)
{
	int bad = 0;

	for (size_t k = 0; k < fit->params && bad == 0; k++) {
		struct cli__fit_param *f = &fit->param[k];
		size_t none = 0;
		if (!f->active)
			continue;
		struct state s = keep(fit);
		f->active = false;
		f->now = f->begin;
		bad = slopes(fit, &none, 0) != 0 || refine(fit) != 0;
		f->active = bad == 0 && fit->sum - s.sum > threshold(fit);
		if (f->active)
			go_back(fit, &s);
		state_free(&s);
	}
	return bad;
}

static int search(struct cli__fit *fit)
{
	size_t *all = cli__zalloc(fit->params + 1, sizeof *all);
	size_t next[TRIES], n;
	int bad;

	for (size_t k = 0; k < fit->params; k++)
		all[k] = k;
	bad = slopes(fit, all, fit->params);
	fit->first = fit->sum;
	while (bad == 0 && (n = next_params(fit, next)) != 0)
		bad = take_in(fit, next, n);
	if (bad == 0)
		bad = leave_out(fit);
	free(all);
	return bad;
}

/* Adds a board's event as one of the core's; false if the core has none. */
static bool add_count(struct cli__fit *fit, const struct cli__measured_event *m, size_t program)
{
	const struct apmu_event *event = NULL;
	bool cycles = false;

	if (isnan(m->value) || !cli__board_event(fit->core, m->label, &event, &cycles) ||
	    (!cycles && (event == NULL || event->signals == 0)))
		return false;
	fit->count = cli__grow(fit->count, fit->counts, sizeof *fit->count);
	fit->count[fit->counts++] =
		(struct cli__fit_count){.event = cycles ? NULL : event,
					.program = program,
					.board = m->value,
					.weight = 1 / sqrt(NOISE * NOISE + 1 / fmax(m->value, 1))};
	return true;
}

/* Reads a board's counts from a file of `apmu stat -j`; false if it is none. */
static bool read_ours(const char *path, struct cli__board *board)
{
	json_t *all = json_load_file(path, 0, NULL);
	const json_t *counters = json_object_get(all, "counters");
	json_t *counter;
	size_t i;

	json_array_foreach(counters, i, counter)
	{
		const char *event = json_string_value(json_object_get(counter, "event"));
		const json_t *value = cli__json_counted(counter);
		if (event == NULL || value == NULL)
			continue;
		board->event = cli__grow(board->event, board->n, sizeof *board->event);
		board->event[board->n++] = (struct cli__measured_event){
			.label = cli__copy(event), .value = json_number_value(value), .running = 100};
	}
	const char *core = json_string_value(json_object_get(all, "core"));
	board->core = core && board->n ? cli__copy(core) : NULL;
	json_decref(all);
	return board->n != 0;
}

/* The instructions that a board counted; NaN: it did not. */
static double instructions_of(const struct apmu_core *core, const struct cli__board *board)
{
	const struct apmu_event *instructions = NULL, *event;
	bool cycles;

	cli__board_event(core, "instructions", &instructions, &cycles);
	for (size_t e = 0; e < board->n; e++)
		if (cli__board_event(core, board->event[e].label, &event, &cycles) && event != NULL &&
		    event == instructions)
			return board->event[e].value;
	return (double)NAN;
}

#define ALIKE 1.05 /* the greatest ratio of instructions of one program and input */

/* Checks that a board's file is of the core that is fitted, and says if its program executed another number
 * of instructions, which no parameter changes. 0, or 1 after a complaint. */
static int check_pair(const struct cli__fit *fit, const struct cli__board *board, char *const *path)
{
	struct cli__board ours = {0};
	const struct apmu_core *core = board->core ? cli__core(fit->cli, board->core) : fit->core;

	if (core != fit->core) {
		if (core)
			cli__message(fit->cli, "'%s' has counts of %s, '%s' of %s", path[0], core->name,
				     path[1], fit->core->name);
		return CLI__EXIT_FAILURE;
	}
	read_ours(path[1], &ours);
	double theirs = instructions_of(core, board), own = instructions_of(core, &ours);
	if (theirs > ALIKE * own || own > ALIKE * theirs)
		cli__message(
			fit->cli,
			"'%s' has %.0f instructions, '%s' %.0f: no parameter explains that; is it the same program, with the same input, in user space?",
			path[0], theirs, path[1], own);
	cli__board_free(&ours);
	return 0;
}

/* Reads program and core from a file of `apmu stat -j`. 0, or 1 after a complaint. */
static int read_program(struct cli__fit *fit, const char *path)
{
	json_error_t error;
	json_t *ours = json_load_file(path, 0, &error);
	const json_t *words = json_object_get(ours, "program");
	const char *name = json_string_value(json_object_get(ours, "core"));
	const char *schema = json_string_value(json_object_get(ours, "schema"));
	bool newer = cli__json_newer(fit->cli, path, schema);
	const struct apmu_core *core = name != NULL && !newer ? cli__core(fit->cli, name) : NULL;
	size_t n = json_array_size(words);
	int bad = CLI__EXIT_FAILURE;

	if (ours == NULL)
		cli__complain_no_json(fit->cli, path, error.text);
	else if (newer)
		;
	else if (name == NULL || n == 0)
		cli__message(fit->cli, "'%s' is not a result of 'apmu stat -j' for one core", path);
	else if (core != NULL && fit->core != NULL && core != fit->core)
		cli__message(fit->cli,
			     "'%s' has counts of %s, the files before it of %s: a fit takes one core", path,
			     core->name, fit->core->name);
	else
		bad = core == NULL;
	if (bad == 0) {
		fit->core = core;
		fit->argv = (char ***)cli__grow((void *)fit->argv, fit->programs, sizeof *fit->argv);
		const json_t *ended = json_object_get(ours, "exit");
		fit->exit = cli__grow(fit->exit, fit->programs, sizeof *fit->exit);
		fit->exit[fit->programs] = json_is_integer(ended) ? (int)json_integer_value(ended) : -1;
		char **argv = fit->argv[fit->programs++] = (char **)cli__zalloc(n + 1, sizeof *argv);
		for (size_t i = 0; i < n; i++) {
			const char *word = json_string_value(json_array_get(words, i));
			argv[i] = cli__copy(word != NULL ? word : "");
		}
	}
	json_decref(ours);
	return bad;
}

static int read_pairs(struct cli__fit *fit)
{
	int bad = 0;

	for (size_t i = 0; i < fit->request->paths && bad == 0; i += 2) {
		struct cli__board board = {0};
		size_t had = fit->counts;
		bool kernel = false;

		if (!read_ours(fit->request->path[i], &board))
			bad = cli__board_read(fit->cli, fit->request->path[i], &board);
		if (bad == 0)
			bad = read_program(fit, fit->request->path[i + 1]);
		if (bad == 0) {
			cli__board_choose(&board, fit->core);
			bad = check_pair(fit, &board, &fit->request->path[i]);
		}
		for (size_t e = 0; e < board.n && bad == 0; e++)
			kernel |= add_count(fit, &board.event[e], fit->programs - 1) && board.event[e].kernel;
		if (kernel)
			cli__message(
				fit->cli,
				"'%s' has counts without ':u', which hold the kernel's part; ours never do",
				fit->request->path[i]);
		if (bad == 0 && fit->counts == had) {
			cli__message(fit->cli, "'%s' has no count of an event of %s", fit->request->path[i],
				     fit->core->name);
			bad = CLI__EXIT_FAILURE;
		}
		cli__board_free(&board);
	}
	return bad;
}

static void fit_free(struct cli__fit *fit)
{
	for (size_t p = 0; p < fit->programs; p++) {
		for (char **word = fit->argv[p]; *word != NULL; word++)
			free(*word);
		free((void *)fit->argv[p]);
	}
	for (size_t k = 0; k < fit->params; k++)
		free(fit->param[k].slope);
	free((void *)fit->argv);
	free(fit->exit);
	free(fit->param);
	free(fit->count);
	free(fit->rest);
}

int cli__fit(struct cli__cli *cli, const struct cli__fit_request *request)
{
	struct cli__fit fit = {.cli = cli, .request = request};
	int bad = cli__output_check(cli, request->output);

	if (bad == 0)
		bad = read_pairs(&fit);
	if (bad == 0)
		bad = cli__params_of(cli, fit.core, &fit.begin) ? 0 : CLI__EXIT_FAILURE;
	if (bad == 0 && request->sets != NULL)
		bad = cli__set_all(cli, &fit.begin, request->sets, fit.core);
	if (bad == 0)
		bad = find_params(&fit);
	fit.rest = cli__zalloc(fit.counts + 1, sizeof *fit.rest);
	if (bad == 0)
		bad = search(&fit);
	if (bad == 0) {
		struct apmu_uarch_params fitted = params_now(&fit);
		cli__fit_table(&fit, cli->out);
		bad = fit.sum < fit.first ? cli__fit_write(&fit, &fitted) : 0;
	}
	fit_free(&fit);
	return bad;
}
