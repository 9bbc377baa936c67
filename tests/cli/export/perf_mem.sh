#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `perf mem report` and `perf c2c report` open what `record -d` and `export perf` write: loads and stores told apart,
# addresses, levels, latencies, each thread on a core of its own.
. "$(dirname "$0")/../lib.sh"
cat >two.c <<'END'
#include <pthread.h>
int field[1 << 18];
volatile int sink;
__attribute__((noinline)) void writes(void) { for (int i = 0; i < 1 << 18; i += 16) field[i] = i; }
__attribute__((noinline)) int reads(void) { int s = 0; for (int i = 0; i < 1 << 18; i += 16) s += field[i]; return s; }
static void *other(void *x) { sink = reads(); return x; }
int main(void)
{
	pthread_t t;
	writes();
	sink = reads();
	pthread_create(&t, 0, other, 0);
	return pthread_join(t, 0);
}
END
aarch64-linux-gnu-gcc -O1 -g -static -o two two.c -lpthread || fail "cannot build two.c"
apmu record --core neoverse-n1 -q -d -e MEM_ACCESS -c 97 -o data -- ./two
exits 0
apmu export perf -i data -o perf.data
exits 0
perf mem report -i perf.data --stdio >report 2>err || fail "perf mem report: $(cat err)"
grep -q '\[\.\] reads' report && grep -q '\[\.\] writes' report && grep -q 'L1 or L1 hit' report || fail "perf mem report: $(head -n 20 report)"
perf script -i perf.data -F cpu,data_src,addr,weight,ip,sym 2>err >script || fail "perf script: $(cat err)"
grep -q 'OP STORE.* writes' script && grep -q 'OP LOAD.* reads' script || fail "perf script: $(head -n 5 script)"
! grep -q 'OP LOAD.* writes' script || fail "a store is a load: $(grep -m 1 'OP LOAD.* writes' script)"
[ "$(grep -oE '^ *\[[0-9]+\]' script | sort -u | tr -d ' \n')" = '[000][001]' ] || fail "cores: $(grep -oE '^ *\[[0-9]+\]' script | sort | uniq -c)"
perf c2c report -i perf.data --stdio >report 2>err || fail "perf c2c report: $(cat err)"
loads=$(sed -n 's/^ *Load Operations *: *//p' report) stores=$(sed -n 's/^ *Store Operations *: *//p' report)
[ "$loads" = "$(grep -c 'OP LOAD' script)" ] && [ "$stores" = "$(grep -c 'OP STORE' script)" ] && [ "$stores" -gt 100 ] ||
	fail "perf c2c report: $loads loads, $stores stores: $(sed -n 1,20p report)"
verdict
