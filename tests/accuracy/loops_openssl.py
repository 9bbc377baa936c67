#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenSSL's assembly loops on the models, against what OpenSSL's authors measured.

usage: tests/accuracy/loops_openssl.py APMU FOLDER [--core NAME] [--rows]

FOLDER: what tests/accuracy/loops/openssl.sh filled. A routine's cost is that of a run with twice the rounds less that of a run
with them. Prints for each core how many figures are free, and the median and mean of their errors; --rows every figure.

JOBS in the environment: so many runs at a time.
"""
import argparse
import os
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import Runner

ROUNDS = 6
TABLE = Path(__file__).resolve().parent / "loops-openssl.tsv"


def read(path):
    lines = [x.rstrip("\n").split("\t") for x in open(path) if not x.startswith("#")]
    return [dict(zip(lines[0], x)) for x in lines[1:]]


def measure(runner, row):
    program, name = row["routine"].split("/")
    runs = [runner.stat(row["core"], ["cycles"], [f"./{row['library']}-{program}", name, str(n * ROUNDS)]) for n in (1, 2)]
    return (runs[1][0]["cycles"] - runs[0][0]["cycles"]) / (ROUNDS * int(runs[0][1]))


def summary(rows):
    print(f"{'core':<14} free  median    mean  signed mean")
    cores = list(dict.fromkeys(r["core"] for r in rows))
    for core in [*cores, "all"]:
        errors = [r["error"] for r in rows if core in (r["core"], "all") and r["kind"] == "free"]
        if errors:
            size = [abs(e) for e in errors]
            print(f"{core:<14} {len(errors):4}  {100 * statistics.median(size):5.1f} %  {100 * statistics.mean(size):5.1f} %  {100 * statistics.mean(errors):+6.1f} %")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("apmu")
    p.add_argument("folder")
    p.add_argument("--core", action="append")
    p.add_argument("--rows", action="store_true")
    a = p.parse_args()
    rows = [r for r in read(TABLE) if not a.core or r["core"] in a.core]
    runner = Runner(a.apmu, a.folder)
    with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        got = list(pool.map(lambda r: measure(runner, r), rows))
    for r, ours in zip(rows, got):
        r["error"] = ours / float(r["published"]) - 1
        if a.rows:
            print(f"{r['core']:<13} {r['routine']:<24} {float(r['published']):6.2f}  {ours:6.2f}  {100 * r['error']:+6.1f} %  {r['kind']}")
    summary(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
