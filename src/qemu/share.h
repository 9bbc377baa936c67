/* SPDX-License-Identifier: MIT */
/**
 * What the command and the plugin share: one mapping, in which every thread of the program has a slot.
 *
 * The command makes the mapping (a memfd), fills in the top and hands the descriptor to QEMU; the plugin maps
 * it and closes the descriptor, so that the program sees none. Counts therefore outlive QEMU however it ends.
 * A slot belongs to a living thread. A thread that ends writes its last mark to the marks file and gives the
 * slot back. Threads of a process that exits or is killed do not: the command reads their slots, or a new
 * thread that finds no free one gives theirs back. If more threads live at once than there are slots, the
 * others count in private memory; their counts are lost, and reported as lost, only if the process ends
 * before the thread does.
 *
 * QEMU does not keep a program out of QEMU's own memory, so a hostile program can write to the mapping at any
 * time, even after QEMU has ended (from a child process that it left). The command
 * therefore reads only once a value that it uses twice, checks each index, and takes what it asked for itself
 * (events, exact, region) from its own options. No member that the command reads is a bool, because not every
 * byte is a valid bool.
 */
#ifndef APMU_QEMU_SHARE_H
#define APMU_QEMU_SHARE_H

#include "profile/format.h"
#include "qemu/run.h"

#include <stdatomic.h>

#define APMU_QEMU__SHARE_MAGIC    0x61706d7531746367u
#define APMU_QEMU__SLOTS          8192u
#define APMU_QEMU__BLOCK_COUNTERS 262144u /* blocks */
#define APMU_QEMU__INCREMENTS     8u      /* signals that a block can add to */

struct apmu_qemu__slot {
	_Alignas(64) _Atomic uint32_t used; /* 0: free, 1: taken, 2: being given back for a dead process */
	int32_t pid, tid;
	uint32_t serial;
	uint32_t image; /* as in struct apmu_qemu__snapshot */
	uint8_t asked;
	uint64_t resyncs;
	char name[16]; /* the thread's name, if the program set one; else empty */
	struct apmu_tally tally;
	struct apmu_uarch_violation violation;
	struct apmu_uarch_time_samples samples;

	/* of a region: `counted`: what the thread counted in it before it last entered; `entered`: the tally
	 * when it entered, if it is inside */
	uint8_t inside;
	struct apmu_tally counted, entered;
};

/*
 * Samples of a slot's thread that are not in the file yet: a partly filled block. If the process ends, the
 * command can still write it.
 */
#define APMU_QEMU__BUFFER 32768u
struct apmu_qemu__buffer {
	_Atomic uint32_t used;    /* bytes of whole records */
	_Atomic uint32_t waiting; /* samples among them */
	struct profile__samples_block head;
	uint8_t record[APMU_QEMU__BUFFER - 8 - sizeof(struct profile__samples_block)];
};

/* Exact counts of one instruction in one thread. A page of cells belongs to a thread. */
struct apmu_qemu__cell {
	uint64_t pc;
	uint64_t count[]; /* per event */
};
struct apmu_qemu__cells {
	int32_t pid, tid;
	uint32_t serial, used; /* cells */
	uint8_t cell[];
};
#define APMU_QEMU__CELLS_PAGE 65536u
#define APMU_QEMU__CELLS_SIZE (1u << 30) /* of all pages; the mapping is sparse */

static inline size_t apmu_qemu__cell_size(uint32_t events)
{
	return sizeof(struct apmu_qemu__cell) + events * sizeof(uint64_t);
}

/* How often a thread went from one block to another (record -b). A page of edges belongs to a thread. */
struct apmu_qemu__edges {
	struct profile__samples_block head;
	uint32_t used, zero;
	struct profile__edge_row row[];
};
#define APMU_QEMU__EDGES_PAGE 65536u
#define APMU_QEMU__EDGES_MOST \
	((APMU_QEMU__EDGES_PAGE - sizeof(struct apmu_qemu__edges)) / sizeof(struct profile__edge_row))
#define APMU_QEMU__EDGES_SIZE (1u << 30) /* of all pages; the mapping is sparse */

/* A file of the command, which the plugin opens by the command's descriptor each time it writes. The file's
 * identity is kept too, since another process may have the command's pid once the command is gone. */
struct apmu_qemu__command_file {
	int32_t descriptor;
	uint64_t device, inode;
};

/* What to record. */
struct apmu_qemu__share_record {
	int32_t on;
	struct apmu_qemu__command_file file;
	uint32_t events, skid;
	bool chains, data, exact, branches;
	struct apmu_qemu__run_event event[PROFILE__EVENTS];

	/* written by the plugin */
	_Atomic uint64_t samples, lost;
	_Atomic uint64_t taken[PROFILE__EVENTS];  /* by event: samples that were due */
	_Atomic uint64_t period[PROFILE__EVENTS]; /* by event: the last one of those that follow its rate */
	_Atomic uint64_t blurred;    /* samples that are exact to the block, not to the instruction */
	_Atomic int32_t error;       /* errno value of the first failure to write */
	_Atomic uint32_t cell_pages; /* used */
	_Atomic uint32_t edge_pages; /* used */
	_Atomic uint64_t edges_lost; /* edge executions not counted, for lack of room */
};

/*
 * A block that is counted inline rather than entered (plugin_inline_counters.c): what each run of it adds.
 * The translated code itself increments `runs`; that of a new second thread, until translations are dropped,
 * increments `second_runs` under a QEMU that adds at the place of the virtual CPU (plugin_qemu.c).
 */
struct apmu_qemu__block_counter {
	uint64_t runs, second_runs;
	uint32_t undecoded_word;
	uint16_t undecoded; /* instructions unknown to the classifier */
	uint8_t increments;
	uint16_t signal[APMU_QEMU__INCREMENTS];
	uint16_t amount[APMU_QEMU__INCREMENTS];
};

/*
 * An event that is counted inline, and sampled (plugin_inline_sampling.c): the thread's total is `base` plus
 * `count`, which translated code adds to.
 */
struct apmu_qemu__meter {
	uint64_t count, base;
	uint32_t slot, signal; /* the tally entry to which the total belongs; it is stale while `on` is set */
	int32_t on;
};

struct apmu_qemu__share {
	uint64_t magic, size; /* size: of this struct, so that the plugin of another build refuses it */

	/* written by the command */
	struct apmu_uarch_params uarch; /* `name` means nothing here */
	uint64_t wanted[APMU_SIGNAL_WORDS];
	int32_t estimate_stalls;
	uint32_t sample_time;     /* apmu_uarch_sample_time(); 0: all instructions are timed */
	uint64_t interval;        /* 0: only last marks */
	uint32_t interval_signal; /* enum apmu_signal */
	int32_t follow;
	int32_t fixed;
	uint32_t zero_bytes; /* bytes that DC ZVA clears on the emulated CPU; 0: it is not followed */
	char program[4096];  /* path of the program's file, links resolved */
	uint64_t program_first, program_code; /* as in struct apmu_isa__elf */
	int32_t system, system_a64; /* system: virtual CPUs are the threads; system_a64: they run A64 */
	int32_t command_pid;        /* the command's process */
	_Atomic uint32_t closed;    /* the program has ended, and the command collects: a child of the program
				       that lives on leaves its slots and buffers as they are */
	_Atomic uint32_t writing;   /* threads of children that may still write, or free a slot; the command
				       waits for them before it collects */
	struct apmu_qemu__command_file marks;  /* an array of struct apmu_qemu__snapshot */
	struct apmu_qemu__command_file memory; /* this mapping: for programs that are executed */

	/* written by the plugin */
	_Atomic uint64_t load_bias;  /* the program's address in memory minus that in its file */
	_Atomic uint32_t started;    /* an instruction of the program has run */
	_Atomic int32_t program_pid; /* the program's process; others are children */
	_Atomic uint32_t slotless;   /* threads without a slot that have not ended */
	_Atomic uint64_t marks_lost; /* interval marks that could not be written */
	_Atomic int32_t marks_error; /* errno value of the first lost mark */
	_Atomic uint32_t marks_torn; /* the file ends in half a mark: nothing may follow */
	_Atomic uint64_t undecoded, undecoded_word;
	_Atomic uint64_t preloads; /* executed data preloads of unknown address */
	_Atomic uint32_t hidden;   /* bits of enum apmu_qemu__hidden */
	_Atomic uint64_t native;   /* programs of the host that were executed, and so not counted */
	char native_path[256];     /* of the first of them */
	_Atomic uint32_t next;     /* slot at which the search for a free one starts */
	char refusal[256];         /* why the plugin cannot run; empty: it can */

	_Atomic uint32_t serial; /* number of the next thread */
	struct apmu_qemu__run_region region;
	_Atomic uint64_t region_entered;
	_Atomic uint64_t requests, requests_unread;
	_Atomic uint32_t images; /* number of the next program that is executed or forked */
	_Atomic uint32_t unfixed;
	struct apmu_qemu__share_record record;

	struct apmu_qemu__meter meter;
	_Atomic uint32_t block_counters; /* used */
	uint32_t block_counter_slot;     /* the slot whose thread they count */

	struct apmu_qemu__slot slot[APMU_QEMU__SLOTS];
	struct apmu_qemu__block_counter block_counter[APMU_QEMU__BLOCK_COUNTERS];

	/* recording: one buffer per slot; exact counts: then pages of cells; branches: then pages of edges */
	struct apmu_qemu__buffer buffer[];
};

/* Counts `n` executed instructions that the classifier does not know, and keeps the first such word. */
static inline void apmu_qemu__count_undecoded(struct apmu_qemu__share *share, uint32_t word, uint64_t n)
{
	uint64_t none = 0;

	atomic_compare_exchange_strong(&share->undecoded_word, &none, word);
	atomic_fetch_add(&share->undecoded, n);
}

/* Reads a value that a hostile program may change meanwhile, once. */
static inline uint32_t apmu_qemu__read_once(const uint32_t *at)
{
	return *(const volatile uint32_t *)at;
}

/* Returns how many slots may ever have had a thread: a new thread takes the first free slot from `next` on,
 * and `next` is never beyond that number. */
static inline uint32_t apmu_qemu__slots(const struct apmu_qemu__share *share)
{
	uint32_t threads = atomic_load(&share->serial);

	return threads < APMU_QEMU__SLOTS ? threads : APMU_QEMU__SLOTS;
}

/* Returns what counts of a slot's tally: all of it, or what was counted inside the region. */
struct apmu_tally apmu_qemu__slot_counted(const struct apmu_qemu__share *share,
					  const struct apmu_qemu__slot *slot);

/* Returns the size of the mapping in bytes. Without `branches` this is the offset of the pages of edges. */
static inline size_t apmu_qemu__share_size(bool record, bool exact, bool branches)
{
	return sizeof(struct apmu_qemu__share) +
	       (record ? APMU_QEMU__SLOTS * sizeof(struct apmu_qemu__buffer) : 0) +
	       (exact ? (size_t)APMU_QEMU__CELLS_SIZE : 0) + (branches ? (size_t)APMU_QEMU__EDGES_SIZE : 0);
}

static inline struct apmu_qemu__edges *apmu_qemu__share_edges(struct apmu_qemu__share *share, bool exact,
							      uint32_t page)
{
	return (struct apmu_qemu__edges *)(void *)((uint8_t *)share +
						   apmu_qemu__share_size(true, exact, false) +
						   (size_t)page * APMU_QEMU__EDGES_PAGE);
}

static inline struct apmu_qemu__cells *apmu_qemu__share_cells(struct apmu_qemu__share *share, uint32_t page)
{
	return (struct apmu_qemu__cells *)((uint8_t *)&share->buffer[APMU_QEMU__SLOTS] +
					   (size_t)page * APMU_QEMU__CELLS_PAGE);
}

/* Pages in use: more may have been asked for than there are. */
static inline uint32_t apmu_qemu__share_cell_pages(const struct apmu_qemu__share *share)
{
	uint32_t pages = atomic_load(&share->record.cell_pages),
		 most = APMU_QEMU__CELLS_SIZE / APMU_QEMU__CELLS_PAGE;

	return pages < most ? pages : most;
}

static inline uint32_t apmu_qemu__share_edge_pages(const struct apmu_qemu__share *share)
{
	uint32_t pages = atomic_load(&share->record.edge_pages),
		 most = APMU_QEMU__EDGES_SIZE / APMU_QEMU__EDGES_PAGE;

	return pages < most ? pages : most;
}

/* Writes a buffer's records as a block and empties it. Samples that could not be written are counted. `file`:
 * the descriptor, or the negative errno value with which it could not be opened. Returns 0 or a negative
 * errno value. */
int apmu_qemu__buffer_write(struct apmu_qemu__share *share, struct apmu_qemu__buffer *buffer, int file);

/* exact_counts.c, edges.c: write what a process has counted at the addresses from `first` to `last`, where a
 * file is about to be mapped, and make these counts 0. Return 0 or a negative errno value. */
int apmu_qemu__cells_take(struct apmu_qemu__share *share, int32_t pid, uint64_t first, uint64_t last,
			  int file);
int apmu_qemu__edges_take(struct apmu_qemu__share *share, int32_t pid, uint64_t first, uint64_t last,
			  int file);

/* Puts the meter's total into its slot's tally, if it is on. */
void apmu_qemu__meter_read(struct apmu_qemu__share *share);

/* Adds to a tally what the blocks counted inline have counted, and to the share their undecoded instructions.
 */
void apmu_qemu__block_counters_add(struct apmu_qemu__share *share, struct apmu_tally *tally);

#endif
