#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the kernels: tests/accuracy/build.sh FOLDER makes FOLDER/kernels-a32 and FOLDER/kernels-a64.
set -euo pipefail

folder=${1:?usage: tests/accuracy/build.sh FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
flags=(-O2 -Wall -Wextra -ffreestanding -fno-builtin -fno-stack-protector -fno-pie -no-pie -static -nostdlib
	-fno-tree-loop-distribute-patterns)
mkdir -p "$folder"

# make COMPILER OUTPUT FLAG...: if it is older than a source.
make_one()
{
	local compiler=$1 output=$2
	shift 2
	[ -z "$(find "$here" -name '*.[ch]' -newer "$output" 2>/dev/null)" ] && [ -e "$output" ] && return
	"$compiler" "${flags[@]}" "$@" "$here"/*.c -lgcc -o "$output.$$"
	mv "$output.$$" "$output"
}

make_one arm-linux-gnueabi-gcc "$folder/kernels-a32" -march=armv5te -marm
make_one aarch64-linux-gnu-gcc "$folder/kernels-a64"
