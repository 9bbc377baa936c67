# SPDX-License-Identifier: MIT
# What counting costs: user CPU seconds of programs under plain QEMU and under `apmu stat` with several event sets, in
# alternate runs; medians, guest instructions per second, and the ratio to plain. Also the memory of the whole run.
# First ARM1136 (A32), then an in-order and an out-of-order core of Armv8 (A64), and two plugins to compare with: one
# with empty callbacks, the upper limit for plugins with block and access callbacks; one written in the obvious way,
# which counts what "L1" counts.
#
#   BUILD=build bash bench/bench_tcg.sh [ROUNDS]        APMU and SRC may be set, as for the tests
set -eu
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
rounds=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

names=(plain empty-callbacks instructions+branches branch-misses data-cache full)
full=0x00,0x01,0x02,0x03,0x04,0x05,0x06,0x07,0x09,0x0a,0x0b,0x0c,0x0d,0x0f,0x10,0x11,0x12,cycles
events=("" "" instructions,branches instructions,branches,branch-misses instructions,0x0a,0x0b "$full")

names64=(plain empty-callbacks naive-plugin L1 L1+TLB+predictor in-order out-of-order)
caches=instructions,L1I_CACHE_REFILL,L1D_CACHE_REFILL
units=instructions,L1I_CACHE_REFILL,L1D_CACHE_REFILL,L1I_TLB_REFILL,L1D_TLB_REFILL,BR_MIS_PRED
whole=$units,cycles,L2D_CACHE,L2D_CACHE_REFILL,BUS_ACCESS
cores64=("" "" "" cortex-a53 cortex-a53 cortex-a53 neoverse-n1)
events64=("" "" "" $caches $units $whole $whole)

# timed NAME COMMAND...: appends user seconds and largest resident kilobytes to the file NAME
timed()
{
	python3 - "$@" <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
open(sys.argv[1], "a").write("%f %d\n" % (used.ru_utime, used.ru_maxrss))
PYTHON
}

run32()
{
	local command
	case $1 in
	0) command=(qemu-arm -cpu arm1136 -seed 1 "$work/$2") ;;
	1) command=(qemu-arm -cpu arm1136 -plugin "$BUILD/bench/empty-plugin.so" -seed 1 "$work/$2") ;;
	*) command=("$APMU" stat -c arm1136jf-s -e "${events[$1]}" -j -o "$work/out" -- "$work/$2") ;;
	esac
	timed "$work/$2.$1" "${command[@]}"
}

run64()
{
	local command
	case $1 in
	0) command=(qemu-aarch64 -seed 1 "$work/$2") ;;
	1) command=(qemu-aarch64 -plugin "$BUILD/bench/empty-plugin.so" -seed 1 "$work/$2") ;;
	2) command=(qemu-aarch64 -plugin "$BUILD/bench/naive-plugin.so" -seed 1 "$work/$2") ;;
	*) command=("$APMU" stat -c "${cores64[$1]}" -e "${events64[$1]}" -j -o "$work/out" -- "$work/$2") ;;
	esac
	timed "$work/$2.$1" "${command[@]}"
}

# table PROGRAM NAME...: prints what the runs took
table()
{
	python3 - "$work" "$@" <<'PYTHON'
import json, statistics, sys
work, program, names = sys.argv[1], sys.argv[2], sys.argv[3:]
counters = json.load(open(work + "/out"))["counters"]
insns = next(c["value"] for c in counters if c["event"] in ("instructions", "INST_RETIRED") or c["number"] == 7)
print("%-13s %4d million instructions %4s %9s %7s %9s" % (program, insns // 1000000, "user s", "MIPS", "ratio", "MiB"))
for i, name in enumerate(names):
    rows = [line.split() for line in open("%s/%s.%d" % (work, program, i))]
    seconds = statistics.median(float(r[0]) for r in rows)
    memory = max(int(r[1]) for r in rows) / 1024
    plain = seconds if i == 0 else plain
    print("  %-32s %8.3f %9.0f %7.3f %9.1f" % (name, seconds, insns / seconds / 1e6, plain / seconds, memory))
PYTHON
}

# bench RUN PROGRAM NAME...: calls RUN (run32 or run64) for each NAME in turn, and prints the table
bench()
{
	local run=$1 program=$2
	shift 2
	for ((round = 0; round < rounds; round++)); do
		for ((set = 0; set < $#; set++)); do
			"$run" "$set" "$program"
		done
	done
	table "$program" "$@"
}

for source in "$SRC"/bench/guest/*.c; do
	program=$(basename "$source" .c)
	arm-linux-gnueabi-gcc -O2 -static "$source" -o "$work/$program"
	bench run32 "$program" "${names[@]}"
	aarch64-linux-gnu-gcc -O2 -static "$source" -o "$work/$program-a64"
	bench run64 "$program-a64" "${names64[@]}"
done
