/* SPDX-License-Identifier: MIT */
/*
 * What FFmpeg's and dav1d's own tests of their assembly (tests/checkasm) ask of their header of this name,
 * but no test: each prepares its data, and of the one function that checkasm.c was told to run bench_new()
 * makes calls, four and four as theirs do. Nothing is compared.
 *
 * Compile with -DDAV1D for dav1d's.
 */
#ifndef CHECKASM_H
#define CHECKASM_H

#include "config.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef DAV1D
#include "include/common/attributes.h"
#include "include/common/bitdepth.h"
#include "include/common/intops.h"
#define rnd() (int)(checkasm_rnd() >> 1)
#else
#include "libavutil/avstring.h"
#include "libavutil/common.h"
#include "libavutil/cpu.h"
#include "libavutil/internal.h"
#define rnd() checkasm_rnd()
#endif

/* Times that a benchmark makes its four calls; times that it then makes none; benchmarks so far. */
extern unsigned long checkasm_rounds, checkasm_empty, checkasm_benches;
unsigned checkasm_rnd(void);
/* The function if it is the one to run, else NULL. */
void *checkasm_check_func(void *func, const char *name, ...);

static void *func_new;
#define check_func(func, ...)                  checkasm_check_func(func_new = (void *)(func), __VA_ARGS__)
#define declare_func(ret, ...)                 typedef ret func_type(__VA_ARGS__)
#define declare_func_emms(flags, ret, ...)     declare_func(ret, __VA_ARGS__)
#define call_new(...)                          ((func_type *)func_new)(__VA_ARGS__)
#define call_ref(...)                          call_new(__VA_ARGS__)
#define checkasm_bench_func()                  1
#define report(...)                            ((void)0)
#define fail()                                 0
#define checkasm_check(...)                    0
#define float_near_abs_eps_ulp(...)            1
#define checkasm_check_pixel(...)              0
#define checkasm_check_pixel_padded(...)       0
#define checkasm_check_coef(...)               0
#define checkasm_check_pixel_padded_align(...) 0

/* Theirs read the clock before and after four calls, behind an ISB each time, and subtract the time between
 * two readings with nothing in between. So the first of four calls begins in an empty pipeline, and the last
 * one ends when its results are complete. */
#define checkasm_barrier() __asm__ volatile("isb" ::: "memory")
#define bench_new(...)                                                         \
	do {                                                                   \
		func_type *const tfunc = func_new;                             \
		checkasm_benches++;                                            \
		for (unsigned long turn = 0; turn < checkasm_rounds; turn++) { \
			int talt = 0;                                          \
			(void)talt;                                            \
			checkasm_barrier();                                    \
			tfunc(__VA_ARGS__);                                    \
			talt = 1;                                              \
			tfunc(__VA_ARGS__);                                    \
			talt = 0;                                              \
			tfunc(__VA_ARGS__);                                    \
			talt = 1;                                              \
			tfunc(__VA_ARGS__);                                    \
			checkasm_barrier();                                    \
		}                                                              \
		for (unsigned long turn = 0; turn < checkasm_empty; turn++) {  \
			checkasm_barrier();                                    \
			checkasm_barrier();                                    \
		}                                                              \
	} while (0)
#define alternate(a, b) (talt ? (b) : (a))

/* A block of w by h pixels, with 16 rows and 64 columns around it. */
#define ROUND_UP(x, a) (((x) + ((a)-1)) & ~((a)-1))
#define PIXEL_RECT(name, w, h)                                                       \
	ALIGN_STK_64(pixel, name##_buf, ((h) + 32) * (ROUND_UP(w, 64) + 64) + 64, ); \
	ptrdiff_t name##_stride = sizeof(pixel) * (ROUND_UP(w, 64) + 64);            \
	(void)name##_stride;                                                         \
	int name##_buf_h = (h) + 32;                                                 \
	(void)name##_buf_h;                                                          \
	pixel *name = name##_buf + (ROUND_UP(w, 64) + 64) * 16 + 64
#define CLEAR_PIXEL_RECT(name) memset(name##_buf, 0x99, sizeof(name##_buf))
#define CHECK_PIXEL_RECT(...)  0

#endif
