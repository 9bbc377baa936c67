#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the kernels: tests/accuracy/build.sh FOLDER [LZMA] makes FOLDER/kernels-a32 and FOLDER/kernels-a64; of the sources that
# tools/fetch-guests --lzma put into LZMA, also FOLDER/unpack-armel and -armhf, with the compilers' flags of Debian's ports.
set -euo pipefail

folder=${1:?usage: tests/accuracy/build.sh FOLDER [LZMA]}
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

[ -n "${2:-}" ] || exit 0
sdk=$(echo "$2"/lzma-*/C)
for port in armel:arm-linux-gnueabi armhf:arm-linux-gnueabihf; do
	output=$folder/unpack-${port%%:*}
	[ -z "$(find "$here/loops/unpack.c" "$here/build.sh" -newer "$output" 2>/dev/null)" ] && [ -e "$output" ] && continue
	"${port#*:}-gcc" -O2 -static -I"$sdk" "$here/loops/unpack.c" "$sdk"/{LzmaDec,7zCrc,7zCrcOpt}.c -o "$output.$$"
	mv "$output.$$" "$output"
done
