/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* vasprintf */
#include "cli/cli.h"

#include "cli/common/suggest.h"

#include "base/text.h"
#include "qemu/run.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *cli__plain(char *text, char keep)
{
	return apmu_base__text_plain(text, keep);
}

void cli__put_plain(const char *text, FILE *out)
{
	unsigned n;

	for (; *text; text += n) {
		unsigned shown = apmu_base__shown(text, &n);
		fwrite(shown ? text : "?", 1, shown ? n : 1, out);
	}
}

void cli__message(const struct cli__cli *cli, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	fflush(cli->out);
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	fprintf(cli->err, "apmu%s%s: %s\n", cli->command != NULL ? " " : "",
		cli->command != NULL ? cli->command : "", text ? cli__plain(text, '\n') : format);
	free(text);
}

const struct apmu_core *cli__core(const struct cli__cli *cli, const char *name)
{
	const struct apmu_core *core = apmu_core_find(name);
	struct cli__nearest near = {.want = name};

	if (core != NULL)
		return core;
	if (strchr(name, ',') != NULL) {
		cli__message(
			cli,
			"'%s' names several cores, but one is expected here; 'apmu stat' and 'apmu record' take a list",
			name);
		return NULL;
	}
	for (size_t i = 0; i < apmu_core_count(); i++) {
		cli__nearest_offer(&near, apmu_core_at(i)->name);
		for (const char *const *alias = apmu_core_at(i)->alias; alias != NULL && *alias != NULL;
		     alias++)
			cli__nearest_offer(&near, *alias);
	}
	if (cli__nearest(&near) != NULL)
		cli__message(cli, "unknown core '%s'; did you mean '%s'?", name, cli__nearest(&near));
	else
		cli__message(cli, "unknown core '%s'; 'apmu list cores' has them all", name);
	return NULL;
}

const struct apmu_core *cli__default(const char *program, const char *sysroot, bool system)
{
	struct apmu_isa__elf elf = {0};
	char error[256];

	if (program == NULL || apmu_qemu__elf_named(program, sysroot, system, &elf, error, sizeof error) != 0)
		return apmu_core_default(false, 0);
	return apmu_core_default(elf.machine == EM_AARCH64, elf.arch);
}

static void *have(void *memory)
{
	if (memory == NULL) {
		fputs("apmu: out of memory\n", stderr);
		exit(CLI__EXIT_FAILURE);
	}
	return memory;
}

void *cli__zalloc(size_t n, size_t size)
{
	return have(calloc(n != 0 ? n : 1, size));
}

void *cli__grow(void *array, size_t n, size_t size)
{
	size_t room = n != 0 ? 2 * n : 4;
	char *larger;

	if (n != 0 && (n < 4 || (n & (n - 1)) != 0))
		return array;
	larger = have(realloc(array, room * size));
	memset(larger + n * size, 0, (room - n) * size);
	return larger;
}

char *cli__copy(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(cli__zalloc(size, 1), text, size);
}

char *cli__vformat(const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	text = cli__zalloc((size_t)(length > 0 ? length : 0) + 1, 1);
	if (length > 0)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

char *cli__format(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = cli__vformat(format, args);
	va_end(args);
	return text;
}

bool cli__number(const char *text, uint64_t max, uint64_t *out)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	unsigned long long value;
	char *end;

	if (digits[0] == '\0' ||
	    strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits))
		return false;
	errno = 0;
	value = strtoull(digits, &end, hex ? 16 : 10);
	if (errno != 0 || *end != '\0' || value > max)
		return false;
	*out = value;
	return true;
}

enum { NAMED = 8 }; /* names in a message; further ones are counted */

void cli__names_add(struct cli__names *names, const char *name)
{
	char *longer;

	if (++names->n > NAMED)
		return;
	longer =
		cli__format("%s%s%s", names->text != NULL ? names->text : "", names->n > 1 ? ", " : "", name);
	free(names->text);
	names->text = longer;
}

char *cli__names_take(struct cli__names *names)
{
	char *text = names->n > NAMED ? cli__format("%s and %zu more", names->text, names->n - NAMED)
				      : cli__copy(names->text != NULL ? names->text : "");

	free(names->text);
	*names = (struct cli__names){0};
	return text;
}
