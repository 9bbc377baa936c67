#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the scripts of this folder under each QEMU: that of PATH, if it has plugins, and the one that tools/build-qemu makes.
# APMU_QEMUS="FOLDER..." names others. Arguments name the scripts; without any, all run except those of the table below.
set -u
here=$(dirname "$0")
out=$(mktemp)
trap 'rm -f "$out"' EXIT

left_out='
both_qemus_slow         this script
boards                  the machine alone, no QEMU
boot                    the machine alone, no QEMU
edk2_slow               the machine alone, no QEMU
xen_slow                the machine alone, no QEMU
kernel_slow             the machine alone, no QEMU
kernel_virtio_slow      the machine alone, no QEMU
uboot_slow              the machine alone, no QEMU
classes                 our rows against Capstone, nothing is run
kernel_perf_slow        qemu-system-aarch64, which make qemu does not build
system                  qemu-system-*, which make qemu does not build
system_slow             qemu-system-*, which make qemu does not build
record_every_slow       record_every, an event at a time: an hour
walks_slow              walks, with more steps'

scripts=$*
if [ $# = 0 ]; then
	for file in "$here"/*.sh; do
		name=$(basename "$file" .sh)
		[ "${name#lib}" != "" ] && ! grep -q "^$name " <<<"$left_out" && scripts+=" $name"
	done
	while read -r name reason; do # a row of what is gone hides what comes by that name
		[ -z "$name" ] || [ -f "$here/$name.sh" ] || { echo "FAIL: there is no $name.sh to leave out ($reason)"; exit 1; }
	done <<<"$left_out"
fi
[ -n "${APMU_QEMUS:-}" ] || "$SRC/tools/build-qemu" "$BUILD/qemu" || exit 1
folders=${APMU_QEMUS:-$BUILD/qemu}
packaged=$(dirname "$(command -v qemu-aarch64 || echo /usr/bin/none)")
if [ -z "${APMU_QEMUS:-}" ] && "$packaged/qemu-aarch64" -h 2>/dev/null | grep -q -e -plugin; then
	folders="$packaged $folders"
fi

failed=0
for folder in $folders; do
	for program in qemu-arm qemu-aarch64; do
		"$folder/$program" -h | grep -q -e -plugin || { echo "FAIL: $folder/$program takes no -plugin"; exit 1; }
	done
	"$folder/qemu-aarch64" --version | head -n 1
	for name in $scripts; do
		started=$SECONDS
		if APMU_QEMU=$folder PATH=$folder:$PATH bash "$here/$name.sh" >"$out" 2>&1; then
			echo "ok $name, $((SECONDS - started)) s"
		else
			echo "FAIL: $name: $(tail -n 5 "$out")"
			failed=1
		fi
	done
done
exit $failed
