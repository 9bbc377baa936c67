/* SPDX-License-Identifier: MIT */
/* `report --calls`: how often each function called each other one, from the branches that `record -b`
 * counted, every one. A jump to another function's first instruction is a call too: a tail call. */
#define _POSIX_C_SOURCE 200809L
#include "cli/common/format_number.h"
#include "cli/common/table.h"
#include "cli/report/report.h"
#include "cli/report/report_rows.h"
#include "profile/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct call {
	const struct profile__place *caller, *callee;
	uint64_t calls, tail, wrong; /* tail: tail calls among them; wrong: mispredicted calls */
};

struct calls {
	struct profile__index index;
	struct call *call;
	uint64_t all;
};

static uint64_t function_start(const struct profile__place *place)
{
	return place->size ? place->start : place->address;
}

static bool is_call(const struct profile__edge *edge)
{
	return edge->kind == PROFILE__KIND_CALL || edge->kind == PROFILE__KIND_CALL_INDIRECT;
}

static bool is_tail_call(const struct profile__edge *edge, const struct profile__place *from,
			 const struct profile__place *to)
{
	bool jump = edge->kind == PROFILE__KIND_JUMP || edge->kind == PROFILE__KIND_INDIRECT ||
		    edge->kind == PROFILE__KIND_CONDITIONAL;
	bool same = from->object_id == to->object_id && function_start(from) == function_start(to);

	return jump && !same && from->size && to->size && to->address == to->start;
}

/* Adds an edge if it is a call. 0, or -ENOMEM. */
static int add_edge(struct calls *calls, const struct profile__edge *edge, struct profile__resolver *resolver)
{
	const struct profile__place *from = profile__place_at(resolver, edge->thread, edge->when, edge->from);
	const struct profile__place *to = profile__place_at(resolver, edge->thread, edge->when, edge->to);
	bool fresh;

	if (!from || !to)
		return -ENOMEM;
	if (!is_call(edge) && !is_tail_call(edge, from, to))
		return 0;
	struct profile__key key = {
		{(uint64_t)from->object_id << 32 | to->object_id, function_start(from), function_start(to)}};
	uint32_t i = profile__index_add(&calls->index, key, &fresh);
	if (i == UINT32_MAX)
		return -ENOMEM;
	if (fresh) {
		calls->call = cli__grow(calls->call, i, sizeof *calls->call);
		calls->call[i] = (struct call){.caller = from, .callee = to};
	}
	calls->call[i].calls += edge->runs;
	calls->call[i].tail += is_call(edge) ? 0 : edge->runs;
	calls->call[i].wrong += edge->mispredicted;
	calls->all += edge->runs;
	return 0;
}

static int by_calls(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	int names = strcmp(a->caller->function, b->caller->function);
	return names ? names : strcmp(a->callee->function, b->callee->function);
}

static int by_names(const void *left, const void *right)
{
	const struct cli__call_pair *a = left, *b = right;
	int callers = strcmp(a->caller, b->caller);

	return callers ? callers : strcmp(a->callee, b->callee);
}

static void sum_equals(struct cli__call_pair *pair, size_t *n)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		if (kept && by_names(&pair[kept - 1], &pair[i]) == 0)
			pair[kept - 1].calls += pair[i].calls;
		else
			pair[kept++] = pair[i];
	}
	*n = kept;
}

int cli__report_call_pairs(const struct cli__open_profile *loaded, struct cli__call_pair **pair, size_t *n)
{
	const struct profile__profile *p = loaded->profile;

	*pair = NULL;
	*n = 0;
	for (size_t i = 0; i < p->edges; i++) {
		const struct profile__edge *edge = &p->edge[i];
		if (!edge->taken || !is_call(edge))
			continue;
		const struct profile__place *from =
			profile__place_at(loaded->resolver, edge->thread, edge->when, edge->from);
		const struct profile__place *to =
			profile__place_at(loaded->resolver, edge->thread, edge->when, edge->to);
		if (!from || !to)
			return -ENOMEM;
		*pair = cli__grow(*pair, *n, sizeof **pair);
		(*pair)[(*n)++] = (struct cli__call_pair){from->frame[0].function,
							  to->frame[to->frames - 1].function, edge->runs};
	}
	if (*n)
		qsort(*pair, *n, sizeof **pair, by_names);
	sum_equals(*pair, n);
	return 0;
}

uint64_t cli__report_call_count(const struct cli__call_pair *pair, size_t n, const char *caller,
				const char *callee)
{
	struct cli__call_pair key = {caller, callee, 0};
	const struct cli__call_pair *found = n ? bsearch(&key, pair, n, sizeof *pair, by_names) : NULL;

	return found ? found->calls : 0;
}

static bool fits(const struct cli__report_options *o, const struct call *call)
{
	return cli__report_fits(o->function, call->caller->function) ||
	       cli__report_fits(o->function, call->callee->function);
}

static void add_count(struct cli__table *table, uint64_t n)
{
	char text[CLI__NUMBER];

	cli__format_whole(text, n);
	cli__table_add(table, "%s", text);
}

static void put_calls(const struct cli__report_options *o, const struct calls *calls, FILE *out)
{
	static const char *const head[] = {"calls", "mispredicted", "tail calls", "caller", "callee"};
	struct cli__table table = {.head = head, .right = "RRRLL", .columns = 5, .coloured = o->coloured};
	uint64_t shown = 0;

	for (uint32_t i = 0; i < calls->index.n && (!o->most || shown < o->most); i++) {
		const struct call *call = &calls->call[i];

		if (!fits(o, call))
			continue;
		shown++;
		add_count(&table, call->calls);
		add_count(&table, call->wrong);
		add_count(&table, call->tail);
		cli__table_add(&table, "%s", call->caller->function);
		cli__table_add(&table, "%s", call->callee->function);
	}
	if (shown)
		cli__table_print(&table, 0, out);
	else
		fputs("no call was counted here\n", out);
}

static void put_head(const struct profile__profile *p, uint64_t all, FILE *out)
{
	char text[CLI__NUMBER];

	fputs("# calls of '", out);
	cli__put_program(p, out);
	cli__format_whole(text, all);
	fprintf(out, "' on %s\n# exact: %s counted\n#\n", p->core, text);
}

int cli__report_calls(struct cli__cli *cli, const struct cli__report_options *o,
		      const struct cli__open_profile *loaded, FILE *out)
{
	const struct profile__profile *p = loaded->profile;
	struct calls calls = {0};
	int bad = 0;

	if (!p->branches) {
		cli__message(cli, "%s was recorded without branches: 'apmu record -b' counts every call",
			     loaded->path);
		return CLI__EXIT_FAILURE;
	}
	for (size_t i = 0; !bad && i < p->edges; i++)
		if (p->edge[i].taken)
			bad = add_edge(&calls, &p->edge[i], loaded->resolver);
	if (bad) {
		cli__message(cli, "%s: %s", loaded->path, strerror(-bad));
	} else {
		if (calls.index.n)
			qsort(calls.call, calls.index.n, sizeof *calls.call, by_calls);
		put_head(p, calls.all, out);
		put_calls(o, &calls, out);
	}
	profile__index_free(&calls.index);
	free(calls.call);
	return bad ? CLI__EXIT_FAILURE : 0;
}
