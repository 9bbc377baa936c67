#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# TAB completion in bash and zsh as a user sees it: types keys into an interactive shell on a terminal and checks the resulting line.
# (manual.sh checks what each completion function offers.)
. "$(dirname "$0")/../lib.sh"
mkdir bin && ln -s "$APMU" bin/apmu
cp "$SRC/completion/apmu.bash" "$SRC/completion/_apmu" .
: >program-here

cat >keys.py <<'PYTHON'
"""keys.py SHELL: for each line "TYPED => WANTED" of standard input, types it and a TAB into a shell of its own, and waits for WANTED."""
import os, pty, re, select, signal, sys, time

# The echo of this line must not look like the prompt that it sets.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], b"stty cols 200; . ./apmu.bash; PS1='REA''DY> '\n"),
    "zsh": (["zsh", "-f", "-i"], b"stty cols 200; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste; "
            b"unset zle_bracketed_paste; setopt nobeep nopromptsp nopromptcr; PS1='REA''DY> '\n"),
}
WORDS, SETUP = SHELLS[sys.argv[1]]
os.environ.update(PATH=os.getcwd() + "/bin:" + os.environ["PATH"], TERM="dumb", PS1="", HISTFILE="", COLUMNS="200")

def plain(raw):
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r|\x07", "", raw)
    while "\b" in text:
        text = re.sub(r"[^\x08]\x08|^\x08+", "", text)
    return text

def until(at, done, seconds):
    raw, end = "", time.monotonic() + seconds
    while not done(plain(raw)) and time.monotonic() < end:
        if select.select([at], [], [], 0.1)[0]:
            raw += os.read(at, 4096).decode(errors="replace")
    return plain(raw)

def completed(typed, wanted):
    pid, at = pty.fork()
    if pid == 0:
        os.execvp(WORDS[0], WORDS)
    os.write(at, SETUP)
    until(at, lambda text: text.endswith("READY> "), 60)
    os.write(at, typed.encode() + b"\t")
    shown = lambda text: text.split("READY> ")[-1].rstrip(", ")  # zsh writes its prompt anew, and a comma that the next key may remove
    seen = shown(until(at, lambda text: shown(text) == wanted, 40))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(at)
    return seen

def tried(typed, wanted):
    """Three times: now and then zsh ends while its terminal is set up on a loaded machine (EIO)."""
    for _ in range(3):
        try:
            return completed(typed, wanted)
        except OSError as error:
            seen = str(error)
    return seen

bad = 0
for line in sys.stdin:
    typed, wanted = line.rstrip("\n").split(" => ")
    seen = tried(typed, wanted)
    if seen != wanted:
        print(f"'{typed}' becomes {seen!r}, not '{wanted}'")
        bad = 1
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
apmu record --core=arm1176 => apmu record --core=arm1176jzf-s
apmu report --sort function,ob => apmu report --sort function,object
apmu top-down --by func => apmu top-down --by function
apmu stat -c co => apmu stat -c cortex-
END
timeout 400 python3 keys.py bash <lines >said 2>&1 || fail "bash: $(cat said)"
timeout 400 python3 keys.py zsh <lines >said 2>&1 || fail "zsh: $(cat said)"
# The test sees a completion that does not work.
: >apmu.bash
: >_apmu
for shell in bash zsh; do
	! timeout 100 python3 <(sed 's/wanted, 40)/wanted, 3)/' keys.py) $shell <<<'apmu export callg => apmu export callgrind' >/dev/null 2>&1 ||
		fail "$shell completes without a completion"
done
verdict
