/* SPDX-License-Identifier: MIT */
/**
 * Files of one folder of the host, for guests that are not trusted: names lead nowhere else. A name is
 * relative;
 * "..", absolute names and symbolic links on the way or at its end are refused, and what is opened is a
 * regular file. A guest cannot make links, so what stands in the folder is the user's own doing.
 */
#ifndef APMU_ENGINE_BOARD_FOLDER_H
#define APMU_ENGINE_BOARD_FOLDER_H

#define APMU__FOLDER_NAME_MAX 1024

/* `folder`: a descriptor of a directory, or -1: nothing can be opened. `flags`: of open(2): an access mode
 * with O_CREAT, O_TRUNC, O_APPEND. A new descriptor, or a negative errno value. */
int apmu__folder_open(int folder, const char *name, int flags);
int apmu__folder_remove(int folder, const char *name);
int apmu__folder_rename(int folder, const char *from, const char *to);

#endif
