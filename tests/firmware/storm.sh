#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# 100,000 interrupts of the PMU, taken from User mode on pages that are not where their addresses say: none is lost.
. "$(dirname "$0")/lib.sh"

make -s -f "$SRC/tests/firmware/src/Makefile" OUT="$work" RT="$SRC/examples/firmware" || exit 1
for pair in arm1176:storm-arm11 arm1136:storm-arm11 xscale1:storm-xscale1 cortex-a15:storm-armv7 cortex-a8:storm-armv7 \
	cortex-a53:storm-a64 neoverse-n1:storm-a64; do
	firmware_file "$work/${pair#*:}.elf" "${pair%:*}"
	want mmu 1
	want interrupts 100000
	want sum-agrees 1
	want none-lost 1
	want user-turns 1
done

# The host counts the interrupts too, and the one system call.
for core in cortex-a53 neoverse-n1; do
	firmware_file "$work/storm-a64.elf" $core --stat -e EXC_IRQ,EXC_TAKEN
	counted 100,000 EXC_IRQ
	counted 100,001 EXC_TAKEN
	grep -q 'stays 0' "$work/err" && fail "EXC_IRQ is said to stay 0"
done
finish
