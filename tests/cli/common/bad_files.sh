#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Input files that are cut off anywhere, belong to another program, have a later version or cannot be read: each command that reads
# them prints one line with the file and the error; the intact part of a file is used.
. "$(dirname "$0")/../lib.sh"
/usr/bin/python3 "$SRC/tests/cli/profile.py" good.data <<'WORDS'
core cortex-a53
program /nowhere/prog
machine 183
argv ./prog
event cycles CYCLES cycles 100
thread 0 100
sample 400300 50 weight=100 times=40 step=30
total 0 4000
exit 0
WORDS
readers=("report -i" "annotate -i" "export folded -i" "export html -i" "export json -i" "diff good.data")

# each CODE TEXT FILE: what every reader makes of it
each()
{
	local reader
	for reader in "${readers[@]}"; do
		# shellcheck disable=SC2086
		apmu $reader "$3"
		exits "$1"
		says "$2"
		[ "$1" = 0 ] || silent
		[ "$1" = 0 ] || [ "$(wc -l <err)" = 1 ] || fail "$said: not one line: $err"
	done
}

size=$(stat -c %s good.data)
[ "$size" -gt 300 ] || fail "good.data has $size bytes only"
apmu report -i good.data
exits 0
prints "# 40 samples for 4,000 counted"

# Cut off within its head; within the first block; anywhere behind that.
head -c 10 good.data >cut.data
each 1 "cut.data" cut.data
head -c 40 good.data >cut.data
each 1 "cut.data" cut.data
for ((n = size - 1; n > 24; n -= 37)); do
	head -c $n good.data >cut.data
	apmu report -i cut.data
	[ "$code" -le 1 ] && [ -n "$err" ] || fail "$said, cut to $n bytes: exit $code: $err"
	[[ $out != *"40 samples"* ]] || [ "$code" = 0 ] || fail "$said, cut to $n bytes: shows samples and fails"
done
head -c $((size - 1)) good.data >cut.data
each 0 "cut off" cut.data
apmu report -i cut.data
prints "# 40 samples for 4,000 counted"

# A byte changed: the block is left out, and said.
{ head -c $((size - 60)) good.data && printf X && tail -c 59 good.data; } >changed.data
apmu report -i changed.data
says changed.data

# A later version; another byte order; no profile at all; an empty one; a folder; none.
{ head -c 8 good.data && printf '\2' && tail -c +10 good.data; } >later.data
each 1 "later.data" later.data
printf 'PERFILE2 and so on, and so on, and so on' >foreign.data
for reader in "report -i" "annotate -i" "export folded -i"; do
	# shellcheck disable=SC2086
	refuses 1 "apmu ${reader%% *}: foreign.data is not a profile of 'apmu record'; it is a recording of perf, which 'perf report' reads" $reader foreign.data
done
: >empty.data
mkdir folder.data
each 1 "empty.data" empty.data
each 1 "folder.data" folder.data
each 1 "No such file" none.data

# JSON: of something else, of a later schema, cut off.
echo '{"schema":"apmu-stat/1","core":"cortex-a53","counters":[{"event":"cycles","value":7}]}' >good.json
echo '{"counter-value" : "9.0", "unit" : "", "event" : "cycles:u", "event-runtime" : 1, "pcnt-running" : 100.00}' >board.json
apmu diff good.json good.json
exits 0
apmu compare board.json good.json
exits 0
for text in '' '{' '[]' '{}' '7' '{"schema":"apmu-stat/2","counters":[]}' '{"schema":"apmu-stat/1","counters":7}' '{"schema":"apmu-stat/1","counters":[{"event":7,"value":"x"}]}' \
	'{"schema":"apmu-stat/1","core":"cortex-a53","counters":[{"event":"cycles","value":-1},{"event":"cycles","value":1e300}]}'; do
	printf '%s' "$text" >bad.json
	for order in "good.json bad.json" "bad.json good.json"; do
		# shellcheck disable=SC2086
		apmu diff $order
		exits 1
		says "bad.json"
	done
	for order in "bad.json good.json" "board.json bad.json"; do
		[[ $text != *-1* ]] || continue # a count is what it is there
		# shellcheck disable=SC2086
		apmu compare $order
		exits 1
		says "bad.json"
	done
done
printf '{"schema":"apmu-stat/2","counters":[]}' >bad.json
refuses 1 "apmu diff: bad.json: its schema is 'apmu-stat/2', of a newer apmu; this one reads 'apmu-stat/1'" diff good.json bad.json
verdict
