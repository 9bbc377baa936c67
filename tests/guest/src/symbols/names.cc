// SPDX-License-Identifier: MIT
// Names that C++ mangles.
namespace apples {
template <typename T> struct Basket {
	T total = 0;
	__attribute__((noinline)) T add(T n) { return total += n; }
	__attribute__((noinline)) T operator()(int a, const char *b) const { return total + a + *b; }
};
__attribute__((noinline)) int count(int a) { return a + 1; }
__attribute__((noinline)) int count(double a) { return int(a) * 2; }
}

int main(int argc, char **argv)
{
	apples::Basket<long> basket;
	basket.add(argc);
	return int(basket(1, argv[0])) + apples::count(argc) + apples::count(1.5 * argc);
}
