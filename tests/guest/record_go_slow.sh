#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Go's goroutines: each function is shown under the goroutine that ran it, whatever stack it was on. (Building Go's library takes a minute.)
# The host schedules the threads, so runs differ: most of six must be right in everything.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
cp "$SRC"/tests/guest/src/go/*.go .
export GOCACHE=$BUILD/go-cache GOARCH=arm64 GOOS=linux CGO_ENABLED=0
for program in channels preempt contend; do
	go build -o $program $program.go || fail "cannot build $program"
done

# A stripped program's functions have the names of its unstripped twin, but for types in brackets and the suffix of assembler code;
# their lines are those of DWARF, innermost.
for kind in "arm64 exe" "arm64 pie" "arm exe"; do
	read -r machine mode <<<"$kind"
	GOARCH=$machine go build -buildmode=$mode -o twin channels.go && GOARCH=$machine go build -ldflags=-s -buildmode=$mode -o stripped channels.go ||
		fail "cannot build channels, $kind"
	nm -S --defined-only twin | awk '$3 ~ /[tT]/ && NF == 4 { print $1, $4 }' | sed -E 's/\.abi0$//; s/\[[^]]*\]/[...]/' | sort -u >want
	awk '{ print $1 }' want | "$BUILD/tests/guest/symbol_ask" stripped frames | awk '{ print $2 }' | paste -d ' ' want - >got
	[ "$(wc -l <got)" -gt 1000 ] && [ "$(awk '$2 != $3' got | wc -l)" = 0 ] || fail "names of a stripped program, $kind: $(awk '$2 != $3' got | head -n 4)"
	awk '{ print $1 }' want | while read -r at; do printf '%x\n' $((0x$at)) $((0x$at + 8)) $((0x$at + 40)); done | sort -u >at
	for file in twin stripped; do
		"$BUILD/tests/guest/symbol_ask" $file frames <at | awk '!($1 in seen) { print $1, $NF } { seen[$1] }' | sed 's/ \.\/</ </' >$file.lines
	done
	cmp -s twin.lines stripped.lines || fail "lines of a stripped program, $kind: $(diff twin.lines stripped.lines | head -n 4)"
done

# part PATTERN: instructions of burn() in chains that match, in tenths of a percent
part() { awk -v p="$1" '/;main\.burn;? [0-9]*$/ { all += $NF; if ($0 ~ p) some += $NF } END { print all ? int(1000 * some / all) : -1 }' folded; }

right=0
for run in 1 2 3 4 5 6; do
	GODEBUG=asyncpreemptoff=$((run % 2)) "$apmu" record --core cortex-a53 -e instructions -c 500 -g -o go.data -- ./channels >out 2>said || fail "record: $(cat said)"
	"$apmu" export folded -i go.data >folded
	resyncs=$(sed -n 's/.*resynchronised \([0-9]*\) times.*/\1/p' said)
	[ "${resyncs:-0}" -lt 500 ] || fail "$resyncs resynchronisations"
	# 500 of 1001 calls are the workers', 500 last's
	workers=$(part ';main\.worker;main\.burn') last=$(part ';main\.main;main\.last;main\.burn')
	mixed=$(part 'main\.main;.*main\.worker|main\.worker;.*main\.last')
	echo "${resyncs:-0} resyncs, workers $workers, last $last, mixed $mixed per mille"
	[ "$workers" -ge 480 ] && [ "$workers" -le 510 ] && [ "$last" -ge 470 ] && [ "$last" -le 510 ] && [ "$mixed" -le 10 ] && right=$((right + 1))
done
[ $right -ge 4 ] || fail "channels: $right runs of six are right"

# by PATTERN: instructions of spin() in chains that match, in percent
by() { awk -v p="$1" '/;main\.spin;? [0-9]*$/ { all += $NF; if ($0 ~ p) some += $NF } END { print all ? int(100 * some / all) : -1 }' folded; }

right=0 saw=0
for run in 1 2 3 4 5 6; do
	"$apmu" record --core cortex-a53 -e instructions -c 5000 -g -o go.data -- ./preempt >out 2>said || fail "record: $(cat said)"
	"$apmu" export folded -i go.data >folded
	grep -q 'runtime.asyncPreempt' folded && saw=1
	# of 21 parts four are last's first, one its second; eight each of the two kinds of workers
	a=$(by ';gogo;main\.main\.func1;main\.workerA;main\.spin') b=$(by ';gogo;main\.main\.func1;main\.workerB;main\.spin')
	last=$(by ';gogo;runtime\.main;main\.main;main\.last;main\.spin')
	echo "workers $a and $b, last $last per cent"
	[ "$a" -ge 37 ] && [ "$b" -ge 37 ] && [ "$last" -ge 22 ] && right=$((right + 1))
done
[ $saw = 1 ] || fail "nothing was preempted by a signal"
[ $right -ge 4 ] || fail "preempt: $right runs of six are right"

right=0
for run in 1 2 3 4 5 6; do
	"$apmu" record --core cortex-a53 -e cycles -c 1000 -g -o go.data -- ./contend >out 2>said || fail "record: $(cat said)"
	"$apmu" export folded -i go.data >folded
	rooted=$(awk '/;main\.main\.func1/ { all += $NF; if (/;gogo;main\.main\.func1/) some += $NF } END { print all ? int(100 * some / all) : -1 }' folded)
	echo "contend: $rooted per cent begin where the goroutine did"
	[ "$rooted" -ge 98 ] && right=$((right + 1))
done
[ $right -ge 4 ] || fail "contend: $right runs of six are right"
finish
