# SPDX-License-Identifier: MIT
"""Programs that call assembly of Linux's crypto routines: kcrypto.sh builds them, kcrypto.c prints the bytes of a round."""
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROUNDS = 6


def build(row, guests, folder):
    """The programs, built if they are not there yet; argument lists of a small and a large run, and the rounds between them."""
    program, name = row["routine"].split("/")
    made = folder / f"kcrypto-{program}"
    if not made.exists() or made.stat().st_mtime < max((HERE / f"kcrypto.{end}").stat().st_mtime for end in ("c", "inc", "sh")):
        source = next((guests / "crypto").glob("linux-*"))
        subprocess.run([str(HERE / "kcrypto.sh"), str(source), str(folder)], check=True)
    return [[f"./{made.name}", name, str(n * ROUNDS)] for n in (1, 2)], ROUNDS
