# SPDX-License-Identifier: MIT
# App Note 195, section 9, on Debian's busybox: L1 misses (event 0x0) exceed the requests to the L210, whose line buffers hide repeated reads of a line.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" || fail "Debian's busybox cannot be fetched"

seq 1 3000 >"$work/numbers"
for core in arm1136jf-s arm1156t2-s arm1176jzf-s; do
	for words in "sort -n -r" sha256sum "wc -l"; do
		"$BUILD/apmu" stat -c "$core" --l2c l210 -e 0x0,0x0b,l210/ir-req,l210/ir-hit,l210/dr-req,l210/dr-hit,l210/dw-req,l210/dw-wt,l210/dw-hit \
			-j -o "$work/json" -- "$BUILD/guests/armel/bin/busybox" $words "$work/numbers" >"$work/out" 2>&1 || fail "$core, $words: $(cat "$work/out")"
		python3 - "$work/json" <<'PYTHON' || fail "$core, busybox $words: $(cat "$work/json")"
import json, sys
n = {c["event"]: c["value"] for c in json.load(open(sys.argv[1]))["counters"]}
assert n["0x0"] > n["l210/ir-req"] >= n["l210/ir-hit"] > 0, n
assert n["0x0b"] >= n["l210/dr-req"] > n["l210/dr-hit"] > 0, n
assert n["l210/dw-req"] + n["l210/dw-wt"] >= n["l210/dw-hit"] > 0, n
PYTHON
	done
done
finish
