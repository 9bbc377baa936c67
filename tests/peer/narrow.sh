#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# narrow.sh CPU: AArch32 at EL0 under an AArch64 kernel. The guest of machine/guests holds the same table of exceptions
# (vector, syndrome, address, saved state) under QEMU, but for what PEER leaves out in tests/machine/src/narrow_user.S.
set -euo pipefail
cpu=$1
src=$SRC/tests/machine/src
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v qemu-system-aarch64 >/dev/null || { echo "peer/narrow-$cpu skipped: no qemu-system-aarch64"; exit 77; }
version=$(qemu-system-aarch64 --version | sed -nE '1s/.*version ([0-9]+\.[0-9]+).*/\1/p')
[ "$version" = 7.2 ] || { echo "peer/narrow-$cpu skipped: what it leaves out is for QEMU 7.2, this is $version"; exit 77; }

arm-none-eabi-gcc -marm -mcpu=cortex-a15 -mfpu=neon -mfloat-abi=softfp -nostdlib -nostartfiles -static -DPEER \
	-Wl,-Ttext=0x40090000 "$src/narrow_user.S" -o "$work/user"
arm-none-eabi-objcopy -O binary -j .text "$work/user" "$work/user.bin"
aarch64-linux-gnu-gcc -nostdlib -nostartfiles -static -no-pie -DUSER="\"$work/user.bin\"" \
	-Wl,-Ttext=0x40080000,--section-start=.user=0x40090000,--build-id=none "$src/narrow_a64.S" -o "$work/guest"
status=0
timeout 60 qemu-system-aarch64 -M virt -cpu "$cpu" -display none -monitor none -serial null -net none -semihosting \
	-kernel "$work/guest" </dev/null || status=$?
[ $status = 0 ] || { echo "check $status fails under QEMU"; exit 1; }
echo ok
