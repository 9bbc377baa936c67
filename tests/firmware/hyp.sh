#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

for core in cortex-a7:4 cortex-a15:6 cortex-a17:6; do
	firmware hyp ${core%:*} --board virt --el 2
	want counters ${core#*:}
	# HPMN 2: what the guest sees of PMCR.N, and of the enables it sets for four counters.
	want guest-counters 2
	want guest-enabled 3
	# 1000 turns of three instructions, two ISBs and the disabling write.
	want guest-instructions 3003
	want guest-for-the-host 1
	want host-counted 1
	# MRC p15, 0, r, c9, c13, 0 under HDCR.TPM: class 0x03, CRn 9, CRm 13; the guest gets the host's value.
	want traps 1
	want trapped-class 3
	want trapped-register 913
	want guest-read 4711
	# Some 30,060 guest instructions, 1000 a period; the guest masks interrupts all the while.
	want interrupts 30
done
finish
