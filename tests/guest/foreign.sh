# SPDX-License-Identifier: MIT
# Third-party programs on every row with a clock, against a checked-in table of their CPI and miss rates: a sixth of the
# table's runs, or all of them with APMU_TEST_ALL.
. "$SRC/tests/guest/lib.sh"

"$SRC/tools/fetch-guests" "$BUILD/guests" --foreign || fail "Debian's programs cannot be fetched"
part=(--part)
[ -z "${APMU_TEST_ALL:-}" ] || part=()
python3 "$SRC/tests/accuracy/foreign.py" "$BUILD/apmu" "$BUILD/guests" "${part[@]}" ||
	fail "the table tests/accuracy/foreign.txt: see tests/accuracy/foreign.py"
finish
