#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Command lines from perf's manual work here, or the message says what to use instead. None is "unknown".
. "$(dirname "$0")/../lib.sh"
build_loop
cat >calls.c <<'END'
__attribute__((noinline)) int inner(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
__attribute__((noinline)) int outer(int n) { return inner(n) ^ inner(n + 1); }
int main(void) { return outer(200000) == 1; }
END
aarch64-linux-gnu-gcc -static -g -O1 calls.c -o calls || exit 1
apmu record -e cycles -c 500 -g -- ./calls
exits 0

# works WANT WORD...: runs, and WANT stands in what it prints.
works()
{
	local want=$1
	shift
	apmu "$@"
	[ "$code" -eq 0 ] || [ "$code" -eq 7 ] || fail "$said: exit $code: $err"
	[[ $out$err == *"$want"* ]] || fail "$said: lacks '$want':"$'\n'"$out$err"
}

# stat
works "2,000,004  instructions" stat -c arm1136 -e cycles:u,instructions:u ./loop
works "2,000,004  instructions" stat -c arm1136 -B --all-user -i -e '{cycles,instructions}:u' ./loop
works "2,000,004  instructions" stat -c arm1136 -e '{cycles,instructions}:Su' ./loop
works "2,000,004" stat -c arm1136 --repeat 2 -e instructions:pp -- ./loop
works "2000004,,instructions" stat -c arm1136 -x, -e instructions ./loop
works "r07" stat -c arm1136 -e r07 ./loop
works "INST_RETIRED" stat -c cortex-a53 -e armv8_cortex_a53/inst_retired/,armv8_pmuv3/event=0x11/u,cpu/config=0x8/:u ./calls -v
works "0x11" stat -c cortex-a53 -e cpu/event=17/u,cpu/config=8/ ./calls
works "L1-dcache-load-misses" stat -c cortex-a53 -e L1-dcache-loads,L1-dcache-load-misses,dTLB-load-misses ./calls
works "LLC-load-misses" stat -c neoverse-n1 -e LLC-loads,LLC-load-misses ./calls
works "LLC-load-misses" stat -c neoverse-n1 -d ./calls
! grep -q L1-icache-loads <<<"$err" && grep -q L1-dcache-loads <<<"$err" && grep -q branch-misses <<<"$err" || fail "-d: $err"
works "iTLB-loads" stat -c neoverse-n1 -dd ./calls
works "L1-dcache-prefetch-misses" stat -c cortex-a53 -ddd -e instructions,dTLB-load-misses ./calls
[ "$(grep -c dTLB-load-misses <<<"$err")" = 1 ] && ! grep -q LLC-loads <<<"$err" || fail "-ddd: $err"
works "LLC-loads" stat -c cortex-a53,neoverse-n1 --detailed ./calls
works "instructions" stat -c cortex-a53 --interval-print 100000 -e instructions ./calls
works "cpi" stat -c cortex-a53 -M cpi ./calls
# record
for options in "-F 99" "-g" "--call-graph dwarf" "--call-graph=fp" "--call-graph lbr -F 99" "-e cycles:pp -c 1000" "-e r11 -c 1000" "-s -T -P -R" \
	"-m 128 -q" "--mmap-pages=4M" "-i -N -B" "--all-user --per-thread" "-W" "-z -c 1000"; do
	# shellcheck disable=SC2086
	works "" record -o try.data $options -- ./calls
	apmu report -i try.data
	prints inner
done
works "':S': each event of a group has samples of its own here, not its first one's" record -o try.data -e '{cycles,instructions}:S' ./calls
apmu record --call-graph dwarf -o try.data ./calls
apmu report -i try.data
prints "children"
# report
for options in "--stdio" "--no-children" "--children" "-s sym,dso" "--sort=overhead,sym" "--percent-limit 1" "-S inner" "--symbols=inner" \
	"-d calls" "--dsos calls" "--sort comm,dso,sym" "-g none" "-g caller" "--skip-empty" "--show-nr-samples" "--show-total-period" "--inline --demangle" "-w 20" "-f -v" "--symfs /" "-i apmu.data --stdio"; do
	# shellcheck disable=SC2086
	works inner report $options
done
# annotate, diff, list
for options in "inner" "-s inner" "--symbol=inner" "-S inner" "--stdio -s inner" "--stdio2 inner" "-l inner" "-n --source inner" "--no-source inner"; do
	# shellcheck disable=SC2086
	works inner annotate $options
done
works cycles diff -f apmu.data apmu.data
works L1D_CACHE_REFILL list events --core cortex-a53 'l1d*'

works cycles stat -c arm1136 -e 'cycles:P,branch-misses:D,{instructions,branches}:W' --metric-no-group --json-output ./loop
works "" record -o try.data --sample-cpu --buildid-all -r 1 -e cycles:P ./calls
works cycles annotate -P --print-line inner

# What cannot be: said with what to do instead.
refuses 2 "apmu stat: -p is an option of 'perf stat', not of 'apmu stat': there is nothing to attach to: the program is run here, after --" stat -p 1
refuses 2 "apmu record: --pid is an option of 'perf record', not of 'apmu record': there is nothing to attach to: the program is run here, after --" record --pid=1
refuses 2 "apmu stat: --topdown is an option of 'perf stat', not of 'apmu stat': 'apmu top-down -- PROGRAM' does that" stat --topdown ./loop
refuses 2 "apmu stat: -C is an option of 'perf stat', not of 'apmu stat': the program runs on a core of its own, which -c names ('apmu list cores')" stat -C 0 ./loop
refuses 2 "apmu: 'script' is a command of perf, not of apmu: 'apmu export csv' has every place; 'apmu export perf' writes a perf.data for perf script" script
refuses 2 "apmu stat: 'page-faults' is an event of Linux, not of a core: no PMU counts it" stat -c arm1136 -e page-faults ./loop
refuses 2 "apmu stat: -e 'sched:sched_switch': a tracepoint is an event of Linux, not of a core: no PMU counts it" stat -e sched:sched_switch ./loop
refuses 2 "apmu report: -n '--no-children' is not a number of rows, 1 or more; perf's -n is not needed: samples have a column" report -n --no-children
refuses 2 "apmu report: --time is an option of 'perf report', not of 'apmu report': the page of 'apmu export html' chooses a part of the run" report --time 0,1
refuses 2 "apmu stat: -e 'cycles:k': modifiers ':k' and ':h' are not supported: apmu counts user space, or with --system everything" stat -e cycles:k ./loop
refuses 2 "apmu stat: -e 'armv8_pmuv3/event=1,long=1/': write a name, event=0x11 or config=0x11 between a PMU's slashes" \
	stat -e armv8_pmuv3/event=1,long=1/ ./loop
refuses 2 "apmu stat: -e 'armv8_pmuv3/l1d_cache': a PMU's event ends with '/'" stat -e armv8_pmuv3/l1d_cache ./loop
refuses 2 "apmu record: unknown event 'cycles/period=1000/u': slashes are for a PMU and its event, as in cpu/cycles/; a period is given to 'apmu record', -c N or -F N" \
	record -e cycles/period=1000/u ./loop
refuses 2 "apmu record: --call-graph 'none' is not a mode of perf's: fp, dwarf or lbr" record --call-graph=none ./loop
refuses 2 "apmu report: --sort 'overhead' names no key; use for example function,object" report --sort overhead
refuses 2 "apmu list: no list of 'cache'; there are cores, events, registers, metrics; events that match: 'apmu list events --core NAME cache'" list cache

# Every row of the table: taken, the same as an option of ours, or refused with its own words.
python3 - "$SRC/src/cli/common/perf_words.c" >rows <<'PYTHON'
import re, sys
text = open(sys.argv[1]).read()
words = dict(re.findall(r'#define (\w+) "(.*)"', text))
for command, brief, name, value, same, why in re.findall(r'\{"([\w-]+)", (0|\'.\'), "([\w-]*)", (true|false), (NULL|"[\w-]+"), (NULL|\w+|"[^"]*")\}', text):
    why = words.get(why, why.strip('"'))
    for option in ([f"--{name}"] if name else []) + ([f"-{brief[1]}"] if brief != "0" else []):
        print(command, option, "1" if value == "true" else "-", why if why != "NULL" else "", sep="\t")
PYTHON
[ "$(wc -l <rows)" -ge 140 ] || fail "rows of perf_words.c: $(wc -l <rows)"
while IFS=$'\t' read -r command option value why; do
	words=("$command" "$option")
	[ "$value" = - ] || words+=(1)
	apmu "${words[@]}"
	[[ $err != *unknown* ]] || fail "$said: $err"
	[ -z "$why" ] || { exits 2; says "is an option of 'perf $command', not of 'apmu $command': $why"; }
done <rows
verdict
