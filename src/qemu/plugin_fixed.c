/* SPDX-License-Identifier: MIT */
/*
 * --fixed: what differs from run to run among the kernel's answers is replaced by values that derive from the
 * run itself. The kernel has written its answer to the program's memory; ours overwrites it before the
 * program sees it.
 *
 *    time             1 ns for each instruction of the thread, since 1 January 2020
 *    random numbers   getrandom(), and reads of /dev/urandom and /dev/random: xorshift of a fixed seed
 *
 * What a call returns in a register cannot be changed: process numbers, times(). Calls that do so are
 * reported, and so are reads of files of /proc, whose length differs too.
 */
#define _GNU_SOURCE
#include "qemu/plugin_record.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EPOCH 1577836800u

/* What a call returns, most of it in memory. */
enum gives {
	GIVES_NOTHING,
	GIVES_TIMESPEC,   /* at argument `at`: two longs, seconds and nanoseconds */
	GIVES_TIMESPEC64, /* at argument `at`: two 64-bit numbers, seconds and nanoseconds */
	GIVES_TIMEVAL,    /* at argument `at`: two longs, seconds and microseconds */
	GIVES_RANDOM,     /* at argument `at`: as many bytes as the call returns */
	GIVES_FILE,       /* as GIVES_RANDOM, if a device of random numbers is read */
	GIVES_PID,        /* a process or thread number, in a register */
	GIVES_TIMES,
	GIVES_USAGE, /* struct rusage at argument `at` */
	GIVES_STATUS /* the current state of the machine */
};

static const struct row {
	uint16_t a64, arm; /* Linux's numbers; 0: none */
	uint8_t gives, at;
} rows[] = {
	{113, 263, GIVES_TIMESPEC, 1}, /* clock_gettime */
	{0, 403, GIVES_TIMESPEC64, 1}, /* clock_gettime64 */
	{169, 78, GIVES_TIMEVAL, 0},   /* gettimeofday */
	{278, 384, GIVES_RANDOM, 0},   /* getrandom */
	{63, 3, GIVES_FILE, 1},        /* read */
	{172, 20, GIVES_PID, 0},       /* getpid */
	{178, 224, GIVES_PID, 0},      /* gettid */
	{173, 64, GIVES_PID, 0},       /* getppid */
	{153, 43, GIVES_TIMES, 0},     /* times */
	{0, 13, GIVES_TIMES, 0},       /* time */
	{165, 77, GIVES_USAGE, 1},     /* getrusage */
	{179, 116, GIVES_STATUS, 0},   /* sysinfo */
};

static __thread uint64_t argument[6] __attribute__((tls_model("initial-exec")));
static _Atomic uint64_t seed = 0x9E3779B97F4A7C15u;

static const struct row *row_of(int64_t number)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint16_t is = apmu_qemu__plugin.a64 ? rows[i].a64 : rows[i].arm;
		if (is && is == number)
			return &rows[i];
	}
	return NULL;
}

void apmu_qemu__fixed_call(int64_t number, const uint64_t a[6])
{
	if (row_of(number))
		memcpy(argument, a, sizeof(argument));
}

static void put_random(uint64_t at, uint64_t size)
{
	uint64_t word = atomic_load(&seed);

	for (uint64_t i = 0; i < size; i += 8) {
		word = apmu_qemu__random_after(word);
		apmu_qemu__guest_write(at + i, &word, size - i < 8 ? size - i : 8);
	}
	atomic_store(&seed, word);
}

/* Returns what a descriptor reads: random numbers, the state of the machine (files of /proc except
 * /proc/sys), or neither. */
static enum gives behind(uint64_t descriptor)
{
	char name[64], path[64];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", (int)descriptor);
	ssize_t n = readlink(name, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = '\0';
	if (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0)
		return GIVES_RANDOM;
	return strncmp(path, "/proc/", 6) == 0 && strncmp(path, "/proc/sys/", 10) != 0 ? GIVES_STATUS
										       : GIVES_NOTHING;
}

static uint64_t now(void)
{
	const struct apmu_qemu__slot *slot = apmu_qemu__thread_slot();

	return slot ? slot->tally.n[APMU_SIG_INST] : 0;
}

static void put_time(uint64_t at, bool wide, unsigned unit)
{
	uint64_t ns = now(), wide_time[2] = {EPOCH + ns / 1000000000u, ns % 1000000000u / unit};
	uint32_t time[2] = {(uint32_t)wide_time[0], (uint32_t)wide_time[1]};

	if (at && wide)
		apmu_qemu__guest_write(at, wide_time, sizeof(wide_time));
	else if (at)
		apmu_qemu__guest_write(at, time, sizeof(time));
}

/* All time is user time; everything else is 0. */
static void put_usage(uint64_t at)
{
	static const uint8_t none[144];
	uint64_t us = now() / 1000, time[2] = {us / 1000000u, us % 1000000u};
	uint32_t narrow[2] = {(uint32_t)time[0], (uint32_t)time[1]};

	apmu_qemu__guest_write(at, none, apmu_qemu__plugin.a64 ? 144 : 72);
	if (apmu_qemu__plugin.a64)
		apmu_qemu__guest_write(at, time, sizeof(time));
	else
		apmu_qemu__guest_write(at, narrow, sizeof(narrow));
}

void apmu_qemu__fixed_result(int64_t number, int64_t result)
{
	const struct row *row = row_of(number);
	_Atomic uint32_t *unfixed = &apmu_qemu__plugin.share->unfixed;

	if (!row || result < 0)
		return;
	uint64_t at = argument[row->at];
	enum gives gives;
	switch (row->gives) {
	case GIVES_TIMESPEC: put_time(at, apmu_qemu__plugin.a64, 1); return;
	case GIVES_TIMESPEC64: put_time(at, true, 1); return;
	case GIVES_TIMEVAL: put_time(at, apmu_qemu__plugin.a64, 1000); return;
	case GIVES_RANDOM: put_random(at, (uint64_t)result); return;
	case GIVES_FILE:
		gives = result > 0 ? behind(argument[0]) : GIVES_NOTHING;
		if (gives == GIVES_RANDOM)
			put_random(at, (uint64_t)result);
		else if (gives == GIVES_STATUS)
			atomic_fetch_or(unfixed, APMU_QEMU__UNFIXED_STATUS);
		return;
	case GIVES_USAGE: put_usage(at); return;
	case GIVES_PID: atomic_fetch_or(unfixed, APMU_QEMU__UNFIXED_PID); return;
	default: atomic_fetch_or(unfixed, APMU_QEMU__UNFIXED_STATUS); return;
	}
}
