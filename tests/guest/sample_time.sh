# SPDX-License-Identifier: MIT
# stat --sample-time: what does not depend on time is counted exactly; cycles come near; threads, children and intervals are counted.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --foreign >/dev/null || exit 1
root=$BUILD/guests/foreign/arm64
exact=instructions,BR_MIS_PRED,L1D_CACHE_REFILL,L2D_CACHE_REFILL,L1I_CACHE_REFILL,L1D_TLB_REFILL,BUS_ACCESS
cat "$SRC"/docs/*.md | head -c 200000 >"$work/text"

# counts CORE OPTION... -- PROGRAM...: prints name and count, a line each, sorted; JSON in $work/json
counts() {
	local core=$1
	shift
	"$APMU" stat -j -o "$work/json" -c "$core" -L "$root" "$@" >/dev/null || fail "stat $core $*"
	python3 -c 'import json, sys
for c in sorted(json.load(open(sys.argv[1]))["counters"], key=lambda c: c["event"]): print(c["event"], c["value"])' "$work/json"
}

for core in neoverse-n1 cortex-x4; do
	for program in 'gzip -c' 'busybox sort'; do
		set -- "$root"/bin/${program} "$work/text"
		counts $core -e "$exact" -- "$@" >"$work/all"
		counts $core -e "$exact,cycles" -- "$@" >"$work/timed"
		counts $core -e "$exact,cycles" --sample-time -- "$@" >"$work/sampled"
		diff <(grep -v cycles "$work/timed") <(grep -v cycles "$work/sampled") >&2 || fail "$program on $core: exact counts differ"
		diff "$work/all" <(grep -v cycles "$work/sampled") >&2 || fail "$program on $core: counts differ from those without time"
		python3 - "$work/json" "$(sed -n 's/^cycles //p' "$work/timed")" "$(sed -n 's/^cycles //p' "$work/sampled")" <<'PYTHON' || fail "$program on $core: cycles"
import json, sys
samples, exact, about = json.load(open(sys.argv[1]))["time_samples"], int(sys.argv[2]), int(sys.argv[3])
off = abs(about / exact - 1)
print("off by %.2f %%, said %.2f %%, timed %.0f %%" % (100 * off, 100 * samples["error"], 100 * samples["timed"]))
sys.exit(not (0 < off <= 4 * samples["error"] + 0.01 and 0.0005 < samples["error"] < 0.05 and 0.04 < samples["timed"] < 0.2))
PYTHON
	done
done

# the same samples each time; more of them with a smaller N
counts neoverse-n1 -e cycles --sample-time=5 -- "$root/bin/gzip" -c "$work/text" >"$work/five"
counts neoverse-n1 -e cycles --sample-time=5 -- "$root/bin/gzip" -c "$work/text" | cmp - "$work/five" || fail "two runs differ"
python3 -c 'import json, sys; sys.exit(not 0.18 < json.load(open(sys.argv[1]))["time_samples"]["timed"] < 0.3)' "$work/json" || fail "one of five: $(cat "$work/json")"

# in order, and in a program that is shorter than the exact part, nothing is estimated
for run in "cortex-a53 $root/bin/gzip -c $work/text" "neoverse-n1 $root/bin/busybox true"; do
	counts ${run%% *} -e cycles -- ${run#* } >"$work/exact"
	counts ${run%% *} -e cycles --sample-time -- ${run#* } | cmp - "$work/exact" || fail "${run%% *}: --sample-time changes cycles"
	grep -q time_samples "$work/json" && fail "${run%% *}: samples of what is exact"
done
"$APMU" stat -c cortex-a53,neoverse-n1 -e cycles --sample-time -L "$root" -- "$root/bin/busybox" true 2>"$work/err"
grep changes "$work/err" | cmp - <(echo 'apmu stat: --sample-time changes nothing on cortex-a53, which runs in order: all of its time is modelled') ||
	fail "in order: $(cat "$work/err")"

# intervals add up to the whole; so do children
"$APMU" stat -j -o "$work/parts" -c neoverse-n1 -e cycles,instructions -I 1000000 --sample-time -L "$root" -- "$root/bin/gzip" -c "$work/text" >/dev/null || fail 'intervals'
python3 - "$work/parts" <<'PYTHON' || fail 'intervals do not add up'
import json, sys
r = json.load(open(sys.argv[1]))
total = {c["event"]: c["value"] for c in r["counters"]}
parts = [{c["event"]: c["value"] for c in i["counters"]} for i in r["intervals"]]
sys.exit(any(sum(p[e] for p in parts) != total[e] for e in total) or any(p["cycles"] < p["instructions"] / 8 for p in parts))
PYTHON
# xargs handles no SIGCHLD: a signal that comes while it waits cannot make it execute its SVC again
printf '%s\n' "$work/text" "$work/text" >"$work/list"
counts neoverse-n1 -e "$exact" -- "$root/bin/busybox" xargs -n 1 "$root/bin/gzip" -c <"$work/list" >"$work/two"
counts neoverse-n1 -e "$exact,cycles" --sample-time -- "$root/bin/busybox" xargs -n 1 "$root/bin/gzip" -c <"$work/list" | grep -v cycles |
	diff "$work/two" - >&2 || fail 'children'
counts neoverse-n1 -e instructions -- "$root/bin/gzip" -c "$work/text" >"$work/one"
[ "$(sed -n 's/^instructions //p' "$work/two")" -gt $((2 * $(sed -n 's/^instructions //p' "$work/one"))) ] || fail 'children are not counted'

# what it cannot do is said
for bad in '--sample-time=1' '--sample-time=x' '--sample-time --region main' '--sample-time --as-hardware' '--sample-time -I 1000c'; do
	"$APMU" stat $bad -c neoverse-n1 -L "$root" -- "$root/bin/busybox" true 2>"$work/err"
	[ $? -eq 2 ] && grep -q sample-time "$work/err" || fail "$bad: $(cat "$work/err")"
done
"$APMU" stat --sample-time --system -- qemu-system-aarch64 2>&1 | grep -q sample-time || fail 'a whole system'
"$APMU" stat -c neoverse-n1 --sample-time -e cycles -L "$root" -- "$root/bin/gzip" -c "$work/text" 2>&1 >/dev/null |
	grep -qE 'modelled for samples, [0-9]+ % of the instructions: cycles \+- [0-9.]+ %' || fail 'no error is printed'
finish
