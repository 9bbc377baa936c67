#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The public libraries and their headers are C and C++ that clang takes for macOS on Arm64, as far as that shows without Apple's
# headers: types, macros and conditions are Apple's, the C library's declarations are newlib's (POSIX, with threads), which also shows what
# of ours has a name of POSIX.
. "$(dirname "$0")/lib.sh"
scratch
shopt -s nullglob

common=(--target=arm64-apple-macos11 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$SRC"/include -I"$SRC"/src)
hosted=(-nostdlibinc -isystem /usr/include/newlib -D_POSIX_THREADS=1)
[ -e /usr/include/newlib/pthread.h ] || fail "newlib's headers are missing: tools/setup --test"

# takes LEAST FLAG... -- FILE...: at least so many files, each without a warning
takes()
{
	local least=$1 flags=()
	shift
	while [ "$1" != -- ]; do flags+=("$1"); shift; done
	shift
	[ $# -ge "$least" ] || fail "only $# files"
	clang -std=c11 "${common[@]}" "${flags[@]}" "$@" >"$work/log" 2>&1 || fail "$(grep -m 5 error "$work/log")"
}

takes 60 -ffreestanding -- "$SRC"/src/{base,spec,spec/gen,model,driver}/*.c
takes 40 "${hosted[@]}" -- "$SRC"/src/uarch/*.c "$SRC"/src/uarch/{gen,fast}/*.c
for header in "$SRC"/include/apmu/*.h; do
	clang++ -x c++ -std=c++17 "${common[@]}" -Wno-unused-function -nostdinc++ "${hosted[@]}" "$header" >"$work/log" 2>&1 ||
		fail "$header: $(grep -m 1 error "$work/log")"
done
verdict
