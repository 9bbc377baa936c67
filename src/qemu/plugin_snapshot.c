/* SPDX-License-Identifier: MIT */
/* Marks: writes a thread's totals to the command's file. */
#define _GNU_SOURCE /* open flags, kill() */
#include "qemu/plugin.h"

#include "profile/format.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The signals of writes that fail: beyond a limit that the program has set itself, or to a pipe that nobody
 * reads. They are for a program that writes, not for one that is recorded. */
static const struct {
	int signal, error;
} raised[] = {{SIGXFSZ, EFBIG}, {SIGPIPE, EPIPE}};
enum { RAISED = sizeof(raised) / sizeof(raised[0]) };

/* Bit k: the thread's raised[k] was not blocked before. */
static __thread uint8_t unblocked __attribute__((tls_model("initial-exec")));

static void block_signals(void)
{
	sigset_t all, before;

	sigemptyset(&all);
	for (unsigned k = 0; k < RAISED; k++)
		sigaddset(&all, raised[k].signal);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	unblocked = 0;
	for (unsigned k = 0; k < RAISED; k++)
		unblocked |= (uint8_t)(!sigismember(&before, raised[k].signal) << k);
}

/* Takes the signal of a write that failed with `error`, if any. */
static void unblock_signals(int error)
{
	static const struct timespec now;

	for (unsigned k = 0; k < RAISED; k++) {
		sigset_t one;
		sigemptyset(&one);
		sigaddset(&one, raised[k].signal);
		if (error == raised[k].error)
			sigtimedwait(&one, NULL, &now);
		if (unblocked >> k & 1)
			pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	}
}

/* The threads of the first process need not be counted: the command collects when they have ended. */
bool apmu_qemu__command_hold(void)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;

	if (apmu_qemu__plugin.forked)
		atomic_fetch_add(&share->writing, 1);
	return !atomic_load(&share->closed);
}

void apmu_qemu__command_release(void)
{
	if (apmu_qemu__plugin.forked)
		atomic_fetch_sub(&apmu_qemu__plugin.share->writing, 1);
}

/*
 * A command that was killed has no descriptors any more, or its number is another process's: then the program
 * continues, and nothing is written.
 */
static int open_file(const struct apmu_qemu__command_file *file, int flags)
{
	int command = apmu_qemu__plugin.share->command_pid;
	char path[64];
	struct stat is;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", command, (int)file->descriptor);
	if (stat(path, &is) != 0 ? kill(command, 0) != 0 && errno == ESRCH
				 : is.st_dev != file->device || is.st_ino != file->inode)
		apmu_qemu__plugin.muted = true;
	if (apmu_qemu__plugin.muted)
		return -ESRCH;
	int fd = open(path, flags);
	return fd < 0 ? -errno : fd;
}

int apmu_qemu__command_file_open(const struct apmu_qemu__command_file *file)
{
	int fd = open_file(file, O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd >= 0)
		block_signals();
	return fd;
}

int apmu_qemu__command_memory(void)
{
	return open_file(&apmu_qemu__plugin.share->memory, O_RDWR);
}

void apmu_qemu__command_file_close(int fd, int error)
{
	if (fd < 0)
		return;
	close(fd);
	unblock_signals(error);
}

/* Writes a mark, through a descriptor that is open only meanwhile, because the program may close or use any
 * number. Returns 0, or the errno value that says why the mark is not in the file. */
static int write_mark(const struct apmu_qemu__snapshot *mark)
{
	if (apmu_qemu__plugin.muted)
		return 0;
	if (atomic_load(&apmu_qemu__plugin.share->marks_torn))
		return ENOSPC;
	int fd = apmu_qemu__command_file_open(&apmu_qemu__plugin.marks);
	if (fd < 0)
		return apmu_qemu__plugin.muted ? 0 : -fd;
	ssize_t put = write(fd, mark, sizeof(*mark));
	int error = put < 0 ? errno : put < (ssize_t)sizeof(*mark) ? -profile__cut_short(fd) : 0;
	if (put > 0 && error)
		atomic_store(&apmu_qemu__plugin.share->marks_torn, 1);
	apmu_qemu__command_file_close(fd, error);
	return error;
}

/* Writes the thread's mark. */
static bool write_totals(const struct apmu_qemu__thread *t, struct apmu_qemu__snapshot m)
{
	m.pid = t->slot->pid;
	m.tid = t->slot->tid;
	m.serial = t->slot->serial;
	m.image = t->slot->image;
	m.asked = t->slot->asked;
	m.resyncs = t->slot->resyncs;
	if (!m.dump)
		snprintf(m.name, sizeof(m.name), "%.15s", t->slot->name);
	m.violation = t->slot->violation;
	m.untimed = t->slot->samples.untimed;
	m.variance = t->slot->samples.squares;
	m.tally = apmu_qemu__slot_counted(apmu_qemu__plugin.share, t->slot);

	int error = write_mark(&m);
	if (error && !m.last && atomic_fetch_add(&apmu_qemu__plugin.share->marks_lost, 1) == 0)
		atomic_store(&apmu_qemu__plugin.share->marks_error, error);
	return error == 0;
}

static bool put(const struct apmu_qemu__thread *t, struct apmu_qemu__snapshot m)
{
	bool done = apmu_qemu__command_hold() && write_totals(t, m); /* else the command reads the slot */

	apmu_qemu__command_release();
	return done;
}

bool apmu_qemu__thread_mark(const struct apmu_qemu__thread *t, bool last)
{
	return put(t, (struct apmu_qemu__snapshot){.last = last});
}

bool apmu_qemu__thread_dump(const struct apmu_qemu__thread *t, const char *name)
{
	struct apmu_qemu__snapshot m = {.dump = true};

	snprintf(m.name, sizeof(m.name), "%s", name);
	return put(t, m);
}
