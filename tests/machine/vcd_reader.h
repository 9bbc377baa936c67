/* SPDX-License-Identifier: MIT */
/**
 * A small reader of value change dumps (IEEE 1364): scalar and vector changes of wires in one scope.
 *
 * Refuses what the standard does not allow in what it reads: time that runs back, changes of unknown wires,
 * digits beyond a wire's width, a second definition of a name.
 */
#ifndef APMU_TEST_VCD_READER_H
#define APMU_TEST_VCD_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { VCD_WIRES = 64, VCD_NAME = 32 };

struct vcd_wire {
	char name[VCD_NAME], id[8];
	unsigned bits;
	uint64_t value;
	bool known;
};

struct vcd_reader {
	FILE *file;
	struct vcd_wire wire[VCD_WIRES];
	unsigned wires;
	uint64_t time, next; /* of the values; of the changes that come next */
	bool started, ended;
	char error[80];
};

/* Reads the header. False, and a text in `error`, if it is none. */
bool vcd_open(struct vcd_reader *r, const char *path);

/* All changes of the next moment. False at the end, or with a text in `error`. */
bool vcd_moment(struct vcd_reader *r);

/* The wire of this name; NULL if none. */
const struct vcd_wire *vcd_wire(const struct vcd_reader *r, const char *name);

void vcd_close(struct vcd_reader *r);

#endif
