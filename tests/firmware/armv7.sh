#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

for core in cortex-a7:4 cortex-a15:6; do
	firmware armv7 ${core%:*} --board virt --set prefetch.streams=0
	want counters ${core#*:}
	# 512 turns of three instructions, two ISBs and the disabling write; each reads a line that nothing has prefetched.
	want instructions 1539
	want data-refills 512
	want cycles 1539
	want cycles/64 24
	# 30003 instructions, 1000 a period; the handler's last, fewer than 32, are part of the next.
	want interrupts 30
	want other-interrupts 0
	want software 1
	want software-flag 1
	want user-undefined 1
	want user-undefined-en 1
	want user-saw 1
	want user-instructions 309
	want pl1-and-user 1
done
finish
