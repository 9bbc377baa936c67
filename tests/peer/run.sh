#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh CPU CORE REPLAY [--list]: the self-test under QEMU's own PMU of CPU and on the model of CORE, compared.
# SRC and BUILD as for every test. 77: something that this needs is not there.
set -euo pipefail
cpu=$1 core=$2 replay=$3
here=$SRC/tests/peer
out=$BUILD/tests/peer/$cpu
# What differences.txt was made with; another QEMU has other differences (fact sheet pmuv3 8.1 is 10.2's).
made_with=7.2

skip()
{
	echo "peer/$cpu skipped: $*"
	exit 77
}

case $cpu in
cortex-a15)
	qemu=qemu-system-arm
	compile=(arm-none-eabi-gcc -mcpu=cortex-a15 -marm -mfloat-abi=soft -mno-unaligned-access)
	boot=boot_a32.S libraries=(-lgcc)
	;;
*)
	qemu=qemu-system-aarch64
	compile=(aarch64-linux-gnu-gcc -mgeneral-regs-only -mstrict-align -fno-pic -no-pie -static
		-Wl,--build-id=none,--no-warn-rwx-segments)
	boot=boot_a64.S libraries=()
	;;
esac
command -v $qemu >/dev/null || skip "no $qemu (Debian: qemu-system-arm)"
command -v "${compile[0]}" >/dev/null || skip "no ${compile[0]}"
version=$($qemu --version | sed -nE '1s/.*version ([0-9]+\.[0-9]+).*/\1/p')
[ "$version" = $made_with ] || skip "differences.txt is for QEMU $made_with, this is $version"

mkdir -p "$out"
"${compile[@]}" -std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror -ffreestanding -nostdlib \
	-T "$here/guest.ld" -o "$out/selftest.elf" "$here/$boot" "$here/guest.c" "$here/run.c" "${libraries[@]}"
timeout 60 $qemu -M virt,virtualization=on,secure=on -cpu "$cpu" -display none -monitor none -serial stdio \
	-net none -semihosting -kernel "$out/selftest.elf" </dev/null >"$out/qemu.txt"
"$replay" "$core" >"$out/model.txt"
python3 "$here/compare.py" ${4:-} "$cpu" "$out/qemu.txt" "$out/model.txt" "$here/differences.txt"
