/* SPDX-License-Identifier: MIT */
/* System calls: rows of number (AArch32 EABI, AArch64) and function. What is not here ends the run by name.
 */
#include "linux-user/linux_internal.h"

#include <errno.h>

#define NO 0xFFFFFFFFu /* the architecture has no such call */

/* Calls that can be answered in one word. */
static int64_t zero(struct apmu__linux_call *call)
{
	(void)call;
	return 0;
}

static int64_t process(struct apmu__linux_call *call)
{
	(void)call;
	return APMU__LINUX_PID;
}

static int64_t parent(struct apmu__linux_call *call)
{
	(void)call;
	return 1;
}

static int64_t user(struct apmu__linux_call *call)
{
	(void)call;
	return APMU__LINUX_PID; /* 1000 too */
}

static int64_t no_terminal(struct apmu__linux_call *call)
{
	(void)call;
	return -ENOTTY;
}

static int64_t no_child(struct apmu__linux_call *call)
{
	(void)call;
	return -ECHILD;
}

static int64_t stuck(struct apmu__linux_call *call)
{
	call->result->end = APMU__LINUX_STUCK;
	return -EINTR;
}

/* A C library asks for it and does well without. */
static int64_t not_there(struct apmu__linux_call *call)
{
	call->p->unknown++;
	return -ENOSYS;
}

struct row {
	uint32_t aarch32, aarch64;
	apmu__linux_function *does;
};

/* clang-format off */
static const struct row rows[] = {
	{1,   93,  apmu__linux_exit},                {248, 94,  apmu__linux_exit},                /* exit_group */
	{3,   63,  apmu__linux_read},                {4,   64,  apmu__linux_write},
	{145, 65,  apmu__linux_readv},               {146, 66,  apmu__linux_writev},
	{180, 67,  apmu__linux_pread},               {181, 68,  apmu__linux_pwrite},
	{5,   NO,  apmu__linux_open},                {322, 56,  apmu__linux_openat},
	{6,   57,  apmu__linux_shut},                {41,  23,  apmu__linux_dup},
	{63,  NO,  apmu__linux_dup3},                {358, 24,  apmu__linux_dup3},                /* dup2 */
	{55,  25,  apmu__linux_fcntl},               {221, NO,  apmu__linux_fcntl},               /* fcntl64 */
	{42,  NO,  apmu__linux_pipe},                {359, 59,  apmu__linux_pipe2},
	{19,  62,  apmu__linux_lseek},               {140, NO,  apmu__linux_llseek},
	{93,  46,  apmu__linux_ftruncate},           {194, NO,  apmu__linux_ftruncate64},
	{118, 82,  apmu__linux_fsync},               {148, 83,  apmu__linux_fsync},               /* fdatasync */
	{270, 223, zero},                            {54,  29,  no_terminal},                     /* fadvise64, ioctl */
	{10,  NO,  apmu__linux_unlink},              {328, 35,  apmu__linux_unlinkat},
	{39,  NO,  apmu__linux_mkdir},               {323, 34,  apmu__linux_mkdirat},
	{38,  NO,  apmu__linux_rename},              {329, 38,  apmu__linux_renameat},
	{382, 276, apmu__linux_renameat2},           {40,  NO,  apmu__linux_rmdir},
	{33,  NO,  apmu__linux_access},              {334, 48,  apmu__linux_faccessat},
	{439, 439, apmu__linux_faccessat},           {85,  NO,  apmu__linux_readlink},            /* faccessat2 */
	{332, 78,  apmu__linux_readlinkat},          {217, 61,  apmu__linux_getdents64},
	{12,  49,  apmu__linux_chdir},               {133, 50,  apmu__linux_fchdir},
	{197, 80,  apmu__linux_fstat},               {327, 79,  apmu__linux_fstatat},
	{195, NO,  apmu__linux_stat},                {196, NO,  apmu__linux_lstat},
	{397, 291, apmu__linux_statx},
	{183, 17,  apmu__linux_getcwd},              {45,  214, apmu__linux_brk},
	{192, NO,  apmu__linux_mmap2},               {NO,  222, apmu__linux_mmap},
	{91,  215, apmu__linux_munmap},              {125, 226, apmu__linux_mprotect},
	{163, 216, apmu__linux_mremap},              {220, 233, zero},                            /* madvise */
	{263, 113, apmu__linux_clock_gettime},       {403, NO,  apmu__linux_clock_gettime64},
	{264, 114, apmu__linux_clock_getres},        {406, NO,  apmu__linux_clock_getres64},
	{78,  169, apmu__linux_gettimeofday},        {43,  153, apmu__linux_times},
	{162, 101, apmu__linux_nanosleep},           {265, 115, apmu__linux_clock_nanosleep},
	{407, NO,  apmu__linux_clock_nanosleep64},   {77,  165, apmu__linux_getrusage},
	{122, 160, apmu__linux_uname},               {116, 179, apmu__linux_sysinfo},
	{384, 278, apmu__linux_getrandom},           {242, 123, apmu__linux_getaffinity},
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
	{174, 134, apmu__linux_rt_sigaction},        {175, 135, apmu__linux_rt_sigprocmask},
	{176, 136, apmu__linux_rt_sigpending},       {179, 133, apmu__linux_rt_sigsuspend},
	{173, 139, apmu__linux_rt_sigreturn},        {119, NO,  apmu__linux_sigreturn},
	{186, 132, apmu__linux_sigaltstack},         {29,  NO,  stuck},                           /* pause */
	{37,  129, apmu__linux_kill},                {268, 131, apmu__linux_tgkill},
	{238, 130, apmu__linux_tkill},               {158, 124, zero},                            /* sched_yield */
	{240, 98,  apmu__linux_futex},
	{422, NO,  apmu__linux_futex},               {338, 99,  zero},                            /* set_robust_list */
	{369, 261, apmu__linux_prlimit},             {191, 163, apmu__linux_getrlimit},
	{172, 167, zero},                            {398, 293, not_there},                       /* prctl, rseq */
	{239, 71,  not_there},                       {187, NO,  not_there},                       /* sendfile */
	{168, NO,  apmu__linux_poll},                {336, 73,  apmu__linux_poll},                /* ppoll */
	{60,  166, zero},                            {389, 283, not_there},                       /* umask, membarrier */
	{0x0F0002, NO, zero},                        {0x0F0005, NO, apmu__linux_set_tls},         /* cacheflush */
};
/* clang-format on */

static const struct row *find(bool aarch64, uint64_t number)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((aarch64 ? rows[i].aarch64 : rows[i].aarch32) == number && number != NO)
			return &rows[i];
	return NULL;
}

struct apmu__linux_result apmu__linux_call(struct apmu__linux *p, uint64_t number, const uint64_t args[6],
					   uint64_t now)
{
	bool aarch64 = p->config.aarch64;
	const struct row *row = find(aarch64, number);
	struct apmu__linux_result result = {.end = APMU__LINUX_RETURN,
					    .name = apmu__linux_name(aarch64, number)};
	struct apmu__linux_call call = {.p = p, .now = now, .result = &result};

	if (!row) {
		result.end = APMU__LINUX_UNKNOWN;
		return result;
	}
	for (unsigned i = 0; i < 6; i++)
		call.arg[i] = aarch64 ? args[i] : (uint32_t)args[i];
	int64_t value = row->does(&call);
	result.value = aarch64 ? (uint64_t)value : (uint32_t)value;
	return result;
}
