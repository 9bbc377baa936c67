/* SPDX-License-Identifier: MIT */
/**
 * The WebAssembly module of the register and event explorer: the description as JSON, one PMU on a bench, and
 * the conformance vectors. It is the library's own code; JavaScript holds no rule of a PMU.
 *
 * Text goes in through input_buffer() and comes out of output_buffer(), both UTF-8 and ended by a zero byte.
 * The bench does the words of tests/conformance/README.md, so that what was tried in the page is a vector.
 * One thread; nothing is allocated.
 *
 * module.c buffers and JSON; modes.c modes of a core; registers.c, events.c the description; live.c the PMU;
 * rights.c who may access a register; vector.c the conformance vectors.
 */
#ifndef APMU_SITE_MODULE_H
#define APMU_SITE_MODULE_H

#include <apmu/core.h>
#include <apmu/metric.h>
#include <apmu/model.h>

#include "conformance/vec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))

enum { INPUT = 1 << 16, NAME = 64 };

extern char input[INPUT];
extern struct vec_bench bench;

/* Empties the output buffer. */
void begin(void);

/* Appends to the output buffer. What does not fit is cut off, so that the page's JSON.parse() fails rather
 * than shows half a list. */
__attribute__((format(printf, 1, 2))) void put(const char *format, ...);

/* A string with its quotes, or null. */
void put_string(const char *text);

/* ,"name":"text" */
void put_member(const char *name, const char *text);

/* A comma, unless a list or an object has just begun. */
void put_comma(void);

/* A mode of a core, in the vectors' words, and what a reader calls it. */
struct mode_row {
	const char *word, *name;
	uint8_t rule;    /* enum apmu_register_access_rule */
	uint8_t feature; /* that the core must have, or 0xFF */
	uint8_t without; /* that it must not have, or 0xFF */
};
extern const struct mode_row modes[];
extern const size_t mode_count;
bool mode_exists(const struct apmu_core *core, const struct mode_row *m);

/* Does the core have an encoding of this register? One that it cannot reach is not one of its own. */
bool reachable(const struct apmu_core *core, const struct apmu_reg *reg);

extern const char *const outcome_names[]; /* by enum apmu_outcome */

#endif
