# SPDX-License-Identifier: MIT
# Programs of much code and of many threads take at most 64 MiB more memory than under plain QEMU, in order and out of order.
. "$SRC/tests/guest/lib.sh"
a64 much_code
aarch64-linux-gnu-gcc -static -O2 "$SRC/tests/guest/src/many_threads.c" -pthread -o "$work/many_threads" || exit 1

# peak COMMAND...: prints the peak memory of its largest process in KiB
peak() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

for program in much_code many_threads; do
	plain=$(peak qemu-aarch64 "$work/$program") || fail "$program: plain QEMU"
	for core in cortex-a53 neoverse-n1; do
		used=$(peak "$BUILD/apmu" stat -c "$core" -x, -e instructions,cycles -o "$work/counts" "$work/$program")
		[ "$((used - plain))" -lt 65536 ] || fail "$program on $core: $used KiB, plain $plain KiB"
		# 80000 * 5 + 3
		[ "$program" != much_code ] || grep -q '^400003,,instructions,' "$work/counts" || fail "$core: $(cat "$work/counts")"
	done
done
finish
