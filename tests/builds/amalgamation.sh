#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The model as two files: they compile with a compiler alone, C++ takes the header, and the manuals' vectors hold.
set -euo pipefail
: "${SRC:?}" "${BUILD:?}"
out=$BUILD/amalgamation
rm -rf "$out"
"$SRC/tools/amalgamate" "$out"
strict=(-Wall -Wextra -Wpedantic -Wshadow -Werror)
for cc in gcc clang; do
	$cc -std=c11 -ffreestanding -Wconversion "${strict[@]}" -O1 -c "$out/apmu.c" -o "$out/apmu.o"
done
gcc -std=c11 -ffreestanding -Wconversion "${strict[@]}" -O1 -DAPMU_NO_TEXT -c "$out/apmu.c" -o "$out/small.o"
g++ -std=c++17 "${strict[@]}" -fsyntax-only "$out/apmu.h"

# The tests say <apmu/model.h>: here that is apmu.h.
mkdir "$out/apmu"
for header in "$SRC"/include/apmu/*.h; do
	echo '#include "../apmu.h"' >"$out/apmu/${header##*/}"
done
gcc -std=c11 -O1 -I"$out" -I"$SRC/tests" -I"$SRC/tests/conformance" "$SRC"/tests/conformance/*.c "$out/apmu.o" -lcmocka \
	-o "$out/vectors"
SRC=$SRC "$out/vectors" >"$out/log" 2>&1 || { tail -n 20 "$out/log"; exit 1; }
grep -E 'PASSED' "$out/log"
