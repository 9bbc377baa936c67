// SPDX-License-Identifier: MIT
// Functions in a namespace, in one without a name, in a class and in a class within that, each with a function inlined into it.
volatile int sink;
namespace apples {
static inline int leaf(int x)
{
	sink = x;
	return x * 3;
}
int count(int x)
{
	return leaf(x) + sink;
}
struct Basket {
	int pears;
	__attribute__((noinline)) int weigh(int x)
	{
		return leaf(x) + pears;
	}
	struct Lid {
		__attribute__((noinline)) int lift(int x)
		{
			return leaf(x + 1);
		}
	} lid;
};
namespace {
__attribute__((noinline)) int hidden(int x)
{
	return leaf(x) * 5;
}
}
}
int main(int n, char **)
{
	apples::Basket b{n, {}};
	return apples::count(n) + b.weigh(n) + b.lid.lift(n) + apples::hidden(n);
}
