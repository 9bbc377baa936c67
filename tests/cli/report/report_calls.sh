#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# report --calls: the number of calls between each two functions, for a program whose calls are known: fib(15) makes 2 F(16) - 1 = 1973 calls
# of fib, all but the first by itself; 100 calls of a function that ends in a jump to another.
. "$(dirname "$0")/../lib.sh"
cat >fib.c <<'END'
#define APART __attribute__((noinline, noclone))
APART static long leaf(long x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
APART static long tail(long x) { __asm__ volatile("" : "+r"(x)); return leaf(x + 2); }
APART __attribute__((optimize("O1"))) static long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void)
{
	long (*volatile by_pointer)(long) = tail;
	long sum = fib(15);

	for (int i = 0; i < 100; i++)
		sum += by_pointer(i);
	return sum == 0;
}
END
flat() { sed -n 's/  */ /g; s/^ //; /^[0-9]/p' out; }
for arch in "aarch64-linux-gnu cortex-a53" "arm-linux-gnueabi cortex-a7"; do
	read -r compiler core <<<"$arch"
	$compiler-gcc -O2 -marm -static fib.c -o fib 2>/dev/null || $compiler-gcc -O2 -static fib.c -o fib || exit 1
	apmu record -q -b --core "$core" -- ./fib
	exits 0
	apmu report --calls --function fib
	[ "$(flat | awk '{ print $1, $3, $4, $5 }' | tr '\n' ';')" = "1,972 0 fib fib;1 0 main fib;" ] || fail "$said on $core: $out"
	apmu report --calls --function tail
	[ "$(flat | awk '{ print $1, $3, $4, $5 }' | sort | tr '\n' ';')" = "100 0 main tail;100 100 tail leaf;" ] || fail "$said on $core: $out"
	apmu report --calls -S 'none*,leaf'
	[ "$(flat | awk '{ print $1, $3, $4, $5 }')" = "100 100 tail leaf" ] || fail "$said on $core: $out"
	apmu report --calls -n 1
	[ "$(flat | wc -l)" = 1 ] && prints "# exact: " || fail "$said: $out"
done
# In the tree of calls, and turned round: main called fib once, fib itself 1972 times; a program without branches has no such column.
apmu record -q -b -g --core cortex-a7 -- ./fib
apmu report -g --percent-limit 0
exits 0
grep -qE '^ *[0-9.]+% +[0-9.]+% +[0-9,]+ +1  +fib$' out || fail "$said: main's call of fib: $out"
grep -qE '^ *[0-9.]+% +[0-9.]+% +[0-9,]+ +1,972  +fib$' out || fail "$said: fib's calls of fib: $out"
apmu report -G --percent-limit 0
grep -qE '^ *[0-9.]+% +[0-9.]+% +[0-9,]+ +1,972  +fib$' out && grep -qE ' +1  +main$' out || fail "$said: $out"
apmu report --calls --function 'no*such'
prints "no call was counted here"
apmu record -q --core cortex-a7 -o flat.data -- ./fib
apmu report -i flat.data --calls
exits 1
says "flat.data was recorded without branches: 'apmu record -b' counts every call"
apmu report --calls --sort line
exits 2
says "--calls is a table of its own: it takes --function and -n alone"
verdict
