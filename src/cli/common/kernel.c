/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* realpath */
#include "cli/common/kernel.h"

#include "profile/write.h"
#include "qemu/run.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct symbol__symbols_options names_only = {.no_lines = true};

static bool has_code(const struct symbol__symbols_about *about)
{
	for (uint32_t i = 0; i < about->segments; i++)
		if (about->segment[i].executable && about->segment[i].size != 0)
			return true;
	return false;
}

int cli__kernel_check(const struct cli__cli *cli, const char *path)
{
	struct symbol__symbols *symbols;
	char text[512];

	if (symbol__symbols_open(path, &names_only, &symbols, text, sizeof text) != 0) {
		cli__message(
			cli,
			"--kernel-symbols: %s; the file must be an ELF file or have lines of ADDRESS TYPE NAME, like System.map",
			text);
		return CLI__EXIT_FAILURE;
	}
	const struct symbol__symbols_about *about = symbol__symbols_about(symbols);
	bool good = about->has_names && has_code(about);
	symbol__symbols_close(symbols);
	if (good)
		return 0;
	cli__message(
		cli,
		"--kernel-symbols: %s has no symbols of code (/proc/kallsyms shows addresses to root only, with kernel.kptr_restrict=0)",
		path);
	return CLI__EXIT_FAILURE;
}

const char *cli__kernel_of(char *const *argv)
{
	struct symbol__symbols *symbols;
	const char *path = NULL;
	char text[512];

	for (size_t i = 1; argv[i] != NULL && argv[i + 1] != NULL; i++)
		if (strcmp(argv[i], "-kernel") == 0 || strcmp(argv[i], "--kernel") == 0)
			path = argv[i + 1];
	if (path == NULL || symbol__symbols_open(path, &names_only, &symbols, text, sizeof text) != 0)
		return NULL;
	const struct symbol__symbols_about *about = symbol__symbols_about(symbols);
	bool good = about->machine != 0 && about->has_names && has_code(about);
	symbol__symbols_close(symbols);
	return good ? path : NULL;
}

int cli__kernel_maps(int fd, const char *path)
{
	struct symbol__symbols *symbols;
	char text[512], whole[PATH_MAX];
	int bad = symbol__symbols_open(path, &names_only, &symbols, text, sizeof text);

	if (bad != 0)
		return bad;
	const struct symbol__symbols_about *about = symbol__symbols_about(symbols);
	for (uint32_t i = 0; i < about->segments && bad == 0; i++) {
		const struct symbol__segment *s = &about->segment[i];
		struct profile__map map = {.pid = APMU_QEMU__SYSTEM_PID,
					   .start = s->address,
					   .end = s->address + s->size,
					   .offset = s->offset,
					   .path = realpath(path, whole) ? whole : path};
		if (!s->executable || s->size == 0)
			continue;
		if (about->build_id_size <= sizeof map.build_id) {
			map.build_id_size = (uint8_t)about->build_id_size;
			memcpy(map.build_id, about->build_id, about->build_id_size);
		}
		bad = profile__map(fd, &map);
	}
	symbol__symbols_close(symbols);
	return bad;
}
