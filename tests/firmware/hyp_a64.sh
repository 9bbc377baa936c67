#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

# What a guest counted beside 50000 turns of three instructions and an ISB, per interrupt.
handler()
{
	local beside=$(($(value "$1-instructions") - 150001)) interrupts
	interrupts=$(value "$1-interrupts")
	asked=$((asked + 1))
	[ $((beside % interrupts)) = 0 ] || fail "$1: $beside instructions in $interrupts interrupts"
	echo $((beside / interrupts))
}

# guests CORE COUNTERS PROGRAM BOARD ACCESSES: to an interrupt controller that is not there, an interrupt.
guests()
{
	local core=$1 counters=$2 accesses=$5 set_up=0
	[ "$accesses" = 0 ] || set_up=4
	firmware "$3" "$core" --board "$4" --el 2
	want counters "$counters"
	# Whether the other guest runs in between or not.
	for count in instructions cycles interrupts; do
		want first-$count "$(value first-alone-$count)"
		want second-$count "$(value second-alone-$count)"
	done
	# 1000 and 700 instructions a period, and those of the handler up to where it starts the next.
	between first-interrupts 150 157
	between second-interrupts 214 229
	# The second guest's handler makes three accesses to the PMU, which are trapped and so not executed.
	[ $(($(handler first) - $(handler second))) = 3 ] || fail "handlers: $(handler first), $(handler second)"
	want first-ended 1
	want second-ended 1
	want first-saw-counters 2
	want second-saw-counters 2
	want first-memory 1
	want second-memory 2
	# PMCR_EL0 read once, written three times; twelve accesses and the handler's.
	want first-accesses-trapped 4
	want second-accesses-trapped $((12 + 3 * $(value second-interrupts)))
	# Four to set it up, an acknowledge and an end for each interrupt.
	want first-device-accesses $((set_up + accesses * $(value first-interrupts)))
	want second-device-accesses $((set_up + accesses * $(value second-interrupts)))
	want took-turns 1
	want host-counted 1
}

for core in cortex-a53:6 cortex-a57:6 cortex-a72:6 neoverse-n1:6 cortex-a710:20 generic-v9:31; do
	guests ${core%:*} ${core#*:} hyp_a64 virt 2
done
# IHI0069: the guests' interrupts stand in a list register, and their virtual CPU interface is in system registers.
for core in cortex-a53:6 neoverse-n1:6; do
	guests ${core%:*} ${core#*:} hyp_a64_lists virt-gicv3 0
done
finish
