# SPDX-License-Identifier: MIT
"""Programs that call OpenSSL's assembly: openssl.sh builds them, openssl.c prints the bytes of a round."""
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROUNDS = 6


def build(row, guests, folder):
    """The programs, built if they are not there yet; argument lists of a small and a large run, and the rounds between them."""
    program, name = row["routine"].split("/")
    made = folder / f"openssl-{program}"
    if not made.exists() or made.stat().st_mtime < (HERE / "openssl.c").stat().st_mtime:
        source = next((guests / "openssl").glob("openssl-*"))
        subprocess.run([str(HERE / "openssl.sh"), str(source), str(folder)], check=True)
    return [[f"./{made.name}", name, str(n * ROUNDS)] for n in (1, 2)], ROUNDS
