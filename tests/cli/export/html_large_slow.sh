#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A page of 10^7 samples at 100,000 addresses and 20,000 call tree nodes stays under 5 MB and can be used. The time until its first
# table was built and drawn, by the browser's clock, is printed and not checked; that it does not wait for the samples is checked.
. "$(dirname "$0")/../lib.sh"
export HOME=$work

aarch64-linux-gnu-gcc -static -no-pie -g -O2 "$SRC/tests/guest/src/symbols/inlined.c" -o prog || exit 1
# profile FILE TIMES: writes a profile of 100,000 addresses with TIMES samples each
profile()
{
	python3 - "$work/prog" "$2" <<'PYTHON' | python3 "$SRC/tests/cli/profile.py" "$1" || exit 1
import random, subprocess, sys
random.seed(3)
names = [l.split() for l in subprocess.run(["aarch64-linux-gnu-nm", "-S", sys.argv[1]], capture_output=True, text=True).stdout.splitlines()]
code = [(int(n[0], 16), int(n[1], 16)) for n in names if len(n) == 4 and n[2] in "tTwW"]
print(f"program {sys.argv[1]}\nargv prog\nchains\nevent cpu-cycles C cycles 100\nmap 0x400000 0x480000 0 {sys.argv[1]}\nthread 0 1")
for i in range(1, 20001):
    start, size = random.choice(code)
    print(f"frame {start + random.randrange(0, size, 4)} {random.randrange(max(0, i - 300), i)}")
at = 0
for i in range(100000):
    start, size = random.choice(code)
    print(f"sample {start + random.randrange(0, size, 4)} {at} weight=100 chain={random.randrange(20000)} times={sys.argv[2]} step=7")
    at += 700
print(f"total 0 {10000000 * int(sys.argv[2])}")
PYTHON
}
profile large.data 100
profile small.data 1
apmu export html -i large.data -o page.html
exits 0
[ -z "$err" ] || fail "$err"
size=$(stat -c %s page.html)
echo "10^7 samples: a page of $size bytes"
[ "$size" -lt 5000000 ] || fail "the page has $size bytes"
apmu export html -i small.data -o small.html
exits 0
[ $((size * 10)) -lt $(($(stat -c %s small.html) * 11)) ] || fail "100 times the samples: $size bytes after $(stat -c %s small.html)"

# The first table stands before the browser has read what it does not need, and is whole soon after.
first='performance.getEntriesByName("apmu: first view")[0]'
drawn='performance.getEntriesByName("apmu: first view drawn")[0]'
for _ in 1 2 3 4 5; do
	python3 "$SRC/tests/cli/browser.py" "file://$work/page.html#view=functions" "until !!$drawn" "$first.detail.read" \
		"Math.round($first.startTime)" "Math.round($drawn.startTime)" 'until document.querySelectorAll("#functions tbody tr").length >= 500' \
		'document.querySelectorAll("#functions tbody tr").length' >seen || fail "the page cannot be looked at"
	{ read -r whole && read -r stood && read -r seen_at && read -r rows; } <seen
	[ "$whole" = false ] || fail "the first table waited for the page's end: $(cat seen)"
	[ "$rows" -le 1000 ] || fail "rows of the first table: $rows"
	echo "$stood $seen_at" >>times
done
echo "10^7 samples: the first table stood after $(sort -n times | sed -n '3s/ .*//p') ms, was drawn after $(sort -nk2 times | sed -n '3s/.* //p') ms (medians of five)"
for view in summary functions flame sandwich time code; do
	chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=1000 --dump-dom "file://$work/page.html#view=$view" 2>/dev/null >dom
	[ "$(sed 's/<script.*//' dom | wc -c)" -gt 6000 ] && grep -q '<main id="view"><' dom || fail "$view is empty"
done
verdict
