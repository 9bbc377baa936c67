#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The driver's suite inside: tests/driver/suite*.c with real MRC, MCR, MRS and MSR instructions and real interrupts,
# on the machine for every family, and on QEMU's own PMU for the cores that QEMU has.
. "$(dirname "$0")/lib.sh"
build=$BUILD/tests/firmware-driver
mkdir -p "$build"

flags=(-std=gnu11 -O1 -g -Wall -Wextra -ffreestanding -fno-pic -nostdlib -static -ffunction-sections -fdata-sections
	-I"$SRC"/include -I"$SRC"/src -I"$SRC"/tests/driver -I"$SRC"/examples/firmware -DAPMU_NO_TEXT)
link=(-T "$SRC"/examples/firmware/link.ld -Wl,--gc-sections,--build-id=none,--no-warn-rwx-segments)
low=(-Wl,--defsym=RT_BASE=0)
virt=(-Wl,--defsym=RT_BASE=0x40200000 -DRT_UART=0x09000000u)
a32=(-marm -mfloat-abi=soft -mno-unaligned-access)

# suite NAME CORE-ROW BACKEND COMPILER START FLAG...: builds $build/NAME.elf. Only the rig knows of core and backend: suites with the
# same compiler and flags share all other objects.
suite()
{
	local name=$1 row=$2 backend=$3 cc=$4 start=$5
	shift 5
	title="build of $name"
	local shared file object objects=() rig=(-DRIG_CORE="apmu_core_$row" -DRIG_BACKEND="apmu_backend_$backend")
	while [[ $1 == -DRIG_* ]]; do
		rig+=("$1")
		shift
	done
	shared=$build/$(cksum <<<"$cc $*" | cut -d' ' -f1).d
	mkdir -p "$shared"
	$cc "${flags[@]}" "$@" "${rig[@]}" -c "$SRC"/tests/firmware/src/driver_rig.c -o "$build/$name.o" || fail driver_rig.c
	for file in "$SRC"/examples/firmware/{rt.c,$start} "$SRC"/tests/driver/suite*.c "$SRC"/src/{driver,base,model,spec}/*.c $(tables "$row"); do
		case $file in */backend_model.c | */backend_perf*.c | */spec/find.c | */metric.c) continue ;; esac
		object=$shared/$(basename "$(dirname "$file")")-$(basename "$file").o
		objects+=("$object")
		[ "$object" -nt "$newest" ] || $cc "${flags[@]}" "$@" -c "$file" -o "$object" || fail "$file"
	done
	$cc "${flags[@]}" "$@" "${link[@]}" "$build/$name.o" "${objects[@]}" -lgcc -o "$build/$name.elf" 2>"$build/$name.log" ||
		fail "$(head -n 5 "$build/$name.log")"
}

newest=$(find "$SRC"/src "$SRC"/include "$SRC"/tests/driver "$SRC"/tests/firmware "$SRC"/examples/firmware -type f -printf '%T@ %p\n' | sort -n |
	tail -n 1 | cut -d' ' -f2)

arm=arm-none-eabi-gcc
a64=aarch64-linux-gnu-gcc

# passes: what the suite printed last.
passes()
{
	want failures 0
	between checks 1000 100000
	between interrupts 15 100000
	[ "$failed" = 0 ] || head -n 20 "$work/out"
}

inside()
{
	local name=$1 core=$2
	shift 2
	firmware_file "$build/$name.elf" "$core" --max-insns 50000000 "$@"
	passes
	want undefined 0
	between samples 20 40
}

# QEMU 7.2's differences: with -icount an overflow is noticed when the PMU is next accessed, so one sample stands
# for many periods (suite_sample.c asks less there); PMCEID is Undefined on its Cortex-A15, which the hardware has (DDI0438D).
under_qemu()
{
	local name=$1 qemu=$2 cpu=$3 undefined=$4 # at each opening
	title="$name under $qemu -cpu $cpu"
	command -v "$qemu" >/dev/null || { fail "no $qemu (tools/setup --test)"; return; }
	timeout 120 "$qemu" -M virt -cpu "$cpu" -display none -monitor none -serial stdio -net none -semihosting \
		-icount shift=0 -kernel "$build/$name.elf" </dev/null 2>"$work/err" | tr -d '\r' >"$work/out" ||
		fail "exit status $?: $(tail -n 3 "$work/err")"
	passes
	want undefined $((undefined * $(value opens)))
	between samples 1 40
}

suite arm1136 arm1136jf_s cp15_arm11 $arm start_a32.S -mcpu=arm1136j-s "${a32[@]}" "${low[@]}"
inside arm1136 arm1136
suite xscale1 xscale1 cp14_xscale1 $arm start_a32.S -mcpu=xscale "${a32[@]}" "${low[@]}"
inside xscale1 xscale1
suite xscale2 xscale2 cp14_xscale2 $arm start_a32.S -mcpu=xscale "${a32[@]}" "${low[@]}"
inside xscale2 xscale2
suite cortex-a15 cortex_a15 cp15_v7 $arm start_a32.S -march=armv7-a "${a32[@]}" "${virt[@]}"
inside cortex-a15 cortex-a15 --board virt
under_qemu cortex-a15 qemu-system-arm cortex-a15 2
# In Secure state, where HDCR is Undefined.
suite cortex-a15-el3 cortex_a15 cp15_v7 $arm start_a32.S -DRIG_EL=3 -march=armv7-a "${a32[@]}" "${virt[@]}"
inside cortex-a15-el3 cortex-a15 --board virt --el 3
suite cortex-a53 cortex_a53 sysreg $a64 start_a64.S -mgeneral-regs-only -mstrict-align -no-pie "${virt[@]}"
inside cortex-a53 cortex-a53 --board virt
under_qemu cortex-a53 qemu-system-aarch64 cortex-a53 0
suite cortex-a57 cortex_a57 sysreg $a64 start_a64.S -mgeneral-regs-only -mstrict-align -no-pie "${virt[@]}"
under_qemu cortex-a57 qemu-system-aarch64 cortex-a57 0
# `max` is no core: architected events by the generic row's names, as PMCEID has them.
suite max generic_v9 sysreg $a64 start_a64.S -mgeneral-regs-only -mstrict-align -no-pie "${virt[@]}"
under_qemu max qemu-system-aarch64 max 0
inside max neoverse-n2 --board virt
inside max generic-v9 --board virt
finish
