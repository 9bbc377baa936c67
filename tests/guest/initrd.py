#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""initrd.py INIT ARCHIVE [FILE]...: an initial file system ("newc") of /dev/console, /proc and /init, and of files in /."""
import os
import sys

out = bytearray()


def add(name, mode, data=b"", major=0, minor=0):
    words = (len(out) + 1, mode, 0, 0, 1, 0, len(data), 0, 0, major, minor, len(name) + 1, 0)
    out.extend(("070701" + "".join("%08X" % w for w in words) + name + "\0").encode())
    out.extend(b"\0" * (-len(out) % 4))
    out.extend(data)
    out.extend(b"\0" * (-len(out) % 4))


add("dev", 0o40755)
add("dev/console", 0o20600, b"", 5, 1)
add("proc", 0o40755)
add("init", 0o100755, open(sys.argv[1], "rb").read())
for path in sys.argv[3:]:
    add(os.path.basename(path), 0o100755, open(path, "rb").read())
add("TRAILER!!!", 0)
open(sys.argv[2], "wb").write(out)
