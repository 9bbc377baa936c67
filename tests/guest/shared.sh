# SPDX-License-Identifier: MIT
# Threads share the last level if their row says so: a line that one thread fetched is a hit for the other.
. "$SRC/tests/guest/lib.sh"
aarch64-linux-gnu-gcc -O1 -static -pthread "$SRC/tests/guest/src/readers.c" -o "$work/readers" || exit 1

# count_refills CORE SETTING ARGUMENT...: prints refills of L2 without the prefetcher, whose lines would count too
count_refills() {
	local core=$1 setting=$2
	shift 2
	"$BUILD/apmu" stat -c "$core" --set prefetch.streams=0 --set "$setting" -e L2D_CACHE_REFILL -j -o "$work/out" -- \
		"$work/readers" "$@" || fail "$core $setting $*"
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["counters"][0]["value"])' "$work/out"
}

# between LEAST MOST CORE SETTING [TIMES]: what reading adds to the refills of a program that starts a thread but reads nothing
between() {
	local least=$1 most=$2 added
	shift 2
	added=$(($(count_refills "$@") - $(count_refills "$1" "$2" 0)))
	[ "$added" -ge "$least" ] && [ "$added" -le "$most" ] || fail "$*: $added refills, not $least to $most"
}

# 512 KiB are 8,192 lines of 64 bytes. Each thread fetches its own, or one for both; the bounds leave room for lines of the
# program's own that reading evicts, or that lie beside what is read.
for core in cortex-a53 cortex-a72; do
	between 16352 16512 $core shared=0
done
between 8160 8320 cortex-a72 shared=2
# Exclusive: the 512 lines that the first thread read last are in its L1, not in L2
between 8160 8832 cortex-a53 seed=1
# Both at once: whichever thread is first, each line is fetched once, few of them twice
between 8160 8448 cortex-a72 shared=2 50
between 16352 16640 cortex-a72 shared=0 50
finish
