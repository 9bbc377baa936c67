#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a profile file from a description: a second writer of docs/profile-format.md, for tests that must know the
file's content.  profile.py OUT <<description, with lines of these forms:

    core NAME / program PATH / machine N / exit N / chains / data / exact / system / argv WORD...
    clock HZ
    event LABEL NAME NUMBER|cycles PERIOD [part=NAME,CYCLES]
    map START END OFFSET PATH [BUILD-ID]
    code START SIZE NAME [BYTES]     code that the program made, with its instructions in hexadecimal
    frame PC PARENT                  the next number of the thread in hand, from 1
    thread SERIAL TID [NAME] (SERIAL from 0) samples and frames that follow are its; starts a block
    sample PC INSTRUCTIONS [event=N] [weight=N] [chain=N] [data=ADDRESS,LATENCY,LEVEL] [times=N step=N]
    total SERIAL N...                occurrences of each event in a thread; instructions are those of its last sample
"""
import json
import struct
import sys

M = (1 << 64) - 1


def check(data):
    h = 0
    data += bytes(-len(data) % 8)
    for (word,) in struct.iter_unpack("<Q", data):
        h = ((h ^ word) * 0x9E3779B97F4A7C15) & M
        h ^= h >> 32
    return h


def block(kind, payload):
    head = struct.pack("<IIII", 0x4B4C4250, kind, len(payload), 0)
    whole = head + payload
    return head + struct.pack("<Q", check(whole)) + payload


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(delta):
    delta = (delta + (1 << 63)) % (1 << 64) - (1 << 63)
    return varint((delta << 1 ^ delta >> 63) & M)


class Block:
    """A block of samples of one thread."""

    def __init__(self, serial, tid, node):
        self.head = struct.pack("<iiII", 100, tid, serial, node)
        self.node = node
        self.last = dict(pc=0, instructions=0, cycles=0, address=0)
        self.chain = 0
        self.weight = {}
        self.out = bytearray()

    def delta(self, key, value):
        out = zigzag(value - self.last[key])
        self.last[key] = value
        return out

    def frame(self, pc, parent):
        self.node += 1
        self.out += b"\x01" + varint(parent) + varint(pc)

    def sample(self, pc, instructions, event=0, weight=1, chain=0, data=None):
        tag = min(event, 15) << 4
        body = varint(event) if event >= 15 else b""
        body += self.delta("pc", pc) + self.delta("instructions", instructions) + self.delta("cycles", instructions)
        if self.weight.get(event, 0) != weight:
            tag |= 2
            self.weight[event] = weight
            body += varint(weight)
        if chain != self.chain:
            tag |= 4
            self.chain = chain
            body += varint(chain)
        if data:
            tag |= 8
            address, latency, level = data
            body += self.delta("address", address) + varint(latency) + varint(level)
        self.out += bytes([tag]) + body


def options(words):
    out = {}
    for word in words:
        key, value = word.split("=")
        out[key] = tuple(int(v, 0) for v in value.split(",")) if key == "data" else int(value, 0)
    return out


def main():
    meta = dict(version="test", core="cortex-a53", program="/bin/none", machine=183, argv=["none"], events=[],
                chains=False, data=False, cycles=True, exact=False, system=False, skid=0)
    end = dict(exit=0, signal=0, lost=0, threads=[])
    body, made, nodes, tids, last, names = [], [], {}, {}, {}, {}
    now = None
    for line in sys.stdin:
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        key, rest = words[0], words[1:]
        if key in ("core", "program"):
            meta[key] = rest[0]
        elif key == "argv":
            meta["argv"] = rest
        elif key in ("machine", "clock"):
            meta[key] = int(rest[0])
        elif key in ("chains", "data", "exact", "system"):
            meta[key] = True
        elif key in ("exit", "signal", "lost"):
            end[key] = int(rest[0])
        elif key == "event":
            event = dict(label=rest[0], name=rest[1], period=int(rest[3]), frequency=0)
            if len(rest) > 4:
                name, scale = rest[4].removeprefix("part=").split(",")
                event.update(part=name, scale=int(scale), aside=True)
            event.update(dict(cycle_counter=True) if rest[2] == "cycles" else dict(number=int(rest[2], 0)))
            meta["events"].append(event)
        elif key == "map":
            build = bytes.fromhex(rest[4]) if len(rest) > 4 else b""
            body.append(block(2, struct.pack("<QQQiI32s", int(rest[0], 0), int(rest[1], 0), int(rest[2], 0), 100,
                                         len(build), build) + rest[3].encode()))
        elif key == "code":
            made.append(block(6, struct.pack("<QQiI", int(rest[0], 0), int(rest[1], 0), 100, 0) + rest[2].encode()))
            if len(rest) > 3:
                made.append(block(8, bytes.fromhex(rest[3])))
        elif key == "thread":
            if now:
                body.append(block(3, now.head + bytes(now.out)))
                nodes[serial] = now.node
            serial, tid = int(rest[0]), int(rest[1])
            tids[serial] = tid
            if len(rest) > 2:
                names[serial] = rest[2]
            now = Block(serial, tid, nodes.get(serial, 1))
        elif key == "frame":
            now.frame(int(rest[0], 0), int(rest[1]))
        elif key == "sample":
            more = options(rest[2:])
            times, step = more.pop("times", 1), more.pop("step", 0)
            for i in range(times):
                if len(now.out) > 1 << 20:  # a new block of the same thread
                    body.append(block(3, now.head + bytes(now.out)))
                    now = Block(serial, tids[serial], now.node)
                now.sample(int(rest[0], 0), int(rest[1], 0) + i * step, **more)
            last[serial] = int(rest[1], 0) + (times - 1) * step
        elif key == "total":
            end["threads"].append(dict(serial=int(rest[0]), pid=100, tid=tids[int(rest[0])], resyncs=0, name=names.get(int(rest[0]), ""),
                                       instructions=last.get(int(rest[0]), 0), cycles=last.get(int(rest[0]), 0),
                                       totals=[int(v) for v in rest[1:]]))
        else:
            sys.exit(f"profile.py: {line}")
    if now:
        body.append(block(3, now.head + bytes(now.out)))
    head = b"APMUPROF" + struct.pack("<II", 1, 0x01020304)
    with open(sys.argv[1], "wb") as file:
        file.write(head + struct.pack("<Q", check(head)))
        file.write(block(1, json.dumps(meta).encode()) + b"".join(body + made) + block(4, json.dumps(end).encode()))


main()
