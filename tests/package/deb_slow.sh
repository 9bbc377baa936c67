#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian packages: built, clean by lintian, installed in a fresh Debian root where nothing else is, and tried
# there: a program is counted, recorded, reported and exported; the library is linked.
set -euo pipefail
[ "$(id -u)" -eq 0 ] || exec sudo -n --preserve-env=SRC,BUILD bash "$0"
: "${SRC:?}" "${BUILD:?}"
out=$BUILD/deb
root=$out/root
"$SRC/tools/package-deb" "$out"

umount "$root/proc" 2>/dev/null || true
rm -rf "$root"
debootstrap --variant=minbase bookworm "$root" >"$out/debootstrap.log" 2>&1 || { tail "$out/debootstrap.log"; exit 1; }
mkdir -p "$root/try"
mount -t proc proc "$root/proc" # where a program learns where it lies
trap 'umount "$root/proc" 2>/dev/null || true' EXIT
cp "$out"/*.deb "$root/try"
aarch64-linux-gnu-gcc -static -g -O2 "$SRC/tests/guest/src/symbols/inlined.c" -o "$root/try/prog"
cp /etc/resolv.conf "$root/etc/resolv.conf"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"; }
inside sh -c 'cd /try && apt-get update -q && apt-get install -q -y --no-install-recommends ./*.deb gcc' >"$out/install.log" 2>&1 ||
	{ tail -n 20 "$out/install.log"; exit 1; }

version=$(sed -nE 's/^project\(apmu VERSION ([0-9.]+).*/\1/p' "$SRC/CMakeLists.txt")
inside apmu --version >"$out/version"
[ "$(head -n 1 "$out/version")" = "apmu $version" ]
grep -q '^qemu-aarch64 10\..*/lib/.*/apmu/qemu-aarch64' "$out/version" || { echo "not the QEMU of apmu-qemu:"; cat "$out/version"; exit 1; }
cd_try() { inside sh -c "cd /try && $1"; }
cd_try 'apmu stat -j -o stat.json -c cortex-a53 -e instructions,branches -- ./prog || [ $? -le 1 ]'
jq -e '.counters[0].value > 1000 and .counters[1].value > 100' "$root/try/stat.json" >/dev/null
cd_try 'apmu record -q --core cortex-a53 -e instructions -c 50 -g -- ./prog || [ $? -le 1 ]'
cd_try 'apmu report >report && apmu annotate >annotated && apmu export folded >folded && apmu export html -o page.html'
grep -q prog "$root/try/report"
grep -q ' total$' "$root/try/annotated"
grep -qE ';_start;.*;[a-z_]+ [0-9]' "$root/try/folded"
grep -q '</html>' "$root/try/page.html"
for page in apmu apmu-stat apmu-record apmu-export; do
	inside test -s "/usr/share/man/man1/$page.1.gz"
done
inside test -s /usr/share/bash-completion/completions/apmu
inside test -x /usr/libexec/apmu/valgrind
cat >"$root/try/model.c" <<'END'
#include <apmu/model.h>
int main(void) { return apmu_core_find("cortex-a53") ? 0 : 1; }
END
cd_try 'gcc model.c -o model -lapmu && ./model'
# What the machine's library needs beside, libapmu-dev recommends.
cp "$SRC/tests/package/consumer/machine.c" "$root/try"
recommended=$(dpkg-deb -f "$out"/libapmu-dev_*.deb Recommends | tr -d ,)
# shellcheck disable=SC2086
inside apt-get install -q -y --no-install-recommends pkg-config $recommended >>"$out/install.log" 2>&1
cd_try 'gcc machine.c $(pkg-config --cflags --libs apmu-machine) -o machine && ./machine' >"$out/machine"
grep -q 'a counter holds 3' "$out/machine"
inside apt-get -q -y purge apmu apmu-qemu libapmu-dev >>"$out/install.log" 2>&1
left=$(cd "$root" && find usr/bin usr/lib usr/share usr/include -name '*apmu*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
umount "$root/proc"
rm -rf "$root"
echo "$(ls "$out"/*.deb) installed, tried and removed"
