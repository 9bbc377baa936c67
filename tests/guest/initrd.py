#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""initrd.py INIT ARCHIVE [FILE|FOLDER]...: writes an initial file system ("newc") with /dev/console, /proc, /init, the files in /, and
the contents of the folders."""
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
    if os.path.isdir(path):
        for folder, folders, files in os.walk(path):
            folders.sort()
            inside = os.path.relpath(folder, path)
            if inside != ".":
                add(inside, 0o40755)
            for name in sorted(files):
                add(os.path.normpath(os.path.join(inside, name)), 0o100755, open(os.path.join(folder, name), "rb").read())
        continue
    add(os.path.basename(path), 0o100755, open(path, "rb").read())
add("TRAILER!!!", 0)
open(sys.argv[2], "wb").write(out)
