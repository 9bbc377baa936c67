# SPDX-License-Identifier: MIT
# Programs that cannot run are refused before anything starts, in one line that says why.
. "$SRC/tests/guest/lib.sh"
arm count
a64 a64

# refuse WORDS ARG...: checks for exit status 2 and one line with the words
refuse() {
	local words=$1
	shift
	"$tool" -p "$BUILD/apmu-tcg.so" "$@" >"$work/said" 2>&1 3>"$work/out"
	[ $? = 2 ] || fail "$*: no refusal"
	[ "$(wc -l <"$work/said")" = 1 ] || fail "$*: $(cat "$work/said")"
	grep -qF -- "$words" "$work/said" || fail "$*: not \"$words\" but $(cat "$work/said")"
	[ -s "$work/out" ] && fail "$*: half a result"
}

echo 'echo hello' >"$work/script"
chmod +x "$work/script"
cp "$work/count" "$work/big"
printf '\002' | dd of="$work/big" bs=1 seek=5 conv=notrunc 2>/dev/null
cp "$work/count" "$work/bare"
chmod -x "$work/bare"
head -c 40 "$work/count" >"$work/short"
chmod +x "$work/short"
head -c 120 "$work/count" >"$work/cut"
chmod +x "$work/cut"
printf '#!/bin/sh\necho "usage: qemu-arm"\n' >"$work/old-qemu"
chmod +x "$work/old-qemu"
echo 'int main(void) { return 0; }' >"$work/dynamic.c"
arm-linux-gnueabi-gcc "$work/dynamic.c" -o "$work/dynamic" || exit 1

refuse "no such program" "$work/nothing"
refuse "no such program in PATH" no-such-program-anywhere
refuse "/script is run by /bin/sh: a program for " "$work/script"
refuse "not an ELF program" "$work/short"
refuse "cut off" "$work/cut"
refuse "is a directory" "$work"
refuse "a program for x86-64" /bin/true
refuse "AArch64 program, and arm1136jf-s runs AArch32 alone" "$work/a64"
refuse "runs AArch64 alone" -c generic-v9 "$work/count"
refuse "qemu-user" -q /nonexistent/qemu-arm "$work/count"
refuse "takes no -plugin" -q "$work/old-qemu" "$work/count"
refuse "libc6-armel-cross" -L /nonexistent "$work/dynamic"
refuse "no such QEMU plugin" -p /nonexistent.so "$work/count"
[ "$(id -u)" = 0 ] || refuse "cannot be run" "$work/bare"

# EI_DATA says big-endian: libelf then reads the whole header, with the machine type, as big-endian.
refuse "big" "$work/big"

# An Armv8 core with AArch32 runs a 32-bit program, although qemu-arm does not have that core.
count -c cortex-a53 "$work/count"
want 'r["exit"]' 7

# Memory of a program without bytes in the file may lie behind the file's end.
printf '.global _start\n_start: mov x0, #5\nmov x8, #93\nsvc #0\n.bss\n.space 65536\n' >"$work/hollow.S"
aarch64-linux-gnu-gcc -nostdlib -static -o "$work/hollow" "$work/hollow.S" || fail "hollow does not build"
count -6 "$work/hollow"
want 'r["exit"]' 5

# A dynamic program finds Debian's cross root by itself.
count "$work/dynamic"
want 'r["exit"]' 0
want 't["INST"] > 10000' True
finish
