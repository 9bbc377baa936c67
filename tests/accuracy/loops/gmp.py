# SPDX-License-Identifier: MIT
"""Programs that call one routine of GNU MP each: its file as it is in Debian's source, assembled, and gmp.c around it."""
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
SMALL, LARGE = 192, 384  # limbs: all operands fit in the smallest L1
ROUNDS = 40
KINDS = {  # how a routine is called: the names are gmp.c's
    "TWO": "add_n sub_n addlsh1_n sublsh1_n and_n nand_n rsh1add_n", "ONE": "mul_1 addmul_1 submul_1", "CONDITIONAL": "cnd_add_n",
    "COPY": "com copyd copyi", "SHIFT": "lshift rshift lshiftc", "COUNT": "popcount mod_34lsub1", "DISTANCE": "hamdist",
    "MULTIPLY": "addmul_2 addmul_3 mul_2", "SELECT": "sec_tabselect", "BDIV_DBM1C": "bdiv_dbm1c", "BDIV_Q": "pi1_bdiv_q_1",
    "DIVIDE": "divexact_1", "MODEXACT": "modexact_1c_odd", "MOD": "mod_1_1p mod_1s_2p", "SQUARE": "sqr_diag_addlsh1"}
KIND = {routine: kind for kind, routines in KINDS.items() for routine in routines.split()}
MANY = {"addmul_2": 2, "mul_2": 2, "addmul_3": 3, "sec_tabselect": 32 / 12,  # units of a limb: products, entries of the table, ...
        "sqr_diag_addlsh1": 2}  # ... limbs of the square: by limbs of the operand, X-Gene would take less than for its multiplications

# What GNU MP's configure tells its assembly of a Linux on Arm.
CONFIG = """ifdef(`CONFIG_IS_READ',,`
define(`CONFIG_IS_READ')
define(`CONFIG_TOP_SRCDIR',`{source}')
define(`WANT_ASSERT',0)
define(`WANT_PROFILING',`no')
define(`M4WRAP_SPURIOUS',`no')
define(`TEXT',`.text')
define(`DATA',`.data')
define(`RODATA',`.section .rodata')
define(`LABEL_SUFFIX',`:')
define(`GLOBL',`.globl')
define(`GLOBL_ATTR',`')
define(`GSYM_PREFIX',`')
define(`LSYM_PREFIX',`.L')
define(`TYPE',`.type $1,%$2')
define(`SIZE',`.size $1,$2')
define(`W32',`.long')
define(`ALIGN_LOGARITHMIC',`yes')
define(`GMP_LIMB_BITS',{bits})
define(`GMP_NUMB_BITS',{bits})
define(`GMP_NAIL_BITS',0)
define(`HAVE_ABI_{bits}')
include(CONFIG_TOP_SRCDIR`/mpn/asm-defs.m4')
include_mpn(`{definitions}')
')
"""


def compiler(file):
    if file.startswith("arm64/"):
        return ["aarch64-linux-gnu-gcc"]
    march = "armv6" if file.startswith("arm/v6/") or file.count("/") == 1 else "armv7-a+simd"
    return ["arm-linux-gnueabi-gcc", "-marm", f"-march={march}", "-mfloat-abi=softfp"] if "simd" in march else \
        ["arm-linux-gnueabi-gcc", "-marm", f"-march={march}"]


def build(row, guests, folder):
    """The program of a row, built if it is not there yet; argument lists of a small and a large run, and the units between them."""
    routine, _, variant = row["routine"].partition("+")
    name = row["file"][:-4].replace("/", "_") + f"-{row['routine']}"
    program = folder / "gmp" / name
    if not program.exists() or program.stat().st_mtime < (HERE / "gmp.c").stat().st_mtime:
        make(row["file"], routine, variant == "unorm", guests / "gmp-source", program)
    units = ROUNDS * (LARGE - SMALL) * MANY.get(routine, 1)
    return [[f"./gmp/{name}", str(n), str(ROUNDS)] for n in (SMALL, LARGE)], units


def make(file, routine, unnormalised, source, program):
    place = program.with_suffix(".d") / "mpn"  # the files include ../config.m4
    place.mkdir(parents=True, exist_ok=True)
    wide = file.startswith("arm64/")
    (place.parent / "config.m4").write_text(CONFIG.format(source=source.resolve(), bits=64 if wide else 32,
                                                          definitions="arm64/arm64-defs.m4" if wide else "arm/arm-defs.m4"))
    assembly = subprocess.run(["m4", f"-DOPERATION_{routine}", source.resolve() / "mpn" / file], cwd=place, check=True, capture_output=True)
    (place / "routine.s").write_bytes(assembly.stdout)
    flags = ["-O2", "-ffreestanding", "-fno-builtin", "-fno-stack-protector", "-fno-pie", "-no-pie", "-static", "-nostdlib", "-Wl,-z,noexecstack"]
    new = program.with_suffix(".new")
    subprocess.run([*compiler(file), *flags, f"-DKIND={KIND[routine]}", f"-DROUTINE=__gmpn_{routine}", f"-DLARGEST={LARGE}", f"-DUNNORMALISED={int(unnormalised)}",
                    HERE / "gmp.c", place / "routine.s", "-lgcc", "-o", new], check=True)
    new.rename(program)
