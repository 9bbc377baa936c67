/* SPDX-License-Identifier: MIT */
/* Directories of the small Linux: their listings, sorted, so that they are the same everywhere; and the
 * working directory. */
#define _GNU_SOURCE /* DT_DIR and kin */
#include "board/folder.h"
#include "linux-user/linux_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMES_MOST ((size_t)4 << 20) /* most bytes of a directory's listing */
#define ENTRY_HEAD 19u               /* bytes of struct linux_dirent64 before the name */
#define ENTRY_MOST 280u

struct entry {
	uint8_t type; /* DT_... */
	char name[256];
};

struct apmu_linux__folder {
	char place[APMU_LINUX__NAME];
	struct entry *list; /* NULL: not read yet */
	size_t n, at;
};

int apmu_linux__folder_open(struct apmu_linux__linux *p, const char *place, struct apmu_linux__folder **out)
{
	int fd = apmu_board__folder_enter(p->config.folder, apmu_linux__or_dot(place));

	if (fd < 0)
		return fd;
	close(fd);
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	snprintf((*out)->place, sizeof((*out)->place), "%s", place);
	return 0;
}

/* A duplicate reads its listing from the start again. */
int apmu_linux__folder_copy(const struct apmu_linux__folder *folder, struct apmu_linux__folder **out)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	memcpy((*out)->place, folder->place, sizeof(folder->place));
	return 0;
}

const char *apmu_linux__folder_place(const struct apmu_linux__folder *folder)
{
	return folder->place;
}

void apmu_linux__folder_rewind(struct apmu_linux__folder *folder)
{
	free(folder->list);
	folder->list = NULL;
	folder->n = folder->at = 0;
}

void apmu_linux__folder_close(struct apmu_linux__folder *folder)
{
	if (folder)
		free(folder->list);
	free(folder);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static int add(struct apmu_linux__folder *folder, const struct dirent *found, size_t *room)
{
	if (folder->n == *room) {
		size_t more = *room ? *room * 2 : 64;
		struct entry *list = more * sizeof(*list) <= NAMES_MOST
					     ? realloc(folder->list, more * sizeof(*list))
					     : NULL;
		if (!list)
			return -ENOMEM;
		folder->list = list;
		*room = more;
	}
	folder->list[folder->n].type = found->d_type;
	snprintf(folder->list[folder->n].name, sizeof(folder->list->name), "%s", found->d_name);
	folder->n++;
	return 0;
}

static int read_list(int fd, struct apmu_linux__folder *folder)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *found;
	size_t room = 0;
	int code = 0;

	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	folder->n = 0;
	while (code == 0 && (found = readdir(dir)))
		code = add(folder, found, &room);
	closedir(dir);
	if (folder->list)
		qsort(folder->list, folder->n, sizeof(*folder->list), by_name);
	return code;
}

static int fill(struct apmu_linux__linux *p, struct apmu_linux__folder *folder)
{
	if (folder->list)
		return 0;
	int fd = apmu_board__folder_enter(p->config.folder, apmu_linux__or_dot(folder->place));
	int code = fd < 0 ? fd : read_list(fd, folder);
	if (code != 0)
		apmu_linux__folder_rewind(folder);
	return code;
}

/* Returns an entry's inode number; "." and ".." have those of the directories that they name. */
static uint64_t inode_of(const struct apmu_linux__folder *folder, const char *name)
{
	char place[APMU_LINUX__NAME + 258];
	char *last;

	memcpy(place, folder->place, sizeof(folder->place));
	last = strrchr(place, '/');
	if (strcmp(name, "..") == 0)
		*(last ? last : place) = '\0';
	else if (strcmp(name, ".") != 0)
		snprintf(place + strlen(place), sizeof(place) - strlen(place), "%s%s", place[0] ? "/" : "",
			 name);
	return apmu_linux__inode(place);
}

/* Builds a struct linux_dirent64: inode, offset of the next, length, type, name. Returns its length. */
static size_t put_entry(const struct apmu_linux__folder *folder, uint8_t bytes[ENTRY_MOST])
{
	const struct entry *e = &folder->list[folder->at];
	size_t n = strlen(e->name) + 1, whole = (ENTRY_HEAD + n + 7) & ~(size_t)7;
	uint64_t inode = inode_of(folder, e->name), next = folder->at + 1;
	uint16_t length = (uint16_t)whole;

	memset(bytes, 0, ENTRY_MOST);
	memcpy(bytes, &inode, 8);
	memcpy(bytes + 8, &next, 8);
	memcpy(bytes + 16, &length, 2);
	bytes[18] = e->type;
	memcpy(bytes + ENTRY_HEAD, e->name, n);
	return whole;
}

int64_t apmu_linux__getdents64(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	uint64_t fd = call->arg[0], done = 0;
	uint8_t bytes[ENTRY_MOST];

	if (!apmu_linux__is_open(p, fd))
		return -EBADF;
	if (p->open[fd].kind != APMU_LINUX__FOLDER)
		return -ENOTDIR;
	struct apmu_linux__folder *folder = p->open[fd].folder;
	int code = fill(p, folder);
	if (code != 0)
		return code;
	for (; folder->at < folder->n; folder->at++) {
		size_t n = put_entry(folder, bytes);
		if (n > (uint32_t)call->arg[2] - done)
			return done ? (int64_t)done : -EINVAL;
		if (!apmu_linux__put(p, call->arg[1] + done, bytes, n))
			return done ? (int64_t)done : -EFAULT;
		done += n;
	}
	return (int64_t)done;
}

static int64_t go_to(struct apmu_linux__linux *p, const char *place)
{
	int fd = apmu_board__folder_enter(p->config.folder, apmu_linux__or_dot(place));

	if (fd < 0)
		return fd;
	close(fd);
	snprintf(p->cwd, sizeof(p->cwd), "%s", place);
	return 0;
}

int64_t apmu_linux__chdir(struct apmu_linux__call *call)
{
	char place[APMU_LINUX__NAME];
	int code = apmu_linux__place(call->p, APMU_LINUX__CWD, call->arg[0], place);

	return code ? code : go_to(call->p, place);
}

int64_t apmu_linux__fchdir(struct apmu_linux__call *call)
{
	const struct apmu_linux__linux *p = call->p;

	if (!apmu_linux__is_open(p, call->arg[0]))
		return -EBADF;
	if (p->open[call->arg[0]].kind != APMU_LINUX__FOLDER)
		return -ENOTDIR;
	return go_to(call->p, apmu_linux__folder_place(p->open[call->arg[0]].folder));
}

int64_t apmu_linux__getcwd(struct apmu_linux__call *call)
{
	char text[APMU_LINUX__NAME + 1];
	size_t n = (size_t)snprintf(text, sizeof(text), "/%s", call->p->cwd) + 1;

	if (call->arg[1] < n)
		return -ERANGE;
	return apmu_linux__put(call->p, call->arg[0], text, n) ? (int64_t)n : -EFAULT;
}
