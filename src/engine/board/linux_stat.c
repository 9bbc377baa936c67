/* SPDX-License-Identifier: MIT */
/* stat in its forms: the kernel's structures for AArch32 (stat64), AArch64 (stat) and both (statx). */
#define _GNU_SOURCE /* S_IF... of sys/stat.h */
#include "folder.h"
#include "linux_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define AT_EMPTY_PATH_ 0x1000u
#define BLOCK          4096u
#define STATX_BASIC    0x7FFu
#define USER           1000u
#define CONSOLE_MODE   (S_IFCHR | 0620)
#define CONSOLE_RDEV   0x501u /* 5:1, /dev/console */

/* What is told of a file; owner, device, inode and times are the same for all, so that runs repeat. */
struct about {
	uint32_t mode, rdev;
	uint64_t size, inode;
};

struct field {
	uint8_t at, width;
	uint64_t value;
};

static int64_t fill(const struct apmu__linux *p, uint64_t to, size_t size, const struct field *fields,
		    size_t n)
{
	uint8_t bytes[256] = {0};

	for (size_t i = 0; i < n; i++)
		memcpy(bytes + fields[i].at, &fields[i].value, fields[i].width);
	return apmu__linux_put(p, to, bytes, size) ? 0 : -EFAULT;
}

#define FILL(p, to, size, fields) fill(p, to, size, fields, sizeof(fields) / sizeof((fields)[0]))

static int64_t tell(const struct apmu__linux *p, uint64_t to, const struct about *about)
{
	uint64_t blocks = (about->size + 511) / 512;
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

static int look_host(int fd, struct about *about)
{
	struct stat found;

	if (fstat(fd, &found) != 0)
		return -errno;
	*about = (struct about){
		.mode = S_IFREG | (found.st_mode & 0777), .size = (uint64_t)found.st_size, .inode = 2};
	return 0;
}

static int look_fd(const struct apmu__linux *p, uint64_t fd, struct about *about)
{
	if (fd >= APMU__LINUX_FILES || (!p->console[fd] && p->file[fd] < 0))
		return -EBADF;
	*about = (struct about){.mode = CONSOLE_MODE, .rdev = CONSOLE_RDEV, .inode = 1};
	return p->console[fd] ? 0 : look_host(p->file[fd], about);
}

static int look_name(const struct apmu__linux *p, uint64_t at, struct about *about)
{
	char name[APMU__FOLDER_NAME_MAX];
	int code = apmu__linux_path(p, at, name, sizeof(name));

	if (code != 0 || name[0] == '/')
		return code ? code : -ENOENT;
	int fd = apmu__folder_open(p->config.folder, name, O_RDONLY);
	if (fd < 0)
		return fd;
	code = look_host(fd, about);
	close(fd);
	return code;
}

/* By descriptor if the name is empty and the flag says that it may be. */
static int look_at(const struct apmu__linux *p, uint64_t fd, uint64_t name, uint64_t flags,
		   struct about *about)
{
	char first = '\0';

	if (!apmu__linux_get(p, name, &first, 1))
		return -EFAULT;
	if (first != '\0')
		return look_name(p, name, about);
	return flags & AT_EMPTY_PATH_ ? look_fd(p, fd, about) : -ENOENT;
}

int64_t apmu__linux_fstat(struct apmu__linux_call *call)
{
	struct about about;
	int code = look_fd(call->p, call->arg[0], &about);

	return code ? code : tell(call->p, call->arg[1], &about);
}

int64_t apmu__linux_stat(struct apmu__linux_call *call)
{
	struct about about;
	int code = look_name(call->p, call->arg[0], &about);

	return code ? code : tell(call->p, call->arg[1], &about);
}

int64_t apmu__linux_fstatat(struct apmu__linux_call *call)
{
	struct about about;
	int code = look_at(call->p, call->arg[0], call->arg[1], call->arg[3], &about);

	return code ? code : tell(call->p, call->arg[2], &about);
}

int64_t apmu__linux_statx(struct apmu__linux_call *call)
{
	struct about about;
	int code = look_at(call->p, call->arg[0], call->arg[1], call->arg[2], &about);

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
		{48, 8, (about.size + 511) / 512},
		{128, 4, about.rdev >> 8},
		{132, 4, about.rdev & 0xFF},
		{140, 4, 1},
	};
	return FILL(call->p, call->arg[4], 256, fields);
}
