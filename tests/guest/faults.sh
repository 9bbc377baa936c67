# SPDX-License-Identifier: MIT
# A block that a fault leaves early counts only what it executed; so says every way to count.
. "$SRC/tests/guest/lib.sh"
arm fault
arm unknown
arm illegal

# fault.S: 9 + 1000 * (2 + 4 + 2 and the handler's 6) + 3. Without repair each fault would add 7.
for way in "-s INST" "" "-s INST -i INST:5000"; do
	count $way "$work/fault"
	want 'r["exit"]' 0
	want 't["INST"]' 14012
done
# Loads, a round: two of three in the loop's block, the handler's one; two LDR of addresses. Stores: one, one.
count "$work/fault"
want 't["LD_RETIRED"]' 3002
want 't["ST_RETIRED"]' 2000
# 1000 BNE, 1000 BX LR
want 't["BR_EXEC"]' 2000

# illegal.S: 7 + 100 * (4 + 6) + 3
for way in "-s INST" ""; do
	count $way "$work/illegal"
	want 'r["exit"]' 0
	want 't["INST"]' 1010
done

for way in "-s INST" ""; do
	count $way "$work/unknown" 2>/dev/null
	want 'r["signal"]' 4
	want 'r["exit"]' 132
	want 'r["undecoded"]' 1
	want 'hex(r["word"])' 0xf9000000
done

# exceptions.S; system calls: five handlers, getpid, two kills, exit, and 16 returns from handlers.
a64 exceptions
for way in "-s EXC_DABORT -s EXC_PABORT -s EXC_UNDEF -s EXC_OTHER -s SVC_INST" "-s EXC_OTHER -s EXC_UNDEF -s EXC_PABORT -s EXC_DABORT -s CYCLES -s SVC_INST"; do
	count -c cortex-a72 $way "$work/exceptions" 2>/dev/null
	want '[t["EXC_UNDEF"], t["EXC_PABORT"], t["EXC_DABORT"], t["EXC_OTHER"], t["SVC_INST"]]' "[7, 2, 5, 14, 25]"
done
finish
