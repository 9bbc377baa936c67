#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares parameters of cores with the fact sheet's figures: tests/accuracy/facts.py APMU [SHEET]

facts.txt has the figures and the parameters to compare with them. A parameter that differs must have the value that facts.txt gives for it,
and its source must contain the word given there. If SHEET is given, it must contain the words that facts.txt quotes.
"""
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

CORES = """arm1136jf-s arm1156t2-s arm1176jzf-s xscale1 xscale2 cortex-a5 cortex-a7 cortex-a8 cortex-a9 cortex-a15 cortex-a17 cortex-a35
cortex-a53 cortex-a55 cortex-a57 cortex-a72 cortex-a76 neoverse-n1 neoverse-v1 neoverse-n2""".split()
FORM = 'fact SECTION CORES "words" "KEYS" VALUE [row VALUE WORD "why"], or none SECTION CORES "words" "why"'


def read(path):
    """(line number, kind, section, cores, words, rest) of each line."""
    lines = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        words = shlex.split(text, comments=True)
        if not words:
            continue
        if (words[0], len(words)) not in (("fact", 6), ("fact", 10), ("none", 5)) or (len(words) == 10 and words[6] != "row"):
            raise SystemExit(f"{path}:{number}: expected: {FORM}")
        cores = CORES if words[2] == "all" else words[2].split(",")
        if not set(cores) <= set(CORES):
            raise SystemExit(f"{path}:{number}: a core that is not of the list: {words[2]}")
        lines.append((number, words[0], words[1], cores, words[3], words[4:]))
    return lines


def value(expression, row):
    """A word, or a number computed from parameters of the row."""
    terms = expression.split()
    if len(terms) == 1 and not row[terms[0]]["value"].isdigit():
        return row[terms[0]]["value"]
    return eval(" ".join(row[t]["value"] if t in row else t for t in terms), {})


def fits(got, want):
    low, dots, high = want.partition("..")
    if dots:
        return int(low) <= got <= int(high)
    return str(got) in want.split("|")


def compare(expression, want, differs, row):
    """What is wrong with one parameter of one core, or None."""
    keys = [t for t in expression.split() if not re.fullmatch(r"[-+*]|\d+", t)]
    if [k for k in keys if k not in row]:
        return "names a figure that there is not"
    got, sources = value(expression, row), " ".join(row[k]["source"] for k in keys)
    if not differs:
        return None if fits(got, want) else f"is {got}; the sheet has {want} [{sources}]"
    if fits(got, want):
        return f"is the sheet's: {got}"
    if not fits(got, differs[1]):
        return f"is {got}, not {differs[1]} as is said of where it differs from {want}"
    return None if differs[2] in sources else f"differs from the sheet, and '{differs[2]}' is not in its source: {sources}"


def unquoted(lines, sheet):
    text = sheet.read_text()
    return [f"facts.txt:{n}: the sheet does not say: {words}" for n, _, _, _, words, _ in lines if words not in text]


def main(args):
    if len(args) not in (1, 2):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    lines = read(Path(__file__).with_name("facts.txt"))
    listed = json.loads(subprocess.run([args[0], "list", "cores", "-v", "-j"], capture_output=True, check=True).stdout)
    rows = {c["core"]: {f["key"]: f for f in c["parameters"]} for c in listed}
    bad, compared, apart = unquoted(lines, Path(args[1])) if args[1:] else [], 0, 0
    for number, kind, section, cores, words, rest in lines:
        for core in cores if kind == "fact" else []:
            wrong = compare(rest[0], rest[1], rest[2:], rows[core])
            compared, apart = compared + 1, apart + bool(rest[2:])
            if wrong:
                bad.append(f"facts.txt:{number}: {core}: {rest[0]} {wrong} (section {section}: {words})")
    told = {c for _, kind, _, cores, _, _ in lines for c in cores if cores is not CORES}
    bad += [f"facts.txt has nothing on {c}" for c in CORES if c not in told]
    print(*bad, f"{compared} figures of {len(CORES)} cores compared, {apart} of them said to differ; {len(bad)} wrong", sep="\n")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
