#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The commands that README and testing.md show for a built tree do end well, on a program of one line.
. "$(dirname "$0")/lib.sh"
scratch

mkdir "$work/build"
ln -s "$BUILD"/apmu "$BUILD"/apmu-tcg.so "$work/build"
cp "$BUILD"/examples/firmware/{arm11,pmuv3}.elf "$work"
cd "$work"
echo '#include <stdio.h>
int main(int argc, char **argv) { return printf("%d %s\n", argc, argv[1]) < 0; }' >prog.c

commands=$(sed -nE 's/^    ((build\/apmu|arm-linux-gnueabi-gcc) .*)/\1/p' "$SRC/README.md")
[ "$(wc -l <<<"$commands")" -ge 5 ] || fail "README shows fewer commands than there were"
while IFS= read -r command; do
	bash -c "$command" >out 2>&1 </dev/null || { cat out; fail "$command"; }
	[ "${command%% *}" != build/apmu ] || [ -s out ] || fail "prints nothing: $command"
done <<<"$commands"

verdict
