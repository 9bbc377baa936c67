#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a pprof file's samples: the kinds of its values, then a line for each stack, outermost first, with their sums."""
import sys


def varint(b, i):
    value = shift = 0
    while True:
        value |= (b[i] & 127) << shift
        shift += 7
        i += 1
        if b[i - 1] < 128:
            return value, i


def fields(b):
    i, out = 0, {}
    while i < len(b):
        key, i = varint(b, i)
        if key & 7 == 0:
            value, i = varint(b, i)
        else:
            size, i = varint(b, i)
            value = b[i:i + size]
            i += size
        out.setdefault(key >> 3, []).append(value)
    return out


def packed(b):
    i, out = 0, []
    while i < len(b):
        value, i = varint(b, i)
        out.append(value)
    return out


profile = fields(open(sys.argv[1], "rb").read())
text = [word.decode() for word in profile[6]]
function = {f[1][0]: text[f[2][0]] for f in map(fields, profile[5])}
location = {at[1][0]: [function[fields(line)[1][0]] for line in at[4]] for at in map(fields, profile[4])}
print(*[text[fields(kind)[1][0]] for kind in profile[1]])
sums = {}
for sample in map(fields, profile[2]):
    path = ";".join([name for at in packed(sample[1][0]) for name in location[at]][::-1])
    sums[path] = [a + b for a, b in zip(sums.get(path, [0] * len(profile[1])), packed(sample[2][0]))]
for path in sorted(sums):
    print(path, *sums[path])
