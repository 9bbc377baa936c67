#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The pictures of docs/accuracy-tables.md are of what it says today, are well-formed, and the check would notice if they were not.
. "$(dirname "$0")/lib.sh"
scratch

"$SRC"/tests/accuracy/plots.py --check || fail "run tests/accuracy/plots.py"
for name in errors scatter; do
	python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$SRC/docs/pictures/accuracy-$name.svg" || fail "accuracy-$name.svg is no XML"
done
mkdir -p "$work/docs" "$work/tests/accuracy"
cp -r "$SRC"/docs/accuracy-tables.md "$SRC"/docs/pictures "$work/docs"
cp "$SRC"/tests/accuracy/plots.py "$work/tests/accuracy"
sed -i 's/| free | /| bound | /' "$work/docs/accuracy-tables.md"
! "$work"/tests/accuracy/plots.py --check >"$work/out" 2>&1 || fail "plots.py --check overlooks a changed page"

verdict
