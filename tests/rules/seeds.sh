#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every row of tests/seeds.md points at something, and what it points at exists: a line of a .vec file with those words, a
# test of that name in that file, a row or an item of docs/accuracy.md, a gap at its own end.
. "$(dirname "$0")/lib.sh"
cd "$SRC"

python3 - <<'PYTHON' || fail "see above"
import re
import sys
from pathlib import Path

bad = rows = found = 0
text = {p.name: p.read_text() for p in [*Path("tests").glob("*/test_*.c"), *Path("tests").glob("*/*.vec"), *Path("tests").glob("firmware/*.sh")]}
seeds = Path("tests/seeds.md").read_text().splitlines()
text["accuracy.md"] = "\n".join(l for l in Path("docs/accuracy.md").read_text().splitlines() if l.startswith(("|", "* **")))
text["seeds.md"] = "\n".join(l for l in seeds if l.startswith("- **"))


def points_at(name, kind, words):
    if kind == "`":
        return f"TEST({words})" in text.get(name, "")
    return any(words in line for line in text.get(name, "").splitlines())


for n, line in enumerate(seeds, 1):
    if not line.startswith("| ") or line.startswith("| the document says"):
        continue
    rows += 1
    name, here = None, 0
    for token in re.finditer(r'`([\w-]+\.(?:vec|c|md|sh))`|`(\w+)`|"([^"]+)"', line.split(" | ", 1)[1]):
        if token[1]:
            name = token[1]
            continue
        here += 1
        kind, words = ("`", token[2]) if token[2] else ('"', token[3])
        if not points_at(name, kind, words):
            print(f"tests/seeds.md:{n}: not in {name}: {words}")
            bad += 1
    if not here:
        print(f"tests/seeds.md:{n}: points at nothing")
        bad += 1
    found += here
print(f"{rows} sentences, {found} pointers")
sys.exit(bad > 0 or rows < 100)
PYTHON

verdict
