#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Everything compiles with clang without a warning. Not optimised, and without debug information: clang's warnings are the same.
set -euo pipefail
cmake -S "$SRC" -B "$BUILD/clang" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER=clang \
	-DAPMU_WERROR=ON >"$BUILD/clang.log"
cmake --build "$BUILD/clang" -j 2
