#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Causes of lost cycles by function and by line: top-down --by, and report --cpi-stack of a recording. Their counts are those of stat and of the
# recorded events.
. "$(dirname "$0")/../lib.sh"
aarch64-linux-gnu-gcc -g -O2 -fno-tree-vectorize -static "$SRC/examples/tutorial/orders.c" -o orders || exit 1
table() { sed -n 's/,//g; /^ *[0-9.]*%/p' "$1"; }

apmu stat -j -c cortex-a53 -e cycles -- ./orders
cycles=$(jq '.counters[0].value' err)
apmu top-down -c cortex-a53 --by function -- ./orders
exits 0
table err >rows
# cycles count cpi issuing operands branches front-end L2 memory TLB function
[ "$(awk '$NF == "(total)" { print $2 }' rows)" = "$cycles" ] || fail "$said: not $cycles cycles: $err"
awk '{ s = 0; for (i = 4; i <= 10; i++) s += $i; if (s < 99.5 || s > 100.5) exit 1 }' rows || fail "$said: parts do not add up: $err"
awk '/sum_by_customer/ { ok = $1 > 40 && $8 + $9 > 50 } END { exit !ok }' rows || fail "$said: sum_by_customer waits for data: $err"
awk '/count_large/ { ok = $1 > 10 && $6 > 20 } END { exit !ok }' rows || fail "$said: count_large's branches: $err"
apmu top-down -c cortex-a53 --by function -- ./orders --by line # the program's
says "orders --by line' on cortex-a53"
mkdir temporary
TMPDIR=$work/temporary apmu top-down -c cortex-a53 --by function -- ./orders
exits 0
[ -z "$(ls -A temporary)" ] || fail "$said: a recording is left behind"
{ TMPDIR=$work/temporary "$APMU" top-down -c cortex-a53 --by function -- ./orders; } 2>&1 | true # nobody reads its output
[ -z "$(ls -A temporary)" ] || fail "top-down --by | true: a recording is left behind"
TMPDIR=$work/nowhere apmu top-down -c cortex-a53 --by function -- ./orders
exits 1
says "$work/nowhere"

# The same from a recording, and its counts from the events that it has.
apmu record -q --core cortex-a53 --exact --cpi-stack -e cycles -o one.data -- ./orders
apmu report -i one.data --cpi-stack --sort function
count_of() { "$APMU" report -i one.data -e "$1" --no-children --sort function | awk -v f="$2" '$NF == f { gsub(",", ""); print $2 }'; }
penalty=$("$APMU" list cores -v cortex-a53 | awk '$1 == "mispredict" { print $2; exit }')
want=$(awk "BEGIN { printf \"%.1f\", 100 * $(count_of mispredictions count_large) * ${penalty:-0} / $(count_of cycles count_large) }")
table out >rows
[ "$(awk '/count_large/ { print $6 + 0 }' rows)" = "${want%.0}" ] || fail "$said: branches of count_large are not $want %: $out"
want=$(awk "BEGIN { printf \"%.2f\", $(count_of cycles fill) / $(count_of instructions fill) }")
[ "$(awk '/fill/ { print $3 }' rows)" = "$want" ] || fail "$said: cpi of fill is not $want: $out"
apmu report -i one.data --cpi-stack --sort line -n 1
line=$(grep -n 'total\[customer\] +=' "$SRC/examples/tutorial/orders.c" | tail -n 1 | cut -d: -f1)
prints "orders.c:$line"
[ "$(table out | wc -l)" = 2 ] || fail "$said: not one row and the total: $out"

apmu record -q --core cortex-a53 -e cycles -o flat.data -- ./orders
apmu report -i flat.data --cpi-stack
exits 1
says "flat.data was recorded without a CPI stack: record it with 'apmu record --cpi-stack -e cycles'"
refuses() { apmu "${@:2}"; exits 2; says "$1"; }
refuses "--by is of one core: name one with -c" top-down -c cortex-a53,cortex-a72 --by line ./orders
refuses "apmu top-down: --by: no key 'fnction'; did you mean 'function'?" top-down --by fnction ./orders
refuses "--by needs KEYS" top-down --by
refuses "--by prints a table alone" top-down --by=line -j ./orders
for option in "-r 2" --as-hardware --sample-time; do
	# shellcheck disable=SC2086
	refuses "--by counts one run, exactly: leave out -r, --as-hardware and --sample-time" top-down --by line $option ./orders
done
refuses "unknown option '--by" stat --by line ./orders
refuses "--cpi-stack is a table of its own" report -g --cpi-stack
verdict
