/* SPDX-License-Identifier: MIT */
/**
 * A group: loads and stores of a block with no other access between them, whose addresses differ by
 * constants. One call reports all of them, by the address of one, the anchor. The units see the same accesses
 * in the same order as if each were reported by itself.
 */
#ifndef APMU_UARCH_ACCESS_GROUP_H
#define APMU_UARCH_ACCESS_GROUP_H

#include <apmu/uarch.h>

/* One instruction of a group: `accesses` consecutive accesses of site.size bytes. */
struct apmu_uarch__group_member {
	struct apmu_access_site site;
	int32_t offset;   /* of the first access, in bytes */
	uint8_t accesses; /* 1 to 32 */
	uint8_t unit; /* alignment in bytes, a power of two: its addresses are multiples of this where it is
			 aligned */
	bool store;
};

struct apmu_uarch__group {
	const struct apmu_uarch__group_member *member; /* in program order; offsets relative to the anchor */
	uint16_t members;
	uint32_t last;        /* index of the last member's instruction */
	int32_t low, high;    /* offsets of the lowest and the highest byte */
	int32_t stored[2];    /* offsets of the lowest and the highest byte stored */
	uint8_t align, phase; /* all members are aligned if the anchor's address & align == phase */
	bool stores;          /* there is a store */
	bool splits;          /* an access may span two lines: a register pair reported as one access */
	bool unconditional;   /* the accesses of all members are unconditional */
	/* [0] loads, [1] stores, of those not counted at block entry: instructions, registers */
	uint16_t instructions[2], registers[2];
};

/* Makes a group from members whose offsets have any common origin; they become relative to the first byte of
 * member[anchor]. Where one member is aligned, so are all of smaller units. */
void apmu_uarch__group_make(struct apmu_uarch__group *g, struct apmu_uarch__group_member *member,
			    unsigned members, unsigned anchor);

/* True if the machine accepts groups: of unconditional members, or (`unconditional` false) of any. Needs
 * apmu_uarch_precount(), and no store-to-load forwarding unless time is sampled: most groups then forward
 * nothing. */
bool apmu_uarch__takes_groups(const struct apmu_uarch *u, bool unconditional);

/* Makes each access of the group by itself. */
void apmu_uarch__group_each(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor);

#endif
