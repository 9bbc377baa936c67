#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `apmu report` agrees with Debian's `perf report --stdio` on the same recording, exported as perf.data: all functions, in the same
# order, with the same percentages, periods and samples, for self and children. Two programs: the tutorial's, and one whose call
# chains have tail calls, longjmp, signals, coroutines and a thread.
. "$(dirname "$0")/../lib.sh"
aarch64-linux-gnu-gcc -static -g -O2 "$SRC/examples/tutorial/orders.c" -o orders || exit 1
aarch64-linux-gnu-gcc -static -g -O1 "$SRC/tests/guest/src/chains/chains.c" -o chains -lpthread || exit 1

# agree.py PROGRAM OURS PERFS: compares functions by address, because one may have several names. Rows of equal percentages may have any
# order if sorted by "children", only those of equal periods if sorted by period. Not compared are functions that the two name
# differently: stubs of the procedure linkage table, which report names and perf takes for the rest of _init; and a label within a function
# (__wrap_main within _start), which belongs to the function in report and is one of its own in perf. Both have small counts.
cat >agree.py <<'PYTHON'
import itertools, re, subprocess, sys

def lines(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

address = {}
for line in lines("aarch64-linux-gnu-nm", sys.argv[1]):
    match = re.match(r"([0-9a-f]+) [tTwWiI] (\S+)$", line)
    if match:
        address.setdefault(match[2], int(match[1], 16))

left_out = {"_init"}
functions, labels = [], []
for line in lines("aarch64-linux-gnu-readelf", "-sW", sys.argv[1]):
    match = re.match(r"\s*\d+: ([0-9a-f]+)\s+(\d+) (FUNC|NOTYPE) .* \d+ ([^$]\S*)$", line)
    if match:
        (functions if match[3] == "FUNC" else labels).append((int(match[1], 16), int(match[2]), match[4]))
for start, size, name in functions:
    for at, _, label in labels:
        if start < at < start + size:
            left_out |= {name, label}

def rows(path, form, period, samples):
    for line in open(path):
        match = re.match(r"\s*([\d.]+)%\s+(?:([\d.]+)%\s+)?" + form, line)
        if match:
            if match[5] in left_out or match[5].endswith("@plt"):
                assert float(match[2] or match[1]) < 2, line
                continue
            number = lambda group: int(match[group].replace(",", ""))
            yield (match[1], match[2]), number(period), number(samples), address[match[5]]

ours = list(rows(sys.argv[2], r"([\d,]+)\s+([\d,]+)\s+(\S+)", 3, 4))
perfs = list(rows(sys.argv[3], r"(\d+)\s+(\d+)\s+\[\.\]\s+(\S+)", 4, 3))
key = (lambda row: row[0][0]) if ours[0][0][1] else (lambda row: row[1])
groups = lambda table: [(share, sorted(group)) for share, group in itertools.groupby(table, key)]
assert len(ours) > 15, ours
for mine, theirs in itertools.zip_longest(groups(ours), groups(perfs)):
    assert mine == theirs, f"report: {mine}\n  perf: {theirs}"
assert sorted(map(key, perfs), key=float, reverse=True) == list(map(key, perfs))
PYTHON

# agree PROGRAM EVENT PERIOD
agree()
{
	apmu record -o profile.data -c "$3" -e "$2" --core cortex-a53 -g -- "./$1"
	exits 0
	apmu export perf -i profile.data -o perf.data
	exits 0
	apmu report --no-inline --sort function profile.data
	exits 0
	cp out ours
	perf report -i perf.data --stdio --children -g none -F overhead_children,overhead,sample,period,sym >perfs 2>err || fail "perf: $(<err)"
	python3 agree.py "$1" ours perfs >err 2>&1 || fail "$1, $2, with what it called: $(tail -n 2 err)"
	apmu report --no-inline --no-children --sort function profile.data
	exits 0
	cp out ours
	perf report -i perf.data --stdio --no-children -g none -F overhead,sample,period,sym >perfs 2>err || fail "perf: $(<err)"
	python3 agree.py "$1" ours perfs >err 2>&1 || fail "$1, $2, by itself: $(tail -n 2 err)"
}
agree orders cycles 1000
agree orders branch-misses 10
agree chains cycles 10
agree chains cache-misses 1

verdict
