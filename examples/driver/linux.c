/* SPDX-License-Identifier: MIT */
/* A Linux program that counts its own page faults and CPU time in nanoseconds, which every kernel can
 * count. */
#define _DEFAULT_SOURCE
#include <apmu/driver.h>

#include <stdio.h>
#include <stdlib.h>

#define SOFTWARE    1 /* PERF_TYPE_SOFTWARE; 4 with a PMU's own event numbers */
#define TASK_CLOCK  1
#define PAGE_FAULTS 2

int main(void)
{
	struct apmu_perf perf = {.type = SOFTWARE, .cpu = -1};
	struct apmu_dev_slot slots[2];
	struct apmu_dev_config config = {
		.backend = &apmu_backend_perf, .ctx = &perf, .slots = slots, .slots_n = 2, .el = 1};
	struct apmu_want wants[2] = {{.event = PAGE_FAULTS, .counter = APMU_ANY_COUNTER},
				     {.event = TASK_CLOCK, .counter = APMU_ANY_COUNTER}};
	struct apmu_count count[2];
	struct apmu_dev dev;
	int bad = apmu_dev_open(&dev, &config, NULL);

	if (!bad)
		bad = apmu_dev_use(&dev, wants, 2, 0, NULL);
	if (!bad)
		bad = apmu_dev_start(&dev);
	if (bad) {
		fprintf(stderr, "%s\n", apmu_strerror(bad));
		return 1;
	}
	for (unsigned i = 0; i < 20; i++) {
		volatile char *page =
			malloc(1 << 20); /* not freed: freed pages would be reused, and not be fresh */

		for (unsigned k = 0; page && k < 1 << 20; k += 4096)
			page[k] = 1;
	}
	apmu_dev_stop(&dev);
	apmu_dev_read(&dev, count, 2);
	printf("page-faults %llu\nnanoseconds %llu\n", (unsigned long long)count[0].value,
	       (unsigned long long)count[1].value);
	return apmu_dev_close(&dev) != 0;
}
