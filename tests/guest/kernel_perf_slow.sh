# SPDX-License-Identifier: MIT
# The driver's `perf` backend on an arm64 Linux: Debian's kernel boots under QEMU's `max` with our own initial file system,
# whose /init counts the same work by the driver and by direct system calls. About 20 seconds.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --kernel || fail "Debian's kernel cannot be fetched"

cd "$SRC" && aarch64-linux-gnu-gcc -O1 -Wall -Wextra -Werror -static -s -ffunction-sections -fdata-sections -Wl,--gc-sections \
	-Iinclude -Isrc tests/guest/src/perf_driver.c $(ls src/driver/*.c | grep -v backend_model) src/spec/event.c src/base/*.c \
	-o "$work/init" || exit 1
python3 tests/guest/initrd.py "$work/init" "$work/initrd" || exit 1

# QEMU counts instructions only with -icount.
timeout 500 qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -m 512 -display none -monitor none -serial stdio -net none \
	-no-reboot -icount shift=0 -kernel "$BUILD"/guests/kernel/arm64/boot/vmlinuz-* -initrd "$work/initrd" \
	-append 'console=ttyAMA0 panic=-1 -- 1000000' </dev/null 2>"$work/err" | tr -d '\r' >"$work/out" ||
	fail "QEMU: $(tail -n 3 "$work/err")"
sed -n '/^insns/,/^done/p' "$work/out"

# 10,000,000 instructions of the loop; the driver's count holds the two calls that switch the other on and off.
near() {
	local name=$1 hand driver
	read -r hand driver <<<"$(sed -n "s/^$name \([0-9]*\) \([0-9]*\)$/\1 \2/p" "$work/out")"
	[ "${hand:-0}" -ge 10000000 ] && [ "$hand" -le 10001000 ] || fail "$name by hand: ${hand:-none}"
	[ "${driver:-0}" -ge "$hand" ] && [ "$driver" -le $((hand + 2000)) ] || fail "$name by the driver: ${driver:-none}, by hand $hand"
}
says() {
	grep -qxE "$1" "$work/out" || fail "not said: $1"
}
grep -q 'armv8_pmuv3' "$work/out" || fail "the kernel's PMU driver did not find the PMU"
near insns
near cycles
says 'group 1 calls, 1 equal times, 1 always on'
says 'access 0: here 0 calls 200 outside 0 fell 0 times 1'
says 'access 1: here 200 calls 0 outside 0 fell 0 times 1'
says 'ready 1'
# QEMU delivers an overflow late under -icount, so there are fewer samples than periods.
says 'samples [1-9][0-9]* inside [1-9][0-9]* lost 0 of 1000[0-9]{4}'
says 'turns waited 1 scaled (0\.9[0-9]|1\.0[0-9]) to (0\.9[0-9]|1\.0[0-9])'
says done
finish
