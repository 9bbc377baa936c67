# SPDX-License-Identifier: MIT
# The counts of instructions.sh and memory.sh through the whole command: program, event sources, the PMU's registers, JSON.
# Events are given by number, since the numbers are the manuals'.
. "$SRC/tests/guest/lib.sh"
arm count
arm memory
arm branches
arm large stride -DSIZE=65536 -DROUNDS=3
arm kill15 die -DSIGNAL=15
arm cat

# stat STATUS CORE EVENTS PROGRAM: writes the object to $work/out for `want`; apmu must end with the program's status
stat() {
	"$APMU" stat -c "$2" -e "$3" -j -o "$work/out" -- "$work/$4" >"$work/stdout"
	[ $? = "$1" ] || fail "apmu stat $4 ended with another status than $1"
	want 'r["exit"]' "$1"
}

# value EVENT EXPECTED
value() {
	want "[c['value'] for c in r['counters'] if c['event'] == '$1']" "[$2]"
}

# instructions.sh and memory.sh explain the sums.
stat 7 arm1136jf-s 0x07,0x05,0x0d count
value 0x07 2260
value 0x05 1151
value 0x0d 1149
stat 7 xscale1 0x07,0x05,0x0d count # XScale's event 0x5 is B and BL alone
value 0x07 2260
value 0x05 1100
value 0x0d 1149
stat 0 arm1176jzf-s 0x0a,0x09 memory
value 0x0a 1101
value 0x09 1101
stat 0 xscale2 0x0a memory
value 0x0a 3101
stat 0 xscale1 0x0a,0x0b,0x0c large
value 0x0a 6147
value 0x0b 6147
value 0x0c 0
stat 0 arm1156t2-s 0x07,0x03,0x04,0x0f branches # no MMU, no such events
value 0x07 8504
value 0x03 0
value 0x04 0
value 0x0f 0

# Names, and the status of a program that a signal ended.
stat 143 arm1136jf-s instructions,branches kill15
value instructions 4006
value branches 2000

# The program's input and output are the command's own.
printf 'hello world' | stat 11 pxa270 instructions,branches cat
value instructions 143
[ "$(cat "$work/stdout")" = "hello world" ] || fail "output is $(cat "$work/stdout")"
finish
