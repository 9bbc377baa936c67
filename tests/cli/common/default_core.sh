#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Without --core a program runs on a core that fits it, chosen by its ELF machine and, for 32-bit Arm, by the architecture in its
# build attributes; the output names the core.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
unset APMU_CORE

echo 'int main(void) { return 0; }' >prog.c
build() { "$@" -static prog.c || fail "cannot build with $*"; }
build aarch64-linux-gnu-gcc -o a64
build arm-linux-gnueabi-gcc -o v5 -march=armv5te
build arm-linux-gnueabi-gcc -o v6 -march=armv6
build arm-linux-gnueabi-gcc -o v7 -march=armv7-a
build arm-linux-gnueabi-gcc -o v8 -march=armv8-a
cp v7 bare && arm-linux-gnueabi-objcopy -R .ARM.attributes bare

# Which core the description gives each kind of program.
row() { grep -lE "^default .*\b$1\b" "$SRC"/spec/cores/*.core | sed 's/.*\///; s/\.core$//'; }
a64=$(row a64) old=$(row a32=0) v7=$(row a32=10) v8=$(row a32=14)
[ -n "$a64" ] && [ -n "$old" ] && [ -n "$v7" ] && [ -n "$v8" ] || fail "no default cores in spec/cores"

for pair in "a64 $a64" "v5 $old" "v6 $old" "v7 $v7" "v8 $v8" "bare $old"; do
	read -r prog core <<<"$pair"
	apmu stat -e instructions -- "./$prog"
	exits 0
	says " Performance counter stats for './$prog' on $core (the default core), user space:"
done
[ "$(printf '%s\n' "$a64" "$old" "$v7" | sort -u | wc -l)" = 3 ] || fail "one core for all: $a64 $old $v7"
apmu stat --core "$a64" -e instructions -- ./a64
says "' on $a64, user space:"
apmu record -o a64.data -- ./a64
exits 0
says " samples on $a64 (the default core) in a64.data"
apmu report -i a64.data
prints "' on $a64"
apmu annotate --exact -- ./a64
exits 0
says "apmu annotate: counted on $a64 (the default core)"
apmu top-down -- ./a64
exits 0
says "./a64 on $a64 (the default core)"
apmu list cores
prints "default for AArch64"

# What cannot be read is nobody's default; running it says why.
refuses 1 "apmu stat: no-such: no such program in PATH" stat -- no-such
refuses 1 "apmu stat: ./prog.c: not an ELF program" stat -- ./prog.c

# Attributes are a file's, and may say anything.
python3 - <<'PYTHON'
import random, subprocess
random.seed(11)
row = next(l for l in subprocess.run(["readelf", "-SW", "v7"], capture_output=True, text=True).stdout.splitlines() if ".ARM.attributes" in l)
words = row[row.index("ARM_ATTRIBUTES"):].split()
at, size = int(words[2], 16), int(words[3], 16)
data = open("v7", "rb").read()
for i in range(40):
    broken = bytearray(data)
    for _ in range(random.choice((1, 2, size))):
        broken[at + random.randrange(size)] = random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)))
    open(f"broken-{i}", "wb").write(broken)
PYTHON
for file in broken-*; do
	chmod +x "$file"
	apmu stat -e instructions -- "./$file"
	exits 0
	[[ $err$out == *"(the default core)"* ]] || fail "$file: $err"
done

verdict
