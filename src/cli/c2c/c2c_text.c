/* SPDX-License-Identifier: MIT */
#include "cli/c2c/c2c.h"
#include "cli/common/colour.h"
#include "cli/common/format_number.h"
#include "cli/common/table.h"
#include "cli/common/thread_name.h"

#include <inttypes.h>
#include <stdlib.h>

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void put_head(const struct cli__c2c_options *o, const struct cli__open_profile *loaded,
		     const struct cli__c2c *c, FILE *out)
{
	const struct profile__profile *p = loaded->profile;
	char samples[CLI__NUMBER], weight[CLI__NUMBER];

	cli__format_whole(samples, c->samples);
	cli__format_whole(weight, c->weight);
	fputs("# cache lines that moved between the cores of '", out);
	cli__put_program(p, out);
	fprintf(out, "' on %s: each thread has a core of its own\n", p->core);
	fprintf(out, "# %s samples for %s transfers; lines of %" PRIu64 " bytes\n", samples, weight, o->size);
}

/* Says what is wrong with a line, and what would be right. */
static const char *verdict(const struct cli__c2c_line *line)
{
	if (!line->contended)
		return line->threads > 1 ? "not contended: no store was sampled"
					 : "not contended: only one thread was sampled";
	if (line->truly)
		return "truly shared: threads use the same word, and one writes it";
	return "shared falsely: no word was sampled in two threads; padding would part these";
}

static void put_uses(const struct cli__open_profile *loaded, const struct cli__c2c *c,
		     const struct cli__c2c_line *line, FILE *out)
{
	static const char *const head[] = {"share",  "transfers", "modified", "latency", "access",
					   "offset", "thread",    "function", "source"};
	struct cli__table table = {.head = head,
				   .right = "RRRRLRLLL",
				   .columns = 9,
				   .indent = 2,
				   .coloured = cli__coloured(out)};
	char count[CLI__NUMBER];

	for (size_t i = 0; i < line->uses; i++) {
		const struct cli__c2c_use *use = &c->use[line->first + i];
		cli__table_add(&table, "%.1f%%", percent(use->weight, line->weight));
		cli__table_colour(&table, cli__colour_share(percent(use->weight, line->weight)));
		cli__format_whole(count, use->weight);
		cli__table_add(&table, "%s", count);
		cli__table_add(&table, "%.1f%%", percent(use->modified, use->weight));
		if (use->loads)
			cli__table_add(&table, "%.1f", (double)use->latency / (double)use->loads);
		else
			cli__table_add(&table, "-");
		cli__table_add(&table, "%s", use->store ? "store" : "load");
		cli__table_add(&table, "%" PRIu64, use->address - line->line);
		char *thread = cli__thread_name(loaded->profile, use->thread);
		cli__table_add(&table, "%s", thread);
		free(thread);
		cli__table_add(&table, "%s", use->place->function);
		if (use->place->file && use->place->line)
			cli__table_add(&table, "%s:%" PRIu32, profile__base_name(use->place->file),
				       use->place->line);
		else
			cli__table_add(&table, "0x%" PRIx64, use->place->address);
	}
	cli__table_print(&table, 0, out);
}

void cli__c2c_text(const struct cli__c2c_options *o, const struct cli__open_profile *loaded,
		   const struct cli__c2c *c, FILE *out)
{
	uint64_t shown = 0, left = 0;
	char count[CLI__NUMBER];

	put_head(o, loaded, c, out);
	for (size_t k = 0; k < c->lines; k++) {
		const struct cli__c2c_line *line = &c->line[k];
		if ((o->most && shown == o->most) || percent(line->weight, c->weight) < o->limit ||
		    (!line->contended && !o->all)) {
			left++;
			continue;
		}
		shown++;
		cli__format_whole(count, line->weight);
		fprintf(out, "\nline 0x%" PRIx64, line->line);
		if (line->name) {
			fputs(" (", out);
			cli__put_plain(line->name, out);
			fputc(')', out);
		}
		enum cli__colour colour =
			cli__coloured(out) && line->contended ? CLI__COLOUR_RED : CLI__COLOUR_NONE;
		fprintf(out, ": %.1f%% of transfers, %" PRIu32 " threads, %s%s%s\n",
			percent(line->weight, c->weight), line->threads, cli__colour_begin(colour),
			verdict(line), cli__colour_end(colour));
		put_uses(loaded, c, line, out);
	}
	if (shown == 0)
		fprintf(out, "\nno %scache line has at least %g%% of the transfers\n",
			o->all ? "" : "contended ", o->limit);
	if (left)
		fprintf(out, "\n# %" PRIu64 " lines are left out: below %g%%%s%s\n", left, o->limit,
			o->most ? ", or after the first ones (-n)" : "",
			o->all ? "" : ", or not contended (--all shows those too)");
}
