/* SPDX-License-Identifier: MIT */
/* Runs many lives, and shrinks and prints one that fails. */
#include "life.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIMPLE_MAX 64u /* longest list, in operations, whose operations are simplified one by one */

static unsigned long long from_environment(const char *name, unsigned long long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

uint64_t life_seed(void)
{
	return from_environment("APMU_SEED", 1);
}

unsigned long life_steps(const struct subject *subject)
{
	unsigned long steps = subject->family->steps ? subject->family->steps : LIFE_STEPS;

	return (unsigned long)from_environment("APMU_STEPS", steps);
}

const struct subject *subject_of(const char *core)
{
	for (size_t i = 0; i < subjects_n; i++)
		if (strcmp(subjects[i].core, core) == 0)
			return &subjects[i];
	return NULL;
}

/* Runs the list; returns the length up to and including the operation that failed, or 0. */
static size_t fails_at(struct life *l, const struct subject *subject, const struct op *op, size_t n)
{
	life_start(l, subject, NULL);
	for (size_t i = 0; i < n; i++)
		if (!life_do(l, &op[i]))
			return i + 1;
	return 0;
}

/* Removes the `len` operations from `at` if the list still fails without them, if only by another claim. True
 * if it does. */
static bool drop(struct life *l, const struct subject *subject, struct op *op, size_t *n, size_t at,
		 size_t len)
{
	struct op *without = malloc(*n * sizeof *op);

	if (!without)
		return false;
	memcpy(without, op, at * sizeof *op);
	memcpy(without + at, op + at + len, (*n - at - len) * sizeof *op);
	size_t end = fails_at(l, subject, without, *n - len);
	if (end) {
		memcpy(op, without, end * sizeof *op);
		*n = end;
	}
	free(without);
	return end != 0;
}

/* Simplifies an operation in the way with number `way`; false if there is no such way. */
static bool simpler(struct op *op, unsigned way)
{
	if (op->kind == OP_MACHINE && way < sizeof op->machine) {
		((unsigned char *)&op->machine)[way] = 0;
		return true;
	}
	if (way < 64) {
		if (op->kind == OP_WRITE || op->kind == OP_CYCLES || op->kind == OP_ERRATA)
			op->value &= ~((uint64_t)1 << way);
		return true;
	}
	if (way < 64 + OP_SIGNALS) {
		unsigned i = way - 64;

		if (i < op->signals) {
			op->signals--;
			op->signal[i] = op->signal[op->signals];
			op->count[i] = op->count[op->signals];
		}
		return true;
	}
	return false;
}

static void simplify(struct life *l, const struct subject *subject, struct op *op, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		for (unsigned way = 0;; way++) {
			struct op before = op[i];

			if (!simpler(&op[i], way))
				break;
			if (memcmp(&before, &op[i], sizeof before) == 0)
				continue;
			size_t end = fails_at(l, subject, op, *n);
			if (end)
				*n = end;
			else
				op[i] = before;
			if (i >= *n)
				return;
		}
}

size_t shrink(struct life *l, const struct subject *subject, struct op *op, size_t n)
{
	size_t end = fails_at(l, subject, op, n), before;

	if (end == 0)
		return n;
	n = end;
	do {
		before = n;
		for (size_t len = n / 2; len > 0; len /= 2)
			for (size_t at = 0; at + len <= n;)
				if (!drop(l, subject, op, &n, at, len))
					at += len;
		if (n <= SIMPLE_MAX)
			simplify(l, subject, op, &n);
	} while (n < before);
	fails_at(l, subject, op, n);
	return n;
}

/* Prints the claim that failed and the shortest list that breaks it; returns the list's length. */
static size_t report(const struct subject *subject, struct op *op, size_t n, uint64_t seed,
		     unsigned long life)
{
	static struct life l;

	fails_at(&l, subject, op, n);
	printf("%s: life %lu of APMU_SEED=%llu broke at operation %zu: %s: %s\n", subject->core, life,
	       (unsigned long long)seed, n, l.broken, l.detail);
	n = shrink(&l, subject, op, n);
	printf("  the shortest list found, %zu operations after power on and entering Secure privileged "
	       "mode:\n",
	       n);
	for (size_t i = 0; i < n; i++) {
		printf("    %2zu. ", i + 1);
		op_print(&op[i]);
	}
	printf("  then: %s: %s\n", l.broken, l.detail);
	return n;
}

size_t lives_break(const struct subject *subject)
{
	static struct op op[LIFE_LENGTH];
	static struct life l;
	uint64_t seed = life_seed();
	unsigned long left = life_steps(subject);

	printf("%s: %lu operations, APMU_SEED=%llu\n", subject->core, left, (unsigned long long)seed);
	for (unsigned long life = 0; left > 0; life++) {
		size_t n = left < LIFE_LENGTH ? left : LIFE_LENGTH;
		struct rng r = {seed * 0x100000001B3 + life};

		for (size_t i = 0; i < n; i++)
			op_draw(&op[i], &r, subject);
		size_t end = fails_at(&l, subject, op, n);
		if (end)
			return report(subject, op, end, seed, life);
		left -= n;
	}
	return 0;
}
