/* SPDX-License-Identifier: MIT */
/* Three functions that -O2 makes one: leaf into middle into outer. */
volatile int sink;

static inline __attribute__((always_inline)) int leaf(int x)
{
	sink = x;
	return x * 3 + sink;
}

static inline __attribute__((always_inline)) int middle(int x)
{
	return leaf(x + 1) ^ leaf(x + 7);
}

__attribute__((noinline)) int outer(int x)
{
	return middle(x) + sink;
}

static __attribute__((noinline)) int twice(int x)
{
	return outer(x) + outer(x + 1);
}

int main(int argc, char **argv)
{
	(void)argv;
	return twice(argc) & 1;
}
