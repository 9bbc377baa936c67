# SPDX-License-Identifier: MIT
# A loop costs the same cycles in both engines: QEMU with the plugin passes whole blocks to the timing model, the machine
# passes the blocks one instruction at a time. Loops of pairs, of a chain through a multiplication, of loads used at once.
. "$SRC/tests/guest/lib.sh"
cat >"$work/a32.S" <<'S'
	.syntax unified
	.text
	.arm
	.global _start
_start:	mov r9, #TURNS
	ldr r8, =data
	.balign 64
1:	add r0, r0, #1
	add r1, r1, #2
	eor r2, r2, #3
	ldr r3, [r8]
	add r4, r3, #1
	str r4, [r8, #8]
	mul r5, r4, r0
	sub r6, r5, r1
	orr r10, r10, #4
	cmp r9, #100
	addhi r11, r11, r9, lsl #2
	subs r9, r9, #1
	bne 1b
	mov r0, #0
	mov r7, #1
	svc #0
	.data
data:	.space 64
S
cat >"$work/a64.S" <<'S'
	.text
	.global _start
_start:	mov x9, #TURNS
	ldr x8, =data
	.balign 64
1:	add x0, x0, #1
	add x1, x1, #2
	eor x2, x2, #3
	ldr x3, [x8]
	add x4, x3, #1
	str x4, [x8, #8]
	mul x5, x4, x0
	sub x6, x5, x1
	orr x7, x7, #4
	subs x9, x9, #1
	b.ne 1b
	mov x0, #0
	mov x8, #93
	svc #0
	.data
data:	.space 64
S
for turns in 1024 5120; do
	arm-linux-gnueabi-gcc -march=armv5te -marm -nostdlib -static -DTURNS=$turns "$work/a32.S" -o "$work/a32-$turns" || exit 1
	aarch64-linux-gnu-gcc -nostdlib -static -DTURNS=$turns "$work/a64.S" -o "$work/a64-$turns" || exit 1
done

# cycles COMMAND...: prints the cycles of the run
cycles()
{
	"$APMU" "$@" 2>&1 | sed -n 's/,//g; s/^ *\([0-9]*\)  *cycles.*/\1/p' | head -n 1
}

# same CORE SET SLACK: compares the cost of 4096 more iterations. Out of order, cycles are counted one block late.
same()
{
	local core=$1 set=$2 slack=$3 command a b counted=()
	for command in "stat -c $core -e cycles" "run --linux -c $core -e cycles"; do
		a=$(cycles $command "$work/$set-1024")
		b=$(cycles $command "$work/$set-5120")
		counted+=($((b - a)))
	done
	local apart=$((counted[0] - counted[1]))
	if [ "${counted[0]}" -lt 4096 ] || [ ${apart#-} -gt "$slack" ]; then
		fail "$core: ${counted[0]} cycles under QEMU, ${counted[1]} in the machine"
	fi
}
for core in arm1136 arm1176 xscale1 xscale2 cortex-a7 cortex-a8; do
	same $core a32 0
done
for core in cortex-a9 cortex-a15; do
	same $core a32 2
done
for core in cortex-a53 cortex-a55; do
	same $core a64 0
done
for core in cortex-a72 neoverse-n1; do
	same $core a64 2
done

# Only the program's own instructions are counted, not how the machine enters it.
instructions()
{
	"$APMU" "$@" 2>&1 | awk '$2 == "instructions" { gsub(",", ""); print $1 }'
}
for pair in arm1136:a32 cortex-a9:a32 cortex-a53:a64 neoverse-n1:a64; do
	core=${pair%:*} program=$work/${pair#*:}-1024
	want=$(instructions stat -c $core -e instructions "$program")
	for options in "" "--cpi 1"; do
		got=$(instructions run --linux -c $core $options --stat -e instructions "$program")
		[ "$got" = "${want:-none}" ] || fail "$core $options: $got instructions in the machine, $want under QEMU"
	done
done
finish
