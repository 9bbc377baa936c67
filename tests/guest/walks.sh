# SPDX-License-Identifier: MIT
# Model time does not run away in a walk of dependent loads that the prefetcher follows. WALKS="FEW MANY" sets other numbers of
# steps; the full test, walks_slow.sh, uses 10000 1000000.
. "$SRC/tests/guest/lib.sh"

aarch64-linux-gnu-gcc -O2 -static "$SRC/tests/guest/src/walks.c" -o "$work/a64" || exit 1
arm-linux-gnueabi-gcc -O2 -static -march=armv7-a "$SRC/tests/guest/src/walks.c" -o "$work/a32" || exit 1
# shellcheck disable=SC2086
python3 "$SRC/tests/guest/walks.py" "$BUILD/apmu" "$work/a64" "$work/a32" ${WALKS:-10000 60000} || fail "a walk's steps"
finish
