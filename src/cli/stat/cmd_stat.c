/* SPDX-License-Identifier: MIT */
#include "cli/common/interrupt.h"
#include "cli/common/output.h"
#include "cli/stat/stat.h"

#include <stdlib.h>

/* Prints all results, or nothing at all. */
static int print(struct cli__cli *cli, const struct cli__stat_options *options,
		 const struct cli__stat_result *results)
{
	struct cli__output out;
	int bad = cli__output_open(cli, &out, options->output);

	if (bad != 0)
		return bad;
	if (options->json)
		bad = cli__stat_json(options, results, out.stream);
	else if (options->separator != NULL)
		cli__stat_csv(options, results, out.stream);
	else if (!options->plot || options->picture != NULL)
		cli__stat_text(options, results, options->output != NULL ? 0 : cli__width(cli->err),
			       out.stream);
	if (options->plot && options->picture == NULL)
		cli__plot_text(options, results, options->output != NULL ? 0 : cli__width(cli->err),
			       out.stream);
	bool unwritten = ferror(out.stream) != 0; /* cli__output_close() says why */
	if (bad != 0 && !unwritten)
		cli__message(cli, "cannot make the results into JSON");
	return cli__output_close(cli, &out, bad == 0 || unwritten) != 0 || bad != 0 ? CLI__EXIT_FAILURE : 0;
}

static int draw(struct cli__cli *cli, const struct cli__stat_options *options,
		const struct cli__stat_result *results)
{
	struct cli__output out;

	if (options->picture == NULL)
		return 0;
	int bad = cli__output_open(cli, &out, options->picture);
	if (bad != 0)
		return bad;
	cli__plot_svg(options, results, out.stream);
	return cli__output_close(cli, &out, true);
}

static int run_and_print(struct cli__cli *cli, const struct cli__stat_options *options)
{
	struct cli__stat_result *results = cli__zalloc(options->cores, sizeof *results);
	struct cli__stat_options ran;
	cli__interrupts_watch(cli);
	int bad = cli__stat_run(cli, options, &ran, results);

	if (bad == 0)
		bad = print(cli, &ran, results);
	if (bad == 0)
		bad = draw(cli, &ran, results);
	if (bad == 0)
		bad = cli__stat_status(&ran, results);
	cli__interrupts_release();
	cli__stat_results_free(options, results);
	free(results);
	return bad;
}

int cli__cmd_stat(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__stat_options options = {0};
	int bad = cli__stat_options(cli, argc, argv, &options);

	if (bad == CLI__STAT_HELP)
		cli__stat_help(cli->out);
	if (bad == 0 && !cli->parse_only)
		bad = cli__output_check(cli, options.output);
	if (bad == 0 && !cli->parse_only)
		bad = cli__output_check(cli, options.picture);
	if (bad == 0 && !cli->parse_only)
		bad = cli__output_apart(cli, options.output, options.argv[0], "program");
	if (bad == 0 && !cli->parse_only)
		bad = cli__output_apart(cli, options.picture, options.argv[0], "program");
	if (bad == 0 && !cli->parse_only)
		bad = run_and_print(cli, &options);
	cli__stat_options_free(&options);
	return bad == CLI__STAT_HELP ? 0 : bad;
}
