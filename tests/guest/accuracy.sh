# SPDX-License-Identifier: MIT
# What docs/accuracy-tables.md says of the models is what they say now: no figure moves by more than 2 % unexplained.
. "$SRC/tests/guest/lib.sh"

"$SRC/tests/accuracy/build.sh" "$BUILD/accuracy" || fail "the kernels cannot be built"
python3 "$SRC/tests/accuracy/tables.py" --check "$BUILD/apmu" "$BUILD/accuracy" ||
	fail "figures moved: see tests/accuracy/tables.py"
finish
