#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tests in C once more, with address and undefined-behaviour sanitizers. What these look for is on the way, not in the result:
# an eighth of the random lives (APMU_STEPS), two rows of unit/uarch_effect, and no unit/uarch_runaway, whose million steps are alike; with
# APMU_TEST_ALL all of them.
set -euo pipefail
left_out=()
[ -n "${APMU_TEST_ALL:-}" ] || { export APMU_STEPS=125000 APMU_ROW="cortex-a53 cortex-a72"; left_out=(-E '^unit/uarch_runaway$'); }
cmake -S "$SRC" -B "$BUILD/asan" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DAPMU_SANITIZE=ON -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld >"$BUILD/asan.log"
cmake --build "$BUILD/asan" -j 2 --target tests-unit tests-spec tests-conformance tests-property test-machine-wild
ctest --test-dir "$BUILD/asan" --output-on-failure --no-tests=error -j 2 -L '^(unit|spec|conformance|property)$' -LE slow "${left_out[@]}"
# libunicorn, which is not instrumented, loses memory of its own when guests write over their code.
LSAN_OPTIONS=suppressions="$SRC/tests/builds/leaks.txt" ctest --test-dir "$BUILD/asan" --output-on-failure --no-tests=error \
	-R '^machine/wild$'
