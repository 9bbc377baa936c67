# SPDX-License-Identifier: MIT
"""Programs that call assembly of FFmpeg and dav1d as their own tests do: a script builds them, checkasm.c runs one function."""
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
CYCLES = 200000  # a run's calls last about as long, if one of them does not last longer; what else differs between two runs is a few hundred cycles


def build(library, script, sources, row, guests, folder):
    """The programs, built by `script` if they are not there yet from the first of `sources` (a pattern, in `guests`); argument lists of a small
    and a large run, and the calls between them for each benchmark of the function: the program prints how many there are."""
    program, test, name = row["routine"].split("/")
    made, script = folder / f"{library}-{program}", HERE / script
    if not made.exists() or made.stat().st_mtime < max(f.stat().st_mtime for f in (script, HERE / "checkasm.c", HERE / "checkasm.h")):
        source = next(guests.glob(sources))
        subprocess.run([str(script), str(source), str(folder)], check=True)
    rounds = max(1, round(CYCLES / 4 / row["low"]))
    return [[f"./{made.name}", test, name, str(n * rounds), str((2 - n) * rounds)] for n in (1, 2)], 4 * rounds
