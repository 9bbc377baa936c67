#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tests of this folder that run programs, under another QEMU than the packaged one: APMU_NEWER_QEMU names the
# folder with its qemu-arm and qemu-aarch64 (docs/testing.md says how one is built). Without it there is nothing to do.
set -u
here=$(dirname "$0")
if [ -z "${APMU_NEWER_QEMU:-}" ]; then
	echo "APMU_NEWER_QEMU names no folder: no newer QEMU is tried"
	exit 77 # skipped
fi
for program in qemu-arm qemu-aarch64; do
	"$APMU_NEWER_QEMU/$program" -h | grep -q -e -plugin || { echo "FAIL: $APMU_NEWER_QEMU/$program takes no -plugin"; exit 1; }
done
"$APMU_NEWER_QEMU/qemu-aarch64" --version | head -n 1
failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for name in aarch64 busybox classes command engines faults foreign formats identities instructions marks memory processes \
	profile_debian record_chains record_data record_ends record_exact record_options record_same refusals regions rewrite \
	shared symbols $([ ! -x "$APMU_NEWER_QEMU/qemu-system-aarch64" ] || echo system); do
	if PATH=$APMU_NEWER_QEMU:$PATH bash "$here/$name.sh" >"$out" 2>&1; then
		echo "ok $name"
	else
		echo "FAIL: $name: $(tail -n 5 "$out")"
		failed=1
	fi
done

exit $failed
