#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# report's self and children, against a plain sum over the stack of every sample: random trees of calls with much recursion,
# in two threads, before and after another file is mapped over the first, with and without a filter.
. "$(dirname "$0")/lib.sh"

# functions LETTER: a program of functions LETTERa to LETTERl, 64 bytes each, from 0x400000 on
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
            leaf, stack = name(pc, file), {name(pc, file)}
            while chain:
                stack.add(name(calls[thread][chain][0], file))
                chain = calls[thread][chain][1]
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
print("\n".join(out))
PYTHON

for seed in 1 2 3; do
	python3 make.py $seed "$work" "$offset" | python3 "$SRC/tests/cli/profile.py" apmu.data || exit 1
	for only in "" xc yh; do
		apmu report -s function ${only:+--function "$only"}
		exits 0
		sed '/^#/d; /self/d; s/,//g' out | awk '{ print $1, $3, $5 }' | sort -k 3 >got
		sort -k 3 "want$only" | diff got - >difference || fail "seed $seed, function '$only': $(cat difference)"
	done
done
[ "$(wc -l <want)" -ge 24 ] || fail "too few rows to compare: $(cat want)"
verdict
