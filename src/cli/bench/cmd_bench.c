/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench.h"
#include "cli/common/interrupt.h"
#include "cli/common/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int save(struct apmu__cli *cli, const struct apmu__bench_options *o, const struct apmu__bench *bench)
{
	struct apmu__bench old = {0};
	struct apmu__output out;
	int bad = access(o->save, F_OK) == 0 ? apmu__bench_read(cli, o->save, &old) : 0;

	if (bad == 0)
		bad = apmu__output_open(cli, &out, o->save);
	if (bad == 0) {
		apmu__bench_write(bench, &old, out.stream);
		bad = apmu__output_close(cli, &out, true);
	}
	apmu__bench_free(&old);
	return bad;
}

/* GitHub shows what stands in this file; several runs of a job add to it. */
static int print_summary(struct apmu__cli *cli, const struct apmu__bench_options *o,
			 const struct apmu__bench *bench, const struct apmu__bench *base, const char *path)
{
	FILE *out = fopen(path, "a");

	if (out != NULL) {
		apmu__bench_print(o, bench, base, 0, out);
		fputc('\n', out);
	}
	if (out == NULL || fclose(out) != 0) {
		apmu__complain(cli, "%s cannot be written", path);
		return APMU__EXIT_FAILURE;
	}
	return 0;
}

static int print(struct apmu__cli *cli, const struct apmu__bench_options *o, const struct apmu__bench *bench,
		 const struct apmu__bench *base)
{
	const char *summary = o->format == APMU__BENCH_GITHUB ? getenv("GITHUB_STEP_SUMMARY") : NULL;
	struct apmu__output out;

	if (o->quiet)
		return 0;
	if (summary && summary[0] && o->output == NULL)
		return print_summary(cli, o, bench, base, summary);
	int bad = apmu__output_open(cli, &out, o->output);
	if (bad != 0)
		return bad;
	apmu__bench_print(o, bench, base, o->output ? 0 : apmu__width(cli->err), out.stream);
	return apmu__output_close(cli, &out, true);
}

static int bench_with(struct apmu__cli *cli, const struct apmu__bench_options *o,
		      const struct apmu__bench *base)
{
	struct apmu__bench bench = {0};
	int exits = 0;

	apmu__interrupts_watch();
	int bad = apmu__bench_run(cli, o, &bench, &exits);

	if (bad == 0)
		bad = print(cli, o, &bench, base);
	if (bad == 0 && o->save != NULL)
		bad = save(cli, o, &bench);
	if (bad == 0 && exits == 0 && base != NULL && apmu__bench_check(cli, o, &bench, base) != 0)
		bad = APMU__BENCH_GREW;
	apmu__interrupts_release();
	apmu__bench_free(&bench);
	return bad ? bad : exits;
}

int apmu__cmd_bench(struct apmu__cli *cli, int argc, char **argv)
{
	struct apmu__bench_options options;
	struct apmu__bench base = {0};
	int bad = apmu__bench_options(cli, argc, argv, &options);

	if (bad == 0 && !cli->parse_only)
		bad = apmu__output_check(cli, options.output);
	if (bad == 0 && !cli->parse_only)
		bad = apmu__output_check(cli, options.save);
	if (bad == 0 && !cli->parse_only && options.baseline != NULL)
		bad = apmu__bench_read(cli, options.baseline, &base);
	if (bad == 0 && !cli->parse_only)
		bad = bench_with(cli, &options, options.baseline ? &base : NULL);
	apmu__bench_free(&base);
	apmu__bench_options_free(&options);
	return bad == APMU__BENCH_HELP ? 0 : bad;
}
