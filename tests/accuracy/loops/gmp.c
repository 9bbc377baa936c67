/* SPDX-License-Identifier: MIT */
/* Calls one routine of GNU MP's mpn layer on operands in L1: gmp SIZE ROUNDS.
 * ROUTINE is its symbol, KIND how it is called, LARGEST the largest SIZE, UNNORMALISED 1 for a divisor that
 * is shifted; no C library.
 */
typedef unsigned long limb;
typedef unsigned long count;

static limb room[8192] __attribute__((aligned(4096)));
#define RP      (room)
#define UP      (room + 2048 + 16)
#define VP      (room + 4096 + 32)
#define ODD     ((limb)0x9E3779B97F4A7C15ull | 1)
#define ENTRIES 32

const unsigned char __gmp_binvert_limb_table[128], __gmp_ctz_tab[256];
limb __gmpn_invert_limb(limb d);
limb __gmpn_invert_limb(limb d)
{
	return ~d;
}

/* clang-format off */
enum { TWO, ONE, CONDITIONAL, COPY, SHIFT, COUNT, DISTANCE, MULTIPLY, SELECT, BDIV_DBM1C, BDIV_Q, DIVIDE,
       MODEXACT, MOD, SQUARE };
/* clang-format on */

/* The routine by the types that its kind has; the others' calls are never made. */
extern limb ROUTINE();

static void call(count n, limb argument)
{
	switch (KIND) {
	case TWO: ROUTINE(RP, UP, VP, n); break;
	case ONE: ROUTINE(RP, UP, n, ODD); break;
	case CONDITIONAL: ROUTINE((limb)1, RP, UP, VP, n); break;
	case COPY: ROUTINE(RP, UP, n); break;
	case SHIFT: ROUTINE(RP, UP, n, (limb)7); break;
	case COUNT: ROUTINE(UP, n); break;
	case DISTANCE: ROUTINE(UP, VP, n); break;
	case MULTIPLY: ROUTINE(RP, UP, n, VP); break;
	case SELECT: ROUTINE(RP, UP, n / 12, (limb)ENTRIES, (limb)5); break;
	case BDIV_DBM1C: ROUTINE(RP, UP, n, ODD, (limb)0); break;
	case BDIV_Q: ROUTINE(RP, UP, n, ODD, ODD, argument); break;
	case DIVIDE: ROUTINE(RP, UP, n, ODD << argument); break;
	case MODEXACT: ROUTINE(UP, n, ODD, (limb)0); break;
	case MOD: ROUTINE(UP, n, ODD >> 3, VP); break;
	default: ROUTINE(RP, VP, UP, n); break;
	}
}

static long ask(long number, long a, long b, long c)
{
#ifdef __aarch64__
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
			 x2 __asm__("x2") = c;
	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
#else
	register long r7 __asm__("r7") = number, r0 __asm__("r0") = a, r1 __asm__("r1") = b,
			 r2 __asm__("r2") = c;
	__asm__ volatile("svc #0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
	return r0;
#endif
}

static count number(const char *text)
{
	count n = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (count)(*text - '0');
	return n;
}

/* Limbs at random: what carries, and how a table is entered, is no pattern. */
static void fill(void)
{
	unsigned x = 2463534242u;
	for (unsigned i = 0; i < sizeof room / sizeof *room; i++) {
		x ^= x << 13, x ^= x >> 17, x ^= x << 5;
		room[i] = (limb)(0x9E3779B97F4A7C15ull * x >> (64 - 8 * sizeof(limb)));
	}
}

__attribute__((used)) void start(const long *stack)
{
	const char *const *argv = (const char *const *)(stack + 1);
	if (stack[0] == 3) {
		count n = number(argv[1]);
		fill();
		call(LARGEST, UNNORMALISED); /* from here on the operands are in L1 whatever their size */
		for (count r = number(argv[2]); r; r--)
			call(n, UNNORMALISED);
	}
#ifdef __aarch64__
	ask(93, stack[0] != 3, 0, 0);
#else
	ask(1, stack[0] != 3, 0, 0);
#endif
}

#ifdef __aarch64__
__asm__(".globl _start\n_start: mov x0, sp\n bl start\n");
#else
__asm__(".globl _start\n_start: mov r0, sp\n bl start\n");
#endif
