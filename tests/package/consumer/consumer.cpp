// SPDX-License-Identifier: MIT
// A stranger's program in C++17: a PMU that counts, an event source's row, a driver on the model.
#include <apmu/cycles.h>
#include <apmu/driver.h>
#include <apmu/machine.h>
#include <apmu/mark.h>
#include <apmu/model.h>
#include <apmu/uarch.h>

#include <iostream>

int main()
{
	const apmu_core *core = apmu_core_find("cortex-a53");
	apmu_tally tally{};
	apmu pmu{};
	apmu_lines lines{};
	apmu_mode user{};

	if (!core || !apmu_uarch_find(core->uarch))
		return 1;
	apmu_init(&pmu, core, &tally, lines);
	apmu_enter(&pmu, user);

	apmu_model_port port{};
	port.pmu = &pmu;
	port.from.el = 1;
	apmu_dev_slot slots[2];
	apmu_dev_config config{};
	config.backend = apmu_backend_of_model(&port);
	config.core = core;
	config.ctx = &port;
	config.slots = slots;
	config.slots_n = 2;
	config.el = 1;
	apmu_dev dev;
	apmu_want want;
	apmu_count count;
	if (apmu_dev_open(&dev, &config, nullptr) || apmu_want_parse(&dev, "instructions", &want) ||
	    apmu_dev_use(&dev, &want, 1, 0, nullptr) || apmu_dev_start(&dev))
		return 1;
	tally.n[APMU_SIG_INST] += 42;
	if (apmu_dev_stop(&dev) || apmu_dev_read(&dev, &count, 1))
		return 1;
	std::cout << core->name << ": " << count.value << '\n';
}
