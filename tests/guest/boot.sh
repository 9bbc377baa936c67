# SPDX-License-Identifier: MIT
# Kernels booted by Linux's boot protocols: their load address, the registers at entry, the device tree that they find.
. "$SRC/tests/guest/lib.sh"
cat >"$work/image.S" <<'S'
	b 1f
	.long 0
	.quad 0x80000, 0x10000, 0xA, 0, 0, 0
	.ascii "ARM\x64"
	.long 0
1:	adr x9, 1b - 64              /* text_offset above 2 MiB */
	and x9, x9, #0x1FFFFF
	cmp x9, #0x80, lsl #12
	b.ne 3f
	ldr w10, [x0]                /* the tree's magic, big-endian */
	ldr w11, =0xEDFE0DD0
	cmp w10, w11
	b.ne 3f
	orr x9, x1, x2
	orr x9, x9, x3
	cbnz x9, 3f
	adr x4, 4f
	mov x5, #0x09000000          /* the UART */
2:	ldrb w6, [x4], #1
	cbz w6, 5f
	str w6, [x5]
	b 2b
5:	ldr w7, [x0, #4]             /* the whole tree follows */
	rev w7, w7
6:	ldrb w6, [x0], #1
	str w6, [x5]
	subs w7, w7, #1
	b.ne 6b
3:	mov x0, #0x84000000
	add x0, x0, #8               /* PSCI SYSTEM_OFF */
	hvc #0
4:	.asciz "booted\n"
S
cat >"$work/zimage.S" <<'S'
	.arm
	.rept 8
	nop
	.endr
	b 1f
	.long 0x016F2818, 0, end
1:	cmp r0, #0
	ldreq r4, [r2]
	ldr r5, =0xEDFE0DD0
	cmpeq r4, r5
	adr r4, 3f
	ldr r5, =0x09000000
	bne 4f
2:	ldrb r6, [r4], #1
	str r6, [r5]
	cmp r6, #10
	bne 2b
4:	ldr r0, =0x84000008
	.arch_extension sec
	.arch_extension virt
	hvc #0
3:	.ascii "zboot\n"
	.ltorg
end:
S
aarch64-linux-gnu-gcc -nostdlib -c "$work/image.S" -o "$work/image.o" &&
	aarch64-linux-gnu-objcopy -O binary -j .text "$work/image.o" "$work/Image" || exit 1
arm-linux-gnueabi-gcc -march=armv7-a -nostdlib -Ttext=0 -static "$work/zimage.S" -o "$work/zimage.elf" 2>/dev/null &&
	arm-linux-gnueabi-objcopy -O binary -j .text "$work/zimage.elf" "$work/zImage" || exit 1

run() {
	"$APMU" run --warm --timeout 1 "$@" >"$work/out" 2>"$work/err" || fail "$*: $(head -2 "$work/err")"
}

for board in virt virt-gicv3; do
	run -c cortex-a53 -b $board --append 'root=/dev/none' --kernel "$work/Image"
	[ "$(head -c 6 "$work/out")" = booted ] || fail "the Image did not boot on $board"
	tail -c +8 "$work/out" | dtc -I dtb -O dts >"$work/tree" 2>"$work/err" || fail "dtc: $(cat "$work/err")"
	grep -q 'bootargs = "root=/dev/none"' "$work/tree" || fail "no command line in the tree of $board"
	grep -q 'arm,cortex-a53-pmu' "$work/tree" || fail "no PMU in the tree of $board"
done
run -c cortex-a15 -b virt --kernel "$work/zImage"
[ "$(cat "$work/out")" = zboot ] || fail "the zImage did not boot: $(cat "$work/out")"

# a tree of the user's own
printf '/dts-v1/;\n/ { model = "mine"; #address-cells = <1>; #size-cells = <1>; };\n' |
	dtc -I dts -O dtb -o "$work/own.dtb" 2>/dev/null || exit 1
run -c cortex-a53 -b virt --dtb "$work/own.dtb" --append hello --kernel "$work/Image"
tail -c +8 "$work/out" | dtc -I dtb -O dts 2>/dev/null >"$work/tree"
grep -q 'model = "mine"' "$work/tree" && grep -q 'bootargs = "hello"' "$work/tree" || fail "not the user's tree"

# an initial file system is at the address in the tree, for both kinds of tree
head -c 5000 /dev/zero | tr '\0' x >"$work/initrd"
for tree in "" "--dtb $work/own.dtb"; do
	run -c cortex-a53 -b virt $tree --initrd "$work/initrd" --kernel "$work/Image"
	tail -c +8 "$work/out" | dtc -I dtb -O dts 2>/dev/null >"$work/tree"
	from=$(sed -n 's/.*linux,initrd-start = <0x00 \(0x[0-9a-f]*\)>.*/\1/p' "$work/tree")
	to=$(sed -n 's/.*linux,initrd-end = <0x00 \(0x[0-9a-f]*\)>.*/\1/p' "$work/tree")
	[ -n "$from" ] && [ $((to - from)) = 5000 ] && [ $((from % 4096)) = 0 ] || fail "initrd at '$from' to '$to' $tree"
done

# devices on virtio transports: those that exist are in the tree, at QEMU's addresses
head -c 1024 /dev/zero >"$work/sectors"
run -c cortex-a53 -b virt --drive "$work/sectors" --drive "$work/sectors,bus=0" --console /dev/null --kernel "$work/Image"
tail -c +8 "$work/out" | dtc -I dtb -O dts 2>/dev/null >"$work/tree"
[ "$(grep -o 'virtio_mmio@[0-9a-f]*' "$work/tree" | sort | tr '\n' ' ')" = 'virtio_mmio@a000000 virtio_mmio@a003a00 virtio_mmio@a003e00 ' ] ||
	fail "virtio transports in the tree: $(grep virtio "$work/tree")"
grep -A 4 'virtio_mmio@a003e00' "$work/tree" | grep -q 'interrupts = <0x00 0x2f 0x01>' || fail "no SPI 47 for transport 31"

# refused ERROR ARGUMENT...
refused() {
	local error=$1
	shift
	"$APMU" run "$@" >"$work/out" 2>"$work/err"
	[ $? = 1 ] || fail "$*: not refused"
	grep -q "$error" "$work/err" || fail "$*: $(cat "$work/err")"
}
refused 'no Linux image' -c cortex-a53 -b virt --kernel "$work/image.S"
refused '32-bit kernel' -c cortex-a53 -b virt --kernel "$work/zImage"
refused 'AArch64 kernel' -c cortex-a15 -b virt --kernel "$work/Image"
head -c 134000000 /dev/zero >"$work/large"
refused 'no room for the initial' -c cortex-a53 -b virt --initrd "$work/large" --kernel "$work/Image"
refused 'is not a device tree blob' -c cortex-a53 -b virt --dtb "$work/image.S" --kernel "$work/Image"
refused 'No such file' -c cortex-a53 -b virt --drive "$work/none" --kernel "$work/Image"
refused 'is not a regular file' -c cortex-a53 -b virt --drive "$work" --kernel "$work/Image"
refused 'no room for the device tree: the program has something in 0x47e00000..0x48000000' -c cortex-a53 -b virt --append x --raw 0x47e00000 "$work/Image"
gzip -k "$work/Image"
refused 'gunzip' -c cortex-a53 -b virt --kernel "$work/Image.gz"

# wrong devices: usage
misused() {
	local error=$1
	shift
	"$APMU" run "$@" >"$work/out" 2>"$work/err"
	[ $? = 2 ] || fail "$*: not refused as wrong usage"
	grep -q "$error" "$work/err" || fail "$*: $(cat "$work/err")"
}
printf x >>"$work/sectors"
misused 'whole sectors of 512 bytes, this one 1025 bytes' -c cortex-a53 -b virt --drive "$work/sectors" --kernel "$work/Image"
misused 'board bare has no virtio transports; virt and virt-gicv3 have' -c cortex-a53 --console /dev/null "$work/Image"
for board in bare versatile pxa; do
	for lost in "--append x" "--initrd $work/initrd"; do
		misused "board $board passes no device tree" -c cortex-a15 -b $board $lost --kernel "$work/zImage"
	done
done
misused 'taken twice' -c cortex-a53 -b virt --console /dev/null --console /dev/null,bus=31 "$work/Image"

# usage: ways to load that exclude each other
for wrong in "--linux --kernel" "--linux -b virt" "--linux --dtb x" "--kernel --raw 0" "--initrd x" "--linux --uart x"; do
	"$APMU" run -c cortex-a53 $wrong "$work/Image" >"$work/out" 2>"$work/err"
	[ $? = 2 ] || fail "$wrong: not refused as wrong usage: $(cat "$work/err")"
done
finish
