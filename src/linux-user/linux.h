/* SPDX-License-Identifier: MIT */
/**
 * Small Linux programs without a kernel: what `apmu run --linux` needs to load a static Arm (EABI) or AArch64
 * program and to answer its system calls. The machine runs the program at EL0 or User mode with addresses
 * mapped one to one, and hands each SVC here.
 *
 * There is one process with one thread. Signals are those that a program sends itself and those of its own
 * faults. A call that is not in the table ends the run with the call's name. Time is the modelled clock;
 * process, user and random numbers are the same in every run; there is never a terminal. The root directory
 * is a folder (folder.h), in which the program starts; apart from it there is /dev/null, and nothing else.
 *
 * The program is not trusted: neither its ELF file, nor any address, length or number that it passes.
 */
#ifndef APMU_LINUX_USER_LINUX_H
#define APMU_LINUX_USER_LINUX_H

#include "board/memory.h"

#define APMU_LINUX__PAGE    4096u
#define APMU_LINUX__REGIONS 512
#define APMU_LINUX__FILES   64
#define APMU_LINUX__PIPES   16
#define APMU_LINUX__SIGNALS 64
#define APMU_LINUX__NAME    1024 /* bytes of a name, with its terminating zero */

/* Return address of a signal's handler that names no other: the code there calls rt_sigreturn and, on
 * AArch32, sigreturn 16 bytes later. On AArch32 linux_start.c puts the code there; on AArch64 the machine
 * must. */
#define APMU_LINUX__TRAMPOLINE 0xFFFF0F00u

enum { APMU_LINUX__READ = 1, APMU_LINUX__WRITE = 2, APMU_LINUX__EXECUTE = 4 };

/* The registers that a signal's handler finds saved. */
struct apmu_linux__cpu {
	uint64_t r[31];         /* X0..X30; AArch32: R0..R14, of which r[13] is the stack pointer */
	uint64_t sp;            /* AArch64 only */
	uint64_t pc;            /* bit 0 clear */
	uint32_t state;         /* PSTATE or CPSR: flags, Q, GE, IT and T are what a program may change */
	uint32_t fpcr, fpsr;    /* AArch32: FPSCR is fpsr */
	uint64_t vector[32][2]; /* V0..V31; AArch32: D0..D31 are [n][0] */
};

/* What the machine does for the program. All addresses and sizes are whole pages. */
struct apmu_linux__machine {
	struct apmu_board__memory memory; /* the program's memory; ignores its protection */
	/* Maps memory that reads as zero, where nothing is mapped. Returns 0 or a negative errno value. */
	int (*map)(void *ctx, uint64_t address, uint64_t size, unsigned protection);
	void (*protect)(void *ctx, uint64_t address, uint64_t size, unsigned protection);
	void (*unmap)(void *ctx, uint64_t address, uint64_t size);
	void (*set_tls)(void *ctx, uint64_t value); /* AArch32: TPIDRURO, if the core has it */
	void (*get_cpu)(void *ctx, struct apmu_linux__cpu *cpu);
	void (*set_cpu)(void *ctx, const struct apmu_linux__cpu *cpu);     /* PC included */
	void (*write)(void *ctx, bool error, const void *bytes, size_t n); /* stdout, stderr */
	size_t (*read)(void *ctx, void *to,
		       size_t n); /* stdin: returns how many bytes came, 0 at its end; NULL: stdin is empty */
	void *ctx;
};

struct apmu_linux__config {
	struct apmu_linux__machine machine;
	bool aarch64;
	const char *const *argv; /* NULL-terminated; argv[0] is the program's name */
	const char *const *envp; /* NULL-terminated; NULL: empty */
	const char *uname;       /* what uname -m prints: "aarch64", "armv7l" ... */
	const char *platform;    /* AT_PLATFORM: "aarch64", "v7l" ... */
	uint64_t hwcap, hwcap2;
	uint64_t core_hz; /* cycles per second of modelled time, not 0 */
	uint64_t epoch;   /* CLOCK_REALTIME at cycle 0, seconds since 1970 */
	uint64_t seed;    /* of getrandom() and AT_RANDOM */
	uint64_t memory;  /* the most bytes that may be mapped at a time; 0: 1 GiB */
	int folder;       /* descriptor of the folder for files; -1: there are no files */
};

struct apmu_linux__region {
	uint64_t base, size;
	uint8_t protection;
};

enum apmu_linux__kind {
	APMU_LINUX__CLOSED,
	APMU_LINUX__STDIN, /* the console: descriptors 0, 1 and 2 at the start */
	APMU_LINUX__STDOUT,
	APMU_LINUX__STDERR,
	APMU_LINUX__DEV_NULL, /* /dev/null */
	APMU_LINUX__FILE,
	APMU_LINUX__FOLDER,
	APMU_LINUX__PIPE_READ,  /* the end that is read */
	APMU_LINUX__PIPE_WRITE, /* the end that is written */
};

struct apmu_linux__open {
	uint8_t kind;                      /* enum apmu_linux__kind */
	uint8_t pipe;                      /* PIPE_READ, PIPE_WRITE: index of the pipe */
	uint32_t flags;                    /* of open, in Linux's numbers */
	int host;                          /* FILE: descriptor */
	uint64_t inode;                    /* FILE */
	struct apmu_linux__folder *folder; /* FOLDER: linux_folder.c */
};

struct apmu_linux__pipe {
	uint8_t *bytes; /* NULL: the pipe is free */
	uint32_t from, n;
};

struct apmu_linux__action {
	uint64_t handler, flags, restorer, mask; /* handler: 0: SIG_DFL, 1: SIG_IGN */
};

/* The process: plain data of about 20 KiB, which the caller owns. */
struct apmu_linux__linux {
	struct apmu_linux__config config;
	struct apmu_linux__region region[APMU_LINUX__REGIONS];
	uint32_t regions;
	uint64_t mapped; /* bytes */
	uint64_t brk_start, brk;
	uint64_t random;
	uint64_t unknown; /* how many calls were answered with ENOSYS on purpose (rseq and the like) */
	struct apmu_linux__open open[APMU_LINUX__FILES];
	struct apmu_linux__pipe pipe[APMU_LINUX__PIPES];
	char cwd[APMU_LINUX__NAME];                                /* relative to the root; "" is the root */
	struct apmu_linux__action action[APMU_LINUX__SIGNALS + 1]; /* by signal */
	uint64_t blocked, pending;                                 /* bit n is signal n + 1 */
	uint64_t before;                         /* `blocked` as it was before the sigsuspend under way */
	bool suspended;                          /* a sigsuspend is under way */
	bool by_thread[APMU_LINUX__SIGNALS + 1]; /* by signal: sent by tkill or tgkill */
	uint64_t stack, stack_size;              /* the alternate stack; size 0: none */
};

struct apmu_linux__begin {
	uint64_t entry; /* bit 0: Thumb */
	uint64_t stack;
};

/* Loads the program and builds its stack: arguments, environment, auxiliary vector. Returns 0, or a negative
 * errno value with one line in `error`. */
int apmu_linux__start(struct apmu_linux__linux *process, const struct apmu_linux__config *config,
		      const void *elf, size_t n, struct apmu_linux__begin *begin, char *error, size_t size);

enum apmu_linux__end {
	APMU_LINUX__RETURN,  /* write `value` to x0 or r0, call apmu_linux__signal(), and continue */
	APMU_LINUX__RESUMED, /* continue: set_cpu() was called */
	APMU_LINUX__EXIT,    /* the program has ended, with `status` */
	APMU_LINUX__KILLED,  /* a signal ended the program: `status` */
	APMU_LINUX__UNKNOWN, /* the call is not provided: `name` */
	APMU_LINUX__STUCK,   /* the program waits for another thread or process, and there is none: `name` */
};

struct apmu_linux__result {
	enum apmu_linux__end end;
	int status;
	uint64_t value;
	const char *name; /* the call's name; NULL: its number is no Linux call */
	uint64_t idle;    /* cycles that must pass first (sleeps) */
};

/* Answers a system call. number: x8 or r7. args: x0... or r0... now: core cycles since reset. */
struct apmu_linux__result apmu_linux__call(struct apmu_linux__linux *process, uint64_t number,
					   const uint64_t args[6], uint64_t now);
/* Comes after a call, when its value is in x0 or r0: if a signal is deliverable, enters its handler (RESUMED)
 * or ends the program (KILLED). RETURN: there is none. */
struct apmu_linux__result apmu_linux__signal(struct apmu_linux__linux *process);

/* Delivers the signal of a fault, with its siginfo code: of an access to `address` by the instruction at the
 * PC that get_cpu() returns. A SIGSEGV at a mapped address has the code SEGV_ACCERR instead. False: the
 * program does not handle it, and nothing was done. */
bool apmu_linux__fault_signal(struct apmu_linux__linux *process, unsigned signal, int code, uint64_t address);

void apmu_linux__close(struct apmu_linux__linux *process); /* closes all descriptors */

/* The name of a call, for traces and errors; NULL: there is none. */
const char *apmu_linux__name(bool aarch64, uint64_t number);

#endif
