/* SPDX-License-Identifier: MIT */
/* A stranger's program: a guest of a few words programs its PMU, the host looks. */
#include <apmu/machine.h>
#include <stdio.h>

static const uint32_t guest[] = {
	0xE3A00007, /* mov r0, #7 */
	0xEE0F0F1C, /* mcr p15, 0, r0, c15, c12, 0: PMNC, E, all counters reset */
	0xE1A00000, /* nop */
	0xE1A00000, 0xE1A00000, 0xE1A00000, 0xE1A00000, 0xEAFFFFFE, /* b . */
};

int main(void)
{
	struct apmu_machine_config config = {.core = apmu_core_find("arm1176"), .aarch32 = true, .cpi = 1};
	struct apmu_machine *machine;
	struct apmu_stop stop;
	char error[200];

	if (apmu_machine_new(&config, &machine, error, sizeof error) ||
	    apmu_machine_load(machine, guest, sizeof guest, 0x8000, true, error, sizeof error)) {
		fprintf(stderr, "%s\n", error);
		return 1;
	}
	apmu_machine_run(machine, 8, &stop);
	/* six cycles behind the write, of which the hold-off takes three */
	printf("a counter holds %u\n", (unsigned)apmu_machine_pmu(machine)->s.counter[APMU_CYCLE_COUNTER]);
	apmu_machine_free(machine);
	return 0;
}
