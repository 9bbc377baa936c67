/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli/common/file_kind.h"

#include "profile/format.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOKED_AT = 256 };

static const struct {
	const char *begin;  /* of the file */
	const char *within; /* also among the bytes looked at; NULL: nothing */
	const char *what;
} kinds[] = {
	[CLI__FILE_RECORDING] = {PROFILE__MAGIC, NULL,
				 "a recording of 'apmu record', which 'apmu report' and 'apmu diff' read"},
	[CLI__FILE_PERF_RECORDING] = {"PERFILE2", NULL, "a recording of perf, which 'perf report' reads"},
	[CLI__FILE_PROGRAM] = {"\177ELF", NULL, "a program"},
	[CLI__FILE_STAT] = {"{", "\"apmu-stat/",
			    "output of 'apmu stat -j', which 'apmu diff' and 'apmu compare' read"},
	[CLI__FILE_PROFILE_JSON] = {"{", "\"apmu-profile/", "output of 'apmu export json'"},
	[CLI__FILE_SWEEP] = {"{", "\"apmu-sweep/", "results of 'apmu sweep'"},
	[CLI__FILE_BENCH] = {"{", "\"apmu-bench/", "rows that 'apmu bench --save' kept"},
	[CLI__FILE_PERF_STAT] = {"{", "\"counter-value\"",
				 "output of 'perf stat -j', which 'apmu compare' reads"},
};

static size_t read_begin(const char *path, char begin[LOOKED_AT + 1])
{
	struct stat about;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got =
		fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? read(fd, begin, LOOKED_AT) : 0;

	if (fd >= 0)
		close(fd);
	begin[got > 0 ? got : 0] = '\0';
	return got > 0 ? (size_t)got : 0;
}

enum cli__file_kind cli__file_kind(const char *path)
{
	char begin[LOOKED_AT + 1];
	size_t got = read_begin(path, begin);

	for (size_t i = 1; i < sizeof kinds / sizeof kinds[0]; i++) {
		size_t length = strlen(kinds[i].begin);
		bool same = got >= length && memcmp(begin, kinds[i].begin, length) == 0;
		if (same && (kinds[i].within == NULL || strstr(begin, kinds[i].within) != NULL))
			return (enum cli__file_kind)i;
	}
	return CLI__FILE_UNKNOWN;
}

const char *cli__file_kind_text(enum cli__file_kind kind)
{
	return kind != CLI__FILE_UNKNOWN ? kinds[kind].what : "";
}
