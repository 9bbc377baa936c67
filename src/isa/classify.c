/* SPDX-License-Identifier: MIT */
#include "isa/classify.h"

#include "isa/bits.h"
#include "isa/classify_format.h"
#include "isa/classify_operations.h"
#include "isa/classify_rows.h"

#define LR_A32    14u
#define SP_A32    13u
#define FPSCR_A32 15u /* R15 is no operand, so its bit represents the flags of FPSCR */
#define LR_A64    30u
#define R31       31u

unsigned apmu_isa__thumb_size(uint16_t first)
{
	return first >= 0xE800 ? 4 : 2; /* DDI0406C A6.1: 11101, 11110, 11111 */
}

uint32_t apmu_isa__opcode(enum apmu_isa__isa isa, const uint8_t *bytes, unsigned size)
{
	uint32_t first = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;

	if (size == 2)
		return first;
	uint32_t second = (uint32_t)bytes[2] | (uint32_t)bytes[3] << 8;
	return isa == APMU_ISA__T32 ? first << 16 | second : second << 16 | first;
}

static const struct apmu_isa__row *find(const struct apmu_isa__rows *rows, uint32_t word)
{
	for (size_t i = 0; i < rows->n; i++)
		if ((word & rows->row[i].mask) == rows->row[i].bits)
			return &rows->row[i];
	return NULL;
}

/* Coprocessor and VFP words are the same in A32 and T32, except that T32's are never conditional. */
static bool coprocessor(uint32_t word)
{
	unsigned top = word >> 24 & 0xF;

	return top >= 0xC && top <= 0xE;
}

/* The A32 encoding of an Advanced SIMD instruction of A32 or T32: data processing, loads and stores of
 * structures. T32 has bit 24 at 28 (DDI0406C A7.4, A7.7). 0: not such an instruction. */
static uint32_t neon_word(enum apmu_isa__isa isa, uint32_t word, unsigned size)
{
	bool a32 = isa == APMU_ISA__A32, t32 = isa == APMU_ISA__T32 && size == 4;

	if (a32 && ((word & 0xFE000000) == 0xF2000000 || (word & 0xFF100000) == 0xF4000000))
		return word;
	if (t32 && (word & 0xEF000000) == 0xEF000000)
		return 0xF2000000 | (word >> 4 & 0x01000000) | (word & 0x00FFFFFF);
	return t32 && (word & 0xFF100000) == 0xF9000000 ? 0xF4000000 | (word & 0x00FFFFFF) : 0;
}

static const struct apmu_isa__row *a32_row(uint32_t word)
{
	return find(word >> 28 == 0xF ? &apmu_isa__rows_a32_always : &apmu_isa__rows_a32, word);
}

static const struct apmu_isa__row *lookup(enum apmu_isa__isa isa, uint32_t word, unsigned size)
{
	if (isa == APMU_ISA__A64) /* DDI0487 C4.1: op0 is x111, 0010 */
		return find((word >> 25 & 7) == 7    ? &apmu_isa__rows_a64_vector
			    : (word >> 25 & 15) == 2 ? &apmu_isa__rows_a64_sve
						     : &apmu_isa__rows_a64,
			    word);
	if (isa == APMU_ISA__A32)
		return a32_row(word);
	if (size == 2)
		return find(&apmu_isa__rows_t16, word);
	return coprocessor(word) ? a32_row(word) : find(&apmu_isa__rows_t32, word);
}

/* An instruction word and how to read the rows' slots in it. */
struct word {
	uint32_t bits;
	uint8_t isa, size;
	uint64_t how;
};

static unsigned slot16(const struct word *w, unsigned slot)
{
	bool high = w->bits >> 10 == 0x11; /* 010001: registers of four bits */

	switch (slot) {
	case N: return high ? apmu_isa__at(w->bits, 3, 4) : apmu_isa__at(w->bits, 3, 3);
	case D: return (high ? w->bits >> 4 & 8 : 0) | apmu_isa__at(w->bits, 0, 3);
	case S: return apmu_isa__at(w->bits, 8, 3);
	default: return apmu_isa__at(w->bits, 6, 3);
	}
}

/* The register number in a slot's field. */
static unsigned slot(const struct word *w, unsigned slot)
{
	if (w->size == 2)
		return slot16(w, slot);
	bool a64 = w->isa == APMU_ISA__A64;
	switch (slot) {
	case N: return a64 ? apmu_isa__at(w->bits, 5, 5) : apmu_isa__at(w->bits, 16, 4);
	case D: return a64 ? apmu_isa__at(w->bits, 0, 5) : apmu_isa__at(w->bits, 12, 4);
	case S: return a64 ? apmu_isa__at(w->bits, 10, 5) : apmu_isa__at(w->bits, 8, 4);
	default: return a64 ? apmu_isa__at(w->bits, 16, 5) : apmu_isa__at(w->bits, 0, 4);
	}
}

/* A32: vector registers are represented by halves: bit 32 + n is the low half of Dn (S2n, of n below 16), bit
 * 16 + n the high half of D0 to D15 (S2n+1). */
static uint64_t of_s(unsigned s)
{
	return (uint64_t)1 << ((s & 1 ? 16 : 32) + s / 2 % 16);
}

static uint64_t of_d(unsigned d)
{
	d %= 32;
	return (uint64_t)1 << (32 + d) | (d < 16 ? (uint64_t)1 << (16 + d) : 0);
}

/* `n` D registers, `step` apart, wrapping from D31 to D0. */
static uint64_t of_list(unsigned d, unsigned n, unsigned step)
{
	uint64_t regs = 0;

	for (unsigned k = 0; k < n; k++)
		regs |= of_d(d + k * step);
	return regs;
}

/* The number of a slot's D register: the fifth bit is its high bit. */
static unsigned number_d(const struct word *w, unsigned which)
{
	unsigned more = which == N ? 7 : which == D ? 22 : 5;

	return slot(w, which) | apmu_isa__at(w->bits, more, 1) << 4;
}

/* The number of a slot's S register: the fifth bit is its low bit. */
static unsigned number_s(const struct word *w, unsigned which)
{
	unsigned d = number_d(w, which);

	return (d << 1 & 30) | d >> 4;
}

enum { BY_WORD, DOUBLES, QUADS, SINGLES };

static unsigned kind(const struct word *w, unsigned which)
{
	unsigned said = w->how >> (which == D   ? 13
				   : which == N ? 15
						: 17) &
			3,
		 cp = apmu_isa__at(w->bits, 8, 4);

	if (said != BY_WORD)
		return said;
	if (coprocessor(w->bits) && cp >= 9 && cp <= 11)
		return cp == 11 ? DOUBLES : SINGLES;
	return apmu_isa__at(w->bits, w->how & Q24 ? 24 : 6, 1) ? QUADS : DOUBLES;
}

static uint64_t vector_a32(const struct word *w, unsigned which)
{
	unsigned d = number_d(w, which);

	if (which == M && w->how & VM_ELEMENT && kind(w, M) == SINGLES) /* of S0 to S15 */
		return of_s(number_s(w, M) & 15);
	if (which == M && w->how & VM_ELEMENT) /* of 32 or 16 bits: DDI0406C A7.4.3 */
		return of_d(apmu_isa__at(w->bits, 20, 2) == 2 ? d & 15 : d & 7);
	if (which == M && w->how & VM_LOW)
		return of_d(d & 15);
	switch (kind(w, which)) {
	case SINGLES: return of_s(number_s(w, which));
	case QUADS: return of_list(d & 30, 2, 1);
	default: return of_d(d);
	}
}

/* A64: 31 is SP in some places and reads as zero in others. A32, T32: R15 is left out. */
static uint64_t general(const struct word *w, unsigned which)
{
	unsigned r = slot(w, which);

	if (w->isa != APMU_ISA__A64)
		return r == 15 ? 0 : (uint64_t)1 << r;
	bool sp = (which == N && (w->how & SPN)) || (which == D && (w->how & SPD)) ||
		  (which == M && (w->how & SPM));
	return r == R31 && !sp ? 0 : (uint64_t)1 << r;
}

static uint64_t vector_bit(const struct word *w, unsigned which)
{
	if (w->isa != APMU_ISA__A64)
		return vector_a32(w, which);
	unsigned r = slot(w, which), most = which != M ? 31 : w->how & M3 ? 7 : w->how & M4 ? 15 : 31;

	return (uint64_t)1 << (32 + (r & most));
}

static uint64_t set(const struct word *w, unsigned slots)
{
	uint64_t regs = 0;

	for (unsigned which = N; which <= M; which <<= 1) {
		if (slots & which)
			regs |= general(w, which);
		if (slots & which << 4)
			regs |= vector_bit(w, which);
	}
	return regs;
}

/* `n` vector registers of A64 from `first` on, wrapping from 31 to 0. */
static uint64_t vectors(unsigned first, unsigned n)
{
	uint32_t regs = ((uint32_t)1 << n) - 1;

	return (uint64_t)(regs << first | (first ? regs >> (32 - first) : 0)) << 32;
}

/* The registers of VLD1 to VST4 of one lane, or to all lanes: bits 9:8 give their number; they are
 * consecutive or every second one. */
static uint64_t lanes(const struct word *w, bool all)
{
	unsigned n = apmu_isa__at(w->bits, 8, 2) + 1, size = apmu_isa__at(w->bits, 10, 2);
	bool apart =
		all || size == 1 ? apmu_isa__at(w->bits, 5, 1) : size == 2 && apmu_isa__at(w->bits, 6, 1);

	if (n == 1)
		return of_list(number_d(w, D), 1u + (all && apart), 1);
	return of_list(number_d(w, D), n, apart ? 2 : 1);
}

/* A32: adds registers that no slot names. */
static void more_a32(const struct word *w, enum apmu_isa__more what, struct apmu_insn *out)
{
	unsigned d = number_d(w, D);
	uint64_t moved = 0, fpscr = (uint64_t)1 << FPSCR_A32;

	out->writes |= what == MORE_FPSCR_SET ? fpscr : 0;
	out->reads |= what == MORE_FPSCR_GET ? fpscr : 0;
	if (what == MORE_D_TABLE)
		out->reads |= of_list(number_d(w, N), apmu_isa__at(w->bits, 8, 2) + 1, 1);
	else if (what == MORE_S_NEXT)
		moved = of_s(number_s(w, M) + 1);
	else if (what >= MORE_D_LIST1 && what <= MORE_D_LIST4)
		moved = of_list(d, what - MORE_D_LIST1 + 1u, 1);
	else if (what >= MORE_D_APART2 && what <= MORE_D_APART4)
		moved = of_list(d, what - MORE_D_APART2 + 2u, 2);
	else if (what == MORE_D_LANE || what == MORE_D_ALL_LANES)
		moved = lanes(w, what == MORE_D_ALL_LANES);
	bool to = out->cls == APMU_CLASS_LOAD || (what == MORE_S_NEXT && !apmu_isa__at(w->bits, 20, 1));
	if (to)
		out->writes |= moved;
	if (!to || what == MORE_D_LANE)
		out->reads |= moved;
	if (to && what == MORE_D_LANE)
		out->late_reads |= moved;
}

/* A64: adds the vectors that LD1 to LD4 and ST1 to ST4 transfer. */
static void more_vectors(const struct word *w, enum apmu_isa__more what, struct apmu_insn *out)
{
	bool lane = what >= MORE_LANE1 && what <= MORE_LANE4;
	unsigned n = what - (lane ? MORE_LANE1 : MORE_STRUCT1) + 1u;
	uint64_t moved = vectors(slot(w, D), n);

	if (lane || out->cls == APMU_CLASS_LOAD)
		out->writes |= moved;
	if (lane || out->cls != APMU_CLASS_LOAD)
		out->reads |= moved;
	if (lane)
		out->late_reads |= moved; /* the lane is merged after it has arrived */
}

/* A64: adds registers that no slot names. */
static void more(const struct word *w, enum apmu_isa__more what, struct apmu_insn *out)
{
	uint64_t lr = (uint64_t)1 << LR_A64, sp = (uint64_t)1 << R31, next = 0;

	switch (what) {
	default: more_a32(w, what, out); return;
	case MORE_SAME:
	case MORE_NONE: return;
	case MORE_NEXT: out->reads |= vectors(slot(w, N), 2); return;
	case MORE_TABLE: out->reads |= vectors(slot(w, N), apmu_isa__at(w->bits, 13, 2) + 1); return;
	case MORE_STRUCT1:
	case MORE_STRUCT2:
	case MORE_STRUCT3:
	case MORE_STRUCT4:
	case MORE_LANE1:
	case MORE_LANE2:
	case MORE_LANE3:
	case MORE_LANE4: more_vectors(w, what, out); return;
	case MORE_CASP: /* an odd number is unallocated; the register after 30 reads as zero */
		next = set(w, M) << 1 & ~sp;
		out->reads |= next | (set(w, D) << 1 & ~sp);
		out->writes |= next;
		return;
	case MORE_LR_LR:
		out->writes |= lr;
		out->reads |= lr;
		return;
	case MORE_LR_SP_LR:
		out->writes |= lr;
		out->reads |= lr | sp;
		return;
	case MORE_LR_SP: out->reads |= lr | sp; return;
	case MORE_X16_X17:
		out->reads |= (uint64_t)3 << 16;
		out->writes |= (uint64_t)1 << 17;
		return;
	}
}

/* Register pairs of A32 are named by their first register. STREXD has it in M. */
static uint64_t pair_set(const struct word *w, const struct apmu_isa__row *row, unsigned slots)
{
	uint64_t regs = set(w, slots);
	unsigned which = row->how & EXCL && row->cls == APMU_CLASS_STORE ? M : D;

	if (w->isa == APMU_ISA__A32 && (row->how & PAIR) && (slots & which))
		regs |= set(w, which) << 1;
	return regs;
}

static uint64_t list(const struct word *w)
{
	if (!(w->how & LIST))
		return 0;
	if (w->size == 4)
		return w->bits & 0xFFFF;
	bool more = w->how & LISTLR && apmu_isa__at(w->bits, 8, 1);
	return (w->bits & 0xFF) | (uint64_t)more << (w->bits & 0x0800 ? 15 : LR_A32);
}

/* The registers of a VLDM or VSTM: imm8 words from D on. FLDMX has an odd number for D registers. */
static uint64_t vector_list(const struct word *w)
{
	unsigned n = apmu_isa__at(w->bits, 0, 8);
	uint64_t regs = 0;

	if (!(w->how & VLIST))
		return 0;
	if (kind(w, D) == DOUBLES)
		return of_list(number_d(w, D), n / 2 < 32 ? n / 2 : 32, 1);
	for (unsigned k = 0; k < n && k < 32; k++)
		regs |= of_s(number_s(w, D) + k);
	return regs;
}

static uint64_t back(const struct word *w, const struct apmu_isa__row *row)
{
	uint32_t b = w->bits;
	bool yes = false;

	switch ((enum apmu_isa__back)row->back) {
	case BACK_NO: return 0;
	case BACK_A32: yes = !(b >> 24 & 1) || (b >> 21 & 1); break;
	case BACK_W21: yes = b >> 21 & 1; break;
	case BACK_W8: yes = b >> 8 & 1; break;
	case BACK_B10: yes = b >> 10 & 1; break;
	case BACK_B11: yes = b >> 11 & 1; break;
	case BACK_B23: yes = b >> 23 & 1; break;
	case BACK_YES: yes = true; break;
	case BACK_NEON: yes = slot(w, M) != 15; break;
	case BACK_UNLISTED: return general(w, S) & ~list(w);
	}
	return yes ? general(w, N) : 0;
}

static unsigned count(uint64_t regs)
{
	return (unsigned)__builtin_popcountll(regs);
}

static void operands(const struct word *w, const struct apmu_isa__row *row, struct apmu_insn *out)
{
	uint64_t moved = list(w) | vector_list(w), sp = (uint64_t)1 << SP_A32, pc = (uint64_t)1 << 15;
	bool load = row->cls == APMU_CLASS_LOAD;

	out->reads = pair_set(w, row, row->reads) | (load ? 0 : moved);
	out->writes = pair_set(w, row, row->writes) | (load ? moved : 0) | back(w, row);
	out->shift_reads = set(w, row->early);
	unsigned added = (unsigned)(row->how >> ACC_SHIFT & 0xFF);
	out->late_reads = set(w, added) & ~set(w, row->reads & ~added); /* multiplied ones are not late */
	if (row->back == BACK_NEON && slot(w, M) != SP_A32)
		out->reads |= general(w, M);
	if (row->how & BASESP)
		out->reads |= sp, out->shift_reads |= row->cls == APMU_CLASS_ALU ? 0 : sp;
	if (row->how & MOVESP)
		out->writes |= sp;
	if (row->how & LINK)
		out->writes |= (uint64_t)1 << (w->isa == APMU_ISA__A64 ? LR_A64 : LR_A32);
	if (w->isa != APMU_ISA__A64)
		out->reads &= ~pc, out->writes &= ~pc;
	more(w, (enum apmu_isa__more)(row->how >> MORE_SHIFT & 0x3F), out);
	/* VLDM and VSTM move one S register per word, one D register per two words. */
	out->regs = (uint8_t)(row->how & VLIST ? apmu_isa__at(w->bits, 0, 8) / (row->width / 4u)
					       : count(list(w)));
}

/* 1 + the register of the low half (D), for a multiplication that writes two registers; else 0. */
static uint8_t low_half(const struct word *w, const struct apmu_isa__row *row)
{
	bool two = row->writes != D && (row->writes & D);

	if (row->cls != APMU_CLASS_MUL_LONG && row->cls != APMU_CLASS_MUL_HALF)
		return 0;
	return two ? (uint8_t)(1 + slot(w, D)) : 0;
}

static uint8_t width(const struct word *w, const struct apmu_isa__row *row)
{
	unsigned size = w->bits >> 30;

	if (w->isa != APMU_ISA__A64) /* these bits of `how` mean something else */
		return row->width;
	if (row->how & SIZE30)
		return (uint8_t)(1u << size);
	if (row->how & SIZE_P) /* exclusive pairs and CASP have their size in bit 30, the others in bit 31 */
		return w->bits >> (apmu_isa__at(w->bits, 24, 6) == 8 ? 30 : 31) & 1 ? 8 : 4;
	if (row->how & SIZE_V)
		return (uint8_t)(w->bits >> 23 & 1 ? 16 : 1u << size);
	if (row->how & SIZE_Q)
		return (uint8_t)(4u << size);
	return row->width;
}

/* True for A32 and T32 instructions that use the carry: ADC, SBC, RSC, RRX, also in an index. */
static bool carry(const struct word *w, const struct apmu_isa__row *row)
{
	unsigned op = apmu_isa__at(w->bits, 21, 4);

	if (!(row->how & CARRY))
		return false;
	if (w->size == 2)
		return apmu_isa__at(w->bits, 6, 4) == 5 || apmu_isa__at(w->bits, 6, 4) == 6;
	if (w->isa == APMU_ISA__T32)
		return op == 10 || op == 11;
	bool rrx = (w->bits & 0x0A000FF0) == 0x60 || (w->bits & 0x0E000FF0) == 0x06000060;
	return rrx || (!(w->bits >> 26 & 1) && op >= 5 && op <= 7);
}

/* True for A64 loads of a word that is sign-extended: LDRSW, LDURSW, LDAPURSW. */
static bool loads_signed_word(const struct word *w, const struct apmu_isa__row *row)
{
	bool ldapr = (w->bits & 0x3FFFFC00) == 0x38BFC000;

	return w->isa == APMU_ISA__A64 && row->cls == APMU_CLASS_LOAD && (row->how & SIZE30) && !ldapr &&
	       (w->bits >> 30) == 2 && apmu_isa__at(w->bits, 28, 1) && apmu_isa__at(w->bits, 22, 2) == 2;
}

static uint16_t flags(const struct word *w, const struct apmu_isa__row *row, const struct apmu_insn *insn)
{
	unsigned f = 0;

	f |= row->how & COND ? APMU_INSN_CONDITIONAL : 0;
	f |= row->how & RSHIFT ? APMU_INSN_SHIFT_REG : 0;
	f |= row->how & PAIR ? APMU_INSN_DOUBLE : 0;
	f |= row->how & (LIST | VLIST) ? APMU_INSN_MULTIPLE : 0;
	f |= row->how & EXCL ? APMU_INSN_EXCLUSIVE : 0;
	f |= row->how & MODE ? APMU_INSN_MODE : 0;
	f |= insn->width == 1 || insn->width == 2 || loads_signed_word(w, row) ? APMU_INSN_SUBWORD : 0;
	f |= row->how & ICACHE ? APMU_INSN_CACHE_OP : 0;
	f |= row->how & RF || carry(w, row) ? APMU_INSN_READS_FLAGS : 0;
	f |= row->how & WF || (row->how & WF_S && apmu_isa__at(w->bits, 20, 1)) ? APMU_INSN_SETS_FLAGS : 0;
	return (uint16_t)f;
}

/* The group of an instruction whose row names none: its class, except for bytes and halfwords of A32 and T32.
 */
static uint16_t group_of_class(const struct word *w, const struct apmu_isa__row *row)
{
	bool sub = w->isa != APMU_ISA__A64 && (row->width == 1 || row->width == 2);

	if (sub && row->cls == APMU_CLASS_LOAD)
		return APMU_GROUP_LOAD_SUB;
	return sub && row->cls == APMU_CLASS_STORE ? APMU_GROUP_STORE_SUB : row->cls;
}

static uint16_t group(const struct word *w, const struct apmu_isa__row *row)
{
	unsigned g = (unsigned)(row->how >> GROUP_SHIFT & 0x3FF), at = 32;

	if ((row->how >> MORE_SHIFT & 0x3F) == MORE_SAME && slot(w, N) == slot(w, M))
		g += row->how & WIDE ? 2 : 1;
	if (row->how & WIDE)
		at = w->isa == APMU_ISA__A64 ? 30 : row->how & Q24 ? 24 : 6;
	if (row->how & WIDE31)
		at = 31;
	if (row->how & WIDE23)
		at = 23;
	return (uint16_t)(g ? g + (at < 32 ? apmu_isa__at(w->bits, at, 1) : 0) : group_of_class(w, row));
}

static uint64_t bit(unsigned trait)
{
	return (uint64_t)1 << trait;
}

/* The trait of the class. An instruction that may change the PC is a branch, not data processing. */
static uint64_t class_trait(const struct apmu_isa__row *row)
{
	switch ((enum apmu_class)row->cls) {
	case APMU_CLASS_ALU:
	case APMU_CLASS_MUL:
	case APMU_CLASS_MUL_64:
	case APMU_CLASS_MUL_LONG:
	case APMU_CLASS_MUL_HALF:
	case APMU_CLASS_MUL_HIGH:
	case APMU_CLASS_DIV: return row->branch == APMU_BRANCH_NONE ? bit(APMU_TRAIT_DP) : 0;
	case APMU_CLASS_VFP:
	case APMU_CLASS_VFP_MAC:
	case APMU_CLASS_VFP_DIV:
	case APMU_CLASS_VFP_DIV_64: return bit(APMU_TRAIT_VFP);
	case APMU_CLASS_SIMD: return bit(APMU_TRAIT_ASE);
	case APMU_CLASS_SWAP: return bit(APMU_TRAIT_LSE);
	case APMU_CLASS_PRELOAD: return bit(APMU_TRAIT_PRELOAD);
	default: return 0;
	}
}

/* Traits of a load or store with acquire, release or both, where bits of the word say so. */
static uint64_t ordered(const struct word *w, const struct apmu_isa__row *row)
{
	bool store = row->cls == APMU_CLASS_STORE;
	uint64_t acquire = 0, release = 0;

	if (w->isa != APMU_ISA__A64)
		return 0;
	if (w->how & ORD15)
		*(store ? &release : &acquire) = apmu_isa__at(w->bits, 15, 1);
	if (w->how & ORD_CAS)
		acquire = apmu_isa__at(w->bits, 22, 1), release = apmu_isa__at(w->bits, 15, 1);
	if (w->how & ORD_LSE)
		acquire = apmu_isa__at(w->bits, 23, 1), release = apmu_isa__at(w->bits, 22, 1);
	return acquire << APMU_TRAIT_LDACQ | release << APMU_TRAIT_STREL;
}

/* True for a preload of code, PLI: in A64 a form of PRFM, in A32 and T32 distinguished by bit 24. */
static bool preloads_code(const struct word *w, const struct apmu_isa__row *row)
{
	unsigned yes = w->isa == APMU_ISA__A64   ? apmu_isa__at(w->bits, 3, 2) == 1
		       : w->isa == APMU_ISA__T32 ? apmu_isa__at(w->bits, 24, 1)
						 : !apmu_isa__at(w->bits, 24, 1);

	return row->cls == APMU_CLASS_PRELOAD && yes;
}

/* Traits for the types of its data. AES and SHA of A32 have none, but stand among instructions that do. */
static uint64_t types(const struct word *w, uint64_t own)
{
	if (w->isa == APMU_ISA__A64)
		return apmu_isa__format_traits(w->bits);
	return own & bit(APMU_TRAIT_CRYPTO) ? 0 : apmu_isa__format_traits_a32(w->bits);
}

static uint64_t traits(const struct word *w, const struct apmu_isa__row *row)
{
	unsigned trait = (unsigned)(row->how >> TRAIT_SHIFT);
	uint64_t own = trait ? bit(trait - 1) : 0;
	uint64_t vector = bit(APMU_TRAIT_ASE) | bit(APMU_TRAIT_CRYPTO) | bit(APMU_TRAIT_SVE);
	uint64_t all = own & vector ? own : own | class_trait(row);

	all |= preloads_code(w, row) ? bit(APMU_TRAIT_PLI) : 0;
	all |= w->isa == APMU_ISA__A64 && w->how & ORD_CAS ? bit(APMU_TRAIT_CAS) : 0;
	if (row->how & EXCL)
		all |= bit(row->cls == APMU_CLASS_STORE ? APMU_TRAIT_STREX : APMU_TRAIT_LDREX);
	if (all & (vector | bit(APMU_TRAIT_VFP)))
		all |= types(w, all);
	return all | ordered(w, row);
}

static uint64_t target(const struct word *w, enum apmu_isa__where where, uint64_t addr)
{
	if (where == TO_NONE)
		return 0;
	uint64_t to = addr + apmu_isa__distance(w->bits, where);
	if (where == TO_T32_X)
		to &= ~(uint64_t)3; /* A32 code is word-aligned: counted from Align(PC, 4) */
	return w->isa == APMU_ISA__A64 ? to : to & 0xFFFFFFFF;
}

/* True if the condition field, or the IT block around the instruction, makes it conditional. */
static bool conditional(struct apmu_isa__stream *stream, const struct word *w)
{
	if (w->isa == APMU_ISA__A32)
		return w->bits >> 28 < 0xE;
	if (!stream->it)
		return false;
	stream->it--;
	return true;
}

/* Instructions of an IT block: the lowest set bit of the mask ends it. */
static uint8_t it_length(uint32_t word)
{
	return (uint8_t)(4 - __builtin_ctz(word & 0xF));
}

bool apmu_isa__classify(struct apmu_isa__stream *stream, uint64_t addr, uint32_t opcode, unsigned size,
			struct apmu_insn *out)
{
	enum apmu_isa__isa isa = (enum apmu_isa__isa)stream->isa;
	uint32_t neon = neon_word(isa, opcode, size);
	struct word w = {.bits = neon ? neon : opcode, .isa = stream->isa, .size = (uint8_t)size};
	const struct apmu_isa__row *row = neon ? find(&apmu_isa__rows_neon, neon) : lookup(isa, opcode, size);
	bool cond = conditional(stream, &w);

	*out = (struct apmu_insn){.addr = addr,
				  .size = (uint8_t)size,
				  .thumb = w.isa == APMU_ISA__T32,
				  .halves = w.isa != APMU_ISA__A64};
	if (cond)
		out->flags = APMU_INSN_CONDITIONAL | APMU_INSN_READS_FLAGS;
	if (!row || row->cls == APMU_CLASS_UNKNOWN)
		return false;
	w.how = row->how;
	out->cls = row->cls;
	out->group = group(&w, row);
	out->branch = row->branch;
	out->width = width(&w, row);
	if (row->cls == APMU_CLASS_LOAD || row->cls == APMU_CLASS_STORE)
		out->aligned = apmu_isa__aligned(isa == APMU_ISA__A64, w.bits, out->width);
	out->low = low_half(&w, row);
	out->flags = (uint16_t)(out->flags | flags(&w, row, out));
	out->traits = traits(&w, row);
	out->target = target(&w, (enum apmu_isa__where)row->where, addr);
	operands(&w, row, out);
	if (row->how & WF_IT && !cond)
		out->flags |= APMU_INSN_SETS_FLAGS;
	if (cond && row->width == 0 &&
	    row->branch == APMU_BRANCH_NONE) /* if the condition fails, the old value remains */
		out->reads |= out->writes;
	if (row->how & ITSET)
		stream->it = it_length(opcode);
	if ((out->reads | out->writes) >> (isa == APMU_ISA__A64 ? 32 : 16))
		out->flags |= APMU_INSN_VECTOR;
	return true;
}

void apmu_isa__classify_operations(enum apmu_isa__isa isa, uint32_t opcode, struct apmu_insn *insn)
{
	if (isa == APMU_ISA__A64)
		apmu_isa__operations(opcode, insn->operations);
	apmu_isa__moved(opcode, insn);
	insn->operations[APMU_OPERATION_WORDS - 1] |= APMU_OPERATION_ASKED;
}

void apmu_isa__classify_kuser(uint64_t addr, struct apmu_insn *out)
{
	*out = (struct apmu_insn){.addr = addr, .size = 4, .flags = APMU_INSN_KUSER};
	out->cls = APMU_CLASS_BRANCH;
	out->branch = APMU_BRANCH_RETURN;
	out->reads = (uint64_t)1 << LR_A32;
}
