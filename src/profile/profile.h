/* SPDX-License-Identifier: MIT */
/**
 * A profile: what `apmu record` wrote about one run, and how to read it.
 *
 * What it is: small tables in memory (events, processes' mappings, threads, call chains as a tree) and a
 * stream of samples that stays in the file. profile__each() decodes the stream in file order as often as
 * it is asked, so 10^7 samples need no more memory than the tables. What it is not: names. A sample has a pc;
 * the mapping that holds it gives a file and an offset, and src/symbol makes names of those.
 *
 * Use:
 *     struct profile__profile *p;
 *     if (profile__open("apmu.data", &p, error, sizeof error) != 0) ...
 *     profile__each(p, one_sample, context);
 *     profile__close(p);
 *
 * A chain is a node of the tree `frame`. Node 0 is the root: no caller. A node's pc is the address of the
 * call instruction in the caller, so the chain of a sample reads: sample.pc, then frame[chain].pc, then
 * frame[frame[chain].parent].pc, ... until node 0. A parent's index is always less than its child's.
 *
 * An exact profile (`record --exact`) is the same thing: one sample per thread, event and instruction, whose
 * weight is the count; their weights sum to the thread's total.
 *
 * A writer that was killed leaves a file that opens; `flaws` says
 * what is missing. Hostile files: every count and index is checked; memory is bounded by the file's size.
 *
 * Threads: none of this is locked; a profile that nobody closes may be read by several threads at once.
 */
#ifndef APMU_PROFILE_PROFILE_H
#define APMU_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROFILE__NONE          UINT32_MAX /* no such index */
#define PROFILE__EVENTS        64u        /* the most in one profile */
#define PROFILE__CYCLE_COUNTER UINT32_MAX
#define PROFILE__SIGNAL        (UINT32_MAX - 1) /* number of what is no event of the core's PMU */

/* What was sampled. */
struct profile__event {
	const char *label;  /* as the user wrote it: "branch-misses" */
	const char *name;   /* the manual's on this core: "BR_MIS_PRED" */
	uint32_t number;    /* the selector's value; PROFILE__CYCLE_COUNTER */
	uint64_t period;    /* occurrences per sample; 0: by `frequency`, or exact */
	uint64_t frequency; /* wanted samples per million instructions; 0: by `period`, or exact */
	const char *part;   /* of the CPI stack: "memory"; NULL: no part of it */
	uint64_t scale;     /* cycles that an occurrence stands for in that part */
	bool aside;         /* taken for the CPI stack's sake: shown where it is asked for by name */
	uint64_t total;   /* occurrences counted, all threads: what `apmu stat` would say; 0 if unfinished */
	uint64_t samples; /* in the file, all threads */
	uint64_t weight;  /* sum of their weights */
};

/* From an address on, up to the next one's, code is of this line. */
struct profile__line {
	uint64_t address;
	uint32_t line;
	const char *file; /* as the program said it */
};

/* A part of a file in a process's memory. Later mappings hide earlier ones. */
struct profile__map {
	int32_t pid;
	uint64_t start, end;              /* guest addresses: start <= a < end */
	uint64_t offset;                  /* of `start` in the file */
	const char *path;                 /* on the host, absolute; "[...]" for what is no file */
	uint8_t build_id[32];             /* of the file when it was mapped */
	uint8_t build_id_size;            /* bytes; 0: it has none, or it could not be read */
	const char *function;             /* code that the program made has no file but a name; else NULL */
	const struct profile__line *line; /* of that, as far as the program told: by address, */
	uint32_t lines;
	uint32_t bytes; /* and its instructions */
	const uint8_t *code;
	uint32_t when; /* see struct profile__sample */
};

/* A thread of the program. */
struct profile__thread {
	int32_t pid, tid; /* of the host: differ between runs. The index of the thread does not. */
	const char *name; /* as the program set it; "": unknown */
	uint64_t instructions, cycles;   /* it ran, as far as known */
	uint64_t total[PROFILE__EVENTS]; /* occurrences of each event; 0 if unfinished */
	uint64_t samples;
	uint64_t resyncs; /* times its call chain had to be guessed (-g) */
	bool ended;       /* totals are known */
};

/* A node of the tree of call chains. */
struct profile__frame {
	uint64_t pc;     /* of the call instruction; with `signal`: of the instruction that was interrupted */
	uint32_t parent; /* less than the node's own index */
	bool signal;     /* no call: a signal handler was entered here */
};

/* Where the data came from. */
enum profile__level {
	PROFILE__LEVEL_NONE,
	PROFILE__LEVEL_L1,
	PROFILE__LEVEL_L2,
	PROFILE__LEVEL_L3,
	PROFILE__LEVEL_MEMORY,
	PROFILE__LEVEL_PEER,    /* another core's first level, */
	PROFILE__LEVEL_MODIFIED /* ... where it was modified */
};

/* What kind of branch: perf's numbers (PERF_BR_...). */
enum profile__branch_kind {
	PROFILE__KIND_NONE, /* no branch: code that goes straight on */
	PROFILE__KIND_CONDITIONAL,
	PROFILE__KIND_JUMP,
	PROFILE__KIND_INDIRECT,
	PROFILE__KIND_CALL,
	PROFILE__KIND_CALL_INDIRECT,
	PROFILE__KIND_RETURN
};

/* A taken branch before a sample (record -b). */
#define PROFILE__BRANCHES 32u /* the most that a sample has */
struct profile__branch {
	uint64_t from, to; /* the branch instruction, and where it went */
	uint64_t cycles;   /* since the taken branch before it */
	uint8_t kind;      /* enum profile__branch_kind */
	bool mispredicted; /* by the modelled predictor */
};

/* How often a thread came from one piece of straight code to the next (record -b): exact. */
struct profile__edge {
	uint64_t start;        /* the first instruction that ran, */
	uint64_t from;         /* the last one: a branch, unless `kind` says that it is none */
	uint64_t to;           /* the instruction that ran next */
	uint64_t runs;         /* times */
	uint64_t mispredicted; /* of them */
	uint8_t kind;          /* enum profile__branch_kind */
	bool taken;            /* the branch was */
	uint32_t thread, when; /* as in struct profile__sample */
};

/* One sample. */
struct profile__sample {
	uint64_t pc; /* of the instruction that made the counter overflow (or `skid` later); T32: bit 0
			is clear */
	uint64_t instructions;                /* executed by this thread up to and with it: a clock */
	uint64_t cycles;                      /* of the thread's core; 0 unless the profile has `cycles` */
	uint64_t weight;                      /* occurrences it stands for */
	uint64_t address;                     /* of the data; valid if has_data */
	uint32_t latency;                     /* cycles until the data were there (loads); 0: not known */
	uint32_t event, thread;               /* indices */
	uint32_t chain;                       /* node; 0: no callers are known */
	uint32_t when;                        /* grows along the file: compare with a mapping's */
	const struct profile__branch *branch; /* taken branches before it, the youngest first */
	uint32_t branches;
	uint8_t level; /* enum profile__level */
	bool tlb_miss; /* the first-level TLB did not know the page, */
	bool walk;     /* nor did the next: the tables were walked */
	bool store;    /* the access that was told was a store */
	bool has_data; /* address, store, level, tlb_miss, walk, latency mean something */
};

/* What is wrong with the file: bits. */
enum profile__flaw {
	PROFILE__FLAW_UNFINISHED = 1, /* no end was written: apmu was killed; totals are missing */
	PROFILE__FLAW_TRUNCATED = 2,  /* the last block is cut off */
	PROFILE__FLAW_DAMAGED = 4,    /* blocks whose checksum does not fit were left out */
	PROFILE__FLAW_LOST = 8,       /* `lost` samples could not be written */
};

struct profile__profile {
	uint32_t flaws;          /* enum profile__flaw */
	uint64_t lost;           /* samples that did not reach the file */
	uint64_t samples;        /* that did */
	const char *version;     /* of the apmu that wrote it */
	const char *core;        /* "cortex-a53" */
	const char *program;     /* path of the program, absolute */
	const char *uarch;       /* of the core: "Cortex-A53 as in ...", and what was set; "": unknown */
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

	struct profile__event *event;
	size_t events;
	struct profile__map *map;       /* in the order in which they were made */
	size_t maps;                    /* ... and at the end code that the program made */
	struct profile__thread *thread; /* in the order in which they began */
	size_t threads;
	struct profile__frame *frame; /* frame[0] is the root */
	size_t frames;
	struct profile__edge *edge; /* of all threads, in no order */
	size_t edges;

	struct profile__file *file; /* the reader's own */
};

/* Opens a profile and reads its tables. 0, or a negative errno value with one line in `error`: it cannot be
 * read, is no profile, is a newer version than this apmu reads, or holds nothing. A flaw is no error. "-" is
 * standard input; that and any pipe is copied into memory. */
int profile__open(const char *path, struct profile__profile **out, char *error, size_t size);
void profile__close(struct profile__profile *profile); /* NULL is fine */

/* Calls `use` with each sample in file order: a thread's samples of one event come in order of time. Stops
 * when `use` returns other than 0, and returns that; else 0. The sample is gone when `use` returns. */
int profile__each(const struct profile__profile *profile,
		  int (*use)(void *context, const struct profile__sample *sample), void *context);

/* The mapping that held `pc` in the sample's process, at the time of the sample: an index, or
 * PROFILE__NONE. Of a call chain, ask with the chain's pcs. Logarithmic. */
uint32_t profile__map_at(const struct profile__profile *profile, uint32_t thread, uint32_t when, uint64_t pc);

/* The address of a mapped byte as the file's ELF headers would have it is for src/symbol to work out; this is
 * its offset in the file. */
static inline uint64_t profile__offset(const struct profile__map *map, uint64_t pc)
{
	return pc - map->start + map->offset;
}

#endif
