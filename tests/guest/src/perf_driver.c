/* SPDX-License-Identifier: MIT */
/* /init of a kernel that boots for it: the driver's `perf` backend beside the kernel's own counts, opened
 * here by hand. Prints lines of numbers; tests/guest/kernel_perf_slow.sh judges them. Its argument is the
 * number of rounds. */
#define _GNU_SOURCE
#include <apmu/driver.h>

#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RAW          4
#define INST_RETIRED 0x08
#define MANY         12

static struct apmu_perf perf;
static struct apmu_dev dev;
static struct apmu_dev_slot slots[APMU_PERF_COUNTERS + 1];
static struct apmu_dev_config config;
static long rounds = 1000;
extern const char work_begin[], work_end[];

/* Ten instructions a round: eight NOPs, SUBS, B.NE. */
__attribute__((noinline)) static void work(long n)
{
	__asm__ volatile(".global work_begin, work_end\nwork_begin:\n1: .rept 8\n nop\n .endr\n subs %0, %0, "
			 "#1\n b.ne 1b\nwork_end:"
			 : "+r"(n)
			 :
			 : "cc");
}

static int by_hand(uint64_t event, int group)
{
	struct perf_event_attr a = {.size = sizeof(a), .type = RAW, .config = event, .disabled = group < 0};

	a.exclude_kernel = a.exclude_hv = 1;
	return (int)syscall(SYS_perf_event_open, &a, 0, -1, group, 0);
}

static uint64_t value_of(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

/* Samples: how many, how many of them inside work(). */
static unsigned long samples, inside;

static void sample(void *ctx, const struct apmu_sample *s)
{
	const struct apmu_perf_sample *at = s->state;

	(void)ctx;
	samples++;
	inside += at->ip >= (uintptr_t)work_begin && at->ip < (uintptr_t)work_end;
}

static int use(const struct apmu_want *want, unsigned n)
{
	struct apmu_refusal refusal = {0};
	int bad;

	memset(&perf, 0, sizeof(perf));
	perf.type = RAW;
	perf.cpu = -1;
	config = (struct apmu_dev_config){.backend = &apmu_backend_perf,
					  .ctx = &perf,
					  .slots = slots,
					  .slots_n = APMU_PERF_COUNTERS + 1,
					  .el = 1,
					  .interrupt = true,
					  .sample = sample};
	bad = apmu_dev_open(&dev, &config, NULL);
	if (!bad)
		bad = apmu_dev_use(&dev, want, n, 0, &refusal);
	if (bad)
		printf("refused %d want %u why %u\n", bad, refusal.want, refusal.why);
	return bad;
}

static struct apmu_want event(unsigned number, uint8_t group)
{
	return (struct apmu_want){.event = (uint16_t)number,
				  .levels = APMU_AT_USER,
				  .counter = APMU_ANY_COUNTER,
				  .group = group};
}

static struct apmu_want cycles(uint8_t group)
{
	struct apmu_want want = event(0, group);

	want.flags = APMU_WANT_CYCLES;
	return want;
}

/* The same work seen by both, in groups, so that both see it whole. */
static void count(void)
{
	struct apmu_want want[] = {event(INST_RETIRED, 1), cycles(1)};
	struct apmu_count out[2] = {{0}};
	int insns = by_hand(INST_RETIRED, -1), cycle = by_hand(0x11, insns);
	uint32_t calls;

	if (use(want, 2))
		return;
	apmu_dev_start(&dev);
	ioctl(insns, PERF_EVENT_IOC_ENABLE, 0);
	work(rounds);
	ioctl(insns, PERF_EVENT_IOC_DISABLE, 0);
	apmu_dev_stop(&dev);
	calls = perf.calls;
	apmu_dev_read(&dev, out, 2);
	printf("insns %llu %llu\n", (unsigned long long)value_of(insns), (unsigned long long)out[0].value);
	printf("cycles %llu %llu\n", (unsigned long long)value_of(cycle), (unsigned long long)out[1].value);
	printf("group %u calls, %d equal times, %d always on\n", perf.calls - calls,
	       out[0].enabled == out[1].enabled && out[0].running == out[1].running,
	       out[0].running == out[0].enabled && out[0].enabled > 0);
	apmu_dev_close(&dev);
	close(insns);
	close(cycle);
}

/* With kernel.perf_user_access: reads without a call, which a count by hand holds between two of its own. */
static void read_in_user_space(bool allowed)
{
	struct apmu_want want[] = {event(INST_RETIRED, 0), cycles(0)};
	FILE *f = fopen("/proc/sys/kernel/perf_user_access", "w");
	unsigned outside = 0, fell = 0, here, calls;
	struct apmu_count out[2] = {{0}};
	uint64_t last = 0;
	int insns;

	if (!f || fputs(allowed ? "1" : "0", f) < 0 || fclose(f) || use(want, 2))
		return;
	insns = by_hand(INST_RETIRED, -1);
	apmu_dev_start(&dev);
	ioctl(insns, PERF_EVENT_IOC_ENABLE, 0);
	apmu_dev_read(&dev, out, 2);
	last = out[0].value;
	uint64_t ahead = last - value_of(insns); /* what the driver's saw before the other began; or less */

	here = perf.here;
	calls = perf.calls;
	for (unsigned i = 0; i < 100; i++) {
		uint64_t low = value_of(insns), high;

		work(rounds / 100 + 1);
		apmu_dev_read(&dev, out, 2);
		high = value_of(insns);
		fell += out[0].value < last;
		/* A few hundred instructions of the two reads themselves. */
		outside += out[0].value - ahead + 1000 < low || out[0].value - ahead > high + 1000;
		last = out[0].value;
	}
	printf("access %d: here %u calls %u outside %u fell %u times %d\n", allowed, perf.here - here,
	       perf.calls - calls, outside, fell, out[0].running == out[0].enabled && out[0].enabled > 0);
	apmu_dev_close(&dev);
	close(insns);
}

static void sampled(void)
{
	struct apmu_want want[] = {event(INST_RETIRED, 0), cycles(0)};
	struct apmu_count out[2] = {{0}};
	struct pollfd file;

	want[0].period = (uint64_t)rounds / 10;
	if (use(want, 2))
		return;
	file = (struct pollfd){.fd = apmu_perf_file(&dev, 0), .events = POLLIN};
	apmu_dev_start(&dev);
	work(rounds);
	apmu_dev_stop(&dev);
	printf("ready %d\n", poll(&file, 1, 0) == 1 && (file.revents & POLLIN));
	apmu_dev_interrupt(&dev, NULL);
	apmu_dev_read(&dev, out, 2);
	printf("samples %lu inside %lu lost %u of %llu\n", samples, inside, perf.lost,
	       (unsigned long long)out[0].value);
	apmu_dev_close(&dev);
}

/* More than the PMU has: the kernel lets them take turns. */
static void turns(void)
{
	struct apmu_want want[MANY];
	struct apmu_count out[MANY] = {{0}};
	double least = 1e30, most = 0;
	bool waited = true;

	for (unsigned i = 0; i < MANY; i++)
		want[i] = event(INST_RETIRED, 0);
	if (use(want, MANY))
		return;
	apmu_dev_start(&dev);
	work(rounds * 20);
	apmu_dev_stop(&dev);
	apmu_dev_read(&dev, out, MANY);
	for (unsigned i = 0; i < MANY; i++) {
		double scaled = (double)out[i].scaled / (double)rounds / 200;

		waited = waited && out[i].running < out[i].enabled && out[i].error > 0;
		least = scaled < least ? scaled : least;
		most = scaled > most ? scaled : most;
	}
	printf("turns waited %d scaled %.2f to %.2f\n", waited, least, most);
	apmu_dev_close(&dev);
}

int main(int n, char **argument)
{
	rounds = atol(argument[n - 1]); /* behind what else the kernel hands on */
	if (mount("proc", "/proc", "proc", 0, NULL))
		perror("proc");
	count();
	read_in_user_space(false);
	read_in_user_space(true);
	sampled();
	if (rounds > 100000)
		turns();
	printf("done\n");
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
