#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py CPU QEMU-OUTPUT MODEL-OUTPUT DIFFERENCES: are the differences exactly those that are listed?

--list prints them as rows of differences.txt instead, with an empty reason.
"""
import sys


def lines_of(path):
    """{name: value}, in order; the run must have reached its end, and no name may come twice."""
    values = {}
    rows = open(path, encoding="ascii").read().splitlines()
    if not rows or rows[-1] != "end":
        sys.exit(f"{path}: the self-test did not reach its end")
    for row in rows[:-1]:
        name, value = row.split(" ")
        if name in values:
            sys.exit(f"{path}: {name} is there twice")
        values[name] = value
    return values


def listed(path, cpu):
    """{name: (qemu, model)} for one CPU; every row needs a section and a reason."""
    rows = {}
    for number, row in enumerate(open(path, encoding="ascii"), 1):
        if not row.strip() or row.startswith("#"):
            continue
        parts = [part.strip() for part in row.split("|")]
        if len(parts) != 4 or len(parts[1].split()) != 3 or not parts[2] or not parts[3]:
            sys.exit(f"{path}:{number}: not `cpus | name qemu model | section | reason`")
        if cpu in parts[0].split(","):
            name, qemu, model = parts[1].split()
            if name in rows:
                sys.exit(f"{path}:{number}: {name} is listed twice for {cpu}")
            rows[name] = (qemu, model)
    return rows


def short(value):
    return value.replace("0x0000000000000000", "0").replace("0x00000000", "0x") if value else "nothing"


def main():
    wants_list = sys.argv[1] == "--list"
    cpu, qemu_path, model_path, list_path = sys.argv[1 + wants_list:]
    qemu, model = lines_of(qemu_path), lines_of(model_path)
    found = {}
    for name in list(qemu) + [n for n in model if n not in qemu]:
        pair = (short(qemu.get(name)), short(model.get(name)))
        if pair[0] != pair[1]:
            found[name] = pair
    if wants_list:
        for name, pair in found.items():
            print(f"{cpu} | {name} {pair[0]} {pair[1]} | |")
        return 0
    known = listed(list_path, cpu)
    wrong = 0
    for name in sorted(set(found) | set(known)):
        if found.get(name) == known.get(name):
            continue
        wrong += 1
        if name not in known:
            print(f"{cpu}: new difference: {name}: QEMU {found[name][0]}, model {found[name][1]}")
        elif name not in found:
            print(f"{cpu}: listed, but both agree: {name}: {short(qemu.get(name))}")
        else:
            print(f"{cpu}: {name}: listed {known[name]}, found {found[name]}")
    print(f"{cpu}: {len(qemu)} values read, {len(found)} differ, {len(known)} listed, {wrong} not as listed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
