# SPDX-License-Identifier: MIT
"""Shared by all readers of the description: lines, words, and the keywords of the grammar."""
import difflib
import re
from pathlib import Path


class Bad(Exception):
    """An error in the description, with file and line."""


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
FEATURES = """fiq trustzone a64 el2 el3 el3-a64 aa32 aa32el1 aa32el3 p1 p4 p5 p7 p8 p9 th edge th2 sme icntr ss ssicntr ebep sebep
pmecr enpm2 mtpmu mtpmu-el2 mt hpmn0 sel2 sh rme rme-ext fgt fgt2 vhe ext ext32 ext64 extpmn spe12 dpfzs dp export filter
ceid debugv8p2 debugv8p4 pcsr""".split()
ERRATA = ["flag-loss", "evt1-overcount", "evt5-all", "lost-overflow"]
SIGNAL_KINDS = ["count", "beats", "time", "slots"]  # enum apmu_signal_kind
PRODUCED = ["exact", "modelled", "injected", "none"]
LINE_RULES = ["plain", "latched", "gated"]
PERMIT_RULES = ["always", "halt", "secure", "v7", "v8"]
ACCESS_RULES = ["plain", "v7", "v8"]
ENABLE_RULES = ["all", "each"]
HPMN0_RULES = ["full", "one", "none"]
ABSENT_RULES = ["undefined", "raz"]
CONSTANTS = ["imp", "idcode", "pmceid0", "pmceid1", "pmmir", "pmcfgr", "pmdevarch", "pmdevid", "part", "revision"]


def one_of(line, word, known, what):
    if word not in known:
        near = difflib.get_close_matches(word, known, 5, 0.5) if len(known) > 20 else known
        line.bad(f"unknown {what} '{word}'" + (f"; {'known' if near is known else 'near it'}: {' '.join(near)}" if near else ""))
    return known.index(word)
