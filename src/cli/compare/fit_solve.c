/* SPDX-License-Identifier: MIT */
#include "cli/compare/compare.h"

#include <math.h>
#include <string.h>

enum { MOST = 16 };

/* Solves the normal equations by elimination with the largest pivot; parameters that cannot be told apart get
 * no change. */
static void eliminate(double a[MOST][MOST + 1], size_t n, double *x)
{
	for (size_t k = 0; k < n; k++) {
		size_t pivot = k;
		for (size_t i = k + 1; i < n; i++)
			pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
		for (size_t j = 0; j <= n; j++) {
			double swap = a[k][j];
			a[k][j] = a[pivot][j];
			a[pivot][j] = swap;
		}
		for (size_t i = k + 1; i < n && fabs(a[k][k]) > 1e-12; i++) {
			double f = a[i][k] / a[k][k];
			for (size_t j = k; j <= n; j++)
				a[i][j] -= f * a[k][j];
		}
	}
	for (size_t k = n; k-- != 0;) {
		x[k] = a[k][n];
		for (size_t j = k + 1; j < n; j++)
			x[k] -= a[k][j] * x[j];
		x[k] = fabs(a[k][k]) > 1e-12 ? x[k] / a[k][k] : 0;
	}
}

/* Works in units of each parameter's step, so that large parameters and small ones weigh alike. */
double cli__fit_solve(const struct cli__fit *fit, const size_t *which, size_t n, double *change)
{
	double a[MOST][MOST + 1] = {{0}}, left = 0;

	n = n < MOST ? n : MOST;
	for (size_t c = 0; c < fit->counts; c++)
		for (size_t i = 0; i < n; i++) {
			const struct cli__fit_param *f = &fit->param[which[i]];
			double slope = f->slope[c] * f->step;
			for (size_t j = 0; j < n; j++)
				a[i][j] += slope * fit->param[which[j]].slope[c] * fit->param[which[j]].step;
			a[i][n] += slope * fit->rest[c];
		}
	for (size_t i = 0; i < n; i++)
		a[i][i] *= 1 + 1e-9;
	eliminate(a, n, change);
	for (size_t i = 0; i < n; i++)
		change[i] *= fit->param[which[i]].step;
	for (size_t c = 0; c < fit->counts; c++) {
		double rest = fit->rest[c];
		for (size_t i = 0; i < n; i++)
			rest -= fit->param[which[i]].slope[c] * change[i];
		left += rest * rest;
	}
	return left;
}
