/* SPDX-License-Identifier: MIT */
/* Walks of two stages: stage 2 translates the addresses of stage 1's descriptors and stage 1's result.
 * DDI0487 D8.2. */
#include "board/walk_internal.h"

/* Memory that stage 1's walk reads, by intermediate physical addresses. */
struct between {
	const struct apmu_board__walk_stage2 *two;
	const struct apmu_board__memory *physical;
	struct apmu_board__walked fault; /* the fault of stage 2 that ended the walk */
};

/* Reads a descriptor, which does not cross a page. */
static bool read_descriptor(void *ctx, uint64_t address, void *to, size_t n)
{
	struct between *b = ctx;
	struct apmu_board__walk_how how = {.kind = APMU_BOARD__WALK_READ};
	struct apmu_board__walked at = apmu_board__walk_stage2(b->two, b->physical, address, how);

	if (!at.fault && b->two->protects_walk && at.memory >= APMU_MEMORY_DEVICE) {
		at.fault = APMU_BOARD__FAULT_PERMISSION;
		at.stage2 = true;
		at.physical = address;
	}
	b->fault = at;
	return !at.fault && b->physical->read(b->physical->ctx, at.physical, to, n);
}

/* Memory type by stage 1 of what it does not translate. DDI0487 D8.2.10. */
static uint8_t flat_memory(const struct apmu_board__walk_stage2 *two, uint8_t kind)
{
	return two->default_cacheable || kind == APMU_BOARD__WALK_FETCH ? APMU_MEMORY_CACHED
									: APMU_MEMORY_ORDERED;
}

static uint8_t weaker(uint8_t a, uint8_t b)
{
	return a > b ? a : b;
}

static struct apmu_board__walked both(const struct apmu_board__walk_stage2 *two,
				      const struct apmu_board__walked *one, struct apmu_board__walked result,
				      uint8_t kind)
{
	bool uncached = kind == APMU_BOARD__WALK_FETCH ? two->uncached_code : two->uncached_data;

	if (result.fault)
		return result;
	result.memory = weaker(result.memory, one->flat ? flat_memory(two, kind) : one->memory);
	result.memory = weaker(result.memory, uncached ? APMU_MEMORY_UNCACHED : APMU_MEMORY_CACHED);
	result.local = one->local;
	result.through = one->through;
	result.shareable = one->shareable;
	result.size = one->size < result.size ? one->size : result.size;
	result.level = one->level;
	return result;
}

struct apmu_board__walked apmu_board__walk_both(struct apmu_board__walk_stage1 one,
						const struct apmu_board__walk_stage2 *two,
						const struct apmu_board__memory *physical, uint64_t address,
						struct apmu_board__walk_how how)
{
	struct between b = {.two = two, .physical = physical};
	struct apmu_board__memory memory = {.read = read_descriptor, .ctx = &b};
	struct apmu_board__walked first =
		one.a64 ? apmu_board__walk_a64(one.a64, &memory, address, how)
			: apmu_board__walk_a32(one.a32, &memory, (uint32_t)address, how);

	if (b.fault.fault) {
		b.fault.on_walk = true;
		return b.fault;
	}
	if (first.fault)
		return first;
	return both(two, &first, apmu_board__walk_stage2(two, physical, first.physical, how), how.kind);
}
