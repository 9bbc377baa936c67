/* SPDX-License-Identifier: MIT */
/* Names are resolved one component at a time with O_NOFOLLOW, so no change of the folder meanwhile can lead
 * out of it either. */
#define _GNU_SOURCE /* O_PATH */
#include "board/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One component of a name as a string of its own. */
struct component {
	char text[APMU_BOARD__FOLDER_NAME_MAX];
};

static int take(const char *name, size_t n, struct component *out)
{
	if (n >= sizeof(out->text))
		return -ENAMETOOLONG;
	memcpy(out->text, name, n);
	out->text[n] = '\0';
	return strcmp(out->text, "..") == 0 ? -EACCES : 0;
}

/* Error of a component that cannot be entered: links are not followed, and other things are no directories.
 */
static int no_folder(int at, const char *name, int code)
{
	struct stat about;

	if (code != -ELOOP && code != -ENOTDIR)
		return code;
	return fstatat(at, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISLNK(about.st_mode) ? -ENOTDIR
											      : -EACCES;
}

/* Opens the directory that holds the last component, which goes to `last`. The caller closes the
 * descriptor. */
static int walk(int folder, const char *name, struct component *last)
{
	int at = folder < 0 || name[0] == '/' ? -1 : openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (at < 0)
		return -EACCES;
	for (;;) {
		size_t n = strcspn(name, "/");
		int code = take(name, n, last);

		if (code != 0 || name[n] == '\0') {
			if (code == 0)
				return at;
			close(at);
			return code;
		}
		name += n + 1;
		if (n == 0)
			continue;
		int next = openat(at, last->text, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		code = next < 0 ? no_folder(at, last->text, -errno) : 0;
		close(at);
		if (code != 0)
			return code;
		at = next;
	}
}

/* Refuses what is not a regular file; only after that is a file truncated. */
static int check(int fd, int flags)
{
	struct stat about;

	if (fstat(fd, &about) != 0)
		return -errno;
	if (!S_ISREG(about.st_mode))
		return -EACCES;
	return flags & O_TRUNC && ftruncate(fd, 0) != 0 ? -errno : 0;
}

int apmu_board__folder_open(int folder, const char *name, int flags)
{
	struct component last;
	int at = walk(folder, name, &last);

	if (at < 0)
		return at;
	int fd = openat(at, last.text, (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
			0666);
	int code = fd < 0 ? (errno == ELOOP ? -EACCES : -errno) : check(fd, flags);
	close(at);
	if (code == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return code;
}

int apmu_board__folder_enter(int folder, const char *name)
{
	struct component last;
	int at = walk(folder, name, &last);

	if (at < 0)
		return at;
	int fd = openat(at, last.text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int code = fd < 0 ? -errno : fd;
	close(at);
	return code;
}

int apmu_board__folder_look(int folder, const char *name, struct stat *about)
{
	struct component last;
	int at = walk(folder, name, &last);

	if (at < 0)
		return at;
	int code = fstatat(at, last.text, about, AT_SYMLINK_NOFOLLOW) != 0 ? -errno : 0;
	close(at);
	return code;
}

int apmu_board__folder_link(int folder, const char *name, char *to, size_t room)
{
	struct component last;
	int at = walk(folder, name, &last);

	if (at < 0)
		return at;
	ssize_t n = readlinkat(at, last.text, to, room);
	int code = n < 0 ? -errno : (int)n;
	close(at);
	return code;
}

int apmu_board__folder_make(int folder, const char *name)
{
	struct component last;
	int at = walk(folder, name, &last);

	if (at < 0)
		return at;
	int code = mkdirat(at, last.text, 0777) != 0 ? -errno : 0;
	close(at);
	return code;
}

static int take_away(int folder, const char *name, int flags)
{
	struct component last;
	int at = walk(folder, name, &last);

	if (at < 0)
		return at;
	int code = unlinkat(at, last.text, flags) != 0 ? -errno : 0;
	close(at);
	return code;
}

int apmu_board__folder_remove(int folder, const char *name)
{
	return take_away(folder, name, 0);
}

int apmu_board__folder_remove_empty(int folder, const char *name)
{
	return take_away(folder, name, AT_REMOVEDIR);
}

int apmu_board__folder_rename(int folder, const char *from, const char *to)
{
	struct component old, new;
	int at = walk(folder, from, &old), there;

	if (at < 0)
		return at;
	there = walk(folder, to, &new);
	int code = there < 0 ? there : renameat(at, old.text, there, new.text) != 0 ? -errno : 0;
	close(at);
	if (there >= 0)
		close(there);
	return code;
}

int64_t apmu_board__folder_writes_at(int fd, int64_t at)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat about;

	if (flags < 0 || fstat(fd, &about) != 0)
		return -errno;
	if (flags & O_APPEND)
		return about.st_size;
	if (at < 0 && (at = lseek(fd, 0, SEEK_CUR)) < 0)
		return -errno;
	return at;
}
