#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Hints: if something is missing, or probably meant otherwise, the message says what would help.
. "$(dirname "$0")/../lib.sh"

# A missing library gives a hint; with -L the library is found and there is none.
mkdir -p root/lib
echo 'int f(void) { return 0; }' | aarch64-linux-gnu-gcc -shared -fPIC -x c - -o root/lib/libf.so || exit 1
echo 'int f(void); int main(void) { return f(); }' | aarch64-linux-gnu-gcc -x c - -o dynamic -Lroot/lib -lf || exit 1
apmu stat -c cortex-a53 -e instructions -- ./dynamic
exits 127
says "If its loader says above that a library is missing: -L DIR names the folder that has the program's /lib/ld-linux-aarch64.so.1."
cp -r /usr/aarch64-linux-gnu/lib/{ld-linux-aarch64.so.1,libc.so.6} root/lib
apmu stat -c cortex-a53 -e instructions -L root -- ./dynamic
exits 0
! grep -q -- '-L DIR' err || fail "$err"

# A program without names.
cat >sums.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { static int v[3000]; for (unsigned i = 0; i < 3000; i++) v[i] = (int)(i * 2654435761u >> 8); qsort(v, 3000, 4, cmp); return printf("%d\n", v[7]) < 0; }
END
aarch64-linux-gnu-gcc -O2 -static sums.c -o named && aarch64-linux-gnu-gcc -O2 -static -s sums.c -o nameless || exit 1
for program in named nameless; do
	apmu record --core cortex-a53 -q -o $program.data -- ./$program
	apmu report -i $program.data
	exits 0
	if [ $program = named ]; then [ -z "$err" ] || fail "$err"; else says "$work/nameless: functions without a name, shown by where they begin or, if that is not known, by each address; its -dbgsym package has their names"; fi
done

# Words for what has another name here; a list where one is wanted; a folder in PATH; bare metal's `run` and a Linux program.
refuses 2 "apmu export: unknown format 'svg': 'folded' is what flamegraph.pl makes an SVG of; 'html' has a flame graph" export svg
refuses 2 "apmu annotate: --core names 2 cores: this command takes one; 'apmu stat' and 'apmu record' take several" annotate --exact --core a53,a72 -- ./named
mkdir -p bin/folder
PATH=$work/bin:$PATH refuses 1 "apmu stat: folder: no such program in PATH" stat -c cortex-a53 -- folder
apmu run -c cortex-a53 -b virt ./named
says "apmu run: ./named is a Linux program, and this is bare metal: 'apmu stat' runs it, or 'apmu run --linux'"
verdict
