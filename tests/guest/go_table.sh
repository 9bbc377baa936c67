#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names and lines of stripped Go programs, from the table that Go's own runtime reads: all layouts since Go 1.2, in 64 and 32 bits, and broken tables.
# (record_go_slow.sh compares those of programs that Go's compiler built.)
. "$(dirname "$0")/lib.sh"
tool=$BUILD/tests/guest/symbol_ask
cd "$work" || exit 1

# check NAME COMPILER FLAG...: one instruction before the code, its six, one behind
check() {
	local name=$1 cross=$2
	shift 2
	"$cross-gcc" -nostdlib "$@" "$SRC/tests/guest/src/symbols/go_table.S" -o "$name" || fail "cannot build $name"
	local code=0x$(nm "$name" | awk '$3 == "code" { print $1 }') i
	"$cross-strip" "$name"
	for i in -1 0 1 2 3 4 5 6; do printf '%x\n' $((code + 4 * i)); done >at
	"$tool" "$name" frames <at | awk '{ print $2, $3 }' | paste -sd '|' >got
	[ "$(cat got)" = "?? ??:0|main.one a.go:7|main.one a.go:9|main.(*T).two b.go:20|main.(*T).two b.go:20|main.(*T).two b.go:20|main.three[...] a.go:300|?? ??:0" ] || fail "$name: $(cat got)"
}

for layout in 2 16 18 20; do
	check "go64-$layout" aarch64-linux-gnu -static -DGO=$layout
	check "go32-$layout" arm-linux-gnueabi -static -DGO=$layout
done
# The start of a position-independent program's code is in a relocation.
check pie aarch64-linux-gnu -pie -DGO=18 -Wl,-z,notext
readelf -r pie | grep -q RELATIV || fail "no relocation to read"

# Functions that the symbol table names keep those names.
aarch64-linux-gnu-gcc -nostdlib -static -DGO=18 "$SRC/tests/guest/src/symbols/go_table.S" -o both || fail "cannot build both"
"$tool" both names >got
grep -q '^one ' got && ! grep -q '^main\.' got || fail "beside a symbol: $(cat got)"

# Each word of the table broken in turn: an answer, in time.
python3 - go64-2 go64-16 go64-18 go32-20 <<'PYTHON'
import struct, sys
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    magic = min(i for i in (data.find(struct.pack("<I", m)) for m in (0xFFFFFFFB, 0xFFFFFFFA, 0xFFFFFFF0, 0xFFFFFFF1)) if i > 0)
    for word in range(60):
        for value in (0x7FFFFFFF, 0xFFFFFFF0)[word % 2:][:1]:
            broken = bytearray(data)
            broken[magic + 4 * word:magic + 4 * word + 4] = struct.pack("<I", value)
            open(f"broken-{name}-{word}-{value:x}", "wb").write(broken)
PYTHON
for file in broken-*; do
	for question in names frames; do
		timeout 40 "$tool" "$file" $question <at >said 2>&1
		code=$?
		[ $code -le 1 ] || fail "$file, $question: exit $code"
	done
done
finish
