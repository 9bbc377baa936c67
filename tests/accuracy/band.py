#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far modelled cycles may be off, from docs/accuracy-tables.md: writes the table of src/cli/stat/stat_band_table.c.

usage: tests/accuracy/band.py [--check | --judge] [PAGE [TABLE]]

--check   writes nothing; exits with 1 if the table is not what the page says
--judge   compares figures that the band was not made from with it, and prints each and the share that lies inside

The page's section "Where the cycles of free figures went" has the error of each free figure of time and the share of its cycles in each
class. A figure belongs to the class with most of its cycles. All errors are |ln(ours / expected)|.

The error of a class on a core is the root mean square of the core's free figures in that class and of two more errors. Each of these is the
class's root mean square over all cores with rows of their own, which in turn includes two more errors, each the root mean square
over all classes. So a single figure that happens to be right does not make a narrow band, and a class without figures
has the other cores' error. A core that borrows its row takes the root mean square of all borrowing cores instead, if that is larger.
"""
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLASSES = ["instructions", "branches", "fetch", "l2", "l3", "memory", "translation", "stores"]
HEADING = "## Where the cycles of free figures went"
BOUNDS = "## The same of loose bounds"
PRIOR = 2  # errors as large as the pool's that are added


def rows(page, heading):
    """A dictionary per row of a section: core, kernel, error, borrowed, shares of the classes, cls."""
    out, inside = [], False
    for line in page.read_text().splitlines():
        if line.startswith("## "):
            inside = line == heading
        cells = [c.strip() for c in line.strip("|").split("|")]
        if inside and len(cells) == 4 + len(CLASSES) and cells[2].endswith("%"):
            shares = [float(c) / 100 for c in cells[4:]]
            ratio = 1 + float(cells[2].rstrip("% ")) / 100
            out.append(dict(core=cells[0], kernel=cells[1], error=abs(math.log(ratio)), borrowed=cells[3] == "yes", shares=shares,
                            cls=max(range(len(CLASSES)), key=shares.__getitem__)))
    return out


def pooled(errors, pool):
    return math.sqrt((sum(e * e for e in errors) + PRIOR * pool * pool) / (len(errors) + PRIOR))


def rms(errors):
    return math.sqrt(sum(e * e for e in errors) / len(errors)) if errors else 0


def width(figures, core, borrows, cls):
    own = [f["error"] for f in figures if not f["borrowed"]]
    pool = pooled([f["error"] for f in figures if not f["borrowed"] and f["cls"] == cls], rms(own))
    if borrows:
        pool = max(pool, rms([f["error"] for f in figures if f["borrowed"]]))
    return math.exp(pooled([f["error"] for f in figures if f["core"] == core and f["cls"] == cls], pool)) - 1


def table(figures):
    cores = {f["core"]: f["borrowed"] for f in figures}
    lines = ["/* SPDX-License-Identifier: MIT */", "/* Written by tests/accuracy/band.py from docs/accuracy-tables.md; renew that (make accuracy). */",
             '#include "cli/stat/stat_band.h"', "", "/* clang-format off */", "const struct cli__band_row cli__band_rows[] = {"]
    for core, borrows in [(None, False), (None, True)] + sorted(cores.items()):
        errors = ", ".join(str(round(1000 * width(figures, core, borrows, k))) for k in range(len(CLASSES)))
        counts = ", ".join(str(sum(f["core"] == core and f["cls"] == k for f in figures)) for k in range(len(CLASSES)))
        name = f'"{core}"' if core else "NULL"
        lines.append(f"\t{{{name}, {{{errors}}}, {{{counts}}}}},")
    return "\n".join(lines + ["};", "/* clang-format on */", "const size_t cli__band_rows_n = sizeof cli__band_rows / sizeof cli__band_rows[0];", ""])


def inside(figures, figure):
    """Whether the published figure lies in the band made from all others, and that band's width."""
    rest = [f for f in figures if f is not figure]
    band = sum(s * width(rest, figure["core"], figure["borrowed"], k) for k, s in enumerate(figure["shares"]))
    return figure["error"] <= math.log(1 + band), band


def judge(figures, bounds):
    for title, chosen in (("free figures, each left out", figures), ("loose bounds, not used", bounds)):
        good = 0
        for f in chosen:
            ok, band = inside(figures, f)
            good += ok
            print(f"{f['core']:14} {f['kernel']:14} off by {100 * (math.exp(f['error']) - 1):5.1f} %, band {100 * band:5.1f} %{'' if ok else '  outside'}")
        print(f"{title}: {good} of {len(chosen)} inside\n")


def main(args):
    word = args[0] if args[:1] in (["--check"], ["--judge"]) else ""
    args = args[bool(word):]
    page = Path(args[0]) if args else ROOT / "docs/accuracy-tables.md"
    out = Path(args[1]) if len(args) > 1 else ROOT / "src/cli/stat/stat_band_table.c"
    figures = rows(page, HEADING)
    if not figures or len(args) > 2:
        print(__doc__.strip() if figures else f"{page} has no section '{HEADING}'", file=sys.stderr)
        return 2
    if word == "--judge":
        judge(figures, rows(page, BOUNDS))
        return 0
    if word == "--check":
        same = out.read_text() == table(figures)
        print("" if same else f"{out} is not what {page} says: run tests/accuracy/band.py", end="" if same else "\n")
        return 0 if same else 1
    out.write_text(table(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
