# SPDX-License-Identifier: MIT
"""A program that calls assembly of Nettle: its files as they are in Debian's source, assembled, and nettle.c around them."""
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROUNDS = 4
FILES = ["arm/v6/aes-encrypt-internal.asm", "arm/memxor.asm", "arm/memxor3.asm"]

# What Nettle's configure tells its assembly of a Linux on Arm.
CONFIG = """define(`srcdir', ``{source}'')dnl
define(`SYMBOL_PREFIX', `$1')dnl
define(`ELF_STYLE', `yes')dnl
define(`COFF_STYLE', `no')dnl
define(`TYPE_FUNCTION', `%function')dnl
define(`TYPE_PROGBITS', `%progbits')dnl
define(`ALIGN_LOG', `yes')dnl
define(`WORDS_BIGENDIAN', `no')dnl
define(`ASM_X86_ENDBR',`')dnl
"""


def build(row, guests, folder):
    """The program, built if it is not there yet; argument lists of a small and a large run, and the rounds between them."""
    program = folder / "nettle-a32"
    if not program.exists() or program.stat().st_mtime < (HERE / "nettle.c").stat().st_mtime:
        make(next((guests / "crypto").glob("nettle-*")).resolve(), program)
    return [[f"./{program.name}", row["routine"], str(n * ROUNDS)] for n in (1, 2)], ROUNDS


def make(source, program):
    place = program.with_suffix(".d")
    place.mkdir(exist_ok=True)
    (place / "config.m4").write_text(CONFIG.format(source=source))
    assembly = []
    for file in FILES:
        text = subprocess.run(["m4", source / "asm.m4", source / "arm/machine.m4", "config.m4", source / file], cwd=place, check=True, capture_output=True)
        assembly.append(place / Path(file).with_suffix(".s").name)
        assembly[-1].write_bytes(text.stdout)
    subprocess.run(["arm-linux-gnueabi-gcc", "-O2", "-Wall", "-Wextra", "-static", "-marm", "-march=armv7-a", "-Wl,-z,noexecstack", HERE / "nettle.c", *assembly, "-o", program],
                   check=True)
