# SPDX-License-Identifier: MIT
# Instructions and branches, counted in three ways (alone, in translated code; with all other signals; with marks), must be
# the sums that the programs' comments give.
. "$SRC/tests/guest/lib.sh"
arm count
arm thumb
arm branches
arm helper
arm page_end

for way in "-s INST,BR_EXEC,BR_IMMED,BR_OTHER" "" "-s INST,BR_EXEC,BR_IMMED,BR_OTHER -i INST:100"; do
	# count.S: 1 + 2 * 1000 + 3 + 1 + 50 * 5 + 2 + 1 + 2
	count $way "$work/count"
	want 'r["exit"]' 7
	want 't["INST"]' 2260
	# 1000 and 50 of BNE, 50 of BL; 50 returns and MOV PC
	want 't["BR_IMMED"]' 1100
	want 't["BR_OTHER"]' 51
	want 't["BR_EXEC"]' 1151

	# thumb.S: 2 + 100 * (4 + inner) + 1 + 2, inner = 3 + 10 * 6 + 2 + 1 + 1 = 67
	count $way "$work/thumb"
	want 't["INST"]' 7105
	# 100 BNE; in inner 10 of B, BL and BNE
	want 't["BR_IMMED"]' 3100
	# 100 BLX; in inner 10 BX LR of leaf, BLX, BX LR of lone_a32, POP PC
	want 't["BR_OTHER"]' 1400
	want 'r["undecoded"]' 0

	# branches.S: 1 + 1000 * (7 + 1) + 500 NOPs + 3; four branches a round
	count $way "$work/branches"
	want 't["INST"]' 8504
	want 't["BR_EXEC"]' 4000

	# page_end.S: 4 + 100 * (5 + 4 + 3 + 3) + 1 + 2; 100 BNE; BLX and BX
	count -c cortex-a7 $way "$work/page_end"
	want 't["INST"]' 1507
	want 't["BR_IMMED"]+t["BR_OTHER"]' 700
	want 'r["undecoded"]' 0

	# helper.S: 2 + 100 * (5 + 1) + 3
	count $way "$work/helper"
	want 't["INST"]' 605
done

# With all signals wanted: changes of the PC. count.S: 999 + 49 loops, 50 calls, 50 returns, MOV PC.
count "$work/count"
want 't["PC_CHANGE"]' 1149
# branches.S: 1000 + 0 + 500 + 999
count "$work/branches"
want 't["PC_CHANGE"]' 2499
# With prediction off each taken branch counts as mispredicted (AN195 5).
count -u predict=0 "$work/branches"
want 't["BR_MIS_PRED"]' 2499
# thumb.S: loads are LDR r8 once, LDR r3 and its other in inner, POP; stores are PUSH
count "$work/thumb"
want 't["LD_RETIRED"]' 301
want 't["ST_RETIRED"]' 100
# 99 of BNE, 100 BLX; in inner 10 of B, BL, BX LR, 9 of BNE, BLX, BX LR, POP
want 't["PC_CHANGE"]' 4399
# page_end.S: 1 + 100 * (3 + 2 + 2)
count -c cortex-a7 "$work/page_end"
want 't["LD_RETIRED"]' 701
finish
