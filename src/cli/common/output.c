/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE */
#include "cli/common/output.h"

#include "cli/common/interrupt.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot(const struct cli__cli *cli, const char *path, int error)
{
	cli__message(cli, "cannot write '%s': %s", path, strerror(error));
	return CLI__EXIT_FAILURE;
}

/* True if the results go to standard output. */
static bool to_stdout(const char *path)
{
	return path != NULL && strcmp(path, "-") == 0;
}

/* True if `path` can be replaced by a new file. A device or pipe can only be written to, and a link, such as
 * /dev/stdout, must stay. */
static bool replaceable(const char *path)
{
	struct stat st;

	return lstat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* True if `path` can be written in place. A link to a missing file counts, because opening it creates the
 * file. */
static bool writable(const char *path)
{
	struct stat st;

	return access(path, W_OK) == 0 || (errno == ENOENT && lstat(path, &st) == 0 && S_ISLNK(st.st_mode));
}

/* Creates a file beside `path`, with the permissions that a new file gets by the umask. Returns -1 and errno
 * on failure. */
static int open_beside(const char *path, char **name)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	*name = cli__format("%s.XXXXXX", path);
	fd = mkstemp(*name);
	if (fd >= 0)
		fchmod(fd, 0666 & ~mask);
	return fd;
}

int cli__output_check(const struct cli__cli *cli, const char *path)
{
	struct stat st;
	char *name;
	int fd, error;

	if (path == NULL || to_stdout(path))
		return 0;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return cannot(cli, path, EISDIR);
	if (path[0] == '\0')
		return cannot(cli, path, ENOENT);
	if (!replaceable(path))
		return writable(path) ? 0 : cannot(cli, path, errno);
	fd = open_beside(path, &name);
	error = errno;
	if (fd >= 0) {
		close(fd);
		unlink(name);
	}
	free(name);
	return fd >= 0 ? 0 : cannot(cli, path, error);
}

int cli__output_apart(const struct cli__cli *cli, const char *path, const char *input, const char *what)
{
	struct stat to, from;

	if (path == NULL || input == NULL || stat(path, &to) != 0 || stat(input, &from) != 0 ||
	    !S_ISREG(to.st_mode) || to.st_dev != from.st_dev || to.st_ino != from.st_ino)
		return 0;
	cli__message(cli, "'%s' is the %s itself: name another file for the results", path, what);
	return CLI__EXIT_USAGE;
}

/* Opens a nameless file (O_TMPFILE) in the folder of `path`, to be named through /proc later. Returns -1 if
 * that is impossible. */
static int open_nameless(const char *path)
{
	char *folder = cli__copy(path);
	char *slash = strrchr(folder, '/');
	int fd = -1;

	if (slash != NULL)
		slash[slash == folder] = '\0';
	if (access("/proc/self/fd", X_OK) == 0)
		fd = open(slash != NULL ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(folder);
	return fd;
}

int cli__output_open(const struct cli__cli *cli, struct cli__output *out, const char *path)
{
	*out = (struct cli__output){.path = path, .fd = -1};
	if (path != NULL && path[0] != '\0' && !to_stdout(path) && replaceable(path))
		out->fd = open_nameless(path);
	if (out->fd >= 0)
		out->stream = fdopen(out->fd, "w");
	else
		out->stream = open_memstream(&out->text, &out->size);
	if (out->stream != NULL)
		return 0;
	cli__message(cli, "cannot collect the results: %s", strerror(errno));
	return CLI__EXIT_FAILURE;
}

bool cli__write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);
		if (done < 0 && errno != EINTR)
			return false;
		bytes += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return true;
}

static bool write_all(FILE *file, const struct cli__output *out)
{
	bool whole = fwrite(out->text, 1, out->size, file) == out->size;

	return fclose(file) == 0 && whole;
}

/* Gives the new file the permissions of the one that it replaces. */
static void keep_mode(int fd, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		fchmod(fd, st.st_mode & 07777);
}

static int replace(const struct cli__cli *cli, const struct cli__output *out)
{
	char *name;
	int fd = open_beside(out->path, &name), error = errno;
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
	bool done = false;

	cli__interrupts_unlink(fd >= 0 ? name : NULL);
	if (file != NULL) {
		keep_mode(fd, out->path);
		done = write_all(file, out) && rename(name, out->path) == 0;
		error = errno;
	}
	if (fd >= 0 && !done)
		unlink(name);
	cli__interrupts_unlink(NULL);
	free(name);
	return done ? 0 : cannot(cli, out->path, error);
}

static int write_through(const struct cli__cli *cli, const struct cli__output *out)
{
	FILE *file = fopen(out->path, "w");

	if (file == NULL || !write_all(file, out))
		return cannot(cli, out->path, errno);
	return 0;
}

/* The errno value of an earlier failed write, found by writing again; EIO if that succeeds. */
static int why(int fd)
{
	return write(fd, "", 1) == 1 ? EIO : errno;
}

/* Links the nameless file under a free name, then renames it to its own. */
static int name_it(const struct cli__cli *cli, const struct cli__output *out)
{
	char *from = cli__format("/proc/self/fd/%d", out->fd);
	int error = EEXIST;

	keep_mode(out->fd, out->path);
	for (unsigned i = 0; i < 100 && error == EEXIST; i++) {
		char *name = cli__format("%s.%ld-%u", out->path, (long)getpid(), i);
		error = linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
		if (error == 0 && rename(name, out->path) != 0) {
			error = errno;
			unlink(name);
		}
		free(name);
	}
	free(from);
	return error ? cannot(cli, out->path, error) : 0;
}

static int close_nameless(const struct cli__cli *cli, struct cli__output *out, bool keep)
{
	int bad = 0;

	if (keep && (fflush(out->stream) != 0 || ferror(out->stream)))
		bad = cannot(cli, out->path, why(out->fd));
	else if (keep)
		bad = name_it(cli, out);
	if (fclose(out->stream) != 0 && keep && bad == 0)
		bad = cannot(cli, out->path, errno);
	return bad;
}

static int print_whole(const struct cli__cli *cli, const struct cli__output *out)
{
	FILE *stream = out->path == NULL ? cli->err : cli->out;

	return fwrite(out->text, 1, out->size, stream) == out->size ? 0 : CLI__EXIT_FAILURE;
}

int cli__output_close(const struct cli__cli *cli, struct cli__output *out, bool keep)
{
	int bad = 0;

	if (out->fd >= 0)
		return close_nameless(cli, out, keep);
	if (fclose(out->stream) != 0 && keep)
		bad = cannot(cli, out->path != NULL ? out->path : "the results", errno);
	else if (keep && (out->path == NULL || to_stdout(out->path)))
		bad = print_whole(cli, out);
	else if (keep)
		bad = replaceable(out->path) ? replace(cli, out) : write_through(cli, out);
	free(out->text);
	return bad;
}

unsigned cli__width(FILE *stream)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = {0};
	uint64_t width;

	if (fileno(stream) >= 0 && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
		return size.ws_col;
	return columns != NULL && cli__number(columns, 10000, &width) ? (unsigned)width : 0;
}

void cli__put_xml(const char *text, FILE *out)
{
	unsigned n;

	for (; *text; text += n) {
		unsigned shown = apmu_base__shown(text, &n);
		if (*text == '<' || *text == '>' || *text == '&')
			fputs(*text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;", out);
		else
			fwrite(shown ? text : "?", 1, shown ? shown : 1, out);
	}
}
