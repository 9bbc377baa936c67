/* SPDX-License-Identifier: MIT */
/* File offsets and lengths. */
#define _GNU_SOURCE /* lseek */
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <unistd.h>

static int64_t seek(struct apmu_linux__linux *p, uint64_t fd, int64_t to, uint64_t whence)
{
	if (!apmu_linux__is_open(p, fd))
		return -EBADF;
	if (p->open[fd].kind == APMU_LINUX__FOLDER && to == 0 && whence == 0) {
		apmu_linux__folder_rewind(p->open[fd].folder);
		return 0;
	}
	if (p->open[fd].kind == APMU_LINUX__DEV_NULL)
		return 0;
	if (p->open[fd].kind != APMU_LINUX__FILE)
		return p->open[fd].kind == APMU_LINUX__FOLDER ? -EINVAL : -ESPIPE;
	if (whence > SEEK_HOLE)
		return -EINVAL;
	off_t at = lseek(p->open[fd].host, to, (int)whence);
	return at < 0 ? -errno : at;
}

int64_t apmu_linux__lseek(struct apmu_linux__call *call)
{
	int64_t to = call->p->config.aarch64 ? (int64_t)call->arg[1] : (int32_t)(uint32_t)call->arg[1];

	return seek(call->p, call->arg[0], to, call->arg[2]);
}

/* AArch32: the arguments are descriptor, high word, low word, address of the result, whence. */
int64_t apmu_linux__llseek(struct apmu_linux__call *call)
{
	int64_t at = seek(call->p, call->arg[0], (int64_t)(call->arg[1] << 32 | (uint32_t)call->arg[2]),
			  call->arg[4]);

	if (at < 0)
		return at;
	return apmu_linux__put(call->p, call->arg[3], &at, sizeof(at)) ? 0 : -EFAULT;
}

static int64_t cut(struct apmu_linux__linux *p, uint64_t fd, uint64_t length)
{
	if (!apmu_linux__is_open(p, fd))
		return -EBADF;
	if (p->open[fd].kind != APMU_LINUX__FILE || length > INT64_MAX)
		return -EINVAL;
	if (length > APMU_LINUX__FILE_MOST)
		return -EFBIG;
	return ftruncate(p->open[fd].host, (off_t)length) != 0 ? -errno : 0;
}

int64_t apmu_linux__ftruncate(struct apmu_linux__call *call)
{
	uint64_t length = call->arg[1];

	if (!call->p->config.aarch64) /* a length has a sign */
		length = (uint64_t)(int64_t)(int32_t)(uint32_t)length;
	return cut(call->p, call->arg[0], length);
}

/* AArch32 passes 64 bits in an even-odd pair of registers. */
int64_t apmu_linux__ftruncate64(struct apmu_linux__call *call)
{
	return cut(call->p, call->arg[0], call->arg[3] << 32 | (uint32_t)call->arg[2]);
}

/* Nothing to do: the host keeps what was written, whatever becomes of the program. */
int64_t apmu_linux__fsync(struct apmu_linux__call *call)
{
	const struct apmu_linux__linux *p = call->p;

	if (!apmu_linux__is_open(p, call->arg[0]))
		return -EBADF;
	return p->open[call->arg[0]].kind == APMU_LINUX__FILE ||
			       p->open[call->arg[0]].kind == APMU_LINUX__FOLDER
		       ? 0
		       : -EINVAL;
}
