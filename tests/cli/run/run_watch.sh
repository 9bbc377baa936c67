#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu run --trace-pmu and --vcd, on a firmware whose accesses are known.
. "$(dirname "$0")/../lib.sh"
elf=$BUILD/examples/firmware/xscale1.elf

apmu run -c xscale1 --cpi 1 --trace-pmu "$elf"
exits 0
prints "instructions 1537"
# A write is shown with its fields and events by name and its address; a counter is one number.
grep -qE '^ +[0-9]+  0x[0-9a-f]{8} <on_overflow\+0x[0-9a-f]+> +read  PMNC = 0x00b07551  E IE0 IEC F0 FC evtCount0=0x7\(INSTRUCTION\) evtCount1=0xb\(DCACHE_MISS\)$' err ||
	fail "no decoded read in the handler: $(grep -m 3 on_overflow err)"
grep -qE ' read  PMN0 = 0x00000601$' err || fail "no plain counter: $(grep -m 3 PMN0 err)"
grep -qE ' read  PMNC  undefined at EL0$' err || fail "the refused access is not there"
# The request rises, the interrupt is taken, the handler's write takes the request away: in this order, once each.
order=$(sed -nE 's/.*(PMU interrupt request (up|down)|IRQ taken).*/\1/p' err | head -n 3 | paste -sd ' ' -)
[ "$order" = "PMU interrupt request up IRQ taken PMU interrupt request down" ] || fail "order: $order"
[ "$(grep -c 'IRQ taken' err)" = 1 ] || fail "$(grep -c 'IRQ taken' err) interrupts"
# Every address of an access is an MRC or MCR p14 of the program.
arm-none-eabi-objdump -d "$elf" | sed -nE 's/^ +([0-9a-f]+):\t[0-9a-f]+ \t(mrc|mcr)\t14,.*/\1/p' | sort -u >known
sed -nE 's/^ +[0-9]+  0x0*([0-9a-f]+) .* (read|write) .*/\1/p' err | sort -u >seen
[ "$(wc -l <seen)" -gt 15 ] && [ -z "$(comm -13 known seen)" ] || fail "accesses at $(comm -13 known seen)"

# Every line that this core has is named.
apmu run -c cortex-a53 -b virt --trace-pmu "$BUILD/examples/firmware/pmuv3.elf"
exits 0
[ "$(sed -nE 's/^ +[0-9]+ +PMU (.*) (up|down)$/\1/p' err | sort -u | paste -sd ,)" = "interrupt request,trigger to CTI and ETE" ] ||
	fail "lines: $(sed -nE 's/^ +[0-9]+ +PMU /PMU /p' err | sort | uniq -c)"

# An event number above 0x3ff is named by all of its bits.
printf '\x80\x00\x88\xd2\x00\xec\x1b\xd5' >event # mov x0, #0x4004; msr pmevtyper0_el0, x0
apmu run -c neoverse-n2 -b virt --raw 0x40000000 --max-insns 2 --trace-pmu event
says "write PMEVTYPER0_EL0 = 0x00004004  evtCount=0x4(CNT_CYCLES) evtCountHi=0x10"

# An event is named where it is the register's only field (PMUv1 has no filters), and so is a single bit.
apmu run -c cortex-a8 -b virt --trace-pmu "$BUILD/examples/firmware/armv7.elf"
exits 0
says "write PMXEVTYPER = 0x00000008  evtCount=0x8(INST_RETIRED)"
says "write PMUSERENR = 0x00000001  EN"
grep -qE ' write PMSELR = 0x00000001$' err || fail "no plain selection: $(grep -m 3 PMSELR err)"

# An image without symbols: addresses alone.
arm-none-eabi-objcopy -O binary "$elf" image
apmu run -c xscale1 --cpi 1 --raw 0 --trace-pmu image
exits 0
says "write PMNC = "
[[ $err != *"<"* ]] || fail "names from nowhere"

apmu run -c xscale1 --cpi 1 --vcd wave.vcd "$elf"
exits 0
[ "$(head -n 2 wave.vcd | tail -n 1)" = '$timescale 1 ns $end' ] || fail "no waveform: $(head -n 3 wave.vcd)"
grep -q '^\$var wire 33 .. overflow \$end$' wave.vcd || fail "no overflow flags in the waveform"
# An instruction may take more than 65,535 cycles.
apmu run -c neoverse-n2 -b virt --cpi 70000 --raw 0x40000000 --max-insns 2 --vcd wave.vcd event
[ "$(grep " $(awk '$5 == "event_cycles" { print $4 }' wave.vcd)\$" wave.vcd | head -n 1 | cut -d ' ' -f 1)" = b10001000101110000 ] ||
	fail "an instruction of 70,000 cycles: $(cat wave.vcd)"
apmu run -c xscale1 --cpi 1 --vcd /dev/full "$elf"
exits 1
[ "$err" = "apmu run: /dev/full: No space left on device" ] || fail "$said: $err"
# Bits of MDCR_EL2 that are no PMU's have no name to show.
aarch64-linux-gnu-gcc -nostdlib -static -Wl,-N,-Ttext=0x40200000,--build-id=none,--no-warn-rwx-segments -x assembler -o kept - <<'END' || fail "no program"
	.globl _start
_start:	mov x1, #0x3f86
	msr mdcr_el2, x1
	adr x1, 1f
	mov w0, #0x18
	hlt #0xf000
	.balign 8
1:	.quad 0x20026, 0
END
apmu run -c cortex-a53 -b virt --el 2 --trace-pmu kept
exits 0
[[ $err == *'write MDCR_EL2 = 0x00003f86  HPMN=0x6 HPME' ]] || fail "$said: $err"
refuses 2 "apmu run: --vcd '-' is not a file, and the program prints to standard output" run -c xscale1 --vcd - "$elf"
refuses 1 "apmu run: cannot write '/nowhere/wave.vcd': No such file or directory" run -c xscale1 --vcd /nowhere/wave.vcd "$elf"
verdict
