/* SPDX-License-Identifier: MIT */
#include "machine/models.h"

#include <string.h>
#include <unicorn/unicorn.h>

static const struct apmu_machine__cpu_model models[] = {
	/* name           id                     a64    v  VBAR   MMU   Thumb-2 SVE LPAE */
	{"ARM_1136", UC_CPU_ARM_1136, false, 6, false, true, false, false, false},
	{"ARM_1136_R2", UC_CPU_ARM_1136_R2, false, 6, false, true, false, false, false},
	{"ARM_1176", UC_CPU_ARM_1176, false, 6, true, true, false, false, false},
	{"ARM_CORTEX_R5", UC_CPU_ARM_CORTEX_R5, false, 7, false, false, true, false, false},
	{"ARM_PXA255", UC_CPU_ARM_PXA255, false, 5, false, true, false, false, false},
	{"ARM_PXA270", UC_CPU_ARM_PXA270, false, 5, false, true, false, false, false},
	{"ARM_CORTEX_A7", UC_CPU_ARM_CORTEX_A7, false, 7, true, true, true, false, true},
	{"ARM_CORTEX_A8", UC_CPU_ARM_CORTEX_A8, false, 7, true, true, true, false, false},
	{"ARM_CORTEX_A9", UC_CPU_ARM_CORTEX_A9, false, 7, true, true, true, false, false},
	{"ARM_CORTEX_A15", UC_CPU_ARM_CORTEX_A15, false, 7, true, true, true, false, true},
	{"ARM_MAX", UC_CPU_ARM_MAX, false, 8, true, true, true, false, true},
	{"ARM64_A53", UC_CPU_ARM64_A53, true, 8, true, true, false, false, false},
	{"ARM64_A57", UC_CPU_ARM64_A57, true, 8, true, true, false, false, false},
	{"ARM64_A72", UC_CPU_ARM64_A72, true, 8, true, true, false, false, false},
	{"ARM64_MAX", UC_CPU_ARM64_MAX, true, 8, true, true, false, true, false},
};

const struct apmu_machine__cpu_model *apmu_machine__cpu_model(const char *name)
{
	for (size_t i = 0; name && i < sizeof models / sizeof *models; i++)
		if (strcmp(models[i].name, name) == 0)
			return &models[i];
	return NULL;
}
