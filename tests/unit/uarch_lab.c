/* SPDX-License-Identifier: MIT */
#include "uarch_lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void lab_open(struct lab *l, const char *core)
{
	const struct apmu_uarch_params *row = apmu_uarch_find(core);
	*l = (struct lab){0};
	assert_non_null(row);
	l->p = *row;
	memset(l->wanted, 0xFF, sizeof(l->wanted));
}

void lab_set(struct lab *l, const char *key, const char *value)
{
	assert_int_equal(apmu_uarch_set(&l->p, key, value), APMU_OK);
}

unsigned lab_steps(unsigned steps)
{
	return getenv("APMU_STEPS") ? steps / 8 : steps;
}

static void start(struct lab *l)
{
	assert_null(apmu_uarch_check(&l->p));
	l->u = apmu_uarch_new(&l->p, &l->t, l->wanted);
	assert_non_null(l->u);
}

void lab_start(struct lab *l)
{
	memset(l->wanted, 0xFF, sizeof(l->wanted));
	start(l);
}

void lab_start_for(struct lab *l, unsigned signal)
{
	memset(l->wanted, 0, sizeof(l->wanted));
	apmu_signal_add(l->wanted, signal);
	start(l);
}

void lab_close(struct lab *l)
{
	apmu_uarch_free(l->u);
	for (unsigned i = 0; i < l->blocks; i++)
		apmu_block_free(l->block[i]);
}

struct apmu_block *lab_block(struct lab *l, uint64_t addr, const struct apmu_insn *insn, size_t n)
{
	struct apmu_insn *placed = malloc(n * sizeof(*placed));
	assert_non_null(placed);
	assert_true(l->blocks < LAB_BLOCKS);
	for (size_t i = 0; i < n; i++) {
		placed[i] = insn[i];
		placed[i].addr = addr + 4 * i;
		placed[i].size = 4;
	}
	struct apmu_block *b = apmu_block_new_for(&l->p, l->wanted, placed, n);
	free(placed);
	assert_non_null(b);
	return l->block[l->blocks++] = b;
}

uint64_t lab_count(const struct lab *l, unsigned signal)
{
	return l->t.n[signal];
}
