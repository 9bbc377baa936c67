#!/bin/sh
# SPDX-License-Identifier: MIT
# The generator refuses a description with gaps, overlaps, unknown words or duplicate encodings, and names the line.
set -u
SRC=${SRC:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# refuse FILE SED-SCRIPT MESSAGE: with FILE edited, specgen must fail and say MESSAGE after "FILE:line:".
refuse()
{
	rm -rf "$work/tree"
	mkdir -p "$work/tree/include" "$work/tree/src/spec"
	cp -r "$SRC/spec" "$work/tree/spec"
	cp -r "$SRC/include/apmu" "$work/tree/include/apmu"
	cp -r "$SRC/src/spec/gen" "$work/tree/src/spec/gen"
	sed -i "$2" "$work/tree/spec/$1"
	if cmp -s "$SRC/spec/$1" "$work/tree/spec/$1"; then
		echo "the edit '$2' changed nothing in $1"
		failed=1
	elif said=$("$SRC/tools/specgen" "$work/tree" 2>&1); then
		echo "accepted: $1 with '$2'"
		failed=1
	else
		case $said in
		*"$1:"*"$3"*) ;;
		*) echo "wanted '$1:<line>: ... $3', got: $said"; failed=1 ;;
		esac
	fi
}

refuse qemu.txt 's/ zva 64 / zvb 64 /' 'expected: model'
refuse regs/arm11.reg '/^unp    7$/d' 'starts at bit 6, not 7'
refuse regs/arm11.reg 's/^unp    7$/unp    8:7/' 'starts at bit 8, not 7'
refuse regs/arm11.reg '/^field  0     E /d' 'have no field'
refuse regs/arm11.reg 's/rw divide/rw divid/' "unknown place 'divid'"
refuse regs/arm11.reg 's/w1c overflow\[c\]/w1x overflow[c]/' "unknown kind 'w1x'"
refuse regs/arm11.reg 's/el0 user-valid/el0 user-vlid/' "unknown right 'user-vlid'"
refuse regs/arm11.reg 's/^src    AN195 2/src    AN196 2/' "unknown source 'AN196'"
refuse regs/arm11.reg 's/^view   cp 15 0,c15,c12,1/view   cp 15 0,c15,c12,2/' 'its encoding stands twice'
refuse regs/arm11.reg 's/ if fiq else unp/ if fiqs else unp/' "unknown feature 'fiqs'"
refuse regs/arm11.reg 's/^view /vieww/' "unknown word 'vieww'"
refuse regs/xscale2.reg 's/ID 0x14 /ID 0x114 /' 'the constant does not fit'
refuse events/arm1136.evt 's/^event  0x01 /event  0x00 /' '0x00 stands twice'
refuse events/arm1136.evt 's/= L1I_MISS/= L1I_MISSES/' "unknown signal 'L1I_MISSES'"
refuse events/arm1136.evt 's/bus 1 /bus 0 /' 'bus bits overlap'
refuse events/arm1136.evt 's/^alias  cache-references DCACHE_ACCESS/alias  cache-references DCACHE_ACCESSES/' 'no event DCACHE_ACCESSES'
refuse events/arm1136.evt 's/ modelled "/ model "/' "unknown word 'model'"
refuse events/arm1136.evt 's/= L1I_MISS bus 0 modelled/= L1I_MISS bus 0 exact/' 'counts architectural signals alone, and L1I_MISS is not one'
refuse events/armv8.evt 's/= BR_EXEC - PC_CHANGE exact/= BR_EXEC - BR_MIS_PRED exact/' 'and BR_MIS_PRED is not one'
refuse signals.sig 's/^architectural INST LD/architectural INSTS LD/' "unknown signal 'INSTS'"
refuse cores/arm1136jf-s.core 's/^line     latched/line     latch/' "unknown rule 'latch'"
refuse cores/arm1176jzf-s.core 's/^alias    arm1176 /alias    arm1136 /' 'already names'
refuse cores/xscale1.core 's/^errata   flag-loss/errata   flags-loss/' "unknown errata 'flags-loss'"
refuse cores/xscale1.core 's/^qemu /qmu /' "unknown key 'qmu'"
refuse cores/cortex-a53.core 's/^default .*/default  a64 a32=x/' 'default is a64 or a32=NUMBER, not a32=x'
refuse cores/cortex-a53.core 's/^default .*/default  a64 a32=0/' 'default a32=0 is already that of arm1136jf-s'
refuse events/cortex-a53.evt '/^of /a event  0x0008 INST_RETIRED = INST exact "text"' 'a table of armv8 holds `std` alone'
refuse events/cortex-r5.evt 's/^like .*/like   cortex-r6/' "unknown event table 'cortex-r6'"
refuse events/cortex-r5.evt 's/^event  0x6E/event  0x6D/' '0x6D stands twice'
refuse groups/arm11.grp 's|CYCLES / INSTR_EXEC|CYCLES / / INSTR_EXEC|' 'an operator lacks an operand'
refuse groups/arm11.grp 's|CYCLES / INSTR_EXEC|CYCLES / INSTRUCTIONS|' 'no event INSTRUCTIONS'
refuse groups/xscale.grp 's/^for    xscale1 xscale2/for    xscale9/' 'no event table xscale9'
refuse signals.sig 's/^signal CYCLES .*/signal CYCLES/' 'expected: signal'
refuse signals.sig 's/^signal L1D_MISS\(.*\) l1d /signal L1D_MISS\1 l1k /' "unknown unit or detail 'l1k'"
exit $failed
