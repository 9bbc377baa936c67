/* SPDX-License-Identifier: MIT */
/*
 * Names of threads. For the calling thread pthread_setname_np() calls prctl(); for another thread it opens
 * that thread's file, /proc/self/task/TID/comm, and the next call of the same thread writes the name into the
 * file.
 */
#define _GNU_SOURCE /* readlink */
#include "qemu/plugin.h"
#include "qemu/plugin_syscalls.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SET_NAME 15 /* PR_SET_NAME */

enum { NAME = sizeof(((struct apmu_qemu__slot *)0)->name), PATH = 64, EARLY = 64 };

/* Threads that were named before they ran: a thread has a slot from its first block on. Under `lock` a thread
 * is either here or found by its slot's tid, so a name that comes as the thread starts is not lost. */
static struct {
	int32_t tid;
	char name[NAME];
} early[EARLY];
static unsigned earlies; /* names stored so far; a new one replaces the oldest */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Thread whose file is opened; 0: none. */
static __thread int32_t opened __attribute__((tls_model("initial-exec")));

/* Reads the guest's text up to its end or the end of a line, at most `most` bytes. */
static void read_text(uint64_t at, size_t most, char *out, size_t room)
{
	apmu_qemu__guest_text(at, out, most < room ? most + 1 : room);
	out[strcspn(out, "\n")] = '\0';
}

/* The thread whose file it is; 0: none. */
static int32_t thread_of(const char *path)
{
	int tid = 0, end = 0;

	if (sscanf(path, "/proc/self/task/%d/comm%n", &tid, &end) == 1 && end > 0 && path[end] == '\0')
		return (int32_t)tid;
	end = 0;
	if (sscanf(path, "/proc/%*d/task/%d/comm%n", &tid, &end) == 1 && end > 0 && path[end] == '\0')
		return (int32_t)tid;
	return 0;
}

static int32_t thread_of_path(uint64_t at)
{
	char path[PATH];

	read_text(at, PATH, path, sizeof(path));
	return thread_of(path);
}

/* True if the descriptor, which is QEMU's too, is of the thread's file. */
static bool is_of(uint64_t fd, int32_t tid)
{
	char link[32], path[PATH] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%u", (unsigned)fd);
	return readlink(link, path, sizeof(path) - 1) > 0 && thread_of(path) == tid;
}

static struct apmu_qemu__slot *slot_of(int32_t tid)
{
	struct apmu_qemu__slot *slot = apmu_qemu__plugin.share->slot;

	for (size_t i = 0; i < APMU_QEMU__SLOTS; i++)
		if (atomic_load(&slot[i].used) && slot[i].tid == tid)
			return &slot[i];
	return NULL;
}

static void name_other(int32_t tid, const char *name)
{
	pthread_mutex_lock(&lock);
	struct apmu_qemu__slot *slot = slot_of(tid);
	if (slot) {
		memcpy(slot->name, name, NAME);
	} else {
		early[earlies % EARLY].tid = tid;
		memcpy(early[earlies++ % EARLY].name, name, NAME);
	}
	pthread_mutex_unlock(&lock);
}

void apmu_qemu__name_begin(struct apmu_qemu__slot *slot, int32_t tid)
{
	pthread_mutex_lock(&lock);
	memset(slot->name, 0, NAME);
	for (size_t i = 0; i < EARLY; i++)
		if (early[i].tid == tid) {
			memcpy(slot->name, early[i].name, NAME);
			early[i].tid = 0;
		}
	slot->tid = tid;
	pthread_mutex_unlock(&lock);
}

void apmu_qemu__name_first(const char *name)
{
	early[earlies].tid = (int32_t)getpid();
	snprintf(early[earlies++].name, NAME, "%s", name);
}

void apmu_qemu__name_forked(void)
{
	pthread_mutex_init(&lock, NULL);
}

void apmu_qemu__name_call(int64_t number, const uint64_t a[6])
{
	bool a64 = apmu_qemu__plugin.a64;
	struct apmu_qemu__slot *self = apmu_qemu__thread_slot();
	int32_t whose = opened;
	char name[NAME] = "";

	opened = 0;
	if (number == (a64 ? A64_PRCTL : ARM_PRCTL) && a[0] == SET_NAME && self)
		read_text(a[1], NAME, self->name, NAME);
	else if (number == (a64 ? A64_OPENAT : ARM_OPENAT))
		opened = thread_of_path(a[1]);
	else if (!a64 && number == ARM_OPEN)
		opened = thread_of_path(a[0]);
	else if (whose && number == (a64 ? A64_WRITE : ARM_WRITE) && is_of(a[0], whose)) {
		read_text(a[1], a[2], name, NAME);
		name_other(whose, name);
	}
}
