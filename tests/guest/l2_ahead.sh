# SPDX-License-Identifier: MIT
# L2 events that count the L1 prefetcher's lines if the core's event list says so: a read of 8 MiB, one load per line.
. "$SRC/tests/guest/lib.sh"

"$SRC/tests/accuracy/build.sh" "$BUILD/accuracy" || fail "the kernels cannot be built"
lines=$((8388608 / 64))

# reads CORE EVENT: prints what one more round adds to the event.
reads()
{
	local n=()
	for rounds in 1 2; do
		n+=("$("$BUILD/apmu" stat --core "$1" -x , -e "$2" "$BUILD/accuracy/kernels-a64" stride 64 $rounds 2>&1 >/dev/null | cut -d, -f1 | tail -1)")
	done
	echo $((n[1] - n[0]))
}

for event in L2D_CACHE_RD L2D_CACHE L2D_CACHE_REFILL L2D_CACHE_REFILL_RD; do
	for core in cortex-a72 neoverse-n1; do
		with=$(reads $core $event)
		[ "$with" -ge $((lines * 9 / 10)) ] || fail "$core: $event $with in a walk over $lines lines"
	done
	without=$(reads cortex-a57 $event)
	[ "$without" -le $((lines / 10)) ] || fail "cortex-a57: $event $without in a walk over $lines lines"
done

# Cortex-A72's prefetcher looks each line up in L2 before it fills it into L1.
with=$(reads cortex-a72 L2D_CACHE_RD) filled=$(reads cortex-a72 L2D_CACHE_REFILL_RD)
[ "$with" -ge $((filled * 18 / 10)) ] || fail "cortex-a72: L2D_CACHE_RD $with, L2D_CACHE_REFILL_RD $filled in a walk over $lines lines"
finish
