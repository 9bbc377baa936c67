# SPDX-License-Identifier: MIT
# The figures of docs/accuracy-tables.md are those of the current models: none moves by more than 2 % without an explanation.
. "$SRC/tests/guest/lib.sh"

"$SRC/tests/accuracy/build.sh" "$BUILD/accuracy" || fail "the kernels cannot be built"
python3 "$SRC/tests/accuracy/tables.py" --check "$BUILD/apmu" "$BUILD/accuracy" ||
	fail "figures moved: see tests/accuracy/tables.py"
finish
