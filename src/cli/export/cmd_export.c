/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* fileno */
#include "cli/common/open_profile.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/suggest.h"
#include "cli/export/html.h"
#include "profile/export.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { OPT_INPUT, OPT_OUTPUT, OPT_EVENT, OPT_BEFORE, OPT_ROOT, OPT_DEBUG, OPT_NO_INLINE, OPT_HELP };

static const struct cli__option options[] = {
	{'i', "input", "FILE", "the recording (default " CLI__DATA_FILE "; -: standard input)", OPT_INPUT},
	{'o', "output", "FILE", "where to (default: standard output, as with -)", OPT_OUTPUT},
	{'e', "event", "EVENT",
	 "for formats that hold one event (folded, trace): which\n(default: the first recorded)", OPT_EVENT},
	{0, "before", "FILE",
	 "html: an older recording to compare with: the flame graph and\nthe table show what changed",
	 OPT_BEFORE},
	{'L', "sysroot", "DIR", "where the programs' libraries and debug files lie", OPT_ROOT},
	{0, "debug-dir", "DIR", "separate debug files are looked for here first", OPT_DEBUG},
	{0, "no-inline", NULL, "count inlined functions with the one they were inlined into", OPT_NO_INLINE},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

struct request {
	const struct profile__export_format *format;
	struct cli__load_options load;
	const char *output;
	const char *before;           /* html: a recording to compare with; NULL: none */
	struct cli__open_profile old; /* `before`, opened */
	bool help;
};

/* The i-th format; NULL past the last. The list begins with our own, one page for a browser, which has no
 * write(): see write_to(). */
static const struct profile__export_format *format_at(size_t i)
{
	static const struct profile__export_format html = {
		.name = "html",
		.text = "one page for a browser: summary, functions, flame graph, time, source and "
			"instructions",
	};

	return i == 0 ? &html : profile__export_format(i - 1);
}

static void print_help(FILE *out)
{
	const struct profile__export_format *format;

	fputs("usage: apmu export FORMAT [OPTION]... [FILE]\n"
	      "\n"
	      "Writes a recorded profile in the format of another tool:\n"
	      "\n",
	      out);
	for (size_t i = 0; (format = format_at(i)) != NULL; i++)
		fprintf(out, "  %-12s %s\n", format->name, format->text);
	fputs("\n", out);
	cli__options_help(options, out);
	fputs("\n"
	      "For example:\n"
	      "  apmu record --core cortex-a53 --cpi-stack -g -- ./prog\n"
	      "  apmu export html -o prog.html\n"
	      "  apmu export html --before old.data -o both.html\n"
	      "  apmu export folded | flamegraph.pl > prog.svg\n"
	      "  apmu export callgrind -o callgrind.out.prog && callgrind_annotate callgrind.out.prog\n"
	      "  apmu export perf -o perf.data && perf report -i perf.data\n",
	      out);
}

/* A hint for a format that has another name here; NULL: none. */
static const char *other_word(const char *name)
{
	static const struct {
		const char *word, *says;
	} known[] = {
		{"svg", "'folded' is what flamegraph.pl makes an SVG of; 'html' has a flame graph"},
		{"flamegraph", "'html' has a flame graph; 'folded' is what flamegraph.pl takes"},
		{"flame", "'html' has a flame graph; 'folded' is what flamegraph.pl takes"},
		{"chrome", "chrome://tracing and Perfetto take 'trace'"},
		{"perfetto", "chrome://tracing and Perfetto take 'trace'"},
		{"speedscope", "speedscope takes 'folded'"},
		{"firefox", "the Firefox Profiler takes what 'perf script' makes of 'perf'"},
		{"kcachegrind", "KCachegrind takes 'callgrind'"},
		{"prometheus", "Prometheus takes 'openmetrics'"},
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(known[i].word, name) == 0)
			return known[i].says;
	return NULL;
}

static const struct profile__export_format *find_format(const struct cli__cli *cli, const char *name)
{
	const struct profile__export_format *format;
	struct cli__nearest near = {.want = name};
	const char *other = other_word(name);

	for (size_t i = 0; (format = format_at(i)) != NULL; i++) {
		if (strcmp(format->name, name) == 0)
			return format;
		cli__nearest_offer(&near, format->name);
	}
	if (other)
		cli__message(cli, "unknown format '%s': %s", name, other);
	else if (cli__nearest(&near))
		cli__message(cli, "unknown format '%s'; did you mean '%s'?", name, cli__nearest(&near));
	else
		cli__message(cli, "unknown format '%s'; 'apmu export --help' lists them", name);
	return NULL;
}

static bool take_option(struct request *request, int id, const char *value)
{
	switch (id) {
	case OPT_INPUT: request->load.input = value; return true;
	case OPT_OUTPUT: request->output = strcmp(value, "-") != 0 ? value : NULL; return true;
	case OPT_EVENT: request->load.event = value; return true;
	case OPT_BEFORE: request->before = value; return true;
	case OPT_ROOT: request->load.sysroot = value; return true;
	case OPT_DEBUG: request->load.debug_dir = value; return true;
	case OPT_NO_INLINE: request->load.no_inlines = true; return true;
	case OPT_HELP: request->help = true; return true;
	default: return false;
	}
}

/* Takes a word: the format, then the recording. */
static bool take_word(const struct cli__cli *cli, struct request *request, const char *word)
{
	if (request->format == NULL) {
		request->format = find_format(cli, word);
		return request->format != NULL;
	}
	if (request->load.input == NULL) {
		request->load.input = word;
		return true;
	}
	cli__message(cli, "unexpected argument '%s': export takes one format and one recording", word);
	return false;
}

/* Checks that the options suit the format. The page takes all of them: its code begins with what is hottest
 * by -e. */
static int check(const struct cli__cli *cli, const struct request *request)
{
	const struct profile__export_format *format = request->format;

	if (format == NULL)
		cli__message(cli, "no format given; 'apmu export --help' lists the formats");
	else if (request->before && format->write)
		cli__message(cli,
			     "--before is for the page: 'apmu export html'; 'apmu diff' compares in text");
	else if (request->load.event && format->write && !format->single)
		cli__message(cli,
			     "-e is for formats that hold one event, and '%s' holds all that were recorded",
			     format->name);
	else
		return 0;
	return CLI__EXIT_USAGE;
}

static int parse(const struct cli__cli *cli, int argc, char **argv, struct request *request)
{
	struct cli__args args = {.cli = cli, .option = options, .argc = argc, .argv = argv, .at = 1};

	for (;;) {
		int id = cli__option_next(&args);
		if (id == CLI__OPTION_BAD)
			return CLI__EXIT_USAGE;
		if (id != CLI__OPTION_WORD) {
			take_option(request, id, args.value);
			continue;
		}
		if (args.at >= argc || request->help)
			break;
		if (!take_word(cli, request, argv[args.at++]))
			return CLI__EXIT_USAGE;
	}
	return request->help ? 0 : check(cli, request);
}

static int write_to(struct cli__cli *cli, const struct request *request,
		    const struct cli__open_profile *loaded, FILE *out)
{
	struct profile__export export = {.summary = &loaded->summary, .event = loaded->event, .out = out};

	int bad = request->format->write ? request->format->write(&export)
					 : cli__html(loaded, request->before ? &request->old : NULL, out);
	if (bad == 0)
		return 0;
	const char *program = loaded->profile->program;
	if (bad == -ESTALE)
		cli__message(
			cli,
			"%s was built anew since it was recorded (its build-id differs): record it again",
			program);
	else if (bad == -ENOEXEC)
		cli__message(cli, "%s is not an ELF file", program);
	else if (bad != -ENOMEM)
		cli__message(cli, "%s: %s", program, strerror(-bad));
	else
		cli__message(cli, "%s: not enough memory to write it as %s", loaded->path,
			     request->format->name);
	return CLI__EXIT_FAILURE;
}

static int write_out(struct cli__cli *cli, const struct request *request,
		     const struct cli__open_profile *loaded)
{
	struct cli__output output;

	if (request->output == NULL)
		return write_to(cli, request, loaded, cli->out);
	int code = cli__output_open(cli, &output, request->output);
	if (code != 0)
		return code;
	code = write_to(cli, request, loaded, output.stream);
	int closed = cli__output_close(cli, &output, code == 0);
	return code ? code : closed;
}

static bool to_terminal(const struct cli__cli *cli, const struct request *request)
{
	return request->format->binary && request->output == NULL && fileno(cli->out) >= 0 &&
	       isatty(fileno(cli->out));
}

static int load_before(struct cli__cli *cli, struct request *request)
{
	struct cli__load_options options = request->load;

	options.input = request->before;
	options.event = NULL;
	return cli__load(cli, &options, &request->old);
}

static int export_profile(struct cli__cli *cli, struct request *request)
{
	struct cli__open_profile loaded = {0};
	const char *input = request->load.input ? request->load.input : CLI__DATA_FILE;
	int code = cli__output_check(cli, request->output);

	if (code == 0)
		code = cli__output_apart(cli, request->output, input, "recording");
	if (code == 0)
		code = cli__output_apart(cli, request->output, request->before, "recording");
	request->load.by_thread = request->format->by_thread;
	if (code == 0 && request->format->raw)
		code = cli__load_profile(cli, &request->load, &loaded);
	else if (code == 0)
		code = cli__load(cli, &request->load, &loaded);
	loaded.summary.profile = loaded.profile;
	if (code == 0 && request->before)
		code = load_before(cli, request);
	if (code == 0 && request->format->time && loaded.profile->exact) {
		cli__message(cli, "%s was recorded with --exact: it has counts, but no order of time",
			     loaded.path);
		code = CLI__EXIT_FAILURE;
	}
	if (code == 0 && request->format->edges && !loaded.profile->branches) {
		cli__message(cli, "%s was recorded without branches: 'apmu record -b' records them",
			     loaded.path);
		code = CLI__EXIT_FAILURE;
	}
	if (code == 0)
		code = write_out(cli, request, &loaded);
	cli__unload(&loaded);
	cli__unload(&request->old);
	return code;
}

int cli__report_html(struct cli__cli *cli, const struct cli__load_options *load, const char *output)
{
	struct request request = {.format = format_at(0), .load = *load, .output = output};

	return export_profile(cli, &request);
}

int cli__cmd_export(struct cli__cli *cli, int argc, char **argv)
{
	struct request request = {0};
	int code = parse(cli, argc, argv, &request);

	if (code != 0)
		return code;
	if (request.help) {
		print_help(cli->out);
		return 0;
	}
	if (to_terminal(cli, &request)) {
		cli__message(cli, "%s is not text; give it a file with -o", request.format->name);
		return CLI__EXIT_USAGE;
	}
	return cli->parse_only ? 0 : export_profile(cli, &request);
}
