/* SPDX-License-Identifier: MIT */
#include "cli/common/interrupt.h"
#include "cli/common/output.h"
#include "cli/stat/stat.h"

#include <stdlib.h>

/* Prints all results, or nothing at all. */
static int print(struct apmu__cli *cli, const struct apmu__stat_options *options,
		 const struct apmu__stat_result *results)
{
	struct apmu__output out;
	int bad = apmu__output_open(cli, &out, options->output);

	if (bad != 0)
		return bad;
	if (options->json)
		bad = apmu__stat_json(options, results, out.stream);
	else if (options->separator != NULL)
		apmu__stat_csv(options, results, out.stream);
	else if (!options->plot || options->picture != NULL)
		apmu__stat_text(options, results, options->output != NULL ? 0 : apmu__width(cli->err),
				out.stream);
	if (options->plot && options->picture == NULL)
		apmu__plot_text(options, results, options->output != NULL ? 0 : apmu__width(cli->err),
				out.stream);
	bool unwritten = ferror(out.stream) != 0; /* closing says why */
	if (bad != 0 && !unwritten)
		apmu__complain(cli, "cannot make the results into JSON");
	return apmu__output_close(cli, &out, bad == 0 || unwritten) != 0 || bad != 0 ? APMU__EXIT_FAILURE : 0;
}

static int draw(struct apmu__cli *cli, const struct apmu__stat_options *options,
		const struct apmu__stat_result *results)
{
	struct apmu__output out;

	if (options->picture == NULL)
		return 0;
	int bad = apmu__output_open(cli, &out, options->picture);
	if (bad != 0)
		return bad;
	apmu__plot_svg(options, results, out.stream);
	return apmu__output_close(cli, &out, true);
}

static int run_and_print(struct apmu__cli *cli, const struct apmu__stat_options *options)
{
	struct apmu__stat_result *results = apmu__zalloc(options->cores, sizeof *results);
	apmu__interrupts_watch();
	int bad = apmu__stat_run(cli, options, results);

	if (bad == 0)
		bad = print(cli, options, results);
	if (bad == 0)
		bad = draw(cli, options, results);
	if (bad == 0)
		bad = apmu__stat_status(options, results);
	apmu__interrupts_release();
	apmu__stat_results_free(options, results);
	free(results);
	return bad;
}

int apmu__cmd_stat(struct apmu__cli *cli, int argc, char **argv)
{
	struct apmu__stat_options options;
	int bad = apmu__stat_options(cli, argc, argv, &options);

	if (bad == APMU__STAT_HELP)
		apmu__stat_help(cli->out);
	if (bad == 0 && !cli->parse_only)
		bad = apmu__output_check(cli, options.output);
	if (bad == 0 && !cli->parse_only)
		bad = apmu__output_check(cli, options.picture);
	if (bad == 0 && !cli->parse_only)
		bad = run_and_print(cli, &options);
	apmu__stat_options_free(&options);
	return bad == APMU__STAT_HELP ? 0 : bad;
}
