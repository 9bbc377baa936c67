#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Debian's own programs on every row with a clock, against the checked-in table foreign.txt.

usage: tests/accuracy/foreign.py APMU GUESTS [--part | --write]

GUESTS is the folder of tools/fetch-guests --foreign. --part runs each program on a sixth of the cores, two on most; jq, which takes as long as ten
others, on one core of each system. Each run obeys the laws of the clock (apmu stat
checks them: at least 1 / width cycles per instruction), takes at most 12 cycles and at least 1.25 slots of the core's width per instruction, and
runs at most five instructions per cycle. A figure that moved by more than 1 % fails (programs that seed their hashes by the
time of day: 3 %, and their misses are not compared): find out why, say it in the commit, and renew the table with --write.

The table is QEMU 7.2's. A newer QEMU runs the same instructions except for some thousands at the start (it has a vDSO, which the C
library searches), and puts libraries, heap and stack elsewhere, so that other lines share a set: with a newer QEMU only instructions
are compared. A core with SVE2 runs on QEMU 7.2's `max`, whose DC ZVA clears 512 bytes, but on a model of its own under 10.0: 2 % there.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import Runner

TABLE = Path(__file__).with_name("foreign.txt")
SPEC = Path(__file__).resolve().parents[2] / "spec/cores"
CORES = {  # a core of each row of spec/uarch with a clock
    **dict.fromkeys(["arm1136jf-s", "arm1156t2-s", "arm1176jzf-s", "xscale1", "xscale2"], "armel"),
    **dict.fromkeys(["cortex-a5", "cortex-a7", "cortex-a8", "cortex-a9", "cortex-a15", "cortex-a17"], "armhf"),
    **dict.fromkeys(["cortex-a35", "cortex-a53", "cortex-a55", "cortex-a57", "cortex-a72", "cortex-a76", "neoverse-n1", "neoverse-n2",
                     "neoverse-v1", "neoverse-v2", "cortex-a73", "cortex-a75", "cortex-a77", "cortex-a78", "cortex-a78c", "cortex-x1", "cortex-x2",
                     "cortex-x3", "cortex-x4", "cortex-a510", "cortex-a520", "cortex-a710", "cortex-a715", "cortex-a720", "neoverse-e1",
                     "neoverse-n3", "neoverse-v3", "a64fx", "kunpeng920", "thunderx2", "xgene"], "arm64")}
MOST_CPI = 12
LEAST_SLOTS = 1.25  # mean slots per instruction: a quarter more than the one that the laws require
UNROLLED = {("arm1156t2-s", "sha256")}  # 1.23 slots per instruction on this single-issue core
MOST_IPC = 5
SQL = """create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
insert into t select i, 'row ' || (i * 7919 % 1000), i * 0.5 from n;
create index u on t(b);
select count(*), sum(c), max(b) from t where b like 'row 1%';
select b, count(*) from t group by b having count(*) > 2 order by b limit 3;"""
LUA = """local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
local t = {}
for i = 1, 1000 do t[i] = (i * 7919) % 1009 end
table.sort(t)
local s = {}
for i = 1, 500 do s[#s + 1] = string.format('%d:%s', t[i], string.rep('x', i % 9)) end
print(fib(15), #table.concat(s), (table.concat(s):gsub('x', 'y')):len())"""
PERL = "my %h; $h{$_ % 97} .= chr(65 + $_ % 26) for 1 .. 3000; my $s = join '', map { $h{$_} } sort { $a <=> $b } keys %h;" \
       " $s =~ s/([AEIOU])/lc $1/ge; print length $s, ' ', ($s =~ tr/a-z//), \"\\n\""
AWK = "BEGIN { for (i = 0; i < 4000; i++) s[i % 97] = s[i % 97] i; for (k in s) n += length(s[k]); gsub(/7/, \"x\", s[5]); print n, s[5] }"
JQ = "[range(400) | {a: ., b: (. * .), c: tostring}] | map(select(.b % 3 == 0)) | sort_by(.c) | map(.a) | add"
PROGRAMS = {"sha256": ["bin/busybox", "sha256sum", "{part}"], "sort": ["bin/busybox", "sort", "{lines}"], "gzip": ["bin/gzip", "-c", "{part}"],
            "xz": ["usr/bin/xz", "-1", "-c", "{part}"], "zstd": ["usr/bin/zstd", "--single-thread", "-c", "{part}"],
            "openssl": ["usr/bin/openssl", "dgst", "-sha512", "{part}"], "sqlite3": ["usr/bin/sqlite3", ":memory:", SQL],
            "lua5.4": ["usr/bin/lua5.4", "-e", LUA], "python3": ["usr/bin/python3.11", "-S", "-c", "pass"],
            "perl": ["usr/bin/perl", "-e", PERL], "gawk": ["usr/bin/gawk", AWK], "jq": ["usr/bin/jq", "-n", JQ]}
EVENTS = ["cycles", "instructions", "branch-misses", "L1-icache-misses", "L1-dcache-misses", "dTLB-misses"]
COLUMNS = ["instructions", "cpi", "branch", "l1i", "l1d", "dtlb"]  # the last four: misses per 1000 instructions
ABSENT = {"arm1156t2-s": {"dTLB-misses"}}  # events that a core lacks: 0 in the table
SEEDED = {"lua5.4", "jq"}  # programs that seed their hashes by the time of day: their misses differ from run to run and are not compared
VERSIONS = ["busybox-static", "gzip", "xz-utils", "zstd", "openssl", "sqlite3", "lua5.4", "python3.11-minimal", "perl-base", "gawk", "jq", "libc6"]
STARTED = 5000  # extra instructions at the start, at most
PARTS = 6
FLOOR = 0.002  # misses per 1000 instructions: a smaller difference is ignored


def measure(runner, folder, core, program):
    root = folder / CORES[core]  # the path is on the program's stack, so its length must not depend on where the guests are
    files = {"{part}": str(folder / "part"), "{lines}": str(folder / "lines")}
    argv = [str(root / PROGRAMS[program][0])] + [files.get(w, w) for w in PROGRAMS[program][1:]]
    counts, _, _ = runner.stat(core, [e for e in EVENTS if e not in ABSENT.get(core, ())], argv, ["-L", str(root)])
    n = counts["instructions"]
    return [n, counts["cycles"] / n] + [1000 * counts.get(e, 0) / n for e in EVENTS[2:]]


def make_texts(folder):
    """Writes 24 KiB that compress about as well as text, and lines to sort; the same each time."""
    words, state, out = "the of and to in a is that for it as was with be by on not he his but at are this".split(), 12345, []
    for _ in range(8192):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(words[(state >> 16) % len(words)] if state & 0x300 else hex(state >> 8)[2:])
    (folder / "part").write_text(" ".join(out)[:24576])
    (folder / "lines").write_text("\n".join(out[k] + out[k + 1] for k in range(0, 4000, 2)) + "\n")


def settle(root):
    """Gives the guest files that it would otherwise read from this machine: a longer list of libraries moves every mapping."""
    (root / "etc").mkdir(exist_ok=True)
    (root / "etc/ld.so.cache").write_text("")
    (root / "etc/nsswitch.conf").write_text("passwd: files\n")
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")


def read_table():
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            core, program, *values = line.split()
            rows[core, program] = [float(v.lstrip("~")) for v in values]
    return rows


def write_table(results, guests):
    versions = sorted({"_".join(p.split("_")[:2]).replace("%3a", ":") for p in (Path(guests) / "foreign/arm64/packages").read_text().split()
                       if p.split("_")[0] in VERSIONS})
    lines = ["# Debian's programs on every row with a clock: tests/accuracy/foreign.py. Renew with --write; a change of more than 1 % is",
             "# explained in the commit that makes it. Misses are per 1000 instructions; those with ~ differ from run to run",
             "# and are not compared. Made with",
             "# " + " ".join(versions), "# core program " + " ".join(COLUMNS)]
    for (core, program), values in results.items():
        lines.append(f"{core:14} {program:8} {values[0]:10.0f} " + f"{values[1]:9.4f} " +
                     " ".join(f"{'~' if program in SEEDED else ''}{v:.4f}".rjust(9) for v in values[2:]))
    TABLE.write_text("\n".join(lines) + "\n")


def newer_qemu(apmu):
    """True if the QEMU in use is not 7, which the table was made with."""
    said = subprocess.run([apmu, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"^qemu-aarch64 (\d+)", said, re.M).group(1) != "7"


def runs_on_max(core):
    return re.search(r"^qemu .*\bmax\b", (SPEC / f"{core}.core").read_text(), re.M)


def moved(core, program, want, got, column, newer):
    misses = column not in ("instructions", "cpi")
    if newer:
        share = 0.03 if program in SEEDED else 0.02 if runs_on_max(core) else 0.01
        return column == "instructions" and abs(got - want) > max(share * want, STARTED)
    if program in SEEDED:
        return not misses and abs(got - want) > 0.03 * want
    return abs(got - want) > max(0.01 * want, FLOOR if misses else 0)


def compare(results, newer, keys):
    table, bad = read_table(), 0
    table = {key: row for key, row in table.items() if key in keys or key[0] not in CORES or key[1] not in PROGRAMS}
    for key in sorted(set(table) | set(results)):
        if key not in table or key not in results:
            print(f"{key[0]} {key[1]}: only in {'the table' if key in table else 'the run'}")
            bad += 1
            continue
        for column, want, got in zip(COLUMNS, table[key], results[key]):
            if moved(*key, want, got, column, newer):
                print(f"{key[0]} {key[1]}: {column} {got:.4f}, the table has {want:.4f}: {100 * (got - want) / want if want else 100:+.1f} %")
                bad += 1
    print(f"{len(results)} runs, {bad} figures moved")
    return bad != 0


def width_of(apmu, core):
    said = subprocess.run([apmu, "list", "cores", core, "-v"], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"^ +width +(\d+)", said, re.M).group(1))


def impossible(results, widths):
    """Reports runs with more or fewer cycles than such programs take on any core. Beyond that, apmu stat itself fails if cycles
    are too few for the core's width, or more than the run's events can explain."""
    bad = 0
    for (core, program), (_, cpi, *_) in results.items():
        least = max(0 if (core, program) in UNROLLED else LEAST_SLOTS / widths[core], 1 / MOST_IPC)
        if not least <= cpi <= MOST_CPI:
            print(f"{core} {program}: {cpi:.4f} cycles an instruction, neither below {least:.4f} nor above {MOST_CPI} on a core {widths[core]} wide")
            bad += 1
    return bad != 0


def main(args):
    if len(args) not in (2, 3) or args[2:] not in ([], ["--part"], ["--write"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    runner = Runner(args[0], "", PERL_HASH_SEED="0", PYTHONHASHSEED="0")
    with tempfile.TemporaryDirectory(prefix="foreign-", dir="/tmp") as name, ThreadPoolExecutor(2) as pool:
        folder = Path(name)
        make_texts(folder)
        for system in set(CORES.values()):
            shutil.copytree(Path(args[1]) / "foreign" / system, folder / system, symlinks=True)
            settle(folder / system)
        one = {system: core for core, system in CORES.items()}.values()  # of each system
        for core in one:
            measure(runner, folder, core, "python3")  # compiles its library on the first run
        keys = [(core, program) for c, core in enumerate(CORES) for p, program in enumerate(PROGRAMS)
                if args[2:] != ["--part"] or (core in one if program == "jq" else (c + p) % PARTS == 0)]
        results = dict(zip(keys, pool.map(lambda key: measure(runner, folder, *key), keys)))
    if impossible(results, {core: width_of(runner.apmu, core) for core in CORES}):
        return 1
    if args[2:] == ["--write"]:
        write_table(results, args[1])
        return 0
    return compare(results, newer_qemu(Path(args[0]).resolve()), keys)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
