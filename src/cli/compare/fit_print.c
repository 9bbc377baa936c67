/* SPDX-License-Identifier: MIT */
#include "cli/common/output.h"
#include "cli/common/table.h"
#include "cli/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ALIKE = 0.99;

/* True if two parameters move the counts alike, so that the fit cannot tell which it is. */
static bool alike(const struct cli__fit *fit, const struct cli__fit_param *a, const struct cli__fit_param *b)
{
	double ab = 0, aa = 0, bb = 0;

	for (size_t c = 0; c < fit->counts; c++) {
		ab += a->slope[c] * b->slope[c];
		aa += a->slope[c] * a->slope[c];
		bb += b->slope[c] * b->slope[c];
	}
	return aa > 0 && bb > 0 && fabs(ab) > ALIKE * sqrt(aa * bb);
}

/* Prints keys in lines of at most 100 columns. */
static void put_keys(const struct cli__fit *fit, bool weak, const char *title, FILE *out)
{
	size_t column = 0;

	for (size_t k = 0; k < fit->params; k++) {
		const struct cli__fit_param *f = &fit->param[k];
		if (f->active || (f->strength < 1) != weak)
			continue;
		size_t length = strlen(f->key) + 1;
		if (column == 0)
			fprintf(out, "\n%s:\n", title);
		if (column == 0 || column + length > 100) {
			fputs(column != 0 ? "\n " : " ", out);
			column = 1;
		}
		fprintf(out, " %s", f->key);
		column += length;
	}
	fputs(column != 0 ? "\n" : "", out);
}

static void add_row(struct cli__table *table, const struct cli__fit *fit, const struct cli__fit_param *f)
{
	char *others = cli__copy("");

	for (size_t k = 0; k < fit->params; k++) {
		const struct cli__fit_param *other = &fit->param[k];
		if (other == f || other->active || other->strength < 1 ||
		    (other->rival != f && !alike(fit, f, other)))
			continue;
		char *longer = cli__format("%s%s%s", others, others[0] != '\0' ? ", " : " (or ", other->key);
		free(others);
		others = longer;
	}
	cli__table_add(table, "%.0f", f->begin);
	cli__table_add(table, "%.0f", f->now);
	cli__table_add(table, "%.1f %%", 100 * f->explains);
	cli__table_add(table, "%s%s%s", f->key, others, others[0] != '\0' ? ")" : "");
	free(others);
}

#define FAR 10 /* root mean square of what is left, in units of uncertainty, that is no fit */

void cli__fit_table(const struct cli__fit *fit, FILE *out)
{
	static const char *const head[] = {"now", "fitted", "explains", "parameter"};
	struct cli__table table = {.head = head, .right = "RRRL", .columns = 4};
	size_t taken = 0;

	fprintf(out,
		"%zu program%s, %zu counts on %s: root mean square of the differences %.1f before the fit, %.1f after it, in units of their uncertainty\n\n",
		fit->programs, fit->programs == 1 ? "" : "s", fit->counts, fit->core->name,
		sqrt(fit->first / (double)fit->counts), sqrt(fit->sum / (double)fit->counts));
	for (size_t k = 0; k < fit->params; k++)
		if (fit->param[k].active) {
			add_row(&table, fit, &fit->param[k]);
			taken++;
		}
	if (taken != 0)
		cli__table_print(&table, cli__width(out), out);
	else
		fprintf(out, "No parameter explains the differences: %s is not written.\n",
			fit->request->output);
	if (taken != 0 && fit->sum > FAR * FAR * (double)fit->counts)
		fputs("These parameters do not explain the board: what is left is far beyond the counts' uncertainty.\n",
		      out);
	put_keys(fit, false, "They move counts, but no other value explains more", out);
	put_keys(fit, true,
		 "Undetermined: an eighth more of them moves no count of these programs beyond its noise",
		 out);
}

/* Writes what differs from the core's row, as --uarch takes it. */
int cli__fit_write(const struct cli__fit *fit, const struct apmu_uarch_params *fitted)
{
	const struct apmu_uarch_params *row = apmu_uarch_find(fit->core->uarch);
	struct apmu_uarch_param was, is, begun;
	struct cli__output out;
	int bad = cli__output_open(fit->cli, &out, fit->request->output);

	if (bad != 0)
		return bad;
	fprintf(out.stream,
		"# Figures of %s fitted by 'apmu compare --fit' to %zu program%s. Use: apmu stat -c %s --uarch FILE\n",
		fit->core->name, fit->programs, fit->programs == 1 ? "" : "s", fit->core->name);
	for (size_t i = 0; apmu_uarch_param(fitted, i, &is) && apmu_uarch_param(row, i, &was) &&
			   apmu_uarch_param(&fit->begin, i, &begun);
	     i++)
		if (strcmp(is.value, was.value) != 0)
			fprintf(out.stream, "%s = %s \"%s\"\n", is.key, is.value,
				strcmp(is.value, begun.value) == 0 ? "set before the fit"
								   : "fitted to a board's counts");
	return cli__output_close(fit->cli, &out, true);
}
