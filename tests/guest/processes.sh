# SPDX-License-Identifier: MIT
# Threads count apart, children of fork from zero, and only if asked for; exit status and signals pass through.
. "$SRC/tests/guest/lib.sh"
arm fork
arm thread
arm cat
arm wait
arm kill15 die -DSIGNAL=15
arm kill9 die -DSIGNAL=9

# fork.S: the parent 4 + 6 + 3; the child starts at the instruction after fork: 2 + 1 + 10000 + 3
for way in "-s INST" ""; do
	count $way "$work/fork"
	want 'r["exit"]' 4
	want '[m["INST"] for m in last]' '[13]'
	count -f $way "$work/fork"
	want 'sorted(m["INST"] for m in last)' '[13, 10006]'
	want 'len({m["pid"] for m in last})' 2

	# thread.S: the first 9 + 3; the second 2 + 1 + 6000 + 3
	count $way "$work/thread"
	want 'r["exit"]' 5
	want 'sorted(m["INST"] for m in last)' '[12, 6006]'
	want 'len({m["pid"] for m in last})' 1
	want 'len({m["tid"] for m in last})' 2

	# die.S: 1 + 4000 + 5
	for signal in 15 9; do
		count $way "$work/kill$signal"
		want 'r["signal"]' $signal
		want 'r["exit"]' $((128 + signal))
		want 't["INST"]' 4006
	done
done

# Marks too are the parent's alone, or each its own.
count -i INST:1000 "$work/fork"
want 'len(r["marks"])' 1
count -f -i INST:1000 "$work/fork"
want 'len(r["marks"])' 12
want 'len({m["pid"] for m in r["marks"]})' 2

# cat.S on 11 bytes: 1 + 12 * 7 + 11 * 5 + 3; its input and output are ours
printf 'hello world' | count "$work/cat"
want 'r["exit"]' 11
want 't["INST"]' 143
[ "$(cat "$work/stdout")" = "hello world" ] || fail "output is $(cat "$work/stdout")"

# A signal sent to us is sent on. Not before the program says that it is there: what cat.S left must not speak for it.
: >"$work/stdout"
"$tool" -p "$BUILD/apmu-tcg.so" "$work/wait" 3>"$work/out" >"$work/stdout" &
for _ in $(seq 200); do
	[ -s "$work/stdout" ] && break
	sleep 0.05
done
kill -TERM $!
wait $!
want 'r["signal"]' 15

# Real threads: 8 workers of 100,000 instructions each and a few more, the same few in each.
arm-linux-gnueabi-gcc -O1 -static -pthread "$SRC/tests/guest/src/threads.c" -o "$work/threads" || exit 1
for way in "-s INST" ""; do
	count $way "$work/threads"
	want 'r["exit"]' 0
	want 'len(last)' 9
	want 'len([m for m in last if 100000 <= m["INST"] < 102000])' 8
	want 'r["lost"]' 0
done
finish
