# SPDX-License-Identifier: MIT
"""What the accuracy scripts share: the kernels' data, and running one under `apmu stat`."""
import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

EVENTS = ["cycles", "instructions", "branch-misses"]
CORES = Path(__file__).resolve().parents[2] / "spec/cores"

def read(path):
    """(kernels by ID, expectations) of expect.txt; an expectation that is known to be missed has `why`."""
    kernels, expected, reasons = {}, [], {}
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        words = shlex.split(line, comments=True)
        try:
            if words[:1] == ["kernel"]:
                _, name, program, size, rounds, measure, text = words
                kernels[name] = dict(name=name, program=program, size=int(size), rounds=int(rounds), measure=measure, text=text)
            elif words[:1] == ["expect"]:
                _, core, name, value, kind, source = words
                expected.append(dict(core=core, kernel=kernels[name], value=float(value), kind=kind, source=source))
                assert kind in ("row", "fit", "free", "same", "bound")
            elif words[:1] == ["why"]:
                _, core, name, reason = words
                reasons[core, kernels[name]["name"]] = reason
            elif words:
                raise ValueError
        except (ValueError, KeyError, AssertionError):
            raise SystemExit(f"{path}:{number}: expected: kernel ID NAME SIZE ROUNDS MEASURE \"text\", or expect CORE ID VALUE KIND \"source\"")
    for e in expected:
        e["why"] = reasons.get((e["core"], e["kernel"]["name"]), "not looked into")
        if e["kind"] == "free" and any(twins(e, other) for other in expected):
            e["kind"] = "twin"
    return kernels, expected


def twins(free, fitted):
    """Does a fitted figure of the core say the same: the same kernel within a quarter, or clearing beside stores?"""
    if fitted["kind"] != "fit" or fitted["core"] != free["core"]:
        return False
    a, b = free["kernel"], fitted["kernel"]
    if {a["program"], b["program"]} == {"stores", "set"}:
        return True
    return a["program"] == b["program"] and abs(free["value"] / fitted["value"] - 1) <= 0.25


def runs_a64(core):
    """Has the core AArch64? By its row."""
    lines = (CORES / f"{core}.core").read_text().splitlines()
    return any("a64" in line.split() for line in lines if line.startswith("features"))


def fixed_environment(**more):
    """The same for everybody: a program's stack begins with its environment. No program sees APMU_QEMU."""
    kept = {name: value for name, value in os.environ.items() if name == "APMU_QEMU"}
    return dict(kept, PATH="/usr/bin:/bin", **more)


class Runner:
    """Runs kernels and programs on cores. `apmu` is the command, `kernels` the folder with kernels-a32 and -a64, in which they run."""

    def __init__(self, apmu, kernels, **environment):
        self.apmu, self.kernels, self.cache = str(Path(apmu).resolve()), Path(kernels), {}
        self.environment = fixed_environment(**environment)
        cores = json.loads(subprocess.run([self.apmu, "list", "cores", "-j"], capture_output=True, check=True).stdout)
        self.cores = [c["core"] for c in cores]
        self.borrow = set()  # cores that have another's row, as far as they were run
        self.a64 = {c for c in self.cores if runs_a64(c)}

    def program(self, core):
        return "./kernels-a64" if core in self.a64 else "./kernels-a32"  # a path's length moves the stack too

    def stat(self, core, events, argv, options=(), stdin=None):
        """{event as asked: value}, what the program printed, and {class: cycles} where cycles were counted."""
        with tempfile.NamedTemporaryFile() as out:
            command = [self.apmu, "stat", "-c", core, "-j", "-o", out.name, "-e", ",".join(events), *options, "--", *argv]
            done = subprocess.run(command, capture_output=True, stdin=stdin, cwd=self.kernels, env=self.environment)
            if done.returncode != 0:
                raise SystemExit(f"{shlex.join(command)}: {done.stderr.decode()}")
            result = json.load(open(out.name))
        counts = {c["event"]: c["value"] for c in result["counters"]}
        if "timing_of" in result:
            self.borrow.add(core)
        classes = result["band"]["classes"] if "cycles" in counts and "band" in result else []
        return counts, done.stdout, {c["class"]: c["share"] * counts["cycles"] for c in classes}

    def difference(self, core, events, kernel):
        """What `rounds` rounds cost: a run with twice as many less a run with them; and their operations."""
        key = core, tuple(events), kernel["program"], kernel["size"], kernel["rounds"]
        if key not in self.cache:
            runs = [self.stat(core, events, [self.program(core), kernel["program"], str(kernel["size"]), str(kernel["rounds"] * n)])
                    for n in (1, 2)]
            counts = {e: runs[1][0][e] - runs[0][0][e] for e in events}
            spent = {c: max(0, runs[1][2][c] - runs[0][2][c]) for c in runs[0][2]}
            self.cache[key] = counts, int(runs[0][1]) * kernel["rounds"], {c: n / (sum(spent.values()) or 1) for c, n in spent.items()}
        return self.cache[key]

    def shares(self, core, kernel):
        """{class: share of the kernel's cycles}, as the model has it."""
        return self.difference(core, EVENTS, kernel)[2]

    def measure(self, core, kernel, kernels):
        counts, ops, _ = self.difference(core, EVENTS, kernel)
        cycles = counts["cycles"]
        if kernel["measure"] == "penalty":
            plain = [self.measure(core, dict(kernel, size=size, measure="cycles"), kernels) for size in (0, 1)]
            return (cycles / ops - sum(plain) / 2) / (counts["branch-misses"] / ops)
        return {"cycles": cycles / ops, "bytes": ops / cycles, "cpi": cycles / counts["instructions"],
                "mispredicts": counts["branch-misses"] / ops}[kernel["measure"]]
