/* SPDX-License-Identifier: MIT */
/* Prints, of words drawn from each row of SVE's table, the registers that the classifier reads and writes:
 * WORD READS WRITES SETS_FLAGS. For sve_operands.sh. */
#include "isa/classify_rows.h"

#include <inttypes.h>
#include <stdio.h>

#define WORDS 60u /* of a row */

static uint32_t draw(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 16);
}

int main(void)
{
	const struct apmu_isa__rows *rows = &apmu_isa__rows_a64_sve;
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A64};
	struct apmu_insn insn;
	uint64_t seed = 1;

	for (size_t i = 0; i < rows->n; i++)
		for (unsigned k = 0; k < WORDS; k++) {
			uint32_t word = (draw(&seed) & ~rows->row[i].mask) | rows->row[i].bits;

			if (apmu_isa__classify(&stream, 0x10000, word, 4, &insn))
				printf("%08" PRIx32 " %" PRIx64 " %" PRIx64 " %d\n", word, insn.reads,
				       insn.writes, !!(insn.flags & APMU_INSN_SETS_FLAGS));
		}
	return 0;
}
