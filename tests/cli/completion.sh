#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# TAB in bash as a person has it: an interactive shell on a terminal of its own, keys typed, the line that stands there then.
# (What each function offers, zsh's too: manual.sh.)
. "$(dirname "$0")/lib.sh"
mkdir bin && ln -s "$APMU" bin/apmu
cp "$SRC/completion/apmu.bash" .
: >program-here

cat >keys.py <<'PYTHON'
"""keys.py SHELL: for each line "TYPED => WANTED" of standard input, types it and a TAB, and waits for the line that is wanted."""
import os, pty, re, select, sys, time

shell = sys.argv[1]
start = {"bash": ["bash", "--norc", "--noprofile", "-i"]}[shell]
setup = {"bash": ". ./apmu.bash; PS1='READY> '\n"}[shell]
pid, at = pty.fork()
if pid == 0:
    os.environ.update(PATH=os.getcwd() + "/bin:" + os.environ["PATH"], TERM="dumb", PS1="", HISTFILE="", COLUMNS="200")
    os.execvp(start[0], start)

def plain(raw):
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r|\x07", "", raw)
    while "\b" in text:
        text = re.sub(r"[^\x08]\x08|^\x08+", "", text)
    return text

def until(done, seconds):
    raw, end = "", time.monotonic() + seconds
    while not done(plain(raw)) and time.monotonic() < end:
        if select.select([at], [], [], 0.1)[0]:
            raw += os.read(at, 4096).decode(errors="replace")
    return plain(raw)

ready = lambda text: text.endswith("READY> ")
os.write(at, b"stty cols 200\n" + setup.encode())
if not ready(until(ready, 60)):
    sys.exit(f"{shell}: no prompt")
bad = 0
for line in sys.stdin:
    typed, wanted = line.rstrip("\n").split(" => ")
    os.write(at, typed.encode() + b"\t")
    line_of = lambda text: text.split("READY> ")[-1].rstrip()
    seen = until(lambda text: line_of(text) == wanted, 40)
    if line_of(seen) != wanted:
        print(f"{shell}: '{typed}' becomes {seen!r}, not '{wanted}'")
        bad = 1
    os.write(at, b"\x03")
    until(ready, 60)
sys.exit(bad)
PYTHON
cat >lines <<'END'
apmu st => apmu stat
apmu top => apmu top-down
apmu stat -c cortex-a53 -e L1D_CACHE_REF => apmu stat -c cortex-a53 -e L1D_CACHE_REFILL
apmu stat --plo => apmu stat --plot
apmu diff --fail => apmu diff --fail-above
apmu export callg => apmu export callgrind
apmu list ev => apmu list events
apmu stat -c arm1176jzf-s -- ./program-h => apmu stat -c arm1176jzf-s -- ./program-here
apmu report --no-ch => apmu report --no-children
END
timeout 400 python3 keys.py bash <lines >said 2>&1 || fail "$(cat said)"
# The test sees a completion that does not work.
: >apmu.bash
! timeout 100 python3 <(sed 's/wanted, 40)/wanted, 3)/' keys.py) bash <<<'apmu export callg => apmu export callgrind' >/dev/null 2>&1 ||
	fail "completes without a completion"
verdict
