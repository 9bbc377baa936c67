# SPDX-License-Identifier: MIT
# AArch64 programs, on a row that has AArch64.
. "$SRC/tests/guest/lib.sh"
a64 a64

# a64.S: 3 + 1000 * (7 + 2 + 2) + 4
for way in "-s INST" ""; do
	count -6 $way "$work/a64"
	want 'r["exit"]' 9
	want 't["INST"]' 11007
	want 'r["undecoded"]' 0
done
want 't["LD_RETIRED"]' 3000
want 't["ST_RETIRED"]' 3000
want 't["BR_EXEC"]' 3000
want 't["PC_CHANGE"]' 2999
finish
