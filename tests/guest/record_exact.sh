# SPDX-License-Identifier: MIT
# Sampling and exact counting against `apmu stat` and against each other: sums, and counts of each instruction.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
dump=$BUILD/tests/guest/profile_dump
cd "$work" || exit 1

arm-linux-gnueabi-gcc -O1 -static "$SRC/tests/guest/src/record/work.c" -o work32 || exit 1
aarch64-linux-gnu-gcc -O1 -static "$SRC/tests/guest/src/record/work.c" -o work64 || exit 1
aarch64-linux-gnu-gcc -O1 -static -pthread -DTHREADS "$SRC/tests/guest/src/record/work.c" -o threads64 || exit 1

# agree CORE PROGRAM EVENT...: record --exact sums to stat exactly; record -c to within a period a thread; -c 1 gives each
# instruction what --exact gives it; and every 997th occurrence of the -c 1 stream of a thread is where -c 997 has a sample.
agree() {
	local core=$1 program=$2 event
	shift 2
	for event in "$@"; do
		"$apmu" stat -c "$core" -j -o stat.json --per-thread -e "$event" -- "./$program" >out1 || fail "stat $event"
		"$apmu" record --core "$core" -q --exact -e "$event" -o exact.data -- "./$program" >out2 || fail "exact $event"
		"$apmu" record --core "$core" -c 1 -e "$event" -o one.data -- "./$program" >out3 2>said || fail "one $event"
		"$apmu" record --core "$core" -c 997 -e "$event" -o some.data -- "./$program" >out3 2>>said || fail "some $event"
		! grep -q 'exact to the basic block' said || fail "$core $event: $(grep 'exact to the basic block' said)"
		cmp -s out1 out2 && cmp -s out1 out3 || fail "$event: the program's own output differs"
		for file in exact one some; do
			"$dump" $file.data >$file.txt 2>>said || fail "$file.data"
		done
		python3 - "$core $program $event" <<'PYTHON' || failed=1
import collections, json, sys
what = sys.argv[1]
def rows(name):
    return [(int(f[7]), int(f[1], 16), int(f[2]), int(f[3])) for f in map(str.split, open(name))]
def by(rows, key):
    sums = collections.Counter()
    for r in rows:
        sums[key(r)] += r[2]
    return {k: v for k, v in sums.items() if v}
def values(o):
    if isinstance(o, dict):
        if "value" in o:
            yield o["value"]
        for v in o.values():
            yield from values(v)
    elif isinstance(o, list):
        for v in o:
            yield from values(v)
total = next(values(json.load(open("stat.json"))))
exact, one, some = rows("exact.txt"), rows("one.txt"), rows("some.txt")
threads = sorted({r[0] for r in exact})
bad = []
if sum(r[2] for r in exact) != total:
    bad.append(f"exact counts sum to {sum(r[2] for r in exact)}, stat says {total}")
for t in threads:
    whole = sum(r[2] for r in exact if r[0] == t)
    sampled = sum(r[2] for r in some if r[0] == t)
    if not 0 <= whole - sampled < 997:
        bad.append(f"thread {t}: {sampled} sampled of {whole}")
if by(exact, lambda r: r[:2]) != by(one, lambda r: r[:2]):
    a, b = by(exact, lambda r: r[:2]), by(one, lambda r: r[:2])
    bad.append(f"instructions differ: {[(hex(k[1]), a.get(k), b.get(k)) for k in sorted(set(a) | set(b)) if a.get(k) != b.get(k)][:4]}")
for t in threads:
    want, gone, due = [], 0, 997
    for r in one:
        if r[0] != t:
            continue
        gone += r[2]
        while gone >= due:
            want.append((r[1], r[3]))
            due += 997
    got = [(r[1], r[3]) for r in some if r[0] == t for _ in range(r[2] // 997)]
    if want != got:
        n = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
        bad.append(f"thread {t}: sample {n} of {len(want)}, {len(got)}: {want[n:n + 2]} {got[n:n + 2]}")
if not one or not exact:
    bad.append("nothing was recorded")
for line in bad:
    print("FAIL:", what + ":", line)
sys.exit(bool(bad))
PYTHON
	done
}

# Threads: their work depends on time, so a run is compared with its own totals.
totals() {
	local core=$1 program=$2 way=$3
	"$apmu" record --core "$core" -q $way -e instructions,cycles,branch-misses,cache-misses -o t.data -- "./$program" >out1
	"$dump" t.data >t.txt 2>totals.txt || fail "$program $way"
	python3 - "$core $program $way" "$way" <<'PYTHON' || failed=1
import collections, sys
what, way = sys.argv[1:]
sums = collections.Counter()
for f in map(str.split, open("t.txt")):
    sums[int(f[7]), int(f[0])] += int(f[2])
totals = {(int(f[1]), int(f[2])): int(f[3]) for f in map(str.split, open("totals.txt")) if f[0] == "total"}
period = int(way.split()[1]) if way.startswith("-c") else 1
bad = [(k, sums[k], v) for k, v in totals.items() if not 0 <= v - sums[k] < period]
if bad or not totals or not all(totals[t, 0] > 10000 for t, e in totals):
    sys.exit(f"FAIL: {what}: {bad or totals}")
PYTHON
}

# An ARM11's folded branch takes its cycle back (docs/accuracy.md): its cycles are held against totals alone.
agree arm1136 work32 instructions branches branch-misses cache-misses
agree cortex-a9 work32 branch-misses
agree cortex-a53 work64 instructions cycles cache-references branch-misses dTLB-load-misses
agree cortex-a72 work64 L1D_CACHE_REFILL cycles
agree neoverse-v2 work64 cycles STALL_BACKEND STALL_SLOT
for way in --exact "-c 101" "-c 10007"; do
	totals arm1136 work32 "$way"
	totals cortex-a53 threads64 "$way"
	totals cortex-a72 threads64 "$way"
done

# A library that is mapped over another: what was counted before is the first one's.
for name in first second; do
	aarch64-linux-gnu-gcc -O1 -shared -fPIC -DLIBRARY=$name "$SRC/tests/guest/src/record/over.c" -o lib$name.so || exit 1
done
aarch64-linux-gnu-gcc -O1 -static -pthread "$SRC/tests/guest/src/record/over.c" -o over || exit 1
offset=$(aarch64-linux-gnu-nm libfirst.so | awk '$3 == "first" { print $1 }')
for way in "--exact" "-c 100" "--exact -b" "-c 100 -b"; do
	for thread in "" thread later; do
		"$apmu" record --core cortex-a53 -q $way -e instructions -o over.data -- ./over "$offset" $thread || fail "record $way of two libraries"
		"$apmu" export csv -i over.data 2>/dev/null |
			awk -F , '$5 == "first" { first += $3 } $5 == "second" { second += $3 } END { exit !(first >= 5900 && first <= 6100 && second >= 11900 && second <= 12100) }' ||
			fail "two libraries at one address, $way $thread: $("$apmu" report -i over.data --no-children 2>/dev/null)"
	done
done
finish
