# SPDX-License-Identifier: MIT
"""Programs that call assembly of FFmpeg and dav1d as their own tests do: LIBRARY.sh builds them, checkasm.c runs one function."""
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
CYCLES = 20000  # about as long as a run's calls last, but for functions that take longer


def build(library, row, guests, folder):
    """The programs, built if they are not there yet; argument lists of a small and a large run, and the calls between them."""
    program, test, name = row["routine"].split("/")
    made, script = folder / f"{library}-{program}", HERE / f"{library}.sh"
    if not made.exists() or made.stat().st_mtime < max(f.stat().st_mtime for f in (script, HERE / "checkasm.c", HERE / "checkasm.h")):
        source = next((guests / "video").glob(f"{library}-*"))
        subprocess.run([str(script), str(source), str(folder)], check=True)
    rounds = max(1, round(CYCLES / 4 / row["low"]))
    return [[f"./{made.name}", test, name, str(n * rounds)] for n in (1, 2)], 4 * rounds
