/* SPDX-License-Identifier: MIT */
/*
 * A program of Dhrystone's class, by what that does and not by its text: records, strings and calls.
 */
#include "kernel.h"

/*
 * Of Dhrystone's class: a round makes about as many operations of each kind as R. Weicker counts for version
 * 2 (SIGPLAN Notices 23, 8): 52 assignments, 33 control statements and 17 calls that are not inlined, of
 * integers, characters, records of 48 bytes, elements of arrays of one and two dimensions and two texts of 30
 * characters that first differ in the 20th, one of them copied and both compared once. Published figures are
 * made with texts of known length copied as memory and compared a word at a time.
 */
#define APART __attribute__((noinline))

struct text {
	word w[32 / sizeof(word)];
};
struct record {
	struct record *next;
	int kind, choice, value;
	struct text name;
};
enum { FIRST, SECOND, THIRD, FOURTH };

static struct record pool[2], *head = &pool[0];
static struct text names[2], texts[2];
static int total, flag, line[50], grid[50][50];
static char mark, other;

#define ONES ((word)-1 / 255)
static word ends(word w)
{
	return (w - ONES) & ~w & ONES << 7;
}

/* The sign of the first difference, by its bits. */
static APART int compare(const struct text *a, const struct text *b)
{
	const word *p = a->w, *q = b->w;
	word end = 0;
	for (; *p == *q; p++, q++)
		if (ends(*p))
			return 0;
	end = (*p ^ *q) | ends(*p);
	unsigned shift = (unsigned)__builtin_ctzl(end) & ~7u;
	return (int)(*p >> shift & 255) - (int)(*q >> shift & 255);
}

static APART int alike(char a, char b)
{
	char first = a, second = first;
	if (second != b)
		return FIRST;
	mark = first;
	return SECOND;
}

static APART int in_order(const struct text *a, const struct text *b)
{
	const char *c = (const char *)a, *d = (const char *)b;
	int at = 2;
	char seen = 0;
	while (at <= 2)
		if (alike(c[at], d[at + 1]) == FIRST) {
			seen = 'A';
			at += 1;
		}
	if (seen >= 'W' && seen < 'Z')
		at = 7;
	if (seen == 'R')
		return 1;
	if (compare(a, b) > 0) {
		total = at + 7;
		return 1;
	}
	return 0;
}

static APART void join(int a, int b, int *sum)
{
	int more = a + 2;
	*sum = b + more;
}

static APART int is_third(int kind)
{
	int local = kind;
	return local == THIRD;
}

static APART void translate(int kind, int *to)
{
	*to = kind;
	if (!is_third(kind))
		*to = FOURTH;
	switch (kind) {
	case FIRST: *to = FIRST; break;
	case SECOND: *to = total > 100 ? FIRST : FOURTH; break;
	case THIRD: *to = SECOND; break;
	default: *to = THIRD;
	}
}

static APART void follow(struct record **to)
{
	if (head)
		*to = head->next;
	join(10, total, &head->value);
}

static APART void revise(struct record *r)
{
	struct record *next = r->next;
	*next = *r;
	r->value = 5;
	next->value = r->value;
	next->next = r->next;
	follow(&next->next);
	if (next->kind == FIRST) {
		next->value = 6;
		translate(r->choice, &next->choice);
		next->next = head->next;
		join(next->value, 10, &next->value);
	} else {
		*r = *next;
	}
}

static APART void adjust(int *value)
{
	int local = *value + 10, turn;
	do {
		turn = SECOND;
		if (mark == 'A') {
			local -= 1;
			*value = local - total;
			turn = FIRST;
		}
	} while (turn != FIRST);
}

static APART void note(void)
{
	int is = mark == 'A';
	flag = is | flag;
	other = 'B';
}

static APART void reset(void)
{
	mark = 'A';
	flag = 0;
}

static APART void fill(int *n, int m[50][50], int a, int b)
{
	int at = a + 5;
	n[at] = b;
	n[at + 1] = n[at];
	n[at + 30] = at;
	for (int k = at; k <= at + 1; k++)
		m[at][k] = at;
	m[at][at - 1] += 1;
	m[at + 20][at] = n[at];
	total = 5;
}

#ifdef __arm__
/* What the compiler's division calls for a divisor of 0, which there is none of. */
int __aeabi_idiv0(int);
int __aeabi_idiv0(int n)
{
	return n;
}
#endif

static void set_up(void)
{
	const char *const first = "some text of thirty, 1 or other",
			  *const second = "some text of thirty, 2 or other";
	for (unsigned i = 0; i < 30; i++) {
		((char *)&names[0])[i] = first[i + 1];
		((char *)&names[1])[i] = second[i + 1];
	}
	pool[0] = (struct record){&pool[1], FIRST, THIRD, 40, names[0]};
	texts[0] = names[0];
}

static word records(word size, word rounds)
{
	int a, b, c, kind;
	(void)size;
	set_up();
	for (word i = 1; i <= rounds; i++) {
		reset();
		note();
		a = 2;
		b = 3;
		texts[1] = names[1];
		kind = SECOND;
		flag = !in_order(&texts[0], &texts[1]);
		while (a < b) {
			c = 5 * a - b;
			join(a, b, &c);
			a += 1;
		}
		fill(line, grid, a, c);
		revise(head);
		for (char at = 'A'; at <= other; at++)
			if (kind == alike(at, 'C')) {
				translate(FIRST, &kind);
				texts[1] = names[0];
				b = (int)i;
				total = (int)i;
			}
		b = b * a;
		a = b / c;
		b = 7 * (b - c) - a;
		adjust(&a);
		__asm__ volatile("" : : "r"(a), "r"(b), "r"(kind));
	}
	return 1;
}

const struct kernel_row program_kernels[] = {{"records", records}, {"mixture", mixture}, {0, 0}};
