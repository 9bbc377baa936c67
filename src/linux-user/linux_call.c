/* SPDX-License-Identifier: MIT */
/* System calls: a table of numbers (AArch32 EABI, AArch64) and functions. A call that is not in the table
 * ends the run with its name. */
#include "linux-user/linux_internal.h"

#include <errno.h>

#define NO 0xFFFFFFFFu /* the architecture has no such call */

/* Calls whose answer is a constant. */
static int64_t zero(struct apmu_linux__call *call)
{
	(void)call;
	return 0;
}

static int64_t process(struct apmu_linux__call *call)
{
	(void)call;
	return APMU_LINUX__PID;
}

static int64_t parent(struct apmu_linux__call *call)
{
	(void)call;
	return 1;
}

static int64_t user(struct apmu_linux__call *call)
{
	(void)call;
	return APMU_LINUX__PID; /* the user and group number is 1000, too */
}

static int64_t no_terminal(struct apmu_linux__call *call)
{
	(void)call;
	return -ENOTTY;
}

static int64_t no_child(struct apmu_linux__call *call)
{
	(void)call;
	return -ECHILD;
}

static int64_t stuck(struct apmu_linux__call *call)
{
	call->result->end = APMU_LINUX__STUCK;
	return -EINTR;
}

/* A call that a C library tries and does without. */
static int64_t not_there(struct apmu_linux__call *call)
{
	call->p->unknown++;
	return -ENOSYS;
}

struct row {
	uint32_t aarch32, aarch64;
	apmu_linux__function *does;
};

/* clang-format off */
static const struct row rows[] = {
	{1,   93,  apmu_linux__exit},                {248, 94,  apmu_linux__exit},                /* exit_group */
	{3,   63,  apmu_linux__read},                {4,   64,  apmu_linux__write},
	{145, 65,  apmu_linux__readv},               {146, 66,  apmu_linux__writev},
	{180, 67,  apmu_linux__pread},               {181, 68,  apmu_linux__pwrite},
	{5,   NO,  apmu_linux__open},                {322, 56,  apmu_linux__openat},
	{6,   57,  apmu_linux__shut},                {41,  23,  apmu_linux__dup},
	{63,  NO,  apmu_linux__dup2},                {358, 24,  apmu_linux__dup3},
	{55,  25,  apmu_linux__fcntl},               {221, NO,  apmu_linux__fcntl},               /* fcntl64 */
	{42,  NO,  apmu_linux__pipe},                {359, 59,  apmu_linux__pipe2},
	{19,  62,  apmu_linux__lseek},               {140, NO,  apmu_linux__llseek},
	{93,  46,  apmu_linux__ftruncate},           {194, NO,  apmu_linux__ftruncate64},
	{118, 82,  apmu_linux__fsync},               {148, 83,  apmu_linux__fsync},               /* fdatasync */
	{270, 223, zero},                            {54,  29,  no_terminal},                     /* fadvise64, ioctl */
	{10,  NO,  apmu_linux__unlink},              {328, 35,  apmu_linux__unlinkat},
	{39,  NO,  apmu_linux__mkdir},               {323, 34,  apmu_linux__mkdirat},
	{38,  NO,  apmu_linux__rename},              {329, 38,  apmu_linux__renameat},
	{382, 276, apmu_linux__renameat2},           {40,  NO,  apmu_linux__rmdir},
	{33,  NO,  apmu_linux__access},              {334, 48,  apmu_linux__faccessat},
	{439, 439, apmu_linux__faccessat},           {85,  NO,  apmu_linux__readlink},            /* 439: faccessat2 */
	{332, 78,  apmu_linux__readlinkat},          {217, 61,  apmu_linux__getdents64},
	{12,  49,  apmu_linux__chdir},               {133, 50,  apmu_linux__fchdir},
	{197, 80,  apmu_linux__fstat},               {327, 79,  apmu_linux__fstatat},
	{195, NO,  apmu_linux__stat},                {196, NO,  apmu_linux__lstat},
	{397, 291, apmu_linux__statx},
	{183, 17,  apmu_linux__getcwd},              {45,  214, apmu_linux__brk},
	{192, NO,  apmu_linux__mmap2},               {NO,  222, apmu_linux__mmap},
	{91,  215, apmu_linux__munmap},              {125, 226, apmu_linux__mprotect},
	{163, 216, apmu_linux__mremap},              {220, 233, apmu_linux__madvise},
	{263, 113, apmu_linux__clock_gettime},       {403, NO,  apmu_linux__clock_gettime64},
	{264, 114, apmu_linux__clock_getres},        {406, NO,  apmu_linux__clock_getres64},
	{78,  169, apmu_linux__gettimeofday},        {43,  153, apmu_linux__times},
	{162, 101, apmu_linux__nanosleep},           {265, 115, apmu_linux__clock_nanosleep},
	{407, NO,  apmu_linux__clock_nanosleep64},   {77,  165, apmu_linux__getrusage},
	{122, 160, apmu_linux__uname},               {116, 179, apmu_linux__sysinfo},
	{384, 278, apmu_linux__getrandom},           {242, 123, apmu_linux__getaffinity},
	{20,  172, process},                         {224, 178, process},                         /* getpid, gettid */
	{64,  173, parent},                          {256, 96,  process},                         /* set_tid_address */
	{199, 174, user},                            {201, 175, user},                            /* getuid, geteuid */
	{200, 176, user},                            {202, 177, user},                            /* getgid, getegid */
	{24,  NO,  user},                            {49,  NO,  user},                            /* the 16-bit ones */
	{47,  NO,  user},                            {50,  NO,  user},
	{213, 146, zero},                            {214, 144, zero},                            /* setuid, setgid */
	{205, 158, zero},                            {132, 155, process},                         /* getgroups, getpgid */
	{65,  NO,  process},                         {147, 156, process},                         /* getpgrp, getsid */
	{114, 260, no_child},                        {280, 95,  no_child},                        /* wait4, waitid */
	{174, 134, apmu_linux__rt_sigaction},        {175, 135, apmu_linux__rt_sigprocmask},
	{176, 136, apmu_linux__rt_sigpending},       {179, 133, apmu_linux__rt_sigsuspend},
	{173, 139, apmu_linux__rt_sigreturn},        {119, NO,  apmu_linux__sigreturn},
	{186, 132, apmu_linux__sigaltstack},         {29,  NO,  stuck},                           /* pause */
	{37,  129, apmu_linux__kill},                {268, 131, apmu_linux__tgkill},
	{238, 130, apmu_linux__tkill},               {158, 124, zero},                            /* sched_yield */
	{240, 98,  apmu_linux__futex},
	{422, NO,  apmu_linux__futex64},               {338, 99,  zero},                            /* set_robust_list */
	{369, 261, apmu_linux__prlimit},             {191, 163, apmu_linux__getrlimit},
	{172, 167, zero},                            {398, 293, not_there},                       /* prctl, rseq */
	{239, 71,  not_there},                       {187, NO,  not_there},                       /* sendfile */
	{168, NO,  apmu_linux__poll},                {336, 73,  apmu_linux__ppoll},
	{60,  166, zero},                            {389, 283, not_there},                       /* umask, membarrier */
	{0x0F0002, NO, zero},                        {0x0F0005, NO, apmu_linux__set_tls},         /* cacheflush */
};
/* clang-format on */

static const struct row *find(bool aarch64, uint64_t number)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((aarch64 ? rows[i].aarch64 : rows[i].aarch32) == number && number != NO)
			return &rows[i];
	return NULL;
}

struct apmu_linux__result apmu_linux__call(struct apmu_linux__linux *p, uint64_t number,
					   const uint64_t args[6], uint64_t now)
{
	bool aarch64 = p->config.aarch64;
	const struct row *row = find(aarch64, number);
	struct apmu_linux__result result = {.end = APMU_LINUX__RETURN,
					    .name = apmu_linux__name(aarch64, number)};
	struct apmu_linux__call call = {.p = p, .now = now, .result = &result};

	if (!row) {
		result.end = APMU_LINUX__UNKNOWN;
		return result;
	}
	for (unsigned i = 0; i < 6; i++)
		call.arg[i] = aarch64 ? args[i] : (uint32_t)args[i];
	int64_t value = row->does(&call);
	result.value = aarch64 ? (uint64_t)value : (uint32_t)value;
	return result;
}
