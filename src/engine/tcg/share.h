/* SPDX-License-Identifier: MIT */
/**
 * What the command and the plugin share: one mapping, in which every thread of the program has a slot.
 *
 * The command makes the mapping (a memfd), fills in the top and hands the descriptor to QEMU; the plugin maps
 * it and closes the descriptor, so that the program sees none. Counts therefore outlive QEMU however it ends.
 * A slot belongs to a living thread. A thread that ends writes its last mark to the marks file and gives the
 * slot back; so does no thread of a process that exits or is killed: the command reads those slots. More
 * threads alive at once than slots: the others count in memory of their own, and their counts are lost (and
 * said to be lost) only if the process ends before the thread does.
 */
#ifndef APMU_ENGINE_TCG_SHARE_H
#define APMU_ENGINE_TCG_SHARE_H

#include "engine/run.h"

#include <stdatomic.h>

#define APMU__SHARE_MAGIC 0x61706d7531746367u
#define APMU__SLOTS       8192u
#define APMU__TICKETS     262144u /* blocks */
#define APMU__PARCELS     8u      /* signals of a block */

struct apmu__slot {
	_Alignas(64) _Atomic uint32_t used; /* 0: free */
	int32_t pid, tid;
	struct apmu_tally tally;
};

/*
 * A block that is counted rather than entered (plugin_ahead.c): what each run of it adds. `runs` is added to
 * by the translated code itself.
 */
struct apmu__ticket {
	uint64_t runs;
	uint32_t undecoded_word;
	uint16_t undecoded; /* instructions that no row knows */
	uint8_t parcels;
	uint8_t signal[APMU__PARCELS];
	uint16_t amount[APMU__PARCELS];
};

struct apmu__share {
	uint64_t magic, size; /* size: of this struct, so that a plugin of another build refuses */

	/* from the command */
	struct apmu_uarch_params uarch; /* `name` means nothing here */
	uint64_t wanted[APMU_SIGNAL_WORDS];
	uint64_t interval;        /* 0: no marks but the last */
	uint32_t interval_signal; /* enum apmu_signal */
	int32_t follow;
	int32_t keeper,
		marks; /* the command's pid, and its descriptor of the marks file (struct apmu__mark) */

	/* from the plugin */
	_Atomic uint32_t started;    /* an instruction of the program has run */
	_Atomic uint32_t crowded;    /* threads without a slot that have not ended */
	_Atomic uint64_t marks_lost; /* that could not be written */
	_Atomic uint64_t undecoded, undecoded_word;
	_Atomic uint32_t next; /* where to look for a free slot first */
	char refusal[256];     /* why the plugin cannot run; empty: it can */

	_Atomic uint32_t tickets; /* used */
	uint32_t ticket_slot;     /* whose runs they count */

	struct apmu__slot slot[APMU__SLOTS];
	struct apmu__ticket ticket[APMU__TICKETS];
};

/* Adds what the tickets' runs make to a tally, and to the count of undecoded instructions. */
void apmu__tickets_add(struct apmu__share *share, struct apmu_tally *tally);

#endif
