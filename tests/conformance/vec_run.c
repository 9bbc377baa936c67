/* SPDX-License-Identifier: MIT */
#include "vec.h"

#include <stdio.h>
#include <string.h>

static void on_line(void *ctx, enum apmu_line line, bool up)
{
	struct vec_bench *b = ctx;

	b->line_twice |= b->line[line] == up;
	b->line[line] = up;
}

static void on_note(void *ctx, enum apmu_note note, uint64_t detail)
{
	struct vec_bench *b = ctx;

	b->notes[note]++;
	b->detail[note] = detail;
}

void vec_power_on(struct vec_bench *b, const struct apmu_core *core, enum vec_way way)
{
	struct apmu_lines lines = {.line = on_line, .note = on_note, .ctx = b};

	memset(b, 0, sizeof *b);
	b->way = way;
	b->mode = vec_observer(core);
	apmu_init(&b->pmu, core, &b->tally, lines);
	apmu_enter(&b->pmu, b->mode);
	b->in = b->pmu.s.in;
}

static bool look_at_all(struct vec_bench *b, const char *words)
{
	char word[VEC_LINE];

	vec_settle(b);
	while (vec_word(&words, word, sizeof word))
		if (strcmp(word, ";") && !vec_look(b, word))
			return false;
	return true;
}

bool vec_run(const struct vec *v, const struct apmu_core *core, enum vec_way way, char why[VEC_WHY])
{
	struct vec_bench b;

	vec_power_on(&b, core, way);
	bool ok = vec_do(&b, v->setup) && vec_do(&b, v->happens) && look_at_all(&b, v->expect);
	snprintf(why, VEC_WHY, "%.200s%s", b.why, !ok && way == VEC_SNAPSHOTS ? " (with snapshots)" : "");
	return ok;
}
