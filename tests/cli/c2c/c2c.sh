#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `apmu c2c` names the line with false sharing between three threads, with each side's function, thread, offset and source line; with
# padding there is none. perf's own c2c and mem read the recording, with HITM if another core had the line modified.
. "$(dirname "$0")/../lib.sh"
for padded in "" -DPADDED; do
	aarch64-linux-gnu-gcc -O1 -g -static -pthread $padded "$SRC/tests/guest/src/false_sharing.c" -o "program$padded" || exit 1
done
at=$((16#$(aarch64-linux-gnu-nm program | sed -n 's/ b buf$//p')))

"$BUILD/apmu" c2c record --core cortex-a53 -- ./program 500000 >said 2>&1 || fail "c2c record: $(cat said)"
! grep -q 'exact to the basic block' said || fail "stores without their address: $(cat said)"
"$BUILD/apmu" c2c report >out || fail "c2c report"
grep -qE "^line 0x$(printf %x $at) \(buf\): [0-9.]+% of transfers, 3 threads, shared falsely" out || fail "no line of buf: $(cat out)"
source=$SRC/tests/guest/src/false_sharing.c
for side in "store 0 writer0 write_lock0 lock0.+=" "store 8 writer1 write_lock1 lock1.+=" "load . reader read_words buf.reader"; do
	read -r access offset thread function text <<<"$side"
	line=$(grep -nE "$text" "$source" | head -n 1 | cut -d: -f1)
	grep -qE "^ .*% .* $access +[0-9]*$offset[0-9]* +[0-9] \($thread\) +$function +false_sharing.c:$line\$" out || fail "no $side: $(cat out)"
done

"$BUILD/apmu" export perf -o perf.data >/dev/null || fail "export"
perf c2c report -i perf.data --stdio >theirs 2>&1 || fail "perf c2c"
hitm=$(sed -n 's/ *Load Local HITM *: *//p' theirs)
[ "${hitm:-0}" -gt 100 ] || fail "perf c2c finds $hitm HITM"
# For Arm its table of lines has those with hits in peers, unless told otherwise.
perf c2c report -i perf.data --stdio -g none 2>&1 | sed -n '/Shared Data Cache Line Table/,/Pareto/p' >theirs
grep -qE "^ +[0-9]+ +0x0*$(printf %x $at) " theirs || fail "perf c2c's table lacks the line of buf: $(cat theirs)"
# To files: perf's output is longer than a pipe, and grep -q ends at the first line.
perf mem report -i perf.data --stdio >theirs 2>/dev/null
grep -qE 'read_words.*buf\+.*HitM' theirs || fail "perf mem report"
perf report -i perf.data --stdio --sort comm >theirs 2>/dev/null
grep -q writer1 theirs || fail "no thread names in perf report"

"$BUILD/apmu" c2c record --core cortex-a53 -q -o padded.data -- ./program-DPADDED 500000 >said || fail "padded"
# The C library's barrier is contended in some runs, where threads begin at the same time.
"$BUILD/apmu" c2c padded.data >out || fail "c2c of padded"
! grep -E '^line .* \(buf[^)]*\)' out || fail "padded: $(cat out)"
for _ in 1 2 3 4 5; do # few samples, and which threads they meet is the host scheduler's choice
	"$BUILD/apmu" c2c --all --percent-limit 0 padded.data >out || fail "c2c --all"
	grep -q 'no store was sampled' out && break
	"$BUILD/apmu" c2c record --core cortex-a53 -q -o padded.data -- ./program-DPADDED 500000 >said || fail "padded"
done
grep -qE '^line .*, 1 threads, not contended: only one thread was sampled$' out || fail "lines of one thread: $(cat out)"
grep -qE '^line .*, [23] threads, not contended: no store was sampled$' out || fail "lines without a store: $(cat out)"
"$BUILD/apmu" c2c --all --percent-limit 100 padded.data | grep -qx 'no cache line has at least 100% of the transfers' || fail "--percent-limit 100"

# Lines that the prefetcher brings are not transfers of the access that set it off: a line that is written and read 50 times has no more.
aarch64-linux-gnu-gcc -O1 -g -static -pthread "$SRC/tests/guest/src/turns.c" -o turns || exit 1
"$BUILD/apmu" c2c record --core neoverse-n1 -c 1 -q -o turns.data -- ./turns 50 64 >said || fail "turns"
"$BUILD/apmu" c2c --percent-limit 0 turns.data >out || fail "c2c of turns"
awk '/^line/ { here = /\(table/ } here && / (load|store) / { rows++; most = $2 > most ? $2 : most }
	END { exit rows < 2 || most > 51 }' out || fail "lines of a table: $(cat out)"

# What is said of a line holds for what was sampled: here both threads also use a word that they never wait for.
cat >both.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static _Alignas(64) struct { volatile int own[2]; volatile long common; } both;
static _Alignas(64) atomic_int turn;
static void *run(void *arg)
{
	int me = (int)(intptr_t)arg;
	for (int i = 0; i < 200; i++) {
		while (turn != me)
			;
		both.own[me]++;
		both.common++;
		turn = !me;
	}
	return 0;
}
int main(void)
{
	pthread_t other;
	pthread_create(&other, 0, run, (void *)1);
	run(0);
	return pthread_join(other, 0);
}
END
aarch64-linux-gnu-gcc -O1 -g -static -pthread both.c -o both || exit 1
"$BUILD/apmu" c2c record --core cortex-a72 -c 1 -q -o both.data -- ./both && "$BUILD/apmu" c2c both.data >out || fail "both"
grep -q '^line .* (both): .*: no word was sampled in two threads; padding would part these$' out || fail "both: $(cat out)"

# Instructions of a line on both sides of those of another are one row: the head of a loop, its body, its head.
aarch64-linux-gnu-nm -S program | awk '$4 == "write_lock0" { print $1, $2 }' >span
read -r start size <span
for ((pc = 16#$start; pc < 16#$start + 16#$size; pc += 4)); do printf '0x%x\n' $pc; done >pcs
aarch64-linux-gnu-addr2line -e program <pcs | paste pcs - |
	awk '{ at[NR] = $1; line[NR] = $2; sub(/ .*/, "", line[NR]) }
	END { for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) for (k = j + 1; k <= NR; k++)
		if (line[i] == line[k] && line[i] != line[j]) { print at[i], at[j], at[k]; exit } }' >three
read -r first second third <three
read -r text_at text_offset text_size < <(readelf -lW program | awk '$1 == "LOAD" && /R E/ { print $3, $2, $5 }')
python3 "$SRC/tests/cli/profile.py" three.data <<END || fail "profile.py"
program $PWD/program
data
event transfers X 0x10 1
map $text_at $((text_at + text_size)) $text_offset $PWD/program
thread 0 100
sample $first 10 data=0x50000,5,6
sample $second 20 data=0x50000,5,6
sample $third 30 data=0x50000,5,6
thread 1 101
sample $first 20 data=0x50000,5,38
total 0 3
total 1 1
END
"$BUILD/apmu" c2c three.data >out || fail "c2c three.data"
grep -q '^ *50.0% .* load .* write_lock0 ' out && grep -c ' write_lock0 ' out | grep -qx 3 || fail "a line's instructions: $(cat three out)"

# The line's name is the best of those that begin there; it comes from a separate debug file too, but never from a program that was built anew.
printf '_Alignas(64) long word[8] = {1};\nint main(void) { return 0; }\n' >word.c
aarch64-linux-gnu-gcc -g -static -no-pie -Wl,--build-id -Wl,--defsym=zzz=word word.c -o word || fail "cannot build word"
word=$((16#$(aarch64-linux-gnu-nm word | awk '$3 == "word" { print $1 }')))
id=$(readelf -n word | awk '/Build ID/ { print $3 }')
read -r text_at text_offset text_size < <(readelf -lW word | awk '$1 == "LOAD" && /R E/ { print $3, $2, $5 }')
python3 "$SRC/tests/cli/profile.py" word.data <<END || fail "profile.py"
program $PWD/word
data
event transfers X 0x10 1
map $text_at $((text_at + text_size)) $text_offset $PWD/word $id
thread 0 100
sample $((text_at + 256)) 10 data=$word,5,6
thread 1 101
sample $((text_at + 256)) 20 data=$word,5,38
total 0 1
total 1 1
END
"$BUILD/apmu" c2c word.data >out 2>err && grep -q "^line 0x$(printf %x $word) (word)" out && [ ! -s err ] || fail "the best name: $(cat out err)"

# A line with several symbols is named after those with most of its transfers.
cat >names.c <<'END'
__asm__(".data\n.balign 64\n"
	".irp name, rare, one, two, three, four\n"
	".global \\name\n.type \\name, %object\n.size \\name, 8\n\\name: .xword 1\n.endr");
int main(void) { return 0; }
END
aarch64-linux-gnu-gcc -static -no-pie names.c -o names || fail "cannot build names"
rare=$((16#$(aarch64-linux-gnu-nm names | awk '$3 == "rare" { print $1 }')))
read -r text_at text_offset text_size < <(readelf -lW names | awk '$1 == "LOAD" && /R E/ { print $3, $2, $5 }')
# named WANT OFFSET=WEIGHT...: the line is headed WANT if each thread has these transfers at these offsets from `rare`
named()
{
	local want=$1 thread use
	shift
	{
		printf '%s\n' "program $PWD/names" data "event transfers X 0x10 1" "map $text_at $((text_at + text_size)) $text_offset $PWD/names"
		for thread in 0 1; do
			echo "thread $thread 10$thread"
			for use in "$@"; do
				echo "sample $((text_at + 256)) 10 data=$((rare + ${use%=*})),5,38 weight=${use#*=}"
			done
		done
		printf '%s\n' "total 0 1" "total 1 1"
	} | python3 "$SRC/tests/cli/profile.py" names.data || fail "profile.py"
	"$BUILD/apmu" c2c names.data >out 2>err
	grep -q "^line 0x$(printf %x $rare) ($want):" out || fail "not named $want: $(cat out err)"
}
named one 0=1 8=200
named one+4 0=1 12=200
named "two, one" 0=1 8=100 16=200
named "four, three, one+2, \.\.\." 10=30 12=30 16=20 24=70 32=80
named rare 0=1
python3 "$SRC/tests/cli/profile.py" two.data <<END || fail "profile.py"
data
event transfers X 0x10 1
thread 0 100
sample 0x400000 10 data=0x50000,5,6
sample 0x400004 20 data=0x60000,5,6
thread 1 101
sample 0x400000 20 data=0x50000,5,38
sample 0x400004 30 data=0x60000,5,38
total 0 2
total 1 2
END
"$BUILD/apmu" c2c -n 1 two.data >out 2>err
grep -qxF '# 1 lines are left out: below 1%, or after the first ones (-n), or not contended (--all shows those too)' out || fail "-n 1: $(cat out err)"
# Lines are as long as those of the recorded core's L1 data: two words 128 bytes apart share one on A64FX, two 32 apart none on an ARM1136.
# long CORE BYTES LINES [OPTION...]: the report of `far.data` on CORE has lines of BYTES, of which LINES are contended
long()
{
	local core=$1 bytes=$2 lines=$3
	shift 3
	printf '%s\n' "core $core" data "event transfers X 0x10 1" "thread 0 100" "sample 0x400000 10 data=0x50000,5,38" \
		"sample 0x400010 20 data=0x60000,5,38" "thread 1 101" "sample 0x400000 20 data=0x50080,5,38" "sample 0x400010 30 data=0x60020,5,38" \
		"total 0 2" "total 1 2" | python3 "$SRC/tests/cli/profile.py" far.data || fail "profile.py"
	"$BUILD/apmu" c2c "$@" far.data >out 2>err
	grep -q "; lines of $bytes bytes\$" out && [ "$(grep -c 'shared falsely' out)" = "$lines" ] || fail "$core $*: $(cat out err)"
}
long a64fx 256 2
long cortex-a53 64 1
long arm1136jf-s 32 0
grep -q 'no contended cache line has at least 1% of the transfers' out || fail "nothing contended: $(cat out)"
long arm1136jf-s 64 1 --line-size 64
long a64fx 64 1 --line-size 64
long nothing 64 1
# Also where the recording changed them.
"$BUILD/apmu" c2c record --core a64fx --set l1d.line=64 -q -o line.data -- ./program 1000 >said 2>&1 || fail "l1d.line: $(cat said)"
"$BUILD/apmu" c2c line.data | grep -q '; lines of 64 bytes$' || fail "a line that --set made: $("$BUILD/apmu" c2c line.data)"
# What a user of perf types is taken.
"$BUILD/apmu" c2c report --stdio -f -i two.data >out 2>err && [ ! -s err ] && grep -q '^line 0x50000' out || fail "--stdio: $(cat out err)"
mkdir debug
aarch64-linux-gnu-objcopy --only-keep-debug word debug/word.debug && aarch64-linux-gnu-strip word && aarch64-linux-gnu-objcopy --add-gnu-debuglink=debug/word.debug word || fail "objcopy"
"$BUILD/apmu" c2c --debug-dir debug word.data >out 2>err && grep -q "^line 0x$(printf %x $word) (word)" out || fail "a separate debug file: $(cat out err)"
printf '_Alignas(64) long other[8] = {1}, word[8] = {1};\nint main(void) { return 0; }\n' >word.c
aarch64-linux-gnu-gcc -g -static -no-pie -Wl,--build-id word.c -o word || fail "cannot build word"
"$BUILD/apmu" c2c word.data >out 2>err
grep -q "^line 0x$(printf %x $word): " out && grep -q "was built anew since it was recorded" err || fail "a program that was built anew: $(cat out err)"

"$BUILD/apmu" record --core cortex-a53 -q -o other.data -- ./program-DPADDED 1000 >said
"$BUILD/apmu" c2c other.data >out 2>&1 && fail "a recording without transfers"
grep -q "was recorded without transfers of lines: 'apmu c2c record' takes them" out || fail "$(cat out)"
"$BUILD/apmu" c2c --line-size 48 >out 2>&1
[ $? = 2 ] || fail "--line-size 48"
verdict
