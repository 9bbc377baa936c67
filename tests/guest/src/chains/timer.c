/* SPDX-License-Identifier: MIT */
/* Calls, some by pointer, and returns, which a timer's signal interrupts where it likes. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#define PLAIN __attribute__((noinline, noclone))

static volatile long signals, sum;

PLAIN void in_handler(void)
{
	for (volatile int i = 0; i < 50; i++)
		;
	signals++;
}

static void handler(int number)
{
	(void)number;
	in_handler();
}

PLAIN int leaf(int a)
{
	sum += a;
	return a + 1;
}

PLAIN int middle(int (*f)(int), int a)
{
	int r = f(a);

	sum ^= r;
	return r + f(r);
}

PLAIN int recurse(int depth, int a)
{
	if (depth == 0)
		return middle(leaf, a);
	int r = recurse(depth - 1, a + 1);
	sum += r;
	return r;
}

int main(void)
{
	struct itimerval timer = {{0, 200}, {0, 200}};

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (int i = 0; i < 1000000; i++)
		recurse(i % 5, i);
	printf("%ld\n", signals);
	return 0;
}
