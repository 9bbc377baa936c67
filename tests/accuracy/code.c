/* SPDX-License-Identifier: MIT */
/* Code that L1 does not hold. */
#include "kernel.h"

#define MOST_CODE (2 * MIB)
#define HOP       68ul /* bytes from branch to branch: a line each, and no two in one place of a small BTB */
#define HOPS      (256 * KIB / HOP)

#define RETURN PICK("bx lr\n", "ret\n")

/* NOPs; who jumps to the last n bytes runs these, and returns. In A64 one of 128 instructions is a branch
 * that never goes, so that blocks end at the same places under every QEMU. */
#define BLOCK_END PICK("nop\n", "cbnz xzr, .+4\n")
__asm__(".text\n.p2align 12\n"
	"code_field:\n.rept 2 * 1024 * 1024 / 512\n.rept 127\nnop\n.endr\n" BLOCK_END ".endr\n" RETURN);
/* Branches over 16 instructions. */
__asm__(".p2align 12\n"
	"code_hops:\n.rept 256 * 1024 / 68\nb 1f\n.rept 16\nnop\n.endr\n1:\n.endr\n" RETURN);
extern unsigned char code_field[], code_hops[];

static void run(const unsigned char *code)
{
	((void (*)(void))(word)code)();
}

/* Runs `size` bytes of NOPs. */
static word code(word size, word rounds)
{
	for (word k = 0; k < rounds; k++)
		run(code_field + MOST_CODE - size);
	return size / 4;
}

static word hops(word size, word rounds)
{
	for (word k = 0; k < rounds; k++)
		run(code_hops);
	return HOPS + (size & 0);
}

const struct kernel_row code_kernels[] = {{"code", code}, {"hops", hops}, {0, 0}};
