# SPDX-License-Identifier: MIT
# Debian's u-boot for QEMU's virt, arm64 and arm, unmodified: boots from the board's flash to its prompt, finds the device tree, and
# runs two commands.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --firmware || fail "u-boot cannot be fetched"
printf '\n\n\nbdinfo\nversion\n' >"$work/typed"

# boots CORE BOARD KIND WORD...: checks that each word is printed. u-boot waits at its prompt for ever.
boots()
{
	local core=$1 board=$2 kind=$3 word
	shift 3
	"$APMU" run -c "$core" -b "$board" --cpi 1 --max-insns 60000000 --uart "$work/typed" \
		--bios "$BUILD/guests/firmware/usr/lib/u-boot/$kind/u-boot.bin" >"$work/out" 2>"$work/err"
	for word in "$@"; do
		grep -q "$word" "$work/out" || fail "$kind on $core, $board: no '$word': $(tail -n 3 "$work/out")"
	done
}

boots cortex-a53 virt qemu_arm64 'DRAM:  128 MiB' '=> bdinfo' 'memory\[0\].*0x40000000-0x47ffffff' 'Build       = 64-bit' '=> version' 'aarch64-linux-gnu-gcc'
boots cortex-a53 virt-gicv3 qemu_arm64 '=> version' 'aarch64-linux-gnu-gcc'
boots cortex-a15 virt qemu_arm 'DRAM:  128 MiB' '=> bdinfo' 'memory\[0\].*0x40000000-0x47ffffff' '=> version' 'arm-linux-gnueabihf-gcc'
# without --flash, or on a board without flash
"$APMU" run -c cortex-a53 -b bare --bios "$work/typed" >"$work/out" 2>"$work/err"
[ $? = 2 ] && grep -q 'board bare has no flash for firmware' "$work/err" || fail "bare: $(cat "$work/err")"
finish
