/* SPDX-License-Identifier: MIT */
/* `apmu run --trace-pmu`: prints each access to a PMU register, decoded, and the request and the interrupts
 * that it leads to. */
#include "cli/common/register_encoding.h"
#include "cli/common/register_fields.h"
#include "cli/run/run_watch.h"
#include "symbol/symbol.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 256, PLACE = 48 };

/* The cached name of an address. */
struct place {
	uint64_t pc;
	char text[PLACE];
	bool known;
};

struct cli__trace {
	FILE *out;
	const struct apmu_core *core;
	struct symbol__symbols *symbols; /* NULL: none */
	struct place place[PLACES];      /* direct-mapped by address */
	enum apmu_line line;             /* a change that is printed after the write that made it */
	uint64_t line_cycle;
	bool line_pending, line_up;
};

struct cli__trace *cli__trace_open(struct cli__cli *cli, const struct cli__run_watch_options *options)
{
	struct cli__trace *t = cli__zalloc(1, sizeof *t);
	struct symbol__symbols_options names = {.no_lines = true};
	char error[128];

	t->out = cli->err;
	t->core = options->core;
	if (options->program &&
	    symbol__symbols_open(options->program, &names, &t->symbols, error, sizeof error))
		t->symbols = NULL; /* a raw image: addresses alone */
	return t;
}

static const char *place_of(struct cli__trace *t, uint64_t pc)
{
	struct place *p = &t->place[pc / 2 % PLACES];
	struct symbol__frame frame[SYMBOL__FRAMES];
	size_t n;

	if (p->known && p->pc == pc)
		return p->text;
	*p = (struct place){.pc = pc, .known = true};
	n = t->symbols ? symbol__symbols_frames(t->symbols, pc, frame, SYMBOL__FRAMES) : 0;
	if (n > 0 && frame[n - 1].function)
		snprintf(p->text, sizeof p->text, "<%.32s+0x%" PRIx64 ">", frame[n - 1].function,
			 pc - frame[n - 1].start);
	return p->text;
}

static void print_head(struct cli__trace *t, uint64_t cycle, uint64_t pc)
{
	fprintf(t->out, "%10" PRIu64 "  0x%08" PRIx64 " %-24s ", cycle, pc, place_of(t, pc));
}

/* Prints a register's name, or the encoding if there is none; "PMEVCNTR<n>_EL0" of counter 3 is
 * PMEVCNTR3_EL0. */
static void print_name(const struct cli__trace *t, const struct apmu_seen_access *seen)
{
	const struct apmu_encoding at = {.view = (uint8_t)seen->at.view, .encoding = seen->at.encoding};
	char encoding[CLI__ENCODING];

	cli__encoding_text(encoding, &at);
	const char *name = seen->reg ? seen->reg->name : encoding;
	const char *n = strstr(name, "<n>");

	if (n)
		fprintf(t->out, "%.*s%u%s", (int)(n - name), name, seen->n, n + 3);
	else
		fputs(name, t->out);
}

static void print_field(const struct cli__trace *t, const struct apmu_field_value *fields, size_t n, size_t i)
{
	const struct apmu_field_value *v = &fields[i];
	const struct apmu_event *event = NULL;

	if (v->field->hi == v->field->lo) {
		fprintf(t->out, " %s", v->field->name);
		return;
	}
	fprintf(t->out, " %s=0x%" PRIx64, v->field->name, v->value);
	if (cli__field_is_event(v->field))
		event = cli__fields_event(t->core, fields, n, i);
	if (event)
		fprintf(t->out, "(%s)", event->name);
}

/* Prints the fields that are set, by name; nothing for a register that is one number: a single field that is
 * neither an event nor one bit. */
static void print_fields(const struct cli__trace *t, const struct apmu_reg *reg, uint64_t value)
{
	struct apmu_field_value field[64];
	size_t n = apmu_reg_decode(reg, t->core->features, value, field, 64), real = 0;
	bool named = false;

	n = n < 64 ? n : 64;
	for (size_t i = 0; i < n; i++) {
		bool reserved = cli__field_is_reserved(field[i].kind);
		const struct apmu_field *f = field[i].field;

		real += !reserved;
		named |= !reserved && (f->hi == f->lo || cli__field_is_event(f));
	}
	if (real <= 1 && !named)
		return;
	fputs(" ", t->out);
	for (size_t i = n; i-- > 0;)
		if (cli__field_is_named(field[i].field, field[i].kind) &&
		    (field[i].value || cli__field_is_event(field[i].field)))
			print_field(t, field, n, i);
}

static void print_line(struct cli__trace *t)
{
	static const char *const name[APMU_LINES] = {[APMU_LINE_IRQ] = "interrupt request",
						     [APMU_LINE_FIQ] = "fast interrupt request",
						     [APMU_LINE_PROFILING] = "profiling exception",
						     [APMU_LINE_TRIGGER] = "trigger to CTI and ETE",
						     [APMU_LINE_DEBUG] = "external debug request",
						     [APMU_LINE_BRBE] = "freeze of the branch record"};

	if (t->line_pending)
		fprintf(t->out, "%10" PRIu64 "  %-36sPMU %s %s\n", t->line_cycle, "", name[t->line],
			t->line_up ? "up" : "down");
	t->line_pending = false;
}

void cli__trace_access(struct cli__trace *t, const struct apmu_seen_access *seen)
{
	static const char *const refused[] = {"", "undefined", "trapped to EL1", "trapped to EL2",
					      "trapped to EL3"};

	if (!seen->write || t->line_cycle != seen->cycle)
		print_line(t);
	print_head(t, seen->cycle, seen->pc);
	fputs(seen->write ? "write " : "read  ", t->out);
	print_name(t, seen);
	if (seen->write || seen->outcome == APMU_DONE)
		fprintf(t->out, " = 0x%08" PRIx64, seen->value);
	if (seen->outcome != APMU_DONE)
		fprintf(t->out, "  %s at EL%u", refused[seen->outcome], (unsigned)seen->at.from.el);
	else if (seen->reg)
		print_fields(t, seen->reg, seen->value);
	fputc('\n', t->out);
	print_line(t);
}

void cli__trace_exception(struct cli__trace *t, const struct apmu_seen_exception *seen)
{
	const char *name = seen->what == APMU_EXCEPTION_IRQ   ? "IRQ"
			   : seen->what == APMU_EXCEPTION_FIQ ? "FIQ"
							      : NULL;

	if (!name)
		return;
	print_line(t);
	print_head(t, seen->cycle, seen->from);
	fprintf(t->out, "%s taken", name);
	if (seen->el > 1)
		fprintf(t->out, " at EL%u", (unsigned)seen->el);
	fprintf(t->out, ", handler at 0x%08" PRIx64 "\n", seen->vector);
}

void cli__trace_line(struct cli__trace *t, enum apmu_line line, bool up, uint64_t cycle)
{
	print_line(t);
	t->line = line;
	t->line_up = up;
	t->line_cycle = cycle;
	t->line_pending = true;
}

void cli__trace_close(struct cli__trace *t)
{
	if (!t)
		return;
	print_line(t);
	symbol__symbols_close(t->symbols);
	free(t);
}
