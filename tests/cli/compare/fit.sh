#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compare --fit: the "board" is our own model with two parameters changed; --fit must find these two and no others.
. "$(dirname "$0")/../lib.sh"

"$SRC/tests/accuracy/build.sh" "$BUILD/accuracy" || fail "the kernels cannot be built"
kernels=$BUILD/accuracy/kernels-a64 core=cortex-a53
events=cycles,instructions,branch-misses,L1D_CACHE_REFILL,L2D_CACHE_REFILL,L1D_TLB_REFILL

# count PREFIX OPTION...: writes PREFIX1.json and so on, for programs that are bound by L2, by memory, by mispredicted branches, and by taken ones.
count()
{
	local n=0 prefix=$1 program
	shift
	for program in "chase 131072 2" "chase 1048576 1" "toss 2 8" "always 0 100"; do
		n=$((n + 1))
		# shellcheck disable=SC2086
		"$APMU" stat -c $core -e $events -j -o "$prefix$n.json" "$@" -- "$kernels" $program >/dev/null || fail "cannot count $program"
	done
}
fitted() { sed -nE "s/^$1 = ([0-9]+) .*/\1/p" fitted.uarch; } # KEY
row() { "$APMU" list cores -v $core | awk -v key="$1" '$1 == key { print $2 }'; }
near() { awk "BEGIN { exit !(${1:-0} >= $2 * (1 - $3) && ${1:-0} <= $2 * (1 + $3)) }"; } # VALUE TRUTH SHARE

memory=$(($(row memory) * 3 / 4)) mispredict=$(($(row mispredict) * 2))
count ours
count board --set memory=$memory,mispredict=$mispredict
parameters=memory,mispredict,l2.latency,taken,tlb.entries,return_stack
pairs() { for n in 1 2 3 4; do echo "$1$n.json ours$n.json"; done; }

# shellcheck disable=SC2046
apmu compare --fit fitted.uarch --params $parameters $(pairs board)
exits 0
near "$(fitted memory)" $memory 0.02 || fail "memory $(fitted memory), not $memory: $out"
[ "$(fitted mispredict)" = $mispredict ] || fail "mispredict $(fitted mispredict), not $mispredict: $out"
[ "$(grep -c = fitted.uarch)" = 2 ] || fail "other parameters were changed: $(<fitted.uarch)"
for key in memory mispredict; do # a row has the parameter as it was and as it was fitted
	grep -qE "^ *$(row $key) +$(fitted $key) +[0-9]+\.[0-9] % +$key( |\$)" <<<"$out" || fail "no row for $key: $out"
done
prints "Undetermined"
[[ ${out#*Undetermined} == *return_stack* ]] || fail "nothing calls: the return stack is undetermined: $out"

# What it wrote is what stat takes, and the board's counts come out.
"$APMU" stat -c $core -e cycles -j -o again.json --uarch fitted.uarch -- "$kernels" chase 1048576 1 >/dev/null || fail "stat refuses fitted.uarch"
near "$(jq '.counters[0].value' again.json)" "$(jq '.counters[0].value' board2.json)" 0.01 || fail "the fitted core is no better"

# What was set before is written, but was not fitted.
apmu compare --fit begun.uarch --set mispredict=$mispredict --params memory board2.json ours2.json
exits 0
grep -qx "mispredict = $mispredict \"set before the fit\"" begun.uarch && grep -qE '^memory = [0-9]+ "fitted to a board.s counts"$' begun.uarch ||
	fail "what was set before the fit: $(<begun.uarch)"

# With noise of 1 % of each count, as perf writes them.
for n in 1 2 3 4; do
	jq -c --argjson n $n '.counters | to_entries[] | {"counter-value": ((.value.value * (1 + 0.01 * ((.key + $n) % 3 - 1))) | tostring), event: (.value.event + ":u"), "pcnt-running": 100}' board$n.json >noisy$n.json
done
# shellcheck disable=SC2046
apmu compare --fit fitted.uarch --params $parameters $(pairs noisy)
exits 0
near "$(fitted memory)" $memory 0.04 || fail "noisy: memory $(fitted memory), not $memory: $out"
near "$(fitted mispredict)" $mispredict 0.12 || fail "noisy: mispredict $(fitted mispredict), not $mispredict: $out"

# Raw numbers are events too, as for --events.
for n in 1 2 3 4; do
	jq -c '.counters[] | {"counter-value": (.value | tostring), event: (if .number then "cpu/event=\(.number)/u" else "r11:u" end)}' board$n.json >raw$n.json
done
# shellcheck disable=SC2046
apmu compare --fit fitted.uarch --params $parameters $(pairs raw)
exits 0
prints "4 programs, 24 counts on $core"
near "$(fitted memory)" $memory 0.02 || fail "raw numbers: memory $(fitted memory), not $memory: $out"

# A parameter whose effect grows with its value explains less by its slope than one whose effect does not: it is found by trying both.
count far --set l2.latency=30,mispredict=$mispredict
# shellcheck disable=SC2046
apmu compare --fit fitted.uarch --params l2.latency,mispredict,store_buffer,misses,result.load,address_extra,l2.fill $(pairs far)
exits 0
[ "$(fitted l2.latency)" = 30 ] && [ "$(fitted mispredict)" = $mispredict ] || fail "l2.latency $(fitted l2.latency), not 30: $out"
grep -qE ' l2\.latency \(or [a-z]' <<<"$out" || fail "what would explain as much is not shown: $out"

# A misprediction may cost less than the row's, on a core where all of it counts as a stall.
count low --set mispredict=5
# shellcheck disable=SC2046
apmu compare --fit fitted.uarch --params memory,mispredict $(pairs low)
exits 0
[ "$(fitted mispredict)" = 5 ] || fail "mispredict $(fitted mispredict), not 5: $out"

# The other PMU of a board with two kinds of cores has no part in a fit.
for n in 1 2 3 4; do
	jq -c '.counters[] | {"counter-value": (.value | tostring), event: "armv8_cortex_a53/\(.event)/u"}, {"counter-value": "7", event: "armv8_cortex_a72/\(.event)/u"}' board$n.json >two$n.json
done
# shellcheck disable=SC2046
apmu compare --fit fitted.uarch --params memory,mispredict $(pairs two)
exits 0
prints "4 programs, 24 counts on $core"
near "$(fitted memory)" $memory 0.02 || fail "two PMUs: memory $(fitted memory), not $memory: $out"

# Counts of a board that hold the kernel's part are said to.
jq -c '.counters[] | {"counter-value": (.value | tostring), event: (.event + if .number then ":u" else "" end)}' board1.json >kernel1.json
apmu compare --fit fitted.uarch --params memory,mispredict kernel1.json ours1.json noisy2.json ours2.json
exits 0
[ "$err" = "apmu compare: 'kernel1.json' has counts without ':u', which hold the kernel's part; ours never do" ] || fail "the kernel's part: $err"

# Equal counts: nothing to explain, nothing written.
rm -f fitted.uarch
# shellcheck disable=SC2046
apmu compare --fit fitted.uarch --params memory,mispredict $(pairs ours)
exits 0
prints "No parameter explains the differences: fitted.uarch is not written."
[ ! -e fitted.uarch ] || fail "parameters out of nothing: $(<fitted.uarch)"
# What an erratum adds to an event counts in the runs of a fit too.
arm returns <<'END'
	.arm
	.global _start
_start:	mov	r4, #0xb80
1:	bl	leaf
	subs	r4, r4, #1
	bne	1b
	mov	r0, #0
	mov	r7, #1
	svc	#0
leaf:	mov	pc, lr
END
"$APMU" stat -c xscale2 -e cycles,ICACHE_NO_DELIVER -j -o erratum.json -- ./returns || fail "cannot count returns"
apmu compare --fit fitted.uarch --params memory,mispredict erratum.json erratum.json
exits 0
prints "1 program, 2 counts on xscale2: root mean square of the differences 0.0 before the fit, 0.0 after it"

# Child processes count in the runs of a fit too, as in those of stat and of perf.
arm forks <<'END'
	.arm
	.global _start
_start:	mov	r7, #2		@ fork
	svc	#0
	cmp	r0, #0
	bne	parent
	mov	r4, #0xb80
1:	subs	r4, r4, #1
	bne	1b
	b	exit
parent:	mov	r7, #114	@ wait4
	mov	r1, #0
	mov	r2, #0
	mov	r3, #0
	svc	#0
exit:	mov	r0, #0
	mov	r7, #1
	svc	#0
END
"$APMU" stat -c xscale2 -e cycles,instructions -j -o forks.json -- ./forks || fail "cannot count forks"
[ "$(jq '.counters[1].value' forks.json)" -gt 5888 ] || fail "stat does not count the child"
apmu compare --fit fitted.uarch --params memory,mispredict forks.json forks.json
exits 0
prints "1 program, 2 counts on xscale2: root mean square of the differences 0.0 before the fit, 0.0 after it"

needs="apmu compare: --fit needs pairs of files: a board's, of 'perf stat -j', and ours of the same program, of 'apmu stat -j'"
refuses 2 "$needs" compare --fit x.uarch
refuses 2 "$needs" compare --fit x.uarch board1.json
refuses 2 "apmu compare: --fit prints a table and writes a file: leave out --events, --json and --fail-above" compare --fit x.uarch -j board1.json ours1.json
refuses 1 "apmu compare: cannot write 'nowhere/x.uarch': No such file or directory" compare --fit nowhere/x.uarch board1.json ours1.json
refuses 2 "apmu compare: --core is for --events; otherwise the core is that of OURS" compare --fit x.uarch --core cortex-a72 board1.json ours1.json
refuses 2 "apmu compare: --params, --set, --uarch and --sysroot are for --fit" compare --params memory board1.json ours1.json
refuses 2 "apmu compare: --params: no parameter 'memry'; 'apmu list cores -v' has them all" compare --fit x.uarch --params memry board1.json ours1.json
refuses 2 "apmu compare: nothing to fit: no parameter of --params is a number that can be changed and has an effect on cortex-a53" \
	compare --fit x.uarch --params l1d.replace board1.json ours1.json
refuses 1 "apmu compare: cannot read 'none.json': No such file or directory" compare --fit x.uarch none.json ours1.json
echo "{}" >empty.json
refuses 1 "apmu compare: 'empty.json' is not a result of 'apmu stat -j' for one core" compare --fit x.uarch board1.json empty.json
echo '{"schema": "apmu-stat/2", "core": "cortex-a53", "program": ["x"]}' >newer.json
refuses 1 "apmu compare: newer.json: its schema is 'apmu-stat/2', of a newer apmu; this one reads 'apmu-stat/1'" compare --fit x.uarch board1.json newer.json
echo '{"core": "cortex-a72", "program": ["x"]}' >other.json
refuses 1 "apmu compare: 'other.json' has counts of cortex-a72, the files before it of cortex-a53: a fit takes one core" compare --fit x.uarch board1.json ours1.json board2.json other.json
sed 's/"cortex-a53"/"cortex-a72"/' board1.json >another.json
refuses 1 "apmu compare: 'another.json' has counts of cortex-a72, 'ours1.json' of cortex-a53" compare --fit x.uarch another.json ours1.json
# Three times as many of everything, instructions among them.
for n in 1 2; do jq '.counters[].value *= 3' board$n.json >triple$n.json; done
apmu compare --fit triple.uarch --params memory,mispredict triple1.json ours1.json triple2.json ours2.json
exits 0
says "no parameter explains that; is it the same program, with the same input, in user space?"
prints "These parameters do not explain the board"
echo '{"counter-value" : "1", "event" : "nothing-of-ours"}' >strange.json
refuses 1 "apmu compare: 'strange.json' has no count of an event of cortex-a53" compare --fit x.uarch strange.json ours1.json
echo '{"counter-value" : "<not counted>", "event" : "cycles:u"}' >strange.json
refuses 1 "apmu compare: 'strange.json' has no count of an event of cortex-a53" compare --fit x.uarch strange.json ours1.json
echo '{"core": "cortex-a53", "program": ["./gone"]}' >gone.json
apmu compare --fit x.uarch board1.json gone.json
exits 1
says "apmu compare: cannot run './gone' again: "
# A program that ends otherwise than before does other work.
jq '.exit = 3' ours1.json >ended.json
apmu compare --fit x.uarch --params memory board1.json ended.json
exits 1
says "apmu compare: '$kernels' ended with exit status 0 when run again, with 3 before: run it in the same folder, with the same --sysroot"
[ ! -e x.uarch ] || fail "a fit that failed left a file"

verdict
