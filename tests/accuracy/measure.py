# SPDX-License-Identifier: MIT
"""What the accuracy scripts share: the kernels' data, and running one under `apmu stat`."""
import functools
import json
import lzma
import os
import re
import shlex
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

EVENTS = ["cycles", "instructions", "branch-misses"]
LZMA = [{"id": lzma.FILTER_LZMA1, "preset": 6, "dict_size": 1 << 22, "nice_len": 32, "mf": lzma.MF_BT4}]  # as 7-Zip's benchmark has it
CORES = Path(__file__).resolve().parents[2] / "spec/cores"

def read(path):
    """(kernels by ID, expectations) of expect.txt; `why` of an expectation is the known reason of its error."""
    kernels, expected, reasons = {}, [], {}
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        words = shlex.split(line, comments=True)
        try:
            if words[:1] == ["kernel"]:
                _, name, program, size, rounds, measure, text = words
                kernels[name] = dict(name=name, program=program, size=int(size), rounds=int(rounds), measure=measure, text=text)
            elif words[:1] == ["program"]:
                _, name, small, large, argv, text = words
                kernels[name] = dict(name=name, program=name, argv=argv.split(), small=int(small), large=int(large), measure="cycles", text=text)
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
            raise SystemExit(f"{path}:{number}: expected: kernel ID NAME SIZE ROUNDS MEASURE \"text\", program ID SMALL LARGE \"ARGV\" \"text\", or "
                             "expect CORE ID VALUE KIND \"source\"")
    for e in expected:
        e["why"] = reasons.get((e["core"], e["kernel"]["name"]), "not looked into")
        if e["kind"] == "free" and any(twins(e, other) for other in expected):
            e["kind"] = "twin"
        if e["kind"] == "free" and (line := set_from(e)):
            raise SystemExit(f"{path}: {e['core']} {e['kernel']['name']} is called free, but a parameter was set from the same figure: {line}")
    return kernels, expected


def set_from(e):
    """The line of the core's row that quotes a figure of the expectation's source, such as "388.6 MB/s"; None if there is none."""
    figures = [rf"(?<![\d.]){re.escape(figure)}" for figure in re.findall(r"\d[\d.]* (?:MB/s|ns|cycles)", e["source"])]
    core = (CORES / f"{e['core']}.core").read_text()
    row = re.search(r"^uarch +(\S+)", core, re.MULTILINE)
    path = CORES.parent / "uarch" / f"{row[1]}.uarch" if row else None
    lines = path.read_text().splitlines() if path and path.exists() else []
    return next((line for line in lines if any(re.search(figure, line) for figure in figures)), None)


def is_event(kernel):
    """True if the kernel's figure is the count of an event."""
    return kernel["measure"].isupper()


def twins(free, fitted):
    """True if a fitted figure of the core says the same: the same kernel within a quarter, a chase and random reads too; or clearing and stores."""
    if fitted["kind"] != "fit" or fitted["core"] != free["core"]:
        return False
    a, b = free["kernel"], fitted["kernel"]
    if {a["program"], b["program"]} == {"stores", "set"}:
        return True
    same = {"reads": "chase"}
    return same.get(a["program"], a["program"]) == same.get(b["program"], b["program"]) and abs(free["value"] / fitted["value"] - 1) <= 0.25


def architecture(core):
    """Debian's name for the programs that the core runs: arm64 if its row has AArch64, armhf from Armv7 on, else armel."""
    lines = [line.split() for line in (CORES / f"{core}.core").read_text().splitlines()]
    if any("a64" in words for words in lines if words[:1] == ["features"]):
        return "arm64"
    return "armhf" if ["family", "armv7"] in lines else "armel"


def fixed_environment(**more):
    """A fixed environment, because a program's stack begins with it. Programs do not see APMU_QEMU."""
    kept = {name: value for name, value in os.environ.items() if name == "APMU_QEMU"}
    return dict(kept, PATH="/usr/bin:/bin", **more)


def text_of(size):
    """The bytes that 7-Zip's benchmark packs and unpacks with a dictionary of 4 MiB: single bytes and copies from random distances."""
    state, out = [362436069, 521288629], bytearray()

    def draw():
        state[0] = 36969 * (state[0] & 0xFFFF) + (state[0] >> 16) & 0xFFFFFFFF
        state[1] = 18000 * (state[1] & 0xFFFF) + (state[1] >> 16) & 0xFFFFFFFF
        return (state[0] << 16) + state[1] & 0xFFFFFFFF

    def take(n):  # the next n bits of the number drawn
        nonlocal number
        bits, number = number & (1 << n) - 1, number >> n
        return bits

    distance = 1
    while len(out) < size:
        number = draw() >> 1
        if take(1) == 0 or len(out) < 1024:
            out.append(number & 0xFF)
            continue
        length = 1 + take(1 + take(2))
        if take(3):
            length += take(1 + take(2))
            while True:
                bits = 6 + take(5)
                number = draw()
                if bits <= 22:
                    distance = take(bits)
                    number = draw()
                if distance < len(out):
                    break
            distance += 1
        for _ in range(min(length, size - len(out))):
            out.append(out[-distance])
    return bytes(out)


def number(n):
    """A number as .7z files have it: as many leading ones as bytes follow, then the number's highest bits; the bytes begin with the lowest."""
    more = min(8, max(0, (n.bit_length() - 1) // 7))
    return bytes([0xFF00 >> more & 0xFF | n >> 8 * more]) + (n & (1 << 8 * more) - 1).to_bytes(more, "little")


def sevenzip(properties, packed, data):
    """A .7z file of one file, "a": the packed bytes between a header of 32 bytes and one that says what they are (7-Zip's 7zFormat.txt)."""
    name = "a\0".encode("utf-16-le")
    coder = b"\x23\x03\x01\x01" + number(len(properties)) + properties  # LZMA, which has properties
    streams = (b"\x06" + number(0) + number(1) + b"\x09" + number(len(packed)) + b"\0"                # PackInfo: one stream, its size
               + b"\x07\x0b" + number(1) + b"\0" + number(1) + coder                                   # UnPackInfo: one folder of one coder
               + b"\x0c" + number(len(data)) + b"\x0a\x01" + struct.pack("<I", zlib.crc32(data)) + b"\0"  # its size, its CRC
               + b"\x08\0\0")                                                                          # SubStreamsInfo; without it, no CRC is checked
    files = b"\x05" + number(1) + b"\x11" + number(1 + len(name)) + b"\0" + name + b"\0"
    header = b"\x01\x04" + streams + files + b"\0"
    start = struct.pack("<QQI", len(packed), len(header), zlib.crc32(header))
    return b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start + packed + header


class Runner:
    """Runs kernels and programs on cores. `apmu` is the command, `kernels` the folder with kernels-a32 and -a64, in which they run, `boards`
    the folder of the programs of tools/fetch-guests --boards, which run by a path that is as long everywhere: it moves the stack."""

    def __init__(self, apmu, kernels, boards=None, **environment):
        self.apmu, self.kernels, self.cache = str(Path(apmu).resolve()), Path(kernels), {}
        if boards:
            link = self.kernels / "boards"
            link.unlink(missing_ok=True)
            link.symlink_to(Path(boards).resolve())
        self.environment = fixed_environment(**environment)
        cores = json.loads(subprocess.run([self.apmu, "list", "cores", "-j"], capture_output=True, check=True).stdout)
        self.cores = [c["core"] for c in cores]
        self.borrow = set()  # cores run so far that use another core's row
        self.architecture = {c: architecture(c) for c in self.cores}

    def program(self, core):
        return "./kernels-a64" if self.architecture[core] == "arm64" else "./kernels-a32"  # a path's length moves the stack too

    def stat(self, core, events, argv, options=(), stdin=None):
        """{event as requested: value}, what the program printed, and {class: cycles} if cycles were counted."""
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

    def file(self, kind, n):
        """The name of a file of n KiB: "plain", "packed" as a .lzma file, or "7z"."""
        path = self.kernels / f"{kind}-{n}"
        if not path.exists():
            data = text_of(1024 * n)
            if kind != "plain":
                packed = lzma.compress(data, lzma.FORMAT_ALONE, filters=LZMA)
                properties, packed = packed[:5], packed[13:]
                data = sevenzip(properties, packed, data) if kind == "7z" else properties + len(data).to_bytes(8, "little") + packed
            path.with_suffix(".new").write_bytes(data)
            path.with_suffix(".new").rename(path)
        return path.name

    def has(self, core, kernel):
        """Whether the program is there; tools/fetch-guests may have failed to fetch it."""
        path = kernel.get("argv", ["."])[0].replace("{root}", "boards/" + self.architecture[core]).replace("{port}", self.architecture[core])
        return (self.kernels / path).exists()

    def board_program(self, core, events, kernel, n):
        values = {"{n}": lambda: str(n), "{root}": lambda: root, "{port}": lambda: self.architecture[core]}
        values.update({f"{{{kind}}}": functools.partial(self.file, kind, n) for kind in ("plain", "packed", "7z")})
        root = "boards/" + self.architecture[core]
        argv = [re.sub(r"{\w+}", lambda m: values[m[0]](), word) for word in kernel["argv"]]
        return self.stat(core, events, argv, ["-L", root])

    def pair(self, core, events, kernel):
        """Two runs, and how many more operations the second one makes."""
        if "argv" in kernel:
            return [self.board_program(core, events, kernel, kernel[n]) for n in ("small", "large")], kernel["large"] - kernel["small"]
        argv = [self.program(core), kernel["program"], str(kernel["size"])]
        runs = [self.stat(core, events, argv + [str(kernel["rounds"] * n)]) for n in (1, 2)]
        return runs, int(runs[0][1]) * kernel["rounds"]

    def difference(self, core, events, kernel):
        """The counts of a long run less those of a short one (for a kernel: twice the rounds), the operations between them, and the classes' shares."""
        key = core, tuple(events), kernel["program"], kernel.get("size"), kernel.get("rounds")
        if key not in self.cache:
            runs, operations = self.pair(core, events, kernel)
            counts = {e: runs[1][0][e] - runs[0][0][e] for e in events}
            # Out of order the classes are estimates: if the runs differ by little, use those of the longer one.
            small = counts.get("cycles", 0) < runs[1][0].get("cycles", 0) / 32
            spent = {c: runs[1][2][c] if small else max(0, runs[1][2][c] - runs[0][2][c]) for c in runs[0][2]}
            self.cache[key] = counts, operations, {c: n / (sum(spent.values()) or 1) for c, n in spent.items()}
        return self.cache[key]

    def shares(self, core, kernel):
        """{class: share of the kernel's cycles}, by the model; of `beyond` those of the cycles beyond SIZE 2."""
        counts, _, shares = self.difference(core, EVENTS, kernel)
        if kernel["measure"] != "beyond":
            return shares
        near, _, near_shares = self.difference(core, EVENTS, dict(kernel, size=2))
        spent = {c: max(0, n * counts["cycles"] - near_shares[c] * near["cycles"]) for c, n in shares.items()}
        return {c: n / sum(spent.values()) for c, n in spent.items()}

    def measure(self, core, kernel, kernels):
        if is_event(kernel):
            counts, ops, _ = self.difference(core, [kernel["measure"]], kernel)
            return counts[kernel["measure"]] / ops
        counts, ops, _ = self.difference(core, EVENTS, kernel)
        cycles = counts["cycles"]
        if kernel["measure"] == "penalty":
            plain = [self.measure(core, dict(kernel, size=size, measure="cycles"), kernels) for size in (0, 1)]
            return (cycles / ops - sum(plain) / 2) / (counts["branch-misses"] / ops)
        if kernel["measure"] == "beyond":
            here = self.measure(core, dict(kernel, size=2, measure="cycles"), kernels)
            return cycles / ops - here + self.measure(core, kernels["load"], kernels)
        return {"cycles": cycles / ops, "bytes": ops / cycles, "cpi": cycles / counts["instructions"],
                "mispredicts": counts["branch-misses"] / ops}[kernel["measure"]]
