/* SPDX-License-Identifier: MIT */
/**
 * A profile: what `apmu record` wrote about one run, and how to read it.
 *
 * What it is: small tables in memory (events, processes' mappings, threads, call chains as a tree) and a
 * stream of samples that stays in the file. apmu__profile_each() decodes the stream in file order as often as
 * it is asked, so 10^7 samples need no more memory than the tables. What it is not: names. A sample has a pc;
 * the mapping that holds it gives a file and an offset, and src/symbol makes names of those.
 *
 * Use:
 *     struct apmu__profile *p;
 *     if (apmu__profile_open("apmu.data", &p, error, sizeof error) != 0) ...
 *     apmu__profile_each(p, one_sample, context);
 *     apmu__profile_close(p);
 *
 * A chain is a node of the tree `frame`. Node 0 is the root: no caller. A node's pc is the address of the
 * call instruction in the caller, so the chain of a sample reads: sample.pc, then frame[chain].pc, then
 * frame[frame[chain].parent].pc, ... until node 0. A parent's index is always less than its child's.
 *
 * An exact profile (`record --exact`) is the same thing: one sample a thread, event and instruction, whose
 * weight is the count; their weights sum to the thread's total.
 *
 * Whoever was killed while writing leaves a file that opens; `flaws` says
 * what is missing. Hostile files: every count and index is checked; memory is bounded by the file's size.
 *
 * Threads: none of this is locked; a profile that nobody closes may be read by several threads at once.
 */
#ifndef APMU_PROFILE_PROFILE_H
#define APMU_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APMU__PROFILE_NONE          UINT32_MAX /* no such index */
#define APMU__PROFILE_EVENTS        64u        /* the most in one profile */
#define APMU__PROFILE_CYCLE_COUNTER UINT32_MAX
#define APMU__PROFILE_SIGNAL        (UINT32_MAX - 1) /* number of what is no event of the core's PMU */

/* What was sampled. */
struct apmu__profile_event {
	const char *label;  /* as the user wrote it: "branch-misses" */
	const char *name;   /* the manual's on this core: "BR_MIS_PRED" */
	uint32_t number;    /* the selector's value; APMU__PROFILE_CYCLE_COUNTER */
	uint64_t period;    /* occurrences a sample; 0: by `frequency`, or exact */
	uint64_t frequency; /* wanted samples per million instructions; 0: by `period`, or exact */
	const char *part;   /* of the CPI stack: "memory"; NULL: no part of it */
	uint64_t scale;     /* cycles that an occurrence stands for in that part */
	bool aside;         /* taken for the CPI stack's sake: shown where it is asked for by name */
	uint64_t total;   /* occurrences counted, all threads: what `apmu stat` would say; 0 if unfinished */
	uint64_t samples; /* in the file, all threads */
	uint64_t weight;  /* sum of their weights */
};

/* A part of a file in a process's memory. Later mappings hide earlier ones. */
struct apmu__profile_map {
	int32_t pid;
	uint64_t start, end;   /* guest addresses: start <= a < end */
	uint64_t offset;       /* of `start` in the file */
	const char *path;      /* on the host, absolute; "[...]" for what is no file */
	uint8_t build_id[32];  /* of the file when it was mapped */
	uint8_t build_id_size; /* bytes; 0: it has none, or it could not be read */
	uint32_t when;         /* see struct apmu__sample */
};

/* A thread of the program. */
struct apmu__profile_thread {
	int32_t pid, tid; /* of the host: differ between runs. The index of the thread does not. */
	const char *name; /* as the program set it; "": unknown */
	uint64_t instructions, cycles;        /* it ran, as far as known */
	uint64_t total[APMU__PROFILE_EVENTS]; /* occurrences of each event; 0 if unfinished */
	uint64_t samples;
	uint64_t resyncs; /* times its call chain had to be guessed (-g) */
	bool ended;       /* totals are known */
};

/* A node of the tree of call chains. */
struct apmu__profile_frame {
	uint64_t pc;     /* of the call instruction; with `signal`: of the instruction that was interrupted */
	uint32_t parent; /* less than the node's own index */
	bool signal;     /* no call: a signal handler was entered here */
};

/* Where the data came from. */
enum apmu__profile_level {
	APMU__LEVEL_NONE,
	APMU__LEVEL_L1,
	APMU__LEVEL_L2,
	APMU__LEVEL_L3,
	APMU__LEVEL_MEMORY
};

/* What kind of branch: perf's numbers (PERF_BR_...). */
enum apmu__branch_kind {
	APMU__KIND_NONE, /* no branch: code that goes straight on */
	APMU__KIND_CONDITIONAL,
	APMU__KIND_JUMP,
	APMU__KIND_INDIRECT,
	APMU__KIND_CALL,
	APMU__KIND_CALL_INDIRECT,
	APMU__KIND_RETURN
};

/* A taken branch before a sample (record -b). */
#define APMU__BRANCHES 32u /* the most that a sample has */
struct apmu__profile_branch {
	uint64_t from, to; /* the branch instruction, and where it went */
	uint64_t cycles;   /* since the taken branch before it */
	uint8_t kind;      /* enum apmu__branch_kind */
	bool mispredicted; /* by the modelled predictor */
};

/* How often a thread came from one piece of straight code to the next (record -b): exact. */
struct apmu__profile_edge {
	uint64_t start;        /* the first instruction that ran, */
	uint64_t from;         /* the last one: a branch, unless `kind` says that it is none */
	uint64_t to;           /* the instruction that ran next */
	uint64_t runs;         /* times */
	uint64_t mispredicted; /* of them */
	uint8_t kind;          /* enum apmu__branch_kind */
	bool taken;            /* the branch was */
	uint32_t thread, when; /* as in struct apmu__sample */
};

/* One sample. */
struct apmu__sample {
	uint64_t pc; /* of the instruction that made the counter overflow (or `skid` later); T32: bit 0
			is clear */
	uint64_t instructions;  /* executed by this thread up to and with it: a clock */
	uint64_t cycles;        /* of the thread's core; 0 unless the profile has `cycles` */
	uint64_t weight;        /* occurrences it stands for */
	uint64_t address;       /* of the data; valid if has_data */
	uint32_t latency;       /* cycles until the data were there (loads); 0: not known */
	uint32_t event, thread; /* indices */
	uint32_t chain;         /* node; 0: no callers are known */
	uint32_t when;          /* grows along the file: compare with a mapping's */
	const struct apmu__profile_branch *branch; /* taken branches before it, the youngest first */
	uint32_t branches;
	uint8_t level; /* enum apmu__profile_level */
	bool tlb_miss; /* the first-level TLB did not know the page, */
	bool walk;     /* nor did the next: the tables were walked */
	bool store;    /* the access that was told was a store */
	bool has_data; /* address, store, level, tlb_miss, walk, latency mean something */
};

/* What is wrong with the file: bits. */
enum apmu__flaw {
	APMU__FLAW_UNFINISHED = 1, /* no end was written: apmu was killed; totals are missing */
	APMU__FLAW_TRUNCATED = 2,  /* the last block is cut off */
	APMU__FLAW_DAMAGED = 4,    /* blocks whose checksum does not fit were left out */
	APMU__FLAW_LOST = 8,       /* `lost` samples could not be written */
};

struct apmu__profile {
	uint32_t flaws;          /* enum apmu__flaw */
	uint64_t lost;           /* samples that did not reach the file */
	uint64_t samples;        /* that did */
	const char *version;     /* of the apmu that wrote it */
	const char *core;        /* "cortex-a53" */
	const char *program;     /* path of the program, absolute */
	const char *figures;     /* of the core: "Cortex-A53 as in ...", and what was set; "": unknown */
	uint64_t clock;          /* of the core, Hz; 0: unknown */
	uint16_t machine;        /* EM_ARM 40, EM_AARCH64 183 */
	bool chains;             /* -g */
	bool branches;           /* -b: samples have branches, the profile has edges */
	bool data;               /* -d */
	bool cycles;             /* samples have cycles */
	bool exact;              /* weights are counts; no sampling */
	bool system;             /* a whole system: threads are virtual CPUs */
	uint32_t skid;           /* --skid: instructions */
	int exit, signal;        /* how the program ended; 0 if unfinished */
	const char *const *argv; /* the program and its arguments; NULL-terminated */
	size_t args;

	struct apmu__profile_event *event;
	size_t events;
	struct apmu__profile_map *map; /* in the order in which they were made */
	size_t maps;
	struct apmu__profile_thread *thread; /* in the order in which they began */
	size_t threads;
	struct apmu__profile_frame *frame; /* frame[0] is the root */
	size_t frames;
	struct apmu__profile_edge *edge; /* of all threads, in no order */
	size_t edges;

	struct apmu__profile_file *file; /* the reader's own */
};

/* Opens a profile and reads its tables. 0, or a negative errno value with one line in `error`: it cannot be
 * read, is no profile, is a newer version than this apmu reads, or holds nothing. A flaw is no error. "-" is
 * standard input; that and any pipe is copied into memory. */
int apmu__profile_open(const char *path, struct apmu__profile **out, char *error, size_t size);
void apmu__profile_close(struct apmu__profile *profile); /* NULL is fine */

/* Calls `use` with each sample in file order: a thread's samples of one event come in order of time. Stops
 * when `use` returns other than 0, and returns that; else 0. The sample is gone when `use` returns. */
int apmu__profile_each(const struct apmu__profile *profile,
		       int (*use)(void *context, const struct apmu__sample *sample), void *context);

/* The mapping that held `pc` in the sample's process, at the time of the sample: an index, or
 * APMU__PROFILE_NONE. Of a call chain, ask with the chain's pcs. Logarithmic. */
uint32_t apmu__profile_map_at(const struct apmu__profile *profile, uint32_t thread, uint32_t when,
			      uint64_t pc);

/* The address of a mapped byte as the file's ELF headers would have it is for src/symbol to work out; this is
 * its offset in the file. */
static inline uint64_t apmu__profile_offset(const struct apmu__profile_map *map, uint64_t pc)
{
	return pc - map->start + map->offset;
}

#endif
