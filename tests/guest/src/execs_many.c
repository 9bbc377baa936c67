/* SPDX-License-Identifier: MIT */
/* COUNT LENGTH: executes itself with so many arguments and with 15 variables of so many bytes, and prints how
 * many arguments came, or E2BIG. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc != 3 || argv[1][0] == 'x')
		return printf("%d\n", argc - 1) < 0;
	size_t words = strtoul(argv[1], NULL, 10), length = strtoul(argv[2], NULL, 10);
	char **word = calloc(words + 2, sizeof *word), *text = calloc(length + 1, 1), *env[16] = {0};

	if (word == NULL || text == NULL)
		return 1;
	memset(text, 'x', length);
	word[0] = argv[0];
	for (size_t i = 0; i < words; i++)
		word[1 + i] = "x";
	for (size_t i = 0; i < 15; i++)
		env[i] = text;
	execve("/proc/self/exe", word, env);
	puts(errno == E2BIG ? "E2BIG" : strerror(errno));
	return 1;
}
