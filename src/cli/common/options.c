/* SPDX-License-Identifier: MIT */
#include "cli/common/options.h"

#include "cli/common/perf_words.h"
#include "cli/common/suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool may_lack_value(const struct cli__option *o)
{
	return o->arg != NULL && o->arg[0] == '[';
}

static int bad_long(const struct cli__args *args, const char *name, size_t length)
{
	char want[64];
	struct cli__nearest near = {.want = want};

	snprintf(want, sizeof want, "%.*s", (int)(length < sizeof want ? length : sizeof want - 1), name);
	for (const struct cli__option *o = args->option; o->name != NULL; o++)
		cli__nearest_offer(&near, o->name);
	if (cli__nearest(&near) != NULL)
		cli__message(args->cli, "unknown option '--%s'; did you mean '--%s'?", name,
			     cli__nearest(&near));
	else
		cli__message(args->cli, "unknown option '--%s'; --help lists them", name);
	return CLI__OPTION_BAD;
}

/* Finds an option's value: the rest of its own word (`inside`), else the next word if the option needs
 * one. */
static int with_value(struct cli__args *args, const struct cli__option *o, const char *inside)
{
	args->value = inside;
	if (o->arg == NULL || may_lack_value(o) || inside != NULL)
		return o->id;
	if (args->at >= args->argc) {
		cli__message(args->cli, "--%s needs %s", o->name, o->arg);
		return CLI__OPTION_BAD;
	}
	args->value = args->argv[args->at++];
	return o->id;
}

/* Handles an option of perf: ignores it, treats it as ours with the same meaning, or refuses it with what to
 * do instead. `brief`: its letter, 0 if it was given by its long name; `inside`: the value in the option's
 * own word. */
static int with_perf(struct cli__args *args, const struct cli__perf_option *perf, char brief,
		     const char *inside)
{
	const char letter[] = {brief, '\0'};

	if (perf->why) {
		cli__message(args->cli, "%s%s is an option of 'perf %s', not of 'apmu %s': %s",
			     brief ? "-" : "--", brief ? letter : perf->name, perf->command, perf->command,
			     perf->why);
		return CLI__OPTION_BAD;
	}
	for (const struct cli__option *o = args->option; perf->same && o->name != NULL; o++)
		if (strcmp(o->name, perf->same) == 0)
			return with_value(args, o, inside);
	if (perf->value && !inside && args->at < args->argc)
		args->at++;
	return cli__option_next(args);
}

static int next_long(struct cli__args *args, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);

	for (const struct cli__option *o = args->option; o->name != NULL; o++) {
		if (strlen(o->name) != length || memcmp(o->name, word, length) != 0)
			continue;
		if (equals != NULL && o->arg == NULL) {
			cli__message(args->cli, "--%s takes no value", o->name);
			return CLI__OPTION_BAD;
		}
		return with_value(args, o, equals != NULL ? equals + 1 : NULL);
	}
	const struct cli__perf_option *perf = cli__perf_option(args->cli->command, '\0', word, length);
	return perf ? with_perf(args, perf, '\0', equals ? equals + 1 : NULL) : bad_long(args, word, length);
}

static int next_brief(struct cli__args *args)
{
	char c = *args->cluster++;
	const char *rest = *args->cluster != '\0' ? args->cluster : NULL;

	if (rest == NULL)
		args->cluster = NULL;
	for (const struct cli__option *o = args->option; o->name != NULL; o++) {
		if (o->brief == '\0' || o->brief != c)
			continue;
		if (o->arg == NULL || may_lack_value(o))
			return with_value(args, o, NULL);
		args->cluster = NULL;
		return with_value(args, o, rest);
	}
	const struct cli__perf_option *perf = cli__perf_option(args->cli->command, c, NULL, 0);
	if (perf) {
		if (perf->value)
			args->cluster = NULL;
		return with_perf(args, perf, c, perf->value ? rest : NULL);
	}
	cli__message(args->cli, "unknown option '-%c'; --help lists them", c);
	return CLI__OPTION_BAD;
}

int cli__option_next(struct cli__args *args)
{
	const char *word;

	args->value = NULL;
	if (args->cluster != NULL)
		return next_brief(args);
	if (args->done || args->at >= args->argc)
		return CLI__OPTION_WORD;
	word = args->argv[args->at];
	if (word[0] != '-' || word[1] == '\0')
		return CLI__OPTION_WORD;
	args->at++;
	if (strcmp(word, "--") == 0) {
		args->done = true;
		return CLI__OPTION_WORD;
	}
	if (word[1] == '-')
		return next_long(args, word + 2);
	args->cluster = word + 1;
	return next_brief(args);
}

int cli__options_each(struct cli__args *args, int (*take)(void *ctx, int id, const char *value), void *ctx)
{
	int id, bad = 0;

	while (bad == 0 && (id = cli__option_next(args)) != CLI__OPTION_WORD)
		bad = id == CLI__OPTION_BAD ? CLI__EXIT_USAGE : take(ctx, id, args->value);
	return bad;
}

int cli__option_number(const struct cli__cli *cli, const char *option, const char *value, uint64_t most,
		       uint64_t *out)
{
	if (cli__number(value, most, out))
		return 0;
	cli__message(cli, "%s '%s' is not a whole number, 0 to %llu", option, value,
		     (unsigned long long)most);
	return CLI__EXIT_USAGE;
}

int cli__option_file(const struct cli__cli *cli, const char *option, const char *value)
{
	return value[0] ? 0 : cli__option_bad(cli, option, value, "the name of a file");
}

int cli__option_name(const struct cli__cli *cli, const char *option, const char *value)
{
	return value[0] ? 0 : cli__option_bad(cli, option, value, "a name");
}

int cli__option_percent(const struct cli__cli *cli, const char *option, const char *value, double most,
			double *out)
{
	char *end;
	double percent = strtod(value, &end);

	if (end == value || (strcmp(end, "") != 0 && strcmp(end, "%") != 0) ||
	    !(percent >= 0 && percent <= most && isfinite(percent)))
		return cli__option_bad(cli, option, value,
				       most < (double)INFINITY ? "a percentage, 0 to 100"
							       : "a percentage such as 2%");
	*out = percent;
	return 0;
}

int cli__option_bad(const struct cli__cli *cli, const char *option, const char *value, const char *want)
{
	cli__message(cli, "%s '%s' is not %s", option, value, want);
	return CLI__EXIT_USAGE;
}

int cli__list_each(char *list, int (*use)(void *ctx, const char *word), void *ctx)
{
	int bad = 0;

	for (char *word = list, *end; bad == 0 && word != NULL; word = end) {
		end = strchr(word, ',');
		if (end != NULL)
			*end++ = '\0';
		bad = use(ctx, word);
	}
	return bad;
}

void cli__options_help(const struct cli__option *option, FILE *out)
{
	enum { COLUMN = 26 };

	fputs("Options:\n", out);
	for (const struct cli__option *o = option; o->name != NULL; o++) {
		int n = o->brief != '\0' ? fprintf(out, "  -%c, --%s", o->brief, o->name)
					 : fprintf(out, "      --%s", o->name);

		if (o->arg != NULL)
			n += fprintf(out, "%s%s", may_lack_value(o) ? "" : " ", o->arg);
		if (n > COLUMN - 2) { /* two spaces part an option from its text */
			fputc('\n', out);
			n = 0;
		}
		for (const char *line = o->text; line != NULL;) {
			const char *end = strchr(line, '\n');
			int length = end != NULL ? (int)(end - line) : (int)strlen(line);

			fprintf(out, "%*s%.*s\n", COLUMN - n, "", length, line);
			n = 0;
			line = end != NULL ? end + 1 : NULL;
		}
	}
}
