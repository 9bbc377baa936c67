# SPDX-License-Identifier: MIT
"""A program that calls OpenSSL's libcrypto as applications do: Debian's arm64 library, and libcrypto.c around it."""
import subprocess
from pathlib import Path

import rsa_keys

HERE = Path(__file__).resolve().parent
PER_CALL = {"encrypt": 16000, "decrypt": 16000, "digest": 256 << 10, "sign": 1, "verify": 1}  # bytes or signatures, as in libcrypto.c
CALLS = {"encrypt": (5, 25), "decrypt": (5, 25), "digest": (1, 3), "sign": (2, 6), "verify": (2, 6)}


def build(row, guests, folder):
    """The program, built if it is not there yet; argument lists of a small and a large run, and the bytes or signatures between them."""
    program, what = folder / "libcrypto-a64", row["routine"]
    if not program.exists() or program.stat().st_mtime < (HERE / "libcrypto.c").stat().st_mtime:
        root = guests / "libcrypto/usr"
        rsa_keys.header(folder / "rsa_keys.h")
        subprocess.run(["aarch64-linux-gnu-gcc", "-O2", "-Wall", "-Wextra", "-static", "-Wl,--no-warnings", f"-I{folder}", f"-I{root}/include", f"-I{root}/include/aarch64-linux-gnu",
                        HERE / "libcrypto.c", root / "lib/aarch64-linux-gnu/libcrypto.a", "-o", program], check=True)
    small, large = (1, 2) if (what, row["file"][:4]) == ("sign", "rsa-") else CALLS[what]
    return [[f"./{program.name}", what, row["file"], str(n)] for n in (small, large)], (large - small) * PER_CALL[what]
