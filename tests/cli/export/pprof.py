#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a pprof file's samples: the kinds of its values, then a line for each stack, outermost first, with their sums.
With --about: its period and comment, its mappings, the sum of each thread's first event, its addresses with the number of
their mapping, its functions with file and lines. Field numbers: profile.proto of google/pprof."""
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
def about():
    def word(message, number):
        return text[message.get(number, [0])[0]]

    def kind(message):
        return word(fields(message), 1) + "/" + word(fields(message), 2)

    threads, lines = {}, {}
    print("period", profile[12][0], kind(profile[11][0]), "default", text[profile[14][0]], "of", text[profile[13][0]])
    for m in map(fields, profile[3]):
        print("map", *[hex(m.get(n, [0])[0]) for n in (2, 3, 4)], word(m, 5), word(m, 6), *[m[n][0] for n in (7, 8, 9, 10)])
    for sample in map(fields, profile[2]):
        label = fields(sample[3][0])
        of = word(label, 1), label[3][0]
        threads[of] = threads.get(of, 0) + packed(sample[2][0])[1]
    for of in sorted(threads):
        print(*of, threads[of])
    for at in map(fields, profile[4]):
        for line in map(fields, at[4]):
            lines.setdefault(line[1][0], set()).add(line[2][0])
    print("at", *sorted(hex(at[3][0]) + ":" + str(at[2][0]) for at in map(fields, profile[4])))
    for f in sorted(map(fields, profile[5]), key=lambda f: word(f, 2)):
        print(word(f, 2), word(f, 3), word(f, 4), *sorted(lines[f[1][0]]))


if sys.argv[2:] == ["--about"]:
    about()
    sys.exit()
print(*[text[fields(kind)[1][0]] for kind in profile[1]])
sums = {}
for sample in map(fields, profile[2]):
    path = ";".join([name for at in packed(sample[1][0]) for name in location[at]][::-1])
    sums[path] = [a + b for a, b in zip(sums.get(path, [0] * len(profile[1])), packed(sample[2][0]))]
for path in sorted(sums):
    print(path, *sums[path])
