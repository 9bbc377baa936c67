# SPDX-License-Identifier: MIT
"""A program that calls OpenSSL's libcrypto as applications do: Debian's static library, and libcrypto.c around it."""
import subprocess
from pathlib import Path

import rsa_keys

HERE = Path(__file__).resolve().parent
TRIPLETS = {"armel": "arm-linux-gnueabi", "armhf": "arm-linux-gnueabihf", "arm64": "aarch64-linux-gnu"}
PER_CALL = {"encrypt": 16000, "decrypt": 16000, "digest": 256 << 10, "sign": 1, "verify": 1}  # bytes or signatures, as in libcrypto.c
CALLS = {"encrypt": (5, 25), "decrypt": (5, 25), "digest": (1, 3), "sign": (2, 6), "verify": (2, 6)}


def compiled(guests, folder, port="arm64"):
    """The program for one of Debian's ports, built if it is not there yet."""
    program, triplet = folder / f"libcrypto-{port}", TRIPLETS[port]
    if not program.exists() or program.stat().st_mtime < (HERE / "libcrypto.c").stat().st_mtime:
        root = guests / "libcrypto" / port / "usr"
        rsa_keys.header(folder / "rsa_keys.h")
        subprocess.run([f"{triplet}-gcc", "-O2", "-Wall", "-Wextra", "-static", "-Wl,--no-warnings", f"-I{folder}", f"-I{root}/include", f"-I{root}/include/{triplet}",
                        HERE / "libcrypto.c", root / "lib" / triplet / "libcrypto.a", "-latomic", "-o", program], check=True)
    return program


def build(row, guests, folder):
    """The program, built if it is not there yet; argument lists of a small and a large run, and the bytes or signatures between them."""
    program, what = compiled(guests, folder), row["routine"]
    small, large = (1, 2) if (what, row["file"][:4]) == ("sign", "rsa-") else CALLS[what]
    return [[f"./{program.name}", what, row["file"], str(n)] for n in (small, large)], (large - small) * PER_CALL[what]
