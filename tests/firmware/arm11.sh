#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

for core in arm1136 arm1156 arm1176; do
	firmware arm11 $core
	# 512 turns of three instructions and the disabling write; the three NOPs fall into the wait after E.
	want instructions 1537
	want data-misses 512
	want cycles 1537
	want cycles/64 24
	# 30001 instructions, 1000 a period: the handler's own after the reload, fewer than 32, are part of the next.
	want interrupts 30
	want entered-again 0
	# AN195 1: an acknowledging write with E clear leaves the request up, so each comes twice.
	want interrupts-e-clear 30
	want entered-again-e-clear 30
	want flag 1
	want flag-masked 1
	want flag-careless 0
	want user-undefined 1
done
finish
