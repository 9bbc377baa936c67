# SPDX-License-Identifier: MIT
"""A program that calls Mbed TLS and libtomcrypt as applications do: Debian's arm64 libraries, and ciphers.c around them."""
import subprocess
from pathlib import Path

import rsa_keys

HERE = Path(__file__).resolve().parent
BYTES = 16000  # per call, as in ciphers.c
CALLS = {"encrypt": (1, 4), "decrypt": (1, 4), "sign": (1, 2), "verify": (2, 42)}  # before the first, verify signs, which varies: many verifications weigh more


def build(row, guests, folder):
    """The program, built if it is not there yet; argument lists of a small and a large run, and the bytes or signatures between them."""
    program, what = folder / "ciphers-a64", row["routine"]
    if not program.exists() or program.stat().st_mtime < (HERE / "ciphers.c").stat().st_mtime:
        root = guests / "ciphers/usr"
        rsa_keys.header(folder / "rsa_keys.h")
        libraries = [root / f"lib/aarch64-linux-gnu/lib{name}.a" for name in ("tomcrypt", "tommath", "gmp", "mbedcrypto")]
        subprocess.run(["aarch64-linux-gnu-gcc", "-O2", "-Wall", "-Wextra", "-static", "-Wl,--no-warnings", f"-I{folder}", f"-I{root}/include",
                        f"-I{root}/include/aarch64-linux-gnu", HERE / "ciphers.c", *libraries, "-o", program], check=True)
    small, large = CALLS[what]
    library, name = row["file"].split("/")
    return [[f"./{program.name}", library, what, name, str(n)] for n in (small, large)], (large - small) * (BYTES if name.startswith("aes") else 1)
