#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The driver builds freestanding with gcc and clang for every processor it has a backend for, each backend is
# where it should be, and its sizes stay within what docs/driver.md says.
. "$(dirname "$0")/lib.sh"
scratch
shopt -s nullglob

sources=()
for file in "$SRC"/src/driver/*.c; do
	case $file in */backend_perf*.c) ;; *) sources+=("$file") ;; esac # Linux: hosted
done
[ ${#sources[@]} -gt 10 ] || fail "only ${#sources[@]} sources found"
flags=(-std=c11 -ffreestanding -nostdinc -Wall -Wextra -Wpedantic -Wconversion -Werror -Os -I"$SRC"/include
	-I"$SRC"/src -ffunction-sections -fdata-sections)

# objects NAME COMPILER FLAG...: compiles everything into $work/NAME.
objects()
{
	local name=$1 cc=$2
	shift 2
	mkdir "$work/$name"
	(cd "$work/$name" && "$cc" "${flags[@]}" -isystem "$("$cc" -print-file-name=include)" "$@" -c "${sources[@]}") ||
		fail "$name: does not compile"
	printf '#include <apmu/cycles.h>\nuint64_t now(void);\nuint64_t now(void)\n{\n\treturn apmu_cycles();\n}\n' >"$work/cycles.c"
	"$cc" "${flags[@]}" -isystem "$("$cc" -print-file-name=include)" "$@" -c "$work/cycles.c" -o "$work/$name.cycles" ||
		fail "$name: <apmu/cycles.h> does not compile"
}

# backends NAME EXPECTED: the register backends among its symbols.
backends()
{
	local got
	got=$(nm "$work/$1"/backend_*.o 2>/dev/null | grep -oE ' [RrDd] apmu_backend_(cp|sysreg)[a-z0-9_]*' | sed 's/.*apmu_backend_//' | sort | paste -sd ' ' || true)
	[ "$got" = "$2" ] || fail "$1: has backends '$got', expected '$2'"
}

for cc in gcc clang; do
	# target TRIPLE FLAG...
	arm() { [ $cc = gcc ] && echo arm-none-eabi-gcc || echo clang; }
	a64() { [ $cc = gcc ] && echo aarch64-linux-gnu-gcc || echo clang; }
	for_arm=() for_a64=()
	[ $cc = gcc ] || { for_arm=(--target=arm-none-eabi); for_a64=(--target=aarch64-none-elf); }
	objects $cc-armv5te "$(arm)" "${for_arm[@]}" -march=armv5te -marm -DAPMU_XSCALE=2
	objects $cc-armv6 "$(arm)" "${for_arm[@]}" -march=armv6 -marm
	objects $cc-armv7-arm "$(arm)" "${for_arm[@]}" -march=armv7-a -marm
	objects $cc-armv7-thumb "$(arm)" "${for_arm[@]}" -march=armv7-a -mthumb
	objects $cc-armv8-arm "$(arm)" "${for_arm[@]}" -march=armv8-a -marm
	objects $cc-armv8-thumb "$(arm)" "${for_arm[@]}" -march=armv8-a -mthumb
	objects $cc-aarch64 "$(a64)" "${for_a64[@]}" -march=armv8-a
	objects $cc-host $cc
	backends $cc-armv5te "cp14_xscale1 cp14_xscale2 cp15_arm11"
	backends $cc-armv6 "cp15_arm11"
	backends $cc-armv7-thumb "cp15_v7 cp15_v8"
	backends $cc-armv8-arm "cp15_v7 cp15_v8"
	backends $cc-aarch64 "sysreg"
	backends $cc-host ""
done

# What a program that plans, counts, samples, takes turns and handles interrupts links, less the program.
cat >"$work/main.c" <<'PROGRAM'
#include <apmu/driver.h>
extern const struct apmu_core *const core;
struct apmu_dev dev;
struct apmu_dev_slot slots[8];
int main(void)
{
	struct apmu_dev_config config = {.backend = &apmu_backend_cp15_v7, .slots = slots, .slots_n = 8, .el = 1, .interrupt = true};
	struct apmu_want want[2] = {{.flags = APMU_WANT_CYCLES, .counter = 0xFF}, {.event = 8, .counter = 0xFF}};
	struct apmu_count count[2];
	int bad = apmu_dev_open(&dev, &config, 0) | apmu_dev_use(&dev, want, 2, APMU_MULTIPLEX, 0) | apmu_dev_start(&dev) |
		  apmu_dev_stop(&dev) | apmu_dev_read(&dev, count, 2) | apmu_dev_interrupt(&dev, 0) | apmu_dev_tick(&dev) |
		  apmu_dev_clear(&dev) | apmu_dev_close(&dev);

	return bad + (int)count[0].scaled;
}
PROGRAM
link()
{
	local cc=arm-none-eabi-gcc common=(-march=armv7-a -mthumb)
	mkdir "$work/spec"
	(cd "$work/spec" && $cc "${flags[@]}" -isystem "$($cc -print-file-name=include)" "${common[@]}" -c \
		"$SRC"/src/spec/event.c)
	$cc "${flags[@]}" -isystem "$($cc -print-file-name=include)" "${common[@]}" -c "$work/main.c" -o "$work/main.o"
	$cc "${common[@]}" -nostdlib -static -Wl,--gc-sections -Wl,-e,main -Wl,-r -Wl,--gc-sections \
		"$work/main.o" "$work"/gcc-armv7-thumb/*.o -o "$work/driver.o"
}
link || fail "the program for the sizes does not link"
text()
{
	arm-none-eabi-size "$1" | awk 'NR == 2 { print $1 }'
}
bytes=$(($(text "$work/driver.o") - $(text "$work/main.o")))
echo "text of the driver with cp15-v7, Thumb-2, -Os: $bytes bytes"
[ "$bytes" -gt 1024 ] && [ "$bytes" -lt 12288 ] || fail "$bytes bytes, must be under 12288"

cat >"$work/ram.c" <<'RAM'
#include <apmu/driver.h>
_Static_assert(4 * (sizeof(struct apmu_dev) + 8 * sizeof(struct apmu_dev_slot)) < 4096, "8 events on 4 cores");
RAM
for cc in "arm-none-eabi-gcc -march=armv7-a" "aarch64-linux-gnu-gcc"; do
	# shellcheck disable=SC2086
	$cc "${flags[@]}" -isystem "$($cc -print-file-name=include)" -fsyntax-only "$work/ram.c" || fail "$cc: more than 4 KiB of RAM"
done

verdict
