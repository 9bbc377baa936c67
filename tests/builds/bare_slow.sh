#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From nothing: a fresh Debian (debootstrap, minbase) with git and make and no more; there the clone of what is
# committed here, `make run`, the quick tests, `make install`, and a stranger's project that uses what was installed, each step by
# the words that README gives. A step that README, Makefile or tools/setup forgot fails here, and on no machine where people work.
#   bare_slow.sh bookworm   Debian 12, whose QEMU has plugins; the tests of `make test` in unit and cli
#   bare_slow.sh trixie     Debian 13, whose QEMU has none; `make test-quick`
#   APMU_BARE_KEEP=1        leaves the root in $BUILD/bare-SUITE
set -euo pipefail
[ "$(id -u)" -eq 0 ] || exec sudo -n --preserve-env=SRC,BUILD,APMU_BARE_KEEP bash "$0" "$@"
: "${SRC:?}" "${BUILD:?}"
suite=${1:?usage: bare_slow.sh bookworm|trixie}
bare=$BUILD/bare-$suite
root=$bare/root log=$bare/log
step() { echo "$(date -u +%T) $*"; }
give_up() { tail -n 40 "$log"; echo "FAIL: $*"; exit 1; }
leave() { umount "$root/dev/pts" "$root/dev/shm" "$root/proc" 2>/dev/null || true; }
trap leave EXIT

leave
rm -rf "$bare"
mkdir -p "$root"
step "debootstrap"
debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$root" >"$log" 2>&1 || give_up debootstrap
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
if [ "$suite" = bookworm ]; then
	inside 'cd apmu && make build-tests'
	inside "cd apmu && ctest --test-dir build -R '^(unit|cli)/' -LE slow -j 2 --output-on-failure"
else
	inside 'cd apmu && make test-quick'
fi
grep '^100% tests passed' "$log" || give_up "the tests' last line is missing"
inside 'cd apmu && make install PREFIX=/usr && cd / && apmu list cores && apmu --version'
grep -E '^qemu-aarch64 [0-9]' "$log" || give_up "the installed command finds no QEMU"
inside 'cmake -S apmu/tests/package/consumer -B consumer && cmake --build consumer && consumer/consumer && consumer/plus'
grep -q 'arm1176jzf-s fits' "$log" && grep -q 'cortex-a53: 42' "$log" || give_up "a project that uses the installed libraries"
inside 'cd apmu && make uninstall && ! command -v apmu'
[ -z "$(chroot "$root" git -C /root/apmu status --porcelain)" ] || give_up "the build changed files of the tree"

leave
[ "${APMU_BARE_KEEP:-}" = 1 ] || rm -rf "$bare"
step "done"
