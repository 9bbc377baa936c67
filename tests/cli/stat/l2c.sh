#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --l2c l210: the controller's events are listed with the core's, and the relation of AN195 9 holds.
. "$(dirname "$0")/../lib.sh"

arm-linux-gnueabi-gcc -O1 -static -marm -x c - -o prog <<'C' || fail "the program does not compile"
static volatile int sink[65536];
int main(void)
{
	for (int turn = 0; turn < 20; turn++)
		for (int i = 0; i < 65536; i += 8)
			sink[i] += turn;
	return 0;
}
C
"$APMU" stat -c arm1136 --l2c l210 -e 0x0,0x0b,l210/ir-req,l210/ir-hit,l210/dr-req,l210/dr-hit,l210/dw-req -j -o out.json \
	-- ./prog >out 2>&1 || fail "$(cat out)"
python3 - <<'PYTHON' || fail "counts: $(cat out.json)"
import json
n = {c["event"]: c["value"] for c in json.load(open("out.json"))["counters"]}
assert n["0x0"] > n["l210/ir-req"] >= n["l210/ir-hit"] > 0, n      # AN195 9
assert n["0x0b"] >= n["l210/dr-req"] >= 20 * 8192, n               # a line a step, 256 KiB: none stays in L1
assert n["l210/dr-req"] > n["l210/dr-hit"], n                      # nor, whole, in 128 KiB
assert n["l210/dw-req"] >= 19 * 8192, n                            # dirty lines come out
PYTHON

# Both names are one model; without -e all of its events stand behind the usual ones.
"$APMU" stat -c arm1136 --l2c l220 -e l220/ir-req,l210/ir-req -x, -o out.csv -- ./prog >out 2>&1 || fail "l220: $(cat out)"
[ "$(cut -d, -f1 out.csv | sort -u | wc -l)" -eq 1 ] || fail "l220: $(cat out.csv)"
"$APMU" stat -c arm1136 --l2c l210 -x, -o out.csv -- ./prog >out 2>&1 || fail "$(cat out)"
[ "$(grep -c l210/ out.csv)" -eq 7 ] || fail "without -e: $(cat out.csv)"

# What is set by name holds, before --l2c or behind it.
hits() # OPTION...
{
	"$APMU" stat -c arm1136 "$@" -e l210/dr-req,l210/dr-hit -x, -o out.csv -- ./prog >out 2>&1 || fail "$*: $(cat out)"
	cut -d, -f1 out.csv
}
small=$(hits --l2c l210) big=$(hits --l2c l210 --l2 512K,8,64)
[ "$small" != "$big" ] || fail "--l2 changes nothing: $small"
for words in "--l2 512K,8,64 --l2c l210" "--set l2.size=524288,l2.line=64 --l2c l210" "--l2 512K,8,64 --l2c l210 --uarch $SRC/spec/uarch/arm1136.uarch"; do
	# shellcheck disable=SC2086
	[ "$(hits $words)" = "$big" ] || fail "$words: $(cat out.csv), not $big"
done

refuse()
{
	local want=$1
	shift
	if "$APMU" "$@" >out 2>&1; then fail "accepted: $*"; fi
	grep -qF "$want" out || fail "$*: $(cat out)"
}
refuse "l210/ir-req needs --l2c l210" stat -c arm1136 -e l210/ir-req -- ./prog
refuse "unknown event 'l210/irreq' of the L2 cache controller; it has: l210/ir-req" stat -c arm1136 --l2c l210 -e l210/irreq -- ./prog
refuse "is not l210 or l220" stat -c arm1136 --l2c pl310 -- ./prog
refuse "is counted by 'apmu stat' alone" record -c 1000 --core arm1136 -e l210/ir-req -- ./prog
verdict
