/* SPDX-License-Identifier: MIT */
/* The GIC's decisions: what is pending, which interrupt is best, if it may be signalled, what an acknowledge
 * and an end of interrupt do. IHI0048B chapter 3, IHI0069 chapter 4. */
#include "board/gic_internal.h"

#include <string.h>

#define SGIS_EDGE 0xFFFFu

static void reset(void *state)
{
	struct apmu_board__gic *gic = state;
	uint32_t input[APMU_BOARD__GIC_WORDS];
	uint8_t version = gic->version;

	memcpy(input, gic->input, sizeof(input));
	memset(gic, 0, sizeof(*gic));
	memcpy(gic->input, input, sizeof(input));
	gic->version = version;
	gic->edge[0] = SGIS_EDGE;
	gic->asleep = version == 3;
	gic->bpr[0] = APMU_BOARD__GIC_BPR_LEAST;
	gic->bpr[1] = APMU_BOARD__GIC_BPR_LEAST + 1;
	apmu_board__gic_virtual_reset(gic);
}

void apmu_board__gic_init(struct apmu_board__gic *gic, unsigned version)
{
	memset(gic, 0, sizeof(*gic));
	gic->version = (uint8_t)version;
	reset(gic);
}

uint32_t apmu_board__gic_pending(const struct apmu_board__gic *gic, unsigned word)
{
	uint32_t input = gic->input[word];

	if (word == 0 && apmu_board__gic_maintains(gic))
		input |= 1u << APMU_BOARD__INTID_MAINTENANCE;
	return gic->latched[word] | (input & ~gic->edge[word]);
}

/* True if an SPI is routed to this core, whose affinity is 0.0.0.0. Bit 31 (IRM): to any core. */
static bool routed_here(const struct apmu_board__gic *gic, unsigned intid)
{
	uint64_t route = gic->route[intid];

	return gic->version != 3 || intid < 32 || apmu_base__is_set(route, 31) || route == 0;
}

static bool eligible(const struct apmu_board__gic *gic, unsigned intid)
{
	unsigned group = apmu_board__gic_group(gic, intid);

	return apmu_base__is_set(gic->ctlr & gic->group_enable, group) && routed_here(gic, intid);
}

unsigned apmu_board__gic_best(const struct apmu_board__gic *gic)
{
	unsigned best = APMU_BOARD__INTID_SPURIOUS, priority = APMU_BOARD__GIC_IDLE_PRIORITY;

	if (gic->asleep)
		return best;
	for (unsigned w = 0; w < APMU_BOARD__GIC_WORDS; w++) {
		uint32_t left = apmu_board__gic_pending(gic, w) & gic->enabled[w] & ~gic->active[w];

		for (; left; left &= left - 1) {
			unsigned intid = w * 32 + apmu_base__lowest(left);

			if (gic->priority[intid] >= priority || !eligible(gic, intid))
				continue;
			best = intid;
			priority = gic->priority[intid];
		}
	}
	return best;
}

/* Mask of the group priority: bits 7:bpr+1 for Group 0. Group 1 has its own binary point, counted one further
 * (table 3-2 of IHI0048B, 4.8.2 of IHI0069), unless CBPR joins them. */
static uint32_t group_mask(const struct apmu_board__gic *gic, unsigned group)
{
	uint32_t common = gic->version == 3 ? APMU_BOARD__GIC_CTLR_CBPR_V3 : APMU_BOARD__GIC_CTLR_CBPR_V2;
	unsigned point = gic->bpr[0];

	if (group == 1 && !(gic->cpu_ctlr & common))
		point = gic->bpr[1] - 1u;
	return ~(uint32_t)apmu_base__ones(point + 1) & 0xFF;
}

unsigned apmu_board__gic_running(const struct apmu_board__gic *gic)
{
	uint32_t active = gic->running[0] | gic->running[1];

	return active ? apmu_base__lowest(active) << 3 : APMU_BOARD__GIC_IDLE_PRIORITY;
}

bool apmu_board__gic_preempts(const struct apmu_board__gic *gic, unsigned intid)
{
	if (intid >= APMU_BOARD__GIC_INTIDS || gic->priority[intid] >= gic->pmr)
		return false;
	uint32_t mask = group_mask(gic, apmu_board__gic_group(gic, intid));
	unsigned running = apmu_board__gic_running(gic);

	return running == APMU_BOARD__GIC_IDLE_PRIORITY || (gic->priority[intid] & mask) < (running & mask);
}

unsigned apmu_board__gic_acknowledge(struct apmu_board__gic *gic, unsigned intid)
{
	unsigned group = apmu_board__gic_group(gic, intid);
	uint32_t priority = gic->priority[intid] & group_mask(gic, group);

	gic->running[group] |= (uint32_t)apmu_base__bit(priority >> 3);
	apmu_board__gic_set(gic->active, intid, true);
	apmu_board__gic_set(gic->latched, intid, false);
	return intid;
}

void apmu_board__gic_drop(struct apmu_board__gic *gic, unsigned group)
{
	gic->running[group] &= gic->running[group] - 1;
}

/* Drops the running priority, whatever its group: version 2 has one EOI for both. */
void apmu_board__gic_drop_any(struct apmu_board__gic *gic)
{
	unsigned running = apmu_board__gic_running(gic);

	if (running == APMU_BOARD__GIC_IDLE_PRIORITY)
		return;
	apmu_board__gic_drop(gic, apmu_base__is_set(gic->running[0], running >> 3) ? 0 : 1);
}

void apmu_board__gic_deactivate(struct apmu_board__gic *gic, unsigned intid)
{
	if (intid < APMU_BOARD__GIC_INTIDS)
		apmu_board__gic_set(gic->active, intid, false);
}

void apmu_board__gic_sgi(struct apmu_board__gic *gic, unsigned intid)
{
	apmu_board__gic_set(gic->latched, intid & 0xF, true);
}

static void input(void *state, unsigned line, bool up)
{
	struct apmu_board__gic *gic = state;

	if (line < 16 || line >= APMU_BOARD__GIC_INTIDS)
		return;
	if (up && !apmu_board__gic_bit(gic->input, line) && apmu_board__gic_bit(gic->edge, line))
		apmu_board__gic_set(gic->latched, line, true);
	apmu_board__gic_set(gic->input, line, up);
}

static uint32_t physical_lines(const struct apmu_board__gic *gic)
{
	unsigned best = apmu_board__gic_best(gic);

	if (!apmu_board__gic_preempts(gic, best))
		return 0;
	bool fiq = apmu_board__gic_group(gic, best) == 0 &&
		   (gic->version == 3 || gic->cpu_ctlr & APMU_BOARD__GIC_CTLR_FIQEN);
	return fiq ? 2 : 1;
}

static uint32_t lines(const void *state)
{
	return physical_lines(state) | apmu_board__gic_virtual_lines(state) << 2;
}

static uint64_t read(void *state, uint32_t offset, unsigned size)
{
	struct apmu_board__gic *gic = state;

	if (offset >= APMU_BOARD__GIC_REDIST_BIAS)
		return apmu_board__gic_redist_read(gic, offset - APMU_BOARD__GIC_REDIST_BIAS, size);
	if (offset >= APMU_BOARD__GIC_CPU_BIAS)
		return size == 4 ? apmu_board__gic_cpu_read(gic, offset - APMU_BOARD__GIC_CPU_BIAS) : 0;
	return apmu_board__gic_dist_read(gic, offset, size);
}

static void write(void *state, uint32_t offset, uint64_t value, unsigned size)
{
	struct apmu_board__gic *gic = state;

	if (offset >= APMU_BOARD__GIC_REDIST_BIAS)
		apmu_board__gic_redist_write(gic, offset - APMU_BOARD__GIC_REDIST_BIAS, value, size);
	else if (offset < APMU_BOARD__GIC_CPU_BIAS)
		apmu_board__gic_dist_write(gic, offset, value, size);
	else if (size == 4)
		apmu_board__gic_cpu_write(gic, offset - APMU_BOARD__GIC_CPU_BIAS, (uint32_t)value);
}

const struct apmu_board__device_ops apmu_board__gic_ops = {
	.name = "GIC",
	.wide = true,
	.reset = reset,
	.read = read,
	.write = write,
	.input = input,
	.lines = lines,
};
