# SPDX-License-Identifier: MIT
"""Reads the description (spec/) into plain rows, and refuses anything that the grammar page (spec/README.md) does not have."""
import re

from spec_base import (ABSENT_RULES, ACCESS_RULES, CONSTANTS, ENABLE_RULES, ERRATA, FEATURES, HPMN0_RULES, LINE_RULES,
                       PERMIT_RULES, PRODUCED, SIGNAL_KINDS, Bad, Text, bits, lines, number, one_of)
from spec_regs import read_regs, read_src


MARKS = ["per-cycle", "architectural"]  # lines `MARK NAME...` of signals.sig
MOSTS = ["insn", "block", "line"]  # columns of signals.sig: the largest increment per instruction, block, line


PARTS = ["unit", "detail"]  # rows of signals.sig: parts of src/uarch that a signal needs


def read_parts(root):
    out = []
    for line in lines(root / "signals.sig"):
        if line.words[0] not in PARTS:
            continue
        if len(line.words) < 3 or not isinstance(line.words[-1], Text):
            line.bad(f'expected: {line.words[0]} NAME [NAME...] "text"')
        kind, name, *needs, text = line.words
        for need in needs:
            one_of(line, need, [p["name"] for p in out], "unit or detail")
        if any(p["name"] == name for p in out):
            line.bad(f"{kind} {name} stands twice")
        out.append(dict(name=name, kind=kind, needs=needs, text=text))
    return out


def read_signals(root):
    out, parts = [], [p["name"] for p in read_parts(root)]
    for line in lines(root / "signals.sig"):
        if line.words[0] in PARTS:
            continue
        if line.words[0] in MARKS:
            for name in line.words[1:]:
                one_of(line, name, [s["name"] for s in out], "signal")
                next(s for s in out if s["name"] == name)[line.words[0]] = True
            continue
        if line.words[0] != "signal" or len(line.words) != 10:
            line.bad('expected: signal NAME UNIT KIND STEP INSN BLOCK LINE NEEDS "text"')
        _, name, unit, kind, step, *most, needs, text = line.words
        needs = [] if needs == "-" else needs.split(",")
        for need in needs:
            one_of(line, need, parts, "unit or detail")
        if any(s["name"] == name for s in out):
            line.bad(f"signal {name} stands twice")
        one_of(line, kind, SIGNAL_KINDS, "kind")
        out.append(dict(name=name, unit=unit, kind=kind, step=number(line, step), needs=needs, text=text, **dict.fromkeys(MARKS, False),
                        **{m: number(line, n) for m, n in zip(MOSTS, most)}))
    return out


def read_sources(root):
    return {line.split()[0] for line in (root / "sources.txt").read_text().splitlines()
            if line.strip() and not line.startswith("#")}


def read_reasons(root):
    out = []
    for line in lines(root / "reasons.txt"):
        if line.words[0] not in ("reason", "hidden") or len(line.words) != 3 or not isinstance(line.words[2], Text):
            line.bad('expected: reason WORD "sentence", or: hidden WORD "sentence"')
        if any(r["name"] == line.words[1] for r in out):
            line.bad(f"reason {line.words[1]} stands twice")
        out.append(dict(name=line.words[1], text=line.words[2], hidden=line.words[0] == "hidden"))
    return out


def read_models(root):
    """QEMU's CPU models: their names, and bytes of DC ZVA; "*", all others, is the last."""
    out = []
    for line in lines(root / "qemu.txt"):
        if len(line.words) != 5 or line.words[0] != "model" or line.words[2] != "zva" or not isinstance(line.words[4], Text):
            line.bad('expected: model NAME zva BYTES "source"')
        out.append(dict(name=line.words[1], zva=number(line, line.words[3])))
    if not out or out[-1]["name"] != "*":
        raise Bad("qemu.txt: the last model must be *")
    return out


def read_perf(root):
    """Each map of perf's generic names: rows of names and the numbers to try, "@cycle" among them."""
    maps, current = {}, None
    for line in lines(root / "perf.txt"):
        head, rest = line.words[0], line.words[1:]
        if head == "perf":
            current = maps.setdefault(rest[0], [])
        elif head == "like" and current is not None:
            one_of(line, rest[0], list(maps), "map")
            current += maps[rest[0]]
        elif head in ("name", "cache") and current is not None:
            meant = [w if w == "@cycle" else number(line, w) for w in rest if w == "@cycle" or w.startswith("0x")]
            if not meant or len(meant) == len(rest):
                line.bad(f"expected: {head} NAME... NUMBER...")
            current.append(dict(line=line, names=rest[:-len(meant)], meant=meant, cache=head == "cache"))
        else:
            line.bad('expected: perf MAP "driver", like MAP, or: name|cache NAME... NUMBER...')
    return maps


def add_perf(table, rows):
    """perf's names for events of the list: of each row's numbers, the first that the list has."""
    there = {e["number"] for e in table["events"]} | {"@cycle"}
    own = {e["name"].lower().replace("_", "-") for e in table["events"]}
    for row in sorted(rows, key=lambda row: row["cache"]):
        meant = next((m for m in row["meant"] if m in there), None)
        for name in [n for n in row["names"] if n.lower() not in own] if meant is not None else []:
            table["aliases"].append(dict(line=row["line"], name=name, number=0 if meant == "@cycle" else meant,
                                         cycle=meant == "@cycle", cache=row["cache"]))


def read_events(path, signals, reasons, sources, perf, known):
    table = dict(name=None, src=None, base=None, shared=False, events=[], aliases=[])
    generic = []
    for line in lines(path):
        head = line.words[0]
        if head == "events":
            table["name"] = line.words[1]
        elif head == "of":
            one_of(line, line.words[1], list(known), "event table")
            table["base"] = line.words[1]
        elif head == "like":
            one_of(line, line.words[1], list(known), "event table")
            other = known[line.words[1]]
            table["events"] += [dict(e, line=line) for e in other["events"]]
            table["aliases"] += [dict(a, line=line) for a in other["aliases"]]
        elif head == "rows":
            table["shared"] = one_of(line, line.words[1], ["own", "shared"], "word") == 1
        elif head == "std":
            add_standard(line, table, known)
        elif head == "src":
            table["src"] = read_src(line, sources)
        elif head == "event":
            if table["base"]:
                line.bad(f"a table of {table['base']} holds `std` alone: the event is a row of {table['base']}.evt, named here")
            table["events"].append(read_event(line, signals, [r["name"] for r in reasons]))
        elif head in ("also", "alias"):
            table["aliases"].append(read_alias(line, head, table["events"]))
        elif head == "perf":
            one_of(line, line.words[1], list(perf), "map of perf.txt")
            generic = perf[line.words[1]]
        else:
            line.bad(f"unknown word '{head}'")
    add_perf(table, generic)
    check_events(table)
    return table


def add_standard(line, table, known):
    """`std NUMBER/NAME ...`: rows of the base table; NUMBER/NAME/VARIANT where it has several."""
    rows = known[table["base"]]["by_key"]
    for word in line.words[1:]:
        value, _, name = word.partition("/")
        name, _, variant = name.partition("/")
        key = number(line, value), name, variant
        if key not in rows:
            line.bad(f"no event {word} in {table['base']}")
        table["events"].append(dict(rows[key], line=line))


def read_event(line, signals, reasons):
    words, names = list(line.words[1:]), [s["name"] for s in signals]
    event = dict(line=line, number=number(line, words.pop(0)), name=words.pop(0), signals=[], minus=[], step=1, bus=None,
                 erratum=None, extra=None, sync=False, produced=None, reason=None, variant="", texts=[])
    while words:
        word = words.pop(0)
        if isinstance(word, Text):
            event["texts"].append(word)
        elif word in ("=", "+"):
            one_of(line, words[0], names, "signal")
            event["signals"].append(words.pop(0))
        elif word == "-":
            one_of(line, words[0], names, "signal")
            event["minus"].append(words.pop(0))
        elif word == "step":
            event["step"] = number(line, words.pop(0))
        elif word == "variant":
            event["variant"] = words.pop(0)
        elif word == "sync":
            event["sync"] = True
        elif word == "bus":
            event["bus"] = bits(line, words.pop(0))
        elif word == "erratum":
            event["erratum"] = one_of(line, words.pop(0), ERRATA, "erratum")
            words.pop(0)
            one_of(line, words[0], names, "signal")
            event["extra"] = words.pop(0)
        elif word in reasons:
            event["reason"] = word
        else:
            event["produced"] = one_of(line, word, PRODUCED + reasons, "word")
    if event["produced"] is None or not 1 <= len(event["texts"]) <= 2:
        line.bad('expected: ... exact|modelled|injected|none [REASON] "text" ["fine print"]')
    if not event["signals"]:
        event["step"] = 0
        if event["produced"] not in (PRODUCED.index("none"), PRODUCED.index("exact")):
            line.bad("an event without a signal is `none`, or `exact` if the PMU itself makes it")
    if len(event["signals"] + event["minus"]) > 5:
        line.bad("more than five signals")
    if event["minus"] and (not event["signals"] or event["erratum"] is not None or event["bus"]):
        line.bad("a difference begins with a signal that is added, and has no erratum and no place on the bus")
    check_exact(line, event, signals)
    if any(s["unit"] == "-" for s in signals if s["name"] in event["signals"] + event["minus"]):
        event.update(signals=[], minus=[], step=0, produced=PRODUCED.index("none"), texts=event["texts"][:1])
    cyclic = {s["name"] for s in signals if s["per-cycle"]}
    event["per-cycle"] = bool(event["signals"]) and cyclic.issuperset(event["signals"])
    if event["produced"] == PRODUCED.index("injected") and not event["reason"]:
        line.bad("an injected event names the reason why no program causes it")
    return event


def check_exact(line, event, signals):
    """An event marked exact may only count architectural signals: counts that depend on a cache, a predictor or a pipeline differ from hardware's."""
    used = event["signals"] + event["minus"] + [event["extra"]]
    loose = [s["name"] for s in signals if s["name"] in used and not s["architectural"]]
    if event["produced"] == PRODUCED.index("exact") and loose:
        line.bad(f"an exact event counts architectural signals alone, and {loose[0]} is not one of them (signals.sig)")


def read_alias(line, head, events):
    names = {e["name"]: e["number"] for e in events}
    old, new = (line.words[2], line.words[1]) if head == "also" else line.words[1:3]
    if new == "@cycle":
        return dict(line=line, name=old, number=0, cycle=True)
    if new not in names:
        line.bad(f"no event {new}")
    return dict(line=line, name=old, number=names[new], cycle=False)


def check_events(table):
    """Checks that numbers and names are unique; a table of shared rows belongs to no single core, so a number may have several meanings there."""
    numbers, names, bus = {}, {}, 0
    table["by_key"] = {(e["number"], e["name"], e["variant"]): e for e in table["events"]}
    if table["shared"]:
        return
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
    for row in ([] if table["base"] else table["events"]) + table["aliases"]:
        key = row["name"].upper().replace("-", "_")
        if key in names:
            row["line"].bad(f"name {row['name']} stands twice")
        names[key] = True
    table["events"].sort(key=lambda e: e["number"])


# Keys of a core row: rules (one word of a list), numbers, lists, and plain words.
RULES = {"line": LINE_RULES, "permit": PERMIT_RULES, "access": ACCESS_RULES, "enable": ENABLE_RULES, "hpmn0": HPMN0_RULES,
         "absent": ABSENT_RULES, "select": ["any", "off"], "wfi": ["stops", "runs"]}
NUMBERS = ["counters", "holdoff", "off-event", "width", "cycle-width", "event-bits", "threshold-bits"] + CONSTANTS
LISTS = {"alias": None, "features": FEATURES, "errata": ERRATA, "regs": None, "unverified": None, "default": ["a64", "a32"]}
WORDS = ["family", "qemu32", "unicorn", "unicorn32", "uarch", "events"]
DEFAULTS = dict(alias=[], features=[], errata=[], unverified=[], default=[], holdoff=0, midr=(0, 0), uarch="", width=32, line="plain",
                access="plain", enable="all", hpmn0="full", absent="undefined", select="any", permit="always", wfi="stops", unicorn=None, unicorn32=None)
DEFAULTS.update({"cycle-width": 32, "event-bits": 8, "threshold-bits": 0})
NEEDED = ["name", "family", "regs", "events", "counters", "off-event", "qemu", "src"]


def read_width(folder, uarch):
    """Instructions issued or dispatched per cycle by a row of spec/uarch: the key `width`, which a row may have from another."""
    width = 1
    for line in lines(folder / f"{uarch}.uarch"):
        if line.words[0] == "like":
            width = read_width(folder, line.words[1])
        elif line.words[:2] == ["width", "="]:
            width = int(line.words[2])
    return width


def read_core(path, regs, events, sources):
    core = dict(DEFAULTS)
    for line in lines(path):
        key, rest = line.words[0], line.words[1:]
        if key == "core":
            core.update(at=line, name=rest[0], title=rest[1])
        elif key == "midr":
            value, _ = core["midr"] = tuple(number(line, w) for w in rest[0].split("/"))
            if not value >> 16 & 0xF:
                line.bad("MIDR as the core reads it: the architecture field is not 0")
        elif key == "src":
            core["src"] = read_src(line, sources)
        elif key in RULES:
            one_of(line, rest[0], RULES[key], "rule")
            core[key] = rest[0]
        elif key in NUMBERS:
            core[key] = number(line, rest[0])
        elif key in LISTS:
            core[key] = rest
            for word in rest if LISTS[key] else []:
                one_of(line, word.partition("=")[0], LISTS[key], key)
        elif key in WORDS:
            core[key] = rest[0]
        elif key == "qemu":
            core[key] = " ".join(rest)
        else:
            line.bad(f"unknown key '{key}'")
    for key in NEEDED:
        if key not in core:
            raise Bad(f"{path}: no {key}")
    if not core["unicorn"] and not core["unicorn32"]:
        raise Bad(f"{path}: neither unicorn nor unicorn32")
    for family in core["regs"]:
        one_of(core["at"], family, list(regs), "register file")
    one_of(core["at"], core["events"], list(events), "event table")
    derive(core, events[core["events"]])
    core["per_cycle"] = read_width(path.parent.parent / "uarch", core["uarch"])
    return core


# Features that other features imply.
DERIVED = [("dp", lambda f: "el3" in f or {"p1", "el2"} <= f or "p7" in f or "dpfzs" in f), ("sh", lambda f: {"el3", "sel2"} <= f),
           ("ssicntr", lambda f: {"ss", "icntr"} <= f), ("pmecr", lambda f: f & {"ebep", "ss"}),
           ("enpm2", lambda f: f & {"p9", "ebep", "ss"}), ("mtpmu-el2", lambda f: "mtpmu" in f and "el3" not in f),
           ("mt", lambda f: "mtpmu" in f), ("ext", lambda f: f & {"ext32", "ext64"}), ("rme-ext", lambda f: "rme" in f and f & {"ext32", "ext64"})]


def derive(core, table):
    """Adds the implied features, and the constants that follow from the event list and the features."""
    features = set(core["features"])
    for name, follows in DERIVED:
        if follows(features):
            features.add(name)
    core["all_features"] = [f for f in FEATURES if f in features]
    masks = [0, 0]
    for event in table["events"] if core["access"] != "plain" else []:
        n = event["number"]
        if n in (0x400D, 0x400F):
            continue  # trace inputs only (PMUV3SHEET 2.13)
        if n < 0x40 or 0x4000 <= n < 0x4040:
            high = 32 if n >= 0x4000 else 0
            masks[n >> 5 & 1] |= 1 << ((n & 31) + high)
    core.setdefault("pmceid0", masks[0])
    core.setdefault("pmceid1", masks[1])
    if features & {"ext32", "ext64"}:
        core.setdefault("pmdevarch", 0x47702A26 if "ext64" in features else 0x47702A16)
        core.setdefault("pmdevid", ("pcsr" in features) | ("ss" in features) << 4 | ("extpmn" in features) << 8)
        core.setdefault("pmcfgr", ("icntr" in features) << 28 | ("ss" in features) << 22 | ("p7" in features) << 21 |
                        ("export" in features) << 16 | ("aa32" in features) << 15 | 1 << 14 | 0x3F << 8)
    core.setdefault("pmmir", (("sme" in features) << 28 | (2 if "th2" in features else "edge" in features) << 24 |
                              core["threshold-bits"] << 20) if "p4" in features else 0)
    core.setdefault("qemu32", "max" if "a64" in features else core["qemu"])
    core.setdefault("part", core["midr"][0] >> 4 & 0xFFF)
    for name in CONSTANTS:
        core.setdefault(name, 0)


def read_regfiles(root, sources):
    out, known = {}, []
    for path in sorted((root / "regs").glob("*.reg")):
        out[path.stem] = read_regs(path, sources, known)
        known += out[path.stem]
    return out


def read_all(root):
    """The whole description as one dict."""
    sources = read_sources(root)
    signals = read_signals(root)
    reasons = read_reasons(root)
    regs = read_regfiles(root, sources)
    perf = read_perf(root)
    events = {}
    for p in sorted((root / "events").glob("*.evt"), key=lambda p: (p.stem != "armv8", p.stem)):
        table = read_events(p, signals, reasons, sources, perf, events)
        events[table["name"]] = table
    cores = [read_core(p, regs, events, sources) for p in sorted((root / "cores").glob("*.core"))]
    cores.sort(key=core_order)
    check_core_names(cores)
    check_defaults(cores)
    return dict(signals=signals, parts=read_parts(root), models=read_models(root), reasons=reasons, regs=regs, events=events, cores=cores)


FAMILIES = ["arm11", "xscale", "armv7", "pmuv3"]


def core_order(core):
    """Sort order: families by age, cores by name, with numbers compared as numbers."""
    if core["family"] not in FAMILIES:
        core["at"].bad(f"unknown family '{core['family']}'; known: {' '.join(FAMILIES)}")
    parts = [(int(p), "") if p.isdigit() else (0, p) for p in re.split(r"(\d+)", core["name"])]
    return FAMILIES.index(core["family"]), parts


def check_core_names(cores):
    seen = {}
    for core in sorted(cores, key=lambda core: core["name"]):
        for name in [core["name"]] + core["alias"]:
            if name in seen:
                core["at"].bad(f"{name} already names {seen[name]}")
            seen[name] = core["name"]


def check_defaults(cores):
    """Checks that each kind of program has at most one default core, and that A64 and the oldest A32 programs have one."""
    words = {}
    for core in cores:
        for word in core["default"]:
            if not re.fullmatch(r"a64|a32=\d+", word):
                core["at"].bad(f"default is a64 or a32=NUMBER, not {word}")
            if word in words:
                core["at"].bad(f"default {word} is already that of {words[word]}")
            words[word] = core["name"]
    for word in ("a64", "a32=0"):
        if word not in words:
            cores[0]["at"].bad(f"no core is the default {word}")
