# SPDX-License-Identifier: MIT
# What `apmu bench` costs compared with `valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes` on the same source built for the host: user CPU
# seconds, one run of each in turn, medians. Callgrind counts instructions, data accesses, cache misses and mispredictions, but no time: the first column
# is for these events, the second for these and cycles.
#
#   BUILD=build bash bench/bench_callgrind.sh [ROUNDS [CORE...]]        APMU and SRC may be set, as for the tests
set -eu
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
rounds=${1:-5}
shift || true
[ $# -gt 0 ] || set -- cortex-a53 cortex-a72 cortex-a76 neoverse-n1 neoverse-v1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -O2 "$SRC/bench/guest/sort.c" -o "$work/host"
aarch64-linux-gnu-gcc -O2 -static "$SRC/bench/guest/sort.c" -o "$work/guest"

python3 - "$APMU" "$work" "$rounds" "$@" <<'PYTHON'
import os, resource, statistics, subprocess, sys
apmu, work, rounds, cores = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:]
COUNTS = "instructions,L1-dcache-loads,L1-dcache-load-misses,L1-icache-load-misses,branches,branch-misses"

def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

commands = {"callgrind": ["valgrind", "--tool=callgrind", "--cache-sim=yes", "--branch-sim=yes", "--callgrind-out-file=/dev/null", "./host"]}
for core in cores:
    for events in (COUNTS, COUNTS + ",cycles"):
        commands[core, events] = [apmu, "bench", "-c", core, "-e", events, "--", "./guest"]
taken = {name: [] for name in commands}
for _ in range(rounds):
    for name, command in commands.items():
        taken[name].append(seconds(command))
median = {name: statistics.median(list) for name, list in taken.items()}
print(f"callgrind {median['callgrind']:.2f} s; shares of that: counts, counts and cycles")
for core in cores:
    print(f"{core:14}" + "".join(f"{100 * median[core, e] / median['callgrind']:6.0f} %" for e in (COUNTS, COUNTS + ",cycles")))
PYTHON
