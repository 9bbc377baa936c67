#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# First inputs of fuzz_load: load.sh FOLDER. A bare-metal program for each core of the target, and a device tree.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
printf '.global _start\n_start: b .\n.data\n.word 1\n' >"$here/a.s"
arm-none-eabi-gcc -nostdlib -Wl,-Ttext=0x8000 -o "$here/arm.elf" "$here/a.s"
aarch64-linux-gnu-gcc -nostdlib -static -Wl,--build-id=none,-Ttext=0x40080000,-Tdata=0x40090000 -o "$here/a64.elf" "$here/a.s"
{ printf '\0'; cat "$here/arm.elf"; } >"$1/seed-arm1136"
{ printf '\2'; cat "$here/arm.elf"; } >"$1/seed-a15"
{ printf '\4'; cat "$here/a64.elf"; } >"$1/seed-a53"
dtc -q -I dts -O dtb -o "$here/tree.dtb" - <<<'/dts-v1/; / { #address-cells = <2>; #size-cells = <2>; chosen { bootargs = "x"; };
	memory@40000000 { device_type = "memory"; reg = <0 0x40000000 0 0x4000000>; }; };'
{ printf '\1'; cat "$here/tree.dtb"; } >"$1/seed-tree"
