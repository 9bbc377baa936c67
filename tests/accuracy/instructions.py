#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions one by one, measured on the models of four cores, against what silicon takes.

usage: tests/accuracy/instructions.py KERNELS [--table FILE] [--rows] [--core NAME] [--board TSV]

KERNELS: build/tests/guest/instruction_kernels, which runs assembled code on the classification and the machines that `apmu
stat` uses, without QEMU. Each row of the table becomes a chain and a loop of independent work, assembled with GNU as.
Prints for each core and group the share of figures within 10 % and within 20 % and the median error; with --rows every figure.
FILE: a table like tests/accuracy/instructions.tsv, for example from a board. Rows without a known kernel are counted.
"""
import argparse
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import instruction_kernels  # noqa: E402

COPIES = 192
REGISTERS = [*range(8), *range(11, 28)]  # of the long loops: 25 general registers in turn
BRANCHES = 288  # of a loop of branches, as measured
TURNS = 120  # of these registers in a long loop, as measured: too long for the cache of decoded instructions, the longest for L1
HOST = "aarch64-linux-gnu-"
BASE = 0x100000  # x8 and x0: the address of the data


def read(path):
    lines = [x.rstrip("\n") for x in open(path) if not x.startswith("#")]
    cores = [h[: -len(" latency")] for h in lines[0].split("\t") if h.endswith(" latency")]
    rows = []
    for line in lines[1:]:
        cells = line.split("\t")
        figure = [None if c == "-" else float(c) for c in cells[2:]]
        rows.append((cells[0], cells[1], {c: (figure[2 * k], figure[2 * k + 1]) for k, c in enumerate(cores)}))
    return cores, rows


def copy_of(text, i, vector, own=None):
    """A copy with its own register: general 0 to 7; vector 0 to 11 and 16 to 27."""
    if own is None:
        own = i % 24 + (4 if i % 24 > 11 else 0) if vector else i % 8
    return text.replace("{i}", str(own)).replace("{{", "{").replace("}}", "}")


class Kernels:
    """Assembles pieces of code, and measures what each takes on a core."""

    def __init__(self, program):
        self.program, self.text, self.lists = program, [], []

    def add(self, lines, long=False):
        name = len(self.lists)
        vector = any(re.search(r"\b[vqdshbz]\{i\}", x) for x in lines)
        copies, turns = (len(REGISTERS), TURNS) if long else (COPIES // len(lines), 1)
        accesses = []
        self.text.append(f".balign 64\nkernel_{name}:\nentry_{name}:\n.rept {turns}")
        for i in range(copies):
            for k, line in enumerate(lines):
                own = REGISTERS[i] if long else None
                code, _, note = copy_of(line, i, vector, own).partition(" // @")
                if note:
                    where, size, kind = note.split()
                    accesses.append((i * len(lines) + k, sum(int(x) for x in where.split("+")), int(size), kind))
                self.text.append("\t" + code)
        self.text.append(f".endr\n\tb kernel_{name}\nend_{name}:")
        every = copies * len(lines)
        self.lists.append((copies * turns, [(t * every + i, *rest) for t in range(turns) for i, *rest in accesses]))
        return name

    def add_branches(self, body, function):
        """As often as measured: a body with its branch, and a function that it calls, or None."""
        name = len(self.lists)
        self.text.append(f".balign 128\nkernel_{name}:")
        if function is not None:
            self.text += [*function, "ret", ".balign 128"]
        call = f"kernel_{name}"
        self.text += [f"entry_{name}:", f".rept {BRANCHES}", *(line.replace("{function}", call) for line in body), f".endr\n\tb entry_{name}\nend_{name}:"]
        self.lists.append((BRANCHES, []))
        return name

    def run(self, cores):
        with tempfile.TemporaryDirectory() as folder:
            source, obj, binary = (Path(folder) / f"k.{x}" for x in ("s", "o", "bin"))
            source.write_text(".arch armv8.6-a+crypto+sha3+sm4+fp16fml+i8mm+sve2\n" + "\n".join(self.text) + "\n")
            subprocess.run([HOST + "as", "-o", obj, source], check=True)
            subprocess.run([HOST + "objcopy", "-O", "binary", obj, binary], check=True)
            names = subprocess.run([HOST + "nm", obj], check=True, capture_output=True, text=True).stdout
            at = {x.split()[2]: int(x.split()[0], 16) for x in names.splitlines()}
            order = "".join(
                f"{at[f'kernel_{k}']} {at[f'entry_{k}']} {at[f'end_{k}']} {len(accesses)}"
                + "".join(f" {i} {BASE + ofs} {size} {int(kind != 'load')} {int(kind == 'swap')}" for i, ofs, size, kind in accesses) + "\n"
                for k, (_, accesses) in enumerate(self.lists))
            out = {}
            for core in cores:
                text = subprocess.run([self.program, core, binary], input=order, check=True, capture_output=True, text=True).stdout
                out[core] = [float(c) / n for c, (n, _) in zip(text.split(), self.lists)]
            return out


def wanted(rows):
    """The kernels of each row: index of the chain, of the work, and of the code subtracted from the chain; instructions per copy."""
    for group, name, figures in rows:
        yield group, name, figures, instruction_kernels.kernels(name)


def rates(k, busy):
    """The kernels of a rate, each with the number of instructions in a copy that count; the greatest rate is the row's."""
    if isinstance(busy, instruction_kernels.Sweep):
        return [(k.add(body, long=True), n) for body, n in busy]
    if isinstance(busy, instruction_kernels.Best):
        return [(k.add(body), n) for body, n in busy]
    if isinstance(busy, instruction_kernels.Together):
        return [(k.add(busy, long=busy.long), 1)]
    return [(k.add(busy), len(busy))]


def measure(program, cores, rows):
    k = Kernels(program)
    plan = []
    for group, name, figures, found in wanted(rows):
        chain = off = None
        work, per = [], 1
        if isinstance(found, instruction_kernels.Branches):
            chain = k.add_branches(found, found.function)
            work = [(chain, 1)]
        elif found:
            lines, busy, per = found
            chain = k.add(lines) if lines else None
            work = rates(k, busy) if busy else []
            if isinstance(per, instruction_kernels.Less):
                off, per = (k.add(per.lines), per.share), 1
        plan.append((group, name, figures, chain, work, off, per, found is not None))
    cycles = k.run(cores)
    for group, name, figures, chain, work, off, per, known in plan:
        model = {}
        for core in cores:
            c = cycles[core]
            latency = (c[chain] - (off[1] * c[off[0]] if off else 0)) / per if chain is not None else None
            rate = max((n / c[kernel] for kernel, n in work if c[kernel]), default=None)
            model[core] = (latency, rate)
        yield group, name, figures, model, known


def errors(figures, model):
    """(what, silicon, model, relative error) of latency and of rate, where both are known."""
    for what, silicon, ours in zip(("latency", "rate"), figures, model):
        if silicon and ours:
            yield what, silicon, ours, ours / silicon - 1


def table(core, results, out):
    groups, unknown = {}, 0
    for group, _, figures, model, known in results:
        unknown += sum(f is not None for f in figures[core]) if not known else 0
        groups.setdefault(group, []).extend(abs(e[3]) for e in errors(figures[core], model[core]))
    print(f"\n{core:<56} figures  within 10 %  within 20 %  median error", file=out)
    every = [e for x in groups.values() for e in x]
    for name, x in [*sorted(groups.items()), ("all", every)]:
        if x:
            print(f"  {name[:54]:<54} {len(x):7}  {100 * sum(e <= 0.1 for e in x) / len(x):10.0f}  "
                  f"{100 * sum(e <= 0.2 for e in x) / len(x):11.0f}  {100 * statistics.median(x):10.1f} %", file=out)
    if unknown:
        print(f"  not tried: {unknown} figures of rows that no kernel is known for, or that no address of the next block could tell apart", file=out)
    return len(every), sum(e <= 0.1 for e in every), unknown


def main():
    here = Path(__file__).resolve().parent
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("kernels")
    p.add_argument("--table", default=here / "instructions.tsv")
    p.add_argument("--core", action="append")
    p.add_argument("--rows", action="store_true")
    p.add_argument("--least", type=float, help="percent of figures within 10 percent that each core must reach")
    a = p.parse_args()
    cores, rows = read(a.table)
    cores = a.core or cores
    results = list(measure(a.kernels, cores, rows))
    if a.rows:
        for group, name, figures, model, known in results:
            for core in cores:
                for what, silicon, ours, e in errors(figures[core], model[core]):
                    print(f"{core}\t{group}\t{name}\t{what}\t{silicon:.2f}\t{ours:.2f}\t{100 * e:+.0f} %")
            if not known:
                print(f"-\t{group}\t{name}\tnot tried")
    worst = 100.0
    for core in cores:
        n, good, _ = table(core, results, sys.stdout)
        worst = min(worst, 100 * good / n)
    return 1 if a.least and worst < a.least else 0


if __name__ == "__main__":
    sys.exit(main())
