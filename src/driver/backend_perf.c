/* SPDX-License-Identifier: MIT */
/* Linux perf_event_open as a PMU: a counter is a file descriptor, its value the kernel's 64-bit count, its
 * time the kernel's. Where the kernel permits it the counter is read in user space (backend_perf_page.c);
 * samples come through the kernel's ring buffer (backend_perf_ring.c). Only these files of the driver are not
 * freestanding. */
#define _DEFAULT_SOURCE
#include "driver/backend_perf.h"

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
#define RING_PAGES 16 /* a power of 2 */
#define ARM_RDPMC  2  /* arm64: config1, the counter may be read in user space (5.17) */
/* Without PERF_SAMPLE_PERIOD: with it a software event makes a sample each time. */
#define SAMPLE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ)
#define TIMES  (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

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

struct apmu_perf_event *apmu_driver__perf_event(const struct apmu_dev *dev, unsigned i)
{
	struct apmu_perf *perf = dev->ctx;

	return &perf->event[i == APMU_CYCLE_COUNTER ? APMU_PERF_COUNTERS : i];
}

struct apmu_dev_slot *apmu_driver__perf_slot(const struct apmu_dev *dev, unsigned i)
{
	for (unsigned w = 0; w < dev->n; w++) {
		struct apmu_dev_slot *slot = apmu_driver__slot(dev, w);

		if (slot->counter == i && apmu_driver__active(dev, slot))
			return slot;
	}
	return NULL;
}

int apmu_perf_file(const struct apmu_dev *dev, unsigned want)
{
	if (dev->backend != &apmu_backend_perf || want >= dev->n)
		return APMU_EINVAL;
	return apmu_driver__perf_event(dev, dev->config->slots[want].counter)->fd - 1;
}

void apmu_driver__perf_period(struct apmu_dev *dev, const struct apmu_perf_event *event, uint64_t period)
{
	if (event->fd && !dev->bad && ioctl(event->fd - 1, PERF_EVENT_IOC_PERIOD, &period) < 0)
		dev->bad = failure();
}

static void shut(struct apmu_perf_event *event)
{
	if (event->page)
		munmap(event->page, event->size);
	if (event->fd)
		close(event->fd - 1);
	*event = (struct apmu_perf_event){0};
}

/* Finds the group of the slot on counter i: its leader, and the slot's position in it. */
static void join(const struct apmu_dev *dev, unsigned i, struct apmu_perf_event *event)
{
	const struct apmu_dev_slot *slot = apmu_driver__perf_slot(dev, i), *other;

	event->lead = (uint8_t)i;
	for (unsigned w = 0; slot && slot->want.group && (other = apmu_driver__next(dev, &w));) {
		if (other->want.group != slot->want.group)
			continue;
		event->grouped = true;
		if (other == slot)
			return;
		if (!event->nth++)
			event->lead = other->counter;
	}
}

static void describe(const struct apmu_dev *dev, unsigned i, uint64_t type, struct perf_event_attr *attr)
{
	const struct apmu_perf *perf = dev->ctx;
	const struct apmu_dev_slot *slot = apmu_driver__perf_slot(dev, i);

	*attr = (struct perf_event_attr){.type = perf->type, .size = sizeof(*attr), .config = type & 0xFFFF};
	if (i == APMU_CYCLE_COUNTER) {
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = PERF_COUNT_HW_CPU_CYCLES;
	}
	attr->exclude_kernel = type >> FILTER_P & 1;
	attr->exclude_user = type >> FILTER_U & 1;
	attr->exclude_hv = !(type >> FILTER_NSH & 1);
	attr->read_format = TIMES;
	if (slot && slot->want.period) {
		attr->sample_period = slot->want.period;
		attr->sample_type = SAMPLE;
		attr->wakeup_events = 1;
	}
}

static long open_event(const struct apmu_perf *perf, struct perf_event_attr *attr, int group)
{
	long fd = -1;

#if defined(__aarch64__)
	/* With the flag, the kernel refuses a counter that user space cannot read, and does not hand it out
	 * while user access is off. */
	if (attr->type != PERF_TYPE_SOFTWARE && perf->pid == 0 && perf->cpu == -1) {
		attr->config1 = ARM_RDPMC;
		fd = syscall(SYS_perf_event_open, attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
		attr->config1 = 0;
	}
#endif
	return fd >= 0 ? fd
		       : syscall(SYS_perf_event_open, attr, perf->pid, perf->cpu, group,
				 PERF_FLAG_FD_CLOEXEC);
}

/* Maps the event's page, with the ring if it samples. Only a missing ring is a failure. */
static int map(struct apmu_perf_event *event, bool ring)
{
	uint32_t page = (uint32_t)sysconf(_SC_PAGESIZE);
	void *at;

	event->size = ring ? (RING_PAGES + 1) * page : page;
	at = mmap(NULL, event->size, ring ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, event->fd - 1, 0);
	if (at != MAP_FAILED)
		event->page = at;
	return at == MAP_FAILED && ring ? APMU_ENOMEM : APMU_OK;
}

static int open_one(const struct apmu_dev *dev, unsigned i, uint64_t type)
{
	struct apmu_perf_event *event = apmu_driver__perf_event(dev, i);
	struct perf_event_attr attr;
	int group = -1;
	long fd;

	shut(event);
	join(dev, i, event);
	describe(dev, i, type, &attr);
	if (event->lead != i)
		group = apmu_driver__perf_event(dev, event->lead)->fd - 1;
	attr.disabled = event->lead == i;
	if (event->grouped)
		attr.read_format |= PERF_FORMAT_GROUP;
	fd = open_event(dev->ctx, &attr, group);
	if (fd < 0)
		return group >= 0 && errno == EINVAL ? APMU_ENOSPC : failure();
	event->fd = (int)fd + 1;
	return map(event, attr.sample_period);
}

/* Reads the file of an event, which for a group gives all its values in one call: those of the others are
 * kept, marked fresh, until they are asked for. */
static int read_file(struct apmu_dev *dev, struct apmu_perf_event *event)
{
	struct apmu_perf *perf = dev->ctx;
	uint64_t in[3 + APMU_PERF_COUNTERS + 1];
	ssize_t n = read(event->fd - 1, in, sizeof(in));

	perf->calls++;
	if (n < (ssize_t)(3 * sizeof(in[0])))
		return APMU_EIO;
	if (!event->grouped) {
		event->value = in[0];
		event->enabled = in[1];
		event->running = in[2];
		return APMU_OK;
	}
	for (unsigned k = 0; k <= APMU_PERF_COUNTERS; k++) {
		struct apmu_perf_event *other = &perf->event[k];

		if (!other->fd || !other->grouped || other->lead != event->lead || other->nth >= in[0])
			continue;
		other->value = in[3 + other->nth];
		other->enabled = in[1];
		other->running = in[2];
		other->fresh = true;
	}
	return APMU_OK;
}

/* Reads a counter in user space; not possible for another thread, whose counter is not on this processor. */
static bool read_here(struct apmu_dev *dev, struct apmu_perf_event *event)
{
	struct apmu_perf *perf = dev->ctx;
	struct apmu_driver__reading reading;

	if (perf->pid != 0 || perf->cpu != -1 || !apmu_driver__perf_here(event->page, &reading))
		return false;
	perf->here++;
	event->value = reading.value;
	event->enabled = reading.enabled;
	event->running = reading.running;
	return true;
}

static uint64_t get(struct apmu_dev *dev, unsigned i)
{
	struct apmu_perf_event *event = apmu_driver__perf_event(dev, i);

	if (!event->fd) /* load() reads counters before the first plan opens them */
		return 0;
	if (!event->fresh && !read_here(dev, event))
		apmu_driver__dev_fail(dev, read_file(dev, event));
	event->fresh = false;
	return event->value + event->offset;
}

static void look(struct apmu_dev *dev)
{
	struct apmu_perf *perf = dev->ctx;

	for (unsigned k = 0; k <= APMU_PERF_COUNTERS; k++)
		perf->event[k].fresh = false;
}

/* Sets a counter's value by its offset. A sampled counter overflows where its 64 bits would. */
static void put(struct apmu_dev *dev, unsigned i, uint64_t value)
{
	struct apmu_perf_event *event = apmu_driver__perf_event(dev, i);
	const struct apmu_dev_slot *slot = apmu_driver__perf_slot(dev, i);

	event->offset = 0;
	event->fresh = false;
	event->offset = value - get(dev, i);
	if (slot && slot->want.period && slot->left != APMU_DRIVER__NEVER)
		apmu_driver__perf_period(dev, event, 0 - value);
}

/* Gives the kernel's times, which differ if it multiplexes events. */
static void times(struct apmu_dev *dev, unsigned i, struct apmu_count *out)
{
	struct apmu_perf_event *event = apmu_driver__perf_event(dev, i);

	if (!out) {
		event->since_enabled = event->enabled;
		event->since_running = event->running;
		return;
	}
	out->enabled = event->enabled - event->since_enabled;
	out->running = event->running - event->since_running;
	if (out->running == out->enabled)
		return;
	out->scaled = out->running ? apmu_driver__scale(out->value, out->enabled, out->running) : 0;
	out->error = out->running ? out->scaled - out->value : UINT64_MAX;
}

/* Makes a request for all counters of a set; for a group through its leader. */
static void order(struct apmu_dev *dev, apmu_counters counters, unsigned long request)
{
	for (; counters && !dev->bad; counters &= counters - 1) {
		unsigned i = apmu_driver__first(counters);
		const struct apmu_perf_event *event = apmu_driver__perf_event(dev, i);

		if (event->fd && event->lead == i && ioctl(event->fd - 1, request, 0) < 0)
			dev->bad = failure();
	}
}

static void probe(struct apmu_dev *dev)
{
	uint64_t everywhere_but_kernel = 1ull << FILTER_P | 1ull << FILTER_NSH;

	dev->has.counters = apmu_driver__one(APMU_PERF_COUNTERS) - 1;
	/* the open fails if the kernel has no such hardware or hides it */
	if (!open_one(dev, APMU_CYCLE_COUNTER, everywhere_but_kernel))
		dev->has.counters |= apmu_driver__one(APMU_CYCLE_COUNTER);
	shut(apmu_driver__perf_event(dev, APMU_CYCLE_COUNTER));
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
	struct apmu_perf *perf = dev->ctx;

	(void)was;
	for (unsigned k = 0; k <= APMU_PERF_COUNTERS; k++)
		shut(&perf->event[k]);
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
		dev->bad = open_one(dev, i, type);
}

static void arm(struct apmu_dev *dev, apmu_counters on, apmu_counters inten)
{
	(void)inten;
	for (apmu_counters rest = dev->has.counters & ~on; rest; rest &= rest - 1)
		shut(apmu_driver__perf_event(dev, apmu_driver__first(rest)));
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

/* Only the cycle counter counts cycles: event numbers differ between PMUs. */
static int no_cycle_event(const struct apmu_dev *dev)
{
	(void)dev;
	return APMU_ENOENT;
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
	.look = look,
	.times = times,
	.serve = apmu_driver__perf_serve,
	.cycle_event = no_cycle_event,
};

const struct apmu_backend apmu_backend_perf = {.name = "perf", .family = &family};

#endif
