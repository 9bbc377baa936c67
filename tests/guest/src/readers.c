/* SPDX-License-Identifier: MIT */
/* One thread reads 512 KiB, once the first has read them all. An argument says how often both read them at
 * once; 0 is a program that only starts a thread. */
#include <pthread.h>
#include <stdlib.h>

#define WORDS (512u * 1024 / sizeof(unsigned))
#define LINE  (64 / sizeof(unsigned))

static volatile unsigned words[WORDS] = {1}; /* in the file: nobody writes them */

static void *read_all(void *times)
{
	unsigned sum = 0;

	for (unsigned turn = 0; turn < *(unsigned *)times; turn++)
		for (unsigned i = 0; i < WORDS; i += LINE)
			sum += words[i];
	return sum ? times : NULL;
}

int main(int argc, char **argv)
{
	unsigned times = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	pthread_t thread;

	if (argc == 1)
		read_all(&times);
	if (pthread_create(&thread, NULL, read_all, &times))
		return 1;
	if (argc > 1)
		read_all(&times);
	return pthread_join(thread, NULL);
}
