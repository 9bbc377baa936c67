#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Address spaces: tests/firmware/src/spaces_*.c, whose two pages each are refilled for their own ASID or VMID alone, and
# which of them maintenance throws out.
. "$(dirname "$0")/lib.sh"

flags=(-std=gnu11 -O1 -g -Wall -Wextra -Werror -Wno-unused-function -ffreestanding -fno-pic -nostdlib -static -I"$SRC"/examples/firmware)
link=(-T "$SRC"/examples/firmware/link.ld -Wl,--build-id=none,--no-warn-rwx-segments)
rt=$SRC/examples/firmware

# guest CORE SOURCE FLAG...: built and run from reset.
guest()
{
	local core=$1 source=$2 start=start_a64 board=(-b virt) gcc=aarch64-linux-gnu-gcc
	shift 2
	title="$source $* on $core"
	case $source in
	spaces_vm) start=start_hyp_a64 board=(-b virt --el 2) ;;
	spaces_a32) start=start_a32 board=() gcc=arm-none-eabi-gcc ;;
	esac
	if [ "$source" = spaces_a32 ]; then
		set -- -marm -mfloat-abi=soft -mno-unaligned-access "$@" -Wl,--defsym=RT_BASE=0
	else
		set -- -mgeneral-regs-only -mstrict-align -no-pie -DRT_UART=0x09000000u -Wl,--defsym=RT_BASE=0x40200000
	fi
	$gcc "${flags[@]}" "$@" "${link[@]}" "$rt/$start.S" "$rt"/rt.c "$SRC/tests/firmware/src/$source.c" \
		$([ "$source" = spaces_a32 ] && echo -lgcc) -o "$work/guest" || fail "the guest does not build"
	timeout 60 "$APMU" run -c "$core" "${board[@]}" "$work/guest" >"$work/out" 2>"$work/err" || fail "$(head -n 2 "$work/err")"
}

# each WHAT OF-1 OF-2
each()
{
	want "$1-of-1" "$2"
	want "$1-of-2" "$3"
}

# Each space brings its own pages once; to and fro costs nothing.
two_spaces()
{
	each first 2 2
	each again 0 0
	want ping-pong 0
	each by-all 2 2
}

# DDI0487 C5.5, DDI0406C B3.10.5: by ASID: what is not global and of that ASID; by page: of that ASID, or global.
by_asid()
{
	each global 2 0
	each by-asid 2 0
	want by-asid-global 0
	want by-asid-global-of-2 0
	each by-page 0 1
	want by-page-global 1
	want by-page-global-of-2 0
}

# A flat page at a second address; libunicorn 2.1 tells physical addresses, which are the same.
upper()
{
	case ${APMU_UNICORN:-2.0} in 2.0*) ;; *) return ;; esac
	want upper-first 2
	want upper-by-page 1
	want upper-same-asid 0
	want upper-other-asid 2
	want upper-other-base 0
}

for core in cortex-a53 cortex-a72 neoverse-n1; do
	guest $core spaces_a64
	two_spaces
	by_asid
	each by-last 0 1
	each by-any 1 1
	each by-any-last 1 1
	each by-shared 1 0
	upper
	want eight-bits 0
	want sixteen-bits 2
	want sixteen-by-asid-of-2 0
	want sixteen-by-asid 2

	guest $core spaces_vm
	two_spaces
	each by-guest 2 0
	each by-host 0 0
done
# ID_AA64MMFR1_EL1.VMIDBits: 16 bits from Armv8.1 on.
want eight-bits 0
want sixteen-bits 2

for core in arm1136 arm1176; do
	guest $core spaces_a32 -mcpu=arm1136j-s -DWORLD_ARM11
	two_spaces
	by_asid
done

for core in cortex-a9 cortex-a15 cortex-a15:LONG; do
	guest ${core%:*} spaces_a32 -march=armv7-a -DWORLD_ARMV7 $([ ${core#*:} = LONG ] && echo -DLONG)
	two_spaces
	by_asid
	each by-any 1 1
done
want other-base 0
want second-base 0

# A7TRM 5.3.1: maintenance flushes the micro-TLBs, whose refills these are; A5TRM 6.3.1: so does a change of CONTEXTIDR.
guest cortex-a7 spaces_a32 -march=armv7-a -DWORLD_ARMV7
two_spaces
each global 2 0
each by-asid 2 2
want by-asid-global 2
want by-asid-global-of-2 0
each by-page 2 2
want by-page-global 2
want by-page-global-of-2 0
guest cortex-a5 spaces_a32 -march=armv7-a -DWORLD_ARMV7
each first 2 2
each again 2 2
want ping-pong 200
each global 2 2

# DDI0100I B8: what lies below 32 MiB is the process's own; maintenance names it by its modified address.
guest xscale2 spaces_a32 -mcpu=xscale -DWORLD_XSCALE2
two_spaces
each global 2 0
each by-page 0 1
each by-own 1 0
want by-page-global 1
want by-page-global-of-2 0
each by-code 0 0
finish
