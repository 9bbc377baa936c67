#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

firmware xscale1 xscale1
# 512 turns of three instructions, and the disabling write. Nothing waits after E.
want instructions 1537
want data-misses 512
want cycles 1537
want cycles/64 24
# 3001 of the loop; what the handler adds before it stops the counters and after it starts them.
between instructions-64 3002 3100
between cycles-64 3002 3100
# Both start at the same count and wrap in the same cycle: two flags, one interrupt.
want overflows 2
want interrupts 1
want flag 1
want entered-again-e-clear 0
want user-undefined 1

firmware xscale2 xscale2
want id 20
want instructions 1537
want data-accesses 512
want data-misses 512
want parked 0
want cycles 1537
want cycles/64 24
between instructions-64 3002 3100
between cycles-64 3002 3100
want interrupts 1
# IXP42X: the request ends with the flag or with its enable.
want entered-without-enable 0
want flag 2
want entered-with-enable 1
want flag-after 0
want user-undefined 1
finish
