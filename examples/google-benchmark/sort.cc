/* SPDX-License-Identifier: MIT */
/* Three benchmarks of google-benchmark; `apmu bench` prints a row for each. */
#include "apmu_main.h"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <vector>
static void sort(benchmark::State &state)
{
	for (auto _ : state) {
		std::vector<unsigned> v(state.range(0));
		unsigned x = 1;
		for (auto &e : v)
			e = x = x * 1103515245 + 12345;
		std::sort(v.begin(), v.end());
		benchmark::DoNotOptimize(v.data());
	}
}
BENCHMARK(sort)->Arg(100)->Arg(1000);
static void nothing(benchmark::State &state)
{
	for (auto _ : state)
		benchmark::ClobberMemory();
}
BENCHMARK(nothing);
APMU_BENCHMARK_MAIN();
