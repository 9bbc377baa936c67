# SPDX-License-Identifier: MIT
"""Reads spec/groups/*.grp: metric formulas to postfix programs."""
import re

from spec_base import Text, lines

OPS = {"+": ("APMU_OP_ADD", 1), "-": ("APMU_OP_SUB", 1), "*": ("APMU_OP_MUL", 2), "/": ("APMU_OP_DIV", 2)}
LIMIT = 15  # steps before APMU_OP_END


def postfix(line, formula, numbers):
    """Converts a formula's words to postfix [(op, value)] by the shunting-yard algorithm."""
    out, stack = [], []
    for word in re.findall(r"[()+*/-]|[A-Z][A-Z0-9_]*|\d+|\S", formula):
        if word == "(":
            stack.append(word)
        elif word == ")":
            while stack and stack[-1] != "(":
                out.append((OPS[stack.pop()][0], 0))
            if not stack:
                line.bad("unmatched )")
            stack.pop()
        elif word in OPS:
            while stack and stack[-1] in OPS and OPS[stack[-1]][1] >= OPS[word][1]:
                out.append((OPS[stack.pop()][0], 0))
            stack.append(word)
        elif word.isdigit():
            out.append(("APMU_OP_NUMBER", int(word)))
        elif word == "CYCLES" and word not in numbers:
            out.append(("APMU_OP_EVENT", 0xFFFF))
        elif word in numbers:
            out.append(("APMU_OP_EVENT", numbers[word]))
        else:
            line.bad(f"no event {word}")
    while stack:
        out.append((OPS.get(stack.pop(), (None, 0))[0], 0))
    check(line, out)
    return out


def check(line, program):
    depth = 0
    for op, _ in program:
        if op is None:
            line.bad("unmatched (")
        depth += 1 if op in ("APMU_OP_EVENT", "APMU_OP_NUMBER") else -1
        if depth < 1:
            line.bad("an operator lacks an operand")
    if depth != 1 or len(program) > LIMIT:
        line.bad("not one value, or too long")


def tables_of(line, families, cores, events):
    """Event tables of the cores of these families, each once."""
    known = {core["family"] for core in cores}
    for family in families:
        if family not in known:
            line.bad(f"no family {family}")
    return list(dict.fromkeys(core["events"] for core in cores if core["family"] in families))


def read_groups(root, events, cores):
    """{event table: [metric]}"""
    out = {name: [] for name in events}
    for path in sorted((root / "groups").glob("*.grp")):
        group, tables, all_of = None, [], False
        for line in lines(path):
            if line.words[0] == "group":
                group, tables = (line.words[1], line.words[2]), []
            elif line.words[0] == "each":
                tables, all_of = tables_of(line, line.words[1:], cores, events), True
            elif line.words[0] == "for":
                tables, all_of = line.words[1:], False
                for table in tables:
                    if table not in events:
                        line.bad(f"no event table {table}")
            elif line.words[0] == "with":
                tables = [t for t in tables if set(line.words[1:]) <= have(events[t])]
            elif line.words[0] == "without":
                tables = [t for t in tables if not set(line.words[1:]) & have(events[t])]
            elif line.words[0] == "metric":
                add_metric(line, group, tables, events, out, all_of)
            else:
                line.bad(f"unknown word '{line.words[0]}'")
    return out


def have(table):
    """Names that a formula may use."""
    return {e["name"] for e in table["events"]} | {"CYCLES"}


def lacks(formula, table):
    """True if the formula uses an event that the table does not have."""
    return any(word not in have(table) for word in re.findall(r"[A-Z][A-Z0-9_]*", formula))


def add_metric(line, group, tables, events, out, all_of):
    name, unit, text, equals = line.words[1:5]
    if equals != "=" or not isinstance(text, Text) or group is None or not tables:
        line.bad('expected: metric NAME UNIT "text" = FORMULA, after group and for')
    formula = " ".join(line.words[5:])
    for table in tables:
        if all_of and lacks(formula, events[table]):
            continue
        if any(m["name"] == name for m in out[table]):
            line.bad(f"metric {name} stands twice for {table}")
        numbers = {e["name"]: e["number"] for e in events[table]["events"]}
        out[table].append(dict(group=group, name=name, unit=unit, text=text, formula=formula,
                               op=postfix(line, formula, numbers)))
