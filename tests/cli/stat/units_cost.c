/* SPDX-License-Identifier: MIT */
/* A program of loads, stores and branches through a machine for some events of a core: what its host executes
 * is what the events cost (units_cost.sh). usage: units_cost CORE STEPS EVENT... */
#include <apmu/core.h>
#include <apmu/uarch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 32, LENGTH = 8 };

static uint64_t state = 1;

static uint64_t draw(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

static struct apmu_insn insn_at(unsigned k, unsigned i)
{
	static const uint8_t cls[LENGTH] = {APMU_CLASS_LOAD, APMU_CLASS_ALU,   APMU_CLASS_STORE,
					    APMU_CLASS_MUL,  APMU_CLASS_LOAD,  APMU_CLASS_ALU,
					    APMU_CLASS_ALU,  APMU_CLASS_BRANCH};
	struct apmu_insn x = {.addr = 0x10000 + 4 * (k * LENGTH + i), .size = 4, .cls = cls[i], .width = 4};

	x.reads = 1ull << (i + 1);
	x.writes = 1ull << i;
	if (i + 1 == LENGTH) {
		x.branch = APMU_BRANCH_IMMED;
		x.flags = APMU_INSN_CONDITIONAL;
		x.target = 0x10000;
		x.writes = 0;
	}
	return x;
}

static void run(struct apmu_uarch *u, struct apmu_block *const *block, unsigned steps, bool accesses)
{
	for (unsigned k = 0; steps--; k = draw(4) && k + 1 < BLOCKS ? k + 1 : 0) {
		apmu_uarch_enter(u, block[k]);
		for (unsigned i = 0; accesses && i < LENGTH; i++) {
			uint64_t addr = 0x100000 + 4 * draw(draw(8) ? 1024 : 65536);
			struct apmu_access_site spot;
			apmu_block_access_site(block[k], i, 4, &spot);
			if (spot.unconditional)
				(i == 2 ? apmu_uarch_store : apmu_uarch_load)(u, &spot, addr);
		}
	}
}

int main(int argc, char **argv)
{
	const struct apmu_core *core = argc > 3 ? apmu_core_find(argv[1]) : NULL;
	const struct apmu_uarch_params *params = core ? apmu_uarch_find(core->uarch) : NULL;
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
	struct apmu_block *block[BLOCKS];
	struct apmu_tally tally = {0};
	int found = 0;

	if (!params)
		return 2;
	for (size_t e = 0; e < core->events; e++) {
		const struct apmu_event *event = apmu_event_at(core, e);
		for (int a = 3; a < argc; a++) {
			if (strcmp(argv[a], event->name) != 0)
				continue;
			found++;
			for (unsigned s = 0; s < event->signals; s++)
				apmu_signal_add(wanted, event->signal[s]);
		}
	}
	if (found != argc - 3)
		return 2;
	struct apmu_uarch *u = apmu_uarch_new(params, &tally, wanted);
	for (unsigned k = 0; k < BLOCKS; k++) {
		struct apmu_insn insn[LENGTH];
		for (unsigned i = 0; i < LENGTH; i++)
			insn[i] = insn_at(k, i);
		block[k] = apmu_block_new_for(params, wanted, insn, LENGTH);
	}
	apmu_uarch_precount(u);
	run(u, block, (unsigned)atoi(argv[2]), apmu_uarch_needs_accesses(wanted));
	for (unsigned k = 0; k < BLOCKS; k++)
		apmu_block_free(block[k]);
	apmu_uarch_free(u);
	return 0;
}
