/* SPDX-License-Identifier: MIT */
/**
 * Can a command line break the command? Bytes become its words, cut at zero bytes and drawn in part from the
 * words that it knows. It stops where a program would be started or a file written.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#define WORDS 24

static const char *const known[] = {
	"stat",
	"list",
	"decode",
	"help",
	"cores",
	"events",
	"registers",
	"metrics",
	"-c",
	"--core",
	"-e",
	"-M",
	"-j",
	"-x",
	"-o",
	"-r",
	"-I",
	"-L",
	"--as-hardware",
	"--per-thread",
	"--follow",
	"--set",
	"annotate",
	"diff",
	"export",
	"sweep",
	"top-down",
	"record",
	"report",
	"--fail-above",
	"2%",
	"--plot",
	"--context",
	"callgrind",
	"--limit",
	"--engine",
	"slurm",
	"-n",
	"--help",
	"--version",
	"--",
	"arm1136jf-s",
	"arm1156t2-s",
	"arm1176jzf-s",
	"xscale1",
	"xscale2",
	"pxa255",
	"cycles",
	"instructions",
	"branch-misses",
	"0x0b",
	"r0b",
	"{cycles,0x7}",
	"PMNC",
	"INTEN",
	"FLAG",
	"EVTSEL",
	"0x7f00001",
	"E=1",
	"/bin/true",
};

/* The next word: one byte from 0x80 up names a known one, else text up to a zero byte. */
static char *next_word(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *start = *at;
	size_t n = 0;
	char *word;

	if (*start >= 0x80) {
		(*at)++;
		return cli__copy(known[(*start - 0x80u) % (sizeof known / sizeof known[0])]);
	}
	while (start + n < end && start[n])
		n++;
	word = malloc(n + 1);
	memcpy(word, start, n);
	word[n] = '\0';
	*at = start + n < end ? start + n + 1 : end;
	return word;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *nowhere;
	char *argv[WORDS + 2] = {cli__copy("apmu")};
	char *mine[WORDS + 2]; /* the command may permute argv */
	const uint8_t *end = data + size;
	int argc = 1, code;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	while (data < end && argc <= WORDS)
		argv[argc++] = next_word(&data, end);
	memcpy(mine, argv, sizeof mine);
	code = cli__parse_only(argc, argv, nowhere, nowhere);
	if (code < 0 || code > CLI__EXIT_USAGE)
		abort();
	for (int i = 0; i < argc; i++)
		free(mine[i]);
	return 0;
}
