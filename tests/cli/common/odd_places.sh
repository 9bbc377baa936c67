#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Unusual environments: no HOME, TERM or PATH; a missing or full TMPDIR, or one with a space; odd terminal widths and languages;
# closed standard descriptors; a deleted folder; names with spaces, quotes, newlines, control characters; full disks.
# No data are lost without a message, and what is written can be read.
. "$(dirname "$0")/../lib.sh"
aarch64-linux-gnu-gcc -static -g -O1 -x c - -o prog <<'END_OF_C' || exit 1
#include <stdio.h>
__attribute__((noinline)) int inner(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main(void) { puts("here"); return inner(40000) == 1; }
END_OF_C

# alike WORD...: the command behind `env WORD...` succeeds, with the same output and recording as without.
cores=$("$APMU" list cores | grep -o '^cortex[^ ]*')
alike()
{
	env "$@" "$APMU" stat -c cortex-a53 -e instructions -- ./prog >out 2>err || fail "$*: stat: $(<err)"
	grep -q instructions err || fail "$*: stat: $(<err)"
	env "$@" "$APMU" record -q -g -c 100 -e cycles --core cortex-a53 -- ./prog >out 2>err || fail "$*: record: $(<err)"
	env "$@" "$APMU" report --no-children >out 2>err || fail "$*: report: $(<err)"
	grep -q '^ *[56][0-9]\.[0-9]*%.* inner ' out || fail "$*: report: $(head -n 6 out)"
	env "$@" "$APMU" annotate inner >out 2>err || fail "$*: annotate: $(<err)"
	env "$@" "$APMU" export html -o page.html 2>err || fail "$*: html: $(<err)"
	env "$@" "$APMU" list cores >out 2>err || fail "$*: list: $(<err)"
	[ "$(grep -o '^cortex[^ ]*' out)" = "$cores" ] || fail "$*: list: $(head -n 6 out)"
}
mkdir 'a place'
alike -u HOME -u TERM -u LANG
alike -u PATH
alike "TMPDIR=$work/a place"
alike "TMPDIR=a place" TERM=dumb LC_ALL=xx_YY.none
alike TMPDIR= COLUMNS=1
alike COLUMNS=20 LC_ALL=C.UTF-8
alike COLUMNS=500
alike COLUMNS=-3 LANG=tr_TR.UTF-8

# A program is not a whole system because its folder is called like one.
mkdir qemu-system-tests && cp prog qemu-system-tests/
apmu stat -c cortex-a53 -e instructions -- ./qemu-system-tests/prog
exits 0

# TMPDIR that nothing can be put into is named.
for command in "stat -c cortex-a53" "record" "top-down -c cortex-a53" "annotate --exact --core cortex-a53"; do
	# shellcheck disable=SC2086
	TMPDIR=/nowhere/at/all apmu $command -- ./prog
	exits 1
	says "'/nowhere/at/all': No such file or directory; TMPDIR names another folder"
done

# Standard descriptors that are closed are not those of the files that the command opens.
closed()
{
	local want=$1
	shift
	rm -f made
	bash -c "$1 <&- >&- 2>&-"
	[ $? -eq "$want" ] || fail "$1, all closed: not exit status $want"
	[ "$want" -ne 0 ] || [ -s made ] || fail "$1, all closed: made nothing"
}
closed 0 "'$APMU' stat -c cortex-a53 -e cycles -o made -- ./prog"
closed 1 "'$APMU' stat -c cortex-a53 -e cycles -- ./prog"
closed 0 "'$APMU' record -g -c 100 -e cycles --core cortex-a53 -o made -- ./prog"
apmu report made
exits 0
[ -z "$err" ] || fail "a profile made with all descriptors closed: $err"
prints " inner "
closed 0 "'$APMU' export html -i apmu.data -o made"
closed 1 "'$APMU' report"
for descriptor in 0 1 2; do
	bash -c "'$APMU' record -g -c 100 -e cycles --core cortex-a53 -o closed.$descriptor -- ./prog $descriptor>&-" >/dev/null 2>&1
	apmu report closed.$descriptor
	[ "$code" -eq 0 ] && [ -z "$err" ] || fail "a profile made with descriptor $descriptor closed: $err"
done
bash -c "'$APMU' report >&-" 2>err
[ $? -eq 1 ] && grep -qx 'apmu report: cannot write the output' err || fail "report with standard output closed: $(<err)"

# A folder that was deleted: what names another place works, what does not says so.
mkdir gone
(
	cd gone && rmdir ../gone || exit 1
	"$APMU" record -q -g -c 100 -e cycles --core cortex-a53 -o "$work/elsewhere" -- "$work/prog" >/dev/null 2>&1 || exit 2
	"$APMU" report "$work/elsewhere" 2>&1 | grep ' inner ' >"$work/out" || exit 3
	"$APMU" record -- "$work/prog" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] || exit 4
	grep -q 'apmu record: apmu.data cannot be written: No such file or directory' "$work/err" || exit 5
) || fail "in a folder that was deleted: $?: $(<err)"

# Names. What a terminal would obey is not printed; each format has the name in its own way.
for name in 'a b' $'it\'s "x",;' $'two\nlines' '%s%n$(x)' $'red\033[31m' '-ünï' '\012'; do
	mkdir "x$name"
	prog=$work/x$name/p$name data=$work/x$name/data
	cp prog "$prog"
	apmu stat -j -o "$data.json" -c cortex-a53 -e cycles -- "$prog"
	exits 0
	[ "$(jq -r '.program[0]' "$data.json")" = "$prog" ] || fail "'$name': stat -j"
	apmu record -q -g -c 100 -e cycles --core cortex-a53 -o "$data" -- "$prog"
	exits 0
	apmu report "$data"
	exits 0
	grep -q ' inner ' out || fail "'$name': report: $(head -n 6 out)"
	[[ $out != *$'\033'* ]] || fail "'$name': report prints an escape sequence"
	[ "$(grep -c '^# cycles of .* on cortex-a53$' out)" = 1 ] || fail "'$name': report's head: $(head -n 3 out)"
	apmu annotate -i "$data" inner
	exits 0
	[[ $out != *$'\033'* ]] || fail "'$name': annotate prints an escape sequence"
	for format in html folded callgrind pprof perf trace csv json openmetrics; do
		apmu export $format -i "$data" -o "$data.$format"
		exits 0
	done
	callgrind_annotate "$data.callgrind" >out 2>err
	[ ! -s err ] && grep -q ':inner' out || fail "'$name': callgrind_annotate: $(<err)"
	jq -e '.program[0]' "$data.json" >out && [ "$(jq -r '.program[0]' "$data.json")" = "$prog" ] || fail "'$name': export json"
	python3 -c 'import csv, re, sys; assert re.sub("[\x00-\x1f\x7f]", "?", sys.argv[2]) in {r["object"] for r in csv.DictReader(open(sys.argv[1], newline=""))}' "$data.csv" "$prog" ||
		fail "'$name': export csv"
	jq -e .traceEvents "$data.trace" >out || fail "'$name': export trace"
	promtool check metrics <"$data.openmetrics" >out 2>&1 || fail "'$name': export openmetrics: $(<out)"
	awk '!/^[^;]+(;[^;]+)* [0-9]+$/ { bad = 1 } END { exit bad }' "$data.folded" || fail "'$name': export folded: $(head -n 2 "$data.folded")"
done

# The reader of what repeated runs print goes early: the results are there, as those of a single run are.
cat >chatty.c <<'END'
#include <stdio.h>
int main(void) { for (int i = 0; i < 30000; i++) puts("a line that is long enough to fill a pipe"); return 0; }
END
aarch64-linux-gnu-gcc -O1 -static chatty.c -o chatty || exit 1
("$APMU" stat -r 3 -J 2 -e instructions -- ./chatty </dev/null 2>err; echo $? >status) | head -n 1 >out
[ "$(<out) $(<status)" = "a line that is long enough to fill a pipe 0" ] && grep -q 'mean of 3 runs' err || fail "-r | head: $(<status) $(<err)"

# Where parallel runs cannot print, the command says so, because it prints for them.
echo before >kept
for core in cortex-a53 cortex-a53,cortex-a72; do
	"$APMU" stat -c $core -r 2 -J 2 -e instructions -- ./chatty </dev/null 2>err 1<kept
	[ $? = 1 ] && grep -qx 'apmu stat: what the program printed could not all be written: Bad file descriptor' err && grep -q 'mean of 2 runs' err ||
		fail "-r where nothing can be printed: $(<err)"
done
"$APMU" record -q --core cortex-a53,cortex-a72 -J 2 -o parallel.data -- ./chatty </dev/null 2>err 1<kept
[ $? = 1 ] && [ "$(sort -u err)" = 'apmu record: what the program printed could not all be written: Bad file descriptor' ] || fail "record where nothing can be printed: $(<err)"
[ "$("$APMU" report parallel.cortex-a72.data 2>&1 | grep -c puts)" -gt 0 ] || fail "the recording is not there"

# Variables that QEMU itself refuses: its message, and not one about its plugins.
for set in QEMU_LOG=bogus QEMU_VERSION=1 QEMU_DFILTER=zz; do
	env $set "$APMU" stat -c cortex-a53 -e instructions -- ./prog >out 2>err && fail "$set: it ran"
	! grep -q "takes no -plugin" err || fail "$set: $(<err)"
	grep -q "did not start it" err || fail "$set: $(<err)"
	env $set "$APMU" --version >out
	grep -q "^qemu-aarch64 [0-9]" out || fail "$set: --version: $(<out)"
done
grep -q "Bad range specifier" err || fail "QEMU's own message is missing"

# Without /proc, named by a path, a relative one, a link and through PATH.
if unshare -m umount -l /proc 2>err; then
	ln -s "$APMU" link
	for name in "$APMU" "$(realpath --relative-to=. "$APMU")" ./link apmu; do
		PATH=$PATH:${APMU%/*} unshare -m sh -c 'umount -l /proc; exec "$0" stat -c cortex-a53 -e instructions -- ./prog' "$name" >out 2>err || fail "without /proc, $name: $(<err)"
		grep -q "instructions" err || fail "without /proc, $name: $(<err)"
	done
	cp "$APMU" alone
	unshare -m sh -c 'umount -l /proc; exec ./alone stat -c cortex-a53 -e instructions -- ./prog' >out 2>err && fail "without /proc and plugin: it ran"
	grep -q "apmu-tcg.so: no such QEMU plugin; mount /proc, without which" err || fail "without /proc and plugin: $(<err)"
else
	echo "not tested: without /proc ($(<err))"
fi

# Full disks. (Where nothing may be mounted, /dev/full is tried in bad_input.sh.)
if mkdir full && mount -t tmpfs -o size=64k none full 2>/dev/null; then
	head -c 56000 /dev/zero >full/most
	TMPDIR=$work/full apmu stat -c cortex-a53 -e cycles,instructions -I 10000 -- ./prog
	exits 1
	says "intervals could not be written: No space left on device; the next interval contains their counts. Set TMPDIR to a folder with room"
	total=$(awk '$1 ~ /^[0-9]/ && $2 == "instructions" { gsub(",", "", $1); print $1 }' err)
	[ "$(awk '$3 == "instructions" { gsub(",", "", $2); s += $2 } END { print s }' err)" = "$total" ] || fail "intervals do not add up to $total: $err"
	TMPDIR=$work/full apmu stat -c cortex-a53 -e cycles -- ./prog
	exits 0
	for command in "annotate --exact --core cortex-a53 inner" "top-down --by function -c cortex-a53"; do
		head -c 66000 /dev/zero >full/rest 2>err
		TMPDIR=$work/full apmu $command -- ./prog
		exits 1
		says "the recording in '$work/full' (TMPDIR names another folder)"
		says "No space left on device"
		rm full/rest
	done
	rm full/most
	for options in "-j" "-x," ""; do
		# shellcheck disable=SC2086
		apmu stat -c cortex-a53 -I 100 $options -o full/results -- ./prog
		exits 1
		says "apmu stat: cannot write 'full/results': No space left on device"
		[ -z "$(ls full)" ] || fail "$said: left $(ls full)"
	done
	apmu stat -c cortex-a53 -e cycles,instructions,branches -I 100 --plot=full/plot.svg -o results -- ./prog
	exits 1
	says "apmu stat: cannot write 'full/plot.svg': No space left on device"
	[ -z "$(ls full)" ] || fail "$said: left $(ls full)"
	head -c 65536 /dev/zero >full/all 2>err
	apmu top-down -c cortex-a53 -j -o full/results -- ./prog
	exits 1
	says "apmu top-down: cannot write 'full/results': No space left on device"
	rm full/all
	apmu record -q -g -c 1 -e cycles --core cortex-a53 -o large -- ./prog
	for format in perf html; do
		apmu export $format -i large -o full/export
		exits 1
		says "apmu export: cannot write 'full/export': No space left on device"
		[ -z "$(ls full)" ] || fail "$said: left $(ls full)"
	done
	umount full
fi

verdict
