/* SPDX-License-Identifier: MIT */
/* File names. The program's root is the folder, ".." stops there, and no symbolic link is followed: a name
 * can be resolved without asking the host. */
#define _GNU_SOURCE /* O_NOFOLLOW and kin */
#include "board/folder.h"
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* Linux's values on Arm; the access mode is the low two bits everywhere. */
#define ARM_O_CREAT     0x40u
#define ARM_O_EXCL      0x80u
#define ARM_O_TRUNC     0x200u
#define ARM_O_APPEND    0x400u
#define ARM_O_DIRECTORY 0x4000u
#define ARM_O_PATH      0x200000u
#define REMOVE_FOLDER   0x200u
#define COMPONENT_MOST  255u
#define MAY_ALL         7u

_Static_assert(APMU_LINUX__NAME == APMU_BOARD__FOLDER_NAME_MAX, "a name fits in both");

int apmu_linux__path(const struct apmu_linux__linux *p, uint64_t at, char *to, size_t room)
{
	for (size_t i = 0; i < room; i++) {
		if (!apmu_linux__get(p, at + i, &to[i], 1))
			return -EFAULT;
		if (to[i] == '\0')
			return i ? 0 : -ENOENT;
	}
	return -ENAMETOOLONG;
}

bool apmu_linux__is_nothing(const char *place)
{
	return strcmp(place, "dev/null") == 0;
}

/* Appends one component: "." changes nothing, ".." goes up, but not above the root. */
static int append(char *to, const char *component, size_t n)
{
	size_t have = strlen(to);

	if (n == 0 || (n == 1 && component[0] == '.'))
		return 0;
	if (n == 2 && component[0] == '.' && component[1] == '.') {
		char *last = strrchr(to, '/');
		*(last ? last : to) = '\0';
		return 0;
	}
	if (n > COMPONENT_MOST || have + n + 2 > APMU_LINUX__NAME)
		return -ENAMETOOLONG;
	if (have)
		to[have++] = '/';
	memcpy(to + have, component, n);
	to[have + n] = '\0';
	return 0;
}

/* Finds the directory at which a relative name begins. */
static int begin(const struct apmu_linux__linux *p, uint64_t fd, char to[APMU_LINUX__NAME])
{
	if ((uint32_t)fd == APMU_LINUX__CWD)
		snprintf(to, APMU_LINUX__NAME, "%s", p->cwd);
	else if (!apmu_linux__is_open(p, fd))
		return -EBADF;
	else if (p->open[fd].kind != APMU_LINUX__FOLDER)
		return -ENOTDIR;
	else
		snprintf(to, APMU_LINUX__NAME, "%s", apmu_linux__folder_place(p->open[fd].folder));
	return 0;
}

/* True if a name that ends in "/" names a file. */
static bool is_no_folder(const struct apmu_linux__linux *p, const char *name, const char *place)
{
	struct stat about;

	return name[strlen(name) - 1] == '/' && place[0] &&
	       apmu_board__folder_look(p->config.folder, place, &about) == 0 && S_ISREG(about.st_mode);
}

int apmu_linux__place(const struct apmu_linux__linux *p, uint64_t fd, uint64_t at, char to[APMU_LINUX__NAME])
{
	char name[APMU_LINUX__NAME];
	const char *rest = name;
	int code = apmu_linux__path(p, at, name, sizeof(name));

	to[0] = '\0';
	if (code == 0 && name[0] != '/')
		code = begin(p, fd, to);
	while (code == 0 && *rest) {
		size_t n = strcspn(rest, "/");
		code = append(to, rest, n);
		rest += n + (rest[n] == '/');
	}
	if (code == 0 && p->config.folder < 0 && !apmu_linux__is_nothing(to))
		return name[0] == '/' ? -ENOENT : -EACCES;
	return code == 0 && is_no_folder(p, name, to) ? -ENOTDIR : code;
}

static int host_flags(uint64_t flags)
{
	return (int)(flags & 3) | (flags & ARM_O_CREAT ? O_CREAT : 0) | (flags & ARM_O_EXCL ? O_EXCL : 0) |
	       (flags & ARM_O_TRUNC ? O_TRUNC : 0) | (flags & ARM_O_APPEND ? O_APPEND : 0);
}

static int open_folder(struct apmu_linux__linux *p, const char *place, uint64_t flags,
		       struct apmu_linux__open *out)
{
	if (flags & (3 | ARM_O_CREAT | ARM_O_TRUNC))
		return -EISDIR;
	out->kind = APMU_LINUX__FOLDER;
	return apmu_linux__folder_open(p, place, &out->folder);
}

/* `looked`: why nothing was found there; 0: something was. */
static int open_file(struct apmu_linux__linux *p, const char *place, uint64_t flags, int looked,
		     struct apmu_linux__open *out)
{
	if (flags & ARM_O_DIRECTORY)
		return looked ? looked : -ENOTDIR;
	out->kind = APMU_LINUX__FILE;
	out->inode = apmu_linux__inode(place);
	out->host = apmu_board__folder_open(p->config.folder, place, host_flags(flags));
	return out->host < 0 ? out->host : 0;
}

static int64_t open_name(struct apmu_linux__linux *p, uint64_t fd, uint64_t at, uint64_t flags)
{
	struct apmu_linux__open one = {.flags = (uint32_t)flags, .host = -1};
	char place[APMU_LINUX__NAME];
	struct stat about = {0};
	int64_t to = apmu_linux__free_fd(p, 0);
	int code = apmu_linux__place(p, fd, at, place);

	if (code != 0 || to < 0)
		return code ? code : to;
	if ((flags & 3) == 3 || flags & ARM_O_PATH)
		return -EINVAL;
	int looked = apmu_board__folder_look(p->config.folder, apmu_linux__or_dot(place), &about);
	if (apmu_linux__is_nothing(place))
		one.kind = APMU_LINUX__DEV_NULL;
	else if (looked == 0 && S_ISDIR(about.st_mode))
		code = open_folder(p, place, flags, &one);
	else
		code = open_file(p, place, flags, looked, &one);
	if (code != 0)
		return code;
	p->open[to] = one;
	return to;
}

int64_t apmu_linux__open(struct apmu_linux__call *call)
{
	return open_name(call->p, APMU_LINUX__CWD, call->arg[0], call->arg[1]);
}

int64_t apmu_linux__openat(struct apmu_linux__call *call)
{
	return open_name(call->p, call->arg[0], call->arg[1], call->arg[2]);
}

/* Applies a function to one name, which may not be the root. */
static int64_t with_name(struct apmu_linux__linux *p, uint64_t fd, uint64_t at,
			 int (*does)(int, const char *))
{
	char place[APMU_LINUX__NAME];
	int code = apmu_linux__place(p, fd, at, place);

	if (code != 0)
		return code;
	return place[0] ? does(p->config.folder, place) : -EBUSY;
}

/* Makes a directory. The root exists already. */
static int64_t make_folder(struct apmu_linux__linux *p, uint64_t fd, uint64_t at)
{
	int64_t code = with_name(p, fd, at, apmu_board__folder_make);

	return code == -EBUSY ? -EEXIST : code;
}

int64_t apmu_linux__unlink(struct apmu_linux__call *call)
{
	return with_name(call->p, APMU_LINUX__CWD, call->arg[0], apmu_board__folder_remove);
}

int64_t apmu_linux__rmdir(struct apmu_linux__call *call)
{
	return with_name(call->p, APMU_LINUX__CWD, call->arg[0], apmu_board__folder_remove_empty);
}

int64_t apmu_linux__unlinkat(struct apmu_linux__call *call)
{
	if (call->arg[2] & ~(uint64_t)REMOVE_FOLDER)
		return -EINVAL;
	return with_name(call->p, call->arg[0], call->arg[1],
			 call->arg[2] ? apmu_board__folder_remove_empty : apmu_board__folder_remove);
}

int64_t apmu_linux__mkdir(struct apmu_linux__call *call)
{
	return make_folder(call->p, APMU_LINUX__CWD, call->arg[0]);
}

int64_t apmu_linux__mkdirat(struct apmu_linux__call *call)
{
	return make_folder(call->p, call->arg[0], call->arg[1]);
}

static int64_t rename_to(struct apmu_linux__linux *p, const uint64_t from[2], const uint64_t to[2])
{
	char old[APMU_LINUX__NAME], new[APMU_LINUX__NAME];
	int code = apmu_linux__place(p, from[0], from[1], old);

	if (code == 0)
		code = apmu_linux__place(p, to[0], to[1], new);
	if (code != 0)
		return code;
	return old[0] && new[0] ? apmu_board__folder_rename(p->config.folder, old, new) : -EBUSY;
}

int64_t apmu_linux__rename(struct apmu_linux__call *call)
{
	const uint64_t from[2] = {APMU_LINUX__CWD, call->arg[0]}, to[2] = {APMU_LINUX__CWD, call->arg[1]};

	return rename_to(call->p, from, to);
}

int64_t apmu_linux__renameat(struct apmu_linux__call *call)
{
	return rename_to(call->p, call->arg, call->arg + 2);
}

int64_t apmu_linux__renameat2(struct apmu_linux__call *call)
{
	return call->arg[4] ? -EINVAL : rename_to(call->p, call->arg, call->arg + 2);
}

/* Checks access rights as the file's owner. */
static int64_t may(struct apmu_linux__linux *p, uint64_t fd, uint64_t at, uint64_t want)
{
	char place[APMU_LINUX__NAME];
	struct stat about;
	int code = apmu_linux__place(p, fd, at, place);

	if (want & ~(uint64_t)MAY_ALL)
		return -EINVAL;
	if (code != 0)
		return code;
	if (apmu_linux__is_nothing(place))
		return want & 1 ? -EACCES : 0;
	code = apmu_board__folder_look(p->config.folder, apmu_linux__or_dot(place), &about);
	if (code != 0)
		return code;
	return S_ISLNK(about.st_mode) || (about.st_mode >> 6 & want) != want ? -EACCES : 0;
}

int64_t apmu_linux__access(struct apmu_linux__call *call)
{
	return may(call->p, APMU_LINUX__CWD, call->arg[0], call->arg[1]);
}

int64_t apmu_linux__faccessat(struct apmu_linux__call *call)
{
	return may(call->p, call->arg[0], call->arg[1], call->arg[2]);
}

static int64_t read_link(struct apmu_linux__linux *p, uint64_t fd, uint64_t at, uint64_t to, uint64_t room)
{
	char place[APMU_LINUX__NAME], text[APMU_LINUX__NAME];
	int code = apmu_linux__place(p, fd, at, place);

	if (code != 0)
		return code;
	if (!place[0] || !room || apmu_linux__is_nothing(place))
		return -EINVAL;
	int n = apmu_board__folder_link(p->config.folder, place, text, sizeof(text));
	if (n > 0 && (uint64_t)n > room)
		n = (int)room;
	return n < 0 || apmu_linux__put(p, to, text, (size_t)n) ? n : -EFAULT;
}

int64_t apmu_linux__readlink(struct apmu_linux__call *call)
{
	return read_link(call->p, APMU_LINUX__CWD, call->arg[0], call->arg[1], (uint32_t)call->arg[2]);
}

int64_t apmu_linux__readlinkat(struct apmu_linux__call *call)
{
	return read_link(call->p, call->arg[0], call->arg[1], call->arg[2], (uint32_t)call->arg[3]);
}
