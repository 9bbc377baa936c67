#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Description and model build with a compiler alone: no header but its own, no library but libgcc. For the host,
# AArch64 and ARM11; the last two also run, and the ARM11 one stays under 16 KiB of text and constants.
. "$(dirname "$0")/lib.sh"
scratch
shopt -s nullglob

sources=("$SRC"/src/base/*.c "$SRC"/src/spec/*.c "$SRC"/src/spec/gen/*.c "$SRC"/src/model/*.c)
[ ${#sources[@]} -gt 10 ] || fail "only ${#sources[@]} sources found"
flags=(-std=c11 -ffreestanding -nostdinc -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$SRC"/include -I"$SRC"/src
	-ffunction-sections -fdata-sections)

# objects NAME COMPILER FLAG...: compiles everything into $work/NAME.
objects()
{
	local name=$1 cc=$2
	shift 2
	mkdir "$work/$name"
	(cd "$work/$name" && $cc "${flags[@]}" -isystem "$($cc -print-file-name=include)" "$@" -c "${sources[@]}") ||
		fail "$name: does not compile"
}

# program NAME COMPILER FLAG...: links the test program with what it needs of them.
program()
{
	local name=$1 cc=$2
	shift 2
	$cc "${flags[@]}" -isystem "$($cc -print-file-name=include)" "$@" -nostdlib -static -Wl,--gc-sections \
		"$SRC"/tests/freestanding/*.c "$work/$name"/*.o -lgcc -o "$work/$name.elf" || fail "$name: does not link"
}

objects host cc -O2
objects host-no-text cc -O2 -DAPMU_NO_TEXT

objects aarch64 aarch64-linux-gnu-gcc -O2
program aarch64 aarch64-linux-gnu-gcc -O2
qemu-aarch64 "$work"/aarch64.elf || fail "aarch64: check $? of tests/freestanding/main.c"

arm=(-mcpu=arm1136jf-s -marm -Os -DAPMU_NO_TEXT)
objects arm arm-none-eabi-gcc "${arm[@]}"
program arm arm-none-eabi-gcc "${arm[@]}"
qemu-arm -cpu arm1136 "$work"/arm.elf || fail "arm: check $? of tests/freestanding/main.c"

# What the test program itself takes is not the model's.
own()
{
	(cd "$work" && arm-none-eabi-gcc "${flags[@]}" -isystem "$(arm-none-eabi-gcc -print-file-name=include)" "${arm[@]}" -c \
		"$SRC"/tests/freestanding/*.c && arm-none-eabi-size main.o start.o | awk 'NR > 1 { n += $1 } END { print n }')
}
all=$(arm-none-eabi-size -A "$work"/arm.elf | awk '$1 ~ /^\.(text|rodata|data\.rel\.ro|ARM\.ex)/ { n += $2 } END { print n }')
bytes=$((all - $(own)))
echo "text and constants of one ARM11 core with the whole model: $bytes bytes"
[ "$bytes" -gt 1024 ] && [ "$bytes" -lt 16384 ] || fail "$bytes bytes, must be under 16384"

# Every family: the model, the look-up and all banks of registers, for AArch64.
objects small aarch64-linux-gnu-gcc -Os -DAPMU_NO_TEXT
objects integers aarch64-linux-gnu-gcc -Os -DAPMU_NO_TEXT -mgeneral-regs-only
text=$(cd "$work/small" && aarch64-linux-gnu-size $(ls *.o | grep -vE '^(core|events)_') | awk 'NR > 1 { n += $1 } END { print n }')
echo "text of the model, the look-up and all register banks for AArch64: $text bytes"
[ "$text" -gt 8192 ] && [ "$text" -lt 65536 ] || fail "$text bytes, must be under 65536"

verdict
