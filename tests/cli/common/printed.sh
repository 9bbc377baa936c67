#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The output of commands in the documents is what they print now (tools/documents; `make documents` renews it). The comparison
# notices a changed digit, an extra line, a number in a sentence, a figure from another test.
. "$(dirname "$0")/../lib.sh"
"$SRC/tools/documents" "$BUILD" >out 2>&1 || fail "$(cat out)"

mkdir -p tree/docs tree/examples
cp -r "$SRC/tools" tree && cp -r "$SRC/examples/tutorial" tree/examples || fail "cannot copy"
# missed PAGE SED WORDS: checks that the page, changed by sed, is refused with these words.
missed()
{
	sed -E "$2" "$SRC/$1" >"tree/$1"
	cmp -s "$SRC/$1" "tree/$1" && fail "nothing to change in $1: $2"
	tree/tools/documents "$BUILD" "$1" >out 2>&1 && fail "$1: not noticed: $2"
	grep -qF -- "$3" out || fail "$1: $2: says only $(cat out)"
}
missed docs/sweep.md '/cortex-a53 .*[0-9]$/ s/[0-9]$/x/' 'prints now'
missed docs/sweep.md '/^    program +core/ d' 'prints now'
missed docs/sweep.md 's/sweep -n/sweep --no-such/' 'ends with 2'
missed docs/tutorial.md 's/262,13[0-9] misses/262,139 misses/' 'no command of the page prints 262,139'
# Written again it is as it was.
sed -E '/cortex-a53 .*[0-9]$/ s/[0-9]{3}$/000/' "$SRC/docs/sweep.md" >tree/docs/sweep.md
tree/tools/documents "$BUILD" --write docs/sweep.md >out 2>&1 || fail "not renewed: $(cat out)"
cmp -s "$SRC/docs/sweep.md" tree/docs/sweep.md || fail "renewed: $(diff "$SRC/docs/sweep.md" tree/docs/sweep.md)"
verdict
