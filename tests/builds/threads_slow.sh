#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The plugin under ThreadSanitizer, in a QEMU that has its runtime loaded first: programs of several threads are counted and recorded in
# every way that threads share something. The command has no threads; what QEMU's own threads do among themselves is not looked at.
set -euo pipefail
: "${SRC:?}" "${BUILD:?}" "${APMU:?}"
out=$BUILD/tsan
cmake -S "$SRC" -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DAPMU_SANITIZE=thread >"$out.log"
cmake --build "$out" -j 2 --target apmu-tcg >"$out.log" 2>&1 || { tail -n 30 "$out.log"; exit 1; }
cp "$APMU" "$out/apmu" # which takes the plugin beside it

mkdir -p "$out/wrapped"
runtime=$(realpath "$(gcc -print-file-name=libtsan.so)")
for name in qemu-arm qemu-aarch64; do
	from=${APMU_QEMU:-}/$name
	[ -x "$from" ] || from=$(command -v "$name")
	printf '#!/bin/sh\nLD_PRELOAD=%s TSAN_OPTIONS=%s exec %s -U LD_PRELOAD -U TSAN_OPTIONS "$@"\n' "$runtime" \
		"log_path=$out/report:exitcode=0:report_thread_leaks=0:report_signal_unsafe=0:history_size=7" "$from" >"$out/wrapped/$name"
	chmod +x "$out/wrapped/$name"
done
export APMU_QEMU=$out/wrapped
cd "$out"
for name in threads readers false_sharing; do
	aarch64-linux-gnu-gcc -O2 -static -pthread "$SRC/tests/guest/src/$name.c" -o "$name.a64"
	arm-linux-gnueabi-gcc -O2 -static -pthread "$SRC/tests/guest/src/$name.c" -o "$name.arm"
done

rm -f report.*
runs=0
# run WORD...: the program may end with any status but those of a run that did not begin
run()
{
	local status=0
	./apmu "$@" >said 2>&1 || status=$?
	[ $status -lt 2 ] || { echo "FAIL: apmu $* ends with $status"; cat said; exit 1; }
	runs=$((runs + 1))
}
for program in threads readers false_sharing; do
	run stat -c cortex-a53 -e instructions,branches -- ./$program.a64
	run stat -c cortex-a53,neoverse-n1 --per-thread -- ./$program.a64
	run stat -c cortex-a9 -I 100000 -- ./$program.arm
	run record -q --core cortex-a53 -e cycles -g -o data -- ./$program.a64
	run record -q --core neoverse-n1 -b -e branches -o data -- ./$program.a64
	run record -q --core cortex-a9 --exact -e instructions -o data -- ./$program.arm
	run c2c record -q --core neoverse-n1 -o data -- ./$program.a64
done
# QEMU publishes a block that one thread has translated to the others by its own atomics, which the sanitizer does not see; nor does it see
# that QEMU stops all threads outside blocks before it drops translations. So what is left out is a race with the translation itself, or with
# an access that is forgotten, to what the translation allocated, and one of a block's callback with the drop.
cat report.* 2>/dev/null | awk 'BEGIN { RS = "==================\n" }
	/apmu-tcg\.so/ {
		accesses = $0
		sub(/Location is .*/, "", accesses)
		if (accesses ~ /apmu_qemu__threads_stand/ && accesses ~ /plugin_cb_block\.c/) next
		if (accesses ~ /apmu_qemu__translate/ || (accesses ~ /failed to restore/ && /apmu_qemu__translate/)) next
		print
	}' >races
races=$(grep -c '^WARNING' races || true)
[ "$races" -eq 0 ] || { head -n 80 races; echo "FAIL: $races races in the plugin, in $runs runs"; exit 1; }
echo "$runs runs, no race"
