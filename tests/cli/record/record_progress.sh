#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a terminal record shows its progress and speed, and erases them at the end; in a pipe it shows nothing.
. "$(dirname "$0")/../lib.sh"

arm endless <<'END'
	.arch armv5t
	.global _start
_start:	b	_start
END

cat >watch.py <<'END'
import os, pty, re, select, signal, subprocess, sys, time

# Runs the command with standard error on a terminal; interrupts it when `pattern` has come, or after `most` seconds.
def run(command, pattern, most):
    master, slave = pty.openpty()
    p = subprocess.Popen(command, stderr=slave, stdout=subprocess.DEVNULL)
    os.close(slave)
    text, told, end = "", False, time.monotonic() + most
    while True:
        if not told and (re.search(pattern, text) or time.monotonic() > end):
            p.send_signal(signal.SIGTERM)
            told = True
        if select.select([master], [], [], 0.1)[0]:
            try:
                more = os.read(master, 4096)
            except OSError:  # the last writer has gone
                break
            if not more:
                break
            text += more.decode()
    return p.wait(), text

apmu = sys.argv[1]
line = r"\rapmu record: ([0-9]+) million instructions, ([0-9]+)[.][0-9]+ million per second, ([0-9]+) samples \x1b\[K"
command = [apmu, "record", "--core", "arm1136", "-e", "instructions", "-c", "1000000", "-o", "t.data", "./endless"]
code, text = run(command, line + ".*" + line, 60)
seen = [tuple(map(int, m)) for m in re.findall(line, text)]
bad = []
if code != 143:
    bad.append(f"exit status {code}")
if len(seen) < 2 or any(b[0] < a[0] or b[2] < a[2] for a, b in zip(seen, seen[1:])):
    bad.append(f"progress does not grow: {seen}")
# A sample each million instructions: the figures are of moments close together.
if any(abs(m - n) > max(200, m // 2) for m, _, n in seen) or seen and seen[-1][0] == 0:
    bad.append(f"millions and samples differ: {seen}")
rest = text[text.rindex("samples \x1b[K") + len("samples \x1b[K"):] if seen else text
if not re.fullmatch(r"\r\x1b\[Kapmu record: [0-9]+ samples in t\.data \([0-9.]+ [kM]B\)\r\n", rest):
    bad.append(f"the end is {rest!r}")
code, text = run(command[:2] + ["-q"] + command[2:], "(?!)", 2)
if code != 143 or text:
    bad.append(f"-q: exit status {code}, {text!r}")
for b in bad:
    print("FAIL:", b)
sys.exit(bool(bad))
END
python3 watch.py "$APMU" || failures=1

timeout -s TERM 2 "$APMU" record --core arm1136 -e instructions -c 1000000 -o p.data ./endless 2>err
grep -q 'million' err && fail "progress in a pipe: $(<err)"
grep -q 'samples in p.data' err || fail "no summary: $(<err)"
verdict
