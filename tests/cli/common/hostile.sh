#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Malicious programs. Names with bytes that are not UTF-8, terminal controls, bidirectional control characters, spreadsheet formulas:
# every export is valid UTF-8, and neither a terminal nor an export gets such a character.
. "$(dirname "$0")/../lib.sh"

cat >names.c <<'END'
#define SPIN(name) __attribute__((noinline)) void name(void) { for (volatile int i = 0; i < 400; i++) ; }
SPIN(name_0) SPIN(name_1) SPIN(name_2) SPIN(name_3) SPIN(name_4) SPIN(name_5) SPIN(name_6) SPIN(name_7) SPIN(name_8)
int main(void) { name_0(); name_1(); name_2(); name_3(); name_4(); name_5(); name_6(); name_7(); name_8(); return 0; }
END
aarch64-linux-gnu-gcc -O1 -static names.c -o plain || fail "cannot build"
names=($'over\xe0\x80\x80long' $'half\xed\xa0\x80pair' $'high\xf7\xbf\xbf\xbf' $'csi\xc2\x9b31m' $'bidi\xe2\x80\xae.txt' $'esc\x1b[31m\r\x07'
	'=cmd|x!A0' '@sum' $'fine_\xc3\xa9')
redefine=()
for i in "${!names[@]}"; do redefine+=(--redefine-sym "name_$i=${names[i]}"); done
aarch64-linux-gnu-objcopy "${redefine[@]}" plain evil || fail "cannot rename"
apmu record -q -g --core cortex-a53 -e instructions -c 50 -o data -- ./evil
exits 0

# A function that is inlined: its name and its file's are in DWARF alone.
cat >inlined.c <<'END'
volatile int g;
static inline __attribute__((always_inline)) void word_of_dwarf(void) { for (int i = 0; i < 4000; i++) g += i; }
int main(void) { word_of_dwarf(); return 0; }
END
aarch64-linux-gnu-gcc -O1 -g -static inlined.c -o inlined || fail "cannot build"
sed -i -e 's/word_of_dwarf/word\x1b[31mwarf/g' -e 's/inlined\.c/inl\x1b[1m.c/g' inlined
apmu record -q -b -g --core cortex-a53 -e instructions -c 50 -o inlined.data -- ./inlined
exits 0
apmu record -q -b --core cortex-a53 -e instructions -c 5000 -o branches.data -- ./evil
exits 0

cat >look.py <<'END'
import sys, unicodedata
data = open(sys.argv[1], "rb").read()
text = data.decode()  # fails on what is no UTF-8
bad = {c for c in text if c not in "\n\t" and (unicodedata.category(c) == "Cc" or unicodedata.bidirectional(c) in
       {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"} or c in "\u2028\u2029\u200e\u200f\u061c")}
if bad:
    sys.exit(f"{sys.argv[1]}: has {bad!r}")
if len(sys.argv) > 2 and not any(word in text for word in sys.argv[2:]):
    sys.exit(f"{sys.argv[1]}: has none of {sys.argv[2:]}")
END
for format in folded callgrind trace csv json openmetrics html; do
	apmu export $format -i data -o exported.$format
	exits 0
	python3 look.py exported.$format $'fine_\xc3\xa9' 2>said || fail "export $format: $(<said)"
done
grep -q $'bidi?.txt' exported.folded || fail "folded: $(grep bidi exported.folded)"
grep -q 'bidi\\u202e.txt' exported.json || fail "JSON has the name no more: $(grep -o 'bidi[^"]*' exported.json | head -n 1)"

# Strings of pprof's protocol buffer have to be UTF-8: protoc refuses them else.
apmu export pprof -i data -o exported.pprof
strings -e S exported.pprof | grep -q $'\x1b\\[31m' && fail "pprof has an escape"
grep -qa $'\xe0\x80\x80' exported.pprof && fail "pprof has an overlong form"
grep -qa $'fine_\xc3\xa9' exported.pprof || fail "pprof lacks a good name"

# Spreadsheets: what would be computed is text, and still one cell.
python3 - <<'END' 2>said || fail "CSV: $(<said)"
import csv
names = {row["function"] for row in csv.DictReader(open("exported.csv"))}
assert "'=cmd|x!A0" in names and "'@sum" in names, names
assert not any(name[:1] in "=+-@" for name in names if name), names
END

# A terminal.
for command in "report -i data --no-children" "report -i data" "annotate -i data" "report -i data --sort function,object" \
	"annotate -i inlined.data" "annotate -i inlined.data -l" "report -i inlined.data --sort function,file,line" "report -i inlined.data -g" \
	"report -i branches.data --calls" "export bolt branches.data" "diff --markdown inlined.data data" "diff inlined.data data"; do
	apmu $command
	exits 0
	python3 look.py out 2>said || fail "$command: $(<said)"
done
apmu stat -c cortex-a53 -e instructions -- ./plain $'\xc2\x9b31m' $'\xe2\x80\xae' $'\xff'
python3 look.py err "?31m" 2>said || fail "stat: $(<said)"
apmu stat -c cortex-a53 -- ./$'\xc2\x9bmissing'
python3 look.py err "?missing" 2>said || fail "a message: $(<said)"

# Out of descriptors: that, and not the file, is what is wrong. What the test inherited is closed, so that the limit is apmu's.
for descriptor in {3..19}; do eval "exec $descriptor>&-"; done
(ulimit -n 4; "$APMU" stat -c cortex-a53 -- ./plain) >out 2>err && fail "stat with 4 descriptors ran"
(ulimit -n 5; "$APMU" stat -c cortex-a53,cortex-a72 -- ./plain) >out 2>err && fail "stat on two cores with 5 descriptors ran"
grep -q "the run on cortex-a53 cannot begin: Too many open files; 'ulimit -n' is the limit" err || fail "stat on two cores with 5 descriptors: $(<err)"
grep -q "Too many open files" err || fail "stat with 4 descriptors: $(<err)"
for n in 4 5; do
	(ulimit -n $n; "$APMU" report -i data) >out 2>err
	grep -q "Too many open files" err || fail "report with $n descriptors: $(<err)"
	! grep -q "not an ELF file" err || fail "report with $n descriptors: $(<err)"
done
# A run that cannot begin is an error of the command alone: the command's process group lives on.
for n in 6 9; do
	setsid -w bash -c "ulimit -n $n; '$APMU' stat -r 6 -J 4 -c cortex-a53 -- ./plain; exit 44" >out 2>err </dev/null
	code=$?
	[ $code = 44 ] || fail "stat -r with $n descriptors: the shell ended with $code: $(<err)"
	grep -q "Too many open files" err || fail "stat -r with $n descriptors: $(<err)"
done
(ulimit -n 64; "$APMU" stat -r 100 -J 300 -c cortex-a53 -e instructions -- ./plain) >out 2>err </dev/null || fail "100 runs with 64 descriptors: $(<err)"

# A limit of file sizes and a small stack end nothing without a word.
(ulimit -f 8; exec "$APMU" export html -i data -o page.html) >out 2>err
[ $? = 1 ] && grep -q "cannot write 'page.html': File too large" err || fail "export with a small ulimit -f: $(<err)"
(ulimit -s 64; exec "$APMU" stat -c cortex-a53,cortex-a72 -e instructions -- ./plain) >out 2>err < <(yes | head -c 100000) ||
	fail "parallel runs with a small stack: $(<err)"

# 65,534 segments of 128 MiB each, all in one place: refused before they are all made zero.
python3 - >many.elf <<'END'
import struct, sys
n, size = 65534, 128 << 20
head = b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, 0, 52, 0, 0x5000200, 52, 32, n, 0, 0, 0)
sys.stdout.buffer.write(head + struct.pack("<IIIIIIII", 1, 52, 0, 0, 0, size, 7, 4) * n)
END
refuses 1 "apmu run: many.elf: the file is damaged: its segments take more than twice the RAM" run -c arm1176jzf-s many.elf

verdict
