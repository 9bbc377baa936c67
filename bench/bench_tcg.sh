# SPDX-License-Identifier: MIT
# What counting costs: user CPU seconds of programs under plain QEMU and under `apmu stat` with several event sets, in
# alternate runs; medians, guest instructions a second, and the ratio to plain. Also the memory of the whole run.
#
#   BUILD=build bash bench/bench_tcg.sh [ROUNDS]        APMU and SRC may be set, as for the tests
set -eu
SRC=${SRC:-$(cd "$(dirname "$0")/.." && pwd)}
BUILD=${BUILD:-$SRC/build}
APMU=${APMU:-$BUILD/apmu}
rounds=${1:-5}
core=arm1136jf-s
cpu=arm1136
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

names=(plain instructions+branches branch-misses data-cache full)
full=0x00,0x01,0x02,0x03,0x04,0x05,0x06,0x07,0x09,0x0a,0x0b,0x0c,0x0d,0x0f,0x10,0x11,0x12,cycles
events=("" instructions,branches instructions,branches,branch-misses instructions,0x0a,0x0b "$full")

# run SET PROGRAM: user seconds and largest resident kilobytes, appended to a file of its own
run() {
	local command=(qemu-arm -cpu "$cpu" -seed 1 "$work/$2")
	[ "$1" = 0 ] || command=("$APMU" stat -c "$core" -e "${events[$1]}" -j -o "$work/out" -- "$work/$2")
	python3 - "$work/$2.$1" "${command[@]}" <<'PYTHON'
import os, resource, subprocess, sys
subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
open(sys.argv[1], "a").write("%f %d\n" % (used.ru_utime, used.ru_maxrss))
PYTHON
}

for source in "$SRC"/bench/guest/*.c; do
	program=$(basename "$source" .c)
	arm-linux-gnueabi-gcc -O2 -static "$source" -o "$work/$program"
	for ((round = 0; round < rounds; round++)); do
		for ((set = 0; set < ${#names[@]}; set++)); do
			run "$set" "$program"
		done
	done
	python3 - "$work" "$program" "${names[@]}" <<'PYTHON'
import json, statistics, sys
work, program, names = sys.argv[1], sys.argv[2], sys.argv[3:]
counters = json.load(open(work + "/out"))["counters"]
insns = next(c["value"] for c in counters if c["number"] == 7)
print("%-9s %4d million instructions %8s %9s %7s %9s" % (program, insns // 1000000, "user s", "MIPS", "ratio", "MiB"))
for i, name in enumerate(names):
    rows = [line.split() for line in open("%s/%s.%d" % (work, program, i))]
    seconds = statistics.median(float(r[0]) for r in rows)
    memory = max(int(r[1]) for r in rows) / 1024
    plain = seconds if i == 0 else plain
    print("  %-32s %8.3f %9.0f %7.2f %9.1f" % (name, seconds, insns / seconds / 1e6, plain / seconds, memory))
PYTHON
done
