/* SPDX-License-Identifier: MIT */
/* What sampling must know of a block: made at translation, with its lock held. */
#include "plugin_record.h"

#include <stdlib.h>

/* What a machine takes each instruction's own part to be: all machines of a run alike. */
static struct apmu_uarch *scale(void)
{
	static struct apmu_uarch *u;
	static struct apmu_tally unused;

	if (!u)
		u = apmu_uarch_new(&apmu__plugin.uarch, &unused, apmu__plugin.wanted);
	return u;
}

static void weigh(struct apmu__tb *b, const struct apmu_uarch *u)
{
	const struct apmu__share_record *r = &apmu__plugin.record;
	uint64_t later = 0;

	for (uint32_t i = b->n; i-- > 0;) {
		struct apmu_tally own;
		apmu_uarch_ahead(u, b->block, i, &own);
		b->later[i] = (uint32_t)later;
		later += own.n[APMU_SIG_CYCLES];
		for (uint32_t e = 0; e < r->events; e++) {
			uint64_t sum = 0;
			for (uint32_t k = 0; k < r->event[e].signals; k++)
				sum += own.n[r->event[e].signal[k]];
			b->own[(size_t)e * b->n + i] = sum < UINT16_MAX ? (uint16_t)sum : 0;
		}
	}
}

static uint8_t turn_of(const struct apmu_insn *last)
{
	switch (last->branch) {
	case APMU_BRANCH_IMMED_LINK:
	case APMU_BRANCH_IMMED_X:
	case APMU_BRANCH_INDIRECT_LINK: return APMU__TURN_CALL;
	case APMU_BRANCH_RETURN: return APMU__TURN_RETURN;
	case APMU_BRANCH_INDIRECT:
	case APMU_BRANCH_LOAD_PC: return APMU__TURN_JUMP;
	default: return last->flags & APMU_INSN_KUSER ? APMU__TURN_RETURN : APMU__TURN_NONE;
	}
}

bool apmu__sampler_block(struct apmu__tb *b, const struct apmu_insn *insn)
{
	size_t n = b->n, own = apmu__plugin.record.events * n;
	const struct apmu_uarch *u = scale();
	uint32_t *extra = malloc(n * sizeof(uint32_t) + (n + own) * sizeof(uint16_t));

	if (!extra || !u) {
		free(extra);
		return false;
	}
	b->later = extra;
	b->offset = (uint16_t *)(extra + n);
	b->own = b->offset + n;
	for (uint32_t i = 0; i < n; i++)
		b->offset[i] = (uint16_t)(insn[i].addr - b->addr);
	b->turn = turn_of(&insn[n - 1]);
	weigh(b, u);
	return true;
}
