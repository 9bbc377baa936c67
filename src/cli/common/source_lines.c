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
	char *text = cli__zalloc((size_t)about.st_size + 1, 1);
	*size = fread(text, 1, (size_t)about.st_size, file);
	text[*size] = '\0';
	fclose(file);
	return text;
}

static void cut(struct cli__source_file *file, size_t size)
{
	char *at = file->text;
	char *end = file->text + size;

	while (at < end) {
		char *stop = memchr(at, '\n', (size_t)(end - at));
		file->line = cli__grow(file->line, file->lines, sizeof *file->line);
		file->line[file->lines++] = at;
		if (stop == NULL)
			break;
		*stop = '\0';
		if (stop > at && stop[-1] == '\r')
			stop[-1] = '\0';
		at = stop + 1;
	}
}

const struct cli__source_file *cli__source_open(struct cli__sources *sources, const char *path)
{
	size_t size = 0;

	for (size_t i = 0; i < sources->files; i++)
		if (strcmp(sources->file[i].path, path) == 0)
			return &sources->file[i];
	sources->file = cli__grow(sources->file, sources->files, sizeof *sources->file);
	struct cli__source_file *file = &sources->file[sources->files++];
	*file = (struct cli__source_file){.path = cli__copy(path), .text = read_whole(path, &size)};
	if (file->text)
		cut(file, size);
	return file;
}

const char *cli__source_line(struct cli__sources *sources, const char *path, uint32_t line)
{
	if (path == NULL || line == 0)
		return NULL;
	const struct cli__source_file *file = cli__source_open(sources, path);
	return line <= file->lines ? file->line[line - 1] : NULL;
}

void cli__sources_free(struct cli__sources *sources)
{
	for (size_t i = 0; i < sources->files; i++) {
		free(sources->file[i].path);
		free(sources->file[i].text);
		free(sources->file[i].line);
	}
	free(sources->file);
	*sources = (struct cli__sources){0};
}
