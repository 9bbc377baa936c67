/* SPDX-License-Identifier: MIT */
#include "cli/common/source_lines.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 16 << 20 };

static char *read_whole(const char *path, size_t *size)
{
	struct stat about;

	if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > LARGEST)
		return NULL;
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return NULL;
	char *text = apmu__zalloc((size_t)about.st_size + 1, 1);
	*size = fread(text, 1, (size_t)about.st_size, file);
	text[*size] = '\0';
	fclose(file);
	return text;
}

static void cut(struct apmu__source_file *file, size_t size)
{
	char *at = file->text;
	char *end = file->text + size;

	while (at < end) {
		char *stop = memchr(at, '\n', (size_t)(end - at));
		file->line = apmu__grow(file->line, file->lines, sizeof *file->line);
		file->line[file->lines++] = at;
		if (stop == NULL)
			break;
		*stop = '\0';
		if (stop > at && stop[-1] == '\r')
			stop[-1] = '\0';
		at = stop + 1;
	}
}

const struct apmu__source_file *apmu__source_open(struct apmu__sources *sources, const char *path)
{
	size_t size = 0;

	for (size_t i = 0; i < sources->files; i++)
		if (strcmp(sources->file[i].path, path) == 0)
			return &sources->file[i];
	sources->file = apmu__grow(sources->file, sources->files, sizeof *sources->file);
	struct apmu__source_file *file = &sources->file[sources->files++];
	*file = (struct apmu__source_file){.path = apmu__copy(path), .text = read_whole(path, &size)};
	if (file->text)
		cut(file, size);
	return file;
}

const char *apmu__source_line(struct apmu__sources *sources, const char *path, uint32_t line)
{
	if (path == NULL || line == 0)
		return NULL;
	const struct apmu__source_file *file = apmu__source_open(sources, path);
	return line <= file->lines ? file->line[line - 1] : NULL;
}

void apmu__sources_free(struct apmu__sources *sources)
{
	for (size_t i = 0; i < sources->files; i++) {
		free(sources->file[i].path);
		free(sources->file[i].text);
		free(sources->file[i].line);
	}
	free(sources->file);
	*sources = (struct apmu__sources){0};
}
