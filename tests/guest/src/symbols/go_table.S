/* SPDX-License-Identifier: MIT */
/*
 * A program with the table of functions that Go's linker writes: -DGO=2, 16, 18 or 20 is the version of the layout. Its names stand
 * in no symbol table. Lines: one() has 7 and 9 of a.go, two() 20 of b.go, three() 300 of a.go.
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
#define PROGRAMS table
#else
#define BASE functions
#define NAMES names
#define PROGRAMS programs
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
	WORD units - table
	WORD files - table
	WORD programs - table
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
#if GO == 2
	.4byte files - table
#endif
record1:
	PLACE(one)
	.4byte names - NAMES
	.4byte 0, 0, 0, first - PROGRAMS, lines1 - PROGRAMS, 0, 0
record2:
	PLACE(two)
	.4byte name2 - NAMES
	.4byte 0, 0, 0, second - PROGRAMS, lines2 - PROGRAMS, 0, 1 /* files of the second unit: its first is number 1 */
record3:
	PLACE(three)
	.4byte name3 - NAMES
	.4byte 0, 0, 0, first - PROGRAMS, lines3 - PROGRAMS, 0, 0
#if GO >= 16
units:	.4byte 0, bgo - files, bgo - files
files:	.asciz "a.go"
bgo:	.asciz "b.go"
#else
	.balign 4
files:	.4byte ago - table, bgo - table
ago:	.asciz "a.go"
bgo:	.asciz "b.go"
#endif
programs: /* change in zigzag form, instructions; until a change of 0 */
	.byte 0
first:	.byte 2, 3, 0 /* from -1 to file 0 */
second:	.byte 4, 3, 0 /* file 1 */
lines1:	.byte 16, 1, 4, 1, 0 /* 7 for an instruction, then 9 */
lines2:	.byte 42, 3, 0
lines3:	.byte 0xda, 0x04, 1, 0 /* 301 more, in two bytes */
#if GO == 2
names:	.asciz "main.one"
name2:	.asciz "main.(*T).two"
name3:	.asciz "main.three[...]"
#endif
