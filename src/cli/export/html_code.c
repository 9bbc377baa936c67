/* SPDX-License-Identifier: MIT */
/* The page's instructions and source lines. */
#define _GNU_SOURCE /* qsort_r */
#include "cli/common/disassemble.h"
#include "cli/export/html.h"
#include "profile/export.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REACH = 32 }; /* bytes shown on each side of a count, if the whole function is too long */

/* A source line with a count. */
struct counted {
	uint32_t file, line;
};

struct code {
	const struct cli__open_profile *loaded;
	FILE *out;
	const char **file; /* source files by number */
	uint32_t files;
	struct profile__index lines;
	struct counted *counted; /* by number in `lines` */
	size_t instructions;
};

static uint32_t file_of(struct code *code, const char *path)
{
	for (uint32_t i = 0; i < code->files; i++)
		if (strcmp(code->file[i], path) == 0)
			return i;
	code->file = cli__grow((void *)code->file, code->files, sizeof *code->file);
	code->file[code->files] = path;
	return code->files++;
}

static void put_row(struct code *code, const struct cli__instruction *instruction, const char *path,
		    uint32_t line)
{
	fprintf(code->out, "%s[\"%" PRIx64 "\",", code->instructions ? ",\n" : "\n", instruction->address);
	profile__put_json(code->out, instruction->text);
	if (path)
		fprintf(code->out, ",%" PRIu32 ",%" PRIu32 "]", file_of(code, path), line);
	else
		fputs(",null,0]", code->out);
	code->instructions++;
}

static uint64_t address_of(const struct code *code, const struct cli__body *body, size_t spot)
{
	return code->loaded->summary.spot[body->spot[spot]].place->address;
}

/* Marks a gap between two pieces of a long function. */
static void put_gap(struct code *code, bool *skipped)
{
	if (*skipped && code->instructions) {
		fputs(",\n[\"\",\"...\",null,0]", code->out);
		code->instructions++;
	}
	*skipped = false;
}

/* Writes the instructions at most `reach` bytes from one with a count. */
static void put_rows(struct code *code, const struct cli__body *body, uint64_t reach,
		     struct cli__disassembler *disassembler)
{
	struct cli__instruction instruction;
	size_t spot = 0;
	bool skipped = false;
	uint64_t at = body->place->start;

	for (;
	     at < body->place->start + body->place->size && cli__disassemble(disassembler, at, &instruction);
	     at += instruction.size) {
		struct symbol__frame frame = {0};
		while (spot < body->spots && address_of(code, body, spot) < at)
			spot++;
		if ((spot == body->spots || address_of(code, body, spot) - at > reach) &&
		    (spot == 0 || at - address_of(code, body, spot - 1) > reach)) {
			skipped = true;
			continue;
		}
		put_gap(code, &skipped);
		(void)profile__code_frames(code->loaded->resolver, body->place->object_id, at, &frame, 1);
		put_row(code, &instruction, frame.file, frame.line);
	}
}

/* Rows for a count with REACH bytes on each side of it, and for the gap before them. */
static size_t rows_round(const struct code *code)
{
	unsigned shortest = code->loaded->profile->machine == EM_AARCH64 ? 4 : 2; /* bytes; T32 has 2 */

	return 2 * REACH / shortest + 2;
}

/* How many bytes round each count are shown, by the room that is left in the page: all of the function,
 * REACH, or 0; false if not even the counted instructions fit. */
static bool fits(const struct code *code, const struct cli__body *body, uint64_t *reach)
{
	size_t left = CLI__HTML_INSTRUCTIONS - code->instructions;

	if (!body->named)
		return false;
	*reach = body->place->size / 2 <= left            ? UINT64_MAX
		 : body->spots <= left / rows_round(code) ? REACH
							  : 0;
	return *reach || body->spots <= left / 2;
}

/* Writes a function. `total` counts over the whole page; code->instructions starts anew for the commas of
 * each function. */
static void put_body(struct code *code, const struct cli__body *body, uint64_t reach, size_t *total,
		     size_t *shown)
{
	struct cli__disassembler *disassembler = cli__disassembler_open(
		code->loaded->resolver, body->place->object_id, code->loaded->profile->machine);

	if (disassembler == NULL)
		return;
	cli__annotate_guess(code->loaded, body, disassembler);
	fprintf(code->out, "%s{\"name\":", (*shown)++ ? ",\n" : "\n");
	profile__put_json(code->out, body->name);
	fprintf(code->out, ",\"object\":%" PRIu32 ",\"rows\":[", body->place->object_id);
	code->instructions = 0;
	put_rows(code, body, reach, disassembler);
	*total += code->instructions;
	fputs("]}", code->out);
	cli__disassembler_close(disassembler);
}

static void put_bodies(struct code *code, const struct cli__bodies *bodies)
{
	size_t total = 0;
	size_t shown = 0;

	fputs("\"code\":[", code->out);
	for (size_t i = 0; i < bodies->n && shown < CLI__HTML_BODIES; i++) {
		uint64_t reach;
		code->instructions = total;
		if (fits(code, &bodies->body[i], &reach))
			put_body(code, &bodies->body[i], reach, &total, &shown);
	}
	fputs("]", code->out);
}

static void count_lines(struct code *code)
{
	const struct profile__summary *summary = &code->loaded->summary;

	for (size_t i = 0; i < summary->spots; i++) {
		const struct profile__place *place = summary->spot[i].place;
		if (place->file == NULL || place->line == 0)
			continue;
		struct profile__key key = {{file_of(code, place->file), place->line, 0}};
		bool fresh;
		uint32_t at = profile__index_add(&code->lines, key, &fresh);
		if (at == UINT32_MAX)
			return;
		if (fresh) {
			code->counted = cli__grow(code->counted, at, sizeof *code->counted);
			code->counted[at] = (struct counted){(uint32_t)key.word[0], place->line};
		}
	}
}

static int by_line(const void *a, const void *b)
{
	const struct counted *x = a;
	const struct counted *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Writes lines of one file from `at` on: a short file whole, else each line with a count and those round it.
 * Returns where the next file begins. */
static size_t put_file(struct code *code, size_t at, const struct cli__source_file *source, size_t *left)
{
	uint32_t file = code->counted[at].file;
	uint32_t around = source->lines <= CLI__HTML_WHOLE ? CLI__HTML_WHOLE : CLI__HTML_AROUND;
	uint32_t done = 0;

	for (; at < code->lines.n && code->counted[at].file == file; at++) {
		uint32_t here = code->counted[at].line;
		uint32_t from = here > around ? here - around : 1;
		for (uint32_t line = from > done ? from : done + 1;
		     line <= here + around && line <= source->lines && *left; line++, (*left)--) {
			fprintf(code->out, "%s[%" PRIu32 ",", done ? ",\n" : "\n", line);
			profile__put_json(code->out, source->line[line - 1]);
			fputs("]", code->out);
			done = line;
		}
	}
	return at;
}

static void put_sources(struct code *code)
{
	struct cli__sources sources = {0};
	size_t left = CLI__HTML_LINES;
	bool first = true;

	if (code->lines.n)
		qsort(code->counted, code->lines.n, sizeof *code->counted, by_line);
	fputs(",\n\"sources\":[", code->out);
	for (size_t at = 0; at < code->lines.n;) {
		uint32_t file = code->counted[at].file;
		const struct cli__source_file *source = cli__source_open(&sources, code->file[file]);
		if (source->lines == 0 || left == 0) {
			while (at < code->lines.n && code->counted[at].file == file)
				at++;
			continue;
		}
		fprintf(code->out, "%s{\"file\":%" PRIu32 ",\"lines\":%zu,\"rows\":[", first ? "\n" : ",\n",
			file, (size_t)source->lines);
		at = put_file(code, at, source, &left);
		fputs("]}", code->out);
		first = false;
	}
	fputs("]", code->out);
	cli__sources_free(&sources);
}

struct worthy {
	double worth;
	uint32_t spot;
};

static int by_worth(const void *a, const void *b)
{
	const struct worthy *x = a;
	const struct worthy *y = b;

	return x->worth > y->worth   ? -1
	       : x->worth < y->worth ? 1
	       : x->spot < y->spot   ? -1
				     : x->spot > y->spot;
}

static void put_spot(struct code *code, uint32_t spot, uint32_t function)
{
	const struct profile__summary *summary = &code->loaded->summary;
	const struct profile__place *place = summary->spot[spot].place;

	fprintf(code->out, "[%" PRId32 ",%" PRIu32 ",\"%" PRIx64 "\",",
		function == PROFILE__NONE ? -1 : (int32_t)function, place->object_id, place->address);
	if (place->file)
		fprintf(code->out, "%" PRIu32, file_of(code, place->file));
	else
		fputs("null", code->out);
	fprintf(code->out, ",%" PRIu32 ",", place->line);
	cli__html_weights(&summary->spot_weight[spot * summary->events], summary->events, code->out);
	fputs("]", code->out);
}

/* The function of each spot: that of the stacks that end there. */
static uint32_t *functions_of(const struct profile__summary *summary, const uint32_t *row)
{
	uint32_t *function = cli__zalloc(summary->spots + 1, sizeof *function);

	for (size_t i = 0; i < summary->stacks; i++)
		function[summary->stack[i].spot] = row[summary->node[summary->stack[i].node].function];
	return function;
}

/* Writes the instructions with the largest shares: function, object, address, file, line, counts. */
static void put_spots(struct code *code, struct cli__html_rows *rows)
{
	const struct profile__summary *summary = &code->loaded->summary;
	struct worthy *order = cli__zalloc(summary->spots + 1, sizeof *order);
	uint32_t *function = functions_of(summary, rows->function);

	rows->spot = cli__zalloc(summary->spots + 1, sizeof *rows->spot);
	for (uint32_t i = 0; i < summary->spots; i++) {
		uint64_t *weight = &summary->spot_weight[i * summary->events];
		order[i] = (struct worthy){cli__html_worth(summary, weight), i};
		rows->spot[i] = PROFILE__NONE;
	}
	qsort(order, summary->spots, sizeof *order, by_worth);
	fputs(",\n\"spots\":[", code->out);
	for (uint32_t i = 0; i < summary->spots && i < CLI__HTML_SPOTS; i++) {
		rows->spot[order[i].spot] = i;
		fputs(i ? ",\n" : "\n", code->out);
		put_spot(code, order[i].spot, function[order[i].spot]);
	}
	fprintf(code->out, "],\"more_spots\":%zu",
		summary->spots > CLI__HTML_SPOTS ? summary->spots - CLI__HTML_SPOTS : 0);
	free(function);
	free(order);
}

void cli__html_code(const struct cli__open_profile *loaded, struct cli__html_rows *rows, FILE *out)
{
	struct code code = {.loaded = loaded, .out = out};
	struct cli__bodies bodies;

	cli__bodies_make(&bodies, loaded);
	fputs("{", out);
	put_bodies(&code, &bodies);
	put_spots(&code, rows);
	count_lines(&code);
	put_sources(&code);
	fputs(",\n\"files\":[", out);
	for (uint32_t i = 0; i < code.files; i++) {
		fputs(i ? "," : "", out);
		profile__put_json(out, code.file[i]);
	}
	fputs("]}", out);
	free(code.counted);
	free((void *)code.file);
	profile__index_free(&code.lines);
	cli__bodies_free(&bodies);
}
