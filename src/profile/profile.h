/* SPDX-License-Identifier: MIT */
/**
 * A profile: what `apmu record` wrote about one run, and how to read it.
 *
 * What it is: small tables in memory (events, processes' mappings, threads, call chains as a tree) and a
 * stream of samples that stays in the file. profile__each() decodes the stream in file order as often as it
 * is called, so 10^7 samples need no more memory than the tables. What it is not: names. A sample has a pc;
 * the mapping that holds the pc gives a file and an offset, from which src/symbol makes names.
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
 * An exact profile (`record --exact`) has one sample per thread, event and instruction, whose weight is the
 * count; the weights sum to the thread's total.
 *
 * A file whose writer was killed can be opened; `flaws` says what is missing. Hostile files: every count and
 * index is checked; memory is bounded by the file's size.
 *
 * Threads: there are no locks; several threads may read a profile at once if none closes it.
 */
#ifndef APMU_PROFILE_PROFILE_H
#define APMU_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROFILE__NONE          UINT32_MAX /* no such index */
#define PROFILE__EVENTS        64u        /* the most in one profile */
#define PROFILE__CYCLE_COUNTER UINT32_MAX
#define PROFILE__SIGNAL        (UINT32_MAX - 1) /* event number of a signal that is no PMU event */
#define PROFILE__UNMAPPED      "[unknown]" /* path of a mapping of everything, by which a program begins */

/* An event that was sampled. */
struct profile__event {
	const char *label;  /* as the user wrote it: "branch-misses" */
	const char *name;   /* the manual's name on this core: "BR_MIS_PRED" */
	uint32_t number;    /* the selector's value; PROFILE__CYCLE_COUNTER */
	uint64_t period;    /* occurrences per sample; 0: by `frequency`, or exact */
	uint64_t frequency; /* wanted samples per million instructions; 0: by `period`, or exact */
	const char *part;   /* part of the CPI stack: "memory"; NULL: none */
	uint64_t scale;     /* cycles that an occurrence stands for in that part */
	bool aside;         /* recorded for the CPI stack only: shown if asked for by name */
	uint64_t total;   /* occurrences counted in all threads, as `apmu stat` would say; 0 if unfinished */
	uint64_t samples; /* number of samples in the file, all threads */
	uint64_t weight;  /* sum of their weights */
};

/* A source line: code from `address` to that of the next element belongs to it. */
struct profile__line {
	uint64_t address;
	uint32_t line;
	const char *file; /* as the program reported it */
};

/* A mapping of a part of a file in a process's memory. Later mappings hide earlier ones. */
struct profile__map {
	int32_t pid;
	uint64_t start, end;   /* guest addresses: start <= a < end */
	uint64_t offset;       /* offset of `start` in the file */
	const char *path;      /* absolute path on the host; "[...]" if it is not a file */
	bool unmapped;         /* the process executed another program, and earlier mappings are gone */
	uint8_t build_id[32];  /* of the file when it was mapped */
	uint8_t build_id_size; /* bytes; 0: it has none, or it could not be read */
	const char *function;  /* name of code that the program made, which has no file; else NULL */
	const struct profile__line *line; /* lines of such code in order of address, as far as reported */
	uint32_t lines;
	uint32_t bytes; /* bytes of `code`, its instructions */
	const uint8_t *code;
	uint32_t when; /* see struct profile__sample */
};

/* A thread of the program. */
struct profile__thread {
	int32_t pid, tid; /* numbers of the host, which differ between runs; the thread's index does not */
	const char *name; /* as the program set it; "": unknown */
	uint64_t instructions, cycles;   /* executed, as far as known */
	uint64_t total[PROFILE__EVENTS]; /* occurrences of each event; 0 if unfinished */
	uint64_t samples;
	uint64_t resyncs; /* how often its call chain had to be guessed (-g) */
	bool ended;       /* totals are known */
};

/* A node of the tree of call chains. */
struct profile__frame {
	uint64_t pc;     /* of the call instruction; with `signal`: of the interrupted instruction */
	uint32_t parent; /* less than the node's own index */
	bool signal;     /* a signal handler was entered here, not a call */
};

/* The place that data came from. */
enum profile__level {
	PROFILE__LEVEL_NONE,
	PROFILE__LEVEL_L1,
	PROFILE__LEVEL_L2,
	PROFILE__LEVEL_L3,
	PROFILE__LEVEL_MEMORY,
	PROFILE__LEVEL_PEER,    /* another core's first level */
	PROFILE__LEVEL_MODIFIED /* another core's first level, modified there */
};

/* Kinds of branches, with perf's numbers (PERF_BR_...). */
enum profile__branch_kind {
	PROFILE__KIND_NONE, /* no branch: fall-through code */
	PROFILE__KIND_CONDITIONAL,
	PROFILE__KIND_JUMP,
	PROFILE__KIND_INDIRECT,
	PROFILE__KIND_CALL,
	PROFILE__KIND_CALL_INDIRECT,
	PROFILE__KIND_RETURN
};

/* A taken branch before a sample (record -b). */
#define PROFILE__BRANCHES 32u /* largest number of branches of a sample */
struct profile__branch {
	uint64_t from, to; /* address of the branch instruction, and its target */
	uint64_t cycles;   /* cycles since the previous taken branch */
	uint8_t kind;      /* enum profile__branch_kind */
	bool mispredicted; /* by the modelled predictor */
};

/* How often a thread went from one piece of straight-line code to the next (record -b): exact. */
struct profile__edge {
	uint64_t start;        /* address of the first instruction that ran */
	uint64_t from;         /* address of the last one: a branch, unless `kind` is KIND_NONE */
	uint64_t to;           /* address of the instruction that ran next */
	uint64_t runs;         /* number of times */
	uint64_t mispredicted; /* how many of them were mispredicted */
	uint8_t kind;          /* enum profile__branch_kind */
	bool taken;            /* the branch was taken */
	uint32_t thread, when; /* as in struct profile__sample */
};

/* One sample. */
struct profile__sample {
	uint64_t pc; /* address of the instruction that made the counter overflow (or `skid` instructions
			later); T32: bit 0 is clear */
	uint64_t instructions;  /* executed by this thread, this one included: a clock */
	uint64_t cycles;        /* cycles of the thread's core; 0 unless the profile has `cycles` */
	uint64_t weight;        /* occurrences that the sample stands for */
	uint64_t address;       /* address of the data; valid if has_data */
	uint32_t latency;       /* cycles until the data were there (loads); 0: not known */
	uint32_t event, thread; /* indices */
	uint32_t chain;         /* node of `frame`; 0: no callers are known */
	uint32_t when;          /* position in the file, to compare with a mapping's */
	const struct profile__branch *branch; /* taken branches before it, youngest first */
	uint32_t branches;
	uint8_t level; /* enum profile__level */
	bool tlb_miss; /* the first-level TLB missed */
	bool walk;     /* the main TLB missed too: a table walk */
	bool store;    /* the reported access was a store */
	bool has_data; /* address, store, level, tlb_miss, walk, latency are valid */
};

/* Defects of the file: bits. */
enum profile__flaw {
	PROFILE__FLAW_UNFINISHED = 1, /* no END block: apmu was killed, and totals are missing */
	PROFILE__FLAW_TRUNCATED = 2,  /* the last block is cut off */
	PROFILE__FLAW_DAMAGED = 4,    /* blocks with a wrong checksum were skipped */
	PROFILE__FLAW_LOST = 8,       /* `lost` samples could not be written */
};

struct profile__profile {
	uint32_t flaws;          /* enum profile__flaw */
	uint64_t lost;           /* samples that did not reach the file */
	uint64_t samples;        /* samples in the file */
	const char *version;     /* version of the apmu that wrote it */
	const char *core;        /* "cortex-a53" */
	const char *program;     /* path of the program, absolute */
	const char *uarch;       /* title of the parameter row: "Cortex-A53 as in ..."; "": unknown */
	uint32_t line;           /* bytes of a line of L1 data; 0: unknown */
	uint64_t clock;          /* the core's clock, Hz; 0: unknown */
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
	size_t maps;                    /* those of code that the program made come last */
	struct profile__thread *thread; /* in the order in which they began */
	size_t threads;
	struct profile__frame *frame; /* frame[0] is the root */
	size_t frames;
	struct profile__edge *edge; /* of all threads, in no order */
	size_t edges;

	struct profile__file *file; /* private to the reader */
};

/* Opens a profile and reads its tables. 0, or a negative errno value with one line in `error`: the file
 * cannot be read, is not a profile, has a newer version than this apmu reads, or is empty. Flaws are not
 * errors. "-" is standard input, which like any pipe is copied into memory. */
int profile__open(const char *path, struct profile__profile **out, char *error, size_t size);
void profile__close(struct profile__profile *profile); /* NULL is fine */

/* Calls `use` with each sample in file order, in which a thread's samples of one event are in order of time.
 * Stops if `use` returns other than 0, and returns that value; -ENOMEM or -EIO if the file cannot be read
 * again; else 0. The sample is valid until `use` returns. */
int profile__each(const struct profile__profile *profile,
		  int (*use)(void *context, const struct profile__sample *sample), void *context);

/* Returns the index of the mapping that held `pc` in the sample's process, at the time of the sample, or
 * PROFILE__NONE. For a call chain, pass the chain's pcs. Logarithmic time. */
uint32_t profile__map_at(const struct profile__profile *profile, uint32_t thread, uint32_t when, uint64_t pc);

/* Returns the path of the program that a thread ran at the moment `when`: the recorded one, or one that its
 * process, or the one that this was forked from, executed since. */
const char *profile__program_at(const struct profile__profile *profile, uint32_t thread, uint32_t when);

/* The number by which a thread is shown: from 1; of a system that of the virtual CPU, from 0. */
static inline uint64_t profile__thread_number(const struct profile__profile *profile, size_t t)
{
	return profile->system ? (uint64_t)profile->thread[t].tid : t + UINT64_C(1);
}

/* Returns the offset in its file of a mapped byte. src/symbol finds the address in terms of the file's ELF
 * headers. */
static inline uint64_t profile__offset(const struct profile__map *map, uint64_t pc)
{
	return pc - map->start + map->offset;
}

#endif
