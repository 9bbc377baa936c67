/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench.h"
#include "cli/common/interrupt.h"
#include "cli/common/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads what --save names, whose rows of other benchmarks it keeps: before the run, which a file that is no
 * --save of 'apmu bench' would lose. Pipes, devices and empty files have no rows. */
static int read_saved(const struct cli__cli *cli, const struct cli__bench_options *o, struct cli__bench *old)
{
	struct stat about;

	if (o->save == NULL || stat(o->save, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0)
		return 0;
	return cli__bench_read(cli, o->save, old);
}

static int save(struct cli__cli *cli, const struct cli__bench_options *o, const struct cli__bench *bench,
		const struct cli__bench *old)
{
	struct cli__output out;
	int bad = cli__output_open(cli, &out, o->save);

	if (bad != 0)
		return bad;
	cli__bench_write(bench, old, out.stream);
	return cli__output_close(cli, &out, true);
}

/* Appends to the file whose contents GitHub shows; several runs of a job add to it. */
static int print_summary(struct cli__cli *cli, const struct cli__bench_options *o,
			 const struct cli__bench *bench, const struct cli__bench *base, const char *path)
{
	FILE *out = fopen(path, "a");

	if (out != NULL) {
		cli__bench_print(o, bench, base, 0, out);
		fputc('\n', out);
	}
	if (out == NULL || fclose(out) != 0) {
		cli__message(cli, "%s cannot be written", path);
		return CLI__EXIT_FAILURE;
	}
	return 0;
}

static int print(struct cli__cli *cli, const struct cli__bench_options *o, const struct cli__bench *bench,
		 const struct cli__bench *base)
{
	const char *summary = o->format == CLI__BENCH_GITHUB ? getenv("GITHUB_STEP_SUMMARY") : NULL;
	struct cli__output out;

	if (o->quiet && o->format != CLI__BENCH_JSON)
		return 0;
	if (summary && summary[0] && o->output == NULL)
		return print_summary(cli, o, bench, base, summary);
	int bad = cli__output_open(cli, &out, o->output);
	if (bad != 0)
		return bad;
	cli__bench_print(o, bench, base, o->output ? 0 : cli__width(cli->err), out.stream);
	return cli__output_close(cli, &out, true);
}

static int bench_with(struct cli__cli *cli, const struct cli__bench_options *o, const struct cli__bench *base)
{
	struct cli__bench bench = {0}, old = {0};
	int exits = 0, bad = read_saved(cli, o, &old);

	cli__interrupts_watch(cli);
	if (bad == 0)
		bad = cli__bench_run(cli, o, &bench, &exits);

	if (bad == 0)
		bad = print(cli, o, &bench, base);
	if (bad == 0 && o->save != NULL)
		bad = save(cli, o, &bench, &old);
	if (bad == 0 && base != NULL && cli__bench_check(cli, o, &bench, base) != 0 && exits == 0)
		bad = CLI__BENCH_GREW;
	cli__interrupts_release();
	cli__bench_free(&bench);
	cli__bench_free(&old);
	return bad ? bad : exits;
}

int cli__cmd_bench(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__bench_options options;
	struct cli__bench base = {0};
	int bad = cli__bench_options(cli, argc, argv, &options);

	if (bad == 0 && !cli->parse_only)
		bad = cli__output_check(cli, options.output);
	if (bad == 0 && !cli->parse_only)
		bad = cli__output_check(cli, options.save);
	if (bad == 0 && !cli->parse_only)
		bad = cli__output_apart(cli, options.output, options.argv[0], "program");
	if (bad == 0 && !cli->parse_only)
		bad = cli__output_apart(cli, options.output, options.baseline, "baseline");
	if (bad == 0 && !cli->parse_only && options.baseline != NULL)
		bad = cli__bench_read(cli, options.baseline, &base);
	if (bad == 0 && !cli->parse_only)
		bad = bench_with(cli, &options, options.baseline ? &base : NULL);
	cli__bench_free(&base);
	cli__bench_options_free(&options);
	return bad == CLI__BENCH_HELP ? 0 : bad;
}
