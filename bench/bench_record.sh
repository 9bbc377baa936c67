# SPDX-License-Identifier: MIT
# What `apmu record` costs compared with `apmu stat` with the same event on cortex-a53: user CPU seconds in alternate runs, whose order
# rotates. Prints the ratio of medians, the median ratio of neighbouring runs, and the ratio of the fastest runs. Two loops of bench/guest, and Debian's
# arm64 gzip, sqlite3 and python3.11 (tools/fetch-guests), each with record's default period and with a fixed one.
#
#   BUILD=build bash bench/bench_record.sh [ROUNDS [EVENT...]]        APMU and SRC may be set, as for the tests
set -eu
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
ROOT=${ROOT:-$BUILD/guests/all/arm64}
rounds=${1:-5}
shift || true
[ $# -gt 0 ] || set -- cycles instructions cache-misses branches branch-misses
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -e "$ROOT/usr/bin/python3.11" ] || "$SRC/tools/fetch-guests" "$BUILD/guests" --all >/dev/null
for program in mix branches; do
	aarch64-linux-gnu-gcc -O2 -static "$SRC/bench/guest/$program.c" -o "$work/$program"
done
head -c 1000000 "$ROOT/usr/bin/python3.11" >"$work/input"
cat >"$work/script" <<'END'
create table t(a, b);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 20000) insert into t select x, x * 7919 % 60013 from c;
select sum(a), count(distinct b) from t where b % 3 = 1;
select a, b from t order by b desc limit 3;
END

python3 - "$APMU" "$ROOT" "$work" "$rounds" "$@" <<'PYTHON'
import os, resource, statistics, subprocess, sys
apmu, root, work, rounds, events = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5:]
programs = {"mix": [work + "/mix"], "branches": [work + "/branches"], "gzip": [root + "/bin/gzip", "-c", work + "/input"],
            "sqlite3": [root + "/usr/bin/sqlite3", ":memory:"],
            "python3.11": [root + "/usr/bin/python3.11", "-c", "print(sum(i * i % 7 for i in range(100000)))"]}
if os.environ.get("PROGRAMS"):
    programs = {name: programs[name] for name in os.environ["PROGRAMS"].split()}
fixed = {"cache-misses": "10000", "branch-misses": "10000"}

def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with open(work + "/script") as script:
        subprocess.run(command, stdin=script, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

print("%-13s %-11s %7s %22s %22s" % ("", "", "stat s", "record, default period", "record, -c"))
for event in events:
    for name, program in programs.items():
        common = ["-L", root, "-e", event]
        commands = [[apmu, "stat", "-c", "cortex-a53", *common, "--", *program]]
        for period in ([], ["-c", fixed.get(event, "1000000")]):
            commands.append([apmu, "record", "-q", "--core", "cortex-a53", *common, *period, "-o", work + "/data", "--", *program])
        times = [[], [], []]
        for turn in range(rounds):
            for k in range(3):
                times[(k + turn) % 3].append(seconds(commands[(k + turn) % 3]))
        cells = []
        for own in times[1:]:
            pairs = statistics.median(a / b for a, b in zip(own, times[0]))
            cells.append("%+4.0f %+4.0f %+4.0f %%" % tuple(100 * (x - 1) for x in (statistics.median(own) / statistics.median(times[0]), pairs, min(own) / min(times[0]))))
        print("%-13s %-11s %7.2f %22s %22s" % (event, name, statistics.median(times[0]), *cells), flush=True)
PYTHON
