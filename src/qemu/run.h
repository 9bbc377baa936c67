/* SPDX-License-Identifier: MIT */
/**
 * Running a program under an engine and getting its tallies: what the command needs of qemu.
 *
 * A run makes *marks*: the running totals of one thread at a moment. The last mark of a thread is its end.
 * With an interval there is a mark each time a signal has gained that much, so that whoever holds a PMU can
 * replay the run in slices (`stat -I`, `stat --as-hardware`). The engine knows no PMU.
 */
#ifndef APMU_QEMU_RUN_H
#define APMU_QEMU_RUN_H

#include "isa/elf_probe.h"

#include <apmu/core.h>
#include <apmu/model.h>
#include <apmu/uarch.h>
#include <stdio.h>
#include <sys/types.h>

/* An event to sample: a sum of signals, and how often. */
struct apmu_qemu__run_event {
	uint16_t signal[APMU_GAUGE_SIGNALS]; /* enum apmu_signal */
	uint8_t signals;                     /* used elements */
	uint8_t minus;                       /* the last so many of them are subtracted */
	uint64_t period;                     /* occurrences a sample; 0: by frequency */
	uint64_t frequency;                  /* samples per million instructions, about; or FALLS */
};

/* A frequency that halves after each APMU_QEMU__RUN_STAGE samples, from one in APMU_QEMU__RUN_FIRST
 * instructions on: some thousands of samples, of a short run as of a long one. */
#define APMU_QEMU__RUN_FALLS UINT64_MAX
#define APMU_QEMU__RUN_STAGE 1000u
#define APMU_QEMU__RUN_FIRST 500u

static inline uint64_t apmu_qemu__run_event_sum(const struct apmu_qemu__run_event *event,
						const struct apmu_tally *tally)
{
	unsigned k = 0, added = (unsigned)event->signals - event->minus;
	uint64_t n = 0;

	for (; k < added; k++)
		n += tally->n[event->signal[k]];
	for (; k < event->signals; k++)
		n -= tally->n[event->signal[k]];
	return n;
}

/* Samples go to `file`, as blocks of src/profile/format.h. */
struct apmu_qemu__run_record {
	const struct apmu_qemu__run_event *event;
	size_t events; /* 1 .. PROFILE__EVENTS */
	int file;      /* opened with O_APPEND; begun */
	bool chains;   /* a shadow stack of calls */
	bool data;     /* addresses, where they hit */
	bool exact;    /* no samples: count each instruction's events */
	bool branches; /* the last branches with each sample, and how often each was taken */
	uint32_t skid; /* instructions from the one that made the overflow to the one that is sampled */
	/* Called now and then while the program runs; may be NULL. */
	void (*progress)(void *context, uint64_t samples, uint64_t instructions);
	void *context;
};

/* What part of the program is counted; the rest runs as well, with its caches. */
enum apmu_qemu__region_kind {
	APMU_QEMU__REGION_ALL,
	APMU_QEMU__REGION_ADDRESSES, /* from `begin` on, up to `end` */
	APMU_QEMU__REGION_FUNCTION,  /* from `begin`, a function's first instruction, until it returns */
	APMU_QEMU__REGION_MARKS,     /* from mark `begin` to mark `end`, which may be the same number */
	/* As Callgrind's client requests in the program say (callgrind.h), each thread for itself. `begin`: 1
	 * if it is counted from the start, 2 if so unless a request to start comes (not for recording).
	 * `end`: 1 if requests to dump make parts, each with a mark. */
	APMU_QEMU__REGION_REQUESTS
};
#define APMU_QEMU__REGION_FUNCTIONS 64

struct apmu_qemu__run_region {
	enum apmu_qemu__region_kind kind;
	uint64_t begin, end; /* addresses as the program's file has them; numbers of marks */
	/* Of a function: others that begin the region too, `functions` of them. */
	uint64_t other[APMU_QEMU__REGION_FUNCTIONS - 1];
	uint32_t functions;
};

#define APMU_QEMU__SYSTEM_PID 1

struct apmu_qemu__run_options {
	const struct apmu_core *core;
	const struct apmu_uarch_params *uarch; /* the core's row, with the user's changes */
	const char *plugin;  /* path of the plugin; NULL: beside the command, then the install folder */
	const char *qemu;    /* path of QEMU; NULL: apmu_qemu__named()'s */
	const char *cpu;     /* -cpu; NULL: the core's */
	const char *sysroot; /* -L; NULL: Debian's cross root if the program is dynamic */
	char *const *argv;   /* program and arguments, NULL-terminated */
	bool system; /* argv is a command line of qemu-system-arm or qemu-system-aarch64: virtual CPUs are
			the threads (pid APMU_QEMU__SYSTEM_PID, tid their index) */
	uint64_t wanted[APMU_SIGNAL_WORDS];
	bool estimate_stalls;             /* apmu_uarch_estimate_stalls() */
	enum apmu_signal interval_signal; /* with interval != 0: mark every `interval` of this signal */
	uint64_t interval;
	bool follow; /* children of fork are counted too, each with its own marks */
	const struct apmu_qemu__run_record *record; /* NULL: counts alone */
	struct apmu_qemu__run_region region;        /* zero: everything */
	void (*ended)(int ended_by); /* the program has ended, `ended_by` is as in the result; signals are
					still held; may be NULL */
	bool fixed; /* time and random numbers that the program asks for are made of the run's seed */
	int (*interrupted)(void); /* not 0: a signal asked to end before the program was started, so it is
				     not; may be NULL */
};

struct apmu_qemu__snapshot {
	pid_t pid, tid;   /* the thread */
	uint8_t last;     /* the thread's end (or what it had when the process was killed) */
	uint32_t serial;  /* of the thread in the samples */
	uint64_t resyncs; /* times its call chain had to be guessed */
	uint8_t dump;     /* no moment but a part: a request to dump; then counting began anew */
	char name[64];    /* that the request gave it; else the thread's, empty if it has none */
	struct apmu_uarch_breach breach; /* of the thread's clock, counted or not */
	struct apmu_tally tally;
};

/* What `fixed` does not fix, and the program asked for. */
enum apmu_qemu__unfixed {
	APMU_QEMU__UNFIXED_PID = 1,
	APMU_QEMU__UNFIXED_THREADS = 2,
	APMU_QEMU__UNFIXED_STATUS = 4
};

/* SVE loads and stores ran, or nearly so, whose accesses this QEMU does not report. */
enum apmu_qemu__hidden {
	APMU_QEMU__HIDDEN_MOST = 1,     /* all but LDR, STR and LD1R */
	APMU_QEMU__HIDDEN_SCATTERED = 2 /* gathers, scatters; first-fault and no-fault loads in part */
};
const char *apmu_qemu__hidden_text(uint32_t hidden); /* what no addresses are reported of */

struct apmu_qemu__run_result {
	int exit;     /* exit status of the program, or 128 + signal */
	int signal;   /* that ended it, or 0 */
	int ended_by; /* a signal that asked us to end meanwhile (INT, TERM, QUIT, HUP), or 0 */
	struct apmu_qemu__snapshot *mark; /* in order of time within a thread */
	size_t marks;
	uint64_t undecoded;      /* instructions that no row of classify knows, executed */
	uint64_t undecoded_word; /* the first of them */
	uint64_t preloads;       /* of data whose address is unknown; 0: too few to matter (collect.c) */
	uint32_t hidden;         /* bits of enum apmu_qemu__hidden */
	uint64_t moved;          /* where the program lay, less where its file says; a system's: 0 */
	uint64_t entered;        /* times that a thread entered the region */
	uint64_t samples, samples_lost; /* recorded; of these, not written */
	uint64_t requests;              /* client requests of Callgrind's that were obeyed, */
	uint64_t requests_unread;       /* and those that could not be read */
	uint32_t unfixed;               /* bits of enum apmu_qemu__unfixed */
	uint64_t edges_lost;            /* runs of edges that found no room */
	uint64_t blurred;               /* of these, exact to the block and not to the instruction */
	int record_error;               /* errno value of the first that could not be */
	uint64_t marks_lost;            /* of intervals, not written: the next mark has their counts */
	int marks_error;                /* errno value of the first of them */
	uint64_t threads_lost;          /* that died uncounted */
};

/* Runs the program to its end. 0 or a negative apmu_error / errno value (-EINTR: interrupted()); then `error`
 * (of `size` bytes) holds one line for the user: what was wrong and what would be right. The program's
 * descriptors 0, 1, 2 are the caller's. The caller frees result->mark with free(). */
int apmu_qemu__run(const struct apmu_qemu__run_options *options, struct apmu_qemu__run_result *result,
		   char *error, size_t size);

/* What apmu_qemu__run() would run, before anything is written for it: the program's (or QEMU's) path, and its
 * ELF machine. The same errors, as far as they show before the start. */
int apmu_qemu__run_find(const struct apmu_qemu__run_options *options, char *program, size_t room,
			uint16_t *machine, char *error, size_t size);

/* The QEMU that a run takes, "qemu-arm" or "qemu-aarch64": in the folder that APMU_QEMU names, else our own,
 * else in PATH; and its version, empty if it does not say. False if there is none that can be run. */
bool apmu_qemu__named(const char *name, char *path, size_t room, char *version, size_t size);

/* Has the core what programs of this ELF machine run in? */
bool apmu_qemu__core_runs(const struct apmu_core *core, uint16_t machine);

/* apmu_isa__elf_probe() for a program as people name it, found in PATH; with `system` it is a QEMU, whose
 * name says what it emulates (`arch` then that of Armv7). */
int apmu_qemu__elf_named(const char *name, bool system, struct apmu_isa__elf *out, char *error, size_t size);

#endif
