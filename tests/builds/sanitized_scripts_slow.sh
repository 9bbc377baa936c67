#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The scripts of cli, guest and firmware once more, with command, plugin and the tests' own programs under the address and
# undefined-behaviour sanitizers. QEMU itself is not built so: the runtime is loaded before it, of which the program sees nothing.
#   APMU_SANITIZED_TESTS   which tests (a CTest expression); default: all of those that are not slow
set -euo pipefail
: "${SRC:?}" "${BUILD:?}"
out=$BUILD/asan
cmake -S "$SRC" -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DAPMU_SANITIZE=ON -DAPMU_TEST_TIMEOUT=3600 >"$out.log"
cmake --build "$out" -j 2 --target apmu-command apmu-tcg guest-programs examples/firmware/all >"$out.log" 2>&1 ||
	{ tail -n 30 "$out.log"; exit 1; }
ln -sfn "$BUILD/guests" "$out/guests"

# QEMUs that load the runtime first. The program's faults are for QEMU to handle, and what QEMU leaks is its own.
wrapped=$out/wrapped
mkdir -p "$wrapped"
runtime=$(realpath "$(gcc -print-file-name=libasan.so)")
options=detect_leaks=0:quarantine_size_mb=8:handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:use_sigaltstack=0:detect_odr_violation=0
for name in qemu-arm qemu-aarch64 qemu-system-arm qemu-system-aarch64; do
	from=${APMU_QEMU:-}/$name
	[ -x "$from" ] || from=$(command -v "$name")
	unset=(-U LD_PRELOAD -U ASAN_OPTIONS -U LSAN_OPTIONS -U UBSAN_OPTIONS)
	[[ $name != *system* ]] || unset=()
	printf '#!/bin/sh\nLD_PRELOAD=%s ASAN_OPTIONS=%s exec %s %s "$@"\n' "$runtime" "$options" "$from" "${unset[*]}" >"$wrapped/$name"
	chmod +x "$wrapped/$name"
done

# A script may expect the failure of a command, and most keep what it says to themselves: reports go to files.
rm -f "$out"/report.*
export ASAN_OPTIONS=log_path=$out/report LSAN_OPTIONS=suppressions=$SRC/tests/builds/leaks.txt:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1:log_path=$out/report
sed -i "s|ASAN_OPTIONS=|&log_path=$out/report:|" "$wrapped"/qemu-*
export APMU_QEMU=$wrapped PATH=$wrapped:$PATH
# Left out: what links the libraries into programs that are not built so; a bound of memory; what is about the documents or another build's
# pages; and what compares two runs to the last digit: the sanitizer's memory lies where QEMU would put the program, which is elsewhere in each run.
linked='firmware/(document|examples)|cli/units_cost|guest/laws'
pages='cli/(documents|manual|printed)'
places='cli/topdown_by|guest/(foreign|record_(machines|same|stack|time))'
ctest --test-dir "$out" -j 2 --no-tests=error --output-on-failure -LE slow -E "^($linked|$pages|$places|guest/rewrite|guest/footprint)\$" \
	-R "${APMU_SANITIZED_TESTS:-^(cli|guest|firmware)/}" >"$out.log" 2>&1 || true
grep -E 'tests passed|Failed|Timeout|Not Run' "$out.log" || { tail -n 20 "$out.log"; exit 1; }
# What is no error is a warning that libunicorn changes stacks.
! grep -hE -A 12 'ERROR: |runtime error: ' "$out"/report.* 2>/dev/null || { echo "FAIL: reports in $out"; exit 1; }
grep -q '^100% tests passed' "$out.log"
