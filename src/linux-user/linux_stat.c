/* SPDX-License-Identifier: MIT */
/* The forms of stat: the kernel's structures for AArch32 (stat64), AArch64 (stat) and both (statx). */
#define _GNU_SOURCE /* S_IF... of sys/stat.h */
#include "board/folder.h"
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define AT_EMPTY_PATH_ 0x1000u
#define AT_NOFOLLOW_   0x100u
#define AT_KNOWN       0x1900u /* and AT_NO_AUTOMOUNT, which does nothing */
#define AT_SYNC        0x6000u /* of statx: AT_STATX_SYNC_TYPE */
#define BLOCK          4096u
#define STATX_BASIC    0x7FFu
#define USER           1000u
#define CONSOLE_MODE   (S_IFCHR | 0620)
#define CONSOLE_RDEV   0x501u /* 5:1, /dev/console */
#define NOTHING_RDEV   0x103u /* 1:3, /dev/null */

/* What stat() says of a file. Owner, device and times are the same for all files, and the inode number
 * derives from the file's name, so that runs repeat. */
struct about {
	uint32_t mode, rdev;
	uint64_t size, inode;
};

/* Returns the blocks of 512 bytes; a file takes whole units of 4 KiB. */
static uint64_t blocks_of(const struct about *about)
{
	return (about->size + BLOCK - 1) / BLOCK * (BLOCK / 512);
}

struct field {
	uint8_t at, width;
	uint64_t value;
};

static int64_t fill(const struct apmu_linux__linux *p, uint64_t to, size_t size, const struct field *fields,
		    size_t n)
{
	uint8_t bytes[256] = {0};

	for (size_t i = 0; i < n; i++)
		memcpy(bytes + fields[i].at, &fields[i].value, fields[i].width);
	return apmu_linux__put(p, to, bytes, size) ? 0 : -EFAULT;
}

#define FILL(p, to, size, fields) fill(p, to, size, fields, sizeof(fields) / sizeof((fields)[0]))

static int64_t tell(const struct apmu_linux__linux *p, uint64_t to, const struct about *about)
{
	uint64_t blocks = blocks_of(about);
	const struct field aarch32[] = {
		{0, 8, 1},      {12, 4, about->inode}, {16, 4, about->mode},  {20, 4, 1},
		{24, 4, USER},  {28, 4, USER},         {32, 8, about->rdev},  {48, 8, about->size},
		{56, 4, BLOCK}, {64, 8, blocks},       {96, 8, about->inode},
	};
	const struct field aarch64[] = {
		{0, 8, 1},     {8, 8, about->inode}, {16, 4, about->mode}, {20, 4, 1},     {24, 4, USER},
		{28, 4, USER}, {32, 8, about->rdev}, {48, 8, about->size}, {56, 4, BLOCK}, {64, 8, blocks},
	};

	return p->config.aarch64 ? FILL(p, to, 128, aarch64) : FILL(p, to, 104, aarch32);
}

uint64_t apmu_linux__inode(const char *place)
{
	uint64_t hash = 0xCBF29CE484222325; /* FNV-1a */

	for (; *place; place++)
		hash = (hash ^ (uint8_t)*place) * 0x100000001B3;
	return (hash ^ hash >> 32) & 0x7FFFFFFF;
}

static const struct about nothing = {.mode = S_IFCHR | 0666, .rdev = NOTHING_RDEV, .inode = 3};

static void tell_host(const struct stat *found, uint64_t inode, struct about *about)
{
	*about = (struct about){.mode = found->st_mode & (S_IFMT | 0777),
				.size = S_ISDIR(found->st_mode) ? BLOCK : (uint64_t)found->st_size,
				.inode = inode};
}

static int look_place(const struct apmu_linux__linux *p, const char *place, bool follow, struct about *about)
{
	struct stat found;
	int code;

	*about = nothing;
	if (apmu_linux__is_nothing(place))
		return 0;
	code = apmu_board__folder_look(p->config.folder, apmu_linux__or_dot(place), &found);
	if (code != 0)
		return code;
	if (follow && S_ISLNK(found.st_mode))
		return -EACCES;
	tell_host(&found, apmu_linux__inode(place), about);
	return 0;
}

static int look_fd(const struct apmu_linux__linux *p, uint64_t fd, struct about *about)
{
	const struct apmu_linux__open *one = &p->open[fd % APMU_LINUX__FILES];
	struct stat found;

	if (!apmu_linux__is_open(p, fd))
		return -EBADF;
	switch ((enum apmu_linux__kind)one->kind) {
	case APMU_LINUX__DEV_NULL: *about = nothing; return 0;
	case APMU_LINUX__FOLDER: return look_place(p, apmu_linux__folder_place(one->folder), false, about);
	case APMU_LINUX__PIPE_READ:
	case APMU_LINUX__PIPE_WRITE:
		*about = (struct about){.mode = S_IFIFO | 0600, .inode = 16u + one->pipe};
		return 0;
	case APMU_LINUX__FILE: break;
	default: *about = (struct about){.mode = CONSOLE_MODE, .rdev = CONSOLE_RDEV, .inode = 1}; return 0;
	}
	if (fstat(one->host, &found) != 0)
		return -errno;
	tell_host(&found, one->inode, about);
	return 0;
}

static int look_name(const struct apmu_linux__linux *p, uint64_t fd, uint64_t at, bool follow,
		     struct about *about)
{
	char place[APMU_LINUX__NAME];
	int code = apmu_linux__place(p, fd, at, place);

	return code ? code : look_place(p, place, follow, about);
}

/* Looks at a name, or at the descriptor if the name is empty and the flag allows that. */
static int look_at(const struct apmu_linux__linux *p, uint64_t fd, uint64_t name, uint64_t flags,
		   struct about *about)
{
	char first = '\0';

	if (!apmu_linux__get(p, name, &first, 1))
		return -EFAULT;
	if (first != '\0')
		return look_name(p, fd, name, !(flags & AT_NOFOLLOW_), about);
	return flags & AT_EMPTY_PATH_ ? look_fd(p, fd, about) : -ENOENT;
}

int64_t apmu_linux__fstat(struct apmu_linux__call *call)
{
	struct about about = {0};
	int code = look_fd(call->p, call->arg[0], &about);

	return code ? code : tell(call->p, call->arg[1], &about);
}

static int64_t stat_name(struct apmu_linux__call *call, bool follow)
{
	struct about about = {0};
	int code = look_name(call->p, APMU_LINUX__CWD, call->arg[0], follow, &about);

	return code ? code : tell(call->p, call->arg[1], &about);
}

int64_t apmu_linux__stat(struct apmu_linux__call *call)
{
	return stat_name(call, true);
}

int64_t apmu_linux__lstat(struct apmu_linux__call *call)
{
	return stat_name(call, false);
}

/* The same with the flags of a call, which must be known ones. */
static int look_with(const struct apmu_linux__call *call, uint64_t flags, uint32_t known, struct about *about)
{
	if (flags & ~(uint64_t)known)
		return -EINVAL;
	return look_at(call->p, call->arg[0], call->arg[1], flags, about);
}

int64_t apmu_linux__fstatat(struct apmu_linux__call *call)
{
	struct about about = {0};
	int code = look_with(call, call->arg[3], AT_KNOWN, &about);

	return code ? code : tell(call->p, call->arg[2], &about);
}

int64_t apmu_linux__statx(struct apmu_linux__call *call)
{
	struct about about = {0};
	int code = look_with(call, call->arg[2], AT_KNOWN | AT_SYNC, &about);

	if (code != 0)
		return code;
	const struct field fields[] = {
		{0, 4, STATX_BASIC},
		{4, 4, BLOCK},
		{16, 4, 1},
		{20, 4, USER},
		{24, 4, USER},
		{28, 2, about.mode},
		{32, 8, about.inode},
		{40, 8, about.size},
		{48, 8, blocks_of(&about)},
		{128, 4, about.rdev >> 8},
		{132, 4, about.rdev & 0xFF},
		{140, 4, 1},
	};
	return FILL(call->p, call->arg[4], 256, fields);
}
