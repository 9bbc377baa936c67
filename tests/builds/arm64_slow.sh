#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An Arm64 host: everything is built for Debian 12's arm64, with that Debian's own libraries (a root of their own, nothing is
# installed), and what is built runs under qemu-aarch64: the tests in C, the plain commands, firmware in the machine.
# Commands that start a QEMU need an Arm64 kernel below them and are not tried.
#   APMU_ARM64_TESTS   which tests (a CTest expression); default: all of those
set -euo pipefail
: "${SRC:?}" "${BUILD:?}"
out=$BUILD/arm64
mkdir -p "$out"
if [ ! -d "$out/root" ]; then
	# shellcheck source=tools/lib-apt
	. "$SRC/tools/lib-apt"
	rm -rf "$out/new"
	mkdir -p "$out/new"
	apt_root "$out/apt" bookworm deb arm64
	(cd "$out/apt" && apt-get -qq -o APT::Architecture=arm64 -o Debug::NoLocking=1 --download-only -y --no-install-recommends install \
		libc6-dev libjansson-dev libelf-dev libdw-dev libcapstone-dev libunicorn-dev libfdt-dev libiberty-dev libcmocka-dev) \
		>"$out/log" 2>&1 || { tail -n 20 "$out/log"; echo "FAIL: arm64 libraries cannot be fetched"; exit 1; }
	for package in "$out"/apt/cache/archives/*.deb; do
		dpkg-deb -x "$package" "$out/new"
	done
	find "$out/new" -type l -lname '/*' | while read -r link; do # inside the root
		ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$out/new$(readlink "$link")")" "$link"
	done
	rm -rf "$out/apt"
	mv "$out/new" "$out/root"
	unset APT_CONFIG
fi
cat >"$out/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_SYSROOT $out/root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;$out/root)
set(ENV{PKG_CONFIG_SYSROOT_DIR} $out/root)
set(ENV{PKG_CONFIG_LIBDIR} $out/root/usr/lib/aarch64-linux-gnu/pkgconfig:$out/root/usr/share/pkgconfig)
END
cmake -S "$SRC" -B "$out/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DAPMU_WERROR=ON -DAPMU_TEST_TIMEOUT=3600 -DCMAKE_TOOLCHAIN_FILE="$out/toolchain.cmake" \
	>"$out/log" 2>&1 || { tail -n 20 "$out/log"; exit 1; }
cmake --build "$out/build" -j 2 >"$out/log" 2>&1 || { grep -B 2 -A 10 -E 'error|FAILED' "$out/log" | head -n 40; exit 1; }
file "$out/build/apmu" "$out/build/apmu-tcg.so" | grep -c 'ARM aarch64' | grep -qx 2

arm64() { qemu-aarch64 -L "$out/root" "$out/build/apmu" "$@"; }
arm64 list cores >"$out/said" && diff "$out/said" <("$BUILD/apmu" list cores) >/dev/null || { echo "FAIL: list cores"; exit 1; }
arm64 decode --core arm1136jf-s PMNC 0x00700b01 >"$out/said" && diff "$out/said" <("$BUILD/apmu" decode --core arm1136jf-s PMNC 0x00700b01)
# Debian 12's libunicorn tells one access a page on such a host: that is said, and what needs no accesses is the same.
file=$(find "$BUILD/examples/firmware" -name arm11.elf | head -n 1)
arm64 run --cpi 1 -c arm1176jzf-s "$file" >"$out/said" 2>"$out/err"
grep -q 'reports only one memory access per page' "$out/err" || { echo "FAIL: run says nothing of libunicorn: $(<"$out/err")"; exit 1; }
diff <(grep -v misses "$out/said") <("$BUILD/apmu" run --cpi 1 -c arm1176jzf-s "$file" | grep -v misses) || { echo "FAIL: arm11 counts otherwise"; exit 1; }
ctest --test-dir "$out/build" -j 2 --no-tests=error --output-on-failure -LE 'slow|cli|guest|firmware|rules|builds|fuzz|peer' \
	-R "${APMU_ARM64_TESTS:-^(unit|spec|conformance|property|walk|driver|examples)/}" -E '^examples/verilator$|^unit/symbol$' >"$out/log" 2>&1 || true
grep -E 'tests passed|Failed|Timeout|Not Run|Skipped' "$out/log" || { tail -n 20 "$out/log"; exit 1; }
grep -q '^100% tests passed' "$out/log"
