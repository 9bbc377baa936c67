# SPDX-License-Identifier: MIT
"""Reads spec/regs/*.reg: registers, their encodings, access rights, and fields."""
import re

from spec_base import CONSTANTS, FEATURES, Text, bits, lines, number, one_of

KINDS = ["rw", "ro", "wo", "w1c", "w1s", "do", "const", "unp", "res0", "res1", "rao-w1s"]
RIGHTS = ["none", "rw", "ro", "user-valid", "secure", "secure-lock"]
WORDS = """enable divide export user suiden sunidem dp lc lp fzo fzs sel useren mdcr_el2 mdcr_el3 hdfgrtr hdfgwtr hdfgrtr2
hdfgwtr2 pmecr pmiar pmccr slk claim nocapture mpidr pmpcsr pmvcidsr pmccidsr""".replace("sunidem", "suniden").split()
DOS = "reset.cycle reset.events software.increment zero.instr zero.cycle zero.events capture lock".split()
SEEN = ["visible", "counters", "authstatus"]
ARRAYS = {"counter": "COUNTER", "event": "TYPE", "type": "TYPE", "saved": "SAVED", "cnten": "CNTEN", "overflow": "OVERFLOW",
          "inten": "INTEN", "fiqen": "FIQEN", "uacr": "UACR"}
INDEX = {"c": "APMU_CYCLE_COUNTER", "i": "APMU_INSTR_COUNTER", "n": "APMU_EACH", "this": "APMU_THIS", "sel": "APMU_SELECTED"}
USEREN = ["en", "sw", "cr", "er", "uen", "ir", "tid"]
WAYS = ["rw", "ro", "wo", "wo-raz"]
GATES = ["-", "tpm", "enpm2", "enpmss"]
INDEXED = ["-", "this", "selected", "selected-type"]
SEEN_IN = {"sys": "APMU_IN_SYS", "wide": "APMU_IN_WIDE"}


def place(line, word):
    """Converts a place word to (kind, index, lsb) as C expressions."""
    if word in DOS:
        return "APMU_PLACE_DO", "APMU_DO_" + word.upper().replace(".", "_"), 0
    m = re.fullmatch(r"([a-z_0-9]+?(?:\.[a-z]\w*)?)(?:\[(\w+)\])?(?:\.(\d+))?", word)
    name, index, lsb = (m[1], m[2], int(m[3] or 0)) if m else (word, None, 0)
    if word == "hpmn":
        return "APMU_PLACE_HPMN", "APMU_WORD_MDCR_EL2", 0
    if index is None and name in WORDS:
        return "APMU_PLACE_WORD", f"APMU_WORD_{name.upper()}", lsb
    if index is None and name in SEEN:
        return "APMU_PLACE_SEEN", f"APMU_SEEN_{name.upper()}", lsb
    if index is None and name.startswith("core.") and name[5:] in CONSTANTS:
        return "APMU_PLACE_CORE", f"APMU_CORE_{name[5:].upper()}", lsb
    if name not in ARRAYS or not re.fullmatch(r"\d+|c|i|n|this|sel", index or ""):
        line.bad(f"unknown place '{word}'")
    return f"APMU_PLACE_{ARRAYS[name]}", INDEX.get(index, index), lsb


def condition(line, words):
    """Removes `if FEATURE [else KIND] [in VIEWS]` from the end of words: (words, feature or None, kind, views)."""
    views, kind, feature = "APMU_IN_ALL", "unp", None
    if len(words) > 2 and words[-2] == "in" and not isinstance(words[-2], Text):
        one_of(line, words[-1], list(SEEN_IN), "view")
        words, views = words[:-2], SEEN_IN[words[-1]]
    if "if" in words:
        at = words.index("if")
        tail = words[at + 1:]
        one_of(line, tail[0], FEATURES, "feature")
        if len(tail) != 1 and (len(tail) != 3 or tail[1] != "else"):
            line.bad("expected: if FEATURE [else KIND]")
        if len(tail) == 3:
            one_of(line, tail[2], KINDS, "kind")
            kind = tail[2]
        words, feature = words[:at], tail[0]
    return words, feature, kind, views


def reserved(line, words):
    hi, lo = bits(line, words[1])
    return dict(line=line, hi=hi, lo=lo, name="-", aka=None, kind=words[0], text=None, feature=None, kind_else=words[0],
                place=("APMU_PLACE_NONE", "0", 0), constant=0, views="APMU_IN_ALL")


def read_field(line):
    words, feature, kind_else, views = condition(line, line.words)
    if words[0] in ("unp", "res0", "res1"):
        return reserved(line, words)
    constant = words[0] == "const"
    if len(words) != (5 if constant else 6) or not isinstance(words[-1], Text):
        line.bad('expected: field BITS NAME KIND PLACE "text", or const BITS NAME VALUE "text"')
    hi, lo = bits(line, words[1])
    name, _, aka = words[2].partition("/")
    field = dict(line=line, hi=hi, lo=lo, name=name, aka=aka or None, text=words[-1], feature=feature, kind_else=kind_else,
                 views=views)
    if constant:
        return dict(field, kind="const", place=("APMU_PLACE_NONE", "0", 0), constant=number(line, words[3]))
    one_of(line, words[3], KINDS, "kind")
    return dict(field, kind=words[3], place=place(line, words[4]), constant=0)


def new_register(line):
    words, feature, _, _ = condition(line, line.words)
    names = words[1].split("/")
    return dict(line=line, name=names[0], aka=names[1] if len(names) > 1 else None,
                aka2=names[2] if len(names) > 2 else None, title=words[2], feature=feature, at=[], rights=None, src=None,
                fields=[], width=32, way="rw", min_el=1, secure=False, user=None, trap=None)


def read_regs(path, sources, known):
    """The registers of one file; `known` holds those read before, for `like`."""
    regs = []
    for line in lines(path):
        head = line.words[0]
        if head == "register":
            regs.append(new_register(line))
        elif not regs:
            line.bad("expected: register NAME \"title\"")
        elif head == "width":
            regs[-1]["width"] = number(line, line.words[1])
        elif head == "view":
            regs[-1]["at"].append(read_view(line, regs[-1]))
        elif head == "access":
            read_access(line, regs[-1])
        elif head == "trap":
            regs[-1]["trap"] = read_trap(line)
        elif head == "src":
            regs[-1]["src"] = read_src(line, sources)
        elif head == "like":
            regs[-1]["like"] = line
        elif head in ("field", "const", "unp", "res0", "res1"):
            regs[-1]["fields"].append(read_field(line))
        else:
            line.bad(f"unknown word '{head}'")
    for reg in regs:
        copy_fields(reg, known + regs)
        check_reg(reg)
    return regs


def copy_fields(reg, known):
    """`like REGISTER INDEX`: the other register's fields, with [this] replaced."""
    if "like" not in reg:
        return
    line = reg["like"]
    for other in known:
        if other["name"] == line.words[1]:
            for field in other["fields"]:
                kind, index, lsb = field["place"]
                index = INDEX[line.words[2]] if index == "APMU_THIS" else index
                reg["fields"].append(dict(field, place=(kind, index, lsb)))
            return
    line.bad(f"no register {line.words[1]}")


CP_INDEX = {"c(8+(n>>3))": 8, "c(12+(n>>3))": 12}
A64_INDEX = {"8+(n>>3)": 8, "12+(n>>3)": 12}


def indexed_crm(line, crm, op2, table, plain):
    """(CRm, op2, form) of an encoding that may hold n."""
    if "n" not in crm:
        return plain(crm), number(line, op2), "ONE"
    if crm not in table or op2 != "n&7":
        line.bad(f"unknown index '{crm},{op2}'")
    return table[crm], 0, "CRM"


def read_view(line, reg):
    words = list(line.words[1:])
    feature, lo = None, 0
    if "if" in words:
        feature = words[words.index("if") + 1]
        one_of(line, feature, FEATURES, "feature")
        words = words[:words.index("if")]
    width = min(32, reg["width"]) if words[0] in ("cp", "ext32") else reg["width"]
    if "bits" in words:
        hi, lo = bits(line, words[-1])
        width, words = hi - lo + 1, words[:-2]
    view = dict(line=line, lo=lo, width=width, form="ONE", stride=0, feature=feature)
    if words[0] == "cp" and len(words) == 3:
        opc1, crn, crm, opc2 = words[2].split(",")
        crm, opc2, form = indexed_crm(line, crm, opc2, CP_INDEX, lambda c: int(c[1:]))
        key = number(line, words[1]) << 16 | number(line, opc1) << 12 | int(crn[1:]) << 8 | crm << 4 | opc2
        return dict(view, view="APMU_VIEW_CP", key=key, form=form)
    if words[0] == "cp64" and len(words) == 3:
        opc1, crm = words[2].split(",")
        return dict(view, view="APMU_VIEW_CP64", key=number(line, words[1]) << 16 | number(line, opc1) << 12 | int(crm[1:]) << 4)
    if words[0] == "a64" and len(words) == 2:
        op0, op1, crn, crm, op2 = words[1].split(",")
        crm, op2, form = indexed_crm(line, crm, op2, A64_INDEX, lambda c: number(line, c))
        key = number(line, op0) << 16 | number(line, op1) << 12 | number(line, crn) << 8 | crm << 4 | op2
        return dict(view, view="APMU_VIEW_A64", key=key, form=form)
    if words[0] in ("ext32", "ext64") and len(words) == 2:
        base, _, stride = words[1].partition("+")
        form, step = ("STRIDE", number(line, stride.partition("*")[0])) if stride else ("ONE", 0)
        kind = "APMU_VIEW_MMIO" if words[0] == "ext32" else "APMU_VIEW_MMIO64"
        return dict(view, view=kind, key=number(line, base), form=form, stride=step)
    line.bad(f"unknown view '{' '.join(words)}'")


def read_access(line, reg):
    if re.fullmatch(r"el[0-3]", line.words[1]):
        reg["rights"] = read_rights(line)
        return
    one_of(line, line.words[1], WAYS, "way")
    reg.update(way=line.words[1], rights=["none"] * 4, user={})
    words = list(line.words[2:])
    while words:
        word = words.pop(0)
        if word in ("el1", "el2", "el3"):
            reg["min_el"] = int(word[2])
        elif word == "el0":
            reg["min_el"] = 0
        elif word == "secure":
            reg["secure"] = True
        elif word == "user-ro":
            reg["user"]["ro"] = one_of(line, words.pop(0), USEREN, "bit of PMUSERENR")
        elif word[:2] in ("r=", "w="):
            reg["user"][word[0]] = user_rule(line, word[2:])
        else:
            line.bad(f"unknown word '{word}'")


def user_rule(line, text):
    """`en|uen!tid` to (any, none): allowed if PMUSERENR has one of `any` and nothing of `none`."""
    if text == "always":
        return 0x80, 0
    allow, _, deny = text.partition("!")
    mask = lambda names: sum(1 << one_of(line, n, USEREN, "bit of PMUSERENR") for n in names.split("|") if n)
    return mask(allow), mask(deny)


def read_rights(line):
    rights, last, words = [], "none", line.words[1:]
    given = dict(zip(words[::2], words[1::2]))
    for level in given:
        if not re.fullmatch(r"el[0-3]", level):
            line.bad(f"unknown level '{level}'")
    for el in range(4):
        last = given.get(f"el{el}", last)
        one_of(line, last, RIGHTS, "right")
        rights.append(last)
    return rights


def read_trap(line):
    trap, words = dict(r=None, w=None, second=False, gate="-", tpmcr=False, indexed="-"), list(line.words[1:])
    while words:
        word = words.pop(0)
        if word in ("fgt", "fgt2"):
            r, w = words.pop(0).split(",")
            trap.update(second=word == "fgt2", r=None if r == "-" else number(line, r), w=None if w == "-" else number(line, w))
        elif word == "gate":
            trap["gate"] = words.pop(0)
            one_of(line, trap["gate"], GATES, "gate")
        elif word == "tpmcr":
            trap["tpmcr"] = True
        elif word == "indexed":
            trap["indexed"] = words.pop(0)
            one_of(line, trap["indexed"], INDEXED, "index")
        else:
            line.bad(f"unknown word '{word}'")
    return trap


def read_src(line, sources):
    if line.words[1] not in sources:
        line.bad(f"unknown source '{line.words[1]}': add it to spec/sources.txt")
    return " ".join(line.words[1:])


def check_reg(reg):
    line, want = reg["line"], reg["width"] - 1
    if not reg["at"] or not reg["rights"] or not reg["src"]:
        line.bad(f"{reg['name']} needs view, access and src")
    for field in reg["fields"]:
        if field["hi"] != want:
            field["line"].bad(f"starts at bit {field['hi']}, not {want}")
        if field["lo"] > field["hi"]:
            field["line"].bad("bits stand the wrong way round")
        if field["constant"] >> (field["hi"] - field["lo"] + 1):
            field["line"].bad("the constant does not fit")
        if field["constant"] > 0xFFFF:
            field["line"].bad("a constant has at most 16 bits: struct apmu_field")
        want = field["lo"] - 1
    if want != -1:
        line.bad(f"{reg['name']}: bits {want}:0 have no field")
