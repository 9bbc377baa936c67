# SPDX-License-Identifier: MIT
# Samples every event that a core produces, on all cores: each sample is on an instruction that can cause the event, none is exact
# only to the block, and their weights add up to the count.
. "$SRC/tests/guest/lib.sh"

arm-linux-gnueabi-gcc -g -O2 -static "$SRC/tests/guest/src/record/every.c" -o "$work/every32" || exit 1
aarch64-linux-gnu-gcc -g -O2 -static "$SRC/tests/guest/src/record/every.c" -o "$work/every64" || exit 1
for which in ${1:-together time}; do
	python3 "$SRC/tests/guest/record_every.py" "$BUILD/apmu" "$BUILD/tests/guest/profile_dump" "$work/every64" "$work/every32" \
		"$work" "$which" || fail "samples of some event are where it cannot happen"
done
finish
