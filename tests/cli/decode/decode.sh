#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu decode: values of registers to fields and back.
. "$(dirname "$0")/../lib.sh"

# AN195: EvtCount0 is above EvtCount1 on ARM11; on XScale evtCount1 is above evtCount0 (80200 12-4).
apmu decode --core arm1136 PMNC 0x00506701
exits 0
[ "$out" = "PMNC = 0x00506701 on arm1136jf-s: Performance Monitor Control

   bits  field           access      value  meaning
  31:28  -               write as 0    0x0  reserved
  27:20  EvtCount0/EVT0  read/write    0x5  BR_EXEC: event counted by count register 0
  19:12  EvtCount1/EVT1  read/write    0x6  BR_MISPREDICT: event counted by count register 1
     11  X               read/write      0  drive the events on EVNTBUS; 0 holds it at 0
     10  CCR/OCC         1 clears        1  cycle counter overflow flag; write 1 to clear
      9  CR1/OC1         1 clears        1  count register 1 overflow flag; write 1 to clear
      8  CR0/OC0         1 clears        1  count register 0 overflow flag; write 1 to clear
      7  -               write as 0      0  reserved
      6  ECC             read/write      0  report a cycle counter overflow on nPMUIRQ
      5  EC1             read/write      0  report a count register 1 overflow on nPMUIRQ
      4  EC0             read/write      0  report a count register 0 overflow on nPMUIRQ
      3  D               read/write      0  0: count every cycle; 1: every 64th
      2  C               write 1         0  reset the cycle counter
      1  P               write 1         0  reset both count registers
      0  E               read/write      1  enable all three counters; an interrupt request falls only with E set" ] ||
	fail "$said:"$'\n'"$out"
apmu decode --core xscale1 PMNC 0x00506701
prints "27:20  evtCount1/EVT1"
prints "0x5  BRANCH:"
prints "0x6  BRANCH_MISS:"

# A name that stands on several cores: it says whose it took, and which others have the same fields (not ARM1156, with its FIQ enables).
apmu decode PMNC 0x14000001
prints "on arm1136jf-s"
prints "The same register: arm1136jf-s, arm1176jzf-s."
prints "Another of this name, in another form: arm1156t2-s, xscale1, xscale2, cortex-a5, "
apmu decode PMCR_EL0 0x41 # without AArch32 LC, X and D are fixed
prints "The same register: a64fx, cortex-a34, cortex-a65, cortex-a65ae, cortex-r82, neoverse-e1."

# Encodings, spelled in several ways.
for encoding in p14,0,c8,c1,0 'cp14 0,c8,c1,0' 'MRC p14, 0, r2, c8, c1, 0'; do
	apmu decode "$encoding" 0x0a0b
	exits 0
	prints "EVTSEL = 0x00000a0b on xscale2"
done
apmu decode cp14 0,c8,c1,0 0x0a0b
prints "0xb  DCACHE_MISS:"

# PMUv3: a register has a name and an encoding in each state, one more in the frame, and a number where there are several.
for spelling in PMCR_EL0 PMCR S3_3_C9_C12_0 s3_3_c9_c12_0 p15,0,c9,c12,0 0xE04 'offset 0xE04'; do
	apmu decode --core cortex-a53 $spelling 0x41033000
	exits 0
	prints "PMCR_EL0 = 0x0000000041033000 on cortex-a53"
	prints "15:11  N       read           0x6"
done
apmu decode --core cortex-a32 HDCR 0x86 # AArch32's name of MDCR_EL2
exits 0
prints "4:0  HPMN   read/write     0x6  event counters in the first range"
# An encoding of an upper half, and a name that has no other encoding (PMUV3SHEET 1.2, 2.13): its bit 0 is bit 32 of the register.
for spelling in PMCEID2 p15,0,c9,c14,4 0xE28; do
	apmu decode --core neoverse-n1 $spelling 0xf
	exits 0
	prints " = 0x0000000f on neoverse-n1"
	prints "63:32  IDhi   read      0xf  events 0x4000"
	[[ $out != *" 31:0 "* ]] || fail "$said: the lower half: $out"
	apmu decode --core neoverse-n1 $spelling 0x100000000
	exits 2
done
apmu decode --core generic-v9-aa32 0xA04 0x20000005
prints "63:61  TC     read/write     0x1"
prints "43:32  TH     read/write     0x5"
apmu decode --core generic-v9-aa32 0xA04 --set TC=1,TH=5
prints "PMEVTYPER1_EL0 = 0x20000005 on generic-v9-aa32"
apmu decode --core cortex-a53 PMEVTYPER3_EL0 0x80000011
exits 0
prints "PMEVTYPER3_EL0 = 0x0000000080000011 on cortex-a53"
prints "0x11  CPU_CYCLES"
apmu decode --core cortex-a53 S3_3_C14_C12_3 0x80000011
prints "0x11  CPU_CYCLES"
refuses 2 "apmu decode: cortex-a53 has no register 'PMEVTYPER9_EL0'; cores that have it: $(cores_of pmuv3 at least 10)" decode --core cortex-a53 PMEVTYPER9_EL0 0
# An encoding says which counter it is of, and is of none beyond the core's last.
for encoding in S3_3_C14_C12_5 p15,0,c14,c12,5 0x414; do
	apmu decode --core cortex-a53 $encoding 0x11
	prints "PMEVTYPER5_EL0 = 0x0000000000000011 on cortex-a53"
done
apmu decode --core cortex-a9 0x404 0x11
prints "PMXEVTYPER1 = 0x00000011 on cortex-a9"
for encoding in S3_3_C14_C12_6 p15,0,c14,c12,6 0x418; do
	apmu decode --core cortex-a53 $encoding 0x11
	exits 2
	says "cortex-a53 has no register '$encoding'; cores that have it: "
done
# An event number above 0x3ff has its upper bits in a field of their own (PMUv3p1).
apmu decode --core neoverse-n2 PMEVTYPER0_EL0 0x4004
prints "15:10  evtCountHi  read/write    0x10"
prints "0x4  CNT_CYCLES: event"
apmu decode -j --core a64fx PMEVTYPER0_EL0 0x80008000
holds '[.fields[].event | select(.)] == ["SIMD_INST_RETIRED"]'
apmu decode -j --core neoverse-n2 PMEVTYPER0_EL0 0x8000FC04 --set evtCount=CNT_CYCLES,U=1
holds '.value == 3221241860'
apmu decode --core cortex-x4 PMEVTYPER0_EL0 --set evtCount=0x8006
prints "PMEVTYPER0_EL0 = 0x0000000000008006"
refuses 2 "apmu decode: PMEVTYPER<n>_EL0.evtCount: '0x10000' is not an event or a number from 0 to 0xffff" decode --core cortex-x4 PMEVTYPER0_EL0 --set evtCount=0x10000
apmu decode -j --core neoverse-n2 PMEVTYPER0_EL0 0xFC04 --set evtCount=L1D_CACHE
holds '.value == 4'
apmu decode --core cortex-a53 PMEVTYPER0_EL0 0x8011 # no such field: bits 15:10 are reserved
prints "0x11  CPU_CYCLES: event"
for spelling in p15,0,c9 'mrrc p15, 0, r2, r3, c9'; do
	apmu decode --core cortex-a15 "$spelling" 1
	exits 2
	apmu decode --core cortex-a53 "$spelling" 1
	prints "PMCCNTR_EL0 = 0x0000000000000001"
done

# Without AArch32 PMCR.LC is 1 whatever is written; of many cores the first few are named.
apmu decode --core a64fx PMCR_EL0 0x1
prints "6  -       reserved, 1      0  reserved, and should be 1"
apmu decode --core a64fx PMCR_EL0 0x41
prints "6  -       reserved, 1      1  reserved"
apmu decode PMMIR_EL1 0
prints "The same register: "
grep -qE "^The same register: ([a-z0-9-]+, ){7}[a-z0-9-]+ and [0-9]+ more\.$" "$work/out" || fail "$said: $out"

# A reserved bit that is set is said to be wrong; FIQ enables are the ARM1156's alone.
apmu decode --core arm1136 PMNC 0xf0000080
prints "reserved, and should be 0"
apmu decode --core arm1156 PMNC 0x40000000
prints "30  FCC"
refuses 2 "apmu decode: PMNC has no field 'FCC'; did you mean 'OCC'?" decode --core arm1136 PMNC --set FCC=1

# Put together, and back.
apmu decode --core arm1176 PMNC --set EVT0=BR_EXEC,EvtCount1=0x06,E=1,C=1,ECC=1
prints "PMNC = 0x00506045 on arm1176jzf-s"
apmu decode --core arm1176 PMNC 0x00506045 --set E=0,evt1=instructions
prints "PMNC = 0x00507044 on arm1176jzf-s"
apmu decode --core arm1176 PMNC --set EVT0=5 --set E=1 --set C=1
prints "PMNC = 0x00500005 on arm1176jzf-s"
# The words of a whole encoding are none of them a value; what stands behind them is.
apmu decode --core cortex-a53 p15 0 c9 c12 1 --set C=1
prints "PMCNTENSET_EL0 = 0x0000000080000000 on cortex-a53"
apmu decode --core cortex-a53 p15 0 c9 c12 1 2 --set C=1
prints "PMCNTENSET_EL0 = 0x0000000080000002 on cortex-a53"
apmu decode --core cortex-a53 offset 0xE04 --set E=1
prints "PMCR_EL0 = 0x0000000000000001 on cortex-a53"
apmu decode -j --core xscale2 EVTSEL --set evtCount0=INSTRUCTION,evtCount3=0xff
exits 0
holds '.register == "EVTSEL" and .core == "xscale2" and .value == 4278190087'
holds '[.fields[].field] == ["evtCount3", "evtCount2", "evtCount1", "evtCount0"]'
holds '.fields[3] | .event == "INSTRUCTION" and .hi == 7 and .lo == 0 and .value == 7'
apmu decode -j --core xscale2 PMNC 0x14000001
holds '.fields[0] == {"field": "ID", "hi": 31, "lo": 24, "access": "constant", "value": 20,
	"text": "identification; writes are ignored"}'
holds '[.fields[] | .hi - .lo + 1] | add == 32'
# Bits that a PMU only keeps have no name, by which --set could mean one of them.
apmu decode -j --core cortex-a53 MDCR_EL2 0x3f86
holds '[.fields[].field | select(. != null)] == ["HPME", "TPM", "TPMCR", "HPMN"]'
holds '.fields[] | select(.hi == 16) | .field == null and .access == "read/write" and .value == 63'
refuses 2 "apmu decode: MDCR_EL2 has no field '-'; 'apmu list registers -v --core cortex-a53' has them all" decode --core cortex-a53 MDCR_EL2 --set -=1
apmu decode -j --core cortex-a76 PMCCNTR_EL0 0xFFFFFFFFFFFFFFFE
holds '.value == "0xfffffffffffffffe" and .fields[0].value == "0xfffffffffffffffe"'

# Several registers, as a dump has them: on the first core that has them all.
apmu decode PMCR=0x41002001 PMOVSR=0x80000001
prints "PMCR = 0x41002001 on cortex-a5"
prints "PMOVSR = 0x80000001 on cortex-a5"
apmu decode -j --core cortex-a53 PMCR_EL0=1 PMCNTENSET_EL0=0x80000003
exits 0
[ "$(jq -r .register <<<"$out" | paste -sd' ')" = "PMCR_EL0 PMCNTENSET_EL0" ] || fail "$said: $out"
refuses 2 "apmu decode: '2' is not REGISTER=VALUE, which several registers take" decode PMCR=1 2
refuses 2 "apmu decode: 'PMNC 1': a register has one value; several registers are given as REGISTER=VALUE" decode PMNC 1 2
refuses 2 "apmu decode: '700b01' is not a number that fits 32 bits; a hexadecimal one begins with 0x" decode PMNC 700b01

# Dumps of other tools: names with values of OpenOCD, gdb, Arm DS and scripts; memory as U-Boot's md, OpenOCD's mdw and gdb's x print it.
cat >names.txt <<'END'
(35) pmcr_el0 (/64): 0x0000000041033001
PMCNTENSET_EL0       0x80000003          2147483651
PMOVSCLR_EL0  64  R/W  0x0000_0001
(gdb) PMUSERENR_EL0=f; PMSELR_EL0 = 1f, PMEVTYPER2_EL0: 11
S3_3_C9_C13_0,0x12345
x0 0x1 sp 0xffff PMINTENSET_EL1
END
sed 's/$/\r/' names.txt >crlf.txt
for file in names.txt crlf.txt; do
	apmu decode --core cortex-a53 --file $file
	exits 0
	[ "$(sed -n 's/ on cortex-a53: .*//p' <<<"$out" | paste -sd '|')" = "PMCR_EL0 = 0x0000000041033001|PMCNTENSET_EL0 = 0x0000000080000003|PMOVSCLR_EL0 = 0x0000000000000001|PMUSERENR_EL0 = 0x000000000000000f|PMSELR_EL0 = 0x000000000000001f|PMEVTYPER2_EL0 = 0x0000000000000011|PMCCNTR_EL0 = 0x0000000000012345" ] ||
		fail "$said: $out"
done
apmu decode -j -f - <names.txt # on the first core that has them all
[ "$(jq -r .core <<<"$out" | sort | uniq -c | sed 's/^ *//')" = "7 a64fx" ] || fail "$said: $out"
cat >md.txt <<'END'
=> md.l fee00c00 2; md.l fee00e00 4
fee00c00: 80000003 00000000                      ........
fee00e00: 0000000f 41033001 00000000 00000000    .....0.A........
END
printf '0xfee00c00:\t0x80000003\t0x00000000\r\n0xfee00e00 : 0\n0xfee00e00: 0x410330010000000f 0000000000000000\n' >x.txt
for file in md.txt x.txt; do
	apmu decode --core cortex-a53 -f $file
	exits 0
	prints "PMCNTENSET_EL0 = 0x0000000080000003 on cortex-a53"
	prints "PMCFGR = 0x0000000f on cortex-a53"
	prints "PMCR_EL0 = 0x0000000041033001 on cortex-a53"
done
refuses 2 "apmu decode: md.txt: words of memory need --core, which says what stands where" decode -f md.txt
refuses 2 "apmu decode: names.txt: no register that is known here with a value" decode --core cortex-a9 -f names.txt
refuses 2 "apmu decode: --file names all registers: leave out REGISTER and --set" decode -f names.txt PMNC 1
refuses 1 "apmu decode: nowhere: No such file or directory" decode -f nowhere
refuses 1 "apmu decode: .: Is a directory" decode -f .
head -c 300000 /dev/urandom >noise
apmu decode -f noise
[ "$code" -le 2 ] || fail "$said: exit $code: $err"

verdict
