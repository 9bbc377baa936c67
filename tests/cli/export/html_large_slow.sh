#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page of 10^7 samples in 100,000 places and 20,000 nodes of call tree stays under 5 MB and can be used. When its first
# table stood is printed, by the browser's own clock, and not asserted; that it does not grow with the samples is.
. "$(dirname "$0")/../lib.sh"
export HOME=$work

aarch64-linux-gnu-gcc -static -no-pie -g -O2 "$SRC/tests/guest/src/symbols/inlined.c" -o prog || exit 1
# profile FILE TIMES: 100,000 places with TIMES samples each
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

# The first table is whole before the page's first picture is drawn: the script that makes it is part of the page and waits for nothing.
python3 "$SRC/tests/cli/browser.py" "file://$work/page.html#view=functions" \
	'Math.round(performance.getEntriesByName("apmu: first view")[0].startTime)' \
	'performance.getEntriesByName("apmu: first view")[0].startTime <= performance.timing.domContentLoadedEventStart - performance.timeOrigin + 1' \
	'document.querySelectorAll("#functions tbody tr").length' >seen || fail "the page cannot be looked at"
{ read -r first && read -r before && read -r rows; } <seen
echo "10^7 samples: the first table stood after $first ms"
[ "$before" = true ] || fail "the first table came after the page was whole: $(cat seen)"
[ "$rows" -ge 500 ] && [ "$rows" -le 1000 ] || fail "rows of the first table: $rows"
for view in summary functions flame sandwich time code; do
	chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=1000 --dump-dom "file://$work/page.html#view=$view" 2>/dev/null >dom
	[ "$(sed 's/<script.*//' dom | wc -c)" -gt 6000 ] && grep -q '<main id="view"><' dom || fail "$view is empty"
done
verdict
