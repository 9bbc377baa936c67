/* SPDX-License-Identifier: MIT */
/*
 * google-benchmark under `apmu bench`, which prints a row for each benchmark.
 *
 * Include this file and write APMU_BENCHMARK_MAIN() instead of BENCHMARK_MAIN(). With a registered memory
 * manager the library runs each benchmark once more between Start() and Stop(), for 16 iterations, or as many
 * as the benchmark has if those are fewer. Callgrind's requests mark that run, and the reporter names it when
 * it is done. Without apmu the requests do nothing. Needs valgrind/callgrind.h.
 */
#pragma once
#include <algorithm>
#include <benchmark/benchmark.h>
#include <string>
#include <valgrind/callgrind.h>

namespace apmu
{
class Marks : public benchmark::MemoryManager
{
      public:
	void Start() override
	{
		CALLGRIND_START_INSTRUMENTATION;
	}
	void Stop(Result *) override
	{
		CALLGRIND_STOP_INSTRUMENTATION;
	}
	void Stop(Result &) override
	{
		CALLGRIND_STOP_INSTRUMENTATION;
	}
};

class Reporter : public benchmark::ConsoleReporter
{
      public:
	void ReportRuns(const std::vector<Run> &runs) override
	{
		const long long times = runs.empty() ? 0 : std::min<long long>(16, runs[0].iterations);
		const std::string name =
			runs.empty() ? "" : runs[0].benchmark_name() + " x" + std::to_string(times);
		CALLGRIND_DUMP_STATS_AT(name.c_str());
		ConsoleReporter::ReportRuns(runs);
	}
};

inline int run(int argc, char **argv)
{
	Marks marks;
	Reporter reporter;
	benchmark::Initialize(&argc, argv);
	if (benchmark::ReportUnrecognizedArguments(argc, argv))
		return 1;
	benchmark::RegisterMemoryManager(&marks);
	benchmark::RunSpecifiedBenchmarks(&reporter);
	benchmark::RegisterMemoryManager(nullptr);
	benchmark::Shutdown();
	return 0;
}
} // namespace apmu

#define APMU_BENCHMARK_MAIN()                 \
	int main(int argc, char **argv)       \
	{                                     \
		return apmu::run(argc, argv); \
	}                                     \
	int main(int, char **)
