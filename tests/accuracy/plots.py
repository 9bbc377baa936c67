#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/accuracy-tables.md:  plots.py [--check]

accuracy-errors.svg shows the error of each figure that is evidence, one line per core; accuracy-scatter.svg shows all figures,
expected against modelled. --check fails if the pictures are not those of the page."""
import math
import re
import sys
from html import escape
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
PAGE = DOCS / "accuracy-tables.md"
PICTURES = {"accuracy-errors.svg": "errors", "accuracy-scatter.svg": "scatter"}
COLOURS = ["#3b75af", "#e18727", "#509e3e", "#b2455e", "#8561a8", "#7a5c48", "#cf7fb3", "#6e6e6e"]
EVIDENCE = {"free": "free: nothing was calibrated on it", "twin": "twin: calibrated on a figure that says the same",
            "bound": "bound: published loosely"}
STYLE = ("text{font:12px sans-serif;fill:#222}.title{font-size:16px;font-weight:600}.small{font-size:11px;fill:#555}"
         ".grid{stroke:#ddd}.axis{stroke:#444}.band{fill:#f1f4f8}.end{text-anchor:end}.mid{text-anchor:middle}")


def figures():
    """[(core, kernel, expected, ours, error in percent, kind)], in the page's order."""
    found, core = [], None
    for line in PAGE.read_text().splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if line.startswith("## "):
            core = line[3:]
        elif len(cells) == 7 and re.fullmatch(r"[-+][\d.]+ %", cells[4]):
            found.append((core, cells[0], float(cells[2]), float(cells[3]), float(cells[4][:-2]), cells[5]))
    return found


def text(x, y, words, style=""):
    return f'<text x="{x:.1f}" y="{y:.1f}"' + (f' class="{style}"' if style else "") + f">{escape(words)}</text>"


def line(x1, y1, x2, y2, style, more=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{style}"{more}/>'


def mark(shape, x, y, colour, hollow, title):
    paint = f'fill="white" stroke="{colour}" stroke-width="1.5"' if hollow else f'fill="{colour}"'
    shapes = {
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {paint}>',
        "square": f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {paint}>',
        "diamond": f'<path d="M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5 -5.5z" {paint}>',
        "triangle": f'<path d="M{x:.1f} {y - 5:.1f}l5 9h-10z" {paint}>',
    }
    name = {"circle": "circle", "square": "rect"}.get(shape, "path")
    return f"{shapes[shape]}<title>{escape(title)}</title></{name}>"


def picture(width, height, title, under, body):
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
            f"<title>{escape(title)}</title><style>{STYLE}</style>", f'<rect width="{width}" height="{height}" fill="white"/>',
            text(16, 26, title, "title"), text(16, 45, under, "small")]
    return "\n".join(head + body + ["</svg>"]) + "\n"


def colours(rows):
    """{core: (colour, shape)}: colours repeat, shapes distinguish cores of one colour."""
    shapes, cores = ["circle", "square", "diamond", "triangle"], list(dict.fromkeys(r[0] for r in rows))
    return {c: (COLOURS[i % len(COLOURS)], shapes[i // len(COLOURS) % len(shapes)]) for i, c in enumerate(cores)}


def legend(x, y, entries):
    """Draws entries of (shape, colour, hollow, words), one below the other."""
    return [m for i, (shape, colour, hollow, words) in enumerate(entries)
            for m in (mark(shape, x, y + 17 * i, colour, hollow, words), text(x + 11, y + 4 + 17 * i, words))]


def errors(rows):
    all_colours = colours(rows)
    rows = [r for r in rows if r[5] in EVIDENCE]
    paint, shape = {r[0]: all_colours[r[0]] for r in rows}, {"free": "circle", "twin": "square", "bound": "diamond"}
    left, width, top, step = 120, 860, 76, 22
    low, high = -60, 20 * math.ceil(max(r[4] for r in rows) / 20)
    bottom = top + step * len(paint)

    def at(percent):
        return left + (percent - low) / (high - low) * (width - left - 30)

    out = [f'<rect x="{at(-20):.1f}" y="{top}" width="{at(20) - at(-20):.1f}" height="{bottom - top}" class="band"/>']
    for tick in range(low, high + 1, 20):
        out += [line(at(tick), top, at(tick), bottom, "axis" if tick == 0 else "grid"), text(at(tick), bottom + 17, f"{tick:+d} %" if tick else "0", "mid")]
    for i, core in enumerate(paint):
        y = top + step * i + step / 2
        out += [line(left, y, width - 30, y, "grid", ' stroke-dasharray="1 4"'), text(left - 10, y + 4, core, "end")]
        out += [mark(shape[r[5]], at(r[4]), y, paint[core][0], r[5] != "free", f"{core}, {r[1]}: {r[4]:+.1f} % ({r[5]})")
                for r in rows if r[0] == core]
    out.append(text((left + width - 30) / 2, bottom + 38, "error of the model: (ours - published) / published", "mid"))
    out += legend(left, bottom + 60, [(shape[k], "#444", k != "free", words) for k, words in EVIDENCE.items()])
    return picture(width, bottom + 115, "How far modelled costs are from published ones",
                   "By core; filled points, free figures, are the evidence; the band is 20 % either way", out)


def scatter(rows):
    paint_of_all = colours(rows)
    rows = [r for r in rows if r[2] > 0 and r[3] > 0]
    paint, left, top, side, width = paint_of_all, 110, 70, 560, 940
    low = math.floor(math.log10(min(min(r[2:4]) for r in rows)))
    high = math.ceil(math.log10(max(max(r[2:4]) for r in rows)))

    def x(value):
        return left + (math.log10(value) - low) / (high - low) * side

    def y(value):
        return top + side - (math.log10(value) - low) / (high - low) * side

    least, most = 10.0 ** low, 10.0 ** high
    out = ['<clipPath id="in"><rect x="%d" y="%d" width="%d" height="%d"/></clipPath>' % (left, top, side, side)]
    corners = [(least, least * 0.8), (most, most * 0.8), (most, most * 1.2), (least, least * 1.2)]
    out.append('<polygon clip-path="url(#in)" class="band" points="' + " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in corners) + '"/>')
    for power in range(low, high + 1):
        value, words = 10.0 ** power, f"{10 ** power:,}" if power >= 0 else f"{10.0 ** power:g}"
        out += [line(x(value), top, x(value), top + side, "grid"), line(left, y(value), left + side, y(value), "grid"),
                text(x(value), top + side + 17, words, "mid"), text(left - 7, y(value) + 4, words, "end")]
    out.append(line(x(least), y(least), x(most), y(most), "axis"))
    out += [mark(paint[r[0]][1], x(r[2]), y(r[3]), paint[r[0]][0], r[5] not in ("free", "twin", "bound"),
                 f"{r[0]}, {r[1]}: {r[2]:g} published, {r[3]:g} here ({r[5]})") for r in rows]
    out += [text(left + side / 2, top + side + 38, "published (cycles, bytes per cycle, mispredictions per branch)", "mid"),
            f'<text transform="translate(16 {top + side / 2:.0f}) rotate(-90)" class="mid">modelled</text>',
            text(left + side + 30, top + 4, "filled: not calibrated on;", "small"), text(left + side + 30, top + 18, "hollow: in the row, fitted, of any core", "small")]
    out += legend(left + side + 36, top + 40, [(shape, colour, False, core) for core, (colour, shape) in paint.items()])
    return picture(width, top + side + 55, "Modelled against published figures", f"{len(rows)} figures of {len(paint)} cores; the band is 20 % either way", out)


def main(args):
    rows, bad = figures(), 0
    for name, maker in PICTURES.items():
        made, path = globals()[maker](rows), DOCS / "pictures" / name
        if args == ["--check"]:
            if not path.exists() or path.read_text() != made:
                print(f"docs/pictures/{name} is not of this {PAGE.name}: run tests/accuracy/plots.py")
                bad = 1
        else:
            path.write_text(made)
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
