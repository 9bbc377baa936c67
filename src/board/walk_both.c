/* SPDX-License-Identifier: MIT */
/* Two stages: the second translates what the first reads and where it leads. DDI0487 D8.2. */
#include "board/walk_internal.h"

/* Stage 1's memory: intermediate physical addresses. */
struct between {
	const struct apmu_board__walk_stage2 *two;
	const struct apmu_board__memory *physical;
	struct apmu_board__walked fault; /* of stage 2, that ended the walk */
};

/* A descriptor, which does not cross a page. */
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

/* What stage 1 says of memory that it does not translate. DDI0487 D8.2.10. */
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
