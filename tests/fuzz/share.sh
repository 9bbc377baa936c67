#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# share.sh FOLDER: what fuzz-share needs beside it to believe in a QEMU with plugins, and first inputs into FOLDER: for each command
# a thread, and each kind of thing all ones from an offset on; 128 events where fewer were asked for, and counts of the last of them.
set -euo pipefail
: "${BUILD:?}"
beside=$BUILD/fuzz/tests
: >"$beside/apmu-tcg.so"
printf '#!/bin/sh\necho " -plugin"\n' >"$beside/qemu-aarch64"
chmod +x "$beside/qemu-aarch64"
ones=$(printf '\\xff%.0s' {1..32})
for command in {0..7}; do
	begin="\\x0$command\\x00\\x09\\x00\\x00\\x00\\x00" # the command, its end, a thread
	for kind in {0..8}; do
		for offset in 0 16 32 48; do
			printf '%b' "$begin\\x0$kind\\x00\\x00\\x$(printf %x $offset)\\x20$ones" >"$1/first-$command-$kind-$offset"
		done
	done
	# record.events; a page's number of cells; counts 64 to 91 of the first cell
	printf '%b' "$begin\\x01\\x00\\x00\\x20\\x04\\x80\\x00\\x00\\x00\\x06\\x00\\x00\\x0c\\x04\\x01\\x00\\x00\\x00" \
		"\\x06\\x00\\x02\\x18\\xe0$ones$ones$ones$ones$ones$ones$ones" >"$1/first-$command-more"
done
