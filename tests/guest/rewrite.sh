# SPDX-License-Identifier: MIT
# A program that rewrites its code all the time: the plugin's records and tickets are used up and reused, no count is lost, and
# memory use stays within bounds.
. "$SRC/tests/guest/lib.sh"
arm rewrite

# peak COMMAND...: prints the peak memory of its largest process in KiB; the command inherits descriptor 3
peak() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, pass_fds=[3])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@" 3>"$work/out"
}

plain=$(peak qemu-arm -cpu arm1136 "$work/rewrite") || fail "the sum is wrong in plain QEMU"
for way in "INST" "INST,CYCLES,LD_RETIRED"; do
	used=$(peak "$tool" -p "$BUILD/apmu-tcg.so" -s "$way" "$work/rewrite")
	# 13 + 300000 * (14 + 2) + 5
	want 't["INST"]' 4800018
	want 'r["exit"]' 0
	[ "$((used - plain))" -lt 65536 ] || fail "$way: $used KiB, plain $plain KiB"
done
# One load per round, and four before and after
want 't["LD_RETIRED"]' 300004
finish
