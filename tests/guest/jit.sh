#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Code that a program generates has the names that the program writes for perf, in /tmp/perf-PID.map or a jitdump.
. "$(dirname "$0")/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
touch map # the path of the program's map
trap 'xargs rm -f <map; rm -rf "$work"' EXIT
aarch64-linux-gnu-gcc -O1 -static "$SRC/tests/guest/src/jit.c" -o jit || exit 1

printf '%s\n' {1..10} 'until zero' done >loop.src
for how in map dump; do
	second=20,001
	[ "$how" = map ] || second=22,002 # with 2,001 where it was moved to
	"$apmu" record -q --exact --core cortex-a53 -e instructions -o jit.data -- ./jit $how 10000 >map || fail "record $how"
	xargs rm -f jit-*.dump <map # the profile has what they said
	"$apmu" report -i jit.data -s function,object >out 2>err
	for want in '60,001 .* first loop  *\[JIT\]$' "$second .* second  *\[JIT\]\$"; do
		grep -q "$want" out || fail "$how: no line '$want': $(cat err out)"
	done
	! grep -q 'old name' out || fail "$how: $(cat out)"
	[ ! -s err ] || fail "$how: $(cat err)"
	for format in html folded callgrind pprof perf csv json openmetrics; do
		"$apmu" export $format -i jit.data -o "out.$format" 2>err || fail "export $format: $(cat err)"
	done
	# code made anew under its old name is one function
	twice=$(jq -c '.functions[] | [.object, .function]' out.json | sort | uniq -d)$(sed -E 's/ [0-9]+$//' out.openmetrics | sort | uniq -d)
	[ -z "$twice" ] || fail "$how: twice in an export: $twice"
	grep -q 'first loop' out.folded && grep -q 'first loop' out.callgrind || fail "$how: exports lack the name"
done

# However long a line of the map is, reading it takes no memory.
used=$(python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=open("map", "w"))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$apmu" record -q --exact --core cortex-a53 -e instructions -o long.data -- ./jit map 10000 1000000000)
xargs rm -f <map
[ "$used" -lt 500000 ] || fail "a line of a gigabyte: $used KiB"
"$apmu" report -i long.data -s function,object >out 2>err
grep -q '60,001 .* first loop' out && grep -q '20,001 .* second' out || fail "names after a line of a gigabyte: $(cat out err)"

# The lines and code of a jitdump: the first loop with its source, and the second one at its old and its new address.
"$apmu" annotate -i jit.data 'first loop' >out 2>err || fail "annotate: $(cat err)"
sed '1,4d; /^$/d; s/  */ /g; s/ [0-9a-f]*000: / 0: /; s/ [0-9a-f]*004: / 4: /; s/ [0-9a-f]*008: / 8: /; s/#0x[0-9a-f]*000$/0/' out >seen
cmp -s - seen <<-'END' || fail "annotate: $(cat err out)"
	loop.src:11
	 until zero
	 50.00% 30000 0: subs x0, x0, #1
	 50.00% 30000 4: b.ne 0
	loop.src:12
	 done
	 0.00% 1 8: ret
	100.00% 60001 total
END
"$apmu" annotate -i jit.data >out 2>err || fail "annotate: $(cat err)"
grep -q ' 10000 .*40:  subs x0, x0, #1$' out && grep -q ' 1000 .*80:  subs x0, x0, #1$' out || fail "annotate second: $(cat err out)"
"$apmu" report -i jit.data -s line >out 2>err
grep -q '60,000 .*loop.src:11' out || fail "lines: $(cat err out)"
grep -q 'subs x0, x0, #1' out.html && ! grep -q 'no instructions' err || fail "the page has no code of it"

# A dump that is cut off anywhere is read up to its last complete record.
for cut in 30 50 70 110 150 200; do
	"$apmu" record -q --exact --core cortex-a53 -e instructions -o jit.data -- ./jit dump 1000 $cut 2>err && "$apmu" report -i jit.data -s function >out 2>>err ||
		fail "cut to $cut bytes: $(cat err)"
	rm -f jit-*.dump
done

# A long name is cut short.
"$apmu" record -q --exact --core cortex-a53 -e instructions -o jit.data -- ./jit map 10000 0 9000 >map && "$apmu" report -i jit.data -s function >out 2>err
xargs rm -f <map
grep -q '20,001 .*second0000' out || fail "a long name: $(cat out err)"

# Without either file there are no names; a file from another time is not the program's.
"$apmu" record -q --exact --core cortex-a53 -e instructions -o jit.data -- ./jit none 10000
"$apmu" report -i jit.data -s function,object >out 2>err
grep -q '60,001\|20,000.* ?  *\[unknown\]\|\[unknown\]' out && ! grep -q JIT out || fail "none: $(cat out err)"

# Code that takes the place of a library's, without a name: what ran before is the library's, the loop is not.
for name in first second; do
	aarch64-linux-gnu-gcc -O1 -shared -fPIC -DLIBRARY=$name "$SRC/tests/guest/src/record/over.c" -o lib$name.so || exit 1
done
aarch64-linux-gnu-gcc -O1 -static -pthread "$SRC/tests/guest/src/record/over.c" -o place || exit 1
offset=$(aarch64-linux-gnu-nm libfirst.so | awk '$3 == "first" { print $1 }')
for how in over unmapped; do
	for way in --exact "-c 10"; do
		"$apmu" record --core cortex-a53 -q $way -e instructions -o place.data -- ./place "$offset" $how || fail "record $way of code over a library"
		"$apmu" report -i place.data -s object --no-children >out 2>err
		"$apmu" export csv -i place.data 2>>err |
			awk -F , '$5 == "second" { second += $3 } $4 == "[anon]" { made += $3 } END { exit !(second >= 11900 && second <= 12100 && made >= 7980 && made <= 8020) }' ||
			fail "code over a library, $how $way: $(cat out err)"
	done
done
finish
