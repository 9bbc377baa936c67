/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the small Linux share. */
#ifndef APMU_LINUX_USER_LINUX_INTERNAL_H
#define APMU_LINUX_USER_LINUX_INTERNAL_H

#include "linux-user/linux.h"

#define APMU_LINUX__PID 1000

/* One call under way. */
struct apmu_linux__call {
	struct apmu_linux__linux *p;
	uint64_t arg[6];
	uint64_t now;
	struct apmu_linux__result *result; /* for calls that end the program or sleep */
};

/* Answers a call: returns its value, or a negative errno value. */
typedef int64_t apmu_linux__function(struct apmu_linux__call *call);

/* linux_space.c: the address space */
int apmu_linux__map(struct apmu_linux__linux *p, uint64_t base, uint64_t size, unsigned protection);
bool apmu_linux__is_mapped(const struct apmu_linux__linux *p, uint64_t address);
apmu_linux__function apmu_linux__brk, apmu_linux__mmap, apmu_linux__mmap2, apmu_linux__munmap,
	apmu_linux__mprotect, apmu_linux__mremap, apmu_linux__madvise;

/* linux_file.c: file descriptors */
#define APMU_LINUX__NONBLOCK  0x800u              /* O_NONBLOCK */
#define APMU_LINUX__CLOEXEC   0x80000u            /* O_CLOEXEC */
#define APMU_LINUX__FILE_MOST ((uint64_t)1 << 30) /* the longest file, in bytes */
static inline bool apmu_linux__is_open(const struct apmu_linux__linux *p, uint64_t fd)
{
	return fd < APMU_LINUX__FILES && p->open[fd].kind != APMU_LINUX__CLOSED;
}
int64_t apmu_linux__free_fd(const struct apmu_linux__linux *p, uint64_t from);
void apmu_linux__shut_fd(struct apmu_linux__linux *p, uint64_t fd);
apmu_linux__function apmu_linux__read, apmu_linux__write, apmu_linux__readv, apmu_linux__writev,
	apmu_linux__pread, apmu_linux__pwrite, apmu_linux__shut, apmu_linux__dup, apmu_linux__dup2,
	apmu_linux__dup3, apmu_linux__fcntl, apmu_linux__poll, apmu_linux__ppoll;

/* linux_seek.c: file offsets and lengths */
apmu_linux__function apmu_linux__lseek, apmu_linux__llseek, apmu_linux__ftruncate, apmu_linux__ftruncate64,
	apmu_linux__fsync;

/* linux_pipe.c: read and write return the bytes moved, or a negative errno value; -EAGAIN: the call would
 * wait. */
int64_t apmu_linux__pipe_read(struct apmu_linux__linux *p, unsigned pipe, void *to, size_t n);
int64_t apmu_linux__pipe_write(struct apmu_linux__linux *p, unsigned pipe, const void *from, size_t n);
unsigned apmu_linux__pipe_ends(const struct apmu_linux__linux *p, unsigned pipe, enum apmu_linux__kind kind);
bool apmu_linux__pipe_has_room(const struct apmu_linux__linux *p, unsigned pipe); /* ready for writing */
void apmu_linux__pipe_release(struct apmu_linux__linux *p, unsigned pipe);        /* unless it is held */
apmu_linux__function apmu_linux__pipe, apmu_linux__pipe2;

/* linux_name.c: file names. apmu_linux__place() turns the name at `at`, relative to directory `fd`, into one
 * relative to the root, where "" is the root itself. Returns 0 or a negative errno value. */
#define APMU_LINUX__CWD ((uint32_t)-100)
int apmu_linux__place(const struct apmu_linux__linux *p, uint64_t fd, uint64_t at, char to[APMU_LINUX__NAME]);
static inline const char *apmu_linux__or_dot(const char *place)
{
	return place[0] ? place : ".";
}
bool apmu_linux__is_nothing(const char *place); /* true for /dev/null */
apmu_linux__function apmu_linux__open, apmu_linux__openat, apmu_linux__unlink, apmu_linux__rmdir,
	apmu_linux__unlinkat, apmu_linux__mkdir, apmu_linux__mkdirat, apmu_linux__rename,
	apmu_linux__renameat, apmu_linux__renameat2, apmu_linux__access, apmu_linux__faccessat,
	apmu_linux__readlink, apmu_linux__readlinkat;

/* linux_folder.c: directories */
int apmu_linux__folder_open(struct apmu_linux__linux *p, const char *place, struct apmu_linux__folder **out);
int apmu_linux__folder_copy(const struct apmu_linux__folder *folder, struct apmu_linux__folder **out);
const char *apmu_linux__folder_place(const struct apmu_linux__folder *folder);
void apmu_linux__folder_rewind(struct apmu_linux__folder *folder);
void apmu_linux__folder_close(struct apmu_linux__folder *folder);
apmu_linux__function apmu_linux__getdents64, apmu_linux__chdir, apmu_linux__fchdir, apmu_linux__getcwd;

/* linux_stat.c */
uint64_t apmu_linux__inode(const char *place);
apmu_linux__function apmu_linux__fstat, apmu_linux__fstatat, apmu_linux__stat, apmu_linux__lstat,
	apmu_linux__statx;

/* linux_signal.c, linux_frame.c: signals, and the frame that a handler finds on its stack. push and pop
 * return false if the stack is not mapped. */
struct apmu_linux__reason {
	unsigned signal;
	int code;
	bool fault;       /* caused by a fault; else sent */
	uint64_t address; /* of the fault */
};
bool apmu_linux__frame_push(struct apmu_linux__linux *p, const struct apmu_linux__reason *why);
bool apmu_linux__on_stack(const struct apmu_linux__linux *p); /* the alternate stack is in use */
bool apmu_linux__frame_pop(struct apmu_linux__linux *p, bool with_info, uint64_t *mask);
void apmu_linux__send(struct apmu_linux__linux *p, unsigned signal, bool by_thread);
apmu_linux__function apmu_linux__rt_sigaction, apmu_linux__rt_sigprocmask, apmu_linux__rt_sigpending,
	apmu_linux__rt_sigsuspend, apmu_linux__sigaltstack, apmu_linux__rt_sigreturn, apmu_linux__sigreturn,
	apmu_linux__kill, apmu_linux__tkill, apmu_linux__tgkill;

/* linux_misc.c */
apmu_linux__function apmu_linux__clock_gettime, apmu_linux__clock_gettime64, apmu_linux__clock_getres,
	apmu_linux__clock_getres64, apmu_linux__gettimeofday, apmu_linux__times, apmu_linux__nanosleep,
	apmu_linux__clock_nanosleep, apmu_linux__clock_nanosleep64, apmu_linux__uname, apmu_linux__getrandom,
	apmu_linux__futex, apmu_linux__futex64, apmu_linux__prlimit, apmu_linux__getrlimit,
	apmu_linux__set_tls, apmu_linux__exit, apmu_linux__getrusage, apmu_linux__getaffinity,
	apmu_linux__sysinfo;

/* Let the time of a wait pass, which is a number of milliseconds, or a relative struct timespec. Return 0 or
 * a negative errno value. */
int64_t apmu_linux__time_out(struct apmu_linux__call *call, uint64_t milliseconds);
int64_t apmu_linux__time_out_at(struct apmu_linux__call *call, uint64_t at);

uint64_t apmu_linux__random(struct apmu_linux__linux *p);

/* Returns the bytes of the program's long and of its pointers. */
static inline unsigned apmu_linux__width(const struct apmu_linux__linux *p)
{
	return p->config.aarch64 ? 8 : 4;
}

static inline bool apmu_linux__get(const struct apmu_linux__linux *p, uint64_t at, void *to, size_t n)
{
	return p->config.machine.memory.read(p->config.machine.memory.ctx, at, to, n);
}

static inline bool apmu_linux__put(const struct apmu_linux__linux *p, uint64_t at, const void *from, size_t n)
{
	return p->config.machine.memory.write(p->config.machine.memory.ctx, at, from, n);
}

/* Copies a name from the program's memory. Returns 0 or a negative errno value. */
int apmu_linux__path(const struct apmu_linux__linux *p, uint64_t at, char *to, size_t room);

#endif
