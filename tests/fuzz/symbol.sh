#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# First inputs of fuzz_symbol: symbol.sh FOLDER. Small Arm programs with lines and inlined functions, and Go's table.
set -euo pipefail
source=$SRC/tests/guest/src/symbols/inlined.c
for compiler in aarch64-linux-gnu-gcc arm-linux-gnueabi-gcc; do
	for way in 1 2; do
		$compiler -g -O2 -nostdlib -shared -Wl,--build-id "$source" -o "$1/seed.elf"
		{ printf '\'$way; cat "$1/seed.elf"; } >"$1/seed-$compiler-$way"
		rm "$1/seed.elf"
	done
done
for layout in 2 18; do # a stripped Go program
	aarch64-linux-gnu-gcc -nostdlib -static -s -DGO=$layout "$SRC/tests/guest/src/symbols/go_table.S" -o "$1/seed.elf"
	{ printf '\1'; cat "$1/seed.elf"; } >"$1/seed-go-$layout"
	rm "$1/seed.elf"
done
printf '\0outer\0file.c\0' >"$1/seed-answer"
