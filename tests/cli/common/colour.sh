#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Colour only on a terminal, unless --color says otherwise; the text without colour is the same to the byte. NO_COLOR and dumb terminals get none.
. "$(dirname "$0")/../lib.sh"
build_loop
unset NO_COLOR
export TERM=xterm
esc=$'\033'
bare() { sed "s/$esc\[[0-9]*m//g"; }
stat=(stat -c arm1136 --set predict=0 -e cycles,branches,branch-misses,cache-misses,cycles)
apmu record -q --core arm1136 --cpi-stack -e cycles -g -o loop.data -- ./loop
apmu stat -j -o one.json -c arm1136 -e cycles,instructions -- ./loop
apmu stat -j -o two.json -c arm1136 --set predict=0 -e cycles,instructions -- ./loop
cat >shared.c <<'END'
#include <pthread.h>
static volatile int word[2];
static void *adds(void *at) { for (int i = 0; i < 1000000; i++) ++*(volatile int *)at; return 0; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, adds, (void *)&word[i]); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }
END
aarch64-linux-gnu-gcc -O1 -static -pthread shared.c -o shared || exit 1
apmu c2c record -q --core cortex-a53 -o lines.data -- ./shared
for command in "${stat[*]} -- ./loop" "report -i loop.data" "report -g -i loop.data" "report --cpi-stack -i loop.data" "top-down -c arm1136 --by function ./loop" \
	"annotate -i loop.data" "diff one.json two.json" "c2c -i lines.data"; do
	words=($command)
	"$APMU" $command >plain 2>&1
	"$APMU" "${words[0]}" --color=always "${words[@]:1}" >coloured 2>&1
	grep -q "$esc" plain && fail "$command: colour in a file: $(cat -v plain)"
	grep -q "$esc" coloured || fail "$command: no colour: $(cat coloured)"
	bare <coloured | cmp -s - plain || fail "$command: other words in colour: $(bare <coloured | diff - plain)"
	script -qec "$APMU $command" /dev/null >terminal </dev/null
	grep -q "$esc\[[0-9]" terminal || fail "$command: no colour on a terminal"
	for off in NO_COLOR=1 TERM=dumb; do
		env $off script -qec "$APMU $command" /dev/null >terminal </dev/null
		grep -q "$esc\[[0-9]*m" terminal && fail "$command: colour with $off: $(cat -v terminal)"
	done
	NO_COLOR=1 "$APMU" "${words[0]}" --color=always "${words[@]:1}" >coloured 2>&1
	grep -q "$esc" coloured || fail "$command: --color=always gives way to NO_COLOR"
done

# All taken branches wrong: red, from perf's 20 % on. Nothing counted: dim.
apmu stat --color=always "${stat[@]:1}" -- ./loop
grep -qE "$esc\[31mbranch-misses +# 100.00% of all branches$esc\[0m\$" err || fail "$said: $(cat -v err)"
apmu stat --color=always -c cortex-a7 -e SW_INCR,instructions -- ./loop
grep -qE "$esc\[2m +0$esc\[0m  SW_INCR" err || fail "$said: $(cat -v err)"
apmu stat --color=never "${stat[@]:1}" -o out.txt -- ./loop
apmu stat "${stat[@]:1}" --color=red -- ./loop
exits 2
says "--color 'red' is not auto, always or never"
verdict
