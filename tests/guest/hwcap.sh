#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program finds on each core's QEMU model the same capabilities, MIDR and SVE vector length as on the core; C libraries choose
# their copy and search routines by them. hwcap.txt lists the cores' values, and the differences that a model cannot avoid.
. "$SRC/tests/guest/lib.sh"
aarch64-linux-gnu-gcc -static -O1 -Wall -Werror "$SRC/tests/guest/src/hwcap.c" -o "$work/hwcap" || exit 1
python3 - "$APMU" "$SRC" "$work/hwcap" <<'PYTHON' || fail "a core says something else"
import json
import re
import subprocess
import sys

FIRST = """fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc dcpop sha3 sm3 sm4 asimddp sha512 sve
asimdfhm dit uscat ilrcpc flagm ssbs sb paca pacg""".split()
SECOND = """dcpodp sve2 sveaes svepmull svebitperm svesha3 svesm4 flagm2 frint svei8mm svef32mm svef64mm svebf16 i8mm bf16 dgh rng bti mte ecv afp rpres
mte3 sme smei16i64 smef64f64 smei8i32 smef16f32 smeb16f32 smef32f32 smefa64 wfxt ebf16 sveebf16 cssc rprfm sve2p1 sme2 sme2p1 smei16i32
smebi32i32 smeb16b16 smef16f16 mops hbc""".split()
apmu, src, program = sys.argv[1:]
never = set("evtstrm ssbs dgh ecv afp wfxt".split())


def run(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def words(first, second):
    return {name for table, bits in ((FIRST, first), (SECOND, second)) for n, name in enumerate(table) if bits >> n & 1} - never


def read(path):
    sets, rows = {}, {}
    each = lambda names: {w for n in names for w in sets.get(n, {n})}
    for line in open(path):
        key, *rest = line.partition("#")[0].split() or [""]
        if key == "set":
            sets[rest[0]] = each(rest[1:])
        elif key == "core":
            names, model, size, *said = rest
            more = each(w[1:] for w in said if w[0] == "+")
            less = each(w[1:] for w in said if w[0] == "-")
            for name in names.split(","):
                rows.setdefault(name, []).append((model, int(size), (each(w for w in said if w[0] not in "+-") | more) - less))
    return rows


rows, bad = read(f"{src}/tests/guest/hwcap.txt"), 0
qemu = re.search(r"^qemu-aarch64 \S+: (.*)$", run(apmu, "--version"), re.M).group(1)
models = set(run(qemu, "-cpu", "help").split())
cores = [c["core"] for c in json.loads(run(apmu, "list", "cores", "-j"))]
for name in cores:
    done = subprocess.run([apmu, "stat", "-c", name, "-e", "instructions", "-o", "/dev/null", "--", program], capture_output=True, text=True)
    if "runs AArch32 alone" in done.stderr or name.startswith("generic"):
        continue
    first, second, midr, zero, size = (int(w, base) for w, base in zip(done.stdout.split(), (16, 16, 16, 10, 10)))
    model, want_size, want = next((r for r in rows.pop(name, []) if r[0] in models), ("no line", 0, set()))
    got = words(first, second)
    row = re.search(r"^midr +(\w+)", open(f"{src}/spec/cores/{name}.core").read(), re.M).group(1)
    for what, found, asked in (("vector", size, want_size), ("MIDR", f"{midr:#x}", f"{int(row, 16):#x}"),
                               ("beyond", sorted(got - want), []), ("lacking", sorted(want - got), [])):
        if found != asked:
            print(f"{name} ({model}): {what} {found}, not {asked}")
            bad += 1
for name in rows:
    print(f"{name}: in the table, and no core of A64")
sys.exit(bad != 0 or bool(rows))
PYTHON
finish
