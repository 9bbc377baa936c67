/* SPDX-License-Identifier: MIT */
/**
 * Small Linux programs without a kernel: what `apmu run --linux` needs to load a static Arm (EABI) or AArch64
 * program and to answer its system calls. The machine runs the program at EL0 or User mode with addresses
 * mapped one to one, and hands each SVC here.
 *
 * One process, one thread, no signals delivered. Calls that are not in the table end the run with their name.
 * Time is the modelled clock; process, user and random numbers are the same in every run; a terminal is never
 * there. Files are those of one folder (folder.h), by relative names.
 *
 * The program is not trusted: its ELF file, and every address, length and number that it passes.
 */
#ifndef APMU_ENGINE_BOARD_LINUX_H
#define APMU_ENGINE_BOARD_LINUX_H

#include "memory.h"

#define APMU__LINUX_PAGE    4096u
#define APMU__LINUX_REGIONS 512
#define APMU__LINUX_FILES   64

enum { APMU__LINUX_READ = 1, APMU__LINUX_WRITE = 2, APMU__LINUX_EXECUTE = 4 };

/* What the machine does. All addresses and sizes are whole pages. */
struct apmu__linux_machine {
	struct apmu__memory memory; /* the program's, whatever its protection */
	/* Memory that reads as zero; nothing is mapped there now. 0 or a negative errno value. */
	int (*map)(void *ctx, uint64_t address, uint64_t size, unsigned protection);
	void (*protect)(void *ctx, uint64_t address, uint64_t size, unsigned protection);
	void (*unmap)(void *ctx, uint64_t address, uint64_t size);
	void (*set_tls)(void *ctx, uint64_t value); /* AArch32: TPIDRURO, if the core has it */
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

/* Plain data, about 13 KiB; the caller's. */
struct apmu__linux {
	struct apmu__linux_config config;
	struct apmu__linux_region region[APMU__LINUX_REGIONS];
	uint32_t regions;
	uint64_t mapped; /* bytes */
	uint64_t brk_start, brk;
	uint64_t random;
	uint64_t unknown;                   /* calls answered with ENOSYS on purpose (rseq and the like) */
	int file[APMU__LINUX_FILES];        /* host descriptor; -1: closed; 0..2 are the console */
	uint8_t console[APMU__LINUX_FILES]; /* 1 + which of 0..2 a descriptor is; 0: file[] says */
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
	APMU__LINUX_RETURN,  /* write `value` to x0 or r0 and go on */
	APMU__LINUX_EXIT,    /* over, with `status` */
	APMU__LINUX_KILLED,  /* by its own signal `status` */
	APMU__LINUX_UNKNOWN, /* a call that is not provided: `name` */
	APMU__LINUX_STUCK,   /* it waits for another thread, and there is none: `name` */
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
void apmu__linux_close(struct apmu__linux *process); /* all files */

/* The name of a call, for traces and errors; NULL: there is none. */
const char *apmu__linux_name(bool aarch64, uint64_t number);

#endif
