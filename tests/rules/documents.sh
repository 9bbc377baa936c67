#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the documents point at exists: relative links, their anchors, each accuracy.md#anchor cited in code, and each
# name of C. No cell of a table is longer than 200 characters.
. "$(dirname "$0")/lib.sh"
cd "$SRC"

python3 - <<'PYTHON' || fail "see above"
import os
import re
import subprocess
import sys
from pathlib import Path

bad = 0


def anchors(path):
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', path.read_text()))
    for line in path.read_text().splitlines():
        if re.match(r"#+ ", line):
            title = re.sub(r"[`*]", "", line.lstrip("#").strip()).lower()
            found.add(re.sub(r"[^\w\- ]", "", title).replace(" ", "-"))
    return found


def check(where, base, link):
    global bad
    name, _, anchor = link.partition("#")
    target = (base / name) if name else where
    if not target.exists():
        print(f"{where}: no such file: {link}")
        bad += 1
    elif anchor and target.suffix == ".md" and anchor not in anchors(target):
        print(f"{where}: no such heading: {link}")
        bad += 1


pages = [p for p in Path(".").glob("*.md")] + list(Path("docs").rglob("*.md")) + list(Path("spec").rglob("*.md"))
if len(pages) < 5:
    sys.exit(f"only {len(pages)} documents found")
for page in pages:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", link):
            check(page, page.parent, link)

# Every document is reachable from README by links, and a picture from its text.
seen, open_ = set(), [Path("README.md")]
while open_:
    page = open_.pop()
    if page in seen:
        continue
    seen.add(page)
    for link in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", page.read_text()):
        target = Path(os.path.normpath(page.parent / link))
        if target.is_dir():
            open_ += target.glob("*.md")
        if target.suffix == ".md" and target.exists():
            open_.append(target)
shown = [Path(p) for p in subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True).stdout.split()] or pages
for page in shown:
    if page not in seen:
        print(f"{page}: no chain of links leads here from README.md")
        bad += 1
for picture in Path("docs/pictures").glob("*.dot"):
    drawn = picture.with_suffix(".svg")
    text = drawn.read_text() if drawn.exists() else ""
    for node in re.findall(r"^\s+(\w+) \[label=", picture.read_text(), flags=re.M):
        if f"<title>{node}</title>" not in text:
            print(f"{picture}: {node} is not in {drawn}: make docs")
            bad += 1

for page in shown:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    for row in re.findall(r"^\|.*$", text, flags=re.M):
        for cell in re.split(r"(?<!\\)\|", row)[1:-1]:
            if len(cell.strip()) > 200:
                print(f"{page}: a cell of {len(cell.strip())} characters, at most 200: {cell.strip()[:60]}...")
                bad += 1

names = set()
for path in [*Path("include").rglob("*.h"), *Path("examples").rglob("*.[chs]*"), *Path("src").rglob("*.h")]:
    names |= set(re.findall(r"\bapmu_\w+", path.read_text()))
if len(names) < 100:
    sys.exit(f"only {len(names)} public names found")
for page in pages:
    if page.name == "CONTRIBUTING.md":  # how names are made
        continue
    for name in sorted(set(re.findall(r"\bapmu_[a-z0-9]\w*", page.read_text())) - names):
        print(f"{page}: no header and no example defines {name}")
        bad += 1

for folder in ("src", "include", "spec", "tests", "tools"):
    for path in Path(folder).rglob("*"):
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        for anchor in re.findall(r"accuracy\.md#([\w-]+)", path.read_text(errors="replace")):
            if path.name != "documents.sh":
                check(path, Path("docs"), f"accuracy.md#{anchor}")
sys.exit(bad > 0)
PYTHON

verdict
