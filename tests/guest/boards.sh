# SPDX-License-Identifier: MIT
# The PMU's interrupt through each board's controller, taken by a guest: PL190 (vectored), the PXA's controller
# (steered to IRQ and to FIQ), GICv2 and GICv3 (acknowledged by number). The guest reports what it saw by UART.
. "$SRC/tests/guest/lib.sh"

# Shared by the A32 guests: vectors at 0, a line of letters, the end by semihosting. `handler` takes IRQs, `fast`
# FIQs; the letters come from r10, the UART is at r11.
cat >"$work/a32.inc" <<'S'
	.arm
	.text
	.global _start
_start:
	b start
	b .
	b .
	b .
	b .
	nop
	b handler
	b fast
	.macro print letter
	mov r10, #\letter
	str r10, [r11]
	.endm
	.macro finish
	print '\n'
	mov r0, #0x18
	ldr r1, =0x20026
	svc 0x123456
	.endm
	.macro stacks
	msr cpsr_c, #0xD2                /* IRQ, all masked */
	mov sp, #0x8000
	msr cpsr_c, #0xD1                /* FIQ */
	mov sp, #0x9000
	msr cpsr_c, #0xD3
	mov sp, #0xA000
	.endm
S

cat >"$work/versatile.S" <<'S'
	.include "a32.inc"
handler:
	push {r0-r3, lr}
	ldr r0, =0x10140000
	ldr r1, [r0, #0x30]              /* VICVECTADDR: the handler's address, and everything below is masked */
	blx r1
	ldr r0, =0x10140000
	str r1, [r0, #0x30]
	pop {r0-r3, lr}
	subs pc, lr, #4
fast:	subs pc, lr, #4
overflow:
	print 'v'
	ldr r2, =0x401                   /* clears CCR; ECC off, E on: the line falls with E set alone */
	mcr p15, 0, r2, c15, c12, 0
	mov r9, #1
	bx lr
start:	stacks
	ldr r11, =0x101F1000
	ldr r0, =0x10140000
	ldr r1, =overflow
	str r1, [r0, #0x100]             /* VICVECTADDR0 */
	mov r1, #0x20 | 20
	str r1, [r0, #0x200]             /* VICVECTCNTL0: the PMU's input */
	mov r1, #1 << 20
	str r1, [r0, #0x10]              /* VICINTENABLE */
	mov r9, #0
	mvn r1, #99
	mcr p15, 0, r1, c15, c12, 1      /* CCNT: a hundred cycles to go */
	mov r1, #0x41                    /* ECC, E */
	mcr p15, 0, r1, c15, c12, 0
	msr cpsr_c, #0x53                /* IRQs */
1:	cmp r9, #0
	beq 1b
	ldr r0, =0x10140000
	ldr r1, [r0]                     /* VICIRQSTATUS: nothing any more */
	cmp r1, #0
	bne 2f
	print 'k'
2:	finish
	.ltorg
S

cat >"$work/pxa.S" <<'S'
	.include "a32.inc"
handler:
	push {r0-r3}
	ldr r0, =0x40D00000
	ldr r1, [r0]                     /* ICIP */
	cmp r1, #1 << 12
	bne 1f
	print 'i'
1:	b taken
fast:	push {r0-r3}
	mrc p6, 0, r1, c3, c0, 0         /* ICFP by coprocessor */
	cmp r1, #1 << 12
	bne taken
	ldr r2, =0x40100000              /* r8 to r12 are FIQ's own */
	mov r3, #'f'
	str r3, [r2]
taken:
	mov r2, #1
	mcr p14, 0, r2, c5, c1, 0        /* FLAG: cycle counter */
	add r12, r12, #1
	pop {r0-r3}
	subs pc, lr, #4
arm_counter:
	mvn r1, #99
	mcr p14, 0, r1, c1, c1, 0        /* CCNT */
	mov r1, #1
	mcr p14, 0, r1, c4, c1, 0        /* INTEN */
	mcr p14, 0, r1, c0, c1, 0        /* PMNC.E */
	bx lr
start:	stacks
	ldr r11, =0x40100000
	ldr r0, =0x40D00000
	mov r1, #1 << 12
	str r1, [r0, #4]                 /* ICMR */
	mov r12, #0
	bl arm_counter
	msr cpsr_c, #0x13                /* IRQs and FIQs */
1:	cmp r12, #1
	bne 1b
	msr cpsr_c, #0xD3
	mov r1, #1 << 12
	str r1, [r0, #8]                 /* ICLR: to FIQ */
	bl arm_counter
	msr cpsr_c, #0x93                /* FIQs alone */
	ldr r2, =20000
2:	subs r2, r2, #1
	bne 2b
	finish
	.ltorg
S

cat >"$work/virt.S" <<'S'
	.global _start
	.macro print letter
	mov w26, #\letter
	str w26, [x27]
	.endm
_start:
	ldr x27, =0x09000000
	ldr x0, =vectors
	msr vbar_el1, x0
	ldr x0, =0x40100000
	mov sp, x0
	mov x25, #0
	ldr x28, =0x08000000
	mov w1, #1 << 23
#ifdef V3
	mov w0, #2
	str w0, [x28]                    /* GICD_CTLR.EnableGrp1 */
	ldr x2, =0x080A0000
	str wzr, [x2, #0x14]             /* GICR_WAKER */
	add x2, x2, #0x10000
	str w1, [x2, #0x80]              /* GICR_IGROUPR0 */
	str w1, [x2, #0x100]             /* GICR_ISENABLER0 */
	mov x0, #0xF0
	msr S3_0_C4_C6_0, x0             /* ICC_PMR_EL1 */
	mov x0, #1
	msr S3_0_C12_C12_7, x0           /* ICC_IGRPEN1_EL1 */
#else
	mov w0, #1
	str w0, [x28]
	str w1, [x28, #0x100]
	add x2, x28, #0x10, lsl #12
	mov w1, #0xF0
	str w1, [x2, #4]
	str w0, [x2]
#endif
	mov x0, #-100
	msr pmccntr_el0, x0
	mov x0, #1 << 31
	msr pmintenset_el1, x0
	msr pmcntenset_el0, x0
	msr pmccfiltr_el0, xzr
	mov x0, #0x41                    /* LC, E */
	msr pmcr_el0, x0
	msr daifclr, #3
1:	cbz x25, 1b
	print '\n'
	mov x0, #0x84000000
	add x0, x0, #8
	hvc #0
handler:
#ifdef V3
	mrs x20, S3_0_C12_C12_0          /* ICC_IAR1_EL1 */
#else
	add x2, x28, #0x10, lsl #12
	ldr w20, [x2, #0xC]              /* GICC_IAR */
#endif
	cmp x20, #23
	b.ne 2f
	print 'p'
	mov x0, #1 << 31
	msr pmovsclr_el0, x0
2:
#ifdef V3
	msr S3_0_C12_C12_1, x20          /* ICC_EOIR1_EL1 */
	mrs x21, S3_0_C12_C12_0
#else
	str w20, [x2, #0x10]
	ldr w21, [x2, #0xC]
#endif
	mov w22, #1023
	cmp w21, w22                     /* nothing else */
	b.ne 3f
	print 's'
3:	mov x25, #1
	eret
	.balign 2048
vectors:
	.rept 5
	b .
	.balign 128
	.endr
	b handler                        /* IRQ from EL1h */
	.balign 128
	.rept 10
	b .
	.balign 128
	.endr
S

guest() {
	local name=$1
	shift
	"$@" -nostdlib -static -I"$work" -Wa,-I"$work" -o "$work/$name.elf" || exit 1
}
a32=(arm-linux-gnueabi-gcc -march=armv5te -mfloat-abi=soft -marm -Wl,-Ttext=0)
guest versatile "${a32[@]}" "$work/versatile.S"
guest pxa "${a32[@]}" "$work/pxa.S"
guest virt aarch64-linux-gnu-gcc -Wl,-Ttext=0x40080000,-n,--build-id=none "$work/virt.S"
guest virt3 aarch64-linux-gnu-gcc -DV3 -Wl,-Ttext=0x40080000,-n,--build-id=none "$work/virt.S"

# says WORDS ARGUMENT...
says() {
	local want=$1 got
	shift
	got=$("$APMU" run --timeout 0.01 "$@" 2>"$work/err") || fail "$*: $(head -2 "$work/err")"
	[ "$got" = "$want" ] || fail "$*: '${got:0:20}', not '$want'"
}
says vk -c arm1176jzf-s -b versatile "$work/versatile.elf"
says vk -c arm1136jf-s -b versatile --cpi 1 "$work/versatile.elf"
says if -c xscale2 -b pxa "$work/pxa.elf"
says ps -c cortex-a53 -b virt "$work/virt.elf"
says ps -c cortex-a53 -b virt-gicv3 "$work/virt3.elf"
says ps -c generic-v9 -b virt-gicv3 "$work/virt3.elf"

# The UART's receiver: an echo by interrupt, one byte an interrupt, until a full stop.
cat >"$work/echo.S" <<'S'
	.include "a32.inc"
handler:
	push {r0-r3}
	ldr r0, [r11]                    /* DR */
	and r0, r0, #0xFF
	eor r1, r0, #0x20                /* the other case */
	str r1, [r11]
	mov r12, r0
	pop {r0-r3}
	subs pc, lr, #4
fast:	b .
start:	stacks
	ldr r11, =0x101F1000
	ldr r0, =0x10140000
	mov r1, #1 << 12
	str r1, [r0, #0x10]              /* VICINTENABLE: the UART */
	mov r1, #0x10
	str r1, [r11, #0x38]             /* IMSC: receive */
	mov r12, #0
	msr cpsr_c, #0x53
1:	cmp r12, #'.'
	bne 1b
	finish
	.ltorg
S
guest echo "${a32[@]}" "$work/echo.S"
printf 'abcdefgHIJ.' >"$work/typed"
says "$(printf 'ABCDEFGhij\016')" -c arm1176jzf-s -b versatile --uart "$work/typed" "$work/echo.elf"

# also on a board that its user built
if qemu-system-aarch64 -M help 2>/dev/null | grep -q '^virt '; then
	for version in 2 3; do
		elf=$work/virt.elf
		[ $version = 2 ] || elf=$work/virt3.elf
		got=$(timeout 60 qemu-system-aarch64 -M virt,gic-version=$version -cpu cortex-a53 -nographic -monitor none \
			-icount 0 -kernel "$elf" </dev/null 2>"$work/err")
		[ "${got%$'\r'}" = ps ] || fail "QEMU, GICv$version: '$got' $(head -2 "$work/err")"
	done
else
	fail "qemu-system-aarch64 is missing (tools/setup --test)"
fi
finish
