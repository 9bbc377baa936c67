/* SPDX-License-Identifier: MIT */
/**
 * What the command and the plugin share: one mapping, in which every thread of the program has a slot.
 *
 * The command makes the mapping (a memfd), fills in the top and hands the descriptor to QEMU; the plugin maps
 * it and closes the descriptor, so that the program sees none. Counts therefore outlive QEMU however it ends.
 * A slot belongs to a living thread. A thread that ends writes its last mark to the marks file and gives the
 * slot back. Threads of a process that exits or is killed do not: the command reads their slots. If more
 * threads live at once than there are slots, the others count in memory of their own; their counts are lost,
 * and reported as lost, only if the process ends before the thread does.
 */
#ifndef APMU_QEMU_SHARE_H
#define APMU_QEMU_SHARE_H

#include "profile/format.h"
#include "qemu/run.h"

#include <stdatomic.h>

#define APMU__SHARE_MAGIC 0x61706d7531746367u
#define APMU__SLOTS       8192u
#define APMU__TICKETS     262144u /* blocks */
#define APMU__PARCELS     8u      /* signals of a block */

struct apmu__qemu_slot {
	_Alignas(64) _Atomic uint32_t used; /* 0: free */
	int32_t pid, tid;
	uint32_t serial;
	uint64_t resyncs;
	struct apmu_tally tally;

	/* a region: what the thread counted in it before `entered`, if it is inside; what the tally was then
	 */
	bool inside;
	struct apmu_tally counted, entered;
};

/*
 * Samples of a slot's thread that are not in the file yet: the rest of a block. Whoever finds it after the
 * process's end can write it.
 */
#define APMU__BUFFER 32768u
struct apmu__buffer {
	_Atomic uint32_t used;    /* bytes of whole records */
	_Atomic uint32_t waiting; /* samples among them */
	struct apmu__samples_block head;
	uint8_t record[APMU__BUFFER - 8 - sizeof(struct apmu__samples_block)];
};

/* Exact counts, of one instruction in one thread. A page of cells belongs to a thread. */
struct apmu__cell {
	uint64_t pc;
	uint64_t count[]; /* per event */
};
struct apmu__cells {
	int32_t pid, tid;
	uint32_t serial, used; /* cells */
	uint8_t cell[];
};
#define APMU__CELLS_PAGE 65536u
#define APMU__CELLS_SIZE (1u << 30) /* of all pages; the mapping is sparse */

/* How often a thread went from one block to another (record -b). A page of them belongs to a thread. */
struct apmu__edges {
	struct apmu__samples_block head;
	uint32_t used, zero;
	struct apmu__edge_row row[];
};
#define APMU__EDGES_PAGE 65536u
#define APMU__EDGES_MOST ((APMU__EDGES_PAGE - sizeof(struct apmu__edges)) / sizeof(struct apmu__edge_row))
#define APMU__EDGES_SIZE (1u << 30) /* of all pages; the mapping is sparse */

/* A file of the command's, that QEMU opens by the command's descriptor each time it writes: and which file
 * that is, since another process may have the command's number once it is gone. */
struct apmu__kept {
	int32_t descriptor;
	uint64_t device, inode;
};

/* What to record. */
struct apmu__share_record {
	int32_t on;
	struct apmu__kept file;
	uint32_t events, skid;
	bool chains, data, exact, branches;
	struct apmu__run_event event[APMU__PROFILE_EVENTS];

	/* from the plugin */
	_Atomic uint64_t samples, lost;
	_Atomic uint64_t blurred;    /* samples that are exact to the block alone */
	_Atomic int32_t error;       /* errno value of the first failure to write */
	_Atomic uint32_t cell_pages; /* used */
	_Atomic uint32_t edge_pages; /* used */
	_Atomic uint64_t edges_lost; /* runs of edges for which there was no room */
};

/*
 * A block that is counted rather than entered (plugin_inline_counters.c): what each run of it adds. `runs` is
 * added to by the translated code itself.
 */
struct apmu__ticket {
	uint64_t runs;
	uint32_t undecoded_word;
	uint16_t undecoded; /* instructions that no row knows */
	uint8_t parcels;
	uint16_t signal[APMU__PARCELS];
	uint16_t amount[APMU__PARCELS];
};

/*
 * An event that is counted inline, and sampled (plugin_inline_sampling.c): the thread's total is the sum of
 * `base` and `count`, which translated code adds to.
 */
struct apmu__meter {
	uint64_t count, base;
	uint32_t slot, signal; /* whose total it is: not in its tally, as long as this is on */
	int32_t on;
};

struct apmu__share {
	uint64_t magic, size; /* size: of this struct, so that a plugin of another build refuses */

	/* from the command */
	struct apmu_uarch_params uarch; /* `name` means nothing here */
	uint64_t wanted[APMU_SIGNAL_WORDS];
	uint64_t interval;        /* 0: no marks but the last */
	uint32_t interval_signal; /* enum apmu_signal */
	int32_t follow;
	int32_t fixed;
	char program[4096];         /* the program's file, its path without links */
	int32_t system, system_a64; /* virtual CPUs are the threads; they run A64 */
	int32_t keeper;             /* the command's pid */
	struct apmu__kept marks;    /* of struct apmu__snapshot */

	/* from the plugin */
	_Atomic uint32_t started;    /* an instruction of the program has run */
	_Atomic uint32_t crowded;    /* threads without a slot that have not ended */
	_Atomic uint64_t marks_lost; /* of intervals, that could not be written */
	_Atomic int32_t marks_error; /* errno value of the first of them */
	_Atomic uint32_t marks_torn; /* the file ends in half a mark: nothing may follow */
	_Atomic uint64_t undecoded, undecoded_word;
	_Atomic uint64_t preloads; /* of data, whose address nothing told */
	_Atomic uint32_t hidden;   /* SVE loads and stores whose accesses QEMU does not tell */
	_Atomic uint32_t next;     /* where to look for a free slot first */
	char refusal[256];         /* why the plugin cannot run; empty: it can */

	_Atomic uint32_t serial; /* of the next thread */
	struct apmu__run_region region;
	_Atomic uint64_t region_entered;
	_Atomic uint64_t requests, requests_unread;
	_Atomic uint32_t unfixed;
	struct apmu__share_record record;

	struct apmu__meter meter;
	_Atomic uint32_t tickets; /* used */
	uint32_t ticket_slot;     /* whose runs they count */

	struct apmu__qemu_slot slot[APMU__SLOTS];
	struct apmu__ticket ticket[APMU__TICKETS];

	/* recording: a buffer a slot; exactly: then pages of cells; with branches: then pages of edges */
	struct apmu__buffer buffer[];
};

/* What counts of a slot's tally. */
struct apmu_tally apmu__slot_counted(const struct apmu__share *share, const struct apmu__qemu_slot *slot);

/* Bytes of the whole mapping; of what lies before the pages of edges. */
static inline size_t apmu__share_size(bool record, bool exact, bool branches)
{
	return sizeof(struct apmu__share) + (record ? APMU__SLOTS * sizeof(struct apmu__buffer) : 0) +
	       (exact ? (size_t)APMU__CELLS_SIZE : 0) + (branches ? (size_t)APMU__EDGES_SIZE : 0);
}

static inline struct apmu__edges *apmu__share_edges(struct apmu__share *share, uint32_t page)
{
	return (struct apmu__edges *)(void *)((uint8_t *)share +
					      apmu__share_size(true, share->record.exact, false) +
					      (size_t)page * APMU__EDGES_PAGE);
}

static inline struct apmu__cells *apmu__share_cells(struct apmu__share *share, uint32_t page)
{
	return (struct apmu__cells *)((uint8_t *)&share->buffer[APMU__SLOTS] +
				      (size_t)page * APMU__CELLS_PAGE);
}

/* Writes a buffer's records as a block and empties it. Samples that could not be written are counted. */
void apmu__buffer_write(struct apmu__share *share, struct apmu__buffer *buffer, int file);

/* Puts the meter's total into its slot's tally, if it is on. */
void apmu__meter_read(struct apmu__share *share);

/* Adds what the tickets' runs make to a tally, and to the count of undecoded instructions. */
void apmu__tickets_add(struct apmu__share *share, struct apmu_tally *tally);

#endif
