# SPDX-License-Identifier: MIT
"""Reads the description (spec/): text to plain rows, refusing what the grammar page (spec/README.md) does not know."""
import re
from pathlib import Path


class Bad(Exception):
    """What is wrong in the description, with file and line."""


class Line:
    def __init__(self, path, number, words):
        self.path, self.number, self.words = path, number, words

    def bad(self, text):
        raise Bad(f"{self.path}:{self.number}: {text}")


class Text(str):
    """A quoted word."""


TOKEN = re.compile(r'"([^"]*)"|(\S+)')


def lines(path):
    for number, text in enumerate(Path(path).read_text().splitlines(), 1):
        words = []
        for quoted, bare in TOKEN.findall(text):
            if bare.startswith("#"):
                break
            words.append(bare if bare else Text(quoted))
        if words:
            yield Line(path, number, words)


def number(line, word):
    try:
        return int(word, 0)
    except ValueError:
        line.bad(f"'{word}' is not a number")


def bits(line, word):
    hi, _, lo = word.partition(":")
    hi = number(line, hi)
    return hi, number(line, lo) if lo else hi


# Words of the grammar, in the order of the C enums.
KINDS = ["rw", "ro", "wo", "w1c", "w1s", "do", "const", "unp", "res0"]
RIGHTS = ["none", "rw", "ro", "user-valid", "secure", "secure-lock"]
WORDS = ["enable", "divide", "export", "user", "suiden", "suniden"]
DOS = ["reset.cycle", "reset.events"]
ARRAYS = {"counter": "COUNTER", "event": "TYPE", "type": "TYPE", "cnten": "CNTEN", "overflow": "OVERFLOW",
          "inten": "INTEN", "fiqen": "FIQEN"}
FEATURES = ["fiq", "trustzone"]
ERRATA = ["flag-loss", "evt1-overcount", "evt5-all"]
PRODUCED = ["exact", "modelled", "injected", "none"]
LINE_RULES = ["plain", "latched"]
PERMIT_RULES = ["always", "halt", "secure"]


def one_of(line, word, known, what):
    if word not in known:
        line.bad(f"unknown {what} '{word}'; known: {' '.join(known)}")
    return known.index(word)


def read_signals(root):
    out = []
    for line in lines(root / "signals.sig"):
        if line.words[0] != "signal" or len(line.words) != 5:
            line.bad('expected: signal NAME UNIT STEP "text"')
        _, name, unit, step, text = line.words
        if any(s["name"] == name for s in out):
            line.bad(f"signal {name} stands twice")
        out.append(dict(name=name, unit=unit, step=number(line, step), text=text))
    return out


def read_sources(root):
    return {line.split()[0] for line in (root / "sources.txt").read_text().splitlines()
            if line.strip() and not line.startswith("#")}


def place(line, word):
    """A place word to (kind, index, lsb) as C expressions."""
    if word in WORDS:
        return "APMU_PLACE_WORD", f"APMU_WORD_{word.upper()}", 0
    if word in DOS:
        return "APMU_PLACE_DO", "APMU_DO_" + word.upper().replace(".", "_"), 0
    m = re.fullmatch(r"([a-z]+)\[(\w+)\](?:\.(\d+))?", word)
    if not m or m[1] not in ARRAYS:
        line.bad(f"unknown place '{word}'")
    index = {"c": "APMU_CYCLE_COUNTER", "n": "APMU_EACH"}.get(m[2], m[2])
    return f"APMU_PLACE_{ARRAYS[m[1]]}", index, int(m[3] or 0)


def condition(line, words):
    """Cuts `if FEATURE [else KIND]` off the end of words: (words, feature or None, kind)."""
    if "if" not in words:
        return words, None, "unp"
    at = words.index("if")
    tail = words[at + 1:]
    one_of(line, tail[0], FEATURES, "feature")
    if len(tail) == 1:
        return words[:at], tail[0], "unp"
    if len(tail) != 3 or tail[1] != "else":
        line.bad("expected: if FEATURE [else KIND]")
    one_of(line, tail[2], KINDS, "kind")
    return words[:at], tail[0], tail[2]


def read_field(line):
    words, feature, kind_else = condition(line, line.words)
    if words[0] in ("unp", "res0"):
        hi, lo = bits(line, words[1])
        return dict(line=line, hi=hi, lo=lo, name="-", aka=None, kind=words[0], text=None, feature=None,
                    kind_else=words[0], place=("APMU_PLACE_NONE", "0", 0), constant=0)
    if words[0] == "field":
        return read_bound_field(line, words, feature, kind_else)
    if len(words) != 5:
        line.bad('expected: const BITS NAME VALUE "text"')
    hi, lo = bits(line, words[1])
    name, _, aka = words[2].partition("/")
    return dict(line=line, hi=hi, lo=lo, name=name, aka=aka or None, kind="const", text=words[4], feature=feature,
                kind_else=kind_else, place=("APMU_PLACE_NONE", "0", 0), constant=number(line, words[3]))


def read_bound_field(line, words, feature, kind_else):
    if len(words) != 6 or not isinstance(words[5], Text):
        line.bad('expected: field BITS NAME KIND PLACE "text"')
    hi, lo = bits(line, words[1])
    name, _, aka = words[2].partition("/")
    one_of(line, words[3], KINDS, "kind")
    return dict(line=line, hi=hi, lo=lo, name=name, aka=aka or None, kind=words[3], place=place(line, words[4]),
                text=words[5], feature=feature, kind_else=kind_else, constant=0)


def read_regs(path, sources):
    regs = []
    for line in lines(path):
        head = line.words[0]
        if head == "register":
            words, feature, _ = condition(line, line.words)
            name, _, aka = words[1].partition("/")
            regs.append(dict(line=line, name=name, aka=aka or None, title=words[2], feature=feature, at=[], rights=None,
                             src=None, fields=[], width=32))
        elif not regs:
            line.bad("expected: register NAME \"title\"")
        elif head == "view":
            regs[-1]["at"].append(read_view(line))
        elif head == "access":
            regs[-1]["rights"] = read_access(line)
        elif head == "src":
            regs[-1]["src"] = read_src(line, sources)
        elif head in ("field", "const", "unp", "res0"):
            regs[-1]["fields"].append(read_field(line))
        else:
            line.bad(f"unknown word '{head}'")
    for reg in regs:
        check_reg(reg)
    return regs


def read_view(line):
    if len(line.words) == 4 and line.words[1] == "cp":
        cp = number(line, line.words[2])
        opc1, crn, crm, opc2 = line.words[3].split(",")
        args = [cp, number(line, opc1), int(crn[1:]), int(crm[1:]), number(line, opc2)]
        return dict(line=line, view="APMU_VIEW_CP", key=args[0] << 16 | args[1] << 12 | args[2] << 8 | args[3] << 4 | args[4])
    line.bad(f"unknown view '{line.words[1]}'")


def read_access(line):
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
        want = field["lo"] - 1
    if want != -1:
        line.bad(f"{reg['name']}: bits {want}:0 have no field")


def read_events(path, signals, sources):
    table = dict(name=None, src=None, events=[], aliases=[])
    names = [s["name"] for s in signals]
    for line in lines(path):
        head = line.words[0]
        if head == "events":
            table["name"] = line.words[1]
        elif head == "src":
            table["src"] = read_src(line, sources)
        elif head == "event":
            table["events"].append(read_event(line, names))
        elif head in ("also", "alias"):
            table["aliases"].append(read_alias(line, head, table["events"]))
        else:
            line.bad(f"unknown word '{head}'")
    check_events(table)
    return table


def read_event(line, signals):
    words = list(line.words[1:])
    event = dict(line=line, number=number(line, words.pop(0)), name=words.pop(0), signals=[], step=1, bus=None,
                 erratum=None, extra=None, produced=None, texts=[])
    while words:
        word = words.pop(0)
        if isinstance(word, Text):
            event["texts"].append(word)
        elif word in ("=", "+"):
            one_of(line, words[0], signals, "signal")
            event["signals"].append(words.pop(0))
        elif word == "step":
            event["step"] = number(line, words.pop(0))
        elif word == "bus":
            event["bus"] = bits(line, words.pop(0))
        elif word == "erratum":
            event["erratum"] = one_of(line, words.pop(0), ERRATA, "erratum")
            words.pop(0)
            one_of(line, words[0], signals, "signal")
            event["extra"] = words.pop(0)
        else:
            event["produced"] = one_of(line, word, PRODUCED, "word")
    if event["produced"] is None or not 1 <= len(event["texts"]) <= 2:
        line.bad('expected: ... exact|modelled|injected|none "text" ["fine print"]')
    if not event["signals"]:
        event["step"] = 0
        if event["produced"] != PRODUCED.index("none"):
            line.bad("an event without a signal is `none`")
    if len(event["signals"]) > 4:
        line.bad("more than four signals")
    return event


def read_alias(line, head, events):
    names = {e["name"]: e["number"] for e in events}
    old, new = (line.words[2], line.words[1]) if head == "also" else line.words[1:3]
    if new == "@cycle":
        return dict(line=line, name=old, number=0, cycle=True)
    if new not in names:
        line.bad(f"no event {new}")
    return dict(line=line, name=old, number=names[new], cycle=False)


def check_events(table):
    numbers, names, bus = {}, {}, 0
    for event in table["events"]:
        if event["number"] in numbers:
            event["line"].bad(f"0x{event['number']:02X} stands twice")
        numbers[event["number"]] = True
        if event["bus"]:
            hi, lo = event["bus"]
            mask = ((1 << (hi - lo + 1)) - 1) << lo
            if bus & mask:
                event["line"].bad("bus bits overlap")
            bus |= mask
    for row in table["events"] + table["aliases"]:
        key = row["name"].upper().replace("-", "_")
        if key in names:
            row["line"].bad(f"name {row['name']} stands twice")
        names[key] = True
    table["events"].sort(key=lambda e: e["number"])


CORE_KEYS = {"alias", "family", "midr", "regs", "events", "counters", "holdoff", "line", "permit", "select", "features", "errata",
             "off-event", "qemu", "uarch", "src"}


def read_core(path, regs, events, sources):
    core = dict(alias=[], features=[], errata=[], holdoff=0, midr=(0, 0), uarch="", select=False)
    for line in lines(path):
        key, rest = line.words[0], line.words[1:]
        if key == "core":
            core.update(line=line, name=rest[0], title=rest[1])
        elif key not in CORE_KEYS:
            line.bad(f"unknown key '{key}'")
        elif key == "midr":
            core["midr"] = tuple(number(line, w) for w in rest[0].split("/"))
        elif key in ("counters", "holdoff", "off-event"):
            core[key] = number(line, rest[0])
        elif key == "line":
            core["line_rule"] = one_of(line, rest[0], LINE_RULES, "rule")
        elif key == "permit":
            core["permit"] = one_of(line, rest[0], PERMIT_RULES, "rule")
        elif key == "select":
            core["select"] = one_of(line, rest[0], ["any", "off"], "rule") == 1
        elif key == "regs":
            one_of(line, rest[0], list(regs), "register file")
            core["regs"] = rest[0]
        elif key == "events":
            one_of(line, rest[0], list(events), "event table")
            core["events"] = rest[0]
        elif key == "src":
            core["src"] = read_src(line, sources)
        elif key in ("alias", "features", "errata"):
            core[key] = rest
            for word in rest if key != "alias" else []:
                one_of(line, word.partition("=")[0], FEATURES if key == "features" else ERRATA, key)
        else:
            core[key] = rest[0]
    for key in ("name", "family", "regs", "events", "counters", "line_rule", "permit", "off-event", "qemu", "src"):
        if key not in core:
            raise Bad(f"{path}: no {key}")
    return core


def read_all(root):
    """The whole description as one dict."""
    sources = read_sources(root)
    signals = read_signals(root)
    regs = {p.stem: read_regs(p, sources) for p in sorted((root / "regs").glob("*.reg"))}
    events = {}
    for p in sorted((root / "events").glob("*.evt")):
        table = read_events(p, signals, sources)
        events[table["name"]] = table
    cores = [read_core(p, regs, events, sources) for p in sorted((root / "cores").glob("*.core"))]
    check_core_names(cores)
    return dict(signals=signals, regs=regs, events=events, cores=cores)


def check_core_names(cores):
    seen = {}
    for core in cores:
        for name in [core["name"]] + core["alias"]:
            if name in seen:
                core["line"].bad(f"{name} already names {seen[name]}")
            seen[name] = core["name"]
