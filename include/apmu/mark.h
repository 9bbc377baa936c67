/* SPDX-License-Identifier: MIT */
/**
 * Marks in a program: APMU_MARK(n) is one instruction that does nothing and carries a number.
 *
 *     APMU_MARK(1);
 *     work();
 *     APMU_MARK(2);
 *
 *     apmu stat --region mark:1,mark:2 -- ./prog         counts what lies between, each time
 *     apmu stat --region mark:1 -- ./prog                from the first mark 1 to the second, from the
 *                                                        third to the fourth or the end, and so on
 *
 * `n` is a constant, 0 to 63. On hardware and in other emulators a mark has no effect:
 *
 *     A64    MOVZ XZR, #n          a write to the zero register
 *     T32    HINT.W #(64 + n)      a hint that is not allocated: NOP (Armv6T2 and later)
 *     A32    EOR, SUB, ADD or ORR of a register with #0, rotated by 16 to 30 bits, which no assembler chooses
 *     else   no instruction
 *
 * Thumb without Thumb-2 (16-bit instructions only) has no encoding for a mark: compile the function as Arm.
 * Freestanding; needs GNU C for its assembler statement.
 */
#ifndef APMU_MARK_H
#define APMU_MARK_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__aarch64__)
#define APMU_MARK(n) __asm__ volatile("movz xzr, #%c0" : : "i"((n)&63) : "memory")
#elif defined(__thumb2__)
#define APMU_MARK(n) __asm__ volatile(".inst.w 0xF3AF8040 + %c0" : : "i"((n)&63) : "memory")
#elif defined(__arm__) && !defined(__thumb__)
/* bits 5:4 of n choose the operation, bit 3 the register (R0, R1), bits 2:0 the rotation field, less 8 */
#define APMU_MARK_OPERATION(n) ((n)&32 ? ((n)&16 ? 12u : 4u) : ((n)&16 ? 2u : 1u))
#define APMU_MARK_WORD(n) \
	(APMU_MARK_OPERATION(n) << 21 | ((n) >> 3 & 1u) << 16 | ((n) >> 3 & 1u) << 12 | (8u | ((n)&7u)) << 8)
#define APMU_MARK(n) __asm__ volatile(".inst 0xE2000000 + %c0" : : "i"(APMU_MARK_WORD(n)) : "memory")
#elif defined(__arm__)
#error "16-bit Thumb has no room for a mark: compile this function as Arm (-marm)"
#else
#define APMU_MARK(n) ((void)(n))
#endif

#ifdef __cplusplus
}
#endif

#endif
