#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu top-down: the shares follow from the events that stat counts; and stat --plot, in the terminal and as SVG.
. "$(dirname "$0")/../lib.sh"
build_loop

for core in arm1136 xscale2 cortex-a9 cortex-r4; do
	apmu top-down -c $core -- ./loop
	exits 7
	silent
	says "frontend-bound"
	sum=$(awk '/^  (frontend-bound|backend-bound|issuing) / { s += $2 } END { printf "%.1f", s }' err)
	[ "$sum" = 100.0 ] || fail "$core: shares add up to $sum"
	"$APMU" stat -j -o stat.json -c $core -M topdown -- ./loop
	issuing=$(jq '.metrics[] | select(.metric == "issuing").value * 100' stat.json)
	awk -v want="$issuing" '$1 == "issuing" { d = $2 - want; exit !(d < 0.006 && d > -0.006) }' err ||
		fail "$core: issuing is not $issuing: $err"
done
# The counts themselves: IBUF_STALL / CYCLES.
"$APMU" stat -j -o stat.json -c arm1136 -e IBUF_STALL,cycles -- ./loop
want=$(jq '100 * .counters[0].value / .counters[1].value' stat.json)
apmu top-down -c arm1136 -- ./loop
awk -v want="$want" '$1 == "frontend-bound" { d = $2 - want; exit !(d < 0.006 && d > -0.006) }' err || fail "frontend-bound is not $want: $err"
apmu top-down -c cortex-a57 -- ./loop
says "No event that apmu counts on cortex-a57 tells cycles lost at the front from those lost at the back."
says "Data cache"
# What a wait has no event for is not said to issue.
apmu top-down -c arm1136,xscale2 -- ./loop
says "something was issued, a page table was read or a wrong path was left (tlb, branch)"
says "something was issued, or a wrong path was left (branch)"
# Cortex-A35 has Cortex-A53's events.
apmu top-down -c cortex-a35,cortex-r7 -- ./loop
says "backend-memory-bound"
says "Where the cycles go: this core tells only those that wait for a line of a cache"
[[ $err != *"No event"* ]] || fail "$err"
apmu top-down -c cortex-a8,cortex-a7 -- ./loop
says "Where the cycles go: this core tells only those without an instruction"
says "Where the cycles go: this core tells only those of a full store buffer"
[ "$(awk '/^  (frontend-bound|issuing-or-waiting|store-bound|rest) / { s += $2 } END { printf "%.1f", s }' err)" = 200.0 ] ||
	fail "shares of cortex-a8 and cortex-a7: $err"

# By issue slots, with perf's four names, in order and out of order: they add up, and what was retired is what was executed.
aarch64-linux-gnu-gcc -nostdlib -static -x assembler - -o loop64 <<-'END' || exit 1
	.global _start
_start:	ldr	w0, =1000000
1:	subs	w0, w0, #1
	b.ne	1b
	mov	w0, #7
	mov	w8, #93
	svc	#0
END
for core in cortex-a510 neoverse-n2 cortex-x1; do
	apmu top-down -c $core -- ./loop64
	exits 7
	says "Where the issue slots go"
	sum=$(awk '/^  (retiring|bad-speculation|frontend-bound|backend-bound) / { s += $2; n++ } END { printf "%d %.1f", n, s }' err)
	[ "$sum" = "4 100.0" ] || fail "$core: shares by slots: $sum: $err"
	"$APMU" stat -j -o stat.json -c $core -e OP_RETIRED,OP_SPEC,STALL_SLOT,STALL_SLOT_FRONTEND,STALL_SLOT_BACKEND -- ./loop64
	jq -e '[.counters[].value] as [$retired, $spec, $stall, $front, $back] | $retired >= 2000000 and $spec >= $retired and
		$stall == $front + $back' stat.json >/dev/null || fail "$core: $(jq -c '[.counters[].value]' stat.json)"
	want=$(jq '[.counters[].value] as [$retired, $spec, $stall] | 100 * $retired / ($spec + $stall)' stat.json)
	awk -v want="$want" '$1 == "retiring" { d = $2 - want; exit !(d < 0.006 && d > -0.006) }' err || fail "$core: retiring is not $want: $err"
done
# In order every slot of every cycle is accounted for (but for those of the last block): Cortex-A510's parameters issue two a cycle.
"$APMU" stat -j -o stat.json -c cortex-a510 -e OP_SPEC,STALL_SLOT,cycles --set width=2 -- ./loop64
jq -e '[.counters[].value] as [$ops, $stall, $cycles] | (2 * $cycles - $ops - $stall) | . > -100 and . < 1000' stat.json >/dev/null ||
	fail "slots: $(jq -c '[.counters[].value]' stat.json)"
apmu top-down -c arm1136 -j -- ./loop
jq -e '.schema == "apmu-stat/1" and ([.metrics[] | select(.group == "topdown")] | length) == 3' err >/dev/null || fail "top-down -j"
# Each group stands once, with all its metrics.
apmu top-down -c cortex-a9 -- ./loop
[ -z "$(grep -E '^[A-Z]' err | sort | uniq -d)" ] && grep -A2 -x 'Branch prediction' err | grep -q branch-mpki || fail "groups of cortex-a9: $err"
refuses 2 "apmu top-down: the table is of the whole run: leave out -I" top-down -I 1000 -- ./loop
refuses 2 "apmu top-down: the table has every metric of the core: leave out -e" top-down -e cycles -- ./loop
refuses 2 "apmu top-down: the table has every metric of the core: leave out -M" top-down -M branch -- ./loop
apmu top-down -c cortex-a53 --help
exits 0
prints "usage: apmu top-down"
apmu top-down --help
exits 0
prints "usage: apmu top-down"

# Two phases: 300,000 instructions without a load, then 300,000 of which a third are loads.
arm phases <<-'END'
	.arch armv5t
	.syntax unified
	.arm
	.global _start
_start:	ldr	r0, =150000
1:	subs	r0, r0, #1
	bne	1b
	ldr	r0, =100000
	mov	r1, sp
2:	ldr	r2, [r1]
	subs	r0, r0, #1
	bne	2b
	mov	r0, #0
	mov	r7, #1
	svc	#0
END
apmu stat -c arm1136 -e DCACHE_ACCESS -I 50000 --plot -- ./phases
exits 0
# The lowest row: nothing in the first half, full in the second (72 columns; the edges may be half a slice out).
row=$(tail -n 2 err | head -n 1)
[[ ${row:2:32} =~ ^[\ .]*$ && ${row:40:33} =~ ^#+$ ]] || fail "plot: '$row'" "$err"
LC_ALL=C.UTF-8 apmu stat -c arm1136 -e DCACHE_ACCESS -I 50000 --plot -- ./phases
says "█"
# As wide as the terminal: its lines do not wrap, and a wide one shows more. What was not counted is 0, not 1.
for columns in 40 72 150 1; do
	COLUMNS=$columns apmu stat -c arm1136 -e DCACHE_ACCESS,WBUF_DRAINED -I 50000 --plot -- ./phases
	widest=$(sed -n '/DCACHE_ACCESS on arm1136/,$p' err | grep -v '^[^ ]' | awk '{ if (length > n) n = length } END { print n }')
	[ "$widest" = $((columns == 1 ? 26 : columns - 2)) ] || fail "plot in $columns columns: $widest"
done
says "WBUF_DRAINED on arm1136jf-s  (top: 0 per interval)"
# In one interval; and threads are told apart.
apmu stat -c arm1136 -e instructions -I 100000000 --plot=one.svg -- ./loop
[ "$(grep -c 'H800.0V100"/>' one.svg)" = 1 ] || fail "one interval: $(<one.svg)"
arm-linux-gnueabi-gcc -static -O1 "$SRC/tests/guest/src/threads.c" -o threads -lpthread || exit 1
apmu stat -c arm1136 -e instructions -I 10000 --plot=threads.svg -- ./threads
for thread in 1 9; do
	colour="hsl($(((210 + 137 * (thread - 1)) % 360)) 70% 42%)"
	grep -qF "<tspan fill=\"$colour\" font-weight=\"bold\">$thread</tspan>" threads.svg && grep -qF "stroke=\"$colour\"" threads.svg ||
		fail "thread $thread of the picture: $(grep tspan threads.svg)"
done
apmu stat -c arm1136,xscale2 -e instructions,DCACHE_ACCESS -I 50000 --plot=plot.svg -- ./phases
exits 0
python3 - <<'PYTHON' >got || fail "plot.svg"
import re, xml.etree.ElementTree as tree
ns = "{http://www.w3.org/2000/svg}"
root = tree.parse("plot.svg").getroot()
panels = root.findall(f"{ns}g")
for panel in panels:
    path = [p.get("d") for p in panel.iter(f"{ns}path") if p.get("stroke").startswith("hsl")][0]
    xs = [float(x) for x in re.findall(r"H([0-9.]+)", path)]
    ys = [float(y) for y in re.findall(r"(?:V|M[0-9.]+ )([0-9.]+)", path)]
    assert xs == sorted(xs) and abs(xs[-1] - 800) < 0.2 and 11 <= len(xs) <= 14, path
    print(panel.find(f"{ns}text/{ns}tspan").text, "low" if ys[2] > 88 else "high", "low" if ys[-4] > 88 else "high")
PYTHON
[ "$(cat got)" = "instructions high high
instructions high high
DCACHE_ACCESS low high
DCACHE_ACCESS low high" ] || fail "plot.svg: $(cat got)"
refuses 2 "apmu stat: --plot needs -I: it draws what each interval counted" stat --plot -- ./phases
refuses 2 "apmu stat: --plot draws in the terminal; with -j or -x give it a file, --plot=FILE" stat -I 1000 -j --plot -- ./phases
refuses 1 "apmu stat: cannot write '/nowhere/x': No such file or directory" stat -I 1000 --plot=/nowhere/x -- ./phases

# How the program ended is said, as by stat.
apmu top-down -c arm1136 -- ./loop
exits 7
says "The program ended with status 7."

verdict
