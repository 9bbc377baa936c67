#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tests of this folder that run programs, under each QEMU: those of PATH, if they have plugins, and those that tools/build-qemu
# makes. APMU_QEMUS="FOLDER..." names others. CTest's own run took one of them; this one leaves none out.
set -u
here=$(dirname "$0")
out=$(mktemp)
trap 'rm -f "$out"' EXIT
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
	for name in aarch64 busybox classes command engines exact faults foreign formats identities instructions marks memory \
		processes profile_debian record_chains record_data record_ends record_exact record_machines record_options record_same \
		refusals regions rewrite shared symbols tags; do
		if APMU_QEMU=$folder PATH=$folder:$PATH bash "$here/$name.sh" >"$out" 2>&1; then
			echo "ok $name"
		else
			echo "FAIL: $name: $(tail -n 5 "$out")"
			failed=1
		fi
	done
done
exit $failed
