/* SPDX-License-Identifier: MIT */
/* A32 encodings as arm-none-eabi-as makes them, each with the classification that the manual implies. */
#include "classify_case.h"

/* word, bytes, class, branch, flags, access width, registers of a list, registers read, written, target */
/* clang-format off */
static const struct classify_case cases[] = {
	{0xEA000002, 4, C(BRANCH), B(IMMED), 0, 0, 0, 0x0, 0x0, 0x10010, "b .+16"},
	{0x1AFFFFFC, 4, C(BRANCH), B(IMMED), CONDITIONAL, 0, 0, 0x0, 0x0, 0xfff8, "bne .-8"},
	{0xEB0003FE, 4, C(BRANCH), B(IMMED_LINK), 0, 0, 0, 0x0, 0x4000, 0x11000, "bl .+0x1000"},
	{0xFB000001, 4, C(BRANCH), B(IMMED_X), 0, 0, 0, 0x0, 0x4000, 0x1000e, "blx .+14"},
	{0xE12FFF1E, 4, C(BRANCH), B(RETURN), 0, 0, 0, 0x4000, 0x0, 0, "bx lr"},
	{0x012FFF1E, 4, C(BRANCH), B(RETURN), CONDITIONAL, 0, 0, 0x4000, 0x0, 0, "bxeq lr"},
	{0xE12FFF13, 4, C(BRANCH), B(INDIRECT), 0, 0, 0, 0x8, 0x0, 0, "bx r3"},
	{0xE12FFF3C, 4, C(BRANCH), B(INDIRECT_LINK), 0, 0, 0, 0x1000, 0x4000, 0, "blx r12"},
	{0xE1A0F00E, 4, C(ALU), B(RETURN), 0, 0, 0, 0x4000, 0x0, 0, "mov pc, lr"},
	{0xE1A0F005, 4, C(ALU), B(INDIRECT), 0, 0, 0, 0x20, 0x0, 0, "mov pc, r5"},
	{0x908FF103, 4, C(ALU), B(INDIRECT), CONDITIONAL, 0, 0, 0x8, 0x0, 0, "addls pc, pc, r3, lsl #2"},
	{0xE24CF01F, 4, C(ALU), B(INDIRECT), 0, 0, 0, 0x1000, 0x0, 0, "sub pc, r12, #31"},
	{0xE49DF004, 4, C(LOAD), B(RETURN), 0, 4, 0, 0x2000, 0x2000, 0, "ldr pc, [sp], #4"},
	{0xE59CF008, 4, C(LOAD), B(LOAD_PC), 0, 4, 0, 0x1000, 0x0, 0, "ldr pc, [r12, #8]"},
	{0x979FF103, 4, C(LOAD), B(LOAD_PC), CONDITIONAL, 4, 0, 0x8, 0x0, 0, "ldrls pc, [pc, r3, lsl #2]"},
	{0xE8BD8030, 4, C(LOAD), B(RETURN), MULTIPLE, 4, 3, 0x2000, 0x2030, 0, "pop {r4, r5, pc}"},
	{0xE91BA810, 4, C(LOAD), B(LOAD_PC), MULTIPLE, 4, 4, 0x800, 0x2810, 0, "ldmdb r11, {r4, r11, sp, pc}"},
	{0xEF000000, 4, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "svc #0"},
	{0xE1200071, 4, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "bkpt #1"},
	{0xE1600070, 4, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "smc #0"},
	{0xE1400070, 4, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "hvc #0"},
	{0xE7F000F0, 4, C(EXCEPTION), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "udf #0"},
	{0xE1A00001, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "mov r0, r1"},
	{0xE3A00001, 4, C(ALU), B(NONE), 0, 0, 0, 0x0, 0x1, 0, "mov r0, #1"},
	{0xE1B00181, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "movs r0, r1, lsl #3"},
	{0xE1A00211, 4, C(ALU), B(NONE), SHIFT_REG, 0, 0, 0x6, 0x1, 0, "mov r0, r1, lsl r2"},
	{0xE1A00061, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "rrx r0, r1"},
	{0xE3E03000, 4, C(ALU), B(NONE), 0, 0, 0, 0x0, 0x8, 0, "mvn r3, #0"},
	{0xE0810002, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "add r0, r1, r2"},
	{0x128100FF, 4, C(ALU), B(NONE), CONDITIONAL, 0, 0, 0x3, 0x1, 0, "addne r0, r1, #255"},
	{0xE0410242, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "sub r0, r1, r2, asr #4"},
	{0xE0610372, 4, C(ALU), B(NONE), SHIFT_REG, 0, 0, 0xE, 0x1, 0, "rsb r0, r1, r2, ror r3"},
	{0xE3510000, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x0, 0, "cmp r1, #0"},
	{0xE1510002, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x0, 0, "cmp r1, r2"},
	{0xE1110332, 4, C(ALU), B(NONE), SHIFT_REG, 0, 0, 0xE, 0x0, 0, "tst r1, r2, lsr r3"},
	{0xE1310002, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x0, 0, "teq r1, r2"},
	{0xE3017234, 4, C(ALU), B(NONE), 0, 0, 0, 0x0, 0x80, 0, "movw r7, #0x1234"},
	{0xE3417234, 4, C(ALU), B(NONE), 0, 0, 0, 0x80, 0x80, 0, "movt r7, #0x1234"},
	{0xE16F0F11, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "clz r0, r1"},
	{0xE1020051, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "qadd r0, r1, r2"},
	{0xE6EF0071, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "uxtb r0, r1"},
	{0xE6B10072, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "sxtah r0, r1, r2"},
	{0xE6BF0F31, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "rev r0, r1"},
	{0xE6510F92, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "uadd8 r0, r1, r2"},
	{0xE6810FB2, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "sel r0, r1, r2"},
	{0xE7C70211, 4, C(ALU), B(NONE), 0, 0, 0, 0x3, 0x1, 0, "bfi r0, r1, #4, #4"},
	{0xE7C7021F, 4, C(ALU), B(NONE), 0, 0, 0, 0x1, 0x1, 0, "bfc r0, #4, #4"},
	{0xE7E30251, 4, C(ALU), B(NONE), 0, 0, 0, 0x2, 0x1, 0, "ubfx r0, r1, #4, #4"},
	{0xE1410042, 4, C(ALU), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "crc32w r0, r1, r2"},
	{0xE0000291, 4, C(MUL), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "mul r0, r1, r2"},
	{0xE0203291, 4, C(MUL), B(NONE), 0, 0, 0, 0xE, 0x1, 0, "mla r0, r1, r2, r3"},
	{0xE0603291, 4, C(MUL), B(NONE), 0, 0, 0, 0xE, 0x1, 0, "mls r0, r1, r2, r3"},
	{0xE0810392, 4, C(MUL_LONG), B(NONE), 0, 0, 0, 0xC, 0x3, 0, "umull r0, r1, r2, r3"},
	{0xE0E10392, 4, C(MUL_LONG), B(NONE), 0, 0, 0, 0xF, 0x3, 0, "smlal r0, r1, r2, r3"},
	{0xE0410392, 4, C(MUL_LONG), B(NONE), 0, 0, 0, 0xF, 0x3, 0, "umaal r0, r1, r2, r3"},
	{0xE1600281, 4, C(MUL_HALF), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "smulbb r0, r1, r2"},
	{0xE10032C1, 4, C(MUL_HALF), B(NONE), 0, 0, 0, 0xE, 0x1, 0, "smlabt r0, r1, r2, r3"},
	{0xE7003211, 4, C(MUL_HALF), B(NONE), 0, 0, 0, 0xE, 0x1, 0, "smlad r0, r1, r2, r3"},
	{0xE700F211, 4, C(MUL_HALF), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "smuad r0, r1, r2"},
	{0xE750F211, 4, C(MUL_HIGH), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "smmul r0, r1, r2"},
	{0xE780F211, 4, C(MUL_HALF), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "usad8 r0, r1, r2"},
	{0xE710F211, 4, C(DIV), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "sdiv r0, r1, r2"},
	{0xE730F211, 4, C(DIV), B(NONE), 0, 0, 0, 0x6, 0x1, 0, "udiv r0, r1, r2"},
	{0xEE202011, 4, C(MUL), B(NONE), 0, 0, 0, 0x6, 0x0, 0, "mia acc0, r1, r2"},
	{0xEC510000, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x3, 0, "mra r0, r1, acc0"},
	{0xE1020091, 4, C(SWAP), B(NONE), 0, 4, 0, 0x6, 0x1, 0, "swp r0, r1, [r2]"},
	{0xE1420091, 4, C(SWAP), B(NONE), SUBWORD, 1, 0, 0x6, 0x1, 0, "swpb r0, r1, [r2]"},
	{0xE5910000, 4, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x1, 0, "ldr r0, [r1]"},
	{0xE4910004, 4, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x3, 0, "ldr r0, [r1], #4"},
	{0xE5310004, 4, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x3, 0, "ldr r0, [r1, #-4]!"},
	{0xE7910102, 4, C(LOAD), B(NONE), 0, 4, 0, 0x6, 0x1, 0, "ldr r0, [r1, r2, lsl #2]"},
	{0xE59F0010, 4, C(LOAD), B(NONE), 0, 4, 0, 0x0, 0x1, 0, "ldr r0, [pc, #16]"},
	{0xE5D10003, 4, C(LOAD), B(NONE), SUBWORD, 1, 0, 0x2, 0x1, 0, "ldrb r0, [r1, #3]"},
	{0xE1D100B2, 4, C(LOAD), B(NONE), SUBWORD, 2, 0, 0x2, 0x1, 0, "ldrh r0, [r1, #2]"},
	{0xE19100F2, 4, C(LOAD), B(NONE), SUBWORD, 2, 0, 0x6, 0x1, 0, "ldrsh r0, [r1, r2]"},
	{0xE0D100D1, 4, C(LOAD), B(NONE), SUBWORD, 1, 0, 0x2, 0x3, 0, "ldrsb r0, [r1], #1"},
	{0xE1C420D8, 4, C(LOAD), B(NONE), DOUBLE, 4, 0, 0x10, 0xC, 0, "ldrd r2, r3, [r4, #8]"},
	{0xE5810000, 4, C(STORE), B(NONE), 0, 4, 0, 0x3, 0x0, 0, "str r0, [r1]"},
	{0xE7A10002, 4, C(STORE), B(NONE), 0, 4, 0, 0x7, 0x2, 0, "str r0, [r1, r2]!"},
	{0xE7C10002, 4, C(STORE), B(NONE), SUBWORD, 1, 0, 0x7, 0x0, 0, "strb r0, [r1, r2]"},
	{0xE1C100B0, 4, C(STORE), B(NONE), SUBWORD, 2, 0, 0x3, 0x0, 0, "strh r0, [r1]"},
	{0xE18420F5, 4, C(STORE), B(NONE), DOUBLE, 4, 0, 0x3C, 0x0, 0, "strd r2, r3, [r4, r5]"},
	{0x15810000, 4, C(STORE), B(NONE), CONDITIONAL, 4, 0, 0x3, 0x0, 0, "strne r0, [r1]"},
	{0xE890000E, 4, C(LOAD), B(NONE), MULTIPLE, 4, 3, 0x1, 0xE, 0, "ldm r0, {r1, r2, r3}"},
	{0xE8B00FF0, 4, C(LOAD), B(NONE), MULTIPLE, 4, 8, 0x1, 0xFF1, 0, "ldm r0!, {r4-r11}"},
	{0xE92D40F0, 4, C(STORE), B(NONE), MULTIPLE, 4, 5, 0x60F0, 0x2000, 0, "stmdb sp!, {r4-r7, lr}"},
	{0xE52D0004, 4, C(STORE), B(NONE), 0, 4, 0, 0x2001, 0x2000, 0, "push {r0}"},
	{0xE1910F9F, 4, C(LOAD), B(NONE), EXCLUSIVE, 4, 0, 0x2, 0x1, 0, "ldrex r0, [r1]"},
	{0xE1810F92, 4, C(STORE), B(NONE), EXCLUSIVE, 4, 0, 0x6, 0x1, 0, "strex r0, r2, [r1]"},
	{0xE1B12F9F, 4, C(LOAD), B(NONE), EXCLUSIVE | DOUBLE, 4, 0, 0x2, 0xC, 0, "ldrexd r2, r3, [r1]"},
	{0xE1A10F92, 4, C(STORE), B(NONE), EXCLUSIVE | DOUBLE, 4, 0, 0xE, 0x1, 0, "strexd r0, r2, r3, [r1]"},
	{0xE1C10F92, 4, C(STORE), B(NONE), EXCLUSIVE | SUBWORD, 1, 0, 0x6, 0x1, 0, "strexb r0, r2, [r1]"},
	{0xE181FC92, 4, C(STORE), B(NONE), 0, 4, 0, 0x6, 0x0, 0, "stl r2, [r1]"},
	{0xE1912C9F, 4, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x4, 0, "lda r2, [r1]"},
	{0xF5D0F020, 4, C(PRELOAD), B(NONE), 0, 0, 0, 0x1, 0x0, 0, "pld [r0, #32]"},
	{0xF7D0F001, 4, C(PRELOAD), B(NONE), 0, 0, 0, 0x3, 0x0, 0, "pld [r0, r1]"},
	{0xF57FF04F, 4, C(BARRIER), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "dsb sy"},
	{0xF57FF05F, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "dmb sy"},
	{0xF57FF06F, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "isb sy"},
	{0xF57FF01F, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "clrex"},
	{0xEE070F9A, 4, C(BARRIER), B(NONE), 0, 0, 0, 0x1, 0x0, 0, "mcr p15, 0, r0, c7, c10, 4"},
	{0xEE070FBA, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x1, 0x0, 0, "mcr p15, 0, r0, c7, c10, 5"},
	{0xEE1D3F70, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x8, 0, "mrc p15, 0, r3, c13, c0, 3"},
	{0xEC532F09, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0xC, 0, "mrrc p15, 0, r2, r3, c9"},
	{0xE10F0000, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x1, 0, "mrs r0, cpsr"},
	{0xE128F000, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x1, 0x0, 0, "msr cpsr_f, r0"},
	{0xE121F000, 4, C(SYSTEM), B(NONE), MODE, 0, 0, 0x1, 0x0, 0, "msr cpsr_c, r0"},
	{0xE321F0D3, 4, C(SYSTEM), B(NONE), MODE, 0, 0, 0x0, 0x0, 0, "msr cpsr_c, #0xd3"},
	{0xF10C0080, 4, C(SYSTEM), B(NONE), MODE, 0, 0, 0x0, 0x0, 0, "cpsid i"},
	{0xF1010200, 4, C(SYSTEM), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "setend be"},
	{0xE320F000, 4, C(NOP), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "nop"},
	{0xE320F003, 4, C(NOP), B(NONE), 0, 0, 0, 0x0, 0x0, 0, "wfi"},
	{0xED915B00, 4, C(LOAD), B(NONE), 0, 8, 0, 0x2, 0x2000000000, 0, "vldr d5, [r1]"},
	{0xEDD12A00, 4, C(LOAD), B(NONE), 0, 4, 0, 0x2, 0x400000000, 0, "vldr s5, [r1]"},
	{0xEDC11B02, 4, C(STORE), B(NONE), 0, 8, 0, 0x2000000000002, 0x0, 0, "vstr d17, [r1, #8]"},
	{0xECB00B10, 4, C(LOAD), B(NONE), MULTIPLE, 8, 8, 0x1, 0xFF00000001, 0, "vldmia r0!, {d0-d7}"},
	{0xED2D8B04, 4, C(STORE), B(NONE), MULTIPLE, 8, 2, 0x30000002000, 0x2000, 0, "vpush {d8-d9}"},
	{0xEC900A04, 4, C(LOAD), B(NONE), MULTIPLE, 4, 4, 0x1, 0x300000000, 0, "vldmia r0, {s0-s3}"},
	{0xEE310B22, 4, C(VFP), B(NONE), 0, 0, 0, 0x4000200000000, 0x100000000, 0, "vadd.f64 d0, d1, d18"},
	{0xEE212A03, 4, C(VFP), B(NONE), 0, 0, 0, 0xA00000000, 0x400000000, 0, "vmul.f32 s4, s2, s6"},
	{0xEE810B02, 4, C(VFP_DIV_64), B(NONE), 0, 0, 0, 0x600000000, 0x100000000, 0, "vdiv.f64 d0, d1, d2"},
	{0xEEB10AC1, 4, C(VFP_DIV), B(NONE), 0, 0, 0, 0x200000000, 0x100000000, 0, "vsqrt.f32 s0, s2"},
	{0xEE010A02, 4, C(VFP_MAC), B(NONE), 0, 0, 0, 0x700000000, 0x100000000, 0, "vmla.f32 s0, s2, s4"},
	{0xEEA10B02, 4, C(VFP_MAC), B(NONE), 0, 0, 0, 0x700000000, 0x100000000, 0, "vfma.f64 d0, d1, d2"},
	{0xEC510B14, 4, C(VFP), B(NONE), 0, 0, 0, 0x1000000000, 0x3, 0, "vmov r0, r1, d4"},
	{0xF2210802, 4, C(SIMD), B(NONE), 0, 0, 0, 0x600000000, 0x100000000, 0, "vadd.i32 d0, d1, d2"},
	{0xF420070F, 4, C(LOAD), B(NONE), 0, 8, 0, 0x1, 0x100000000, 0, "vld1.8 {d0}, [r0]"},
	{0xF440070F, 4, C(STORE), B(NONE), 0, 8, 0, 0x1000000000001, 0x0, 0, "vst1.8 {d16}, [r0]"},
	{0x0EB70AC0, 4, C(VFP), B(NONE), CONDITIONAL, 0, 0, 0x100000000, 0x100000000, 0, "vcvteq.f64.f32 d0, s0"},
	{0xF2920003, 4, C(SIMD), B(NONE), 0, 0, 0, 0xC00000000, 0x300000000, 0, "vaddl.s16 q0, d2, d3"},
	{0xF3E281C2, 4, C(SIMD), B(NONE), 0, 0, 0, 0x30C000400000000, 0x300000000000000, 0, "vmla.f32 q12, q9, d2[0]"},
	{0xFE010822, 4, C(SIMD), B(NONE), 0, 0, 0, 0x700000000, 0x100000000, 0, "vcmla.f16 d0, d1, d2[1], #0"},
	{0xFE110802, 4, C(SIMD), B(NONE), 0, 0, 0, 0x700000000, 0x100000000, 0, "vcmla.f16 d0, d1, d2[0], #90"},
	{0xFE320862, 4, C(SIMD), B(NONE), 0, 0, 0, 0xF00000000, 0x300000000, 0, "vcmla.f16 q0, q1, d2[1], #270"},
	{0xFE810802, 4, C(SIMD), B(NONE), 0, 0, 0, 0x700000000, 0x100000000, 0, "vcmla.f32 d0, d1, d2[0], #0"},
	{0xFE910822, 4, C(SIMD), B(NONE), 0, 0, 0, 0x4000300000000, 0x100000000, 0, "vcmla.f32 d0, d1, d18[0], #90"},
	{0xFEB88842, 4, C(SIMD), B(NONE), 0, 0, 0, 0x30400000000, 0x30000000000, 0, "vcmla.f32 q4, q4, d2[0], #270"},
	{0xF3B60642, 4, C(SIMD), B(NONE), 0, 0, 0, 0xC00000000, 0x100000000, 0, "vcvt.bf16.f32 d0, q1"},
	{0xF3F61662, 4, C(SIMD), B(NONE), 0, 0, 0, 0xC000000000000, 0x2000000000000, 0, "vcvt.bf16.f32 d17, q9"},
	{0xFC210812, 4, C(SIMD), B(NONE), 0, 0, 0, 0x700000000, 0x100000000, 0, "vfmal.f16 d0, s2, s4"},
	{0xFCAF48B2, 4, C(SIMD), B(NONE), 0, 0, 0, 0x801400000000, 0x1000000000, 0, "vfmsl.f16 d4, s31, s5"},
	{0xFC210852, 4, C(SIMD), B(NONE), 0, 0, 0, 0x700000000, 0x300000000, 0, "vfmal.f16 q0, d1, d2"},
	{0xFE01083A, 4, C(SIMD), B(NONE), 0, 0, 0, 0x700000000, 0x100000000, 0, "vfmal.f16 d0, s2, s5[1]"},
	{0xFE0128FA, 4, C(SIMD), B(NONE), 0, 0, 0, 0x2000C00000000, 0xC00000000, 0, "vfmal.f16 q1, d17, d2[3]"},
	{0xFE1128F5, 4, C(SIMD), B(NONE), 0, 0, 0, 0x2002C00000000, 0xC00000000, 0, "vfmsl.f16 q1, d17, d5[2]"},
};
/* clang-format on */

TEST(every_a32_encoding_is_what_its_mnemonic_says)
{
	CHECK_CASES(cases, APMU_ISA__A32);
}

/* 1111100x with bits 22 and 20 both clear is neither SRS nor RFE (DDI0406C A5.7). */
TEST(an_a32_word_that_no_row_has_is_unknown)
{
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A32};
	struct apmu_insn got;

	CHECK_EQ(apmu_isa__classify(&stream, 0x8000, 0xF9000000, 4, &got), false);
	CHECK_EQ(got.cls, APMU_CLASS_UNKNOWN);
	CHECK_EQ(got.size, 4);
	CHECK_EQ(got.addr, 0x8000);
}

/* ADD needs r2, which is shifted by an immediate, one stage earlier than r1 (GCC arm1136jfs.md). */
TEST(a_shifted_operand_is_needed_early)
{
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A32};
	struct apmu_insn got;

	apmu_isa__classify(&stream, 0x8000, 0xE0810102, 4, &got); /* add r0, r1, r2, lsl #2 */
	CHECK_EQ(got.shift_reads, 1u << 2);
	apmu_isa__classify(&stream, 0x8000, 0xE0810002, 4, &got); /* add r0, r1, r2 */
	CHECK_EQ(got.shift_reads, 0);
	apmu_isa__classify(&stream, 0x8000, 0xE7910102, 4, &got); /* ldr r0, [r1, r2, lsl #2] */
	CHECK_EQ(got.shift_reads, 1u << 1 | 1u << 2);
	apmu_isa__classify(&stream, 0x8000, 0xE5810000, 4,
			   &got); /* str r0, [r1]: the datum is not needed early */
	CHECK_EQ(got.shift_reads, 1u << 1);
}

/* XScale's event 0x1 erratum looks for these (PXA27x E3); the prefetch flush is not one of them. */
TEST(cache_operations_on_the_instruction_side_are_marked)
{
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A32};
	struct apmu_insn got;

	apmu_isa__classify(&stream, 0x8000, 0xEE070F15, 4, &got); /* mcr p15, 0, r0, c7, c5, 0 */
	CHECK_EQ(got.flags, APMU_INSN_CACHE_OP);
	apmu_isa__classify(&stream, 0x8000, 0xEE080F17, 4, &got); /* mcr p15, 0, r0, c8, c7, 0 */
	CHECK_EQ(got.flags, APMU_INSN_CACHE_OP);
	apmu_isa__classify(&stream, 0x8000, 0xEE070F95, 4, &got); /* mcr p15, 0, r0, c7, c5, 4 */
	CHECK_EQ(got.flags, 0);
	apmu_isa__classify(&stream, 0x8000, 0xEE070F3A, 4, &got); /* mcr p15, 0, r0, c7, c10, 1: data side */
	CHECK_EQ(got.flags, 0);
}

/* DDI0406C A8.8.108: a destination of 15 is the flags. */
TEST(a_coprocessor_register_read_to_the_flags_sets_them)
{
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A32};
	struct apmu_insn got;

	apmu_isa__classify(&stream, 0x8000, 0xEE17FF7E, 4, &got); /* mrc p15, 0, APSR_nzcv, c7, c14, 3 */
	CHECK_EQ(got.flags, APMU_INSN_SETS_FLAGS);
	apmu_isa__classify(&stream, 0x8000, 0xFE17FF7E, 4, &got); /* mrc2 */
	CHECK_EQ(got.flags, APMU_INSN_SETS_FLAGS);
	apmu_isa__classify(&stream, 0x8000, 0xEE170F7E, 4, &got); /* mrc p15, 0, r0, c7, c14, 3 */
	CHECK_EQ(got.flags, 0);
}

TEST(a_kernel_helper_is_one_return)
{
	struct apmu_insn got;

	apmu_isa__classify_kuser(0xFFFF0FE0, &got);
	CHECK_EQ(got.branch, APMU_BRANCH_RETURN);
	CHECK_EQ(got.flags, APMU_INSN_KUSER);
	CHECK_EQ(got.size, 4);
}
