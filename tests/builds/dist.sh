#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The release's tarball, without git beside it: says its version, has what README names, and builds; what the installation puts
# down, `make uninstall` takes away.
set -euo pipefail
: "${SRC:?}" "${BUILD:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --no-hardlinks "$SRC" "$work/tree"
"$work/tree/tools/dist" "$work/out" >/dev/null
cd "$work/out/dist"
sha256sum --quiet -c SHA256SUMS
version=$(sed -nE 's/^project\(apmu VERSION ([0-9.]+).*/\1/p' "$work/tree/CMakeLists.txt")
tar -xzf "apmu-$version.tar.gz" -C "$work"
cd "$work/apmu-$version"
for name in README.md LICENSE CHANGELOG.md SECURITY.md Makefile; do
	[ -s $name ] || { echo "the tarball lacks $name"; exit 1; }
done
# as `make build install`, less what installs packages, and not optimised
cmake --preset default -DCMAKE_BUILD_TYPE=None >"$work/log" && cmake --build build -j 2 --target apmu-command manual >>"$work/log" 2>&1 ||
	{ tail -n 20 "$work/log"; exit 1; }
[ "$(build/apmu --version | head -n 1)" = "apmu $version" ]
root=$work/"a root" local="my local"
mkdir -p "$root/usr/$local/bin"
touch "$root/usr/$local/bin/other"
make -s -o build install DESTDIR="$root" PREFIX="/usr/$local" >>"$work/log"
[ -x "$root/usr/$local/bin/apmu" ] && [ -e "$root/usr/$local/include/apmu/model.h" ]
make -s uninstall DESTDIR="$root"
left=$(cd "$root" && find . -type f -o -path '*apmu*')
[ "$left" = "./usr/$local/bin/other" ] || { echo "left behind: $left"; exit 1; }
! make -s uninstall DESTDIR="$root" 2>"$work/log" || { echo "uninstalled what was not there"; exit 1; }
grep -q 'nothing was installed' "$work/log"

# Debian packages are made of it too: here as far as dpkg-buildpackage.
mkdir -p "$work/stub" build/qemu
printf '#!/bin/sh\nexit 0\n' | tee "$work/stub/lintian" build/qemu/qemu-arm >build/qemu/qemu-aarch64
printf '#!/bin/sh\n[ -x debian/rules ] && [ -e src/cli/main.c ] && [ ! -e build ] && touch ../apmu.deb\n' >"$work/stub/dpkg-buildpackage"
chmod +x "$work"/stub/* build/qemu/qemu-*
PATH=$work/stub:$PATH tools/package-deb build/deb >"$work/log" 2>&1 || { echo "no packages of the tarball: $(cat "$work/log")"; exit 1; }
