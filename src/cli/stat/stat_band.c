/* SPDX-License-Identifier: MIT */
#include "cli/stat/stat_band.h"

#include "cli/common/uarch_options.h"

#include <math.h>
#include <string.h>

const char *const cli__band_name[CLI__BAND_CLASSES] = {"instructions", "branches", "fetch",       "l2",
						       "l3",           "memory",   "translation", "stores"};

/* In-order cores produce these signals anyway; on out-of-order cores they show what instructions waited
 * for. */
bool cli__band_signals(uint64_t wanted[APMU_SIGNAL_WORDS])
{
	bool alone = !apmu_uarch_needs_stalls(wanted);

	static const enum apmu_signal needed[] = {APMU_SIG_STALL_BACK_BOUND, APMU_SIG_STALL_BACK_L2,
						  APMU_SIG_STALL_BACK_L3, APMU_SIG_STALL_BACK_MEM,
						  APMU_SIG_STALL_BACK_TLB};

	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
		apmu_signal_add(wanted, needed[i]);
	return alone;
}

/* Moves `n` cycles, or as many as are left, from CLI__BAND_INSTRUCTIONS to `class`. */
static void spend(double cycles[CLI__BAND_CLASSES], enum cli__band_class class, double n)
{
	double *left = &cycles[CLI__BAND_INSTRUCTIONS];

	n = n < 0 ? 0 : n < *left ? n : *left;
	cycles[class] += n;
	*left -= n;
}

/* Assigns stall cycles first, because each has one cause; mispredictions last, by their number, because no
 * stall shows them. */
static void add_thread(double cycles[CLI__BAND_CLASSES], const struct apmu_uarch_params *uarch,
		       const uint64_t *n)
{
	double own[CLI__BAND_CLASSES] = {(double)n[APMU_SIG_CYCLES]};

	spend(own, CLI__BAND_L2, (double)n[APMU_SIG_STALL_BACK_L2]);
	spend(own, CLI__BAND_L3, (double)n[APMU_SIG_STALL_BACK_L3]);
	spend(own, CLI__BAND_MEMORY, (double)n[APMU_SIG_STALL_BACK_MEM]);
	spend(own, CLI__BAND_TABLES, (double)n[APMU_SIG_STALL_BACK_TLB]);
	spend(own, CLI__BAND_STORES,
	      (double)n[APMU_SIG_STALL_BACK_BOUND] - own[CLI__BAND_L2] - own[CLI__BAND_L3] -
		      own[CLI__BAND_MEMORY] - own[CLI__BAND_TABLES]);
	spend(own, CLI__BAND_FETCH,
	      (double)n[APMU_SIG_STALL_FETCH_CACHE] + (double)n[APMU_SIG_STALL_FETCH_TLB]);
	spend(own, CLI__BAND_BRANCHES, (double)n[APMU_SIG_BR_MIS_PRED] * uarch->mispredict);
	for (unsigned k = 0; k < CLI__BAND_CLASSES; k++)
		cycles[k] += own[k];
}

double cli__band_percent(const struct cli__band *band)
{
	return band->within < 0.01 ? 1 : round(100 * band->within);
}

static const struct cli__band_row *row_of(const struct apmu_core *core)
{
	for (size_t i = 0; i < cli__band_rows_n; i++)
		if (cli__band_rows[i].core != NULL && strcmp(cli__band_rows[i].core, core->name) == 0)
			return &cli__band_rows[i];
	return &cli__band_rows[cli__has_own_params(core) ? 0 : 1];
}

struct cli__band cli__band_of_cycles(const struct apmu_core *core, const double cycles[CLI__BAND_CLASSES])
{
	const struct cli__band_row *row = row_of(core);
	struct cli__band band = {0};
	double all = 0;

	for (unsigned k = 0; k < CLI__BAND_CLASSES; k++)
		all += cycles[k];
	band.known = all > 0;
	for (unsigned k = 0; k < CLI__BAND_CLASSES; k++) {
		band.share[k] = band.known ? cycles[k] / all : 0;
		band.error[k] = row->error[k] / 1000.0;
		band.has[k] = row->figures[k] != 0;
		band.within += band.share[k] * band.error[k];
		band.untold += band.has[k] ? 0 : band.share[k];
	}
	return band;
}

struct cli__band cli__band_of(const struct apmu_core *core, const struct apmu_uarch_params *uarch,
			      const struct apmu_qemu__run_result *run)
{
	double cycles[CLI__BAND_CLASSES] = {0};

	for (size_t i = 0; i < run->marks; i++)
		if (run->mark[i].last)
			add_thread(cycles, uarch, run->mark[i].tally.n);
	return cli__band_of_cycles(core, cycles);
}
