/* SPDX-License-Identifier: MIT */
/* Between the files of the small Linux. */
#ifndef APMU_ENGINE_BOARD_LINUX_INTERNAL_H
#define APMU_ENGINE_BOARD_LINUX_INTERNAL_H

#include "linux.h"

#define APMU__LINUX_PID 1000

/* One call under way. */
struct apmu__linux_call {
	struct apmu__linux *p;
	uint64_t arg[6];
	uint64_t now;
	struct apmu__linux_result *result; /* for calls that end the program or sleep */
};

/* The value, or a negative errno. */
typedef int64_t apmu__linux_function(struct apmu__linux_call *call);

/* linux_space.c: addresses */
int apmu__linux_map(struct apmu__linux *p, uint64_t base, uint64_t size, unsigned protection);
apmu__linux_function apmu__linux_brk, apmu__linux_mmap, apmu__linux_mmap2, apmu__linux_munmap,
	apmu__linux_mprotect, apmu__linux_mremap;

/* linux_file.c */
apmu__linux_function apmu__linux_read, apmu__linux_write, apmu__linux_readv, apmu__linux_writev,
	apmu__linux_open, apmu__linux_openat, apmu__linux_shut, apmu__linux_lseek, apmu__linux_llseek,
	apmu__linux_dup, apmu__linux_dup3, apmu__linux_fcntl, apmu__linux_poll, apmu__linux_unlinkat;

/* linux_stat.c */
apmu__linux_function apmu__linux_fstat, apmu__linux_fstatat, apmu__linux_stat, apmu__linux_statx;

/* linux_misc.c */
apmu__linux_function apmu__linux_clock_gettime, apmu__linux_clock_gettime64, apmu__linux_clock_getres,
	apmu__linux_clock_getres64, apmu__linux_gettimeofday, apmu__linux_times, apmu__linux_nanosleep,
	apmu__linux_clock_nanosleep, apmu__linux_clock_nanosleep64, apmu__linux_uname, apmu__linux_getrandom,
	apmu__linux_rt_sigprocmask, apmu__linux_kill, apmu__linux_tgkill, apmu__linux_futex,
	apmu__linux_prlimit, apmu__linux_getrlimit, apmu__linux_getcwd, apmu__linux_set_tls, apmu__linux_exit,
	apmu__linux_getrusage, apmu__linux_getaffinity, apmu__linux_sysinfo;

uint64_t apmu__linux_random(struct apmu__linux *p);

/* Width of the program's long and of its pointers. */
static inline unsigned apmu__linux_width(const struct apmu__linux *p)
{
	return p->config.aarch64 ? 8 : 4;
}

static inline bool apmu__linux_get(const struct apmu__linux *p, uint64_t at, void *to, size_t n)
{
	return p->config.machine.memory.read(p->config.machine.memory.ctx, at, to, n);
}

static inline bool apmu__linux_put(const struct apmu__linux *p, uint64_t at, const void *from, size_t n)
{
	return p->config.machine.memory.write(p->config.machine.memory.ctx, at, from, n);
}

/* A name in the program's memory. 0 or a negative errno value. */
int apmu__linux_path(const struct apmu__linux *p, uint64_t at, char *to, size_t room);

#endif
