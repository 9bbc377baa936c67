/* SPDX-License-Identifier: MIT */
/* A memory-mapped frame: another core's PMU, or a PMU without instructions for it (ARMV7SHEET 6, PMUV3SHEET
 * 1.3). Offsets are rows of a table; the 32-bit and the 64-bit programmers' model differ in little else. */
#include "driver/device.h"

#define PMCFGR    0xE00
#define PMLAR     0xFB0
#define PMLSR     0xFB4
#define PMDEVARCH 0xFBC
#define PMDEVTYPE 0xFCC
#define PMPIDR0   0xFE0
#define PMPIDR1   0xFE4

#define UNLOCK     0xC5ACCE55u
#define LOCK_THERE 0x1u
#define LOCK_SET   0x2u
#define PMU_TYPE   0x16u
#define ARCH_MASK  0xFFF0FFFFu /* without the revision */
#define ARCH_EXT32 0x47702A16u
#define ARCH_EXT64 0x47702A26u

#define TYPE_HIGH 0x600 /* from a 32-bit frame's type register to its upper word */

#define GROUPS_LSB 28 /* PMCFGR.NCG */
#define N_LSB      11 /* PMCR.N */

/* The offsets of a frame's registers. Strides in bytes. */
struct layout {
	uint16_t control, counter, cycles, instr, type, cycle_type, instr_type;
	uint8_t stride, type_stride, bits;
	bool halves; /* 64-bit counters are two words */
};

static const struct layout layouts[] = {
	[APMU_FRAME_V7] = {0xE04, 0x000, 0x07C, 0x000, 0x400, 0x47C, 0x000, 4, 4, 32, false},
	[APMU_FRAME_EXT32] = {0xE04, 0x000, 0x0F8, 0x100, 0x400, 0x47C, 0x480, 8, 4, 32, true},
	[APMU_FRAME_EXT64] = {0xE10, 0x000, 0x0F8, 0x100, 0x400, 0x4F8, 0x500, 8, 8, 64, false},
};

static int load(const struct apmu_mmio *mmio, uint32_t offset, unsigned bits, uint64_t *value)
{
	if (mmio->load)
		return mmio->load(mmio->bus, offset, bits, value);
	*value = bits == 64 ? *(const volatile uint64_t *)(mmio->base + offset)
			    : *(const volatile uint32_t *)(mmio->base + offset);
	return APMU_OK;
}

static int store(const struct apmu_mmio *mmio, uint32_t offset, unsigned bits, uint64_t value)
{
	if (mmio->store)
		return mmio->store(mmio->bus, offset, bits, value);
	if (bits == 64)
		*(volatile uint64_t *)(mmio->base + offset) = value;
	else
		*(volatile uint32_t *)(mmio->base + offset) = (uint32_t)value;
	return APMU_OK;
}

static uint32_t counter_at(const struct layout *at, unsigned n)
{
	return n == APMU_CYCLE_COUNTER   ? at->cycles
	       : n == APMU_INSTR_COUNTER ? at->instr
					 : at->counter + n * at->stride;
}

static uint32_t type_at(const struct layout *at, unsigned n)
{
	return n == APMU_CYCLE_COUNTER   ? at->cycle_type
	       : n == APMU_INSTR_COUNTER ? at->instr_type
					 : at->type + n * at->type_stride;
}

/* The offset of a register that has a bit per counter, the same in all frames; 0: it is another register. */
static uint32_t mask_at(enum apmu_dev_reg reg)
{
	switch (reg) {
	case APMU_DEV_ENABLE_SET: return 0xC00;
	case APMU_DEV_ENABLE_CLEAR: return 0xC20;
	case APMU_DEV_INTEN_SET: return 0xC40;
	case APMU_DEV_INTEN_CLEAR: return 0xC60;
	case APMU_DEV_FLAGS: return 0xC80;
	default: return 0;
	}
}

/* Reads the two words of a counter that may be counting. */
static int load_halves(const struct apmu_mmio *mmio, uint32_t offset, uint64_t *value)
{
	uint64_t high, again;
	int bad = load(mmio, offset + 4, 32, &high);

	do {
		again = high;
		if (!bad)
			bad = load(mmio, offset, 32, value);
		if (!bad)
			bad = load(mmio, offset + 4, 32, &high);
	} while (!bad && high != again);
	*value |= high << 32;
	return bad;
}

/* Event counters of the 32-bit model are used as 32-bit counters: one access instead of three. */
static int read_counter(const struct apmu_mmio *mmio, unsigned n, uint64_t *value)
{
	const struct layout *at = &layouts[mmio->frame];

	if (at->halves && n >= APMU_MAX_EVENT_COUNTERS)
		return load_halves(mmio, counter_at(at, n), value);
	return load(mmio, counter_at(at, n), at->bits, value);
}

static int write_counter(const struct apmu_mmio *mmio, unsigned n, uint64_t value)
{
	const struct layout *at = &layouts[mmio->frame];
	int bad = store(mmio, counter_at(at, n), at->bits, value);

	if (bad || !at->halves || n < APMU_MAX_EVENT_COUNTERS)
		return bad;
	return store(mmio, counter_at(at, n) + 4, 32, value >> 32);
}

/* The upper word of a type register: threshold and streaming filter. Where there is none, the frame may
 * answer with a bus error. */
static bool load_type_high(const struct apmu_mmio *mmio, unsigned n, uint64_t *value)
{
	const struct layout *at = &layouts[mmio->frame];

	return at->halves && load(mmio, type_at(at, n) + TYPE_HIGH, 32, value) == APMU_OK;
}

static int read_type(const struct apmu_mmio *mmio, unsigned n, uint64_t *value)
{
	const struct layout *at = &layouts[mmio->frame];
	uint64_t high = 0;
	int bad = load(mmio, type_at(at, n), at->bits, value);

	if (!bad && load_type_high(mmio, n, &high))
		*value |= high << 32;
	return bad;
}

static int write_type(const struct apmu_mmio *mmio, unsigned n, uint64_t value)
{
	const struct layout *at = &layouts[mmio->frame];
	uint64_t high = 0;
	int bad = store(mmio, type_at(at, n), at->bits, value);

	if (bad || !load_type_high(mmio, n, &high) || high == value >> 32)
		return bad;
	return store(mmio, type_at(at, n) + TYPE_HIGH, 32, value >> 32);
}

/* PMCR.N reads 0 in a frame, so it is taken from PMCFGR.N, which includes PMICNTR. */
static int read_control(const struct apmu_mmio *mmio, uint64_t *value)
{
	const struct layout *at = &layouts[mmio->frame];
	uint64_t config = 0;
	int bad = load(mmio, at->control, at->bits, value);

	if (!bad)
		bad = load(mmio, PMCFGR, 32, &config);
	*value = (*value & apmu_base__ones(N_LSB)) | ((config & 0xFF) - (config >> GROUPS_LSB ? 1 : 0))
							     << N_LSB;
	return bad;
}

static int read_events(const struct apmu_mmio *mmio, unsigned n, uint64_t *value)
{
	uint64_t high = 0;
	int bad = load(mmio, 0xE20 + 4 * n, 32, value);

	if (!bad && mmio->frame != APMU_FRAME_V7)
		bad = load(mmio, 0xE28 + 4 * n, 32, &high);
	*value |= high << 32;
	return bad;
}

static int read_lock(const struct apmu_mmio *mmio, uint64_t *value)
{
	int bad = mmio->frame == APMU_FRAME_EXT64 ? APMU_EOPNOTSUPP : load(mmio, PMLSR, 32, value);

	if (!bad && !(*value & LOCK_THERE))
		return APMU_EOPNOTSUPP;
	*value = bad ? 0 : (*value & LOCK_SET) != 0;
	return bad;
}

/* The part number of the PMU as a CoreSight component; it differs from the core's in MIDR. */
static int read_part(const struct apmu_mmio *mmio, uint64_t *value)
{
	uint64_t high = 0;
	int bad = load(mmio, PMPIDR0, 32, value);

	if (!bad)
		bad = load(mmio, PMPIDR1, 32, &high);
	*value = (*value & 0xFF) | (high & 0xF) << 8;
	return bad;
}

static int read_instr(const struct apmu_mmio *mmio, uint64_t *value)
{
	int bad = load(mmio, PMCFGR, 32, value);

	*value = bad ? 0 : *value >> GROUPS_LSB != 0;
	return bad;
}

/* Reads a register that has a bit per counter. In the 32-bit model that of PMICNTR is in an upper word, which
 * is there only with PMICNTR. */
static int read_mask(const struct apmu_mmio *mmio, uint32_t offset, uint64_t *value)
{
	const struct layout *at = &layouts[mmio->frame];
	uint64_t instr = 0, high = 0;
	int bad = load(mmio, offset, at->bits, value);

	if (!bad && at->halves)
		bad = read_instr(mmio, &instr);
	if (!bad && instr)
		bad = load(mmio, offset + 4, 32, &high);
	*value |= high << 32;
	return bad;
}

/* In these registers a 0 does nothing, so an upper word without a 1 is not written. */
static int write_mask(const struct apmu_mmio *mmio, uint32_t offset, uint64_t value)
{
	const struct layout *at = &layouts[mmio->frame];
	int bad = store(mmio, offset, at->bits, value);

	if (bad || !at->halves || !(value >> 32))
		return bad;
	return store(mmio, offset + 4, 32, value >> 32);
}

static int mmio_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	const struct apmu_mmio *mmio = ctx;

	switch (reg) {
	case APMU_DEV_CONTROL: return read_control(mmio, value);
	case APMU_DEV_COUNTER: return read_counter(mmio, n, value);
	case APMU_DEV_TYPE: return read_type(mmio, n, value);
	case APMU_DEV_CEID: return read_events(mmio, n, value);
	case APMU_DEV_MIDR: return read_part(mmio, value);
	case APMU_DEV_LOCK: return read_lock(mmio, value);
	case APMU_DEV_INSTR: return read_instr(mmio, value);
	default: return mask_at(reg) ? read_mask(mmio, mask_at(reg), value) : APMU_EOPNOTSUPP;
	}
}

static int mmio_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	const struct apmu_mmio *mmio = ctx;
	const struct layout *at = &layouts[mmio->frame];

	switch (reg) {
	case APMU_DEV_CONTROL: return store(mmio, at->control, at->bits, value);
	case APMU_DEV_COUNTER: return write_counter(mmio, n, value);
	case APMU_DEV_TYPE: return write_type(mmio, n, value);
	case APMU_DEV_LOCK: return store(mmio, PMLAR, 32, value ? 0 : UNLOCK);
	default: return mask_at(reg) ? write_mask(mmio, mask_at(reg), value) : APMU_EOPNOTSUPP;
	}
}

#define FRAME(which)                                                                           \
	.name = "mmio", .family = &apmu_family_ranged, .read = mmio_read, .write = mmio_write, \
	.traits = APMU_DEV_TRAIT_FRAME | (which)

const struct apmu_backend apmu_backend_mmio_v7 = {FRAME(0)};
const struct apmu_backend apmu_backend_mmio_ext32 = {FRAME(APMU_DEV_TRAIT_V8 | APMU_DEV_TRAIT_WIDE_CYCLE)};
const struct apmu_backend apmu_backend_mmio_ext64 = {
	FRAME(APMU_DEV_TRAIT_V8 | APMU_DEV_TRAIT_WIDE_CYCLE | APMU_DEV_TRAIT_WIDE)};

static const struct apmu_backend *const frames[] = {
	[APMU_FRAME_V7] = &apmu_backend_mmio_v7,
	[APMU_FRAME_EXT32] = &apmu_backend_mmio_ext32,
	[APMU_FRAME_EXT64] = &apmu_backend_mmio_ext64,
};

/* Finds the kind of frame from PMDEVARCH, which does not exist before Armv8. False if that names something
 * else. */
static bool frame_of(const struct apmu_mmio *mmio, enum apmu_frame *frame)
{
	uint64_t arch = 0;

	*frame = APMU_FRAME_V7;
	if (load(mmio, PMDEVARCH, 32, &arch) || !arch)
		return true;
	*frame = (arch & ARCH_MASK) == ARCH_EXT64 ? APMU_FRAME_EXT64 : APMU_FRAME_EXT32;
	return *frame == APMU_FRAME_EXT64 || (arch & ARCH_MASK) == ARCH_EXT32;
}

const struct apmu_backend *apmu_backend_of_frame(struct apmu_mmio *mmio, uint8_t *why)
{
	uint64_t type = 0;

	*why = APMU_WHY_BUS;
	if (load(mmio, PMDEVTYPE, 32, &type))
		return NULL;
	*why = APMU_WHY_NOT_A_PMU;
	if ((type & 0xFF) != PMU_TYPE || !frame_of(mmio, &mmio->frame))
		return NULL;
	*why = APMU_WHY_NOT;
	return frames[mmio->frame];
}
