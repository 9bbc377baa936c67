/* SPDX-License-Identifier: MIT */
/**
 * `apmu c2c`: declarations that its files share. cmd_c2c.c: the command line. c2c_sum.c: samples to lines.
 * c2c_text.c: lines to text.
 */
#ifndef APMU_CLI_C2C_C2C_H
#define APMU_CLI_C2C_C2C_H

#include "cli/common/open_profile.h"

#include <limits.h>

#define CLI__C2C_EVENT "transfers" /* what `record --transfers` calls it */

/* Code of one thread that uses one word of a line. */
struct cli__c2c_use {
	uint64_t address;
	uint32_t thread;
	bool store;
	const struct profile__place *place;
	uint64_t weight, samples,
		modified;        /* modified: weight of transfers whose line another core had modified */
	uint64_t latency, loads; /* sum of latencies in cycles, and the number of samples that have one */
};

struct cli__c2c_line {
	uint64_t line; /* address */
	uint64_t weight, samples;
	size_t first, uses; /* range in struct cli__c2c.use */
	uint32_t threads;
	bool contended; /* several threads use it, and one writes */
	bool truly;     /* a word that one thread writes is used by another too */
	char *name;     /* the symbols that are used there, most used first; NULL: unknown */
};

struct cli__c2c {
	struct cli__c2c_use *use; /* by line, then by weight */
	size_t uses;
	struct cli__c2c_line *line; /* by weight */
	size_t lines;
	uint64_t weight, samples; /* of all transfers */
};

/* Sums up the samples of an event; lines have `size` bytes, a power of two. 0, or a negative errno value. */
int cli__c2c_sum(struct cli__c2c *c2c, const struct cli__open_profile *loaded, uint32_t event, uint64_t size);
void cli__c2c_free(struct cli__c2c *c2c);

struct cli__c2c_options {
	struct cli__load_options load;
	uint64_t most; /* lines; 0: all */
	uint64_t size; /* bytes of a line; 0: as the recording says */
	double limit;  /* percent: lines below are left out */
	bool all;      /* show lines that are not contended too */
};

void cli__c2c_text(const struct cli__c2c_options *options, const struct cli__open_profile *loaded,
		   const struct cli__c2c *c2c, FILE *out);

#endif
