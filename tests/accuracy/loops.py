#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loops of other projects' libraries, against the cycles that their authors measured.

usage: tests/accuracy/loops.py APMU BUILD [--core CORE]... [--routine ROUTINE]... [--check] [--write]

BUILD/guests/gmp-source, openssl, crypto, libcrypto, ciphers, video and video-trixie are what tools/fetch-guests --gmp, --openssl, --crypto, --libcrypto, --ciphers, --video and --video-trixie fetched;
programs are built into BUILD/loops. Prints for each row of loops*.tsv the published figure, ours, and the error (for a range: how far ours lies beyond it), then a line per core.
--check compares ours with the stored loops.txt: a figure that moved by more than 2 % fails; --write renews it (all cores only).
loops/LIBRARY.py builds the rows of a library: build(row, guests, folder) returns two argument lists and how many more units of work the second does,
or how many more rounds, if the program prints how many units a round has.
Kind "fit": a parameter was fitted to the row. Only rows of the fitting half may have it, which is every second file by the check sum of its name (half()), or what
the table names (fitting()).
Kind "free": no parameter was fitted to the row; all rows of the held-out half are free or seen.
Kind "seen": no parameter was fitted to the row, but its error showed a fault, so it is not held out any more.
JOBS in the environment: the number of parallel runs.
"""
import argparse
import importlib
import os
import statistics
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import Runner

HERE = Path(__file__).resolve().parent
STORED = HERE / "loops.txt"
COLUMNS = ["library", "routine", "file", "core", "cycles", "unit", "kind"]
MOVED = 0.02
sys.path.insert(0, str(HERE / "loops"))


def half(file):
    """The half of the figures that a file belongs to, by the check sum of its name: "fit" is the fitting half, "free" the held-out one."""
    return "free" if zlib.crc32(file.encode()) % 2 else "fit"


def fitting(lines):
    """The files that a table names as its fitting ones, in a line of its head; for other tables half() decides."""
    return {word for line in lines if line.startswith("# fitting: ") for word in line.split()[2:]}


def read(path):
    rows, lines = [], path.read_text().splitlines()
    fits = fitting(lines)
    for line in lines:
        if line and not line.startswith("#"):
            row = dict(zip(COLUMNS, line.split("\t"), strict=True))
            row["low"], _, high = row["cycles"].partition("-")
            row["low"], row["high"] = float(row["low"]), float(high or row["low"])
            if row["kind"] not in ("free", "seen", "fit" if row["file"] in fits else half(row["file"])):
                raise SystemExit(f"{path.name}: {row['file']} judges, so no parameter may be fitted to it")
            rows.append(row)
    return rows


def all_rows():
    return [row for path in sorted(HERE.glob("loops*.tsv")) for row in read(path)]


def error(row, got):
    """The relative error; for a range, from its nearer end."""
    want = min(max(got, row["low"]), row["high"])
    return (got - want) / want


def alike(argvs):
    """Argument lists whose numbers have equal lengths: what arguments take moves the stack, which changes the cycles of the whole run."""
    return [[word.zfill(max(map(len, words))) if word.isdigit() else word for word, words in zip(argv, zip(*argvs))] for argv in argvs]


def measure(runner, row, guests):
    argvs, units = importlib.import_module(row["library"].lower()).build(row, guests, runner.kernels)
    argvs = alike(argvs)
    small, large = (runner.stat(row["core"], ["cycles"], argv) for argv in argvs)
    return (large[0]["cycles"] - small[0]["cycles"]) / (units * int(small[1] or 1))


def measure_all(apmu, build, rows):
    """Returns the rows, each with `got` and `error` added."""
    folder = Path(build) / "loops"
    folder.mkdir(exist_ok=True)
    runner, guests = Runner(apmu, folder), Path(build) / "guests"
    made = {}  # builds each program once, before it runs on several cores
    for row in rows:
        made.setdefault((row["library"], row["file"], row["routine"]), row)
    for row in made.values():
        importlib.import_module(row["library"].lower()).build(row, guests, folder)
    with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        got = list(pool.map(lambda row: measure(runner, row, guests), rows))
    return [dict(row, got=g, error=error(row, g)) for row, g in zip(rows, got)]


def key(row):
    return row["library"], row["file"], row["routine"], row["core"]


def stored():
    lines = [line.split("\t") for line in STORED.read_text().splitlines() if not line.startswith("#")]
    return {tuple(cells[:4]): float(cells[4]) for cells in lines}


def write(rows):
    head = "# What the rows of loops*.tsv take on the models: tests/accuracy/loops.py --write. A figure that moves by more than 2 % is\n" \
           "# explained in the commit that moves it.\n# library\tfile\troutine\tcore\tcycles\n"
    STORED.write_text(head + "".join("\t".join(key(row)) + f"\t{row['got']:.4f}\n" for row in rows))


def check(rows):
    was, bad = stored(), 0
    for row in rows:
        old = was.get(key(row))
        if old is None or abs(row["got"] - old) > MOVED * old:
            print(f"{' '.join(key(row))}: {row['got']:.4f} cycles per {row['unit']}, {STORED.name} has {old}")
            bad += 1
    print(f"{len(rows)} loops, {bad} moved" + (": find out why, say it in the commit, and renew the table (--write)" if bad else ""))
    return bad != 0


def by_core(rows):
    cores = {}
    for row in rows:
        cores.setdefault(row["core"], []).append(row)
    return cores


def line(rows):
    errors = [abs(row["error"]) for row in rows if row["kind"] == "free"]
    return f"{len(errors)} free, median {100 * statistics.median(errors):.1f} %, mean {100 * statistics.mean(errors):.1f} %" if errors else "none free"


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("apmu")
    p.add_argument("build")
    p.add_argument("--core", action="append")
    p.add_argument("--routine", action="append")
    p.add_argument("--check", action="store_true")
    p.add_argument("--write", action="store_true")
    a = p.parse_args()
    rows = [row for row in all_rows() if (not a.core or row["core"] in a.core) and (not a.routine or row["routine"] in a.routine)]
    rows = measure_all(a.apmu, a.build, rows)
    if a.check:
        return check(rows)
    if a.write:
        if a.core or a.routine:
            raise SystemExit("--write takes all cores and routines")
        write(rows)
    for row in rows:
        print(f"{row['core']:14} {row['routine']:22} {row['file']:38} {row['cycles']:>9} {row['got']:7.3f} {100 * row['error']:+7.1f} %  {row['kind']}")
    for core, some in by_core(rows).items():
        print(f"{core}: {line(some)}")
    print(f"all: {line(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
