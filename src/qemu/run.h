/* SPDX-License-Identifier: MIT */
/**
 * Runs a program under QEMU and returns its tallies: all that the command needs of src/qemu.
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

/* An event to sample: a sum of signals, and its period or frequency. */
struct apmu_qemu__run_event {
	uint16_t signal[APMU_GAUGE_SIGNALS]; /* enum apmu_signal */
	uint8_t signals;                     /* used elements of `signal` */
	uint8_t minus;                       /* how many of them, the last ones, are subtracted */
	uint64_t period;                     /* occurrences per sample; 0: by frequency */
	uint64_t frequency; /* approximate samples per million instructions; or APMU_QEMU__RUN_FALLS */
};

/* A frequency that starts at one sample per APMU_QEMU__RUN_FIRST instructions and halves after every
 * APMU_QEMU__RUN_STAGE samples of the run: a short run and a long one both give some thousands of samples. */
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

/* What to record. Samples go to `file`, as blocks of src/profile/format.h. */
struct apmu_qemu__run_record {
	const struct apmu_qemu__run_event *event;
	size_t events; /* 1 .. PROFILE__EVENTS */
	int file;      /* opened with O_APPEND; the file's head is written */
	bool chains;   /* call chains, from a shadow stack */
	bool data;     /* data addresses, and where they hit */
	bool exact;    /* no samples: each instruction's events are counted */
	bool branches; /* each sample has the last branches; each branch's executions are counted */
	uint32_t skid; /* instructions from the one that made the overflow to the one that is sampled */
	/* Called about every 250 ms while the program runs; may be NULL. */
	void (*progress)(void *context, uint64_t samples, uint64_t instructions);
	void *context;
};

/* The part of the program that is counted. The rest runs through the modelled caches too. */
enum apmu_qemu__region_kind {
	APMU_QEMU__REGION_ALL,
	APMU_QEMU__REGION_ADDRESSES, /* from the instruction at `begin` until the one at `end` */
	APMU_QEMU__REGION_FUNCTION,  /* from `begin`, a function's first instruction, until it returns */
	APMU_QEMU__REGION_MARKS,     /* from mark `begin` to mark `end`, which may be the same number */
	/* Wherever the program's Callgrind client requests say so (callgrind.h), each thread for itself.
	 * `begin`: 1 if counting is on from the start; 2 the same, unless a request to start comes, or one to
	 * toggle before all others (not for recording). `end`: 1 if each request to dump ends a part, which
	 * gets a mark; then programs that are executed are counted too, each as its own requests say. */
	APMU_QEMU__REGION_REQUESTS
};
#define APMU_QEMU__REGION_FUNCTIONS 64

struct apmu_qemu__run_region {
	enum apmu_qemu__region_kind kind;
	uint64_t begin, end; /* addresses as the program's file has them; numbers of marks */
	/* Of a function: other addresses that also begin the region; `functions` of them are used. */
	uint64_t other[APMU_QEMU__REGION_FUNCTIONS - 1];
	uint32_t functions;
};

#define APMU_QEMU__SYSTEM_PID 1

struct apmu_qemu__run_options {
	const struct apmu_core *core;
	const struct apmu_uarch_params *uarch; /* the core's row, with the user's changes */
	const char *plugin;  /* path of the plugin; NULL: beside the command, then the install folder */
	const char *qemu;    /* path of QEMU; NULL: apmu_qemu__named()'s */
	const char *cpu;     /* value of -cpu; NULL: the core's */
	const char *sysroot; /* value of -L; NULL: Debian's cross root if the program is dynamic */
	char *const *argv;   /* program and arguments, NULL-terminated */
	bool system; /* argv is a command line of qemu-system-arm or qemu-system-aarch64; virtual CPUs are the
			threads (pid APMU_QEMU__SYSTEM_PID, tid their index) */
	uint64_t wanted[APMU_SIGNAL_WORDS];
	bool estimate_stalls; /* apmu_uarch_estimate_stalls() */
	uint32_t sample_time; /* apmu_uarch_sample_time(): one in so many; 0: not. Without `record` and
				 `region` */
	enum apmu_signal interval_signal; /* with interval != 0: mark every `interval` of this signal */
	uint64_t interval;
	bool follow; /* children of fork are counted too, each with its own marks */
	const struct apmu_qemu__run_record *record; /* NULL: only counts */
	struct apmu_qemu__run_region region;        /* zero: everything */
	void (*ended)(int ended_by); /* called when the program has ended, with signals still held; `ended_by`
					is as in the result; may be NULL */
	bool (*insists)(int signal); /* called for each signal that asks the program to end, after the program
					got it; true: the program is to be killed, because it does not end;
					may be NULL */
	bool fixed; /* time and random numbers that the program asks for derive from the run's seed */
	int (*interrupted)(void); /* returns nonzero if a signal asked to end before the program was started,
				     which then is not; may be NULL */
};

struct apmu_qemu__snapshot {
	pid_t pid, tid;   /* the thread */
	uint8_t last;     /* the thread's end, or its totals when the process was killed */
	uint32_t serial;  /* the thread's number in the samples */
	uint64_t resyncs; /* times its call chain had to be guessed */
	uint32_t image;   /* number of the program: one that is executed or forked has a number of its own */
	uint8_t asked;    /* the thread has made client requests that were obeyed */
	uint8_t dump;     /* a part: ended by a request to dump, after which counting began anew */
	char name[64];    /* given by the request to dump; else the thread's, empty if it has none */
	struct apmu_uarch_violation violation; /* of the thread's clock, inside the region or not */
	uint64_t untimed;                      /* instructions whose time is estimated by samples */
	double variance;                       /* of CYCLES, by that; square cycles */
	struct apmu_tally tally;
};

/* What the program asked for although `fixed` cannot fix it. */
enum apmu_qemu__unfixed {
	APMU_QEMU__UNFIXED_PID = 1,
	APMU_QEMU__UNFIXED_THREADS = 2,
	APMU_QEMU__UNFIXED_STATUS = 4
};

/* SVE loads and stores that were translated and whose accesses this QEMU does not report. */
enum apmu_qemu__hidden {
	APMU_QEMU__HIDDEN_MOST = 1,     /* all but LDR, STR and LD1R */
	APMU_QEMU__HIDDEN_SCATTERED = 2 /* gathers, scatters, and part of first-fault and no-fault loads */
};
const char *apmu_qemu__hidden_text(uint32_t hidden); /* names the accesses whose addresses are missing */

/* Formats of what the user is told about `threads_lost`, and about `native` programs. */
#define APMU_QEMU__THREADS_LOST                                                                      \
	"%" PRIu64                                                                                   \
	" threads are missing: too many were alive at once, or a program was executed after chroot " \
	"or setuid"
#define APMU_QEMU__NATIVE_TEXT \
	"programs of the host, not Arm's, were executed %" PRIu64 " times, and not counted; the first was %s"

struct apmu_qemu__run_result {
	int exit;     /* exit status of the program, or 128 + signal */
	int signal;   /* the signal that ended it, or 0 */
	int ended_by; /* the signal that asked the command to end meanwhile (INT, TERM, QUIT, HUP), or 0 */
	struct apmu_qemu__snapshot *mark; /* in order of time within a thread */
	size_t marks;
	uint64_t undecoded;      /* executed instructions unknown to the classifier */
	uint64_t undecoded_word; /* the first of them */
	uint64_t preloads;       /* data preloads of unknown address; 0: too few to matter (collect.c) */
	uint32_t hidden;         /* bits of enum apmu_qemu__hidden */
	uint64_t load_bias; /* the program's address in memory minus that in its file; 0 for a whole system */
	uint64_t entered;   /* how often a thread entered the region */
	uint64_t samples, samples_lost; /* samples recorded; of these, samples not written */
	uint64_t requests;              /* Callgrind client requests that were obeyed */
	uint64_t requests_unread;       /* Callgrind client requests that could not be read */
	uint32_t unfixed;               /* bits of enum apmu_qemu__unfixed */
	uint64_t edges_lost;            /* edge executions not counted, for lack of room */
	uint64_t blurred;               /* samples that are exact to the block, not to the instruction */
	int record_error;               /* errno value of the first failure to write to the file; 0: none */
	uint64_t marks_lost;            /* interval marks not written; the next mark has their counts */
	int marks_error;                /* errno value of the first lost mark */
	uint64_t native;                /* programs of the host that were executed, and so not counted */
	char native_path[256];          /* of the first of them */
	uint64_t threads_lost;          /* threads that ended with the process and whose counts are lost */
};

/* Runs the program to its end. Returns 0 or a negative apmu_error / errno value (-EINTR: interrupted()); then
 * `error` (of `size` bytes) holds one line for the user: what was wrong and what would be right. The program
 * inherits the caller's descriptors 0, 1 and 2. The caller frees result->mark with free(). */
int apmu_qemu__run(const struct apmu_qemu__run_options *options, struct apmu_qemu__run_result *result,
		   char *error, size_t size);

/* Finds what apmu_qemu__run() would run, before anything is written for it: the program's (or QEMU's) path,
 * and its ELF machine. Returns the same errors, as far as they show before the start. */
int apmu_qemu__run_find(const struct apmu_qemu__run_options *options, char *program, size_t room,
			uint16_t *machine, char *error, size_t size);

/* Finds the QEMU that a run would use, "qemu-arm" or "qemu-aarch64": in the folder that APMU_QEMU names, else
 * apmu's own, else in PATH; and its version, empty if it reports none. False if there is none that can be
 * run. */
bool apmu_qemu__named(const char *name, char *path, size_t room, char *version, size_t size);

/* Opens a file without a name, for reading and writing, in the folder that TMPDIR names, else in /tmp: it is
 * gone with the last process that has it open. Returns -1 and errno on failure; *folder is the folder in any
 * case. */
int apmu_qemu__nameless_file(const char **folder);

/* True if the core has the execution state for programs of this ELF machine. */
bool apmu_qemu__core_runs(const struct apmu_core *core, uint16_t machine);

/* apmu_isa__elf_probe() for a program named as on a command line: looked up in PATH, and below the sysroot
 * first (NULL: there is none); of a script for its interpreter. With `system` it is a QEMU, whose name says
 * what it emulates; `arch` is then that of Armv7. */
int apmu_qemu__elf_named(const char *name, const char *sysroot, bool system, struct apmu_isa__elf *out,
			 char *error, size_t size);

/* The command's own path, in `size` bytes: PATH_MAX or more. Empty if it is unknown; without /proc that by
 * which the command was executed. */
void apmu_qemu__own_path(char *out, size_t size);

#endif
