/* SPDX-License-Identifier: MIT */
/* forks names|handlers N: a thread names threads, or sets handlers, all the time while the main thread forks
 * N children, each of which sets a handler. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool stop;

static void ignore(int number)
{
	(void)number;
}

/* Thread 999999 does not exist. */
static void *name(void *arg)
{
	while (!stop)
		if (open("/proc/self/task/999999/comm", O_WRONLY) < 0 && write(-1, "name", 4) >= 0)
			abort();
	return arg;
}

static void *handle(void *arg)
{
	while (!stop)
		signal(SIGUSR1, ignore);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 3 || pthread_create(&thread, NULL, strcmp(argv[1], "names") == 0 ? name : handle, NULL))
		return 1;
	for (int i = 0; i < atoi(argv[2]); i++) {
		pid_t child = fork();
		if (child == 0) {
			signal(SIGUSR2, ignore);
			_exit(0);
		}
		if (child < 0 || waitpid(child, NULL, 0) != child)
			return 1;
	}
	stop = 1;
	return pthread_join(thread, NULL);
}
