/* SPDX-License-Identifier: MIT */
/* Linux perf_event_open as a PMU: a counter is a file, its value the kernel's 64 bits, its time the kernel's
 * too. Where the kernel offers the counter to user space, it is read there by the sequence lock of its page.
 * The one file of the driver that is not freestanding. */
#define _DEFAULT_SOURCE
#include "device.h"

#if defined(__linux__)

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILTER_P   31
#define FILTER_U   30
#define FILTER_NSH 27
#define PAGE       4096u

struct reading {
	uint64_t value, enabled, running;
};

static struct apmu_perf *perf_of(const struct apmu_dev *dev)
{
	return dev->ctx;
}

static int failure(void)
{
	switch (errno) {
	case EACCES:
	case EPERM: return APMU_EACCES;
	case ENOENT:
	case EOPNOTSUPP: return APMU_ENOENT;
	case ENOSYS: return APMU_ENODEV;
	case EINVAL: return APMU_EINVAL;
	default: return APMU_EIO;
	}
}

/* Counters above this many and below the cycle counter are not ours to hold. */
static unsigned slot_of(unsigned i)
{
	return i == APMU_CYCLE_COUNTER ? APMU_PERF_COUNTERS : i;
}

static void shut(struct apmu_perf *perf, unsigned k)
{
	if (perf->page[k])
		munmap(perf->page[k], PAGE);
	if (perf->fd[k] > 0)
		close(perf->fd[k] - 1);
	perf->page[k] = NULL;
	perf->fd[k] = 0;
}

static int open_one(struct apmu_perf *perf, unsigned i, uint64_t type)
{
	struct perf_event_attr attr = {
		.type = perf->type, .size = sizeof(attr), .config = type & 0xFFFF, .disabled = 1};
	unsigned k = slot_of(i);
	void *page;
	long fd;

	if (i == APMU_CYCLE_COUNTER) {
		attr.type = PERF_TYPE_HARDWARE;
		attr.config = PERF_COUNT_HW_CPU_CYCLES;
	}
	attr.exclude_kernel = type >> FILTER_P & 1;
	attr.exclude_user = type >> FILTER_U & 1;
	attr.exclude_hv = !(type >> FILTER_NSH & 1);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	shut(perf, k);
	fd = syscall(SYS_perf_event_open, &attr, perf->pid, perf->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return failure();
	perf->fd[k] = (int)fd + 1;
	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, (int)fd, 0);
	perf->page[k] = page == MAP_FAILED ? NULL : page;
	return APMU_OK;
}

#if defined(__x86_64__)
static bool counter_read(uint32_t n, uint64_t *value)
{
	*value = __builtin_ia32_rdpmc((int)n);
	return true;
}
#else
static bool counter_read(uint32_t n, uint64_t *value)
{
	(void)n;
	(void)value;
	return false; /* the call will do */
}
#endif

/* In user space, without a call: the page's lock says whether the kernel changed it meanwhile. */
static bool read_here(const struct perf_event_mmap_page *page, uint64_t *value)
{
	uint32_t lock, index, width;
	uint64_t count;

	if (!page || !page->cap_user_rdpmc)
		return false;
	do {
		lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		index = page->index;
		width = page->pmc_width;
		*value = (uint64_t)page->offset;
		if (!index || !counter_read(index - 1, &count))
			return false;
		count <<= 64 - width;
		*value += (uint64_t)((int64_t)count >> (64 - width));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != lock);
	return true;
}

static int read_file(const struct apmu_perf *perf, unsigned k, struct reading *out)
{
	if (!perf->fd[k])
		return APMU_EINVAL;
	return read(perf->fd[k] - 1, out, sizeof(*out)) == (ssize_t)sizeof(*out) ? APMU_OK : APMU_EIO;
}

static uint64_t get(struct apmu_dev *dev, unsigned i)
{
	struct apmu_perf *perf = perf_of(dev);
	unsigned k = slot_of(i);
	struct reading reading = {0};
	uint64_t value;

	if (!perf->fd[k]) /* what load() saves before the first plan */
		return 0;
	if (!read_here(perf->page[k], &value)) {
		apmu__dev_fail(dev, read_file(perf, k, &reading));
		value = reading.value;
	}
	return value + perf->offset[k];
}

static void put(struct apmu_dev *dev, unsigned i, uint64_t value)
{
	struct apmu_perf *perf = perf_of(dev);

	perf->offset[slot_of(i)] = 0;
	perf->offset[slot_of(i)] = value - get(dev, i);
}

/* The kernel may take turns of its own. */
static void times(struct apmu_dev *dev, unsigned i, struct apmu_count *out)
{
	struct reading reading = {0};

	apmu__dev_fail(dev, read_file(perf_of(dev), slot_of(i), &reading));
	out->enabled = reading.enabled;
	out->running = reading.running;
	if (out->running == out->enabled)
		return;
	out->scaled = out->running ? apmu__share(out->value, out->enabled, out->running) : 0;
	out->error = out->running ? out->scaled - out->value : UINT64_MAX;
}

/* All of a set of counters. */
static void order(struct apmu_dev *dev, apmu_counters counters, unsigned long request)
{
	struct apmu_perf *perf = perf_of(dev);

	for (; counters && !dev->bad; counters &= counters - 1) {
		unsigned k = slot_of(apmu__first(counters));

		if (perf->fd[k] && ioctl(perf->fd[k] - 1, request, 0) < 0)
			dev->bad = failure();
	}
}

static void probe(struct apmu_dev *dev)
{
	struct apmu_perf *perf = perf_of(dev);
	uint64_t everywhere_but_kernel = 1ull << FILTER_P | 1ull << FILTER_NSH;

	dev->has.counters = apmu__one(APMU_PERF_COUNTERS) - 1;
	/* A kernel without the hardware, or one that hides it, says so. */
	if (!open_one(perf, APMU_CYCLE_COUNTER, everywhere_but_kernel))
		dev->has.counters |= apmu__one(APMU_CYCLE_COUNTER);
	shut(perf, slot_of(APMU_CYCLE_COUNTER));
	dev->has.wide = dev->has.counters;
	dev->has.filters = dev->has.cycle_filters = 1u << FILTER_P | 1u << FILTER_U | 1u << FILTER_NSH;
	dev->has.event_mask = 0xFFFF;
}

static void save(struct apmu_dev *dev, struct apmu_was *was)
{
	(void)dev;
	(void)was;
}

static void quiet(struct apmu_dev *dev)
{
	order(dev, dev->has.counters, PERF_EVENT_IOC_DISABLE);
}

static void restore(struct apmu_dev *dev, const struct apmu_was *was)
{
	(void)was;
	for (unsigned k = 0; k <= APMU_PERF_COUNTERS; k++)
		shut(perf_of(dev), k);
}

static uint64_t type_get(struct apmu_dev *dev, unsigned i)
{
	(void)dev;
	(void)i;
	return 0;
}

static void type_put(struct apmu_dev *dev, unsigned i, uint64_t type)
{
	if (!dev->bad)
		dev->bad = open_one(perf_of(dev), i, type);
}

static void arm(struct apmu_dev *dev, apmu_counters on, apmu_counters inten)
{
	(void)inten;
	for (apmu_counters rest = dev->has.counters & ~on; rest; rest &= rest - 1)
		shut(perf_of(dev), slot_of(apmu__first(rest)));
}

static void start(struct apmu_dev *dev)
{
	order(dev, dev->on, PERF_EVENT_IOC_ENABLE);
}

static void stop(struct apmu_dev *dev)
{
	order(dev, dev->on, PERF_EVENT_IOC_DISABLE);
}

static apmu_counters flags(struct apmu_dev *dev)
{
	(void)dev;
	return 0; /* the kernel counts the wraps */
}

static void ack(struct apmu_dev *dev, apmu_counters which)
{
	(void)dev;
	(void)which;
}

static void hold(struct apmu_dev *dev, apmu_counters counters)
{
	order(dev, counters, PERF_EVENT_IOC_DISABLE);
}

static void go(struct apmu_dev *dev, apmu_counters counters)
{
	if (dev->running)
		order(dev, counters, PERF_EVENT_IOC_ENABLE);
}

static const struct apmu_family family = {
	.name = "perf",
	.probe = probe,
	.save = save,
	.quiet = quiet,
	.restore = restore,
	.type_get = type_get,
	.type_put = type_put,
	.get = get,
	.put = put,
	.arm = arm,
	.start = start,
	.stop = stop,
	.flags = flags,
	.ack = ack,
	.hold = hold,
	.go = go,
	.times = times,
};

const struct apmu_backend apmu_backend_perf = {.name = "perf", .family = &family};

#endif
