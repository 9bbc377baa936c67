/* SPDX-License-Identifier: MIT */
/* Chains of one instruction, each waiting for the one before, or none for any. */
#include "kernel.h"

#define OPS     1024ul
#define X256(s) X64(s) X64(s) X64(s) X64(s)

/* 256 copies of `a32` or `a64`, four times a round, in a loop of the text's own. Registers r0-r5 and x0-x7,
 * d0-d7 are the text's own. */
#ifdef __aarch64__
#define CLOBBERS                                                                                        \
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", \
		"cc", "memory"
#define SETUP                                                                                               \
	"mov x1, #3\n mov x2, #5\n mov x3, #7\n mov x4, #9\n mov x5, #11\n mov x6, #13\n mov x7, #1\n mov " \
	"x0, %1\n fmov d1, #1.0\n fmov d2, #1.5\n fmov d0, #1.0\n"
#else
#define CLOBBERS "r0", "r1", "r2", "r3", "r4", "r5", "cc", "memory"
#define SETUP    "mov r1, #3\n mov r2, #5\n mov r3, #7\n mov r4, #9\n mov r5, #11\n mov r0, %1\n"
#endif

/* The registers are set up once, so that the chain goes on from turn to turn: were one set anew in each, a
 * window of 128 instructions would run two turns side by side. */
#define TURNS(count, text)                                                     \
	word left = rounds * (OPS / 256);                                      \
	__asm__ volatile(SETUP "9:\n" count(text) "subs %0, %0, #1\n bne 9b\n" \
			 : "+r"(left)                                          \
			 : "r"(arena)                                          \
			 : CLOBBERS)

#define CHAIN(name, a32, a64)                    \
	static word name(word size, word rounds) \
	{                                        \
		*(void **)arena = arena;         \
		(void)size;                      \
		TURNS(X256, PICK(a32, a64));     \
		return OPS;                      \
	}
/* Four that do not wait for one another count as four: a quarter of the copies. */
#define FREE(name, a32, a64)                     \
	static word name(word size, word rounds) \
	{                                        \
		(void)size;                      \
		TURNS(X64, PICK(a32, a64));      \
		return OPS;                      \
	}

CHAIN(add, "add r1, r1, r2\n", "add x1, x1, x2\n")
FREE(add_free, "add r1, r5, #1\n add r2, r5, #2\n add r3, r5, #3\n add r4, r5, #4\n",
     "add x1, x5, #1\n add x2, x5, #2\n add x3, x5, #3\n add x4, x5, #4\n")
CHAIN(add_shift, "add r1, r2, r1, lsl #1\n", "add x1, x2, x1, lsl #5\n")
CHAIN(shift_reg, "mov r1, r1, lsl r2\n", "lsl x1, x1, x2\n")
CHAIN(mul, "mul r1, r2, r1\n", "mul w1, w2, w1\n")
FREE(mul_free, "mul r1, r5, r0\n mul r2, r5, r0\n mul r3, r5, r0\n mul r4, r5, r0\n",
     "mul w1, w5, w0\n mul w2, w5, w0\n mul w3, w5, w0\n mul w4, w5, w0\n")
CHAIN(mla, "mla r1, r2, r3, r1\n", "madd w1, w2, w3, w1\n")
CHAIN(mul_long, "umull r1, r4, r2, r1\n", "umull x1, w2, w1\n")
CHAIN(mul_64, "umull r1, r4, r2, r1\n", "mul x1, x2, x1\n")
CHAIN(mul_high, "umull r4, r1, r2, r1\n", "umulh x1, x2, x1\n")
CHAIN(load, "ldr r0, [r0]\n", "ldr x0, [x0]\n")
FREE(load_free, "ldr r1, [r0]\n ldr r2, [r0]\n ldr r3, [r0]\n ldr r4, [r0]\n",
     "ldr x1, [x0]\n ldr x2, [x0]\n ldr x3, [x0]\n ldr x4, [x0]\n")
CHAIN(load_add, "ldr r0, [r0]\n add r0, r0, #0\n", "ldr x0, [x0]\n add x0, x0, #0\n")
/* A load takes what the 1st, 2nd, ... store before it has stored, and the store what it loaded. */
CHAIN(forward_1, "str r1, [r0]\n ldr r1, [r0]\n", "str x1, [x0]\n ldr x1, [x0]\n")
CHAIN(forward_2, "str r1, [r0]\n str r2, [r0, #8]\n ldr r1, [r0]\n",
      "str x1, [x0]\n str x2, [x0, #8]\n ldr x1, [x0]\n")
CHAIN(forward_4, "str r1, [r0]\n str r2, [r0, #8]\n str r2, [r0, #16]\n str r2, [r0, #24]\n ldr r1, [r0]\n",
      "str x1, [x0]\n str x2, [x0, #8]\n str x2, [x0, #16]\n str x2, [x0, #24]\n ldr x1, [x0]\n")
CHAIN(forward_middle, "str r1, [r0]\n ldrh r1, [r0, #2]\n", "str x1, [x0]\n ldr w1, [x0, #4]\n")
CHAIN(forward_odd, "str r1, [r0]\n ldrb r1, [r0, #1]\n", "str x1, [x0]\n ldrb w1, [x0, #1]\n")
FREE(store_free, "str r1, [r0]\n str r2, [r0, #4]\n str r3, [r0, #8]\n str r4, [r0, #12]\n",
     "str x1, [x0]\n str x2, [x0, #8]\n str x3, [x0, #16]\n str x4, [x0, #24]\n")
CHAIN(swap, "swp r1, r1, [r0]\n", "ldxr x1, [x0]\n stxr w2, x1, [x0]\n")
#ifdef __aarch64__
FREE(divide_free, "", "udiv w1, w5, w6\n udiv w2, w5, w6\n udiv w3, w5, w6\n udiv w4, w5, w6\n")
FREE(fadd_free, "", "fadd d3, d1, d2\n fadd d4, d1, d2\n fadd d5, d1, d2\n fadd d6, d1, d2\n")
FREE(fmul_free, "", "fmul d3, d1, d2\n fmul d4, d1, d2\n fmul d5, d1, d2\n fmul d6, d1, d2\n")
FREE(vadd_free, "",
     "add v3.4s, v1.4s, v2.4s\n add v4.4s, v1.4s, v2.4s\n add v5.4s, v1.4s, v2.4s\n"
     "add v6.4s, v1.4s, v2.4s\n")
CHAIN(divide, "", "udiv w1, w2, w1\n")
CHAIN(fadd, "", "fadd d0, d0, d1\n")
CHAIN(fmul, "", "fmul d0, d0, d1\n")
CHAIN(fmadd, "", "fmadd d0, d1, d2, d0\n")
CHAIN(fdiv_s, "", "fdiv s0, s1, s0\n")
CHAIN(fdiv_d, "", "fdiv d0, d1, d0\n")
CHAIN(vadd, "", "add v0.4s, v0.4s, v1.4s\n")

/* Loops that a board was measured with: `size` turns a call, a turn counts as one. */
static word loop_fadd(word size, word rounds)
{
	for (; rounds; rounds--) {
		word i = 0;
		__asm__ volatile("9:\n fadd v0.4s, v0.4s, v0.4s\n fadd v1.4s, v1.4s, v1.4s\n"
				 "fadd v2.4s, v2.4s, v2.4s\n fadd v3.4s, v3.4s, v3.4s\n"
				 "add %0, %0, #1\n cmp %0, %1\n b.ne 9b\n"
				 : "+r"(i)
				 : "r"(size)
				 : "v0", "v1", "v2", "v3", "cc");
	}
	return size;
}

static word loop_scale(word size, word rounds)
{
	for (; rounds; rounds--) {
		word at = 0, p;
		__asm__ volatile("9:\n add %1, %2, %0\n add %0, %0, #32\n cmp %0, %3\n ldp q0, q1, [%1]\n"
				 "fmul v0.4s, v0.4s, v2.s[0]\n fmul v1.4s, v1.4s, v2.s[0]\n"
				 "fadd v0.4s, v0.4s, v3.4s\n fadd v1.4s, v1.4s, v3.4s\n"
				 "stp q0, q1, [%1]\n b.ne 9b\n"
				 : "+r"(at), "=&r"(p)
				 : "r"(arena), "r"(size * 32)
				 : "v0", "v1", "cc", "memory");
	}
	return size;
}

/* Products of 32 bits, reduced by Montgomery, of two polynomials point by point: `size` points a call, a call
 * counts as one. */
#define PRODUCT(lo, hi, a, b) \
	"smull v" #lo ".2d, v" #a ".2s, v" #b ".2s\n smull2 v" #hi ".2d, v" #a ".4s, v" #b ".4s\n"
#define REDUCE(to, lo, hi)                                                                            \
	"uzp1 v" #to ".4s, v" #lo ".4s, v" #hi ".4s\n mul v" #to ".4s, v" #to ".4s, v1.4s\n"          \
	"smlsl v" #lo ".2d, v" #to ".2s, v0.2s\n smlsl2 v" #hi ".2d, v" #to ".4s, v0.4s\n uzp2 v" #to \
	".4s, v" #lo ".4s, v" #hi ".4s\n"
#define ADD_PRODUCT(lo, hi, a, b) \
	"smlal v" #lo ".2d, v" #a ".2s, v" #b ".2s\n smlal2 v" #hi ".2d, v" #a ".4s, v" #b ".4s\n"
#define LOAD4(a, b, c, d, from, p, q, r, s)                                                               \
	"ldr q" #a ", [%" #from ", #" #p "]\n ldr q" #b ", [%" #from ", #" #q "]\n ldr q" #c ", [%" #from \
	", #" #r "]\n ldr q" #d ", [%" #from ", #" #s "]\n"
/* The four vectors of 16 points, which move the pointer on. */
#define FIRST4(a, b, c, d, from)                                                                  \
	"ldr q" #b ", [%" #from ", #16]\n ldr q" #c ", [%" #from ", #32]\n ldr q" #d ", [%" #from \
	", #48]\n ldr q" #a ", [%" #from "], #64\n"
/* Those of another polynomial, 1 KiB times its number behind the first. */
#define MORE(p, q, r, s)                     \
	LOAD4(16, 17, 18, 19, 2, p, q, r, s) \
	LOAD4(20, 21, 22, 23, 3, p, q, r, s) \
	ADD_PRODUCT(24, 25, 16, 20)          \
	ADD_PRODUCT(26, 27, 17, 21) ADD_PRODUCT(28, 29, 18, 22) ADD_PRODUCT(30, 31, 19, 23)
#define POINTS(more)                                                                                         \
	for (; rounds; rounds--) {                                                                           \
		word left = size;                                                                            \
		unsigned char *to = arena, *a = arena + KIB, *b = arena + 8 * KIB;                           \
		__asm__ volatile(                                                                            \
			"dup v0.4s, %w4\n dup v1.4s, %w5\n 9:\n" FIRST4(16, 17, 18, 19, 2) FIRST4(           \
				20, 21, 22, 23,                                                              \
				3) PRODUCT(24, 25, 16, 20) PRODUCT(26, 27, 17,                               \
								   21) PRODUCT(28, 29, 18,                   \
									       22) PRODUCT(30, 31, 19, 23)   \
				more REDUCE(16, 24, 25) REDUCE(17, 26, 27) REDUCE(18, 28, 29) REDUCE(        \
					19, 30,                                                              \
					31) "str q17, [%1, #16]\n str q18, [%1, #32]\n str q19, [%1, #48]\n" \
					    "str q16, [%1], #64\n subs %0, %0, #16\n cbnz %0, 9b\n"          \
			: "+r"(left), "+r"(to), "+r"(a), "+r"(b)                                             \
			: "r"(8380417), "r"(58728449)                                                        \
			: "v0", "v1", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25",  \
			  "v26", "v27", "v28", "v29", "v30", "v31", "cc", "memory");                         \
	}                                                                                                    \
	return 1

static word montgomery(word size, word rounds)
{
	POINTS("");
}

/* Sums of five products. */
static word montgomery_5(word size, word rounds)
{
	POINTS(MORE(960, 976, 992, 1008) MORE(1984, 2000, 2016, 2032) MORE(3008, 3024, 3040, 3056)
		       MORE(4032, 4048, 4064, 4080));
}
#endif

const struct kernel_row chain_kernels[] = {{"add", add},
					   {"add-free", add_free},
					   {"add-shift", add_shift},
					   {"shift-reg", shift_reg},
					   {"mul", mul},
					   {"mul-free", mul_free},
					   {"mla", mla},
					   {"mul-long", mul_long},
					   {"mul-64", mul_64},
					   {"mul-high", mul_high},
					   {"load", load},
					   {"load-free", load_free},
					   {"load-add", load_add},
					   {"forward-1", forward_1},
					   {"forward-2", forward_2},
					   {"forward-4", forward_4},
					   {"forward-middle", forward_middle},
					   {"forward-odd", forward_odd},
					   {"store-free", store_free},
					   {"swap", swap},
#ifdef __aarch64__
					   {"divide-free", divide_free},
					   {"fadd-free", fadd_free},
					   {"fmul-free", fmul_free},
					   {"vadd-free", vadd_free},
					   {"divide", divide},
					   {"fadd", fadd},
					   {"fmul", fmul},
					   {"fmadd", fmadd},
					   {"fdiv-s", fdiv_s},
					   {"fdiv-d", fdiv_d},
					   {"vadd", vadd},
					   {"loop-fadd", loop_fadd},
					   {"loop-scale", loop_scale},
					   {"montgomery", montgomery},
					   {"montgomery-5", montgomery_5},
#endif
					   {0, 0}};
