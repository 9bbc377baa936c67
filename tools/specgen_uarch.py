#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks spec/uarch/ and writes the parameter rows and the table of keys made from it.

usage: tools/specgen_uarch.py [--check] [ROOT]

--check writes nothing and exits with 1 if a generated file differs from what the description says.
A line of spec/uarch/NAME.uarch is `key = value "source"`; `uarch NAME "title"` begins the file, `like OTHER` takes over
the parameters of another. keys.txt says which keys there are. A source names documents by their keys in sources.txt, at
its beginning or after a comma or semicolon. Needed only by people who change spec/uarch.
"""
import re
import sys
from pathlib import Path

CLASSES = ["unknown", "alu", "mul", "mul-64", "mul-long", "mul-half", "mul-high", "div", "load", "store", "swap", "preload",
           "branch", "exception", "barrier", "system", "vfp", "vfp-mac", "vfp-div", "vfp-div-64", "simd", "nop"]
# Classes that a row need not give: by default they have the parameters of another class.
AS = {"mul-64": "mul", "vfp-mac": "vfp", "vfp-div-64": "vfp-div"}
# The words of each kind of parameter, in the order of the enums of include/apmu/uarch.h.
WORDS = {
    "replace": ["lru", "plru", "round-robin", "fifo", "random"],
    "write": ["back", "through"],
    "rule": ["line", "register"],
    "inclusion": ["neither", "inclusive", "exclusive"],
    "direction": ["btb", "static", "bimodal", "gshare", "local", "tage", "hybrid"],
    "pair": ["none", "elder", "younger", "both"],
    "kinds": ["none", "immed", "immed-link", "immed-x", "indirect", "indirect-link", "return", "load-pc"],
}
KINDS = ["int", "bool", "timing", *WORDS]
# Fields of a timing: the lowest bit, the largest value, and the units per cycle.
TIMING = {"result": (0, 1000, 1), "busy": (10, 12000, 12), "unit": (24, 11, 1), "late": (28, 60, 1), "slots": (34, 20, 1), "issue": (39, 60, 1),
          "early": (45, 60, 1), "vector": (51, 12, 1), "base": (58, 6, 1)}
HEAD = "/* SPDX-License-Identifier: MIT */\n/* Written by tools/specgen_uarch.py from spec/uarch; change it there. */\n"


class Bad(Exception):
    """An error in the description, with file and line."""


def bad(path, line, text):
    raise Bad(f"{path}:{line}: {text}")


def text_lines(path):
    for number, text in enumerate(path.read_text().splitlines(), 1):
        text = text.strip()
        if text and not text.startswith("#"):
            yield number, text


class Key:
    def __init__(self, name, member, kind, low, high, text):
        self.name, self.member, self.kind, self.low, self.high, self.text = name, member, kind, low, high, text
        self.default = None  # (value, source, path, line) of a row that does not give it


def read_keys(path, groups):
    keys = {}
    for number, text in text_lines(path):
        if text.startswith("needs "):
            continue
        m = re.fullmatch(r'(\S+)\s+(\w+)\s+(\d+)\s+(\d+)\s+"([^"]+)"(?:\s+=\s+(\S+)\s+"([^"]+)")?', text)
        if not m:
            bad(path, number, 'a key line is: key kind min max "meaning" [= value "source"]')
        name, kind, low, high, meaning = m.group(1), m.group(2), int(m.group(3)), int(m.group(4)), m.group(5)
        if kind not in KINDS:
            bad(path, number, f"unknown kind '{kind}'")
        if low > high:
            bad(path, number, f"range {low} to {high} is empty")
        for key in expand(name, kind, low, high, meaning) if kind != "timing" else timings(name, groups, meaning):
            if key.name in keys:
                bad(path, number, f"key '{key.name}' stands twice")
            if m.group(6):
                key.default = (value_of(path, number, key, m.group(6)), m.group(7), path, number)
            keys[key.name] = key
    return keys


class Group:
    def __init__(self, name, parent, wide, text, after=None, of_128_bits=False):
        self.name, self.parent, self.wide, self.text, self.after, self.of_128_bits = name, parent, wide, text, after, of_128_bits


def read_groups(path):
    """Instruction groups by name; the group for 128-bit vectors comes right after its 64-bit group."""
    groups = {}
    for number, text in text_lines(path):
        m = re.fullmatch(r'([\w-]+)\s+([\w-]+)\s+(?:(wide)\s+)?(?:after\s+([\w-]+)\s+)?"([^"]+)"', text)
        if not m:
            bad(path, number, 'a group is: name parent [wide] [after NAME] "instructions"')
        name, parent, wide, after, meaning = m.groups()
        if name in groups or name in CLASSES:
            bad(path, number, f"group '{name}' stands twice")
        groups[name] = Group(name, parent, bool(wide), meaning, after)
        if wide:
            groups[name + "-q"] = Group(name + "-q", name, False, meaning + ", 128 bits", of_128_bits=True)
    for group in groups.values():
        if group.parent not in groups and group.parent not in CLASSES:
            bad(path, 1, f"group '{group.name}' has no parent '{group.parent}'")
        if group.after and group.after not in groups:
            bad(path, 1, f"group '{group.name}' stands after '{group.after}', which is no group")
    if len(groups) + len(CLASSES) > 1023:
        bad(path, 1, "more groups than fit in ten bits")
    return groups


def groups_h(groups):
    out = [HEAD.replace("change it there", "change groups.txt there"),
           "#ifndef APMU_UARCH_GROUPS_H\n#define APMU_UARCH_GROUPS_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n/* clang-format off */\n",
           "/* Instructions that take the same time, beside the classes, which are the first numbers. */\n",
           f"enum apmu_group {{\n\tAPMU_GROUP_FIRST = {len(CLASSES)},\n\tAPMU_GROUP_BEFORE = APMU_GROUP_FIRST - 1,\n"]
    out += [f"\tAPMU_GROUP_{g.name.upper().replace('-', '_')}, /* {g.text} */\n" for g in groups.values()]
    return "".join([*out, "\tAPMU_GROUPS\n};\n/* clang-format on */\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"])


def read_needs(path, keys):
    """For each key that needs another: (key, the key that it needs, mask of that key's values with which it has an effect (bit 7: 7 and
    above), the values are words, the next row is an alternative condition)."""
    out = []
    for number, text in text_lines(path):
        if not text.startswith("needs "):
            continue
        head, _, stems = text[len("needs "):].partition(": ")
        conditions = [read_condition(path, number, c, keys) for c in head.split(" or ")]
        for stem in stems.split():
            names = [k for k in keys if k == stem or (stem.endswith(".*") and k.startswith(stem[:-1]))]
            if not names:
                bad(path, number, f"unknown key '{stem}'")
            for name in names:
                for i, (on, mask, words) in enumerate(conditions):
                    decides = on if not on.endswith(".*") else on[:-1] + name.partition(".")[2]  # of the same class
                    out.append((name, decides, mask, words, i + 1 < len(conditions)))
    return out


def read_condition(path, number, text, keys):
    m = re.fullmatch(r"(\S+)(?: = (\S+)| > ([1-6]))?", text)
    if not m:
        bad(path, number, "a need is: needs KEY [= 0 or word|word, > NUMBER] [or another]: KEY...")
    on, words, above = m.groups()
    key = keys.get(on) or next((k for name, k in keys.items() if on.endswith(".*") and name.startswith(on[:-1])), None)
    if not key:
        bad(path, number, f"unknown key '{on}'")
    values = [value_of(path, number, key, w) for w in words.split("|")] if words else range(int(above or 0) + 1, 8)
    if max(values) > 6 and words:
        bad(path, number, "a condition of a small number or of words")
    return on, sum(1 << v for v in values), (words or "").replace("|", " or ")


def timings(name, groups, meaning):
    stem = name[: -len(".*")]
    return [Key(f"{stem}.{g.name}", f"timing[APMU_GROUP_{g.name.upper().replace('-', '_')}]", "timing", 0, (1 << 61) - 1,
                f"{g.text}: {meaning}") for g in groups.values()]


def expand(name, kind, low, high, meaning):
    element = re.fullmatch(r"(\w+)\.(\d+)", name)
    if element:
        return [Key(name, f"{element.group(1)}[{element.group(2)}]", kind, low, high, meaning)]
    if not name.endswith(".*"):
        return [Key(name, name, kind, low, high, meaning)]
    stem = name[:-2]
    return [Key(f"{stem}.{c}", f"{stem}[APMU_CLASS_{c.upper().replace('-', '_')}]", kind, low, high,
                f"{c}: {meaning}") for c in CLASSES]


def word_value(path, line, kind, word):
    if word not in WORDS[kind]:
        bad(path, line, f"'{word}' is none of: {' '.join(WORDS[kind])}")
    return WORDS[kind].index(word)


def timing_value(path, line, word):
    """Parses result:4,busy:1.33,unit:6,late:3,slots:2, of which each may be left out; `parent`: all are left out."""
    value = 0
    for part in [] if word == "parent" else word.split(","):
        name, _, parameter = part.partition(":")
        if name not in TIMING or not re.fullmatch(r"\d+" if name != "busy" else r"\d+(\.\d{1,2})?", parameter):
            bad(path, line, f"'{part}' is none of {', '.join(name + (':N.NN' if name == 'busy' else ':N') for name in TIMING)}")
        low, most, per = TIMING[name]
        number = int((float(parameter) * per) + 0.5)
        if number > most:
            bad(path, line, f"{part} is more than {most // per}")
        value |= (number + 1) << low
    return value


def value_of(path, line, key, word):
    if key.kind == "kinds":
        names = [] if word == "none" else word.split("+")
        value = sum(1 << v for v in {word_value(path, line, "kinds", n) for n in names})
    elif key.kind == "timing":
        value = timing_value(path, line, word)
    elif key.kind in WORDS:
        value = word_value(path, line, key.kind, word)
    elif re.fullmatch(r"\d+|0x[0-9A-Fa-f]+", word):
        value = int(word, 0)
    else:
        bad(path, line, f"'{word}' is not a number")
    if not key.low <= value <= key.high:
        bad(path, line, f"{key.name} is {word}, which is not within {key.low} to {key.high}")
    return value


def read_documents(path):
    keys = set()
    for number, text in text_lines(path):
        key = text.split()[0]
        if key in keys:
            bad(path, number, f"'{key}' stands twice")
        keys.add(key)
    return keys


def check_source(path, number, source, documents):
    """Checks that words in capitals at the start of a clause are keys of documents, and that "calibrated" names a source."""
    named = [m.group(0) for clause in re.split(r"[,;]", source) for m in [re.match(r"\d*[A-Z][A-Z0-9]+\b", clause.strip())] if m]
    for key in named:
        if key not in documents:
            bad(path, number, f"unknown source '{key}': it is not in spec/sources.txt")
    if source.startswith("calibrated") and not named:
        bad(path, number, "calibrated on what? Name a source after a comma")


class Row:
    def __init__(self, path):
        self.path, self.name, self.title, self.like = path, None, None, None
        self.param = {}  # key -> (value, source, path, line)


def read_param(row, number, text, keys, documents):
    m = re.fullmatch(r'(\S+)\s*=\s*(\S+)\s+"([^"]*)"', text)
    if not m:
        bad(row.path, number, 'a parameter is: key = value "source"')
    name, word, source = m.groups()
    if name not in keys:
        bad(row.path, number, f"unknown key '{name}'")
    if name in row.param:
        bad(row.path, number, f"key '{name}' stands twice")
    if not source.strip():
        bad(row.path, number, f"{name} has no source")
    check_source(row.path, number, source, documents)
    row.param[name] = (value_of(row.path, number, keys[name], word), source, row.path, number)


def read_row(path, keys, documents):
    row = Row(path)
    for number, text in text_lines(path):
        head = re.fullmatch(r'uarch\s+(\S+)\s+"([^"]+)"', text)
        like = re.fullmatch(r"like\s+(\S+)", text)
        if head and row.name:
            bad(path, number, "a file holds one uarch")
        elif head:
            row.name, row.title = head.groups()
            if row.name != path.stem:
                bad(path, number, f"{row.name} must stand in {row.name}.uarch")
        elif not row.name:
            bad(path, number, 'the file must begin with: uarch NAME "title"')
        elif like and (row.like or row.param):
            bad(path, number, "`like` stands once, before the parameters")
        elif like:
            row.like = (like.group(1), number)
        else:
            read_param(row, number, text, keys, documents)
    if not row.name:
        bad(path, 1, "no uarch in this file")
    return row


def inherit(row, rows, chain=()):
    if not row.like:
        return
    name, line = row.like
    if name not in rows:
        bad(row.path, line, f"no uarch '{name}'")
    if name in chain or name == row.name:
        bad(row.path, line, f"{row.name} is like itself")
    inherit(rows[name], rows, (*chain, row.name))
    row.param = {**{k: taken_over(f, name) for k, f in rows[name].param.items()}, **row.param}


def taken_over(parameter, name):
    """A parameter taken from another row: its source names that row, because it is about that core."""
    value, source, path, line = parameter
    return (value, source if re.match(r"as [\w-]+: ", source) else f"as {name}: {source}", path, line)


def complete(row, keys):
    for name in keys:
        stem, _, cls = name.partition(".")
        if cls in AS and f"{stem}.{AS[cls]}" in row.param:
            row.param.setdefault(name, row.param[f"{stem}.{AS[cls]}"])
    for name, key in keys.items():
        if key.default:
            row.param.setdefault(name, key.default)


def is_power(n):
    return n > 0 and n & (n - 1) == 0


# The checks below are those of apmu_uarch_check(), which checks a user's settings; here they report file and line.
def check_shape(row, unit, entries, line_key):
    """Entries must be a multiple of ways, with a power of two of sets; tree-PLRU needs a power of two of ways."""
    value = {k: v[0] for k, v in row.param.items()}
    _, _, path, line = row.param[line_key]
    ways = value[f"{unit}.ways"]
    if entries and (entries % ways or not is_power(entries // ways)):
        bad(path, line, f"{unit}: {entries} entries in {ways} ways are not a power of two of sets")
    if value[f"{unit}.replace"] == WORDS["replace"].index("plru") and not is_power(ways):
        bad(path, line, f"{unit}: plru needs a power of two of ways, not {ways}")


def check_levels(row, value):
    above = max(value[f"{unit}.line"] for unit in ("l1i", "l1d"))
    for unit in ("l2", "l3"):
        if not value[f"{unit}.size"]:
            continue
        exclusive = value[f"{unit}.inclusion"] == WORDS["inclusion"].index("exclusive")
        if value[f"{unit}.line"] < above or (exclusive and value[f"{unit}.line"] != value["l1d.line"]):
            bad(*row.param[f"{unit}.line"][2:], f"{unit}: its line is shorter than one above it, or exclusive and "
                "not that of l1d")
        if not value[f"{unit}.latency"]:
            bad(*row.param[f"{unit}.size"][2:], f"{unit}: a cache without a latency ({unit}.latency)")
        above = value[f"{unit}.line"]


def check_within(row, value):
    """A pipe group within another must not have more pipes, and such groups must not form a ring."""
    for name in [k for k in value if k.startswith("within.") and value[k]]:
        inner, outer, steps = int(name.partition(".")[2]), value[name], 0
        while outer and steps < 12:
            if value[f"pipes.{inner}"] > value[f"pipes.{outer}"]:
                bad(*row.param[name][2:], f"{name}: more pipes than the group that they are some of")
            inner, outer, steps = outer, value[f"within.{outer}"], steps + 1
        if outer:
            bad(*row.param[name][2:], f"{name}: a ring of groups")


def check_row(row, keys):
    for name in keys:
        if name not in row.param:
            bad(row.path, 1, f"{row.name} lacks the key '{name}'")
    value = {k: v[0] for k, v in row.param.items()}
    check_within(row, value)
    for unit in ("l1i", "l1d", "mini", "l2", "l3"):
        _, _, path, line = row.param[f"{unit}.size"]
        if not is_power(value[f"{unit}.line"]):
            bad(path, line, f"{unit}: a line of {value[f'{unit}.line']} bytes is not a power of two")
        if value[f"{unit}.size"] % value[f"{unit}.line"]:
            bad(path, line, f"{unit}: {value[f'{unit}.size']} bytes are not whole lines")
        check_shape(row, unit, value[f"{unit}.size"] // value[f"{unit}.line"], f"{unit}.size")
    for unit in ("itlb", "dtlb", "tlb"):
        check_shape(row, unit, value[f"{unit}.entries"], f"{unit}.entries")
    pieces, ways = value["mop.entries"] // 8, value["mop.ways"]
    if value["mop.entries"] and (value["mop.entries"] % 8 or pieces % ways or not is_power(pieces // ways)):
        bad(*row.param["mop.entries"][2:], f"mop: {value['mop.entries']} entries are not 8 x {ways} ways x a power of two of sets")
    if value["mop.entries"] and value["mop.decode"] > value["width"]:
        bad(*row.param["mop.decode"][2:], "mop.decode: more than are dispatched (width)")
    powers = ("counters", "locals", "tage_entries")
    for name, free in (("page", False), ("btb", True), ("loops", True), ("targets", True), *((k, False) for k in powers)):
        if not (is_power(value[name]) or (free and value[name] == 0)):
            bad(*row.param[name][2:], f"{name}: {value[name]} is not a power of two")
    ahead = [value[f"{level}_taken"] for level in ("nano", "micro") if value[f"{level}_btb"]] + [value["taken"]]
    if value["nano_btb"] and ahead != sorted(ahead):
        bad(*row.param["nano_btb"][2:], "nano_btb: a level nearer than another costs more")
    check_levels(row, value)
    if value["fetch_bytes"] and not (is_power(value["fetch_bytes"]) and value["fetch_bytes"] <= value["l1i.line"]):
        bad(*row.param["fetch_bytes"][2:], "fetch_bytes: not a power of two up to l1i.line")
    if value["shared"] == 1:
        bad(*row.param["shared"][2:], "shared: the first level is each thread's own")
    if value["folding"] and value["rob"]:
        bad(*row.param["folding"][2:], "folding: only in order")
    if value["mini.size"] and value["mini.line"] != value["l1d.line"]:
        bad(*row.param["mini.line"][2:], "mini: its line must be that of l1d")
    if 255 > value["stall_on_mispredict"] > min(value[k] for k in ("mispredict", "return_wrong", "indirect", "load_pc")):
        bad(*row.param["stall_on_mispredict"][2:], "stall_on_mispredict: more than a flush costs")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def keys_c(keys):
    out = [HEAD, f"#define KEYS {len(keys)}\n"]
    for kind, words in WORDS.items():
        out.append(f"static const char *const words_{kind}[] = {{{', '.join(map(quoted, words))}, NULL}};\n")
    out.append("static const struct key keys[KEYS] = {\n")
    for k in keys.values():
        out.append(f"\tKEY({quoted(k.name)}, {k.member}, KIND_{k.kind.upper()}, {k.low}U, {k.high}U,\n"
                   f"\t    {quoted(k.text)}),\n")
    out.append("};\n")
    for k in keys.values():
        out.append(f"FITS({k.member}, {k.high}U);\n")
    return "".join(out)


def needs_c(needs):
    rows = [f"\t{{{quoted(key)}, {quoted(on)}, 0x{mask:02X}, {int(more)}, {quoted(words)}}},\n" for key, on, mask, words, more in needs]
    return "".join([HEAD, "static const struct need needs[] = {\n", *rows, "};\n"])


def rows_c(rows, keys):
    out = [HEAD, "static const struct apmu_uarch_params rows[] = {\n"]
    for row in rows:
        out.append(f"\t{{\n\t\t.name = {quoted(row.name)},\n\t\t.title = {quoted(row.title)},\n")
        for name, key in keys.items():
            if row.param[name][0] or key.kind != "timing":
                out.append(f"\t\t.{key.member} = {row.param[name][0]}U,\n")
        out.append("\t},\n")
    out.append("};\nstatic const char *const sources[][KEYS] = {\n")
    for row in rows:
        out.append("\t{\n" + "".join(f"\t\t[{i}] = {quoted(row.param[name][1])},\n" for i, (name, key) in enumerate(keys.items())
                                   if row.param[name][0] or key.kind != "timing") + "\t},\n")
    out.append("};\n")
    return "".join(out)


def generate(root):
    folder = root / "spec" / "uarch"
    groups = read_groups(folder / "groups.txt")
    keys = read_keys(folder / "keys.txt", groups)
    needs = read_needs(folder / "keys.txt", keys)
    documents = read_documents(root / "spec" / "sources.txt")
    rows = {p.stem: read_row(p, keys, documents) for p in sorted(folder.glob("*.uarch"))}
    for row in rows.values():
        inherit(row, rows)
    for row in rows.values():
        complete(row, keys)
        check_row(row, keys)
    gen = root / "src" / "uarch" / "gen"
    parents = [HEAD.replace("change it there", "change groups.txt there"), "static const uint16_t parent[APMU_GROUPS] = {\n"]
    parents += [f"\t[APMU_GROUP_{g.name.upper().replace('-', '_')}] = "
                f"{'APMU_CLASS' if g.parent in CLASSES else 'APMU_GROUP'}_{g.parent.upper().replace('-', '_')},\n" for g in groups.values()]
    parents += ["};\n", "static const bool wide[APMU_GROUPS] = { /* of 128-bit vectors: the next group to its parent */\n"]
    parents += [f"\t[APMU_GROUP_{g.name.upper().replace('-', '_')}] = true,\n" for g in groups.values() if g.of_128_bits]
    parents += ["};\n", "static const uint16_t after[APMU_GROUPS] = { /* the group whose results it takes late; 0: any that takes one late too */\n"]
    parents += [f"\t[APMU_GROUP_{g.name.upper().replace('-', '_')}] = APMU_GROUP_{g.after.upper().replace('-', '_')},\n" for g in groups.values() if g.after]
    return {gen / "groups.inc": "".join([*parents, "};\n"]), root / "include" / "apmu" / "uarch_groups.h": groups_h(groups), gen / "keys.inc": keys_c(keys), gen / "needs.inc": needs_c(needs), gen / "presets.inc": rows_c(list(rows.values()), keys)}


def main(args):
    check = "--check" in args
    names = [a for a in args if a != "--check"]
    try:
        files = generate(Path(names[0]) if names else Path(__file__).resolve().parent.parent)
    except (Bad, OSError) as e:
        print(f"specgen_uarch: {e}", file=sys.stderr)
        return 1
    stale = [p for p, text in files.items() if not p.exists() or p.read_text() != text]
    if check:
        for p in stale:
            print(f"specgen_uarch: {p} is not what the description says; run tools/specgen_uarch.py", file=sys.stderr)
        return 1 if stale else 0
    for p in stale:
        p.parent.mkdir(parents=True, exist_ok=True)
        p.write_text(files[p])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
