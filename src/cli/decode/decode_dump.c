/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* getline */
#include "cli/decode/decode_dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SPACE   " \t\r\n\v\f"
#define BETWEEN SPACE ",;:=|\"'"
#define HEX     "0123456789abcdefABCDEF"

enum {
	MOST_REGISTERS = 65536,
	LONGEST = 64, /* bytes of a register's name, or of a number */
	FRAME = 0x1000
};

struct reading {
	cli__dump_known *known;
	const void *ctx;
	struct cli__dump *out;
};

struct number {
	uint64_t value;
	unsigned digits; /* without 0x */
	bool prefixed;   /* by 0x */
};

/* Reads a word as a hexadecimal number; '_' may stand between digits. */
static bool take_number(const char *text, size_t length, struct number *out)
{
	*out = (struct number){.prefixed =
				       length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')};
	for (size_t i = out->prefixed ? 2 : 0; i < length; i++) {
		if (text[i] == '_' && out->digits)
			continue;
		if (text[i] == '\0' || strchr(HEX, text[i]) == NULL || out->digits == 16)
			return false;
		const char digit[] = {text[i], '\0'};
		out->value = out->value << 4 | strtoul(digit, NULL, 16);
		out->digits++;
	}
	return out->digits != 0;
}

static void add(struct reading *r, const char *name, uint64_t value)
{
	struct cli__dump *dump = r->out;

	if (dump->n == MOST_REGISTERS)
		return;
	dump->word = cli__grow(dump->word, dump->n, sizeof *dump->word);
	dump->word[dump->n++] = cli__format("%s=0x%llx", name, (unsigned long long)value);
}

static void add_word(struct reading *r, uint64_t address, uint32_t value)
{
	char *name = cli__format("0x%03llX", (unsigned long long)(address % FRAME));

	if (r->known(r->ctx, name))
		add(r, name, value);
	free(name);
}

/* Takes a line of memory, "fee00e04: 41033001 00000000  ...". False: it is none. */
static bool take_memory(struct reading *r, const char *line)
{
	const char *at = line + strspn(line, SPACE);
	size_t length = strcspn(at, SPACE ":");
	struct number address, word;
	bool any = false;

	if (at[length] != ':' || !take_number(at, length, &address) || address.digits < 3)
		return false;
	at += length + 1;
	for (uint64_t place = address.value;; place += word.digits > 8 ? 8 : 4) {
		at += strspn(at, SPACE ",");
		length = strcspn(at, SPACE ",");
		if (!take_number(at, length, &word) ||
		    (word.digits != 8 && word.digits != 16 && !word.prefixed))
			return any;
		add_word(r, place, (uint32_t)word.value);
		if (word.digits > 8)
			add_word(r, place + 4, (uint32_t)(word.value >> 32));
		any = r->out->memory = true;
		at += length;
	}
}

/* Takes names with values. Between the two a debugger may print a size or an access: the first number with 0x
 * is the value, without one the first number. */
static void take_names(struct reading *r, const char *line)
{
	char name[LONGEST] = "";
	struct number value = {0}, number;
	size_t length;

	for (const char *at = line;; at += length) {
		at += strspn(at, BETWEEN);
		length = *at == '(' ? strcspn(at, ")") : strcspn(at, BETWEEN);
		bool done = length == 0;
		char word[LONGEST] = "";
		if (length < sizeof word)
			memcpy(word, at, length);
		bool is_name =
			word[0] != '\0' && !take_number(word, length, &number) && r->known(r->ctx, word);
		if ((is_name || done) && name[0] && value.digits)
			add(r, name, value.value);
		if (done)
			return;
		if (is_name) {
			memcpy(name, word, sizeof name);
			value = (struct number){0};
		} else if (take_number(at, length, &number) && !value.prefixed &&
			   (number.prefixed || !value.digits))
			value = number;
	}
}

int cli__dump_read(const struct cli__cli *cli, const char *path, cli__dump_known *known, const void *ctx,
		   struct cli__dump *out)
{
	struct reading r = {known, ctx, out};
	bool input = strcmp(path, "-") == 0;
	errno = 0;
	FILE *file = input ? stdin : fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	*out = (struct cli__dump){0};
	while (file && getline(&line, &room, file) >= 0)
		if (!take_memory(&r, line))
			take_names(&r, line);
	int error = errno;
	bool bad = file == NULL || ferror(file);
	free(line);
	if (file && !input)
		fclose(file);
	if (bad)
		cli__message(cli, "%s: %s", path, strerror(error));
	return bad ? CLI__EXIT_FAILURE : 0;
}

void cli__dump_free(struct cli__dump *dump)
{
	for (size_t i = 0; i < dump->n; i++)
		free(dump->word[i]);
	free(dump->word);
	*dump = (struct cli__dump){0};
}
