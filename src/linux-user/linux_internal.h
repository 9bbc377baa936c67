/* SPDX-License-Identifier: MIT */
/* Between the files of the small Linux. */
#ifndef APMU_LINUX_USER_LINUX_INTERNAL_H
#define APMU_LINUX_USER_LINUX_INTERNAL_H

#include "linux-user/linux.h"

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

/* linux_file.c: descriptors */
#define APMU__LINUX_NONBLOCK 0x800u
static inline bool apmu__linux_is_open(const struct apmu__linux *p, uint64_t fd)
{
	return fd < APMU__LINUX_FILES && p->open[fd].kind != APMU__LINUX_CLOSED;
}
int64_t apmu__linux_free_fd(const struct apmu__linux *p, uint64_t from);
void apmu__linux_shut_fd(struct apmu__linux *p, uint64_t fd);
apmu__linux_function apmu__linux_read, apmu__linux_write, apmu__linux_readv, apmu__linux_writev,
	apmu__linux_pread, apmu__linux_pwrite, apmu__linux_shut, apmu__linux_dup, apmu__linux_dup3,
	apmu__linux_fcntl, apmu__linux_poll;

/* linux_seek.c: places in files */
apmu__linux_function apmu__linux_lseek, apmu__linux_llseek, apmu__linux_ftruncate, apmu__linux_ftruncate64,
	apmu__linux_fsync;

/* linux_pipe.c. Bytes moved, or a negative errno value; -EAGAIN: it would wait. */
int64_t apmu__linux_pipe_take(struct apmu__linux *p, unsigned pipe, void *to, size_t n);
int64_t apmu__linux_pipe_give(struct apmu__linux *p, unsigned pipe, const void *from, size_t n);
unsigned apmu__linux_pipe_ends(const struct apmu__linux *p, unsigned pipe, enum apmu__linux_kind kind);
void apmu__linux_pipe_drop(struct apmu__linux *p, unsigned pipe); /* if nobody holds it */
apmu__linux_function apmu__linux_pipe, apmu__linux_pipe2;

/* linux_name.c: names. The name at `at`, seen from directory `fd`, as one that starts at the root: "" is the
 * root itself. 0 or a negative errno value. */
#define APMU__LINUX_CWD ((uint32_t)-100)
int apmu__linux_place(const struct apmu__linux *p, uint64_t fd, uint64_t at, char to[APMU__LINUX_NAME]);
static inline const char *apmu__linux_or_dot(const char *place)
{
	return place[0] ? place : ".";
}
bool apmu__linux_is_nothing(const char *place); /* /dev/null */
apmu__linux_function apmu__linux_open, apmu__linux_openat, apmu__linux_unlink, apmu__linux_rmdir,
	apmu__linux_unlinkat, apmu__linux_mkdir, apmu__linux_mkdirat, apmu__linux_rename,
	apmu__linux_renameat, apmu__linux_renameat2, apmu__linux_access, apmu__linux_faccessat,
	apmu__linux_readlink, apmu__linux_readlinkat;

/* linux_folder.c: directories */
int apmu__linux_folder_open(struct apmu__linux *p, const char *place, struct apmu__linux_folder **out);
int apmu__linux_folder_copy(const struct apmu__linux_folder *folder, struct apmu__linux_folder **out);
const char *apmu__linux_folder_place(const struct apmu__linux_folder *folder);
void apmu__linux_folder_rewind(struct apmu__linux_folder *folder);
void apmu__linux_folder_close(struct apmu__linux_folder *folder);
apmu__linux_function apmu__linux_getdents64, apmu__linux_chdir, apmu__linux_fchdir, apmu__linux_getcwd;

/* linux_stat.c */
uint64_t apmu__linux_inode(const char *place);
apmu__linux_function apmu__linux_fstat, apmu__linux_fstatat, apmu__linux_stat, apmu__linux_lstat,
	apmu__linux_statx;

/* linux_signal.c, linux_frame.c: what a handler finds on its stack. False: the stack is not there. */
struct apmu__linux_reason {
	unsigned signal;
	int code;
	bool fault;       /* else it was sent */
	uint64_t address; /* of the fault */
};
bool apmu__linux_frame_push(struct apmu__linux *p, const struct apmu__linux_reason *why);
bool apmu__linux_frame_pop(struct apmu__linux *p, bool with_info, uint64_t *mask);
void apmu__linux_send(struct apmu__linux *p, unsigned signal, bool by_thread);
apmu__linux_function apmu__linux_rt_sigaction, apmu__linux_rt_sigprocmask, apmu__linux_rt_sigpending,
	apmu__linux_rt_sigsuspend, apmu__linux_sigaltstack, apmu__linux_rt_sigreturn, apmu__linux_sigreturn,
	apmu__linux_kill, apmu__linux_tkill, apmu__linux_tgkill;

/* linux_misc.c */
apmu__linux_function apmu__linux_clock_gettime, apmu__linux_clock_gettime64, apmu__linux_clock_getres,
	apmu__linux_clock_getres64, apmu__linux_gettimeofday, apmu__linux_times, apmu__linux_nanosleep,
	apmu__linux_clock_nanosleep, apmu__linux_clock_nanosleep64, apmu__linux_uname, apmu__linux_getrandom,
	apmu__linux_futex, apmu__linux_prlimit, apmu__linux_getrlimit, apmu__linux_set_tls, apmu__linux_exit,
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
