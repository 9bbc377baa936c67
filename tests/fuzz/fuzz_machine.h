/* SPDX-License-Identifier: MIT */
/* The machine's fuzz target, for those who feed it themselves (tests/machine/test_wander.c). */
#ifndef APMU_TEST_FUZZ_MACHINE_H
#define APMU_TEST_FUZZ_MACHINE_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
