/* SPDX-License-Identifier: MIT */
/*
 * Two programs of the classes of Dhrystone and CoreMark, by what those do and not by their text: records,
 * strings and calls; lists, a matrix, a state machine and a checksum. A round is one instruction in the
 * answer: what compares is cycles an instruction.
 */
#include "kernel.h"

struct record {
	struct record *next;
	int kind, value;
	char name[32];
};

static struct record pool[2];
static int numbers[64];
static union text {
	char c[32];
	word w[32 / sizeof(word)];
} text_a, text_b, first = {"a text of thirty bytes or so."}, second = {"a text of thirty bytes, say."};

/* A word at a time, as the libraries do with which figures of Dhrystone are published. */
#define ONES ((word)-1 / 255)
static int ends(word w)
{
	return ((w - ONES) & ~w & ONES << 7) != 0;
}

static __attribute__((noinline)) void copy_text(word *to, const word *from)
{
	word w;
	do
		*to++ = w = *from++;
	while (!ends(w));
}

static __attribute__((noinline)) int compare_text(const word *a, const word *b)
{
	while (*a == *b && !ends(*a))
		a++, b++;
	const char *c = (const char *)a, *d = (const char *)b;
	while (*c && *c == *d)
		c++, d++;
	return *c - *d;
}

static __attribute__((noinline)) int choose(int kind, int value)
{
	switch (kind) {
	case 0: return value > 100 ? 0 : 3;
	case 1: return 1;
	case 2: return value & 1 ? 2 : 4;
	default: return kind;
	}
}

static __attribute__((noinline)) void step(struct record *r, int value)
{
	struct record *next = r->next;
	*next = *r;
	next->value = value;
	next->next = r->next;
	next->kind = choose(r->kind, value);
	r->kind = next->kind == 3 ? 0 : 2;
}

static __attribute__((noinline)) int shuffle(int *n, int at, int value)
{
	int i = at + 5;
	n[i] = value;
	n[i + 1] = n[i];
	n[i + 30] = i;
	for (int k = i; k <= i + 1; k++)
		n[k + 8] = i;
	return n[i + 8] * 5 / 3;
}

static word records(word size, word rounds)
{
	int x = 1;
	pool[0].next = &pool[1];
	copy_text(text_a.w, first.w);
	(void)size;
	for (word i = 0; i < rounds; i++) {
		copy_text(text_b.w, second.w);
		if (compare_text(text_a.w, text_b.w) > 0)
			x = shuffle(numbers, x & 15, x + 7);
		for (int k = 0; k < 3; k++)
			x = choose(k, x) + x * k;
		step(&pool[0], x);
	}
	return 1;
}

static struct node {
	struct node *next;
	short key, value;
} nodes[64];
static short left[12][12], right[12][12];
static int product[12][12];

static __attribute__((noinline)) struct node *reverse(struct node *at)
{
	struct node *before = 0;
	while (at) {
		struct node *next = at->next;
		at->next = before;
		before = at;
		at = next;
	}
	return before;
}

static __attribute__((noinline)) struct node *find(struct node *at, short key)
{
	while (at && at->key != key)
		at = at->next;
	return at;
}

static __attribute__((noinline)) void multiply(void)
{
	for (int i = 0; i < 12; i++)
		for (int k = 0; k < 12; k++) {
			int sum = 0;
			for (int j = 0; j < 12; j++)
				sum += left[i][j] * right[j][k];
			product[i][k] = sum;
		}
}

static __attribute__((noinline)) unsigned checksum(unsigned char byte, unsigned sum)
{
	for (int i = 0; i < 8; i++) {
		unsigned bit = (byte ^ sum) & 1;
		byte >>= 1;
		sum >>= 1;
		sum = bit ? sum ^ 0xA001 : sum;
	}
	return sum;
}

static __attribute__((noinline)) int scan(const char *p)
{
	int state = 0, seen = 0;
	for (; *p; p++) {
		if (*p >= '0' && *p <= '9')
			state = state == 0 ? 1 : state;
		else if (*p == '.')
			state = state == 1 ? 2 : 4;
		else if (*p == 'e' || *p == '+' || *p == '-')
			state = state == 2 ? 3 : 4;
		else
			seen += state, state = 0;
	}
	return seen;
}

static word mixture(word size, word rounds)
{
	unsigned sum = 0;
	struct node *list = nodes;
	(void)size;
	for (int i = 0; i < 64; i++)
		nodes[i] = (struct node){i < 63 ? &nodes[i + 1] : 0, (short)(i * 37 & 63), (short)i};
	for (int i = 0; i < 144; i++)
		left[i / 12][i % 12] = (short)i, right[i / 12][i % 12] = (short)(i * 3);
	for (word i = 0; i < rounds; i++) {
		list = reverse(list);
		for (short key = 0; key < 8; key++)
			sum = checksum((unsigned char)find(list, key)->value, sum);
		multiply();
		sum = checksum((unsigned char)product[i % 12][3], sum);
		sum = checksum((unsigned char)scan("12,3.5e+7,x,99,-1.5,0.25e-3,T0.3e-1F,+7,5012,-874,"),
			       sum);
		left[i % 12][0] = (short)sum;
	}
	return 1;
}

const struct kernel_row program_kernels[] = {{"records", records}, {"mixture", mixture}, {0, 0}};
