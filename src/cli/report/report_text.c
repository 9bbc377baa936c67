/* SPDX-License-Identifier: MIT */
#include "cli/common/table.h"
#include "cli/report/report.h"

#include <inttypes.h>

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Formats 12345 as 12,345, as `apmu stat` does. */
static const char *grouped(uint64_t n, char text[32])
{
	char *at = text + 31;
	unsigned digits = 0;

	*at = '\0';
	do {
		if (digits && digits % 3 == 0)
			*--at = ',';
		*--at = (char)('0' + n % 10);
		digits++;
	} while ((n /= 10) != 0);
	return at;
}

void cli__report_head(const struct cli__report_options *o, const struct cli__open_profile *loaded,
		      uint32_t event, uint64_t weight, uint64_t samples, FILE *out)
{
	const struct profile__profile *p = loaded->profile;
	const struct profile__event *e = &p->event[event];
	char a[32], b[32];

	fprintf(out, "# %s of '", e->label);
	cli__put_program(p, out);
	fprintf(out, "' on %s\n", p->core);
	if (p->exact)
		fprintf(out, "# exact: %s counted\n", grouped(weight, a));
	else
		fprintf(out, "# %s samples for %s%s counted%s\n", grouped(samples, a),
			e->period ? "" : "about ", grouped(weight, b), p->skid ? ", with skid" : "");
	if (o->graph && !o->limited)
		fputs("# rows below 0.5% are left out (--percent-limit 0 shows all)\n", out);
	if (o->graph)
		fputs("#\n", out);
}

static void print_head(const struct cli__report_options *o, const struct cli__open_profile *loaded,
		       uint32_t event, const struct cli__report *r, FILE *out)
{
	cli__report_head(o, loaded, event, r->weight, r->samples, out);
	if (r->shown != r->weight)
		fprintf(out, "# the filters leave %.2f%%\n", percent(r->shown, r->weight));
	if (o->limit > 0)
		fprintf(out, "# rows below %g%% are left out\n", o->limit);
	fputs("#\n", out);
}

static void add_share(struct cli__table *table, double share)
{
	cli__table_add(table, "%.2f%%", share);
	cli__table_colour(table, cli__colour_share(share));
}

static void add_row(const struct cli__report_options *o, const struct profile__profile *profile,
		    const struct cli__report *r, const struct cli__report_row *row, struct cli__table *table)
{
	char number[32];

	if (r->children)
		add_share(table, percent(row->children, r->weight));
	add_share(table, percent(row->self, r->weight));
	cli__table_add(table, "%s", grouped(row->self, number));
	if (!profile->exact)
		cli__table_add(table, "%s", grouped(row->samples, number));
	if (profile->data && row->loads)
		cli__table_add(table, "%.1f", (double)row->latency / (double)row->loads);
	else if (profile->data)
		cli__table_add(table, "-");
	for (size_t k = 0; k < o->keys; k++)
		cli__table_add(table, "%s", row->text[k]);
}

void cli__report_text(const struct cli__report_options *o, const struct cli__open_profile *loaded,
		      uint32_t event, const struct cli__report *r, FILE *out)
{
	const char *head[CLI__KEYS + 5];
	char right[CLI__KEYS + 6] = "";
	size_t columns = 0, printed = 0;

	print_head(o, loaded, event, r, out);
	if (r->rows == 0 || r->shown == 0) {
		fputs("nothing was sampled here\n", out);
		return;
	}
	if (r->children)
		right[columns] = 'R', head[columns++] = "children";
	right[columns] = 'R', head[columns++] = "self";
	right[columns] = 'R', head[columns++] = "count";
	if (!loaded->profile->exact)
		right[columns] = 'R', head[columns++] = "samples";
	if (loaded->profile->data)
		right[columns] = 'R', head[columns++] = "latency";
	for (size_t k = 0; k < o->keys; k++)
		right[columns] = 'L', head[columns++] = cli__report_key_name[o->key[k]];
	struct cli__table table = {.head = head, .right = right, .columns = columns, .coloured = o->coloured};
	for (size_t i = 0; i < r->rows && (!o->most || printed < o->most); i++) {
		const struct cli__report_row *row = &r->row[i];
		if (percent(r->children ? row->children : row->self, r->weight) < o->limit)
			continue;
		printed++;
		add_row(o, loaded->profile, r, row, &table);
	}
	cli__table_print(&table, 0, out);
}
