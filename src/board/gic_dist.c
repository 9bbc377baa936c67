/* SPDX-License-Identifier: MIT */
/* Registers of the GIC's distributor and redistributor. Version 3 splits the banks: those of INTIDs 0 to 31
 * are in the redistributor, the rest in the distributor. */
#include "board/gic_internal.h"

#include <stddef.h>

enum {
	CTLR = 0x000,
	TYPER = 0x004,
	IIDR = 0x008,
	BANKS = 0x080, /* seven of 32 words each: enum bank */
	IPRIORITYR = 0x400,
	ITARGETSR = 0x800,
	ICFGR = 0xC00,
	SGIR = 0xF00,
	CPENDSGIR = 0xF10,
	SPENDSGIR = 0xF20,
	SPENDSGIR_END = 0xF30,
	ID_V2 = 0xFD0,
	IROUTER = 0x6000,
	ID_V3 = 0xFFD0,
	GICR_IIDR = 0x004,
	GICR_TYPER = 0x008,
	GICR_WAKER = 0x014,
	SGI_FRAME = 0x10000,
};

#define BANK_SIZE     0x80u
#define CTLR_ENABLES  3u
#define CTLR_ARE      0x10u
#define CTLR_DS       0x40u
#define IIDR_ARM      0x43Bu /* implementer Arm, product and revision 0 */
#define TYPER_LINES   (APMU_BOARD__GIC_WORDS - 1)
#define TYPER_IDBITS  (15u << 19) /* 16 bits of INTID */
#define TYPER_NO1N    (1u << 25)
#define WAKER_SLEEP   2u
#define WAKER_ASLEEP  4u
#define GICR_LAST     0x10u
#define SGIR_SELF     2u
#define ROUTE_WRITTEN 0xFF80FFFFFFull

/* PIDR4..7, PIDR0..3, CIDR0..3, in the order of their addresses. */
static const uint8_t id_v2[] = {4, 0, 0, 0, 0x90, 0xB4, 0x2B, 0, 0x0D, 0xF0, 0x05, 0xB1};
static const uint8_t id_v3[] = {0x44, 0, 0, 0, 0x92, 0xB4, 0x3B, 0, 0x0D, 0xF0, 0x05, 0xB1};

static uint32_t read_id(const struct apmu_board__gic *gic, uint32_t offset)
{
	uint32_t first = gic->version == 3 ? ID_V3 : ID_V2;

	if (offset < first || (offset - first) / 4 >= sizeof(id_v2))
		return 0;
	return gic->version == 3 ? id_v3[(offset - first) / 4] : id_v2[(offset - first) / 4];
}

enum bank {
	GROUP,
	ENABLE_SET,
	ENABLE_CLEAR,
	PENDING_SET,
	PENDING_CLEAR,
	ACTIVE_SET,
	ACTIVE_CLEAR,
	BANK_LAST
};

/* The INTIDs that a frame shows, in words of 32. Version 2: all. Version 3: word 0 in the redistributor, the
 * others in the distributor. */
struct frame {
	unsigned first, end;
};

static struct frame dist_frame(const struct apmu_board__gic *gic)
{
	return (struct frame){gic->version == 3 ? 1 : 0, APMU_BOARD__GIC_WORDS};
}

static const struct frame sgi_frame = {0, 1};

static bool shows(struct frame frame, unsigned intid)
{
	return intid / 32 >= frame.first && intid / 32 < frame.end;
}

static uint32_t read_bank(const struct apmu_board__gic *gic, enum bank bank, unsigned w)
{
	switch (bank) {
	case GROUP: return gic->group[w];
	case ENABLE_SET:
	case ENABLE_CLEAR: return gic->enabled[w];
	case PENDING_SET:
	case PENDING_CLEAR: return apmu_board__gic_pending(gic, w);
	case ACTIVE_SET:
	case ACTIVE_CLEAR: return gic->active[w];
	case BANK_LAST: break;
	}
	return 0;
}

static void write_bank(struct apmu_board__gic *gic, enum bank bank, unsigned w, uint32_t word)
{
	/* version 2: an SGI is made pending by GICD_SGIR and SPENDSGIR alone */
	uint32_t may_pend = gic->version == 2 && w == 0 ? ~0xFFFFu : ~0u;

	switch (bank) {
	case GROUP: gic->group[w] = word; break;
	case ENABLE_SET: gic->enabled[w] |= word; break;
	case ENABLE_CLEAR: gic->enabled[w] &= ~word; break;
	case PENDING_SET: gic->latched[w] |= word & may_pend; break;
	case PENDING_CLEAR: gic->latched[w] &= ~(word & may_pend); break;
	case ACTIVE_SET: gic->active[w] |= word; break;
	case ACTIVE_CLEAR: gic->active[w] &= ~word; break;
	case BANK_LAST: break;
	}
}

/* GICD_ICFGRn: two bits per INTID; the upper one says edge. */
static uint32_t read_config(const struct apmu_board__gic *gic, struct frame frame, unsigned n)
{
	uint32_t word = 0;

	for (unsigned i = 0; i < 16; i++)
		if (shows(frame, n * 16 + i) && apmu_board__gic_bit(gic->edge, n * 16 + i))
			word |= 2u << 2 * i;
	return word;
}

static void write_config(struct apmu_board__gic *gic, struct frame frame, unsigned n, uint32_t word)
{
	for (unsigned i = 0; n && i < 16; i++) /* SGIs are always edge-triggered */
		if (shows(frame, n * 16 + i))
			apmu_board__gic_set(gic->edge, n * 16 + i, word >> 2 * i & 2);
}

/* The registers that both frames have. */
static uint32_t read_shared(const struct apmu_board__gic *gic, struct frame frame, uint32_t offset)
{
	uint32_t bank = (offset - BANKS) / BANK_SIZE, w = offset % BANK_SIZE / 4;

	if (offset >= BANKS && bank < BANK_LAST)
		return w >= frame.first && w < frame.end ? read_bank(gic, (enum bank)bank, w) : 0;
	if (offset >= ICFGR && offset < ICFGR + APMU_BOARD__GIC_INTIDS / 4)
		return read_config(gic, frame, (offset - ICFGR) / 4);
	return 0;
}

static void write_shared(struct apmu_board__gic *gic, struct frame frame, uint32_t offset, uint32_t word)
{
	uint32_t bank = (offset - BANKS) / BANK_SIZE, w = offset % BANK_SIZE / 4;

	if (offset >= ICFGR && offset < ICFGR + APMU_BOARD__GIC_INTIDS / 4)
		write_config(gic, frame, (offset - ICFGR) / 4, word);
	else if (offset >= BANKS && bank < BANK_LAST && w >= frame.first && w < frame.end)
		write_bank(gic, (enum bank)bank, w, word);
}

/* Registers that may be accessed byte by byte: priorities, and the pending SGIs of version 2, whose bytes
 * hold a bit for each core that sent one. True: the byte is one of those. */
static bool read_byte(const struct apmu_board__gic *gic, struct frame frame, uint32_t offset, uint8_t *byte)
{
	if (offset >= IPRIORITYR && offset < ITARGETSR) {
		uint32_t intid = offset - IPRIORITYR;

		*byte = shows(frame, intid) ? gic->priority[intid] : 0;
		return true;
	}
	if (gic->version == 2 && offset >= CPENDSGIR && offset < SPENDSGIR_END) {
		*byte = apmu_board__gic_bit(gic->latched, (offset - CPENDSGIR) % 16);
		return true;
	}
	return false;
}

static bool write_byte(struct apmu_board__gic *gic, struct frame frame, uint32_t offset, uint8_t byte)
{
	if (offset >= IPRIORITYR && offset < ITARGETSR) {
		if (shows(frame, offset - IPRIORITYR))
			gic->priority[offset - IPRIORITYR] = byte & APMU_BOARD__GIC_PRIORITY_MASK;
		return true;
	}
	if (gic->version == 2 && offset >= CPENDSGIR && offset < SPENDSGIR_END) {
		if (byte & 1)
			apmu_board__gic_set(gic->latched, (offset - CPENDSGIR) % 16, offset >= SPENDSGIR);
		return true;
	}
	return false;
}

static uint32_t read_dist(const struct apmu_board__gic *gic, uint32_t offset)
{
	bool v3 = gic->version == 3;

	switch (offset) {
	case CTLR: return gic->ctlr | (v3 ? CTLR_ARE | CTLR_DS : 0);
	case TYPER: return TYPER_LINES | (v3 ? TYPER_IDBITS | TYPER_NO1N : 0);
	case IIDR: return IIDR_ARM;
	default: break;
	}
	if (offset >= (v3 ? (uint32_t)ID_V3 : (uint32_t)ID_V2))
		return read_id(gic, offset);
	return read_shared(gic, dist_frame(gic), offset);
}

/* GICD_SGIR: sends an SGI to a list of cores, to all others (there are none), or to the sender. */
static void send_sgi(struct apmu_board__gic *gic, uint32_t word)
{
	uint32_t filter = word >> 24 & 3;

	if (filter == SGIR_SELF || (filter == 0 && word >> 16 & 1))
		apmu_board__gic_sgi(gic, word & 0xF);
}

static void write_dist(struct apmu_board__gic *gic, uint32_t offset, uint32_t word)
{
	if (offset == CTLR)
		gic->ctlr = word & CTLR_ENABLES;
	else if (offset == SGIR && gic->version == 2)
		send_sgi(gic, word);
	else
		write_shared(gic, dist_frame(gic), offset, word);
}

/* GICD_IROUTERn of the SPIs: the only 64-bit registers of the distributor. NULL: none is there. */
static uint64_t *route_at(struct apmu_board__gic *gic, uint32_t offset)
{
	uint32_t intid = (offset - IROUTER) / 8;

	if (gic->version != 3 || offset < IROUTER || intid < 32 || intid >= APMU_BOARD__GIC_INTIDS)
		return NULL;
	return &gic->route[intid];
}

/* The redistributor: one 64 KiB frame of control registers, one of the registers of INTIDs 0 to 31. */
static uint32_t read_redist(const struct apmu_board__gic *gic, uint32_t offset)
{
	if (offset >= SGI_FRAME)
		return read_shared(gic, sgi_frame, offset - SGI_FRAME);
	switch (offset) {
	case GICR_IIDR: return IIDR_ARM;
	case GICR_TYPER: return GICR_LAST; /* the upper word is the core's affinity, 0 */
	case GICR_WAKER: return gic->asleep ? WAKER_SLEEP | WAKER_ASLEEP : 0;
	default: return read_id(gic, offset);
	}
}

static void write_redist(struct apmu_board__gic *gic, uint32_t offset, uint32_t word)
{
	if (offset == GICR_WAKER)
		gic->asleep = word & WAKER_SLEEP;
	else if (offset >= SGI_FRAME)
		write_shared(gic, sgi_frame, offset - SGI_FRAME, word);
}

/* Reads bytes where byte accesses are allowed, else whole words. */
static uint32_t read_word(const struct apmu_board__gic *gic, bool redist, uint32_t offset, unsigned size)
{
	struct frame frame = redist ? sgi_frame : dist_frame(gic);
	uint32_t in_frame = redist ? offset - SGI_FRAME : offset, word = 0;
	uint8_t byte = 0;

	if (!read_byte(gic, frame, in_frame, &byte))
		return size != 4 ? 0 : redist ? read_redist(gic, offset) : read_dist(gic, offset);
	for (unsigned i = 0; i < size; i++)
		if (read_byte(gic, frame, in_frame + i, &byte))
			word |= (uint32_t)byte << 8 * i;
	return word;
}

static void write_word(struct apmu_board__gic *gic, bool redist, uint32_t offset, uint32_t word,
		       unsigned size)
{
	struct frame frame = redist ? sgi_frame : dist_frame(gic);
	uint32_t in_frame = redist ? offset - SGI_FRAME : offset;

	if (write_byte(gic, frame, in_frame, (uint8_t)word)) {
		for (unsigned i = 1; i < size; i++)
			write_byte(gic, frame, in_frame + i, (uint8_t)(word >> 8 * i));
		return;
	}
	if (size == 4 && redist)
		write_redist(gic, offset, word);
	else if (size == 4)
		write_dist(gic, offset, word);
}

static uint64_t read_any(const struct apmu_board__gic *gic, bool redist, uint32_t offset, unsigned size)
{
	if (offset & (size - 1))
		return 0;
	if (size < 8)
		return read_word(gic, redist, offset, size);
	return read_word(gic, redist, offset, 4) | (uint64_t)read_word(gic, redist, offset + 4, 4) << 32;
}

static void write_any(struct apmu_board__gic *gic, bool redist, uint32_t offset, uint64_t value,
		      unsigned size)
{
	if (offset & (size - 1))
		return;
	write_word(gic, redist, offset, (uint32_t)value, size < 8 ? size : 4);
	if (size == 8)
		write_word(gic, redist, offset + 4, (uint32_t)(value >> 32), 4);
}

uint64_t apmu_board__gic_dist_read(struct apmu_board__gic *gic, uint32_t offset, unsigned size)
{
	const uint64_t *route = route_at(gic, offset);

	if (!route)
		return read_any(gic, false, offset, size);
	return size >= 4 && !(offset & (size - 1)) ? *route >> offset % 8 * 8 & apmu_base__ones(size * 8) : 0;
}

void apmu_board__gic_dist_write(struct apmu_board__gic *gic, uint32_t offset, uint64_t value, unsigned size)
{
	uint64_t *route = route_at(gic, offset);
	unsigned low = offset % 8 * 8;

	if (!route)
		write_any(gic, false, offset, value, size);
	else if (size >= 4 && !(offset & (size - 1)))
		*route = apmu_base__put(*route, low + size * 8 - 1, low, value) & ROUTE_WRITTEN;
}

uint64_t apmu_board__gic_redist_read(struct apmu_board__gic *gic, uint32_t offset, unsigned size)
{
	return gic->version == 3 ? read_any(gic, true, offset, size) : 0;
}

void apmu_board__gic_redist_write(struct apmu_board__gic *gic, uint32_t offset, uint64_t value, unsigned size)
{
	if (gic->version == 3)
		write_any(gic, true, offset, value, size);
}
