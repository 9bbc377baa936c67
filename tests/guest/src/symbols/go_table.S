/* SPDX-License-Identifier: MIT */
/*
 * A program with the table of functions that Go's linker writes: -DGO=2, 16, 18 or 20 is the version of the layout. Its names stand
 * in no symbol table.
 */
#ifdef __aarch64__
#define WORD .8byte
#define WORDS 8
#else
#define WORD .4byte
#define WORDS 4
	.arm
#endif
#if GO >= 18
#define PLACE(label) .4byte label - code
#define FIELD .4byte
#else
#define PLACE(label) WORD label
#define FIELD WORD
#endif
#if GO == 2
#define BASE table
#define NAMES table
#else
#define BASE functions
#define NAMES names
#endif

	.text
	.global _start
_start:
	nop
	nop
code:
one:	nop
	nop
two:	nop
	nop
	nop
three:	b three
ends:	nop /* not Go's */

	.section .gopclntab, "a"
	.balign 8
table:
#if GO == 2
	.4byte 0xfffffffb
#elif GO == 16
	.4byte 0xfffffffa
#elif GO == 18
	.4byte 0xfffffff0
#else
	.4byte 0xfffffff1
#endif
	.byte 0, 0, 4, WORDS
	WORD 3
#if GO >= 16
	WORD 0
#if GO >= 18
	WORD code
#endif
	WORD names - table
	WORD 0
	WORD 0
	WORD 0
	WORD functions - table
names:
	.asciz "main.one"
name2:	.asciz "main.(*T).two"
name3:	.asciz "main.three[...]"
	.balign 4
#endif
functions:
	PLACE(one)
	FIELD record1 - BASE
	PLACE(two)
	FIELD record2 - BASE
	PLACE(three)
	FIELD record3 - BASE
	PLACE(ends)
record1:
	PLACE(one)
#if GO >= 16
	.4byte 0
#else
	.4byte names - NAMES
#endif
record2:
	PLACE(two)
	.4byte name2 - NAMES
record3:
	PLACE(three)
	.4byte name3 - NAMES
#if GO == 2
names:	.asciz "main.one"
name2:	.asciz "main.(*T).two"
name3:	.asciz "main.three[...]"
#endif
