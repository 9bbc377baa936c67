# SPDX-License-Identifier: MIT
# Coherence between the L1 caches of threads: a line with words of several threads bounces between them, padded words do not;
# one thread has no transfers, and neither has a row without the parameter.
. "$SRC/tests/guest/lib.sh"
for padded in "" -DPADDED; do
	aarch64-linux-gnu-gcc -O1 -g -static -pthread $padded "$SRC/tests/guest/src/false_sharing.c" -o "$work/program$padded" || exit 1
done

# misses PROGRAM CORE OPTION...
misses() {
	local program=$1 core=$2
	shift 2
	"$BUILD/apmu" stat -c "$core" -e L1D_CACHE_REFILL "$@" -j -o "$work/out" -- "$work/$program" 500000 >"$work/said" ||
		fail "$core $program"
	grep -q '^500000 500000 0$' "$work/said" || fail "$program printed $(cat "$work/said")"
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["counters"][0]["value"])' "$work/out"
}

for core in cortex-a53 cortex-a72 neoverse-n1; do
	shared=$(misses program $core) padded=$(misses program-DPADDED $core) unseen=$(misses program $core --set transfer=0)
	[ "$shared" -gt $((3 * padded)) ] || fail "$core: $shared misses in one line, $padded padded"
	[ "$padded" -lt 1000 ] || fail "$core: $padded misses padded"
	[ "$unseen" -lt 1000 ] || fail "$core: $unseen misses without transfers"
done
# An atomic instruction fetches its line for writing: threads that add to a common word with LDADD have misses of stores only.
aarch64-linux-gnu-gcc -O1 -static -pthread -march=armv8.1-a -mno-outline-atomics "$SRC/tests/guest/src/common_word.c" -o "$work/common" || exit 1
"$BUILD/apmu" stat -c neoverse-n1 -e L1D_CACHE_REFILL_RD,L1D_CACHE_REFILL_WR -j -o "$work/out" -- "$work/common" 500000 >"$work/said" || fail "atomics"
grep -q '^1000000$' "$work/said" || fail "atomics: $(cat "$work/said")"
python3 -c 'import json, sys
read, written = [c["value"] for c in json.load(open(sys.argv[1]))["counters"]]
print(f"LDADD: {written} misses of stores, {read} of loads")
sys.exit(written < 4 * read)' "$work/out" || fail "an atomic instruction reads its line first"
# Who waits for a word by reading it misses once for each time that it is written, however the two threads keep step.
aarch64-linux-gnu-gcc -O1 -static -pthread "$SRC/tests/guest/src/turns.c" -o "$work/turns" || exit 1
"$BUILD/apmu" stat -c neoverse-n1 -e L1D_CACHE_REFILL_RD,L1D_CACHE_REFILL_WR -j -o "$work/out" -- "$work/turns" 2000 >"$work/said" || fail "turns"
python3 -c 'import json, sys
read, written = [c["value"] for c in json.load(open(sys.argv[1]))["counters"]]
print(f"4000 turns: {read} misses of loads, {written} of stores")
sys.exit(read < 3600 or written > 1000)' "$work/out" || fail "who waits for a word does not miss"
"$BUILD/apmu" stat -c cortex-a53 -e EXT_SNOOP --per-thread -j -o "$work/out" -- "$work/program" 500000 >/dev/null || fail "threads"
python3 -c 'import json, sys
snoops = [t["counters"][0]["value"] for t in json.load(open(sys.argv[1]))["threads"]]
sys.exit(snoops[0] > 20 or min(snoops[1:]) < 100)' "$work/out" || fail "the main thread has transfers, or others have none" # it shares what it made them with
# Whoever wakes a thread waits for it, by whichever futex calls: not until patience ends, which would be 20 seconds here. A child of
# vfork() is no thread to wait for: of 20 starts the fastest took 100 ms.
arm-linux-gnueabi-gcc -O1 -static -pthread "$SRC/tests/guest/src/wakes.c" -o "$work/wakes" || exit 1
for calls in "240 240" "422 240" "240 422" "422 422"; do
	# shellcheck disable=SC2086
	timeout 12 "$BUILD/apmu" stat -c cortex-a7 -e L1D_CACHE_REFILL -- "$work/wakes" $calls 100 >"$work/out" 2>&1 ||
		fail "wait and wake $calls: $(cat "$work/out")"
done
fastest=$("$BUILD/apmu" stat -c cortex-a7 -e L1D_CACHE_REFILL -- "$work/wakes" 2>"$work/said") || fail "starts: $(cat "$work/said")"
[ "$fastest" -lt 90 ] || fail "each start of a program took $fastest ms"
finish
