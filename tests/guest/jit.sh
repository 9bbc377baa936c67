#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Code that a program makes while it runs has the names that the program tells perf: by /tmp/perf-PID.map and by jitdump.
. "$(dirname "$0")/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
trap 'rm -rf "$work" ${map:+"$map"}' EXIT
aarch64-linux-gnu-gcc -O1 -static "$SRC/tests/guest/src/jit.c" -o jit || exit 1

for how in map dump; do
	"$apmu" record -q --exact --core cortex-a53 -e instructions -o jit.data -- ./jit $how 10000 || fail "record $how"
	pid=$("$apmu" export json -i jit.data -o - | jq '.threads[0].pid')
	map=/tmp/perf-$pid.map
	rm -f "$map" jit-*.dump # the profile has what they said
	"$apmu" report -i jit.data -s function,object >out 2>err
	for want in '60,001 .* first loop  *\[JIT\]$' '20,001 .* second  *\[JIT\]$'; do
		grep -q "$want" out || fail "$how: no line '$want': $(cat err out)"
	done
	! grep -q 'old name' out || fail "$how: $(cat out)"
	[ ! -s err ] || fail "$how: $(cat err)"
	for format in html folded callgrind pprof perf csv json openmetrics; do
		"$apmu" export $format -i jit.data -o "out.$format" 2>err || fail "export $format: $(cat err)"
	done
	grep -q 'first loop' out.folded && grep -q 'first loop' out.callgrind || fail "$how: exports lack the name"
done

# Without a word of the program there is no name; a file of another time is not its own.
"$apmu" record -q --exact --core cortex-a53 -e instructions -o jit.data -- ./jit none 10000
"$apmu" report -i jit.data -s function,object >out 2>err
grep -q '60,001\|20,000.* ?  *\[unknown\]\|\[unknown\]' out && ! grep -q JIT out || fail "none: $(cat out err)"
finish
