#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `apmu c2c` names the line that three threads share falsely, with each side's function, thread, offset and source line; padded there
# is none. perf's own c2c and mem read the recording, with HITM where another core had the line modified.
. "$(dirname "$0")/../lib.sh"
for padded in "" -DPADDED; do
	aarch64-linux-gnu-gcc -O1 -g -static -pthread $padded "$SRC/tests/guest/src/false_sharing.c" -o "program$padded" || exit 1
done
at=$((16#$(aarch64-linux-gnu-nm program | sed -n 's/ b buf$//p')))

"$BUILD/apmu" c2c record --core cortex-a53 -- ./program 500000 >said 2>&1 || fail "c2c record: $(cat said)"
! grep -q 'exact to the block' said || fail "stores without their address: $(cat said)"
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
# To files: perf's output is longer than a pipe, and grep -q ends at the first line.
perf mem report -i perf.data --stdio >theirs 2>/dev/null
grep -qE 'read_words.*buf\+.*HitM' theirs || fail "perf mem report"
perf report -i perf.data --stdio --sort comm >theirs 2>/dev/null
grep -q writer1 theirs || fail "no thread names in perf report"

"$BUILD/apmu" c2c record --core cortex-a53 -q -o padded.data -- ./program-DPADDED 500000 >said || fail "padded"
[[ $("$BUILD/apmu" c2c padded.data) == *"no line was written"* ]] || fail "padded: $("$BUILD/apmu" c2c padded.data)"

"$BUILD/apmu" record --core cortex-a53 -q -o other.data -- ./program-DPADDED 1000 >said
"$BUILD/apmu" c2c other.data >out 2>&1 && fail "a recording without transfers"
grep -q "was recorded without transfers of lines: 'apmu c2c record' takes them" out || fail "$(cat out)"
"$BUILD/apmu" c2c --line-size 48 >out 2>&1
[ $? = 2 ] || fail "--line-size 48"
verdict
