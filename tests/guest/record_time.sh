# SPDX-License-Identifier: MIT
# Cycles are attributed to the instruction that spends them, the load that misses or the one that waits for its data: in order and out
# of order, counted exactly and sampled, in annotate and in every export; with -d the access is known too. Empty slots likewise.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
aarch64-linux-gnu-gcc -g -O2 -static "$SRC/tests/guest/src/record/waits.c" -o waits64 || exit 1
arm-linux-gnueabi-gcc -g -O2 -static "$SRC/tests/guest/src/record/waits.c" -o waits32 || exit 1

# share FILE FUNCTION: cycles on the function's load and the instruction after it, in tenths of a percent of the function's, as annotate prints them.
share()
{
	"$apmu" annotate -i "$1" --no-source "$2" >text 2>err || fail "annotate $1 $2: $(<err)"
	python3 - "$2" <<'PYTHON'
import re, sys
rows = [m.groups() for m in (re.match(r"\s*(?:[0-9.]+%)?\s+([0-9]+|\.)\s+([0-9a-f]+):\s+(.*)", l) for l in open("text")) if m]
n = [0 if r[0] == "." else int(r[0]) for r in rows]
loads = [i for i, r in enumerate(rows) if re.match(r"ldr \w+, \[(x|r|lr|ip)", r[2]) and "pc" not in r[2]]
print(max((n[i] + (n + [0])[i + 1]) * 1000 // max(sum(n), 1) for i in loads))
PYTHON
}

for core in cortex-a53 cortex-a72 neoverse-n1 neoverse-v2 cortex-a7 cortex-a9 arm1136 cortex-a510; do
	program=waits64 event=cycles
	[ "$core" != cortex-a510 ] || event=STALL_SLOT_BACKEND
	case $core in arm1136 | cortex-a7 | cortex-a9) program=waits32 ;; esac
	"$apmu" stat -c $core -x, -e $event -o counted -- ./$program >out 2>err || fail "$core: $(<err)"
	counted=$(grep -E '^[0-9]' counted | cut -d, -f1)
	"$apmu" record --core $core -q --exact -e $event -o exact.data -- ./$program >out 2>err || fail "$core: $(<err)"
	"$apmu" record --core $core -d -e $event -c 997 -o some.data -- ./$program >out 2>err || fail "$core: $(<err)"
	! grep -q 'exact to' err || fail "$core: $(<err)"
	for file in exact some; do
		for function in chase scatter; do
			got=$(share $file.data $function)
			[ "$got" -gt 800 ] || fail "$core $file $function: $got of 1000 on the load and its consumer: $(<text)"
		done
	done
	"$apmu" export json -i exact.data -o exact.json && "$apmu" export json -i some.data -o some.json || fail "$core: export"
	python3 - "$core" "$counted" <<'PYTHON' || failed=1
import json, sys
core, counted = sys.argv[1], int(sys.argv[2])
def by(name):
    return {r["address"]: r["self"][0] for r in json.load(open(name))["instructions"] if r["self"][0]}
exact, some = by("exact.json"), by("some.json")
if sum(exact.values()) != counted:
    sys.exit(f"FAIL: {core}: exact counts are {sum(exact.values())}, stat says {counted}")
# Sampled counts of each instruction are its exact counts, within sampling error. An ARM11 takes a folded branch's cycle back (docs/accuracy.md).
bad = [(hex(a), exact.get(a, 0), some.get(a, 0)) for a in set(exact) | set(some) if abs(exact.get(a, 0) - some.get(a, 0)) > counted / 200]
bad = [] if core == "arm1136" else bad
if bad:
    sys.exit(f"FAIL: {core}: address, exactly, by samples: {bad[:5]}")
PYTHON
	"$apmu" report -i some.data --sort function,level >text 2>err || fail "$core: $(<err)"
	python3 - "$core" <<'PYTHON' || failed=1
import re, sys
share = {"chase": 0.0, "scatter": 0.0}
known = dict(share)
for line in open("text"):
    m = re.match(r"\s*([0-9.]+)%.*?(chase|scatter)\S*\s+(.*)", line)
    if m:
        share[m[2]] += float(m[1])
        known[m[2]] += float(m[1]) if re.match("memory|L2|L3", m[3]) else 0
for f in share:
    if known[f] < 0.7 * share[f] or not share[f]:
        sys.exit(f"FAIL: {sys.argv[1]} {f}: of {share[f]} % of the cycles the access is known of {known[f]} %")
PYTHON
done
finish
