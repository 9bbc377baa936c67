# SPDX-License-Identifier: MIT
"""The programs, event sets, alternate runs and table of bench_programs.sh."""
import os, platform, random, resource, statistics, subprocess, sys, tempfile

APMU, BEFORE, GUESTS = os.environ["APMU"], os.environ.get("BEFORE"), os.environ["GUESTS"]
EMPTY = os.path.join(os.environ["BUILD"], "bench/empty-plugin.so")

CACHES = "instructions,L1I_CACHE_REFILL,L1D_CACHE_REFILL"
UNITS = CACHES + ",L1I_TLB_REFILL,L1D_TLB_REFILL,BR_MIS_PRED"
WHOLE = UNITS + ",cycles,L2D_CACHE,L2D_CACHE_REFILL,BUS_ACCESS"
ARM11 = ",".join("0x%02x" % n for n in (*range(8), 9, 10, 11, 12, 13, 15, 16, 17, 18)) + ",cycles"

# name: (core, events and further options, asked share of plain QEMU's speed, asked share of empty callbacks')
SETS64 = {"instructions": ("cortex-a53", "instructions", 0.70, None),
          "branches": ("cortex-a53", "instructions,branches", 0.50, None),
          "l1": ("cortex-a53", CACHES, 0.35, 0.60),
          "units": ("cortex-a53", UNITS, 0.28, 0.50),
          "a53": ("cortex-a53", WHOLE, 0.22, 0.38),
          "n1": ("neoverse-n1", WHOLE, 0.12, 0.22),
          "n1-samples": ("neoverse-n1", WHOLE + " --sample-time", None, None)}
THREADS = {"l1": ("cortex-a53", CACHES, None, None),
           "a53": ("cortex-a53", WHOLE, None, None),
           "n1": ("neoverse-n1", WHOLE, None, None)}
SETS32 = {"arm1136": ("arm1136jf-s", ARM11, 0.18, None)}

SQL = """create table t(a integer primary key, b, c);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 20000)
 insert into t select x, x * 7919 % 60013, 'name ' || (x * 31 % 997) from c;
create index tb on t(b);
create table s(b, d);
insert into s select b, a from t where a % 7 = 0;
select count(*), sum(t.a * s.d % 11) from t join s on t.b = s.b;
select c, count(*), max(b) from t group by c order by 2 desc, 1 limit 5;
"""
PYTHON = """d = {}
for i in range(60000):
    k = "k%d" % (i * 7919 % 20011)
    d[k] = d.get(k, 0) + i
print(len(d), sum(v for k, v in sorted(d.items())[:1000]))
"""
LUA = """local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(24))
local t, x = {}, 1
for i = 1, 40000 do x = x * 16807 % 2147483647; t[i] = x end
table.sort(t)
print(t[1], t[#t])
"""


def text(size):
    """Lines of words whose frequencies are distributed as in a natural language."""
    draw = random.Random(1136)
    letters, often = "etaoinshrdlucmfwypvbgkjqxz", [26 - i * 0.95 for i in range(26)]
    words = ["".join(draw.choices(letters, often, k=1 + min(11, int(draw.expovariate(1 / 4.2))))) for _ in range(6000)]
    share = [1 / (i + 2) for i in range(len(words))]
    lines = []
    while size > 0:
        lines.append(" ".join(draw.choices(words, share, k=draw.randint(4, 14))) + "\n")
        size -= len(lines[-1])
    return "".join(lines)


def write(work, name, content):
    path = os.path.join(work, name)
    with open(path, "w") as out:
        out.write(content)
    return path


def programs64(work):
    root, words = GUESTS + "/arm64", work + "/text"
    return root, "qemu-aarch64", SETS64, {
        "gzip": ([root + "/bin/gzip", "-c", words], None),
        "sqlite3": ([root + "/usr/bin/sqlite3", ":memory:"], write(work, "sql", SQL)),
        "python3": ([root + "/usr/bin/python3.11", write(work, "dictionary.py", PYTHON)], None),
        "lua": ([root + "/usr/bin/lua5.4", write(work, "sort.lua", LUA)], None),
        "sort": ([root + "/bin/busybox", "sort", words], None)}


def programs32(work):
    root, words = GUESTS + "/armel", work + "/text"
    return root, "qemu-arm", SETS32, {name + "-arm": ([root + "/bin/busybox", *line, words], None) for name, line in (
        ("sha256sum", ["sha256sum"]), ("gzip", ["gzip", "-c"]), ("bzip2", ["bzip2", "-c"]), ("sort", ["sort"]))}


def programs_of_threads(work):
    root, words = GUESTS + "/arm64", work + "/text"
    return root, "qemu-aarch64", THREADS, {
        "xz-threads": ([root + "/usr/bin/xz", "-T4", "--block-size=200000", "-2", "-c", words], None),
        "zstd-threads": ([root + "/usr/bin/zstd", "-T4", "-B512K", "-9", "-c", words], None)}


def seconds(command, stdin, system):
    """Seconds of user time; with `system` also those of the kernel, where threads that wait for each other spend theirs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(stdin or os.devnull) as source:
        subprocess.run(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + (after.ru_stime - before.ru_stime if system else 0)


def commands(root, qemu, sets, program):
    rows = {"plain": [qemu, "-L", root, *program], "empty": [qemu, "-plugin", EMPTY, "-L", root, *program]}
    for name, (core, events, *_) in sets.items():
        common = ["stat", "-c", core, "-e", *events.split(), "-L", root, "--", *program]
        rows[name] = [APMU, *common]
        if BEFORE:
            rows[name + " before"] = [BEFORE, *common]
    wanted = os.environ.get("SETS", "").split()
    return {name: row for name, row in rows.items() if not wanted or name.split()[0] in wanted or name == "plain"}


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0]
    quarter = statistics.quantiles(values, n=4, method="inclusive")
    return quarter[0], quarter[2]


def run(rounds, wanted, family):
    root, qemu, sets, programs = family
    shares, empties = {}, {}
    for name, (program, stdin) in programs.items():
        if wanted and name not in wanted:
            continue
        rows = commands(root, qemu, sets, program)
        times = {row: [] for row in rows}
        for turn in range(rounds):
            order = list(rows)
            for row in order if turn % 2 == 0 else order[::-1]:
                times[row].append(seconds(rows[row], stdin, sets is THREADS))
        print("%-14s %9s %17s %9s %9s" % (name, "seconds", "quartiles", "of plain", "of empty"))
        for row, own in times.items():
            median = statistics.median(own)
            share = statistics.median(times["plain"]) / median
            empty = statistics.median(times["empty"]) / median if "empty" in times else float("nan")
            shares.setdefault(row, []).append(share)
            empties.setdefault(row, []).append(empty)
            print("  %-19s %6.3f   %6.3f to %6.3f %9.3f %9.3f" % (row, median, *quartiles(own), share, empty), flush=True)
    if not shares:
        return
    print("%-14s %9s %9s %9s %9s" % ("geometric mean", "of plain", "asked", "of empty", "asked"))
    for row in shares:
        asked = sets.get(row.split()[0], (None,) * 4)[2:]
        cells = [("%9.3f" % statistics.geometric_mean(v[row]), "%9.2f" % a if a else "%9s" % "") for v, a in zip((shares, empties), asked)]
        least = "" if not asked[0] or min(shares[row]) >= asked[0] * 2 / 3 else "  a program is below two thirds"
        print("  %-12s %s%s" % (row, " ".join(c for cell in cells for c in cell), least))


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    print("real programs, %d alternate runs, %s" % (rounds, model))
    with tempfile.TemporaryDirectory() as work:
        write(work, "text", text(1500000))
        for family in (programs64(work), programs32(work), programs_of_threads(work)):
            run(rounds, sys.argv[2:], family)


main()
