#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Debian's own programs on eight cores, against the checked-in table foreign.txt.

usage: tests/accuracy/foreign.py APMU GUESTS [--write]

GUESTS is the folder of tools/fetch-guests --all. A figure that moved by more than 1 % fails (lua5.4, which seeds its hashes
by the time of day: 3 %, and its misses are not compared): find out why, say it in the commit, and renew the table with
--write.
"""
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import Runner

TABLE = Path(__file__).with_name("foreign.txt")
CORES = {"arm1136jf-s": "armel", "arm1176jzf-s": "armel", "xscale2": "armel", "cortex-a7": "armhf", "cortex-a15": "armhf",
         "cortex-a53": "arm64", "cortex-a72": "arm64", "neoverse-n1": "arm64"}
SQL = """create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
insert into t select i, 'row ' || (i * 7919 % 1000), i * 0.5 from n;
create index u on t(b);
select count(*), sum(c), max(b) from t where b like 'row 1%';
select b, count(*) from t group by b having count(*) > 2 order by b limit 3;"""
LUA = """local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
local t = {}
for i = 1, 3000 do t[i] = (i * 7919) % 3001 end
table.sort(t)
local s = {}
for i = 1, 500 do s[#s + 1] = string.format('%d:%s', t[i], string.rep('x', i % 9)) end
print(fib(17), #table.concat(s), (table.concat(s):gsub('x', 'y')):len())"""
PROGRAMS = {"busybox": ["bin/busybox", "sha256sum", "{text}"], "gzip": ["bin/gzip", "-c", "{text}"],
            "sqlite3": ["usr/bin/sqlite3", ":memory:", SQL], "lua5.4": ["usr/bin/lua5.4", "-e", LUA]}
EVENTS = ["cycles", "instructions", "branch-misses", "L1-icache-misses", "L1-dcache-misses", "dTLB-misses"]
COLUMNS = ["instructions", "cpi", "branch", "l1i", "l1d", "dtlb"]  # the last four: misses per 1000 instructions
SEEDED = {"lua5.4"}  # seeds its hashes by the time of day: its misses differ from run to run and are not compared
FLOOR = 0.002  # of a miss per 1000 instructions: less is no difference


def measure(runner, text, core, program):
    root = text.parent / CORES[core]  # a name of the same length wherever the guests lie: it stands on the stack
    argv = [str(root / PROGRAMS[program][0])] + [w.format(text=text) if w == "{text}" else w for w in PROGRAMS[program][1:]]
    counts, _ = runner.stat(core, EVENTS, argv, ["-L", str(root)])
    n = counts["instructions"]
    return [n, counts["cycles"] / n] + [1000 * counts[e] / n for e in EVENTS[2:]]


def make_text(path):
    """96 KiB that compress about as text does, the same each time."""
    words, state, out = "the of and to in a is that for it as was with be by on not he his but at are this".split(), 12345, []
    while sum(map(len, out)) + len(out) < 98304:
        for _ in range(4096):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            out.append(words[(state >> 16) % len(words)] if state & 0x300 else hex(state >> 8)[2:])
    path.write_text(" ".join(out)[:98304])


def settle(root):
    """The guest's own files of what it would else read from this machine: a list of libraries of another length moves every mapping."""
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
    versions = sorted({"_".join(p.split("_")[:2]).replace("%3a", ":") for p in (Path(guests) / "all/arm64/packages").read_text().split()
                       if p.split("_")[0].removesuffix("-static") in ("busybox", "gzip", "sqlite3", "lua5.4", "libc6")})
    lines = ["# Debian's programs on eight cores: tests/accuracy/foreign.py. Renew with --write; a change of more than 1 % is",
             "# explained in the commit that makes it. Misses are per 1000 instructions; those with ~ differ from run to run",
             "# and are not compared. Made with",
             "# " + " ".join(versions), "# core program " + " ".join(COLUMNS)]
    for (core, program), values in results.items():
        lines.append(f"{core:14} {program:8} {values[0]:10.0f} " + f"{values[1]:9.4f} " +
                     " ".join(f"{'~' if program in SEEDED else ''}{v:.4f}".rjust(9) for v in values[2:]))
    TABLE.write_text("\n".join(lines) + "\n")


def moved(program, want, got, column):
    misses = column not in ("instructions", "cpi")
    if program in SEEDED:
        return not misses and abs(got - want) > 0.03 * want
    return abs(got - want) > max(0.01 * want, FLOOR if misses else 0)


def compare(results):
    table, bad = read_table(), 0
    for key in sorted(set(table) | set(results)):
        if key not in table or key not in results:
            print(f"{key[0]} {key[1]}: only in {'the table' if key in table else 'the run'}")
            bad += 1
            continue
        for column, want, got in zip(COLUMNS, table[key], results[key]):
            if moved(key[1], want, got, column):
                print(f"{key[0]} {key[1]}: {column} {got:.4f}, the table has {want:.4f}: {100 * (got - want) / want if want else 100:+.1f} %")
                bad += 1
    print(f"{len(results)} runs, {bad} figures moved")
    return bad != 0


def main(args):
    if len(args) not in (2, 3) or args[2:] not in ([], ["--write"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    kept = {name: value for name, value in os.environ.items() if name == "APMU_QEMU"}  # which no program sees
    os.environ.clear()  # a program's stack begins with it
    os.environ.update(kept, PATH="/usr/bin:/bin")
    runner = Runner(Path(args[0]).resolve(), "")
    with tempfile.TemporaryDirectory(prefix="foreign-", dir="/tmp") as folder, ThreadPoolExecutor(2) as pool:
        text = Path(folder) / "text"
        make_text(text)
        for system in set(CORES.values()):
            shutil.copytree(Path(args[1]) / "all" / system, text.parent / system, symlinks=True)
            settle(text.parent / system)
        keys = [(core, program) for core in CORES for program in PROGRAMS]
        results = dict(zip(keys, pool.map(lambda key: measure(runner, text, *key), keys)))
    if args[2:]:
        write_table(results, args[1])
        return 0
    return compare(results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
