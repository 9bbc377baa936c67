#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# 100,000 interrupts of the PMU, taken from User mode on pages that are not where their addresses say: none is lost.
. "$(dirname "$0")/lib.sh"

make -s -f "$SRC/tests/firmware/src/Makefile" OUT="$work" RT="$SRC/examples/firmware" || exit 1
# storm CORE PROGRAM [OPTION...]
storm()
{
	local core=$1 program=$2
	shift 2
	firmware_file "$work/storm-$program.elf" "$core" "$@"
	want mmu 1
	want interrupts 100000
	want sum-agrees 1
	want none-lost 1
	want user-turns 1
}
storm arm1176 arm11
storm arm1136 arm11
storm xscale1 xscale1
storm cortex-a8 armv7
storm cortex-a15 armv7
storm cortex-a15 lpae
storm cortex-a7 lpae-virt -b virt
storm cortex-a53 a64
storm neoverse-n1 a64
storm cortex-a53 a64-virt -b virt
storm neoverse-n1 a64-gicv3 -b virt-gicv3

# The host counts the interrupts too, and the one system call.
for core in cortex-a53 neoverse-n1; do
	firmware_file "$work/storm-a64.elf" $core --stat -e EXC_IRQ,EXC_TAKEN
	counted 100,000 EXC_IRQ
	counted 100,001 EXC_TAKEN
	grep -q 'stays 0' "$work/err" && fail "EXC_IRQ is said to stay 0"
done
finish
