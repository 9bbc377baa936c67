# SPDX-License-Identifier: MIT
# A program that executes another: the other runs under QEMU and is counted, without help of the host's kernel; so are scripts, and what children execute, on request.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
arm count
arm execs32 execs
a64 a64
a64 execs
mkfifo -m 755 "$work/pipe"

count "$work/count"
alone=$(sed -n 's/.*"INST": \([0-9]*\).*/\1/p' "$work/out" | head -n 1)
[ -n "$alone" ] || fail "count alone: $(cat "$work/out")"
for way in "-s INST" ""; do
	count $way "$work/execs32" "$work/count"
	want 'r["exit"]' 7
	want 'sorted(m["INST"] for m in last)' "[5, $alone]"
	want 'len({m["pid"] for m in last})' 1
	count $way "$work/execs32" "$work/execs32" "$work/count"
	want 'sorted(m["INST"] for m in last)' "[5, 5, $alone]"
	(cd "$work" && count $way ./execs32 /proc/self/exe "$work/count") # the program's own file
	want 'sorted(m["INST"] for m in last)' "[5, 5, $alone]"
	count $way -c cortex-a53 "$work/execs" "$work/a64"
	want 'r["exit"]' 9
	want 'len(last)' 2

	# What cannot be executed: an absent file, a folder, a pipe, an empty name, a program of the other instruction set
	for bad in "$work/absent" "$work" "$work/pipe" "" "$work/a64"; do
		count $way "$work/execs32" "$bad"
		want 'r["exit"]' 9
		want '[m["INST"] for m in last]' '[8]'
	done
done

# As many words as Linux takes, and no more: 2 MiB with the pointers, 128 KiB each.
aarch64-linux-gnu-gcc -static -O1 "$SRC/tests/guest/src/execs_many.c" -o "$work/many" || exit 1
for case in "70000 1 70000" "208000 1 208000" "210000 1 E2BIG" "1000 131071 1000" "1000 131072 E2BIG" "12000 131071 12000" "15000 131071 E2BIG"; do
	read -r words length want <<<"$case"
	[ "$(ulimit -s 8192; "$apmu" stat -c cortex-a53 -e instructions -- "$work/many" "$words" "$length" 2>"$work/err")" = "$want" ] ||
		fail "$words words and variables of $length bytes: not $want: $(cat "$work/err")"
done

# stat: the sum, and its threads' times; below -L first, there by an absolute link too
sum() { "$apmu" stat -x, -e instructions "$@" 2>&1 >"$work/said" | sed -n 's/,.*//p' | head -n 1; }
mkdir -p "$work/root/odd, place"
cp "$work/count" "$work/root/odd, place/real"
ln -s "/odd, place/real" "$work/root/count"
[ "$(sum -L "$work/root" -- "$work/execs32" /count)" = $((alone + 5)) ] || fail "below -L"
[ "$(sum -L "$work/root" -- "$work/execs32" "$work/count")" = $((alone + 5)) ] || fail "beside -L"

# So is what the command names, by its path or by its name alone; the interpreter of a script too
[ "$(sum -L "$work/root" -- /count)" = "$alone" ] || fail "a path below -L"
[ "$(PATH=/nowhere:/:$PATH sum -L "$work/root" -- count)" = "$alone" ] || fail "a name below -L"
printf '#!/count\n' >"$work/root/script"
chmod +x "$work/root/script"
[ "$(PATH=/nowhere:/:$PATH sum -L "$work/root" -- script)" = "$alone" ] || fail "a script below -L"
printf '#!/bin/true\n' >"$work/root/script"
"$apmu" stat -L "$work/root" -- /script >"$work/said" 2>&1
[ $? = 1 ] && grep -q '^apmu stat: /script is run by /bin/true: a program for .*; -L DIR' "$work/said" || fail "interpreter: $(cat "$work/said")"

# A script that names no interpreter is for the shell below -L; without that, the host's is none of Arm's.
[ -e "$BUILD/guests/armel/bin/busybox" ] || "$SRC/tools/fetch-guests" "$BUILD/guests" >/dev/null || exit 1
mkdir -p "$work/shell/bin"
cp "$BUILD/guests/armel/bin/busybox" "$work/shell/bin/sh"
printf 'echo "$0:$1:$2"\nexec %s\n' "$work/count" >"$work/plain"
chmod +x "$work/plain"
ran=$(sum -L "$work/shell" -- "$work/plain" one "two three")
[ "$(cat "$work/said")" = "$work/plain:one:two three" ] || fail "a script without #!: $(cat "$work/said")"
[ "${ran:-0}" -gt $((alone + 10000)) ] || fail "a script without #!: $ran instructions"
"$apmu" stat -- "$work/plain" >"$work/said" 2>&1
[ $? = 1 ] && grep -q "^apmu stat: $work/plain is run by /bin/sh: a program for .*; -L DIR" "$work/said" || fail "the host's shell: $(cat "$work/said")"

# A script, its argument, and its interpreter's options; children too, unless -i says that they are not counted
box=$BUILD/guests/armel/bin/busybox
printf '#! %s sh\necho "$0:$1:$2"\nexec %s\n' "$box" "$work/count" >"$work/script"
chmod +x "$work/script"
ran=$(sum -- "$work/script" one "two three") # named on the command line
[ "$(cat "$work/said")" = "$work/script:one:two three" ] || fail "a script: $(cat "$work/said")"
[ "${ran:-0}" -gt $((alone + 10000)) ] || fail "a script: $ran instructions"
ran=$(sum -- "$work/execs32" "$work/script" one "two three")
[ "$(cat "$work/said")" = "$work/script:one:two three" ] || fail "script: $(cat "$work/said")"
[ "${ran:-0}" -gt $((alone + 10000)) ] || fail "script: $ran instructions"

# An interpreter that is a script, too: the outer one's words come last
printf '#!%s/script inner\n' "$work" >"$work/outer"
chmod +x "$work/outer"
for before in "" "$work/execs32"; do
	sum -- $before "$work/outer" one >"$work/count.txt"
	[ "$(cat "$work/said")" = "$work/script:inner:$work/outer" ] || fail "a script by a script, from '$before': $(cat "$work/said")"
	[ "$(cat "$work/count.txt")" -gt $((alone + 10000)) ] || fail "a script by a script, from '$before': $(cat "$work/count.txt")"
done
parent="'$work/count'; '$work/execs32' '$work/count'; echo \$?; exit 3"
without=$(sum -i -- "$box" sh -c "$parent")
[ "$(cat "$work/said")" = 7 ] || fail "child: $(cat "$work/said")"
with=$(sum -- "$box" sh -c "$parent")
[ $((with - without)) -ge $((2 * alone + 5)) ] && [ $((with - without)) -lt $((2 * alone + 40000)) ] ||
	fail "children: $without and $with instructions"

# A static program executes a dynamic one, whose libraries are Debian's cross libraries as they would be if it ran by itself
printf 'int main(int n, char **v) { (void)v; return 40 + n; }' | arm-linux-gnueabi-gcc -x c - -o "$work/dynamic" || exit 1
"$apmu" stat -e instructions -- "$box" sh -c "'$work/dynamic' 1 2; echo \$?" >"$work/said" 2>"$work/err"
[ "$(cat "$work/said")" = 43 ] || fail "dynamic: $(cat "$work/said" "$work/err")"

# A program of the host runs without being counted, which is said, unless its process is not counted anyway
for command in "stat -e instructions" "record -e instructions -o $work/data"; do
	"$apmu" $command -- "$box" sh -c '/bin/true; /bin/true; echo $?' >"$work/said" 2>"$work/err"
	[ "$(cat "$work/said")" = 0 ] && grep -q "not Arm's, were executed 2 times, and not counted; the first was /bin/true" "$work/err" ||
		fail "$command of a host's program: $(cat "$work/said" "$work/err")"
	"$apmu" $command -i -- "$box" sh -c '/bin/true; echo $?' >"$work/said" 2>"$work/err"
	! grep -q "not Arm's" "$work/err" || fail "$command -i of a host's program: $(cat "$work/err")"
done

# A recording has both programs, each with its own file and name, though they lie at the same addresses
cp "$work/execs32" "$work/execs, again"
rows() { sed -n 's/^ *[0-9.]*%  *//; T; s/   */  /g; s/\([0-9]\),\([0-9]\)/\1\2/g; s/^\([0-9]*\)\(  [0-9]*\)\?  /\1, /; s/  /, /g; p'; }
for way in "-e instructions -c 1" "-e instructions,cycles --exact" "-e instructions -c 1 -b -g"; do
	"$apmu" record -o "$work/data" --core cortex-a9 $way -- "$work/execs32" "$work/execs, again" "$work/count" >/dev/null 2>&1
	[ $? = 7 ] || fail "record $way: exit status"
	"$apmu" report -i "$work/data" -e instructions --sort object,thread --no-children 2>/dev/null | rows >"$work/rows"
	printf '%s\n' "$alone, count, 3 (count)" "5, execs, again, 2 (execs, again)" "5, execs32, 1" >"$work/right"
	cmp -s "$work/rows" "$work/right" || fail "record $way: $(cat "$work/rows")"
done

# What other threads had not written yet belongs to the program that executes
arm-linux-gnueabi-gcc -O1 -static -pthread "$SRC/tests/guest/src/exec_thread.c" -o "$work/thread" || exit 1
for way in "-e instructions -c 100000" "-e instructions --exact" "-e instructions -c 100000 -b"; do
	"$apmu" record -o "$work/data" --core cortex-a9 $way -- "$work/thread" "$work/count" >/dev/null 2>&1
	[ $? = 7 ] || fail "record $way of threads: exit status"
	"$apmu" report -i "$work/data" --sort object,function --no-children 2>/dev/null | rows >"$work/rows"
	grep -q 'thread, spin' "$work/rows" || fail "record $way of threads: $(cat "$work/rows")"
	! grep -q unknown "$work/rows" || fail "record $way of threads: $(cat "$work/rows")"
done

# No descriptor of ours reaches the program
"$apmu" stat -e instructions -- "$work/execs32" "$box" ls /proc/self/fd 2>/dev/null >"$work/fds"
"$apmu" stat -e instructions -- "$box" ls /proc/self/fd 2>/dev/null >"$work/own"
cmp -s "$work/own" "$work/fds" || fail "descriptors: $(tr '\n' ' ' <"$work/fds")"
finish
