#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From nothing: a fresh Debian 12 (debootstrap, minbase) with git and make and no more; there the clone of what is
# committed here, `make run`, and the quick tests, each step by the words that README gives. A step that
# README, Makefile or tools/setup forgot fails here, and on no machine where people work.
#   APMU_BARE_TESTS   which tests (a CTest expression); default: unit and cli
#   APMU_BARE_KEEP=1  leaves the root in $BUILD/bare
set -euo pipefail
[ "$(id -u)" -eq 0 ] || exec sudo -n --preserve-env=SRC,BUILD,APMU_BARE_TESTS,APMU_BARE_KEEP bash "$0"
: "${SRC:?}" "${BUILD:?}"
root=$BUILD/bare/root log=$BUILD/bare/log
tests=${APMU_BARE_TESTS:-^(unit|cli)/}
step() { echo "$(date -u +%T) $*"; }
give_up() { tail -n 40 "$log"; echo "FAIL: $*"; exit 1; }
leave() { umount "$root/dev/pts" "$root/dev/shm" "$root/proc" 2>/dev/null || true; }
trap leave EXIT

leave
rm -rf "$BUILD/bare"
mkdir -p "$root"
step "debootstrap"
debootstrap --variant=minbase --include=git,make,ca-certificates bookworm "$root" >"$log" 2>&1 || give_up debootstrap
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm"
mount -t tmpfs shm "$root/dev/shm"
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 pts "$root/dev/pts"
[ -e "$root/dev/ptmx" ] && rm -f "$root/dev/ptmx"
ln -s pts/ptmx "$root/dev/ptmx"
cp /etc/resolv.conf "$root/etc/resolv.conf"
git -c safe.directory='*' -C "$SRC" bundle create "$root/apmu.bundle" HEAD >>"$log" 2>&1 || give_up "no git repository: $SRC"

inside()
{
	step "$1"
	chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
		sh -c "cd /root && $1" >"$log" 2>&1 || give_up "$1"
}
inside 'git clone /apmu.bundle apmu'
inside 'cd apmu && make run'
grep -qE '^ *[a-z].* [0-9,]+ ' "$log" || give_up "make run printed no counts"
inside 'cd apmu && make build-tests'
inside "cd apmu && ctest --test-dir build -R '$tests' -LE slow -j 2 --output-on-failure"
grep '^100% tests passed' "$log" || give_up "the tests' last line is missing"
inside 'cd apmu && make install PREFIX=/usr && cd / && apmu list cores'
[ -z "$(chroot "$root" git -C /root/apmu status --porcelain)" ] || give_up "the build changed files of the tree"

leave
[ "${APMU_BARE_KEEP:-}" = 1 ] || rm -rf "$BUILD/bare"
step "done"
