/* SPDX-License-Identifier: MIT */
/* A stranger's program: the driver on a model of its own. */
#include <apmu/cycles.h>
#include <apmu/driver.h>
#include <apmu/model.h>
#include <apmu/region.h>

#include <stdio.h>

int main(void)
{
	struct apmu_tally tally = {0};
	struct apmu pmu;
	struct apmu_model_port port = {.pmu = &pmu, .from = {.el = 1}};
	struct apmu_dev_slot slots[2];
	struct apmu_dev_config config = {.ctx = &port, .slots = slots, .slots_n = 2, .el = 1};
	struct apmu_dev dev;
	struct apmu_want want;
	struct apmu_count count;

	apmu_init(&pmu, apmu_core_find("cortex-a53"), &tally, (struct apmu_lines){0});
	config.backend = apmu_backend_of_model(&port);
	config.core = pmu.core;
	if (apmu_dev_open(&dev, &config, NULL) || apmu_want_parse(&dev, "instructions", &want) ||
	    apmu_dev_use(&dev, &want, 1, 0, NULL) || apmu_dev_start(&dev))
		return 1;
	tally.n[APMU_SIG_INST] += 42;
	if (apmu_dev_stop(&dev) || apmu_dev_read(&dev, &count, 1))
		return 1;
	printf("%s: %u\n", apmu_strerror(APMU_OK), (unsigned)count.value);
	return 0;
}
