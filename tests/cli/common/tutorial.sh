#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tutorial's commands work as written and find what it says: one load that always misses, one branch that is random. (The
# figures in its text depend on the compiler and the models; these findings must not.)
. "$(dirname "$0")/../lib.sh"
cp "$SRC/examples/tutorial/orders.c" .
PATH=$(dirname "$APMU"):$PATH
sed -nE 's/^    \$ //p' "$SRC/docs/tutorial.md" >commands
[ "$(wc -l <commands)" -ge 10 ] || fail "too few commands in the tutorial"
while IFS= read -r command; do
	bash -c "$command" >out 2>err || fail "$command: exit $?: $(cat err)"
	[ "${command%% *}" = aarch64-linux-gnu-gcc ] || [ -s out ] || [ -s err ] || fail "$command says nothing"
done <commands

# Executions are 512 x 512 = 262,144.
apmu annotate sum_by_customer
awk '$3 == "." && /ldr w/ && $2 > 0.95 * 262144 && $2 < 1.05 * 262144 { found = 1 } END { exit !found }' out || fail "no load that always misses: $out"
apmu annotate -e branch-misses count_large
awk '/b\.(ls|hi|ls|cc|cs) / && $4 > 0.4 * 262144 && $4 < 0.6 * 262144 { found = 1 } END { exit !found }' out || fail "no branch that is a coin's toss: $out"
apmu diff old.json new.json -j
holds '[.events[] | select(.event == "cycles")][0].percent < -50'
holds '[.events[] | select(.event == "cache-misses")][0].percent < -90'
holds '[.events[] | select(.event == "branch-misses")][0].percent < -90'
verdict
