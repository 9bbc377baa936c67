/* SPDX-License-Identifier: MIT */
/* Semihosting's handles: the console (":tt"), the list of features, files of the folder. */
#define _GNU_SOURCE /* pread and kin, O_CLOEXEC */
#include "board/folder.h"
#include "board/semihost_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOVE_MOST ((uint64_t)64 << 20)
#define FILE_MOST ((uint64_t)1 << 30)
#define PIECE     4096u
#define MODES     12

/* ":semihosting-features": magic, then SH_EXT_EXIT_EXTENDED and SH_EXT_STDOUT_STDERR. */
static const uint8_t features[] = {'S', 'H', 'F', 'B', 0x03};

/* fopen's modes by number: r, w, a, each plain, binary, and with "+". */
static int open_flags(uint64_t mode)
{
	static const int base[] = {0, O_CREAT | O_TRUNC, O_CREAT | O_APPEND};
	bool both = mode & 2;

	return base[mode / 4] | (both ? O_RDWR : mode < 4 ? O_RDONLY : O_WRONLY);
}

/* Reads a name from the guest's memory as a C string. Returns 0 or an errno value. */
static int get_name(const struct apmu_board__asked *asked, uint64_t at, uint64_t n,
		    char name[APMU_BOARD__FOLDER_NAME_MAX])
{
	if (n >= APMU_BOARD__FOLDER_NAME_MAX)
		return ENAMETOOLONG;
	if (!asked->memory->read(asked->memory->ctx, at, name, (size_t)n))
		return EFAULT;
	name[n] = '\0';
	return strlen(name) == n ? 0 : EINVAL;
}

/* ":tt" opened for reading is the input, for writing the output, for appending the error stream. */
static int open_kind(const char *name, uint64_t mode)
{
	if (strcmp(name, ":tt") == 0)
		return mode < 4   ? APMU_BOARD__HANDLE_IN
		       : mode < 8 ? APMU_BOARD__HANDLE_OUT
				  : APMU_BOARD__HANDLE_ERR;
	if (strcmp(name, ":semihosting-features") == 0)
		return mode < 4 ? APMU_BOARD__HANDLE_FEATURES : APMU_BOARD__HANDLE_FREE;
	return APMU_BOARD__HANDLE_FILE;
}

static unsigned free_slot(const struct apmu_board__semihost *host)
{
	unsigned i = 0;

	while (i < APMU_BOARD__SEMIHOST_FILES && host->file[i].kind != APMU_BOARD__HANDLE_FREE)
		i++;
	return i;
}

/* Fields: name, mode, length of the name. */
uint64_t apmu_board__semihost_open(const struct apmu_board__asked *asked)
{
	struct apmu_board__semihost *host = asked->host;
	char name[APMU_BOARD__FOLDER_NAME_MAX];
	uint64_t mode = asked->field[1];
	unsigned i = free_slot(host);
	int fd = -1, code = get_name(asked, asked->field[0], asked->field[2], name);

	if (code != 0 || mode >= MODES)
		return apmu_board__semihost_fail(host, code ? code : EINVAL);
	if (i == APMU_BOARD__SEMIHOST_FILES)
		return apmu_board__semihost_fail(host, EMFILE);
	int kind = open_kind(name, mode);
	if (kind == APMU_BOARD__HANDLE_FREE)
		return apmu_board__semihost_fail(host, EACCES);
	if (kind == APMU_BOARD__HANDLE_FILE &&
	    (fd = apmu_board__folder_open(host->folder, name, open_flags(mode))) < 0)
		return apmu_board__semihost_fail(host, -fd);
	host->file[i].kind = (uint8_t)kind;
	host->file[i].fd = fd;
	host->file[i].at = 0;
	return i + 1;
}

/* The handle in the first field as an index; APMU_BOARD__SEMIHOST_FILES if it is none. */
static unsigned slot(const struct apmu_board__asked *asked)
{
	uint64_t handle = asked->field[0];

	if (handle == 0 || handle > APMU_BOARD__SEMIHOST_FILES ||
	    asked->host->file[handle - 1].kind == APMU_BOARD__HANDLE_FREE) {
		asked->host->error = EBADF;
		return APMU_BOARD__SEMIHOST_FILES;
	}
	return (unsigned)handle - 1;
}

static void shut(struct apmu_board__semihost *host, unsigned i)
{
	if (host->file[i].kind == APMU_BOARD__HANDLE_FILE)
		close(host->file[i].fd);
	host->file[i].kind = APMU_BOARD__HANDLE_FREE;
}

uint64_t apmu_board__semihost_shut(const struct apmu_board__asked *asked)
{
	unsigned i = slot(asked);

	if (i == APMU_BOARD__SEMIHOST_FILES)
		return APMU_BOARD__SEMIHOST_FAILED;
	shut(asked->host, i);
	return 0;
}

void apmu_board__semihost_close(struct apmu_board__semihost *host)
{
	for (unsigned i = 0; i < APMU_BOARD__SEMIHOST_FILES; i++)
		shut(host, i);
}

/* Writes to a handle; returns how many of n bytes it took. 0: it takes no more. */
static size_t put(struct apmu_board__semihost *host, unsigned i, const uint8_t *bytes, size_t n)
{
	int kind = host->file[i].kind, fd = host->file[i].fd;

	if (kind == APMU_BOARD__HANDLE_OUT || kind == APMU_BOARD__HANDLE_ERR) {
		host->write(host->ctx, kind == APMU_BOARD__HANDLE_ERR, bytes, n);
		return n;
	}
	if (kind != APMU_BOARD__HANDLE_FILE) {
		host->error = EBADF;
		return 0;
	}
	int64_t at = apmu_board__folder_writes_at(fd, -1);
	if (at < 0 || (uint64_t)at + n > FILE_MOST) {
		host->error = EFBIG;
		return 0;
	}
	ssize_t did = write(fd, bytes, n);
	if (did < 0)
		host->error = errno;
	return did > 0 ? (size_t)did : 0;
}

/* Fields: handle, buffer, length. The result is the number of bytes that were not written: 0 is success. */
uint64_t apmu_board__semihost_write(const struct apmu_board__asked *asked)
{
	uint64_t length = asked->field[2], done = 0;
	unsigned i = slot(asked);
	uint8_t piece[PIECE];

	while (i < APMU_BOARD__SEMIHOST_FILES && done < length && done < MOVE_MOST) {
		size_t n = length - done < PIECE ? (size_t)(length - done) : PIECE;

		if (!asked->memory->read(asked->memory->ctx, asked->field[1] + done, piece, n)) {
			asked->host->error = EFAULT;
			break;
		}
		size_t did = put(asked->host, i, piece, n);
		done += did;
		if (did < n)
			break;
	}
	return length - done;
}

static size_t get_features(struct apmu_board__semihost *host, unsigned i, uint8_t *bytes, size_t n)
{
	size_t at = host->file[i].at, left = at < sizeof(features) ? sizeof(features) - at : 0;

	n = n < left ? n : left;
	memcpy(bytes, features + (left ? at : 0), n);
	host->file[i].at += (uint32_t)n;
	return n;
}

/* Reads from a handle; returns how many bytes came. 0: the end, or an error. */
static size_t get(struct apmu_board__semihost *host, unsigned i, uint8_t *bytes, size_t n)
{
	switch (host->file[i].kind) {
	case APMU_BOARD__HANDLE_IN: return host->read ? host->read(host->ctx, bytes, n) : 0;
	case APMU_BOARD__HANDLE_FEATURES: return get_features(host, i, bytes, n);
	case APMU_BOARD__HANDLE_FILE: break;
	default: host->error = EBADF; return 0;
	}
	ssize_t did = read(host->file[i].fd, bytes, n);
	if (did < 0)
		host->error = errno;
	return did > 0 ? (size_t)did : 0;
}

/* Fields: handle, buffer, length. The result is the number of bytes that were not read: all of them at the
 * end of a file. A console gives what there is. */
uint64_t apmu_board__semihost_read(const struct apmu_board__asked *asked)
{
	uint64_t length = asked->field[2], done = 0;
	unsigned i = slot(asked);
	uint8_t piece[PIECE];

	while (i < APMU_BOARD__SEMIHOST_FILES && done < length && done < MOVE_MOST) {
		size_t n = length - done < PIECE ? (size_t)(length - done) : PIECE;
		size_t did = get(asked->host, i, piece, n);

		if (did && !asked->memory->write(asked->memory->ctx, asked->field[1] + done, piece, did)) {
			asked->host->error = EFAULT;
			break;
		}
		done += did;
		if (did < n)
			break;
	}
	return length - done;
}

/* Fields: handle, absolute position. */
uint64_t apmu_board__semihost_seek(const struct apmu_board__asked *asked)
{
	uint64_t to = asked->field[1];
	unsigned i = slot(asked);

	if (i == APMU_BOARD__SEMIHOST_FILES)
		return APMU_BOARD__SEMIHOST_FAILED;
	if (asked->host->file[i].kind == APMU_BOARD__HANDLE_FEATURES && to <= sizeof(features)) {
		asked->host->file[i].at = (uint32_t)to;
		return 0;
	}
	if (asked->host->file[i].kind != APMU_BOARD__HANDLE_FILE || to > FILE_MOST)
		return apmu_board__semihost_fail(asked->host, EINVAL);
	return lseek(asked->host->file[i].fd, (off_t)to, SEEK_SET) < 0
		       ? apmu_board__semihost_fail(asked->host, errno)
		       : 0;
}

uint64_t apmu_board__semihost_length(const struct apmu_board__asked *asked)
{
	unsigned i = slot(asked);
	struct stat about;

	if (i == APMU_BOARD__SEMIHOST_FILES)
		return APMU_BOARD__SEMIHOST_FAILED;
	if (asked->host->file[i].kind == APMU_BOARD__HANDLE_FEATURES)
		return sizeof(features);
	if (asked->host->file[i].kind != APMU_BOARD__HANDLE_FILE)
		return apmu_board__semihost_fail(asked->host, EINVAL);
	if (fstat(asked->host->file[i].fd, &about) != 0)
		return apmu_board__semihost_fail(asked->host, errno);
	return (uint64_t)about.st_size;
}

uint64_t apmu_board__semihost_terminal(const struct apmu_board__asked *asked)
{
	unsigned i = slot(asked);

	if (i == APMU_BOARD__SEMIHOST_FILES)
		return APMU_BOARD__SEMIHOST_FAILED;
	return asked->host->file[i].kind <= APMU_BOARD__HANDLE_ERR;
}

/* Fields: name, length. */
uint64_t apmu_board__semihost_remove(const struct apmu_board__asked *asked)
{
	char name[APMU_BOARD__FOLDER_NAME_MAX];
	int code = get_name(asked, asked->field[0], asked->field[1], name);

	if (code == 0)
		code = -apmu_board__folder_remove(asked->host->folder, name);
	return code ? apmu_board__semihost_fail(asked->host, code) : 0;
}

/* Fields: old name, its length, new name, its length. The result is an error number, 0 for none. */
uint64_t apmu_board__semihost_rename(const struct apmu_board__asked *asked)
{
	char from[APMU_BOARD__FOLDER_NAME_MAX], to[APMU_BOARD__FOLDER_NAME_MAX];
	int code = get_name(asked, asked->field[0], asked->field[1], from);

	if (code == 0)
		code = get_name(asked, asked->field[2], asked->field[3], to);
	if (code == 0)
		code = -apmu_board__folder_rename(asked->host->folder, from, to);
	return code ? apmu_board__semihost_fail(asked->host, code) : 0;
}

/* Fields: buffer, identifier 0 to 255, length. The same identifier gives the same name, as the call's
 * definition requires. */
uint64_t apmu_board__semihost_temporary(const struct apmu_board__asked *asked)
{
	char name[16];
	int n = snprintf(name, sizeof(name), "apmu-tmp.%02x", (unsigned)(asked->field[1] & 0xFF));

	if (asked->field[1] > 0xFF || asked->field[2] <= (uint64_t)n)
		return apmu_board__semihost_fail(asked->host, EINVAL);
	if (!asked->memory->write(asked->memory->ctx, asked->field[0], name, (size_t)n + 1))
		return apmu_board__semihost_fail(asked->host, EFAULT);
	return 0;
}
