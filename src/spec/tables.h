/* SPDX-License-Identifier: MIT */
/**
 * The generated tables and what they use. Only src/spec includes this.
 *
 * APMU_NO_TEXT drops the long texts (titles, meanings, sources) and perf's names of cache events for small
 * builds; other names stay.
 */
#ifndef APMU_SPEC_TABLES_H
#define APMU_SPEC_TABLES_H

#include <apmu/core.h>
#include <apmu/metric.h>

#ifdef APMU_NO_TEXT
#define APMU_TEXT(text)     NULL
#define APMU_CACHE_NAMES(n) 0
#else
#define APMU_TEXT(text)     text
#define APMU_CACHE_NAMES(n) n
#endif

/* The model's rules, used by address only: linking a core's row links the rules of its family. */
extern const struct apmu_model__rules apmu_model__rules_plain, apmu_model__rules_ranged;

extern const struct apmu_signal_row apmu_spec__signal_rows[APMU_SIGNALS];
extern const struct apmu_reason_row apmu_spec__reason_rows[APMU_REASONS];
extern const struct apmu_core *const apmu_spec__cores[];
extern const size_t apmu_spec__cores_n;

#endif
