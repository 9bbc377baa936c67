/* SPDX-License-Identifier: MIT */
/**
 * Small Linux programs without a kernel: what `apmu run --linux` needs to load a static Arm (EABI) or AArch64
 * program and to answer its system calls. The machine runs the program at EL0 or User mode with addresses
 * mapped one to one, and hands each SVC here.
 *
 * One process, one thread. Signals are those that a program sends itself and those of its own faults. Calls
 * that are not in the table end the run with their name. Time is the modelled clock; process, user and random
 * numbers are the same in every run; a terminal is never there. The root directory is a folder (folder.h), in
 * which the program starts; beside it there is /dev/null, and nothing else.
 *
 * The program is not trusted: its ELF file, and every address, length and number that it passes.
 */
#ifndef APMU_LINUX_USER_LINUX_H
#define APMU_LINUX_USER_LINUX_H

#include "board/memory.h"

#define APMU__LINUX_PAGE    4096u
#define APMU__LINUX_REGIONS 512
#define APMU__LINUX_FILES   64
#define APMU__LINUX_PIPES   16
#define APMU__LINUX_SIGNALS 64
#define APMU__LINUX_NAME    1024 /* bytes of a name, its zero too */

/* Where a signal's handler returns to that names no other place: rt_sigreturn is called, on AArch32 sigreturn
 * 16 bytes later. AArch32: it is there; AArch64: the machine shall put it there. */
#define APMU__LINUX_TRAMPOLINE 0xFFFF0F00u

enum { APMU__LINUX_READ = 1, APMU__LINUX_WRITE = 2, APMU__LINUX_EXECUTE = 4 };

/* The registers that a signal's handler finds saved. */
struct apmu__linux_cpu {
	uint64_t r[31];         /* X0..X30, or R0..R14: [13] is the stack pointer */
	uint64_t sp;            /* AArch64 */
	uint64_t pc;            /* bit 0 clear */
	uint32_t state;         /* PSTATE or CPSR: flags, Q, GE, IT and T are what a program may change */
	uint32_t fpcr, fpsr;    /* AArch32: FPSCR is fpsr */
	uint64_t vector[32][2]; /* V0..V31; AArch32: D0..D31 are [n][0] */
};

/* What the machine does. All addresses and sizes are whole pages. */
struct apmu__linux_machine {
	struct apmu__board_memory memory; /* the program's, whatever its protection */
	/* Memory that reads as zero; nothing is mapped there now. 0 or a negative errno value. */
	int (*map)(void *ctx, uint64_t address, uint64_t size, unsigned protection);
	void (*protect)(void *ctx, uint64_t address, uint64_t size, unsigned protection);
	void (*unmap)(void *ctx, uint64_t address, uint64_t size);
	void (*set_tls)(void *ctx, uint64_t value); /* AArch32: TPIDRURO, if the core has it */
	void (*get_cpu)(void *ctx, struct apmu__linux_cpu *cpu);
	void (*set_cpu)(void *ctx, const struct apmu__linux_cpu *cpu); /* also where the program goes on */
	void (*write)(void *ctx, bool error, const void *bytes, size_t n); /* stdout, stderr */
	size_t (*read)(void *ctx, void *to,
		       size_t n); /* stdin: how many came, 0 at the end; NULL: at the end */
	void *ctx;
};

struct apmu__linux_config {
	struct apmu__linux_machine machine;
	bool aarch64;
	const char *const *argv; /* NULL-terminated; argv[0] is the program's name */
	const char *const *envp; /* NULL-terminated; NULL: empty */
	const char *uname;       /* of uname -m: "aarch64", "armv7l" ... */
	const char *platform;    /* AT_PLATFORM: "aarch64", "v7l" ... */
	uint64_t hwcap, hwcap2;
	uint64_t core_hz; /* cycles a second of modelled time, not 0 */
	uint64_t epoch;   /* CLOCK_REALTIME at cycle 0, seconds since 1970 */
	uint64_t seed;    /* of getrandom() and AT_RANDOM */
	uint64_t memory;  /* the most bytes that may be mapped at a time; 0: 1 GiB */
	int folder;       /* descriptor of the folder for files, or -1: there are none */
};

struct apmu__linux_region {
	uint64_t base, size;
	uint8_t protection;
};

enum apmu__linux_kind {
	APMU__LINUX_CLOSED,
	APMU__LINUX_INPUT, /* the console: 0, 1 and 2 at first */
	APMU__LINUX_OUTPUT,
	APMU__LINUX_ERRORS,
	APMU__LINUX_NOTHING, /* /dev/null */
	APMU__LINUX_FILE,
	APMU__LINUX_FOLDER,
	APMU__LINUX_TAKES, /* from a pipe */
	APMU__LINUX_GIVES, /* to one */
};

struct apmu__linux_open {
	uint8_t kind;                      /* enum apmu__linux_kind */
	uint8_t pipe;                      /* which */
	uint32_t flags;                    /* of open, in Linux's numbers */
	int host;                          /* FILE: descriptor */
	uint64_t inode;                    /* FILE */
	struct apmu__linux_folder *folder; /* FOLDER: linux_folder.c */
};

struct apmu__linux_pipe {
	uint8_t *bytes; /* NULL: a free place */
	uint32_t from, n;
};

struct apmu__linux_action {
	uint64_t handler, flags, restorer, mask; /* handler 0: as is usual, 1: nothing */
};

/* Plain data, about 20 KiB; the caller's. */
struct apmu__linux {
	struct apmu__linux_config config;
	struct apmu__linux_region region[APMU__LINUX_REGIONS];
	uint32_t regions;
	uint64_t mapped; /* bytes */
	uint64_t brk_start, brk;
	uint64_t random;
	uint64_t unknown; /* calls answered with ENOSYS on purpose (rseq and the like) */
	struct apmu__linux_open open[APMU__LINUX_FILES];
	struct apmu__linux_pipe pipe[APMU__LINUX_PIPES];
	char cwd[APMU__LINUX_NAME];                                /* below the root: "" is the root */
	struct apmu__linux_action action[APMU__LINUX_SIGNALS + 1]; /* by signal */
	uint64_t blocked, pending;                                 /* bit n: signal n + 1 */
	uint64_t before;                                           /* what was blocked ... */
	bool suspended;                                            /* ... before a sigsuspend under way */
	bool by_thread[APMU__LINUX_SIGNALS + 1];                   /* sent by tkill or tgkill */
	uint64_t stack, stack_size;                                /* sigaltstack; size 0: none */
};

struct apmu__linux_begin {
	uint64_t entry; /* bit 0: Thumb */
	uint64_t stack;
};

/* Loads the program and builds its stack: arguments, environment, auxiliary vector. 0, or a negative errno
 * value with one line in `error`. */
int apmu__linux_start(struct apmu__linux *process, const struct apmu__linux_config *config, const void *elf,
		      size_t n, struct apmu__linux_begin *begin, char *error, size_t size);

enum apmu__linux_end {
	APMU__LINUX_RETURN,  /* write `value` to x0 or r0 and go on, after apmu__linux_signal() */
	APMU__LINUX_RESUMED, /* go on: set_cpu() was called */
	APMU__LINUX_EXIT,    /* over, with `status` */
	APMU__LINUX_KILLED,  /* by a signal: `status` */
	APMU__LINUX_UNKNOWN, /* a call that is not provided: `name` */
	APMU__LINUX_STUCK,   /* it waits for another thread or process, and there is none: `name` */
};

struct apmu__linux_result {
	enum apmu__linux_end end;
	int status;
	uint64_t value;
	const char *name; /* of the call; NULL: a number that no Linux has */
	uint64_t idle;    /* cycles that shall pass first (sleeps) */
};

/* number: x8 or r7. args: x0.. or r0... now: core cycles since reset. */
struct apmu__linux_result apmu__linux_call(struct apmu__linux *process, uint64_t number,
					   const uint64_t args[6], uint64_t now);
/* After a call, with its value in x0 or r0: if a signal is there to be taken, its handler is entered
 * (RESUMED), or it ends the program (KILLED). RETURN: there is none. */
struct apmu__linux_result apmu__linux_signal(struct apmu__linux *process);

/* A fault at `address` of instruction `pc`, to which get_cpu() points: its signal and code. False: the
 * program does not take it, and nothing was done. */
bool apmu__linux_fault_signal(struct apmu__linux *process, unsigned signal, int code, uint64_t address);

void apmu__linux_close(struct apmu__linux *process); /* all files */

/* The name of a call, for traces and errors; NULL: there is none. */
const char *apmu__linux_name(bool aarch64, uint64_t number);

#endif
