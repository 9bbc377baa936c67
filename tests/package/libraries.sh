#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The libraries without the rest. Inside another project, by add_subdirectory (as shared libraries, without src/uarch/fast) and by FetchContent out of a
# tarball, in a unity build on a build machine; alone (APMU_TOOLS=OFF) with nothing but a C compiler to be found, installed as both kinds, and used
# by find_package. Each time a C and a C++17 program are linked and run. Each public header is C++17 by itself. For bare metal,
# as docs/driver.md has it, the driver's constant data need no RAM. A build of everything on a system that has nothing names all packages.
set -euo pipefail
: "${SRC:?}" "${BUILD:?}"
out=$BUILD/libraries
rm -rf "$out"
mkdir -p "$out"
common=(-G Ninja -DCMAKE_BUILD_TYPE=None)

quiet() { "$@" >"$out/log" 2>&1 || { tail -n 30 "$out/log"; echo "FAIL: $*"; exit 1; }; }
programs() { # programs FOLDER: what each must print
	[ "$("$1/consumer")" = "arm1176jzf-s fits" ] || { echo "$1/consumer: $("$1/consumer")"; exit 1; }
	[ "$("$1/driver")" = "APMU_OK: no error: 42" ] || { echo "$1/driver: $("$1/driver")"; exit 1; }
	[ "$("$1/plus")" = "cortex-a53: 42" ] || { echo "$1/plus: $("$1/plus")"; exit 1; }
}

quiet cmake -S "$SRC/tests/package/parent" -B "$out/sub" "${common[@]}" -DAPMU_SOURCE="$SRC" -DAPMU_SHARED=ON -DAPMU_UARCH_FAST=OFF \
	-DSUFFIX=-shared
quiet cmake --build "$out/sub" -j 2 --target consumer driver plus
programs "$out/sub"
for library in libapmu libapmu-uarch libapmu-driver; do
	names=$(nm -D --defined-only "$out/sub/apmu/$library.so" | awk '{ print $3 }')
	[ "$(wc -l <<<"$names")" -gt 5 ] || { echo "$library.so shows nothing"; exit 1; }
	! grep -E '^apmu_[a-z]+__' <<<"$names" || { echo "$library.so shows internal names"; exit 1; }
	! grep -vE '^apmu_[a-z]' <<<"$names" || { echo "$library.so shows names that are not public"; exit 1; }
done
readelf -d "$out/sub/apmu/libapmu.so" | grep -qE 'SONAME.*libapmu\.so\.[0-9]+\.[0-9]+\]'

for header in "$SRC"/include/apmu/*.h; do
	grep -q '^extern "C" {$' "$header" || { echo "$header lacks extern \"C\""; exit 1; }
	printf '#include <apmu/%s>\nint main() { return 0; }\n' "${header##*/}" >"$out/header.cpp"
	for cxx in g++ clang++; do
		! command -v $cxx >/dev/null || quiet $cxx -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$SRC/include" -fsyntax-only "$out/header.cpp"
	done
done

# A host of 32 bits, i386, whose uint64_t is aligned to 4. Of its C library only a header of names is missing.
if [ "$(uname -m)" = x86_64 ]; then
	mkdir -p "$out/i386/gnu"
	touch "$out/i386/gnu/stubs-32.h"
	quiet gcc -m32 -std=c11 -O1 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wno-psabi -Werror -I"$out/i386" \
		-isystem "/usr/include/$(gcc -print-multiarch)" -I"$SRC/include" -I"$SRC/src" \
		"$SRC"/src/{base,spec,spec/gen,model,driver,uarch,uarch/fast}/*.c
fi

# What packages of Debian's are built with: all but the compilers and what calls them.
wanted=$(sed -nE 's/^ (pkg-config|lib.*-dev),?$/\1/p' "$SRC/packaging/debian/control" | sort)
! cmake -S "$SRC" -B "$out/nothing" "${common[@]}" -DPKG_CONFIG_EXECUTABLE=/nowhere -DCMAKE_FIND_ROOT_PATH=/nowhere \
	-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY >"$out/log" 2>&1 || { echo "FAIL: builds without packages"; exit 1; }
named=$(sed -n 's/^ *apt-get install --no-install-recommends //p' "$out/log" | tr ' ' '\n' | sort)
[ "$named" = "$wanted" ] || { diff <(echo "$wanted") <(echo "$named"); echo "FAIL: the packages that cmake names"; exit 1; }

(cd "$SRC" && tar -czf "$out/apmu.tar.gz" --transform 's,^,apmu/,' CMakeLists.txt cmake include src)
quiet env CI=true cmake -S "$SRC/tests/package/parent" -B "$out/fetched" "${common[@]}" -DHOW=FetchContent -DARCHIVE="$out/apmu.tar.gz" \
	-DCMAKE_UNITY_BUILD=ON
grep -q '^APMU_WERROR:BOOL=OFF' "$out/fetched/CMakeCache.txt" || { echo "FAIL: a stranger's build machine makes our warnings errors"; exit 1; }
quiet cmake --build "$out/fetched" -j 2 --target consumer driver plus
programs "$out/fetched"

quiet cmake -S "$SRC" -B "$out/bare" "${common[@]}" -DAPMU_TOOLS=OFF -DAPMU_TESTS=OFF -DCMAKE_SYSTEM_NAME=Generic \
	-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_C_COMPILER=arm-none-eabi-gcc -DCMAKE_C_FLAGS="-mcpu=cortex-a15 -mfloat-abi=soft"
quiet cmake --build "$out/bare" -j 2 --target apmu-driver
arm-none-eabi-nm "$out/bare/libapmu-driver.a" >"$out/names"
grep -q ' [RD] apmu_backend_cp15_v7$' "$out/names" || { echo "bare metal: no backend cp15_v7"; exit 1; }
! grep ' [Dd] ' "$out/names" || { echo "bare metal: constant data take RAM"; exit 1; }

quiet cmake -S "$SRC" -B "$out/alone" "${common[@]}" -DAPMU_TOOLS=OFF -DAPMU_SHARED=ON \
	-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_INSTALL_PREFIX="$out/prefix" -DCMAKE_INSTALL_LIBDIR="$out/prefix/lib" \
	-DCMAKE_INSTALL_INCLUDEDIR=include/versioned
quiet cmake --build "$out/alone" -j 2 # with the libraries' tests
quiet cmake --install "$out/alone"
[ ! -e "$out/prefix/bin" ] || { echo "APMU_TOOLS=OFF installs a command"; exit 1; }
for suffix in "" -shared; do
	quiet cmake -S "$SRC/tests/package/consumer" -B "$out/found$suffix" "${common[@]}" -DCMAKE_PREFIX_PATH="$out/prefix" -DSUFFIX="$suffix"
	quiet cmake --build "$out/found$suffix"
	programs "$out/found$suffix"
done
# shellcheck disable=SC2046
quiet cc "$SRC/tests/package/consumer/consumer.c" $(PKG_CONFIG_PATH=$out/prefix/lib/pkgconfig pkg-config --cflags --libs apmu) \
	-Wl,-rpath,"$out/prefix/lib" -o "$out/plain"
[ "$("$out/plain")" = "arm1176jzf-s fits" ] || { echo "pkg-config: $("$out/plain")"; exit 1; }
rm -rf "$out"
