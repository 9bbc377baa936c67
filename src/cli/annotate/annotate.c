/* SPDX-License-Identifier: MIT */
/* One function as text: instructions with their counts, below the source lines that they come from. */
#include "cli/annotate/annotate.h"

#include "cli/common/colour.h"
#include "cli/common/disassemble.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct annotation {
	const struct cli__open_profile *loaded;
	const struct cli__body *body;
	const struct cli__annotate_style *style;
	struct cli__sources *sources;
	FILE *out;
	const char *file; /* of the source line printed last */
	const char *function;
	uint32_t line;
	size_t spot;   /* index of the body's next spot */
	bool skipping; /* "..." was printed for a gap */
};

static const uint64_t *weights_of(const struct annotation *a, size_t spot)
{
	const struct profile__summary *summary = &a->loaded->summary;

	return &summary->spot_weight[a->body->spot[spot] * summary->events];
}

static const struct profile__place *place_of(const struct annotation *a, size_t spot)
{
	return a->loaded->summary.spot[a->body->spot[spot]].place;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

/* True if an event has a column. Events taken only for the CPI stack have one only if they are the chosen
 * event. */
static bool shown(const struct annotation *a, size_t event)
{
	return event == a->loaded->event || !a->loaded->profile->event[event].aside;
}

static const char *colour_begin(const struct annotation *a, enum cli__colour colour)
{
	return cli__colour_begin(a->style->coloured ? colour : CLI__COLOUR_NONE);
}

static const char *colour_end(const struct annotation *a, enum cli__colour colour)
{
	return cli__colour_end(a->style->coloured ? colour : CLI__COLOUR_NONE);
}

static void put_share(const struct annotation *a, double share)
{
	enum cli__colour colour = cli__colour_share(share);

	fprintf(a->out, "%s%6.2f%%%s", colour_begin(a, colour), share, colour_end(a, colour));
}

/* Prints the share of the chosen event and a column for each event; "." if nothing was counted. */
static void put_counts(const struct annotation *a, const uint64_t *weight)
{
	const struct profile__summary *summary = &a->loaded->summary;
	uint64_t chosen = weight ? weight[a->loaded->event] : 0;

	if (chosen)
		put_share(a, percent(chosen, a->body->weight[a->loaded->event]));
	else
		fprintf(a->out, "%7s", "");
	for (size_t e = 0; e < summary->events; e++) {
		if (!shown(a, e))
			continue;
		int width = (int)strlen(summary->profile->event[e].label);
		width = width < 10 ? 10 : width;
		if (weight && weight[e])
			fprintf(a->out, "  %*" PRIu64, width, weight[e]);
		else
			fprintf(a->out, "  %s%*s%s", colour_begin(a, CLI__COLOUR_DIM), width, ".",
				colour_end(a, CLI__COLOUR_DIM));
	}
}

static void put_head(const struct annotation *a)
{
	const struct profile__summary *summary = &a->loaded->summary;
	const struct profile__event *event = &summary->profile->event[a->loaded->event];
	uint64_t of = summary->weight[a->loaded->event];
	uint64_t mine = a->body->weight[a->loaded->event];

	cli__put_plain(a->body->name, a->out);
	fputs("  ", a->out);
	cli__put_plain(a->body->place->object, a->out);
	fputc('\n', a->out);
	fprintf(a->out, "%" PRIu64 " of %" PRIu64 " %s (%.2f%%)\n\n", mine, of, event->label,
		percent(mine, of));
	fprintf(a->out, "%7s", "share");
	for (size_t e = 0; e < summary->events; e++)
		if (shown(a, e))
			fprintf(a->out, "  %10s", summary->profile->event[e].label);
	fputs("\n", a->out);
}

static void put_foot(const struct annotation *a)
{
	put_counts(a, a->body->weight);
	fputs("  total\n\n", a->out);
}

/* Prints a line of a source file, in which tabs stay. */
static void put_text(const struct annotation *a, const char *line)
{
	char *text = cli__plain(cli__copy(line), '\t');

	fputs(text, a->out);
	free(text);
}

/* Prints the source line of an instruction if it differs from that of the instruction before. */
static void put_source(struct annotation *a, const struct profile__place *place)
{
	if (a->style->no_source || place->file == NULL || place->line == 0)
		return;
	bool inlined = place->frames > 1;
	if (a->file && strcmp(a->file, place->file) == 0 && a->line == place->line &&
	    a->function == place->function)
		return;
	a->file = place->file;
	a->line = place->line;
	a->function = place->function;
	const char *text = cli__source_line(a->sources, place->file, place->line);
	cli__put_plain(profile__base_name(place->file), a->out);
	fprintf(a->out, ":%" PRIu32 "%s", place->line, inlined ? " (" : "");
	cli__put_plain(inlined ? place->function : "", a->out);
	fprintf(a->out, "%s%s\n", inlined ? ", inlined)" : "", text ? "" : "  [source not found]");
	if (text) {
		fprintf(a->out, "        %s", colour_begin(a, CLI__COLOUR_DIM));
		put_text(a, text);
		fprintf(a->out, "%s\n", colour_end(a, CLI__COLOUR_DIM));
	}
}

/* True if an instruction with a count is within the context, of 4 bytes per instruction. */
static bool near_a_count(const struct annotation *a, uint64_t address)
{
	uint64_t reach = a->style->context >= UINT32_MAX ? UINT64_MAX : 4ull * a->style->context;

	if (a->spot > 0 && address - place_of(a, a->spot - 1)->address <= reach)
		return true;
	return a->spot < a->body->spots && place_of(a, a->spot)->address - address <= reach;
}

static const struct profile__place *place_at(const struct annotation *a, const struct cli__instruction *at,
					     struct profile__place *made)
{
	static struct symbol__frame frame[SYMBOL__FRAMES];
	size_t n = a->style->no_source ? 0
				       : profile__code_frames(a->loaded->resolver, a->body->place->object_id,
							      at->address, frame, SYMBOL__FRAMES);

	*made = (struct profile__place){.address = at->address, .frames = n};
	if (n) {
		made->function = frame[0].function ? frame[0].function : "?";
		made->file = frame[0].file;
		made->line = frame[0].line;
	}
	return made;
}

static void put_instruction(struct annotation *a, const struct cli__instruction *instruction)
{
	struct profile__place made;
	const uint64_t *weight = NULL;

	if (a->spot < a->body->spots && place_of(a, a->spot)->address == instruction->address)
		weight = weights_of(a, a->spot);
	if (weight == NULL && !near_a_count(a, instruction->address)) {
		if (!a->skipping)
			fputs("        ...\n", a->out);
		a->skipping = true;
		return;
	}
	a->skipping = false;
	put_source(a, weight ? place_of(a, a->spot) : place_at(a, instruction, &made));
	put_counts(a, weight);
	fprintf(a->out, "  %8" PRIx64 ":  %s\n", instruction->address, instruction->text);
	a->spot += weight != NULL;
}

/* Prints a count at an address where no instruction begins, or for which the file has no bytes. */
static void put_bare(struct annotation *a)
{
	put_counts(a, weights_of(a, a->spot));
	fprintf(a->out, "  %8" PRIx64 ":  (no code in the file)\n", place_of(a, a->spot)->address);
	a->spot++;
}

static void put_all(struct annotation *a, struct cli__disassembler *disassembler)
{
	const struct cli__body *body = a->body;
	struct cli__instruction instruction;
	uint64_t at = body->place->start;
	uint64_t end = body->place->start + body->place->size;

	while (body->named && at < end && cli__disassemble(disassembler, at, &instruction)) {
		while (a->spot < body->spots && place_of(a, a->spot)->address < at)
			put_bare(a);
		put_instruction(a, &instruction);
		at += instruction.size;
	}
	while (a->spot < body->spots) { /* code without names: only what was counted is known to be code */
		at = place_of(a, a->spot)->address;
		if (disassembler && !body->named && cli__disassemble(disassembler, at, &instruction))
			put_instruction(a, &instruction);
		else
			put_bare(a);
	}
}

void cli__annotate_guess(const struct cli__open_profile *loaded, const struct cli__body *body,
			 struct cli__disassembler *disassembler)
{
	struct symbol__symbols *symbols = profile__resolver_symbols(loaded->resolver, body->place->object_id);
	bool t32 = symbols && symbol__symbols_about(symbols)->entry & 1;

	if (symbols ? symbol__symbols_about(symbols)->is64 : loaded->profile->machine == EM_AARCH64)
		return;
	for (size_t i = 0; i < body->spots && !t32; i++)
		t32 = loaded->summary.spot[body->spot[i]].place->address & 2;
	if (t32)
		cli__disassembler_guess(disassembler, SYMBOL__ISA_T32);
}

struct counted_line {
	const struct profile__place *place;
	size_t spot;
};

static int by_line(const void *a, const void *b)
{
	const struct profile__place *x = ((const struct counted_line *)a)->place;
	const struct profile__place *y = ((const struct counted_line *)b)->place;
	int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");

	return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static void put_line(struct annotation *a, const struct profile__place *place, const uint64_t *sum)
{
	const char *text = cli__source_line(a->sources, place->file, place->line);

	put_counts(a, sum);
	fputs("  ", a->out);
	cli__put_plain(place->file ? profile__base_name(place->file) : "??", a->out);
	fprintf(a->out, ":%" PRIu32 "  ", place->line);
	put_text(a, text ? text : "");
	fputc('\n', a->out);
}

/* Prints source lines alone: those with counts, each once. */
static void put_lines(struct annotation *a)
{
	const size_t events = a->loaded->summary.events;
	struct counted_line *line = cli__zalloc(a->body->spots + 1, sizeof *line);
	uint64_t *sum = cli__zalloc(events + 1, sizeof *sum);

	for (size_t i = 0; i < a->body->spots; i++)
		line[i] = (struct counted_line){place_of(a, i), i};
	qsort(line, a->body->spots, sizeof *line, by_line);
	for (size_t i = 0; i < a->body->spots; i++) {
		for (size_t e = 0; e < events; e++)
			sum[e] += weights_of(a, line[i].spot)[e];
		if (i + 1 < a->body->spots && by_line(&line[i], &line[i + 1]) == 0)
			continue;
		put_line(a, line[i].place, sum);
		memset(sum, 0, events * sizeof *sum);
	}
	free(sum);
	free(line);
}

void cli__annotate(const struct cli__open_profile *loaded, const struct cli__body *body,
		   const struct cli__annotate_style *style, struct cli__sources *sources, FILE *out)
{
	struct annotation a = {
		.loaded = loaded, .body = body, .style = style, .sources = sources, .out = out};
	struct cli__disassembler *disassembler =
		style->no_code ? NULL
			       : cli__disassembler_open(loaded->resolver, body->place->object_id,
							loaded->profile->machine);

	put_head(&a);
	if (style->no_code)
		put_lines(&a);
	else if (disassembler) {
		cli__annotate_guess(loaded, body, disassembler);
		put_all(&a, disassembler);
	} else
		while (a.spot < body->spots)
			put_bare(&a);
	put_foot(&a);
	cli__disassembler_close(disassembler);
}
