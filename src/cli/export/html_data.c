/* SPDX-License-Identifier: MIT */
/* The page's data accesses, of `record -d`: where they hit, and how long they took. */
#include "cli/export/html.h"
#include "cli/report/report.h"
#include "profile/export.h"

#include <inttypes.h>

/* ["L2, TLB miss",weight,cycles,loads with these cycles]; by lines three texts more: function, object, line.
 */
static void put_row(const struct apmu__report_row *row, size_t keys, FILE *out)
{
	fputs("[", out);
	for (size_t k = 0; k < keys; k++) {
		apmu__put_json(out, row->text[k]);
		fputs(",", out);
	}
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", row->self, row->latency, row->loads);
}

static void put_rows(const struct apmu__open_profile *loaded, uint32_t event,
		     const struct apmu__report_options *by, size_t most, FILE *out)
{
	struct apmu__report report;
	bool summed = apmu__report_sum(by, loaded, event, &report) == 0;

	for (size_t i = 0; summed && i < report.rows && i < most; i++) {
		fputs(i ? ",\n" : "\n", out);
		put_row(&report.row[i], by->keys, out);
	}
	apmu__report_free(&report);
}

void apmu__html_data(const struct apmu__open_profile *loaded, FILE *out)
{
	static const struct apmu__report_options levels = {
		.key = {APMU__KEY_LEVEL}, .keys = 1, .no_children = true};
	static const struct apmu__report_options lines = {
		.key = {APMU__KEY_LEVEL, APMU__KEY_FUNCTION, APMU__KEY_OBJECT, APMU__KEY_LINE},
		.keys = 4,
		.no_children = true};
	size_t events = loaded->profile->data ? loaded->profile->events : 0;

	fputs(",\n\"access\":[", out);
	for (uint32_t e = 0; e < events; e++) {
		fprintf(out, "%s{\"levels\":[", e ? ",\n" : "");
		put_rows(loaded, e, &levels, SIZE_MAX, out);
		fputs("],\"lines\":[", out);
		put_rows(loaded, e, &lines, APMU__HTML_DATA / events, out);
		fputs("]}", out);
	}
	fputs("]", out);
}
