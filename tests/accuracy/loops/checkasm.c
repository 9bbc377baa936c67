/* SPDX-License-Identifier: MIT */
/*
 * Calls one assembly function of FFmpeg or dav1d as their own tests call it when they measure it.
 *
 *   checkasm TEST FUNCTION ROUNDS: four calls in each round
 *   checkasm TEST: the names of the test's functions
 *
 * A run with twice the rounds less a run with ROUNDS leaves the function alone. Compile with
 * -DTESTS="TEST(vp9dsp) ...".
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long checkasm_rounds;
unsigned checkasm_rnd(void);
void *checkasm_check_func(void *func, const char *name, ...);
static const char *wanted;
static int found;

/* Marsaglia's xorshift: the same data in each run. */
unsigned checkasm_rnd(void)
{
	static unsigned x = 1;
	x ^= x << 13;
	x ^= x >> 17;
	return x ^= x << 5;
}

void *checkasm_check_func(void *func, const char *name, ...)
{
	char text[256];
	va_list ap;
	va_start(ap, name);
	vsnprintf(text, sizeof(text), name, ap);
	va_end(ap);
	if (!wanted)
		puts(text);
	if (!wanted || found || strcmp(text, wanted))
		return NULL;
	found = 1;
	return func;
}

/* What the libraries ask for beside their functions: FFmpeg's processor with all features and its log,
 * dav1d's own look at the processor. */
int av_get_cpu_flags(void);
int av_get_cpu_flags(void)
{
	return -1;
}
void av_log(void *context, int level, const char *format, ...);
void av_log(void *context, int level, const char *format, ...)
{
	(void)context;
	(void)level;
	(void)format;
}
void dav1d_init_cpu(void) __attribute__((weak));

#define TEST(name) void checkasm_check_##name(void);
TESTS
#undef TEST
#define TEST(name) {#name, checkasm_check_##name},
static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {TESTS};

int main(int argc, char **argv)
{
	if (argc != 2 && argc != 4) {
		fprintf(stderr, "usage: %s TEST [FUNCTION ROUNDS]\n", argv[0]);
		return 2;
	}
	wanted = argv[2];
	checkasm_rounds = wanted ? strtoul(argv[3], NULL, 10) : 0;
	if (dav1d_init_cpu)
		dav1d_init_cpu();
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (!strcmp(tests[i].name, argv[1]))
			tests[i].run();
	if (wanted && !found)
		fprintf(stderr, "%s: no function '%s' in test '%s'\n", argv[0], wanted, argv[1]);
	return wanted && !found;
}
