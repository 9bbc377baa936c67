#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# report's self and children columns, and the export formats of the same tree, against a plain sum over the stack of every sample:
# random call trees with much recursion, in two threads, before and after another file is mapped over the first, with and without a
# filter.
. "$(dirname "$0")/../lib.sh"

# functions LETTER: builds a program of functions LETTERa to LETTERl, 64 bytes each, from 0x400000 on
functions()
{
	for i in "$1"{a..l}; do printf '.p2align 6\n.global %s\n.type %s,%%function\n%s:\n.rept 16\nnop\n.endr\n.size %s,.-%s\n' "$i" "$i" "$i" "$i" "$i"; done |
		aarch64-linux-gnu-gcc -nostdlib -static -Wl,--build-id=none,-Ttext=0x400000,-e"$1"a -x assembler - -o "$1" || exit 1
}
functions x
functions y
offset=0x$(readelf -SW x | sed -nE 's/.* \.text +PROGBITS +[0-9a-f]+ ([0-9a-f]+) .*/\1/p')

cat >make.py <<'PYTHON'
import random, sys
folder, offset = sys.argv[2:]
random.seed(int(sys.argv[1]))
address = lambda: 0x400000 + 4 * random.randrange(12 * 16)
name = lambda pc, file: file + "abcdefghijkl"[(pc - 0x400000) // 64]
out = [f"program {folder}/x", "argv x", "chains", "event cycles CPU_CYCLES cycles 10"]
calls, want, total = {}, {}, 0
stacks, edges = {}, {}
for file in "xy":
    out.append("thread 0 100")
    out.append(f"map 0x400000 0x401000 {offset} {folder}/{file}")
    for thread in 0, 1:
        out.append(f"thread {thread} {100 + thread}")
        if file == "x":
            calls[thread] = [(0, 0)] + [(address(), random.randrange(max(0, i - 9), i)) for i in range(1, 200)]
            out += [f"frame {pc} {parent}" for pc, parent in calls[thread][1:]]
        for i in range(1500):
            pc, chain, weight = address(), random.randrange(200), random.randrange(1, 50)
            out.append(f"sample {pc} {i} weight={weight} chain={chain}")
            leaf, path = name(pc, file), [pc]
            while chain:
                path.append(calls[thread][chain][0])
                chain = calls[thread][chain][1]
            stack = {name(at, file) for at in path}
            line = ";".join(["x"] + [name(at, file) for at in reversed(path)])
            stacks[line] = stacks.get(line, 0) + weight
            made = {(path[k], name(path[k - 1], file)) for k in range(1, len(path))} | {(None, name(path[-1], file))}
            for caller, callee in made:  # an instruction's calls of a function count once a stack
                edge = (name(caller, file) if caller else "(below main)", callee)
                edges[edge] = edges.get(edge, 0) + weight
            for only in "*", leaf:
                for function in stack:
                    want.setdefault((only, function), [0, 0])[0] += weight
                want[only, leaf][1] += weight
            total += weight
for only in "*", "xc", "yh":
    with open("want" + only.replace("*", ""), "w") as to:
        for (which, function), (children, self) in sorted(want.items()):
            if which == only:
                print(f"{100 * children / total:.2f}% {self} {function}", file=to)
for what, lines in ("stacks", [f"{k} {v}" for k, v in stacks.items()]), ("edges", [f"{a} {b} {v}" for (a, b), v in edges.items()]):
    with open("want." + what, "w") as to:
        print("\n".join(sorted(lines)), file=to)
print("\n".join(out))
PYTHON

# edges FILE: what each function spends in each that it calls, of a callgrind file
cat >edges.py <<'PYTHON'
import re, sys
names, now, sums = {}, {}, {}
for line in open(sys.argv[1]):
    if m := re.match(r"(c?fn)=\((\d+)\)(?: (.*))?$", line):
        now[m[1]] = names.setdefault(m[2], m[3])
    elif line.startswith("0x") and now.pop("cost", None):
        edge = now["fn"], now["cfn"]
        sums[edge] = sums.get(edge, 0) + int(line.split()[2])
    if line.startswith("calls="):
        now["cost"] = True
print("\n".join(sorted(f"{a} {b} {n}" for (a, b), n in sums.items())))
PYTHON

for seed in 1 2 3; do
	python3 make.py $seed "$work" "$offset" | python3 "$SRC/tests/cli/profile.py" apmu.data || exit 1
	for only in "" xc yh; do
		apmu report -s function ${only:+--function "$only"}
		exits 0
		sed '/^#/d; /self/d; s/,//g' out | awk '{ print $1, $3, $5 }' | sort -k 3 >got
		sort -k 3 "want$only" | diff got - >difference || fail "seed $seed, function '$only': $(cat difference)"
	done
	apmu export json -o all.json
	jq -r '.events[0].weight as $all | .functions[] | "\(.total[0]) \(.self[0]) \(.function) \($all)"' all.json |
		awk '{ printf "%.2f%% %d %s\n", 100 * $1 / $4, $2, $3 }' | sort -k 3 | diff - <(sort -k 3 want) >difference ||
		fail "seed $seed, json: $(cat difference)"
	apmu export folded
	LC_ALL=C sort out | diff - want.stacks >difference || fail "seed $seed, folded: $(head difference)"
	apmu export callgrind -o callgrind.out
	python3 edges.py callgrind.out | diff - want.edges >difference || fail "seed $seed, callgrind: $(head difference)"
	apmu export pprof -o profile.pb
	"$SRC/tests/cli/export/pprof.py" profile.pb | sed -nE '2,$s/^(.*) [0-9]+ ([0-9]+)$/x;\1 \2/p' | LC_ALL=C sort | diff - want.stacks >difference || fail "seed $seed, pprof: $(head difference)"
done
[ "$(wc -l <want)" -ge 24 ] || fail "too few rows to compare: $(cat want)"

# The filters take each name that the report prints, also with brackets, which mean something else in a pattern.
python3 "$SRC/tests/cli/profile.py" apmu.data <<'END' || fail "profile.py"
core cortex-a53
event cpu-cycles CPU_CYCLES cycles 1000
code 0x5000 64 fib[eval]:1
code 0x6000 64 f(int,char[4])
thread 0 100
sample 0x5004 10 weight=3
sample 0x6004 20 weight=1
total 0 4
END
rows() { awk '/%/ && !/^#/ { print $4 }' out | paste -sd ' '; }
for filter in "--function=fib[eval]:1" "--function=main,fib[eval]:1" "--function=fib*"; do
	apmu report "$filter"
	[ "$(rows)" = "fib[eval]:1" ] || fail "$said: $out"
done
apmu report --function "f(int,char[4])"
[ "$(rows)" = "f(int,char[4])" ] || fail "$said: $out"
apmu report --object "[JIT]"
[ "$(rows)" = "fib[eval]:1 f(int,char[4])" ] || fail "$said: $out"

# Lines of two files of one name are two rows, which show the folders; a header that is reached by two ways is one file.
mkdir -p one two
echo 'static __attribute__((noinline)) void shared(void) { for (volatile int i = 0; i < 100; i++) ; }' >shared.h
for folder in one two; do
	printf '#include "../shared.h"\nvoid %s(void) { for (volatile int i = 0; i < 300; i++) ; shared(); }\n' $folder >$folder/util.c
	aarch64-linux-gnu-gcc -O1 -g -c "$work/$folder/util.c" -o $folder.o || fail "cannot build $folder/util.c"
done
echo 'void one(void), two(void); int main(void) { one(); two(); two(); return 0; }' >calls.c
aarch64-linux-gnu-gcc -O1 -g -static calls.c one.o two.o -o calls || fail "cannot build calls.c"
apmu record -q --core cortex-a53 -e instructions -c 10 -o calls.data -- ./calls
exits 0
apmu report -i calls.data --sort line --file '*/util.c,*/shared.h,*/calls.c' --percent-limit 1
exits 0
printf '%s\n' "$work/two/util.c:2" "$work/one/util.c:2" shared.h:1 | sort >want
awk '/%/ && !/^#/ { print $4 }' out | sort >got
cmp -s want got || fail "files of one name: $out"
apmu report -i calls.data --sort file --file '*/shared.h'
[ "$(awk '/%/ && !/^#/ { print $4 }' out)" = "$work/shared.h" ] || fail "a header by two ways: $out"

# So it is with programs of one name that a program executes.
aarch64-linux-gnu-gcc -O1 -static one.o two.o calls.c -o one/prog && aarch64-linux-gnu-gcc -O1 -static calls.c one.o two.o -o two/prog || fail "cannot build prog"
echo '#include <unistd.h>
#include <sys/wait.h>
int main(void) { for (int i = 0; i < 2; i++) { if (!fork()) { execl(i ? "two/prog" : "one/prog", "prog", (char *)0); _exit(1); } wait(0); } return 0; }' >runs.c
aarch64-linux-gnu-gcc -O1 -static runs.c -o runs || fail "cannot build runs.c"
apmu record -q --core cortex-a53 -e instructions -c 10 -o runs.data -- ./runs
exits 0
apmu report -i runs.data --function one,two
printf '%s\n' "one $work/one/prog" "one $work/two/prog" "two $work/one/prog" "two $work/two/prog" >want
awk '/%/ && !/^#/ { print $4, $5 }' out | sort >got
cmp -s want got || fail "programs of one name: $out"
verdict
