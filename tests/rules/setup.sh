#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/setup names all that packaging/debian/control builds with, on a system that has none of it: for `make` the libraries, for
# `make deb`, and for the tests, which make packages too, what dpkg-buildpackage asks for.
set -euo pipefail
: "${SRC:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Nothing is installed, and cannot be.
printf '#!/bin/sh\nexit 1\n' | tee "$work/dpkg-query" "$work/sudo" "$work/qemu-arm" >"$work/qemu-aarch64"
printf '#!/bin/sh\necho 1000\n' >"$work/id"
chmod +x "$work"/*
needs() # needs PACKAGE... -- OPTION...
{
	local wanted=()
	while [ "$1" != -- ]; do wanted+=("$1") && shift; done
	shift
	! PATH=$work:$PATH "$SRC/tools/setup" "$@" >"$work/said" 2>&1 </dev/null || { echo "FAIL: tools/setup $* installed something"; exit 1; }
	sed -n 's/^ *apt-get install --no-install-recommends //p' "$work/said" | tr ' ' '\n' >"$work/named"
	for package in "${wanted[@]}"; do
		grep -qxF "$package" "$work/named" || { echo "FAIL: tools/setup $* does not name $package"; exit 1; }
	done
}

mapfile -t all < <(sed -n '/^Build-Depends:/,/^[A-Z].*:/p' "$SRC/packaging/debian/control" | grep -oE '^(Build-Depends:)? [a-z][a-z0-9.+-]*' | sed 's/.* //; s/-compat$//')
mapfile -t libraries < <(printf '%s\n' "${all[@]}" | grep -E '^lib.*-dev$')
[ ${#libraries[@]} -gt 5 ] || { echo "FAIL: the Build-Depends of packaging/debian/control cannot be read"; exit 1; }
needs "${libraries[@]}" cmake ninja-build pkg-config --
needs "${all[@]}" build-essential lintian -- --deb
needs "${all[@]}" build-essential lintian -- --test
needs python3 -- --python
