#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Debian's arm64 gzip, sqlite3 and python3.11, dynamic and stripped, are recorded with their libraries, reported, annotated,
# compared and exported in every format; the exports' sums are those of the recording.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
root=$BUILD/guests/all/arm64
cd "$work" || exit 1

[ -e "$root/usr/bin/python3.11" ] || rm -rf "$BUILD/guests/all" "$BUILD/guests/apt-all" # fetched before there was one
"$SRC/tools/fetch-guests" "$BUILD/guests" --all || fail "Debian's programs cannot be fetched"
head -c 20000 "$root/usr/bin/sqlite3" >input
cat >script.sql <<'END'
create table t(a);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 300) insert into t select x from c;
select sum(a) from t;
END

# try WANT OBJECT NAME PROGRAM WORD...: WANT is its output, OBJECT a library that must have samples, NAME a function that must be found
try()
{
	local want=$1 object=$2 name=$3 total
	shift 3
	"$apmu" record -q --core cortex-a53 -e instructions,branch-misses -c 2000 -g -L "$root" -o "$object.data" -- \
		"$@" <script.sql >said 2>err || fail "record $1: $(cat err)"
	[ "$want" = - ] || [ "$(cat said)" = "$want" ] || fail "$1 said $(cat said), not $want"
	"$apmu" report -i "$object.data" -e instructions -s object >report 2>err || fail "report $1: $(cat err)"
	grep -q "$object" report || fail "$1: no samples in $object: $(cat report)"
	"$apmu" report -i "$object.data" -e instructions >report 2>err
	grep -q " $name " report || fail "$1: no $name: $(head -n 20 report)"
	"$apmu" annotate -i "$object.data" --percent-limit 20 >annotated 2>err || fail "annotate $1: $(cat err)"
	for format in html folded callgrind pprof perf trace csv json openmetrics; do
		"$apmu" export $format -i "$object.data" -o "out.$format" 2>err || fail "export $format $1: $(cat err)"
		[ -s "out.$format" ] || fail "export $format $1: empty"
	done
	total=$(jq '.events[0].weight' out.json)
	[ "$total" -gt 50000 ] || fail "$1: only $total"
	[ "$(awk '{ s += $NF } END { print s }' out.folded)" = "$total" ] || fail "$1: folded is not $total"
	[ "$(awk '/^totals:/ { print $2 }' out.callgrind)" = "$total" ] || fail "$1: callgrind is not $total"
	callgrind_annotate out.callgrind >annotated 2>&1 || fail "$1: callgrind_annotate: $(head -n 3 annotated)"
	[ "$(perf report -i out.perf --stdio -g none 2>/dev/null | sed -n 's/^# Event count (approx.): //p' | head -n 1)" = "$total" ] ||
		fail "$1: perf report is not $total"
	"$apmu" diff "$object.data" "$object.data" --fail-above 0% >said || fail "diff with itself: $(cat said)"
}

try - gzip __libc_start_main "$root/bin/gzip" -c input
try 45150 libsqlite3 sqlite3_step "$root/usr/bin/sqlite3" :memory:
try 4950 python3.11 Py_BytesMain "$root/usr/bin/python3.11" -c 'print(sum(range(100)))'

finish
