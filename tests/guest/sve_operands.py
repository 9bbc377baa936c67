#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the registers that SVE instructions read and write with what their text by binutils says.

usage: sve_operands.py WORDS OBJDUMP, two files: lines `word reads writes sets_flags` (in hexadecimal), and what `objdump -d -M no-aliases` prints of
the same words in the same order. What a text does not say is listed here, from DDI0487: which instructions add to their destination or keep a
part of it, which set the flags.
"""
import re
import sys

# Add to their destination, or keep the elements that a narrowing leaves. One that names its destination twice needs no line here.
KEEPS = re.compile(r"(ml[as]|mad|msb|fml[as]|fnml[as]|fn?mad|fn?msb|cmla|fcmla|sqrdcmlah|sqrdml[as]h|[su]ml[as]l[bt]|sqdml[as]l(b|t|bt)|[su]dot|usdot|sudot"
                   r"|cdot|bfdot|bfmlal[bt]|fml[as]l[bt]|[su]mmla|usmmla|bfmmla|fmmla|[su]aba(l[bt])?|[su]r?sra|s[rl]i|adcl[bt]|sbcl[bt]|eorbt|eortb|tbx"
                   r"|insr|[su]clamp|[su]qxtu?nt|[su]?q?r?shru?nt|fcvtx?nt|bfcvtnt|r?(add|sub)hnt|(sq|uq)?(inc|dec)[bhwdp])$")
FLAGS = re.compile(r"(cmp\w+|while\w+|ptest|ptrues|pfirst|pnext|rdffrs|n?match|cterm\w+|(and|bic|eor|orr|orn|nor|nand)s|brk\w*s)$")
REGISTER = re.compile(r"\b(?:([zvbhsdq])(\d+)|([xw])(\d+|zr)|(w?sp))\b(?!\s*/)")


def registers(text, mnemonic):
    """The set of registers in a text; lists and ranges of vectors in full."""
    out = 0
    for first, last in re.findall(r"{z(\d+)\.\w+-z(\d+)\.\w+}", text):
        n = (int(last) - int(first)) % 32
        for k in range(n + 1):
            out |= 1 << 32 + (int(first) + k) % 32
    for vector, v, general, g, sp in REGISTER.findall(text):
        if vector:
            out |= 1 << 32 + int(v)
        elif sp:
            out |= 1 << 31
        elif g != "zr":
            out |= 1 << int(g)
    return out


def operands(text):
    """The comma-separated operands; commas in brackets and braces do not separate."""
    return [o.strip() for o in re.split(r",(?![^\[{]*[\]}])", text)] if text else []


def access(mnemonic, text):
    """(reads, writes, sets flags) by the text."""
    ops = operands(text)
    flags = bool(FLAGS.match(mnemonic))
    every = registers(text, mnemonic)
    if mnemonic.startswith(("st", "prf")) or mnemonic.startswith(("cterm", "wrffr", "setffr")):
        return every, 0, flags
    to = registers(ops[0], mnemonic) if ops else 0
    reads = 0
    for o in ops[1:]:
        reads |= registers(o, mnemonic)
    if re.match(r"p\d", ops[0] if ops else "p0"):
        return reads, 0, flags
    merges = re.search(r"\bp\d+/m", text)
    if mnemonic.startswith("ld"):
        return reads, to, flags
    if merges or KEEPS.match(mnemonic):
        reads |= to
    return reads, to, flags


def main(args):
    words = [line.split() for line in open(args[0])]
    texts = re.findall(r"^\s+[0-9a-f]+:\s+([0-9a-f]{8})\s+(\S+)(?:[ \t]+([^\n/]*(?:/[mz][^\n/]*)*))?", open(args[1]).read(), re.M)
    assert len(words) == len(texts), (len(words), len(texts))
    bad = compared = 0
    seen = set()
    for (word, reads, writes, sets), (same, mnemonic, text) in zip(words, texts):
        assert word == same
        if mnemonic in (".inst", ".word"):
            continue
        compared += 1
        seen.add(mnemonic)
        want = access(mnemonic, text)
        got = int(reads, 16), int(writes, 16), sets == "1"
        if want != got:
            bad += 1
            if bad <= 40:
                print(f"{word} {mnemonic} {text}: {got[0]:x} {got[1]:x} {got[2]}, not {want[0]:x} {want[1]:x} {want[2]}")
    print(f"{compared} words, {len(seen)} mnemonics, {bad} differ")
    return bad > 0 or len(seen) < 400


sys.exit(main(sys.argv[1:]))
