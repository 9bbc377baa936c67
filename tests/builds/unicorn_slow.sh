#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A newer libunicorn than Debian 12's: Debian 13's is fetched, unpacked beside the build and linked, and everything that
# runs in the machine is tested with it. UNICORN=FOLDER takes another one: what is below FOLDER/usr of Debian's packages.
set -euo pipefail
: "${SRC:?}" "${BUILD:?}"
build=$BUILD/newer

if [ -z "${UNICORN:-}" ]; then
	"$SRC/tools/fetch-guests" "$BUILD/guests" --unicorn
	UNICORN=$BUILD/guests/unicorn
fi
pc=$(dirname "$(find "$UNICORN/usr/lib" -name unicorn.pc)")
version=$(PKG_CONFIG_PATH=$pc pkg-config --modversion unicorn)
old=$(pkg-config --modversion unicorn)
[ "$version" != "$old" ] || { echo "this is the system's own libunicorn $old"; exit 1; }

rm -rf "$build"
PKG_CONFIG_PATH=$pc cmake -S "$SRC" -B "$build" -G Ninja >/dev/null
cmake --build "$build" -j 2 >"$build.log" 2>&1 || { tail -n 30 "$build.log"; exit 1; }
export APMU_UNICORN=$version
ldd "$build/apmu" | grep -q "$UNICORN" || { echo "apmu is not linked with $UNICORN"; exit 1; }
ctest --test-dir "$build" -j 2 --no-tests=error --output-on-failure -LE slow \
	-R '^machine/|^firmware/|^guest/(linux|linux_files|boards|boot|busybox)$|^cli/run|^examples/unicorn-host$' >"$build.log" 2>&1 ||
	{ grep -A 20 -E 'Failed|FAIL' "$build.log"; exit 1; }
echo "libunicorn $version instead of $old: $(grep 'tests passed' "$build.log")"
