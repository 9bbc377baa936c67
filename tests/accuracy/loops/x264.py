# SPDX-License-Identifier: MIT
"""A program that calls x264's sums of absolute differences: its file as it is in Debian's source, and x264.c around it."""
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
CALLS = 64 * 4  # in a round
CONFIG = "#define HAVE_AS_FUNC 0\n#define BIT_DEPTH 8\n#define HIGH_BIT_DEPTH 0\n"  # what x264's configure tells its assembly


def build(row, guests, folder):
    """The program, built if it is not there yet; argument lists of a small and a large run, and the calls between them."""
    size, program = row["routine"].rsplit("_", 1)[1], folder / "x264-a64"
    if not program.exists() or program.stat().st_mtime < (HERE / "x264.c").stat().st_mtime:
        source = next((guests / "video").glob("x264-*"))
        headers = folder / "x264-headers"
        headers.mkdir(parents=True, exist_ok=True)
        (headers / "config.h").write_text(CONFIG)
        subprocess.run(["aarch64-linux-gnu-gcc", "-O2", "-Wall", "-Wextra", "-static", "-Wl,-z,noexecstack", f"-I{headers}", f"-I{source}/common/aarch64", HERE / "x264.c",
                        source / row["file"], "-o", program], check=True)
    return [[f"./{program.name}", size, str(rounds)] for rounds in (2, 4)], 2 * CALLS
