/* SPDX-License-Identifier: MIT */
/* The target of odd parameters, for those who feed it themselves (tests/unit/test_uarch_odd.c). */
#ifndef APMU_TEST_FUZZ_UARCH_H
#define APMU_TEST_FUZZ_UARCH_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
