/* SPDX-License-Identifier: MIT */
/**
 * Can a file that a command reads break it? The first byte says what the rest is, the second how it is used:
 *
 *   0   a profile as it stands          report, annotate, diff, export in each format
 *   1   a profile whose checks are put right first, so that what is behind them is reached
 *   2   JSON                            diff, compare, beside itself and beside a good one
 *   3   a plan                          sweep -n
 *   4   a sweep's results               read back by a plan of one run, its table and its bars
 *   5   the parameters of a core           stat --uarch, no program is run
 *
 * Programs that a profile names are looked for as ever, in a child of their own (fuzz_symbol).
 */
#define _GNU_SOURCE /* memfd_create */
#include "cli/cli.h"
#include "cli/sweep/sweep.h"
#include "profile/format.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS = 8 };
enum { PROFILE, SEALED, JSON, PLAN, RESULTS, FIGURES, KINDS };

/* FILE is the input, GOOD a result of stat. */
static const char *const profile_command[][WORDS] = {
	{"report", "-i", "FILE"},
	{"report", "-i", "FILE", "--sort", "address,thread,level"},
	{"report", "-i", "FILE", "--children", "--sort", "file,line,object"},
	{"annotate", "-i", "FILE", "--percent-limit", "0"},
	{"diff", "FILE", "FILE"},
	{"export", "html", "-i", "FILE"},
	{"export", "folded", "-i", "FILE"},
	{"export", "callgrind", "-i", "FILE"},
	{"export", "pprof", "-i", "FILE"},
	{"export", "perf", "-i", "FILE"},
	{"export", "trace", "-i", "FILE"},
	{"export", "csv", "-i", "FILE"},
	{"export", "json", "-i", "FILE"},
	{"export", "openmetrics", "-i", "FILE"},
};
static const char *const json_command[][WORDS] = {
	{"diff", "FILE", "FILE"},       {"diff", "--fail-above", "2%", "--markdown", "GOOD", "FILE"},
	{"diff", "-j", "FILE", "GOOD"}, {"compare", "FILE", "GOOD"},
	{"compare", "GOOD", "FILE"},
};
static const char *const plan_command[] = {"sweep", "-n", "FILE", NULL};
static const char *const figures_command[] = {"stat", "-c",        "cortex-a53", "--uarch",
					      "FILE", "/bin/true", NULL};

static const char good[] =
	"{\"schema\":\"apmu-stat/1\",\"core\":\"cortex-a53\",\"program\":[\"./p\"],\"exit\":0,"
	"\"counters\":[{\"event\":\"cycles\",\"number\":null,\"name\":\"CYCLES\",\"value\":7}]}";

/* A file in memory, by the name of its descriptor. */
static int file_of(const void *bytes, size_t size, char *path, size_t room)
{
	int fd = memfd_create("input", 0);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, room, "/proc/self/fd/%d", fd);
	return fd;
}

/* Gives a profile the head that it should have, and each block its mark and its check. */
static void seal(uint8_t *at, size_t size)
{
	struct profile__file_head head = {
		.magic = PROFILE__MAGIC, .version = PROFILE__VERSION, .order = PROFILE__ORDER};
	struct profile__block_head block;

	if (size < sizeof head)
		return;
	head.check = profile__check(0, &head, offsetof(struct profile__file_head, check));
	memcpy(at, &head, sizeof head);
	for (size_t i = sizeof head; size - i > sizeof block; i += sizeof block + block.size) {
		memcpy(&block, at + i, sizeof block);
		block.magic = PROFILE__BLOCK_MAGIC;
		block.zero = 0;
		if (block.size > size - i - sizeof block)
			block.size = (uint32_t)(size - i - sizeof block);
		block.check = profile__check(0, &block, offsetof(struct profile__block_head, check));
		block.check = profile__check(block.check, at + i + sizeof block, block.size);
		memcpy(at + i, &block, sizeof block);
	}
}

static void run(const char *const *words, const char *file, const char *other, bool parse_only)
{
	static FILE *nowhere;
	char *argv[WORDS + 2] = {cli__copy("apmu")};
	char *mine[WORDS + 2]; /* the command may permute argv */
	int argc = 1, code;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	for (; argc <= WORDS && words[argc - 1]; argc++) {
		const char *word = words[argc - 1];
		argv[argc] = cli__copy(strcmp(word, "FILE") == 0   ? file
				       : strcmp(word, "GOOD") == 0 ? other
								   : word);
	}
	memcpy(mine, argv, sizeof mine);
	code = parse_only ? cli__parse_only(argc, argv, nowhere, nowhere)
			  : cli__cli(argc, argv, nowhere, nowhere);
	if (code < 0 || code > 3) /* 3: --fail-above */
		abort();
	for (int i = 0; i < argc; i++)
		free(mine[i]);
}

/* A plan of one run takes the results as its own. */
static void resume(const char *results)
{
	static const char plan[] = "program ./p\ncore cortex-a53\nevent cycles\nset l1d.size 16384\n";
	static FILE *nowhere;
	char path[64];
	int fd = file_of(plan, sizeof plan - 1, path, sizeof path);

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	struct cli__cli cli = {.out = nowhere, .err = nowhere, .command = "sweep"};
	struct cli__sweep sweep = {.jobs = 1};
	if (cli__sweep_plan(&cli, path, &sweep) != 0)
		abort();
	sweep.results = cli__copy(results);
	(void)cli__sweep_resume(&cli, &sweep);
	cli__sweep_table(&sweep, nowhere);
	cli__sweep_plot(&sweep, nowhere);
	cli__sweep_free(&sweep);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char file[64], other[64];

	if (size < 2)
		return 0;
	uint8_t kind = data[0] % KINDS, how = data[1];
	uint8_t *bytes = cli__zalloc(size, 1);
	memcpy(bytes, data + 2, size - 2);
	if (kind == SEALED)
		seal(bytes, size - 2);
	int fd = file_of(bytes, size - 2, file, sizeof file);
	int fd_good = file_of(good, sizeof good - 1, other, sizeof other);

	switch (kind) {
	case PROFILE:
	case SEALED:
		run(profile_command[how % (sizeof profile_command / sizeof *profile_command)], file, other,
		    false);
		break;
	case JSON:
		run(json_command[how % (sizeof json_command / sizeof *json_command)], file, other, false);
		break;
	case PLAN: run(plan_command, file, other, false); break;
	case RESULTS: resume(file); break;
	default: run(figures_command, file, other, true); break;
	}
	close(fd);
	close(fd_good);
	free(bytes);
	return 0;
}
