/* SPDX-License-Identifier: MIT */
/**
 * A group: loads and stores of a block between which there is no other access, and whose addresses differ by
 * constants. One call tells all of them, by the address of one, the anchor. The units see the same accesses
 * in the same order as if each were told by itself.
 */
#ifndef APMU_UARCH_ACCESS_GROUP_H
#define APMU_UARCH_ACCESS_GROUP_H

#include <apmu/uarch.h>

/* One instruction of a group: `accesses` times site.size bytes, one behind the other. */
struct apmu_uarch__group_member {
	struct apmu_access_site site;
	int32_t offset;   /* of the first, in bytes */
	uint8_t accesses; /* 1 to 32 */
	uint8_t unit;     /* bytes of which its addresses are multiples where it is aligned: a power of two */
	bool store;
};

struct apmu_uarch__group {
	const struct apmu_uarch__group_member
		*member; /* in the order of the program; offsets from the anchor */
	uint16_t members;
	uint32_t last;        /* index of the last member's instruction */
	int32_t low, high;    /* offsets of the lowest and the highest byte */
	int32_t stored[2];    /* likewise of its stores */
	uint8_t align, phase; /* all are aligned if these low bits of the anchor's address are `phase` */
	bool stores;          /* there is a store */
	bool splits;          /* an access may lie in two lines: a pair that is told at once */
	bool unconditional;   /* all members' sites are */
	/* loads, stores that are not counted at block entry; their accesses */
	uint16_t instructions[2], registers[2];
};

/* Offsets from the first byte of the anchor, member[anchor], whatever they were from.
 * Where one member is aligned, so are all of smaller units. */
void apmu_uarch__group_make(struct apmu_uarch__group *g, struct apmu_uarch__group_member *member,
			    unsigned members, unsigned anchor);

/* May a machine be told groups, of unconditional members alone or of others too? With
 * apmu_uarch_precount() alone, and without store-to-load forwarding. */
bool apmu_uarch__takes_groups(const struct apmu_uarch *u, bool unconditional);

/* Each access by itself. */
void apmu_uarch__group_each(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor);

#endif
