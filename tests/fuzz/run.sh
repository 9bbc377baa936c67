#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the libFuzzer targets (run.sh build), or runs one for some seconds (run.sh access 7; 25 with APMU_TEST_ALL). Inputs that reach
# something new are kept in $BUILD/fuzz/corpus, so each run starts where the last one ended; a finding is left in
# $BUILD/fuzz/found. Inputs that once failed stand in tests/fuzz/found and are run first. The seed is fixed, so that a
# change is judged by itself and not by the day's luck; APMU_FUZZ_SEED=0 draws one.
#
# tests/fuzz/corpus/TARGET.b64 has an input a line: those that every run begins with. `run.sh keep TARGET` makes it anew:
# the fewest inputs of $BUILD/fuzz/corpus, of up to 4 KiB, that reach what all of them reach.
set -euo pipefail
: "${SRC:?}" "${BUILD:?}"
fuzz=$BUILD/fuzz

# Unicorn loses a few bytes for each page of code that is written to.
[[ " ${1:-} ${2:-} " != *\ machine\ * && " ${1:-} ${2:-} " != *\ load\ * ]] || export ASAN_OPTIONS=detect_leaks=0

case ${1:?usage: run.sh build, run.sh TARGET SECONDS, or run.sh keep TARGET} in
build)
	cmake -S "$SRC" -B "$fuzz" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \
		-DAPMU_SANITIZE=ON -DAPMU_FUZZ=ON >"$BUILD/fuzz.log"
	cmake --build "$fuzz" -j 2 --target fuzz
	;;
keep)
	target=${2:?target}
	rm -rf "$fuzz/kept"
	mkdir -p "$fuzz/kept" "$SRC/tests/fuzz/corpus"
	"$fuzz/tests/fuzz-$target" -use_counters=0 -set_cover_merge=1 -max_len=4096 -timeout=100 -rss_limit_mb=3000 \
		"$fuzz/kept" "$fuzz/corpus/$target" 2>"$fuzz/$target.log"
	for input in "$fuzz/kept"/*; do
		base64 -w 0 "$input"
		echo
	done | sort >"$SRC/tests/fuzz/corpus/$target.b64"
	wc -lc "$SRC/tests/fuzz/corpus/$target.b64"
	;;
*)
	target=$1 seconds=${2:?seconds}
	[ -z "${APMU_TEST_ALL:-}" ] || seconds=25
	mkdir -p "$fuzz/corpus/$target" "$fuzz/found"
	n=0
	while IFS= read -r line; do
		n=$((n + 1))
		base64 -d <<<"$line" >"$fuzz/corpus/$target/kept-$n"
	done <"$SRC/tests/fuzz/corpus/$target.b64"
	# Lines of <target>.txt are first inputs, their words cut by zero bytes.
	if [ -e "$SRC/tests/fuzz/$target.txt" ]; then
		n=0
		while IFS= read -r line; do
			n=$((n + 1))
			tr ' ' '\0' <<<"$line" | tr -d '\n' >"$fuzz/corpus/$target/line-$n"
		done <"$SRC/tests/fuzz/$target.txt"
	fi
	# <target>.sh makes larger ones.
	length=1024
	if [ -e "$SRC/tests/fuzz/$target.sh" ]; then
		length=65536
		bash "$SRC/tests/fuzz/$target.sh" "$fuzz/corpus/$target"
	fi
	# The sanitizer clears its shadow of a gigabyte whenever an engine goes: some tens of milliseconds an input.
	# tests/machine/test_wander.c makes many. An odd machine lives five times; tests/unit/test_uarch_odd.c makes many.
	least=$((40 * seconds))
	[[ $target != machine && $target != load && $target != uarch ]] || least=$((2 * seconds))
	cd "$fuzz"
	rm -rf "files-of-$target"
	again=("$SRC/tests/fuzz/found/$target"-*)
	[ ! -e "${again[0]}" ] || ./tests/fuzz-"$target" "${again[@]}" 2>"$target.log" || {
		tail -n 60 "$target.log"
		exit 1
	}
	./tests/fuzz-"$target" -seed="${APMU_FUZZ_SEED:-1}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=$length \
		-print_final_stats=1 -artifact_prefix="found/$target-" "corpus/$target" 2>"$target.log" || {
		tail -n 60 "$target.log"
		exit 1
	}
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log")
	echo "$target: $runs inputs, $(find "corpus/$target" -type f | wc -l) kept"
	[ "${runs:-0}" -gt $least ] || { echo "too few inputs to mean anything"; exit 1; }
	;;
esac
