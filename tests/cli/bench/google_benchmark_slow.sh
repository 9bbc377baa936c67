#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Debian's google-benchmark for arm64 under `apmu bench`: a row for each benchmark, with the same instructions in each run.
# google-benchmark reads and prints the machine's load; --fixed cannot fix that and says so. Only instructions are compared, because
# predictors depend on it.
. "$(dirname "$0")/../lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --benchmark || exit 1
root=$BUILD/guests/benchmark
mkdir include && cp -r /usr/include/valgrind "$root/usr/include/benchmark" include || fail "no headers"
aarch64-linux-gnu-g++ -O2 -Iinclude -o sort "$SRC/examples/google-benchmark/sort.cc" -L"$root/usr/lib/aarch64-linux-gnu" -lbenchmark \
	-Wl,--allow-shlib-undefined || fail "cannot build sort.cc"
for run in 1 2 3; do
	apmu bench --fixed -L "$root" -c cortex-a53,neoverse-n1 -e instructions,cycles,branch-misses -j -o "rows.$run" -- ./sort --benchmark_min_time=0.01
	exits 0
	says "--fixed: the program used values that cannot be fixed: times() and the state of the machine"
	jq -c '[.rows[].counts.instructions]' "rows.$run" >"counts.$run"
	cmp -s counts.1 "counts.$run" || fail "run $run differs: $(cat counts.1 "counts.$run")"
done
[ "$(jq -r '[.rows[] | select(.core == "cortex-a53") | .benchmark] | join(", ")' rows.1)" = "sort/100 x16, sort/1000 x16, nothing x16" ] ||
	fail "rows: $(jq -c '[.rows[].benchmark]' rows.1)"
# ten times the numbers take ten times log(1000)/log(100) the instructions, about
jq -e '[.rows[].counts.instructions] | .[1] / .[0] > 10 and .[1] / .[0] < 20 and .[2] < 5000' rows.1 >/dev/null || fail "counts: $(cat rows.1)"
verdict
