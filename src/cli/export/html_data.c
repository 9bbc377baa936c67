/* SPDX-License-Identifier: MIT */
/* The page's data accesses, of `record -d`: where they hit, and how long they took. */
#include "cli/export/html.h"
#include "cli/report/report.h"
#include "profile/export.h"

#include <inttypes.h>

/* Writes ["L2, TLB miss",weight,cycles,loads with these cycles]. A row by line has three more texts:
 * function, object, line. */
static void put_row(const struct cli__report_row *row, size_t keys, FILE *out)
{
	fputs("[", out);
	for (size_t k = 0; k < keys; k++) {
		profile__put_json(out, row->text[k]);
		fputs(",", out);
	}
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", row->self, row->latency, row->loads);
}

static void put_rows(const struct cli__open_profile *loaded, uint32_t event,
		     const struct cli__report_options *by, size_t most, FILE *out)
{
	struct cli__report report;
	bool summed = cli__report_sum(by, loaded, event, &report) == 0;

	if (summed)
		cli__report_shorten(by, &report);

	for (size_t i = 0; summed && i < report.rows && i < most; i++) {
		fputs(i ? ",\n" : "\n", out);
		put_row(&report.row[i], by->keys, out);
	}
	cli__report_free(&report);
}

void cli__html_data(const struct cli__open_profile *loaded, FILE *out)
{
	static const struct cli__report_options levels = {
		.key = {CLI__KEY_LEVEL}, .keys = 1, .no_children = true};
	static const struct cli__report_options lines = {
		.key = {CLI__KEY_LEVEL, CLI__KEY_FUNCTION, CLI__KEY_OBJECT, CLI__KEY_LINE},
		.keys = 4,
		.no_children = true};
	size_t events = loaded->profile->data ? loaded->profile->events : 0;

	fputs("[", out);
	for (uint32_t e = 0; e < events; e++) {
		fprintf(out, "%s{\"levels\":[", e ? ",\n" : "");
		put_rows(loaded, e, &levels, SIZE_MAX, out);
		fputs("],\"lines\":[", out);
		put_rows(loaded, e, &lines, CLI__HTML_DATA / events, out);
		fputs("]}", out);
	}
	fputs("]", out);
}
