#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tests in C once more, with address and undefined-behaviour sanitizers.
set -euo pipefail
cmake -S "$SRC" -B "$BUILD/asan" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DAPMU_SANITIZE=ON >"$BUILD/asan.log"
cmake --build "$BUILD/asan" -j 2
ctest --test-dir "$BUILD/asan" --output-on-failure --no-tests=error -j 2 -L '^(unit|spec|conformance|property)$' -LE slow
# libunicorn, which is not instrumented, loses memory of its own when guests write over their code.
LSAN_OPTIONS=suppressions="$SRC/tests/builds/leaks.txt" ctest --test-dir "$BUILD/asan" --output-on-failure --no-tests=error \
	-R '^machine/wild$'
