/* SPDX-License-Identifier: MIT */
/* Executes its first argument while another thread works. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic unsigned turns;

static void *spin(void *unused)
{
	(void)unused;
	for (;;)
		turns++;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t worker;

	(void)argc;
	if (pthread_create(&worker, NULL, spin, NULL) != 0)
		return 2;
	while (turns < 1000000)
		usleep(1000);
	execv(argv[1], argv + 1);
	return 3;
}
