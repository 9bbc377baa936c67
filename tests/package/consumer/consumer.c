/* SPDX-License-Identifier: MIT */
/* A stranger's program: takes something of each installed library. */
#include <apmu/model.h>
#include <apmu/uarch.h>

#include <stdio.h>

int main(void)
{
	const struct apmu_core *core = apmu_core_find("arm1176");
	const struct apmu_uarch_params *params = core ? apmu_uarch_find(core->uarch) : NULL;
	struct apmu_tally tally = {0};
	struct apmu pmu;

	if (!core || !params)
		return 1;
	apmu_init(&pmu, core, &tally, (struct apmu_lines){0});
	printf("%s %s\n", pmu.core->name, apmu_uarch_check(params) ? apmu_uarch_check(params) : "fits");
	return 0;
}
