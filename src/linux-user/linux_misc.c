/* SPDX-License-Identifier: MIT */
/* Time, identity, random numbers, limits. */
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <string.h>

#define NANO               1000000000u
#define MICRO              1000000u
#define TICKS              100u /* ticks per second of times(): AT_CLKTCK */
#define CLOCK_REAL         0u
#define CLOCK_MONOTONIC_   1u
#define CLOCK_REAL_C       5u /* CLOCK_REALTIME_COARSE */
#define CLOCK_TAI_         11u
#define CLOCK_LAST         11u
#define TIMER_ABSTIME_     1u
#define UTSNAME_FIELD      65u
#define UTSNAME            (6 * UTSNAME_FIELD)
#define FUTEX_COMMAND      0x7Fu
#define FUTEX_WALL         0x100u /* FUTEX_CLOCK_REALTIME */
#define FUTEX_WAIT_        0u
#define FUTEX_WAKE_        1u
#define FUTEX_WAIT_BITSET_ 9u
#define RLIMIT_STACK_      3u
#define RLIMIT_FILES       7u
#define STACK_LIMIT        ((uint64_t)8 << 20)
#define RANDOM_MOST        ((uint64_t)1 << 20)
#define RANDOM_FLAGS       7u  /* GRND_NONBLOCK, RANDOM, INSECURE */
#define RLIMITS            16u /* RLIM_NLIMITS */

/* xorshift64*: the same numbers in every run. */
uint64_t apmu_linux__random(struct apmu_linux__linux *p)
{
	uint64_t x = p->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	p->random = x;
	return x * 0x2545F4914F6CDD1D;
}

/* Returns the modelled time in nanoseconds. Whole seconds come first, so that the product fits, up to some
 * 18 GHz. */
static uint64_t nanoseconds(const struct apmu_linux__call *call)
{
	uint64_t hz = call->p->config.core_hz, rest = call->now % hz;
	uint64_t part =
		hz > UINT64_MAX / NANO ? (uint64_t)((double)rest / (double)hz * NANO) : rest * NANO / hz;

	return call->now / hz * NANO + part;
}

static bool is_wall(uint64_t clock)
{
	return clock == CLOCK_REAL || clock == CLOCK_REAL_C || clock == CLOCK_TAI_;
}

static uint64_t clock_ns(const struct apmu_linux__call *call, uint64_t clock)
{
	return nanoseconds(call) + (is_wall(clock) ? call->p->config.epoch * NANO : 0);
}

/* Writes two words of `width` bytes each: seconds and a fraction. */
static int64_t put_pair(const struct apmu_linux__linux *p, uint64_t at, uint64_t first, uint64_t second,
			size_t width)
{
	uint8_t bytes[16];

	memcpy(bytes, &first, width);
	memcpy(bytes + width, &second, width);
	return apmu_linux__put(p, at, bytes, 2 * width) ? 0 : -EFAULT;
}

static int64_t get_pair(const struct apmu_linux__linux *p, uint64_t at, uint64_t pair[2], unsigned width)
{
	pair[0] = pair[1] = 0;
	return apmu_linux__get(p, at, &pair[0], width) && apmu_linux__get(p, at + width, &pair[1], width)
		       ? 0
		       : -EFAULT;
}

static int64_t gettime(struct apmu_linux__call *call, unsigned width)
{
	uint64_t ns = clock_ns(call, call->arg[0]);

	if (call->arg[0] > CLOCK_LAST)
		return -EINVAL;
	return put_pair(call->p, call->arg[1], ns / NANO, ns % NANO, width);
}

int64_t apmu_linux__clock_gettime(struct apmu_linux__call *call)
{
	return gettime(call, apmu_linux__width(call->p));
}

int64_t apmu_linux__clock_gettime64(struct apmu_linux__call *call)
{
	return gettime(call, 8);
}

static int64_t getres(struct apmu_linux__call *call, unsigned width)
{
	if (call->arg[0] > CLOCK_LAST)
		return -EINVAL;
	return call->arg[1] ? put_pair(call->p, call->arg[1], 0, 1, width) : 0;
}

int64_t apmu_linux__clock_getres(struct apmu_linux__call *call)
{
	return getres(call, apmu_linux__width(call->p));
}

int64_t apmu_linux__clock_getres64(struct apmu_linux__call *call)
{
	return getres(call, 8);
}

int64_t apmu_linux__gettimeofday(struct apmu_linux__call *call)
{
	uint64_t us = clock_ns(call, CLOCK_REAL) / (NANO / MICRO);

	return call->arg[0]
		       ? put_pair(call->p, call->arg[0], us / MICRO, us % MICRO, apmu_linux__width(call->p))
		       : 0;
}

/* All time is user time. */
int64_t apmu_linux__times(struct apmu_linux__call *call)
{
	uint64_t ticks = nanoseconds(call) / (NANO / TICKS);
	size_t width = apmu_linux__width(call->p);
	uint8_t tms[32] = {0};

	memcpy(tms, &ticks, width);
	if (call->arg[0] && !apmu_linux__put(call->p, call->arg[0], tms, 4 * width))
		return -EFAULT;
	return (int64_t)ticks;
}

int64_t apmu_linux__getrusage(struct apmu_linux__call *call)
{
	size_t width = apmu_linux__width(call->p);
	uint64_t us = nanoseconds(call) / (NANO / MICRO);
	uint8_t usage[18 * 8] = {0};
	int32_t who = (int32_t)(uint32_t)call->arg[0]; /* the process, its children, the thread */

	if (who < -1 || who > 1)
		return -EINVAL;
	if (!apmu_linux__put(call->p, call->arg[1], usage, 18 * width))
		return -EFAULT;
	return put_pair(call->p, call->arg[1], us / MICRO, us % MICRO, width);
}

/* Lets modelled time pass: `idle` makes the machine do so. */
static int64_t sleep_ns(struct apmu_linux__call *call, uint64_t ns)
{
	uint64_t hz = call->p->config.core_hz, seconds = ns / NANO;

	if (seconds > UINT64_MAX / 2 / hz)
		call->result->idle = UINT64_MAX / 2;
	else
		call->result->idle = seconds * hz + (uint64_t)((double)(ns % NANO) * (double)hz / NANO);
	return 0;
}

/* Lets the time of a struct timespec pass. AArch32's with 64-bit seconds has padding above the nanoseconds,
 * which the kernel ignores. */
static int64_t nanosleep_at(struct apmu_linux__call *call, uint64_t at, bool absolute, uint64_t clock,
			    unsigned width)
{
	uint64_t pair[2], until, now = clock_ns(call, clock);

	if (get_pair(call->p, at, pair, width) != 0)
		return -EFAULT;
	if (width == 4) /* seconds have a sign */
		pair[0] = (uint64_t)(int64_t)(int32_t)pair[0];
	if (!call->p->config.aarch64)
		pair[1] = (uint32_t)pair[1];
	if (pair[1] >= NANO || pair[0] > INT64_MAX || clock > CLOCK_LAST)
		return -EINVAL;
	until = pair[0] > UINT64_MAX / NANO - 1 ? UINT64_MAX : pair[0] * NANO + pair[1];
	if (absolute)
		until = until > now ? until - now : 0;
	return sleep_ns(call, until);
}

int64_t apmu_linux__time_out(struct apmu_linux__call *call, uint64_t milliseconds)
{
	return sleep_ns(call, milliseconds * (NANO / 1000));
}

int64_t apmu_linux__time_out_at(struct apmu_linux__call *call, uint64_t at)
{
	return nanosleep_at(call, at, false, CLOCK_REAL, apmu_linux__width(call->p));
}

int64_t apmu_linux__nanosleep(struct apmu_linux__call *call)
{
	return nanosleep_at(call, call->arg[0], false, CLOCK_REAL, apmu_linux__width(call->p));
}

int64_t apmu_linux__clock_nanosleep(struct apmu_linux__call *call)
{
	return nanosleep_at(call, call->arg[2], call->arg[1] & TIMER_ABSTIME_, call->arg[0],
			    apmu_linux__width(call->p));
}

int64_t apmu_linux__clock_nanosleep64(struct apmu_linux__call *call)
{
	return nanosleep_at(call, call->arg[2], call->arg[1] & TIMER_ABSTIME_, call->arg[0], 8);
}

/* sysname, nodename, release, version, machine, domainname: 65 bytes each. */
int64_t apmu_linux__uname(struct apmu_linux__call *call)
{
	const char *const field[] = {"Linux", "apmu", "6.1.0", "#1", call->p->config.uname, "(none)"};
	char text[UTSNAME] = {0};

	for (size_t i = 0; i < 6; i++) {
		size_t n = strlen(field[i]);
		memcpy(text + i * UTSNAME_FIELD, field[i], n < UTSNAME_FIELD ? n : UTSNAME_FIELD - 1);
	}
	return apmu_linux__put(call->p, call->arg[0], text, sizeof(text)) ? 0 : -EFAULT;
}

int64_t apmu_linux__getrandom(struct apmu_linux__call *call)
{
	uint64_t n = call->arg[1] < RANDOM_MOST ? call->arg[1] : RANDOM_MOST;

	if (call->arg[2] & ~(uint64_t)RANDOM_FLAGS)
		return -EINVAL;
	for (uint64_t i = 0; i < n; i++) {
		uint8_t byte = (uint8_t)(apmu_linux__random(call->p) >> 56);
		if (!apmu_linux__put(call->p, call->arg[0] + i, &byte, 1))
			return -EFAULT;
	}
	return (int64_t)n;
}

/* With one thread a wake finds no waiter, and a wait that does not return at once does when its time is out,
 * or never. The time of FUTEX_WAIT is relative, that of FUTEX_WAIT_BITSET absolute. */
static int64_t futex(struct apmu_linux__call *call, unsigned width)
{
	uint64_t command = call->arg[1] & FUTEX_COMMAND;
	uint64_t clock = call->arg[1] & FUTEX_WALL ? CLOCK_REAL : CLOCK_MONOTONIC_;
	uint32_t word;

	if (command == FUTEX_WAKE_)
		return 0;
	if (command != FUTEX_WAIT_ && command != FUTEX_WAIT_BITSET_)
		return -ENOSYS;
	if (!apmu_linux__get(call->p, call->arg[0], &word, sizeof(word)))
		return -EFAULT;
	if (word != (uint32_t)call->arg[2])
		return -EAGAIN;
	if (call->arg[3]) {
		int64_t code = nanosleep_at(call, call->arg[3], command == FUTEX_WAIT_BITSET_, clock, width);

		return code ? code : -ETIMEDOUT;
	}
	call->result->end = APMU_LINUX__STUCK;
	return 0;
}

int64_t apmu_linux__futex(struct apmu_linux__call *call)
{
	return futex(call, apmu_linux__width(call->p));
}

int64_t apmu_linux__futex64(struct apmu_linux__call *call)
{
	return futex(call, 8);
}

static uint64_t limit(uint64_t resource)
{
	return resource == RLIMIT_STACK_  ? STACK_LIMIT
	       : resource == RLIMIT_FILES ? APMU_LINUX__FILES
					  : UINT64_MAX;
}

int64_t apmu_linux__getrlimit(struct apmu_linux__call *call)
{
	uint64_t value = limit(call->arg[0]);

	if (call->arg[0] >= RLIMITS)
		return -EINVAL;
	return put_pair(call->p, call->arg[1], value, value, apmu_linux__width(call->p));
}

int64_t apmu_linux__prlimit(struct apmu_linux__call *call)
{
	uint64_t value = limit(call->arg[1]);

	if (call->arg[1] >= RLIMITS)
		return -EINVAL;
	if (call->arg[0] != 0 && call->arg[0] != APMU_LINUX__PID)
		return -ESRCH;
	return call->arg[3] ? put_pair(call->p, call->arg[3], value, value, 8) : 0;
}

/* There is one core. */
int64_t apmu_linux__getaffinity(struct apmu_linux__call *call)
{
	unsigned width = apmu_linux__width(call->p);
	uint64_t mask = 1;

	if (call->arg[1] < width)
		return -EINVAL;
	return apmu_linux__put(call->p, call->arg[2], &mask, width) ? (int64_t)width : -EFAULT;
}

/* uptime, loads[3], totalram, freeram, sharedram, bufferram, totalswap, freeswap, procs, ... mem_unit */
int64_t apmu_linux__sysinfo(struct apmu_linux__call *call)
{
	bool wide = call->p->config.aarch64;
	size_t width = apmu_linux__width(call->p);
	uint64_t most = call->p->config.memory ? call->p->config.memory : (uint64_t)1 << 30;
	uint64_t seconds = call->now / call->p->config.core_hz, left = most - call->p->mapped;
	uint8_t info[112] = {0};
	const uint32_t one = 1;

	memcpy(info, &seconds, width);
	memcpy(info + 4 * width, &most, width);
	memcpy(info + 5 * width, &left, width);
	memcpy(info + 10 * width, &one, 2);
	memcpy(info + (wide ? 104 : 52), &one, sizeof(one));
	return apmu_linux__put(call->p, call->arg[0], info, wide ? 112 : 64) ? 0 : -EFAULT;
}

/* AArch32: also stores the value where the kernel's helper at 0xFFFF0FE0 reads it. */
int64_t apmu_linux__set_tls(struct apmu_linux__call *call)
{
	uint32_t value = (uint32_t)call->arg[0];

	if (!apmu_linux__put(call->p, 0xFFFF0FF0u, &value, sizeof(value)))
		return -EFAULT;
	call->p->config.machine.set_tls(call->p->config.machine.ctx, value);
	return 0;
}

int64_t apmu_linux__exit(struct apmu_linux__call *call)
{
	call->result->end = APMU_LINUX__EXIT;
	call->result->status = (int)(call->arg[0] & 0xFF);
	return 0;
}
