#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the identities of identities.txt: tests/accuracy/identities.py APMU KERNELS CORE...

Each core named runs each program once, with every event that its list says is produced; then all other cores run two of the programs.
Exits with 1 if an identity does not hold or applies to none of the cores named, or if none applies to a core.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

from measure import Runner

PROGRAMS = ["chase 65536 2", "pages 600 2", "stride 64 1", "stores 131072 1", "copy 131072 1", "random 0 1", "indirect 4 1",
            "depth 16 2", "load 0 2", "records 0 300", "mixture 0 4"]
QUICK = ["copy 131072 1", "records 0 300"]
RELATION = re.compile(r"^(.*?)\s(<=|=)\s(.*?)(?:\sbut\s(.*))?$")
WORD = re.compile(r"\b[A-Z][A-Z0-9_]*\b")


def read(path):
    lines = (line.partition("#")[0].strip() for line in path.read_text().splitlines())
    return [RELATION.match(line).groups() for line in lines if line]


def produced(apmu, core):
    rows = json.loads(subprocess.run([apmu, "list", "events", "--core", core, "-j"], capture_output=True, check=True).stdout)
    return {r["name"] for r in rows if r["signals"] and r["counts"] != "injected"}


def width(apmu, core):
    row = json.loads(subprocess.run([apmu, "list", "cores", "--core", core, "-v", "-j"], capture_output=True, check=True).stdout)[0]
    return next((int(f["value"]) for f in row["parameters"] if f["key"] == "width"), None)


def applying(rules, core, events, slots):
    """The identities all of whose events the core produces, and that do not except it."""
    mine = [r for r in rules if set(WORD.findall(r[0] + " " + r[2])) - {"SLOTS"} <= events and core not in (r[3] or "").split()]
    return [r for r in mine if "SLOTS" not in r[2] or slots]


def check(runner, core, programs, rules):
    """The identities that apply to the core, the number of checks, and how many of them failed."""
    slots, checks, bad = width(runner.apmu, core), 0, 0
    mine = applying(rules, core, produced(runner.apmu, core), slots)
    names = sorted({w for r in mine for w in WORD.findall(r[0] + " " + r[2])} - {"CYCLES", "SLOTS"})
    for program in programs:
        values, _, _ = runner.stat(core, ["cycles"] + names, [runner.program(core), *program.split()])
        values = dict(values, CYCLES=values["cycles"], SLOTS=slots)
        for left, relation, right, _ in mine:
            a, b = eval(left, {}, values), eval(right, {}, values)
            checks += 1
            if not (a <= b if relation == "<=" else a == b):
                print(f"{core}, {program}: {left} {relation} {right}: {a} and {b}")
                bad += 1
    return mine, checks, bad


def main(args):
    if len(args) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    runner, rules = Runner(args[0], args[1]), read(Path(__file__).with_name("identities.txt"))
    named, used, checks, bad = args[2:], set(), 0, 0
    for core in named + [c for c in runner.cores if c not in named]:
        mine, done, wrong = check(runner, core, PROGRAMS if core in named else QUICK, rules)
        used |= set(mine) if core in named else set()
        checks, bad = checks + done, bad + wrong
        if not mine:
            print(f"{core}: no identity applies")
            bad += 1
    for rule in rules:
        if rule not in used:
            print("applies to none of these cores: %s %s %s" % rule[:3])
            bad += 1
    print(f"{checks} identities checked on {len(runner.cores)} cores, {bad} do not hold")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
