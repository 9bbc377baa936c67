#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the identities of identities.txt: tests/accuracy/identities.py APMU KERNELS CORE...

Each core runs each program once, with every event that its list says is produced. Ends with 1 if one does not hold, or
if an identity applies to none of the cores.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

from measure import Runner

PROGRAMS = ["chase 65536 2", "pages 600 2", "stride 64 1", "stores 131072 1", "copy 131072 1", "random 0 1", "indirect 4 1",
            "depth 16 2", "load 0 2", "records 0 300", "mixture 0 4"]
RELATION = re.compile(r"^(.*?)\s(<=|=)\s(.*)$")
WORD = re.compile(r"\b[A-Z][A-Z0-9_]*\b")


def read(path):
    lines = (line.partition("#")[0].strip() for line in path.read_text().splitlines())
    return [RELATION.match(line).groups() for line in lines if line]


def produced(apmu, core):
    rows = json.loads(subprocess.run([apmu, "list", "events", "--core", core, "-j"], capture_output=True, check=True).stdout)
    return {r["name"] for r in rows if r["signals"] and r["counts"] != "injected"}


def width(apmu, core):
    row = json.loads(subprocess.run([apmu, "list", "cores", "--core", core, "-v", "-j"], capture_output=True, check=True).stdout)[0]
    return next((int(f["value"]) for f in row["figures"] if f["key"] == "width"), None)


def main(args):
    if len(args) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    apmu, runner = args[0], Runner(args[0], args[1])
    rules, used, bad, checks = read(Path(__file__).with_name("identities.txt")), set(), 0, 0
    for core in args[2:]:
        events, slots = produced(apmu, core), width(apmu, core)
        mine = [r for r in rules if set(WORD.findall(r[0] + " " + r[2])) - {"SLOTS"} <= events]
        mine = [r for r in mine if "SLOTS" not in r[2] or slots]
        names = sorted({w for r in mine for w in WORD.findall(r[0] + " " + r[2])} - {"CYCLES", "SLOTS"})
        used |= {rules.index(r) for r in mine}
        for program in PROGRAMS:
            values, _ = runner.stat(core, ["cycles"] + names, [runner.program(core), *program.split()])
            values = dict(values, CYCLES=values["cycles"], SLOTS=slots)
            for left, relation, right in mine:
                a, b = eval(left, {}, values), eval(right, {}, values)
                checks += 1
                if not (a <= b if relation == "<=" else a == b):
                    print(f"{core}, {program}: {left} {relation} {right}: {a} and {b}")
                    bad += 1
    for i in sorted(set(range(len(rules))) - used):
        print("applies to none of these cores: %s %s %s" % rules[i])
        bad += 1
    print(f"{checks} identities checked on {len(args) - 2} cores, {bad} do not hold")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
