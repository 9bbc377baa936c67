# SPDX-License-Identifier: MIT
# A mark comes at the first block after each interval of the signal; counts never decrease; runs repeat exactly.
. "$SRC/tests/guest/lib.sh"
arm branches

# 8504 instructions in blocks of at most four: a mark after each 1000, at most 3 late, and the last.
count -i INST:1000 "$work/branches"
want 'len(r["marks"])' 9
want 'all(1000 * (i + 1) <= m["INST"] < 1000 * (i + 1) + 4 for i, m in enumerate(r["marks"][:-1]))' True
want '[m["last"] for m in r["marks"]].count(True)' 1
want 'r["marks"][-1]["INST"]' 8504
want 'r["lost"]' 0

# The start of a C library, run twice in the same environment.
printf '#include <stdio.h>\nint main(void) { return printf("%%p", (void *)stdout) < 0; }\n' >"$work/hello.c"
arm-linux-gnueabi-gcc -O1 -static "$work/hello.c" -o "$work/hello" || exit 1
for run in 1 2; do
	count -i CYCLES:10000 "$work/hello"
	sed 's/"pid": [0-9]*, "tid": [0-9]*//' "$work/out" >"$work/run$run"
	mv "$work/stdout" "$work/said$run"
done
cmp "$work/run1" "$work/run2" || fail "two runs differ"
cmp "$work/said1" "$work/said2" || fail "two runs print different addresses"
want 'len(r["marks"]) > 3' True
finish
