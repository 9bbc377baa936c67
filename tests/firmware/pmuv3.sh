#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

# core:PMUVer:counters
for core in cortex-a53:1:6 cortex-a57:1:6 cortex-a72:1:6 neoverse-n1:4:6 generic-v9:9:31; do
	IFS=: read -r name version counters <<<"$core"
	firmware pmuv3 "$name" --board virt --set prefetch.streams=0
	want version "$version"
	want counters "$counters"
	# 512 turns of four instructions, two ISBs and the disabling write; each reads a line that nothing has prefetched.
	want instructions 2051
	want data-refills 512
	want cycles 2051
	# The chained pair started 256 before the low half's end.
	want chained 4003
	want flags 1
	want cycles-passed-32-bits 1
	want cycle-flag 1
	# 40003 instructions, 1000 a period; the handler's last, 10 to 40, are part of the next.
	between interrupts 40 41
	want other-interrupts 0
	want software 1
	want software-flag 1
	want el0-trapped 1
	want el0-trapped-cr 1
	want el0-saw 1
	want el0-instructions 307
	want el1-and-el0 1
	[ "$version" -ge 6 ] || continue
	want long 4003
	want long-flag 0
	# PMUv3p7: the counter wraps after 256 instructions, and everything stands.
	want frozen-counter 0
	want frozen-flag 1
	want frozen-cycles 256
done
finish
