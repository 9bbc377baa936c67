# SPDX-License-Identifier: MIT
"""What a row of instructions.tsv stands for: one copy of a chain (latency) and of independent work (throughput).

kernels(name) returns (chain, work, per): two lists of assembly lines, in which {i} stands for a register number that differs per copy
(None if there is no such kernel), and the number of the row's instructions in one copy of the chain, or Less. x9, x10, v15, v29 to v31 hold
operands that are never written, x8 is an address. It returns None for a row that it does not understand; the caller reports such rows.
"""
import re

Q = {"b": "16b", "h": "8h", "s": "4s", "d": "2d", "q": "1q"}
HALF = {"b": "8b", "h": "4h", "s": "2s", "d": "1d"}
WIDER = {"b": "h", "h": "s", "s": "d", "d": "q"}
NARROWER = {v: k for k, v in WIDER.items()}

INT3 = "add sub adc sbc and orr eor bic orn eon lslv lsrv asrv rorv udiv sdiv mul mneg smull umull smnegl umnegl smulh umulh".split()


def two(op, d="{d}", a="{a}", rest=""):
    """op d, a: the chain passes through both operands."""
    return [f"{op} {d}, {a}{rest}"]


class Together(list):
    """Instructions whose rate counts them as one; `long`: in a loop as long as the measured one."""

    def __init__(self, lines, long=False):
        super().__init__(lines)
        self.long = long


class Best(list):
    """Pairs of a body and the number of its instructions that count: the rate is the greatest of any body."""


class Less:
    """A share of another chain's cycles, to be subtracted from the chain's."""

    def __init__(self, lines, share=1.0):
        self.lines, self.share = lines, share


def loaded_pairs():
    """Pairs loaded from the address that the pair before loaded, in the orders measured: `width` registers in turn, `times` times, then the next ones."""
    own = [*range(8), *range(11, 27)]

    def body(width, parts, times):
        order = [k for part in range(parts) for _ in range(times) for k in range(part * width, (part + 1) * width)]
        return [f"ldnp x{own[k]}, x{own[(k + 1) % 24]}, [x{own[k]}] // @0 16 load" for k in order], len(order)

    return Best(body(*order) for order in ((24, 1, 1), (6, 4, 3), (6, 4, 4), (6, 4, 5), (6, 4, 6), (4, 6, 4)))


class Branches(list):
    """A body with its branch, repeated as often as measured; `function`: what it calls, without the return; None: nothing."""

    def __init__(self, body, function=None):
        super().__init__(body)
        self.function = function


class Sweep(Best):
    """The same, in loops as long as the measured ones."""


def behind_adds(text):
    """The rate of an instruction that reads and writes the flags: one to eight of it behind an ADDS, which begins a new chain of flags.

    So CCMP, CCMN and SETF8 were measured, says the benchmark's source. Of ADCS, SBCS and NGCS the source at hand has a plain chain, which cannot
    be faster than one per cycle; their figures are those of this loop.
    """
    return Sweep((["adds x{i}, x{i}, x10", *[text] * n], n) for n in range(1, 9))


def pair(chain, work, per=1):
    return chain, work, per


def vec(op, dst, src, rest=""):
    """A chain through the first source, and work on operands that never change."""
    chain = [f"{op} v0.{dst}, v0.{src}{rest}"]
    return pair(chain, [f"{op} v{{i}}.{dst}, v30.{src}{rest}"])


def factor(other):
    """The last operand; for an element, a register that every element size can name."""
    return f"v{15 if '[' in other else 31}.{other}"


def vec3(op, dst, one, other):
    return vec(op, dst, one, f", {factor(other)}")


def scl(op, dst, src, rest=""):
    return pair([f"{op} {dst}0, {src}0{rest}"], [f"{op} {dst}{{i}}, {src}30{rest}"])


def accumulated(op, dst, src, other, forward):
    if forward:
        return pair([f"{op} v0.{dst}, v30.{src}, {factor(other)}"], None)
    return pair([f"{op} v0.{dst}, v0.{src}, {factor(other)}"], [f"{op} v{{i}}.{dst}, v30.{src}, {factor(other)}"])


def element(words):
    m = re.search(r"elem; (?:v\.\w)?\[(\d)\]|elem;.*v\.(\w)\[(\d)\]", words)
    return (m.group(1) or m.group(3)) if m else None


def general(op, words):
    shift = ""
    m = re.search(r"reg(<<|>>)(\d+)(?:; (signed|rotate))?", words)
    if m:
        kind = {"signed": "asr", "rotate": "ror", None: "lsl" if m.group(1) == "<<" else "lsr"}[m.group(3)]
        shift = f", {kind} #{m.group(2)}"
    imm = "imm" in words
    if op == "ngcs":
        return pair([f"{op} x0, x0"], behind_adds(f"{op} x{{i}}, x{{i}}"))
    if op in ("mvn", "neg", "negs", "ngc"):
        return pair([f"{op} x0, x0{shift}"], [f"{op} x{{i}}, x9{shift}"])
    if op in ("adcs", "sbcs"):
        return pair([f"{op} x0, x0, x10"], behind_adds(f"{op} x{{i}}, x{{i}}, x10"))
    if op in ("mov", "movz", "movn", "movk"):
        return None
    if imm:
        value = "#0x1ff0000" if False else {"mask imm": "#0xff0"}.get(words, "#17")
        if "<<12" in words:
            value = "#17, lsl #12"
        return pair([f"{op} x0, x0, {value}"], [f"{op} x{{i}}, x9, {value}"])
    if op in ("cmp", "cmn", "tst"):
        return None
    other = "x0" if shift else "x10" # the figures are of a chain through the shifter
    return pair([f"{op} x0, x0, {other}{shift}"], [f"{op} x{{i}}, x9, x10{shift}"])


SIZE = {"ldrb": "w", "ldrh": "w", "ldrsb": "x", "ldrsh": "x", "ldr": "x", "ldrsw": "x", "ldursw": "x", "ldurb": "w", "ldurh": "w",
        "ldur": "x", "ldursb": "x", "ldursh": "x"}
BYTES = {"b": 1, "h": 2, "w": 4}


def load(op, words):
    reg = SIZE[op]
    size = BYTES.get(op[-1], 8) if op[-1] in "bh" else (4 if op.endswith("sw") else 8)
    m = re.search(r"ofs = (\d+)", words)
    ofs = int(m.group(1)) if m else 0
    where = ("[x8, x{a}, lsl #1]" if "scaled" in words else "[x{a}, x10]") if "reg" in words else f"[x{{a}}, #{ofs}]"
    if "post" in words or "pre" in words or "ptr" in words or "cross" in words:
        return None
    at = 1 if "unaligned" in words else 0
    note = f" // @{0 if 'reg' in words else ofs}+{at} {size} load"
    text = f"{op} {reg}{{d}}, {where}"
    rate = [text.format(d="{i}", a=8) + note]
    if "reg" not in words and op not in ("ldr", "ldur"):  # the measured loops make an address of what they load, and count the pair as one
        rate = Together([f"{op} {reg}{{i}}, [x{{i}}, #{ofs}]{note}", "add x{i}, x{i}, x10"], long=True)
    return pair([text.format(d=0, a=0) + note], rate)


def fixed(name):
    """Rows that are known by their whole name."""
    table = {
        "nop": (None, ["nop"]),
        "mov (x -> x)": (["mov x0, x0"], ["mov x{i}, x9"]),
        "mov (x -> x; chain)": (None, ["mov x0, x0"]),
        "mov (v.b -> v.b)": (["mov v0.16b, v0.16b"], ["mov v{i}.16b, v30.16b"]),
        "mov (v.b -> v.b; chain)": (None, ["mov v0.16b, v0.16b"]),
        "mov / movz (imm; 0x00)": (None, ["movz x{i}, #0"]),
        "mov / movz (imm; 0x1ffc)": (None, ["movz x{i}, #0x1ffc"]),
        "mov / movz (imm; 0x1ffc<<16)": (None, ["movz x{i}, #0x1ffc, lsl #16"]),
        "mov (mask imm; 0x1ffffffffffc)": (None, ["mov x{i}, #0x1ffffffffffc"]),
        "mov / movn (imm; 0x1ffc)": (None, ["movn x{i}, #0x1ffc"]),
        "mov / movn (imm; 0x1ffc<<16)": (None, ["movn x{i}, #0x1ffc, lsl #16"]),
        "movk (0x00)": (None, ["movk x{i}, #0"]),
        "movk (0x1ffc)": (None, ["movk x{i}, #0x1ffc"]),
        "movk (0x1ffc<<16)": (None, ["movk x{i}, #0x1ffc, lsl #16"]),
        "lsl (reg) / lslv": (["lslv x0, x0, x10"], ["lslv x{i}, x9, x10"]),
        "lsr (reg) / lsrv": (["lsrv x0, x0, x10"], ["lsrv x{i}, x9, x10"]),
        "asr (reg) / asrv": (["asrv x0, x0, x10"], ["asrv x{i}, x9, x10"]),
        "ror (reg) / rorv": (["rorv x0, x0, x10"], ["rorv x{i}, x9, x10"]),
        "ror (imm)": (["ror x0, x0, #17"], ["ror x{i}, x9, #17"]),
        "extr (imm; >>1)": (["extr x0, x0, x10, #1"], ["extr x{i}, x9, x10, #1"]),
        "extr (imm; >>17)": (["extr x0, x0, x10, #17"], ["extr x{i}, x9, x10, #17"]),
        "fjcvtzs": None,
        "setf8": (["setf8 w9"], behind_adds("setf8 w{i}")),
        "mov.s (v.s[0] <-> w)": (["fmov w0, s0", "mov v0.s[0], w0"], None),
        "fjcvtzs ": None,
        "pmull.d": (["pmull v0.1q, v0.1d, v31.1d"], ["pmull v{i}.1q, v30.1d, v31.1d"]),
        "pmull2.d": (["pmull2 v0.1q, v0.2d, v31.2d"], ["pmull2 v{i}.1q, v30.2d, v31.2d"]),
        "stur.q (imm; ofs = 0)": (None, ["stur q30, [x8] // @0 16 store"]),
        "stur (imm; ofs = 0)": (None, ["stur x9, [x8] // @0 8 store"]),
        "sturb (imm; ofs = 0)": (None, ["sturb w9, [x8] // @0 1 store"]),
        "sturh (imm; ofs = 0)": (None, ["sturh w9, [x8] // @0 2 store"]),
        "ldnp": (None, loaded_pairs()),
    }
    if name not in table:
        return "none"
    row = table[name]
    return None if row is None else (row[0], row[1], 1)


def vector(op, t, words):
    """Advanced SIMD and floating point, by the instruction's name and the type after the dot."""
    high = op.endswith("2") and op not in ("sha512h2",)
    stem = op[:-1] if high else op
    forward = "acc. fwd" in words
    lane = element(words)
    if re.fullmatch(r"st[1-4]", op):
        n = int(op[2])
        if "->" in words or "ptr" in words:
            return None
        m = re.search(r"\[(\d+)\]", words)
        first = 24
        if m:
            regs = ", ".join(f"v{first + k}.{t}" for k in range(n))
            return pair(None, [f"{op} {{{{{regs}}}}}[{m.group(1)}], [x8] // @0 {n * {'b': 1, 'h': 2, 's': 4, 'd': 8}[t]} store"])
        regs = ", ".join(f"v{first + k}.{Q[t]}" for k in range(n))
        return pair(None, [f"{op} {{{{{regs}}}}}, [x8] // @0 {16 * n} store"])
    if op in ("mov", "smov", "umov", "dup") and ("<->" in words or "elem" in words or "vec; lane" in words):
        if op == "dup" and "vec" in words:
            k = re.search(r"lane = (\d+)", words).group(1)
            return pair([f"dup v0.{Q[t]}, v0.{t}[{k}]"], [f"dup v{{i}}.{Q[t]}, v30.{t}[{k}]"])
        w = "x" if t == "d" else "w"
        if op == "dup": # from a general register and back, less half of a move of a lane there and back
            there_and_back = ["mov v0.s[0], w0", "umov w0, v0.s[0]"]
            return [f"dup v0.{Q[t]}, {w}0", there_and_back[1]], [f"dup v{{i}}.{Q[t]}, {w}9"], Less(there_and_back, 0.5)
        k = re.search(r"\[(\d+)\]", words).group(1)
        there = f"smov x0, v0.{t}[{k}]" if op == "smov" else f"umov {w}0, v0.{t}[{k}]"
        return [there, f"mov v0.{t}[{k}], {w}0"], None, 1
    if op in ("movi", "mvni"):
        value = re.search(r"0x\w+", words).group(0)
        sh = ", lsl #8" if "<<8" in words else ""
        return pair(None, [f"{op} v{{i}}.{Q[t]}, #{value}{sh}"])
    if op in ("bic", "orr") and "imm" in words:
        sh = ", lsl #8" if "<<8" in words else ""
        return pair([f"{op} v0.{Q[t]}, #1{sh}"], [f"{op} v{{i}}.{Q[t]}, #1{sh}"])
    if op in ("bsl", "bit", "bif"):
        return pair([f"{op} v0.16b, v0.16b, v31.16b"], [f"{op} v{{i}}.16b, v30.16b, v31.16b"])
    if op in ("eor3", "bcax"):
        return pair([f"{op} v0.16b, v0.16b, v30.16b, v31.16b"], [f"{op} v{{i}}.16b, v29.16b, v30.16b, v31.16b"])
    if op == "xar":
        return vec(op, "2d", "2d", ", v31.2d, #7")
    if stem in ("mla", "mls", "fmla", "fmls", "sqrdmlah", "sqrdmlsh", "saba", "uaba"):
        if "scl" in words:
            return None if lane is None and not stem.startswith("sq") else None
        other = f"{t}[{lane}]" if lane else Q[t]
        return accumulated(op, Q[t], Q[t], other, forward)
    if op in ("fmlal", "fmlsl", "fmlal2", "fmlsl2"):
        return accumulated(op, "4s", "4h", f"h[{lane}]" if lane else "4h", forward)
    if op == "fcmla":
        deg = re.search(r"deg = (\d+)", words).group(1)
        if "elem" in words and t == "s":
            other = "s[1]"
        elif "elem" in words:
            other = "h[3]"
        else:
            other = Q[t]
        c, w, n = accumulated(op, Q[t], Q[t], other, forward)
        return [x + f", #{deg}" for x in c], [x + f", #{deg}" for x in w] if w else None, n
    if op in ("sdot", "udot", "usdot", "smmla", "ummla", "usmmla", "bfdot", "bfmmla"):
        return vec3(op, "4s", Q[t], Q[t])
    if stem in ("smlal", "umlal", "smlsl", "umlsl", "sqdmlal", "sqdmlsl", "sabal", "uabal"):
        if "scl" in words:
            return None
        src = Q[t] if high else HALF[t]
        return accumulated(op, Q[WIDER[t]], src, f"{t}[{lane}]" if lane else src, forward)
    if stem in ("smull", "umull", "sqdmull", "pmull", "sabdl", "uabdl", "saddl", "uaddl", "ssubl", "usubl"):
        if "scl" in words:
            return None
        src = Q[t] if high else HALF[t]
        return vec3(op, Q[WIDER[t]], src, f"{t}[{lane}]" if lane else src)
    if stem in ("saddw", "uaddw", "ssubw", "usubw"):
        narrow = NARROWER[t]
        return vec3(op, Q[t], Q[t], Q[narrow] if high else HALF[narrow])
    if stem in ("addhn", "subhn", "raddhn", "rsubhn"):
        narrow = NARROWER[t]
        return vec3(op, Q[narrow] if high else HALF[narrow], Q[t], Q[t])
    if stem in ("xtn", "sqxtn", "uqxtn", "sqxtun"):
        narrow = NARROWER[t]
        if "scl" in words:
            return scl(op, narrow, t)
        return vec(op, Q[narrow] if high else HALF[narrow], Q[t])
    if stem in ("shrn", "rshrn", "sqshrn", "uqshrn", "sqrshrn", "uqrshrn", "sqshrun", "sqrshrun"):
        narrow = NARROWER[t]
        if "scl" in words:
            return scl(op, narrow, t, ", #2")
        return vec(op, Q[narrow] if high else HALF[narrow], Q[t], ", #2")
    if stem in ("sxtl", "uxtl"):
        return vec(op, Q[WIDER[t]], Q[t] if high else HALF[t])
    if stem in ("sshll", "ushll"):
        return vec(op, Q[WIDER[t]], Q[t] if high else HALF[t], ", #2")
    if stem == "shll":
        return vec(op, Q[WIDER[t]], Q[t] if high else HALF[t], ", #" + {"b": "8", "h": "16", "s": "32"}[t])
    if op in ("saddlp", "uaddlp"):
        return vec(op, {"b": "8h", "h": "4s", "s": "2d"}[t], Q[t])
    if op in ("sadalp", "uadalp"):
        dst = {"b": "8h", "h": "4s", "s": "2d"}[t]
        src = "v30" if forward else "v0"
        return pair([f"{op} v0.{dst}, {src}.{Q[t]}"], None if forward else [f"{op} v{{i}}.{dst}, v30.{Q[t]}"])
    if op in ("addv", "smaxv", "sminv", "umaxv", "uminv", "fmaxv", "fminv", "fmaxnmv", "fminnmv"):
        return pair([f"{op} {t}0, v0.{Q[t]}"], [f"{op} {t}{{i}}, v30.{Q[t]}"])
    if op in ("saddlv", "uaddlv"):
        return pair([f"{op} {WIDER[t]}0, v0.{Q[t]}"], [f"{op} {WIDER[t]}{{i}}, v30.{Q[t]}"])
    shifts = ("shl sshr ushr srshr urshr sqshl uqshl sqshlu sli sri ssra usra srsra ursra").split()
    if op in shifts and ("<<" in words or ">>" in words or "imm" in words) and "reg" not in words:
        if op in ("ssra", "usra", "srsra", "ursra", "sli", "sri"):
            src = "v30" if forward else "v0"
            return pair([f"{op} v0.{Q[t]}, {src}.{Q[t]}, #2"], None if forward else [f"{op} v{{i}}.{Q[t]}, v30.{Q[t]}, #2"])
        return scl(op, t, t, ", #2") if "scl" in words else vec(op, Q[t], Q[t], ", #2")
    if op in ("fcvtl", "fcvtn", "fcvtl2", "fcvtn2", "fcvtxn", "fcvtxn2"):
        long, short = ("4s", "8h" if high else "4h") if "h" in words else ("2d", "4s" if high else "2s")
        return vec(op, long, short) if stem == "fcvtl" else vec(op, short, long)
    if op in ("ext",):
        k = re.search(r">>(\d+)", words).group(1)
        return vec(op, "16b", "16b", f", v31.16b, #{k}")
    if op in ("tbl", "tbx"):
        return None
    unary = ("abs neg sqabs sqneg suqadd usqadd cls clz cnt rbit rev16 rev32 rev64 not mvn fabs fneg fsqrt frintn frintp frintm frintx "
             "frinti frintz frinta frecpe frsqrte urecpe ursqrte frecpx scvtf ucvtf fcvtzs fcvtzu fcvtns fcvtnu fcvtas fcvtau fcvtms "
             "fcvtmu fcvtps fcvtpu").split()
    if op in unary:
        return scl(op, t, t) if "scl" in words else vec(op, Q[t], Q[t])
    if "zero" in words and op.startswith(("cm", "fcm")) and op not in ("fcmp", "fcmpe"):
        zero = "#0.0" if op.startswith("f") else "#0"
        return scl(op, t, t, f", {zero}") if "scl" in words else vec(op, Q[t], Q[t], f", {zero}")
    if op in ("fcmp", "fcmpe"):
        other = "#0.0" if "zero" in words else f"{t}31"
        # there and back through a conditional select, whose time is subtracted
        return [f"{op} {t}0, {other}", f"fcsel {t}0, {t}0, {t}31, eq"], [f"{op} {t}30, {other}"], Less([f"fcsel {t}0, {t}0, {t}31, eq"])
    if op in ("fmaxp", "fminp", "fmaxnmp", "fminnmp", "faddp") and "scl" in words:
        src = {"h": "2h", "s": "2s", "d": "2d"}[t]
        return pair([f"{op} {t}0, v0.{src}"], [f"{op} {t}{{i}}, v30.{src}"])
    if op in ("and", "orr", "orn", "eor", "bic"):
        t = "b"
    if lane:
        return vec3(op, Q[t], Q[t], f"{t}[{lane}]")
    if "scl" in words or op == "fnmul":
        return scl(op, t, t, f", {t}31")
    return vec3(op, Q[t], Q[t], Q[t])


def crypto(op, words):
    table = {
        "sha1h": ("sha1h s0, s0", "sha1h s{i}, s30"),
        "sha1c": ("sha1c q0, s30, v31.4s", "sha1c q{i}, s30, v31.4s"), "sha1p": ("sha1p q0, s30, v31.4s", "sha1p q{i}, s30, v31.4s"),
        "sha1m": ("sha1m q0, s30, v31.4s", "sha1m q{i}, s30, v31.4s"),
        "sha1su0": ("sha1su0 v0.4s, v30.4s, v31.4s", "sha1su0 v{i}.4s, v30.4s, v31.4s"),
        "sha1su1": ("sha1su1 v0.4s, v30.4s", "sha1su1 v{i}.4s, v30.4s"),
        "sha256h": ("sha256h q0, q30, v31.4s", "sha256h q{i}, q30, v31.4s"),
        "sha256h2": ("sha256h2 q0, q30, v31.4s", "sha256h2 q{i}, q30, v31.4s"),
        "sha256su0": ("sha256su0 v0.4s, v30.4s", "sha256su0 v{i}.4s, v30.4s"),
        "sha256su1": ("sha256su1 v0.4s, v30.4s, v31.4s", "sha256su1 v{i}.4s, v30.4s, v31.4s"),
        "sha512h": ("sha512h q0, q30, v31.2d", "sha512h q{i}, q30, v31.2d"),
        "sha512h2": ("sha512h2 q0, q30, v31.2d", "sha512h2 q{i}, q30, v31.2d"),
        "sha512su0": ("sha512su0 v0.2d, v30.2d", "sha512su0 v{i}.2d, v30.2d"),
        "sha512su1": ("sha512su1 v0.2d, v30.2d, v31.2d", "sha512su1 v{i}.2d, v30.2d, v31.2d"),
        "sm3partw1": ("sm3partw1 v0.4s, v30.4s, v31.4s", "sm3partw1 v{i}.4s, v30.4s, v31.4s"),
        "sm3partw2": ("sm3partw2 v0.4s, v30.4s, v31.4s", "sm3partw2 v{i}.4s, v30.4s, v31.4s"),
        "sm3ss1": ("sm3ss1 v0.4s, v0.4s, v30.4s, v31.4s", "sm3ss1 v{i}.4s, v29.4s, v30.4s, v31.4s"),
        "sm4e": ("sm4e v0.4s, v30.4s", "sm4e v{i}.4s, v30.4s"),
        "sm4ekey": ("sm4ekey v0.4s, v0.4s, v30.4s", "sm4ekey v{i}.4s, v30.4s, v31.4s"),
        "aese": ("aese v0.16b, v30.16b", "aese v{i}.16b, v30.16b"), "aesd": ("aesd v0.16b, v30.16b", "aesd v{i}.16b, v30.16b"),
        "aesmc": ("aesmc v0.16b, v0.16b", "aesmc v{i}.16b, v30.16b"), "aesimc": ("aesimc v0.16b, v0.16b", "aesimc v{i}.16b, v30.16b"),
    }
    m = re.fullmatch(r"sm3tt(\w+)", op)
    if m:
        k = re.search(r"\[(\d)\]", words).group(1)
        return pair([f"{op} v0.4s, v30.4s, v31.s[{k}]"], [f"{op} v{{i}}.4s, v30.4s, v31.s[{k}]"])
    return pair([table[op][0]], [table[op][1]]) if op in table else None


def atomic(op):
    if op.startswith("casp"):
        return pair([f"{op} x0, x1, x2, x3, [x8] // @0 16 swap"], [f"{op} x0, x1, x2, x3, [x8] // @0 16 swap"])
    w = "w" if op[-1] in "bh" and op not in ("ldaddab",) else "x"
    size = {"b": 1, "h": 2}.get(op[-1], 8)
    if op.startswith("cas"):
        text = f"{op} {w}0, {w}9, [x8] // @0 {size} swap"
        return pair([text], [text])
    return pair([f"{op} {w}9, {w}0, [x8] // @0 {size} swap"], [f"{op} {w}9, {w}0, [x8] // @0 {size} swap"])


SIZES = {"q": 16, "d": 8, "x": 8, "v": 16}


def noted(line):
    """An instruction with the size of its access, from its mnemonic and its first register."""
    m = re.match(r"(ldr|ldp|str|stp|ld1|st1) \{?([qdxv])", line)
    if not m:
        return line
    registers = line.count("v") if m.group(2) == "v" else 2 if m.group(1).endswith("p") else 1
    size = 8 if ".d}[" in line else SIZES[m.group(2)] * registers
    return f"{line.replace('{', '{{').replace('}', '}}')} // @0 {size} {'store' if m.group(1).startswith('st') else 'load'}"


def sequence(name):
    """Instructions as given, after one that issues alone."""
    return None, ["mrs x9, tpidr_el0", *(noted(line) for line in name.split("; "))], 1


def in_turn(mnemonics):
    """Integer instructions that all read the same two registers."""
    return None, ["nop" if op == "nop" else f"{op} x{{i}}, x9, x10" for op in mnemonics], 1


def forwarded(name):
    """A store whose data a load then takes: "STORE -> LOAD (FROM -> TO)"; the figure is of both."""
    m = re.fullmatch(r"(\w+)(?:\.([bhsd]))?(?: \((single|multi)\))? -> (ldur|ldr(?:\.q)?) \((.*)\)", name)
    if not m:
        return None
    op, t, how, to, places = m.groups()
    if op == "stur":
        crossing = {"cross-cache -> aligned": (63, 64), "aligned -> cross-cache": (64, 63), "cross-cache -> cross-cache": (62, 63)}
        here, there = crossing.get(places) or (1, 1 if to == "ldur" else 0)
        chain, work = ([f"stur x{r}, [x8, #{here}] // @{here} 8 store", f"{to} x{r}, [x8, #{there}] // @{there} 8 load"] for r in ("0", "{i}"))
        return pair(chain, Together(work))
    count, at = int(op[2]), int(re.search(r"ofs = (\d+)", places).group(1))
    size = {"b": 1, "h": 2, "s": 4, "d": 8}[t]

    def both(first):
        store, where, moved = ", ".join(f"v{first + k}.{Q[t]}" for k in range(count)), "", 16 * count
        if how == "single":
            store = ", ".join(f"v{first + k}.{t}" for k in range(count))
            where, moved = f"[{16 // size - 1}]", count * size
        return [f"{op} {{{{{store}}}}}{where}, [x8] // @0 {moved} store", f"ldr q{first}, [x8, #{at}] // @{at} 16 load"]

    chains = range(0, 32 - count, count)  # as many as there are registers
    return pair(both(0), Best([([line for first in chains for line in both(first)], len(chains))]))


def branches(name):
    """Branches in a loop of many. A conditional branch to the next instruction goes nowhere else if it is taken: the next block does not show which."""
    text, beside, what = name.partition(" // ")
    adds = ["add x1, x1, x28"] * {"": 0, "add (chain)": 1, "add x 2 (chain)": 2, "add x 3 (chain)": 3}.get(what, 0)
    if beside and not adds and what != "b (pc+4)":
        return None
    if text in ("bl-ret", "blr-ret"):
        return Branches(["bl {function}" if text == "bl-ret" else "blr x0"], adds)
    if "taken)" in text and "not taken" not in text or "random" in text:
        return None
    jump = ["b .+4"] if what == "b (pc+4)" else []
    m = re.fullmatch(r"(?:(\w+) -> )?(b|br|b\.\w\w|cbn?z|tbn?z) \(pc\+([48])(?:; not taken)?\)", text)
    if not m:
        return None
    before, op, far = m.groups()
    first = {"adds": ["adds x27, x27, x2"], "fcmp": ["fcmp d0, d1"], "adr": ["adr x0, .+8"], None: []}.get(before)
    to = {"c": "x27, ", "t": "x27, #1, "}.get(op[0], "")
    if first is None:
        return None
    if op == "b":
        return Branches([*adds, f"b .+{far}", *["nop"] * (far == "8"), *jump])
    if op == "br":
        return Branches([*adds, *first, "br x0"])
    return Branches([*first, f"{op} {to}.+{far}", *adds, *jump])


def kernels(name):
    if name.startswith("in turn: "):
        return in_turn(name.split()[2:])
    if "(" not in name and re.search("[,;] ", name):
        return sequence(name)
    whole = fixed(name)
    if whole != "none":
        return whole
    if re.match(r"(\w+ -> )?(b|br|blr?-ret|b\.\w\w|cbn?z|tbn?z)( |$)", name):
        return branches(name)
    m = re.fullmatch(r"([a-z0-9]+)(?:\.([bhsdq]))?(?: \((.*)\))?", name)
    if " -> ld" in name:
        return forwarded(name)
    if not m:
        return None
    op, t, words = m.group(1), m.group(2), m.group(3) or ""
    if op in ("cset", "csetm"):
        return pair(None, [f"{op} x{{i}}, {words}"])
    if op in ("cinv", "cinc", "cneg"):
        return pair([f"{op} x0, x0, {words}"], [f"{op} x{{i}}, x9, {words}"])
    if op.startswith("csel") or op in ("csinv", "csinc", "csneg"):
        return pair([f"{op} x0, x0, x10, {words}"], [f"{op} x{{i}}, x9, x10, {words}"])
    if op in ("ccmp", "ccmn"):
        kind, cond = words.split("; ")
        other = "x10" if kind == "reg" else "#3"
        return pair([f"{op} x9, {other}, #0, {cond}"], behind_adds(f"{op} x{{i}}, {other}, #0, {cond}"))
    if op in ("ldrb", "ldrh", "ldrsb", "ldrsh", "ldr", "ldrsw", "ldursw", "ldurb", "ldurh", "ldur", "ldursb", "ldursh") and not t:
        return load(op, words) if "->" not in words else None
    if op.startswith("cas") or re.fullmatch(r"(ld(add|clr|eor|set|smax|smin|umax|umin)|swp)a?l?[bh]?", op):
        return atomic(op)
    if re.match(r"sha\d|sm[34]|aes", op):
        return crypto(op, words)
    if op == "fjcvtzs":
        return None
    if op.startswith("fcvt") and not t:
        return vector(op, "s", words)
    if t:
        return vector(op, t, words)
    if op in ("madd", "msub"):
        return pair([f"{op} x0, x0, x10, x9"], [f"{op} x{{i}}, x9, x10, x9"])
    if op in ("smaddl", "umaddl", "smsubl", "umsubl"):
        return pair([f"{op} x0, w0, w10, x9"], [f"{op} x{{i}}, w9, w10, x9"])
    if op in ("smull", "umull", "smnegl", "umnegl"):
        return pair([f"{op} x0, w0, w10"], [f"{op} x{{i}}, w9, w10"])
    if op in ("sbfx", "ubfx", "sbfiz", "ubfiz", "bfi", "bfxil"):
        return pair([f"{op} x0, x0, #3, #7"], [f"{op} x{{i}}, x9, #3, #7"])
    if op in ("sbfm", "ubfm", "bfm"):
        return pair([f"{op} x0, x0, #3, #17"], [f"{op} x{{i}}, x9, #3, #17"])
    if op in ("sxtb", "sxth", "sxtw"):
        return pair([f"{op} x0, w0"], [f"{op} x{{i}}, w9"])
    if op in ("uxtb", "uxth"):
        return pair([f"{op} w0, w0"], [f"{op} w{{i}}, w9"])
    if op in ("cls", "clz", "rbit", "rev", "rev16", "rev32"):
        return pair([f"{op} x0, x0"], [f"{op} x{{i}}, x9"])
    if op.startswith("crc32"):
        w = "x" if op.endswith("x") else "w"
        return pair([f"{op} w0, w0, {w}10"], [f"{op} w{{i}}, w9, {w}10"])
    return general(op, words)
