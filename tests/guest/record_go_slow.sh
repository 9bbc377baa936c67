#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Go's goroutines: each function is under the goroutine that ran it, whatever stack that was on. (Building Go's library takes a minute.)
# Threads take turns as the host likes, so runs differ: most of six must be right in everything.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
cp "$SRC/tests/guest/src/go/channels.go" .
GOCACHE=$BUILD/go-cache GOARCH=arm64 GOOS=linux CGO_ENABLED=0 go build -o channels channels.go || fail "cannot build"

# part PATTERN: per mille of the instructions of burn() that are in chains of that kind
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
[ $right -ge 4 ] || fail "$right runs of six are right"
finish
