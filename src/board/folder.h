/* SPDX-License-Identifier: MIT */
/**
 * Files of one folder of the host, for guests that are not trusted: names lead nowhere else. A name is
 * relative; "..", absolute names and symbolic links on the way or at its end are refused, and what is opened
 * is a regular file or a directory. A guest cannot make links, so links in the folder are the user's own
 * doing.
 *
 * `folder`: a descriptor of a directory, or -1: there is none. Results: 0 or a descriptor, or a negative
 * errno value.
 */
#ifndef APMU_BOARD_FOLDER_H
#define APMU_BOARD_FOLDER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define APMU_BOARD__FOLDER_NAME_MAX 1024

/* Opens a regular file. `flags`: of open(2): an access mode with O_CREAT, O_EXCL, O_TRUNC, O_APPEND. */
int apmu_board__folder_open(int folder, const char *name, int flags);
/* Opens a directory for reading; "." is the folder. */
int apmu_board__folder_enter(int folder, const char *name);
/* Attributes of a name; of a link, those of the link itself. */
int apmu_board__folder_look(int folder, const char *name, struct stat *about);
/* Writes the text of a link, not ended by a zero; returns how many bytes were written. */
int apmu_board__folder_link(int folder, const char *name, char *to, size_t room);
int apmu_board__folder_make(int folder, const char *name); /* a directory */
int apmu_board__folder_remove(int folder, const char *name);
int apmu_board__folder_remove_empty(int folder, const char *name); /* a directory */
int apmu_board__folder_rename(int folder, const char *from, const char *to);
/* The offset at which a write to an open file would begin: the end of the file if it is appended to, else
 * `at`, or the file's own offset if that is negative. */
int64_t apmu_board__folder_writes_at(int fd, int64_t at);

#endif
