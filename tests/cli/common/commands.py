#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the commands in documents and help texts, one per line: place, tab, command.

commands.py FILE.md...    lines of code blocks that begin with apmu, build/apmu or a compiler for Arm; spans `apmu ...`
commands.py NAME          help on standard input: the lines below "For example:" that begin with apmu
commands.py --tests FILE.md...   the CTest options -R and -L that they show, as "where<tab>-R PATTERN"
commands.py --options FILE.md... the words `--option` of their spans
"""
import re
import sys

COMMAND = r"(?:build/)?apmu [a-z-]"
COMPILER = r"(?:arm-linux-gnueabi|aarch64-linux-gnu)-gcc "


def show(where, text):
    print(f"{where}\t{text}")


def lines(name):
    """Number, line, and whether it is code."""
    fenced = False
    for number, line in enumerate(open(name), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif line.strip():
            yield number, line.rstrip(), fenced or line.startswith("    ")


def document(name):
    for number, line, code in lines(name):
        where = f"{name.split('/')[-1]}:{number}"
        if code:
            found = re.match(rf"\s*(?:\$ )?((?:{COMMAND}|{COMPILER}).*)", line)
            if found:
                show(where, re.sub(r"\s+# .*", "", found[1]))
        else:
            for span in re.findall(rf"`({COMMAND}[^`]*)`", line):
                show(where, span)


def tests(name):
    for number, line, _ in lines(name):
        for option, quoted, plain in re.findall(r"\bctest\b[^`]*? (-[RL]) (?:['\"]([^'\"]+)['\"]|([^\s`'\"]+))", line):
            show(f"{name.split('/')[-1]}:{number}", f"{option} {quoted or plain}")


def options(name):
    for number, line, code in lines(name):
        for span in [] if code else re.findall(r"`([^`]*)`", line):
            for option in re.findall(r"(?:^| )(--[a-z][a-z0-9-]+)", span):
                show(f"{name.split('/')[-1]}:{number}", option)


def help_text(name):
    examples = sys.stdin.read().partition("For example:\n")[2]
    for line in examples.splitlines():
        if re.match(rf"\s+{COMMAND}", line):
            show(f"{name} --help", re.sub(r"\s+# .*", "", line.strip()))


if sys.argv[1].endswith(".md"):
    for page in sys.argv[1:]:
        document(page)
elif sys.argv[1] in ("--tests", "--options"):
    for page in sys.argv[2:]:
        tests(page) if sys.argv[1] == "--tests" else options(page)
else:
    help_text(sys.argv[1])
