#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs to a folder of its own, moves it, and builds a stranger's program against it: with CMake's find_package
# and with pkg-config. Then the installed command counts a program with the installed plugin.
set -euo pipefail
: "${SRC:?}" "${BUILD:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$BUILD" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/moved"
prefix=$work/moved
want="arm1176jzf-s fits"

cmake -S "$SRC/tests/package/consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log" ||
	{ cat "$work/configure.log"; exit 1; }
cmake --build "$work/cmake" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
got=$("$work/cmake/consumer")
[ "$got" = "$want" ] || { echo "find_package: got '$got', want '$want'"; exit 1; }

pc=$(find "$prefix" -name apmu.pc)
export PKG_CONFIG_PATH=${pc%/*}
# shellcheck disable=SC2046
cc -std=c11 "$SRC/tests/package/consumer/consumer.c" $(pkg-config --cflags --libs apmu) -o "$work/plain"
got=$("$work/plain")
[ "$got" = "$want" ] || { echo "pkg-config: got '$got', want '$want'"; exit 1; }
got=$("$work/cmake/driver")
[ "$got" = "APMU_OK: no error: 42" ] || { echo "find_package: the driver says '$got'"; exit 1; }
# shellcheck disable=SC2046
cc -std=c11 "$SRC/tests/package/consumer/driver.c" $(pkg-config --cflags --libs apmu-driver) -o "$work/driver"
got=$("$work/driver")
[ "$got" = "APMU_OK: no error: 42" ] || { echo "pkg-config: the driver says '$got'"; exit 1; }

[ "$(pkg-config --modversion apmu)" = "$(sed -n 's/^project(apmu VERSION \([0-9.]*\).*/\1/p' "$SRC/CMakeLists.txt")" ]

# shellcheck disable=SC2046
cc -std=c11 "$SRC/tests/package/consumer/machine.c" $(pkg-config --cflags --libs apmu-machine) -o "$work/machine"
got=$("$work/machine")
[ "$got" = "a counter holds 3" ] || { echo "apmu-machine: got '$got'"; exit 1; }

# Static programs are linked with a thread library, which some C libraries keep apart.
for package in apmu apmu-machine; do
	libs=" $(pkg-config --static --libs $package) "
	[[ $libs == *" -pthread "* ]] || { echo "$package.pc names no thread library: $libs"; exit 1; }
done
# shellcheck disable=SC2046
cc -std=c11 -static "$SRC/tests/package/consumer/consumer.c" $(pkg-config --static --cflags --libs apmu) -o "$work/static"
got=$("$work/static")
[ "$got" = "$want" ] || { echo "pkg-config, static: got '$got', want '$want'"; exit 1; }

arm-linux-gnueabi-gcc -static -nostdlib -o "$work/guest" -x c - <<'GUEST'
void _start(void) { __asm__ volatile("mov r0, #7\n mov r7, #1\n svc 0"); }
GUEST
status=0
"$prefix/bin/apmu" stat -j -o "$work/out.json" -c arm1136 -e instructions -- "$work/guest" || status=$?
[ "$status" -eq 7 ] || { echo "the installed command left with $status, the program with 7"; exit 1; }
[ "$(jq '.counters[0].value > 0' "$work/out.json")" = true ] || { cat "$work/out.json"; exit 1; }

# A QEMU of apmu's own comes before the system's, in whose folder the command may lie.
own=$(find "$prefix" -name apmu-tcg.so)
ln -sf "$(command -v "${APMU_QEMU:+$APMU_QEMU/}qemu-arm")" "${own%/*}/qemu-arm"
printf '#!/bin/sh\necho usage: qemu-arm\n' >"$prefix/bin/qemu-arm"
chmod +x "$prefix/bin/qemu-arm"
status=0
env -u APMU_QEMU PATH="$prefix/bin:$PATH" apmu stat -c arm1136 -e instructions -- "$work/guest" >"$work/said" 2>&1 || status=$?
[ "$status" -eq 7 ] || { echo "the system's QEMU is taken for apmu's own: $(<"$work/said")"; exit 1; }

! find "$prefix" -name '*.a' | grep -vE '/libapmu(-uarch|-driver|-engine)?\.a$' || { echo "more libraries than are public"; exit 1; }
