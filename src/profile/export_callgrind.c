/* SPDX-License-Identifier: MIT */
/* callgrind's format (Valgrind manual, "Callgrind Format Specification"): costs of each instruction, and
 * calls if the profile has chains. A call's count is the number of samples that had it on their chain. */
#define _GNU_SOURCE /* qsort_r */
#include "profile/export.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One or two lines of the file: an instruction's own cost, or that of a call. */
struct row {
	const struct profile__place *place;
	const struct profile__place *callee; /* NULL: own cost */
	uint32_t function;                   /* number of the function that holds `place` */
	uint64_t calls;
	uint32_t on_path; /* while calls are summed: how often the call is on the present chain */
};

struct table {
	const struct profile__export *export;
	size_t events;
	struct row *row;
	uint64_t *weight; /* indexed by row */
	size_t rows;
	struct profile__index edges, functions;
	struct profile__index names[3]; /* of objects, files, functions, by address */
	const char **file;              /* indexed by function: one name for all that is said of it */
	bool failed;                    /* a name had no number, without memory */
};

static const struct symbol__frame *outermost(const struct profile__place *place)
{
	return &place->frame[place->frames - 1];
}

static struct profile__key function_key(const struct profile__place *place)
{
	return (struct profile__key){{place->object_id, (uintptr_t)outermost(place)->function, 0}};
}

/* Adds a row; the arrays double at powers of two. Returns NULL without memory. */
static struct row *add_row(struct table *table, const struct profile__place *place,
			   const struct profile__place *callee)
{
	size_t n = table->rows;
	uint32_t function = profile__index_add(&table->functions, function_key(place), NULL);

	if (function == UINT32_MAX)
		return NULL;
	if ((n & (n - 1)) == 0) {
		size_t room = n ? 2 * n : 1;
		struct row *row = realloc(table->row, room * sizeof *row);
		if (row)
			table->row = row;
		uint64_t *weight = realloc(table->weight, room * (table->events + 1) * sizeof *weight);
		if (weight)
			table->weight = weight;
		if (row == NULL || weight == NULL)
			return NULL;
	}
	memset(&table->weight[n * table->events], 0, table->events * sizeof *table->weight);
	table->row[n] = (struct row){.place = place, .callee = callee, .function = function};
	table->rows++;
	return &table->row[n];
}

static bool add_spots(struct table *table)
{
	const struct profile__summary *summary = table->export->summary;

	for (size_t i = 0; i < summary->spots; i++) {
		if (add_row(table, summary->spot[i].place, NULL) == NULL)
			return false;
		memcpy(&table->weight[i * table->events], &summary->spot_weight[i * table->events],
		       table->events * sizeof *table->weight);
	}
	return true;
}

/* The caller of the first function of a chain. Once a function has callers, KCachegrind takes their costs for
 * all of it: a function that begins one chain and is called on another would lose the costs of the first. */
static const struct profile__place *below_main(void)
{
	static const struct symbol__frame frame = {.function = "(below main)"};
	static const struct profile__place place = {
		.object = "???", .object_id = UINT32_MAX, .frame = &frame, .frames = 1};

	return &place;
}

/* A node of the tree of calls while it is summed. child, next: call number + 1; stack: the first stack of the
 * call, + 1; row: its row. */
struct step {
	uint32_t child, next, stack;
	uint32_t row;
};

struct chains {
	struct table *table;
	const struct profile__summary *summary;
	struct step *step;    /* indexed by call */
	uint32_t *next_stack; /* indexed by stack: the next stack of its call, + 1 */
	uint64_t *weight;     /* indexed by call: weights of the events, then samples */
	size_t width;         /* events + 1 */
};

/* Returns the row of a call from a place; UINT32_MAX without memory. */
static uint32_t row_of(struct table *table, const struct profile__place *from,
		       const struct profile__place *to)
{
	size_t first = table->export->summary->spots;
	uint32_t callee = profile__index_add(&table->functions, function_key(to), NULL);
	struct profile__key key = {{(uintptr_t)from, callee, 0}};
	bool fresh;
	uint32_t edge = profile__index_add(&table->edges, key, &fresh);

	if (callee == UINT32_MAX || edge == UINT32_MAX || (fresh && add_row(table, from, to) == NULL))
		return UINT32_MAX;
	return (uint32_t)first + edge;
}

static const struct profile__place *place_of(const struct chains *chains, uint32_t call)
{
	return call ? chains->summary->call[call].place : below_main();
}

static void add_weight(const struct chains *chains, uint32_t row, const uint64_t *weight)
{
	struct table *table = chains->table;

	for (size_t e = 0; e < table->events; e++)
		table->weight[row * table->events + e] += weight[e];
	table->row[row].calls += weight[table->events];
}

/* Sums for each call the weights of its stacks and of all calls below it. */
static void sum_calls(struct chains *chains)
{
	const struct profile__summary *summary = chains->summary;
	size_t events = summary->events;

	for (size_t i = summary->stacks; i-- > 0;) {
		uint32_t call = summary->stack[i].call;
		uint64_t *weight = &chains->weight[call * chains->width];
		for (size_t e = 0; e < events; e++) {
			weight[e] += summary->stack_weight[i * events + e];
			weight[events] += summary->stack_samples[i * events + e];
		}
		chains->next_stack[i] = chains->step[call].stack;
		chains->step[call].stack = (uint32_t)i + 1;
	}
	for (size_t i = summary->calls; i-- > 1;) {
		uint32_t parent = summary->call[i].parent;
		for (size_t e = 0; e <= events; e++)
			chains->weight[parent * chains->width + e] += chains->weight[i * chains->width + e];
		chains->step[i].next = chains->step[parent].child;
		chains->step[parent].child = (uint32_t)i + 1;
	}
}

/* Adds the rows of a call: the call itself, and the last step of each of its stacks. */
static bool enter_call(struct chains *chains, uint32_t call)
{
	const struct profile__summary *summary = chains->summary;
	struct table *table = chains->table;
	size_t events = table->events;

	if (call) {
		uint32_t row = row_of(table, place_of(chains, summary->call[call].parent),
				      summary->call[call].place);
		if (row == UINT32_MAX)
			return false;
		if (table->row[row].on_path++ == 0)
			add_weight(chains, row, &chains->weight[call * chains->width]);
		chains->step[call].row = row;
	}
	for (uint32_t i = chains->step[call].stack; i; i = chains->next_stack[i - 1]) {
		uint32_t row = row_of(table, place_of(chains, call), summary->stack[i - 1].place);
		if (row == UINT32_MAX)
			return false;
		if (table->row[row].on_path)
			continue;
		for (size_t e = 0; e < events; e++) {
			table->weight[row * events + e] += summary->stack_weight[(i - 1) * events + e];
			table->row[row].calls += summary->stack_samples[(i - 1) * events + e];
		}
	}
	return true;
}

/* Walks the calls. A call is counted once per stack, however deep the recursion. */
static bool walk_calls(struct chains *chains)
{
	uint32_t call = 0;
	bool ok = enter_call(chains, 0);

	while (ok) {
		uint32_t child = chains->step[call].child;
		if (child) {
			call = child - 1;
			chains->step[chains->summary->call[call].parent].child = chains->step[call].next;
			ok = enter_call(chains, call);
			continue;
		}
		if (call == 0)
			break;
		chains->table->row[chains->step[call].row].on_path--;
		call = chains->summary->call[call].parent;
	}
	return ok;
}

static bool add_calls(struct table *table)
{
	const struct profile__summary *summary = table->export->summary;
	struct chains chains = {.table = table, .summary = summary, .width = summary->events + 1};

	if (!summary->profile->chains)
		return true;
	chains.step = calloc(summary->calls + 1, sizeof *chains.step);
	chains.next_stack = calloc(summary->stacks + 1, sizeof *chains.next_stack);
	chains.weight = calloc((summary->calls + 1) * chains.width, sizeof *chains.weight);
	bool ok = chains.step && chains.next_stack && chains.weight;
	if (ok) {
		sum_calls(&chains);
		ok = walk_calls(&chains);
	}
	free(chains.step);
	free(chains.next_stack);
	free(chains.weight);
	return ok;
}

static void put_line(FILE *out, const char *text)
{
	profile__put_shown(out, text, "", '\0');
}

/* Prints "ob=(1) /bin/x" the first time, "ob=(1)" after that. */
static void put_name(struct table *table, unsigned kind, const char *key, const char *name)
{
	struct profile__key word = {{(uintptr_t)name, 0, 0}};
	bool fresh;
	uint32_t number = profile__index_add(&table->names[kind], word, &fresh);

	table->failed |= number == UINT32_MAX;
	fprintf(table->export->out, "%s=(%" PRIu32 ")", key, number + 1);
	if (fresh) {
		fputc(' ', table->export->out);
		put_line(table->export->out, name);
	}
	fputc('\n', table->export->out);
}

static const char *file_of(const struct symbol__frame *frame)
{
	static const char unknown[] = "???";

	return frame->file ? frame->file : unknown;
}

static void put_costs(struct table *table, size_t row)
{
	const struct profile__place *place = table->row[row].place;

	fprintf(table->export->out, "0x%" PRIx64 " %" PRIu32, place->address, place->line);
	for (size_t e = 0; e < table->events; e++)
		fprintf(table->export->out, " %" PRIu64, table->weight[row * table->events + e]);
	fputc('\n', table->export->out);
}

static void put_callee(struct table *table, const struct row *row)
{
	const struct profile__place *to = row->callee;

	if (to->object_id != row->place->object_id)
		put_name(table, 0, "cob", to->object);
	put_name(table, 1, "cfi", table->file[profile__index_find(&table->functions, function_key(to))]);
	put_name(table, 2, "cfn", outermost(to)->function);
	fprintf(table->export->out, "calls=%" PRIu64 " 0x%" PRIx64 " 0\n", row->calls,
		to->size ? to->start : to->address);
}

/* Prints all rows of one function. `order` is sorted by function, then address. */
static size_t put_function(struct table *table, const size_t *order, size_t at)
{
	const struct row *first = &table->row[order[at]];
	const char *file = table->file[first->function];

	fputc('\n', table->export->out);
	put_name(table, 0, "ob", first->place->object);
	put_name(table, 1, "fl", file);
	put_name(table, 2, "fn", outermost(first->place)->function);
	const char *now = file;
	for (; at < table->rows && table->row[order[at]].function == first->function; at++) {
		const struct row *row = &table->row[order[at]];
		const char *here = file_of(&row->place->frame[0]);
		if (strcmp(here, now) != 0)
			put_name(table, 1, strcmp(here, file) == 0 ? "fe" : "fi", here);
		now = here;
		if (row->callee)
			put_callee(table, row);
		put_costs(table, order[at]);
	}
	return at;
}

static int by_place(const void *a, const void *b, void *context)
{
	const struct table *sorted = context;
	const struct row *x = &sorted->row[*(const size_t *)a];
	const struct row *y = &sorted->row[*(const size_t *)b];

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->place->address != y->place->address)
		return x->place->address < y->place->address ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Chooses each function's file: that of its first row which has one. Lines of one function may be of several
 * files (#line), but readers take it for one only if its own costs and the calls of it name the same. */
static bool choose_files(struct table *table, const size_t *order)
{
	static const char unknown[] = "???";

	table->file = malloc((table->functions.n + 1ul) * sizeof *table->file);
	for (uint32_t f = 0; table->file && f < table->functions.n; f++)
		table->file[f] = unknown;
	for (size_t at = 0; table->file && at < table->rows; at++) {
		const struct row *row = &table->row[order[at]];
		const char *own = outermost(row->place)->file;
		if (own && table->file[row->function] == unknown)
			table->file[row->function] = own;
	}
	return table->file != NULL;
}

/* Prints an event's name with letters, digits and '_' only, which every reader of the format accepts. */
static void put_event(FILE *out, const char *label)
{
	fputc(' ', out);
	for (; *label; label++)
		fputc(isalnum((unsigned char)*label) ? *label : '_', out);
}

static void put_head(const struct table *table)
{
	const struct profile__summary *summary = table->export->summary;
	const struct profile__profile *profile = summary->profile;
	FILE *out = table->export->out;

	fprintf(out, "# callgrind format\nversion: 1\ncreator: apmu %s\ncmd:", profile->version);
	for (size_t i = 0; i < profile->args; i++) {
		fputc(' ', out);
		put_line(out, profile->argv[i]);
	}
	fprintf(out, "\npart: 1\ndesc: core: %s\n", profile->core);
	fputs("positions: instr line\nevents:", out);
	for (size_t e = 0; e < table->events; e++)
		put_event(out, profile->event[e].label);
	fputs("\nsummary:", out);
	for (size_t e = 0; e < table->events; e++)
		fprintf(out, " %" PRIu64, summary->weight[e]);
	fputc('\n', out);
}

static int put_table(struct table *table)
{
	size_t *order = malloc((table->rows + 1) * sizeof *order);

	if (order == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < table->rows; i++)
		order[i] = i;
	qsort_r(order, table->rows, sizeof *order, by_place, table);
	if (!choose_files(table, order)) {
		free(order);
		return -ENOMEM;
	}
	put_head(table);
	for (size_t at = 0; at < table->rows;)
		at = put_function(table, order, at);
	fputs("\ntotals:", table->export->out);
	for (size_t e = 0; e < table->events; e++)
		fprintf(table->export->out, " %" PRIu64, table->export->summary->weight[e]);
	fputc('\n', table->export->out);
	free(order);
	return table->failed ? -ENOMEM : 0;
}

int profile__export_callgrind(const struct profile__export *export)
{
	struct table table = {.export = export, .events = export->summary->events};
	int code = add_spots(&table) && add_calls(&table) ? put_table(&table) : -ENOMEM;

	for (size_t i = 0; i < 3; i++)
		profile__index_free(&table.names[i]);
	profile__index_free(&table.edges);
	profile__index_free(&table.functions);
	free(table.row);
	free(table.weight);
	free((void *)table.file);
	return code;
}
