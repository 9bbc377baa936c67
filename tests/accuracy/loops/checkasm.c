/* SPDX-License-Identifier: MIT */
/*
 * Calls one assembly function of FFmpeg or dav1d as their own tests call it when they measure it.
 *
 *   checkasm TEST FUNCTION ROUNDS EMPTY: four calls in each round of a benchmark, then EMPTY rounds without
 *   calls; prints the number of benchmarks
 *   checkasm TEST: the names of the test's functions
 *
 * FUNCTION_i8mm is the function as it is for a processor that has FEAT_I8MM and FEAT_DotProd.
 *
 * A run with 2 N rounds less a run with N rounds and N empty ones leaves the function alone. Compile with
 * -DTESTS="TEST(vp9dsp) ...".
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long checkasm_rounds, checkasm_empty, checkasm_benches;
unsigned checkasm_rnd(void);
void *checkasm_check_func(void *func, const char *name, ...);
static char wanted[64];
static int found, has_i8mm;

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
	if (!*wanted)
		puts(text);
	if (!*wanted || found || strcmp(text, wanted))
		return NULL;
	found = 1;
	return func;
}

/* What the libraries ask for beside their functions: FFmpeg's processor with all features (but FEAT_DotProd
 * and FEAT_I8MM) and its log, dav1d's own look at the processor. */
int av_get_cpu_flags(void);
int av_get_cpu_flags(void)
{
	enum { DOTPROD = 1 << 8, I8MM = 1 << 9 };
	return has_i8mm ? -1 : ~(DOTPROD | I8MM);
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
	if (argc != 2 && argc != 5) {
		fprintf(stderr, "usage: %s TEST [FUNCTION ROUNDS EMPTY]\n", argv[0]);
		return 2;
	}
	if (argc == 5) {
		snprintf(wanted, sizeof(wanted), "%s", argv[2]);
		char *suffix = strstr(wanted, "_i8mm");
		if (suffix) {
			*suffix = 0;
			has_i8mm = 1;
		}
		checkasm_rounds = strtoul(argv[3], NULL, 10);
		checkasm_empty = strtoul(argv[4], NULL, 10);
	}
	if (dav1d_init_cpu)
		dav1d_init_cpu();
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (!strcmp(tests[i].name, argv[1]))
			tests[i].run();
	if (found)
		printf("%lu\n", checkasm_benches);
	else if (*wanted)
		fprintf(stderr, "%s: no function '%s' in test '%s'\n", argv[0], wanted, argv[1]);
	return *wanted && !found;
}
