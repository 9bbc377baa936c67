/* SPDX-License-Identifier: MIT */
#include "cli/common/uarch_options.h"

#include "cli/common/options.h"
#include "cli/common/suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST  65536 /* bytes of a parameter file */
#define TURNS 3

bool cli__params_of(const struct cli__cli *cli, const struct apmu_core *core, struct apmu_uarch_params *out)
{
	const struct apmu_uarch_params *row = apmu_uarch_find(core->uarch);

	if (row != NULL)
		*out = *row;
	else
		cli__message(cli, "%s has no parameters '%s' for its caches and pipeline", core->name,
			     core->uarch);
	return row != NULL;
}

bool cli__has_own_params(const struct apmu_core *core)
{
	bool own = strcmp(core->uarch, core->name) == 0;

	for (const char *const *alias = core->alias; alias != NULL && *alias != NULL; alias++)
		own = own || strcmp(core->uarch, *alias) == 0;
	return own;
}

static int unknown_param(const struct cli__cli *cli, const struct apmu_uarch_params *params, const char *key)
{
	struct cli__nearest near = {.want = key};
	struct apmu_uarch_param param;
	char best[64] = "";

	for (size_t i = 0; apmu_uarch_param(params, i, &param); i++)
		cli__nearest_offer(&near, param.key);
	if (cli__nearest(&near) != NULL)
		snprintf(best, sizeof best, "; did you mean '%s'?", cli__nearest(&near));
	cli__message(cli, "--set: no parameter '%s'%s", key,
		     best[0] != '\0' ? best : "; 'apmu list cores -v' has them all");
	return CLI__EXIT_USAGE;
}

static int set_param(const struct cli__cli *cli, struct apmu_uarch_params *params, const char *key,
		     const char *value)
{
	char may[96];

	switch (apmu_uarch_set(params, key, value)) {
	case 0: return 0;
	case APMU_ENOENT: return unknown_param(cli, params, key);
	default: break;
	}
	apmu_uarch_range(key, may, sizeof may);
	cli__message(cli, "--set: %s cannot be '%s': it is %s", key, value, may);
	return CLI__EXIT_USAGE;
}

/* Reads a small file whole, NUL-terminated; NULL after a complaint. */
static char *slurp(const struct cli__cli *cli, const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = cli__zalloc(MOST + 2, 1);
	size_t n = file != NULL ? fread(text, 1, MOST + 1, file) : 0;
	const char *why = file == NULL || ferror(file) ? strerror(errno) : NULL;

	if (file != NULL)
		fclose(file);
	if (why == NULL && (n > MOST || memchr(text, '\0', n) != NULL))
		why = "not a parameter file, which is text of at most 65536 bytes (see spec/uarch/*.uarch)";
	if (why == NULL)
		return text;
	cli__message(cli, "--uarch %s: %s", path, why);
	free(text);
	return NULL;
}

static const char *nearest_param(const struct apmu_uarch_params *params, const char *key,
				 struct cli__nearest *near)
{
	struct apmu_uarch_param param;

	for (size_t i = 0; apmu_uarch_param(params, i, &param); i++)
		cli__nearest_offer(near, param.key);
	near->want = key;
	return cli__nearest(near);
}

static int read_file(const struct cli__cli *cli, struct apmu_uarch_params *params, const char *path)
{
	struct apmu_uarch_fault fault;
	struct cli__nearest near = {.want = fault.key};
	char *text = slurp(cli, path);
	const char *best = NULL;
	char line[16] = "";

	if (text == NULL)
		return CLI__EXIT_USAGE;
	int bad = apmu_uarch_read(params, text, &fault);
	free(text);
	if (bad == 0)
		return 0;
	if (bad == APMU_ENOENT)
		best = nearest_param(params, fault.key, &near);
	if (fault.line != 0)
		snprintf(line, sizeof line, ":%u", fault.line);
	cli__message(cli, "%s%s: %s%s%s%s", path, line, fault.text, best != NULL ? "; did you mean '" : "",
		     best != NULL ? best : "", best != NULL ? "'?" : "");
	return CLI__EXIT_USAGE;
}

/* Parses a size in bytes: "512K", "1M" or "4096". */
static bool parse_size(const char *text, uint64_t *size)
{
	char *number = cli__copy(text);
	size_t n = strlen(number);
	unsigned shift = 0;

	if (n != 0 && strchr("kKmM", number[n - 1]) != NULL) {
		shift = number[n - 1] == 'k' || number[n - 1] == 'K' ? 10 : 20;
		number[n - 1] = '\0';
	}
	bool good = cli__number(number, UINT32_MAX, size);
	free(number);
	*size <<= shift;
	return good;
}

/* Turns SIZE[,WAYS[,LINE]] into words of --set; NULL if it is malformed. */
static char *cache_words(const char *unit, const char *value)
{
	static const char *const param[] = {"size", "ways", "line"};
	char *copy = cli__copy(value), *words = NULL, *at = copy, *end;
	uint64_t n = 0;
	bool good = true;

	for (unsigned k = 0; good && at != NULL; k++, at = end) {
		end = strchr(at, ',');
		if (end != NULL)
			*end++ = '\0';
		good = k < 3 && (k == 0 ? parse_size(at, &n) : cli__number(at, UINT32_MAX, &n));
		if (!good)
			break;
		char *word = cli__format("%s.%s=%" PRIu64, unit, param[k], n);
		cli__sets_add(&words, word);
		free(word);
	}
	free(copy);
	if (good)
		return words;
	free(words);
	return NULL;
}

/* Items are separated by newlines, because file names may contain commas, and so do values such as
 * result:4,busy:2: what follows the comma there is no KEY=VALUE. */
void cli__sets_add(char **list, const char *words)
{
	char *longer = *list != NULL ? cli__format("%s\n%s", *list, words) : cli__copy(words);

	for (char *at = longer + (*list != NULL ? strlen(*list) : 0); *at != '\0'; at++)
		if (*at == ',' && at[1 + strcspn(at + 1, ",=")] == '=')
			*at = '\n';
	free(*list);
	*list = longer;
}

int cli__sets_add_file(char **list, const char *path)
{
	char *longer = *list != NULL ? cli__format("%s\n@%s", *list, path) : cli__format("@%s", path);

	free(*list);
	*list = longer;
	return 0;
}

/* Checks that the parameters take the values of these words, so that the option is named and not --set. 0, or
 * 2 after a complaint. */
static int check_cache(const struct cli__cli *cli, const char *words, const char *unit, const char *value)
{
	struct apmu_uarch_params any = {0};
	char *copy = cli__copy(words), may[96];
	int bad = 0;

	for (char *key = copy, *end; bad == 0 && key != NULL; key = end) {
		end = strchr(key, '\n');
		if (end != NULL)
			*end++ = '\0';
		char *number = strchr(key, '=');
		*number++ = '\0';
		if (apmu_uarch_set(&any, key, number) == 0)
			continue;
		apmu_uarch_range(key, may, sizeof may);
		cli__message(cli, "--%s '%s': %s cannot be %s: it is %s", unit, value, key, number, may);
		bad = CLI__EXIT_USAGE;
	}
	free(copy);
	return bad;
}

int cli__sets_add_cache(const struct cli__cli *cli, char **list, const char *unit, const char *value)
{
	char *words = cache_words(unit, value);

	if (words == NULL) {
		cli__message(cli, "--%s '%s' is not SIZE[,WAYS[,LINE]], such as 512K,8,64", unit, value);
		return CLI__EXIT_USAGE;
	}
	int bad = check_cache(cli, words, unit, value);
	if (bad == 0)
		cli__sets_add(list, words);
	free(words);
	return bad;
}

static int set_one(const struct cli__cli *cli, struct apmu_uarch_params *params, const char *word)
{
	const char *equals = strchr(word, '=');
	char *key;
	int bad;

	if (word[0] == '@')
		return read_file(cli, params, word + 1);
	if (equals == NULL) {
		cli__message(cli, "--set '%s': a parameter is set with KEY=VALUE", word);
		return CLI__EXIT_USAGE;
	}
	key = cli__format("%.*s", (int)(equals - word), word);
	bad = set_param(cli, params, key, equals + 1);
	free(key);
	return bad;
}

/* True if the list sets this parameter by name. */
static bool sets_param(const char *list, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = list; at != NULL; at = strchr(at, '\n') != NULL ? strchr(at, '\n') + 1 : NULL)
		if (strncmp(at, key, n) == 0 && at[n] == '=')
			return true;
	return false;
}

/* Complains about a parameter of the list that has no effect together with the rest of the list; true after a
 * complaint. */
static bool idle_param(const struct cli__cli *cli, const struct apmu_uarch_params *params, const char *list,
		       const struct apmu_core *core)
{
	struct apmu_uarch_param param;
	char why[200];

	for (size_t i = 0; apmu_uarch_param(params, i, &param); i++) {
		if (!sets_param(list, param.key))
			continue;
		const char *on = apmu_uarch_idle(params, param.key, why, sizeof why);
		if (on == NULL || sets_param(list, on))
			continue;
		cli__message(cli, "%s: %s", core->name, why);
		return true;
	}
	return false;
}

static bool odd(const struct cli__cli *cli, const struct apmu_uarch_params *params,
		const struct apmu_core *core)
{
	char why[200];
	bool is = apmu_uarch_explain(params, why, sizeof why);

	if (is)
		cli__message(cli, "%s: %s", core->name, why);
	return is;
}

/* Turn in which a word is applied, whatever the order on the command line: files first, then parameters that
 * another option implies ('~'), then parameters set by name, which therefore win. */
static unsigned turn_of(const char *word)
{
	return word[0] == '@' ? 0 : word[0] == '~' ? 1 : TURNS - 1;
}

static int set_turn(const struct cli__cli *cli, struct apmu_uarch_params *params, const char *list,
		    unsigned turn)
{
	char *words = cli__copy(list);
	int bad = 0;

	for (char *word = words, *end; bad == 0 && word != NULL; word = end) {
		end = strchr(word, '\n');
		if (end != NULL)
			*end++ = '\0';
		if (turn_of(word) == turn)
			bad = set_one(cli, params, word + (word[0] == '~'));
	}
	free(words);
	return bad;
}

int cli__set_all(const struct cli__cli *cli, struct apmu_uarch_params *params, const char *list,
		 const struct apmu_core *core)
{
	int bad = 0;

	for (unsigned turn = 0; bad == 0 && turn < TURNS; turn++)
		bad = set_turn(cli, params, list, turn);
	if (bad == 0 && (odd(cli, params, core) || idle_param(cli, params, list, core)))
		bad = CLI__EXIT_USAGE;
	return bad;
}
