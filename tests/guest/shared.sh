# SPDX-License-Identifier: MIT
# Threads share the last level if their row says so: a line that one thread fetched is a hit for the other.
. "$SRC/tests/guest/lib.sh"
aarch64-linux-gnu-gcc -O1 -static -pthread "$SRC/tests/guest/src/readers.c" -o "$work/readers" || exit 1

# refills CORE EVENT SETTING ARGUMENT...: prints the count without the prefetcher, whose lines would count too
refills() {
	local core=$1 event=$2 setting=$3
	shift 3
	"$BUILD/apmu" stat -c "$core" --set prefetch.streams=0 --set "$setting" -e "$event" -j -o "$work/out" -- \
		"$work/readers" "$@" || fail "$core $setting $*"
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["counters"][0]["value"])' "$work/out"
}

# 512 KiB are 8,192 lines of 64 bytes; the rest of the program fetches some eighth of that, with the code that
# L2 reads ahead on Cortex-A72
between() {
	[ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || fail "$1: $2 refills, not $3 to $4"
}

for core in cortex-a53 cortex-a72; do
	between "$core, each its own" "$(refills $core L2D_CACHE_REFILL shared=0)" 16384 17600
done
between "cortex-a72, in common" "$(refills cortex-a72 L2D_CACHE_REFILL shared=2)" 8192 9300
# Exclusive: the 512 lines that the first thread read last are in its L1, not in L2
between "cortex-a53 by its row" "$(refills cortex-a53 L2D_CACHE_REFILL seed=1)" 8192 9600
# Both at once: whichever thread is first, each line is fetched once, few of them twice
between "cortex-a72, at once" "$(refills cortex-a72 L2D_CACHE_REFILL shared=2 x)" 8192 9300
between "cortex-a72, at once, each its own" "$(refills cortex-a72 L2D_CACHE_REFILL shared=0 x)" 16384 17600
finish
