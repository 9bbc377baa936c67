/* SPDX-License-Identifier: MIT */
/*
 * Every row of A32's and T32's tables, Advanced SIMD's too, against Capstone's operand access, on words whose
 * free bits are drawn by a fixed seed: registers read, registers written, flags read and written, in A32
 * (condition "always") and in T32 (outside an IT block). Where Capstone 4 is wrong, `corrections` says how
 * and the corrected answer is what must agree.
 */
#include "rows_case.h"

#include <capstone/capstone.h>
#include <string.h>

struct access {
	uint64_t reads, writes;
	bool reads_flags, sets_flags;
};

static uint64_t half(unsigned s)
{
	return (uint64_t)1 << ((s & 1 ? 16 : 32) + s / 2);
}

static uint64_t whole(unsigned d)
{
	return d < 16 ? half(2 * d) | half(2 * d + 1) : (uint64_t)1 << (32 + d);
}

static void add(unsigned reg, uint64_t *set, bool *flags)
{
	if (reg >= ARM_REG_R0 && reg <= ARM_REG_R12)
		*set |= (uint64_t)1 << (reg - ARM_REG_R0);
	else if (reg == ARM_REG_SP)
		*set |= (uint64_t)1 << 13;
	else if (reg == ARM_REG_LR)
		*set |= (uint64_t)1 << 14;
	else if (reg == ARM_REG_CPSR || reg == ARM_REG_APSR_NZCV)
		*flags = true;
	else if (reg == ARM_REG_FPSCR_NZCV || reg == ARM_REG_FPSCR)
		*set |= (uint64_t)1 << 15;
	else if (reg >= ARM_REG_S0 && reg <= ARM_REG_S31)
		*set |= half(reg - ARM_REG_S0);
	else if (reg >= ARM_REG_D0 && reg <= ARM_REG_D31)
		*set |= whole(reg - ARM_REG_D0);
	else if (reg >= ARM_REG_Q0 && reg <= ARM_REG_Q15)
		*set |= whole(2 * (reg - ARM_REG_Q0)) | whole(2 * (reg - ARM_REG_Q0) + 1);
}

/* How Capstone's answer is corrected, by mnemonic up to its first full stop. */
enum correction {
	ALL,      /* every register is read, the destination too */
	FIRST,    /* the first operand is written, the others are read */
	SECOND,   /* the first two are written, the others are read */
	READ,     /* every register is read, none is written */
	LISTED,   /* a list of registers is moved; the address is in the first operand or SP */
	ROUNDING, /* reads FPSCR for its rounding, which is no flag */
	SYSTEM    /* not compared: system registers have no operands there, or the word is unpredictable */
};

static const struct {
	const char *mnemonic;
	enum correction how;
} corrections[] = {
	{"umaal", ALL},      {"umlal", ALL},      {"umlals", ALL},     {"smlal", ALL},
	{"smlals", ALL},     {"smlalbb", ALL},    {"smlalbt", ALL},    {"smlaltb", ALL},
	{"smlaltt", ALL},    {"smlald", ALL},     {"smlaldx", ALL},    {"smlsld", ALL},
	{"smlsldx", ALL},    {"vswp", ALL},       {"vtrn", ALL},       {"vuzp", ALL},
	{"vzip", ALL},       {"pkhbt", FIRST},    {"pkhtb", FIRST},    {"ssat", FIRST},
	{"usat", FIRST},     {"ssat16", FIRST},   {"usat16", FIRST},   {"sxth", FIRST},
	{"uxth", FIRST},     {"sxtb", FIRST},     {"uxtb", FIRST},     {"sxtb16", FIRST},
	{"uxtb16", FIRST},   {"sxtab", FIRST},    {"uxtab", FIRST},    {"sxtah", FIRST},
	{"uxtah", FIRST},    {"sxtab16", FIRST},  {"uxtab16", FIRST},  {"mov", FIRST},
	{"movs", FIRST},     {"rev", FIRST},      {"rev16", FIRST},    {"strexd", FIRST},
	{"stlexd", FIRST},   {"ldrexd", SECOND},  {"ldaexd", SECOND},  {"strt", READ},
	{"strbt", READ},     {"strht", READ},     {"bx", READ},        {"stmdb", LISTED},
	{"push", LISTED},    {"vpush", LISTED},   {"vpop", LISTED},    {"vldmia", LISTED},
	{"vldmdb", LISTED},  {"vstmia", LISTED},  {"vstmdb", LISTED},  {"fldmiax", LISTED},
	{"fldmdbx", LISTED}, {"fstmiax", LISTED}, {"fstmdbx", LISTED}, {"vcvtr", ROUNDING},
	{"svc", SYSTEM},     {"mrc", SYSTEM},     {"mcr", SYSTEM},     {"mrrc", SYSTEM},
	{"mcrr", SYSTEM},    {"ldc", SYSTEM},     {"ldcl", SYSTEM},    {"stc", SYSTEM},
	{"stcl", SYSTEM},    {"mrs", SYSTEM},     {"vmsr", SYSTEM},    {"subs pc", SYSTEM},
	{"eret", SYSTEM},
};

static bool named(const cs_insn *there, const char *name)
{
	size_t n = strcspn(there->mnemonic, ".");
	return strlen(name) == n && strncmp(there->mnemonic, name, n) == 0;
}

static uint64_t operand(const cs_arm_op *op)
{
	uint64_t set = 0;
	bool flags = false;
	if (op->type == ARM_OP_REG)
		add((unsigned)op->reg, &set, &flags);
	if (op->shift.type > ARM_SFT_RRX)
		add(op->shift.value, &set, &flags);
	if (op->type == ARM_OP_MEM) {
		add(op->mem.base, &set, &flags);
		add(op->mem.index, &set, &flags);
	}
	return set;
}

/* The operands from `first` on. */
static uint64_t operands_from(const cs_insn *there, unsigned first)
{
	uint64_t set = 0;
	for (unsigned i = first; i < there->detail->arm.op_count; i++)
		set |= operand(&there->detail->arm.operands[i]);
	return set;
}

static void listed(const cs_insn *there, struct access *a)
{
	bool stack = there->mnemonic[1] == 'p' || there->mnemonic[0] == 'p'; /* vpush, vpop, push */
	bool load = strstr(there->mnemonic, "ld") || strstr(there->mnemonic, "pop");
	uint64_t base = stack ? 1u << 13 : operand(&there->detail->arm.operands[0]);
	uint64_t list = operands_from(there, !stack);
	a->reads = base | (load ? 0 : list);
	a->writes = (load ? list : 0) | (stack || strstr(there->op_str, "!") ? base : 0);
}

/* The part of the operand text with the address, which is behind a list. */
static const char *address(const cs_insn *there)
{
	const char *list = strchr(there->op_str, '}');
	return strchr(list ? list : there->op_str, '[');
}

/* Loads and stores write their base if something follows the bracket. Capstone misses some of these, and
 * takes "all lanes" for one. */
static void written_back(const cs_insn *there, struct access *a)
{
	const cs_arm *d = &there->detail->arm;
	bool back = address(there) && (strstr(address(there), "],") || strchr(address(there), '!')),
	     flags = false;
	for (unsigned i = 0; i < d->op_count; i++)
		if (d->operands[i].type == ARM_OP_MEM) {
			uint64_t base = 0;
			add(d->operands[i].mem.base, &base, &flags);
			bool loaded = (a->writes & base) && there->mnemonic[0] == 'l' &&
				      operands_from(there, 0) & base;
			a->writes = back ? a->writes | base : loaded ? a->writes : a->writes & ~base;
		}
}

static bool of_lane(const cs_insn *there)
{
	const char *at = strchr(there->op_str, '[');
	return strchr(there->op_str, '{') && at && at[1] >= '0' && at[1] <= '9';
}

/* A loaded lane keeps the rest of its register, which is thus read. Elements and shift amounts are read too.
 */
static void elements(const cs_insn *there, struct access *a)
{
	const cs_arm *d = &there->detail->arm;
	bool lane = strncmp(there->mnemonic, "vld", 3) == 0 && of_lane(there), flags = false;
	bool element = there->mnemonic[0] == 'v' &&
		       (there->mnemonic[1] == 'm' || there->mnemonic[1] == 'q') && !named(there, "vmov");
	for (unsigned i = 0; i < d->op_count; i++) {
		if (d->operands[i].shift.type > ARM_SFT_RRX)
			add(d->operands[i].shift.value, &a->reads, &flags);
		if ((lane && d->operands[i].type == ARM_OP_REG) ||
		    (element && d->operands[i].vector_index >= 0))
			a->reads |= operand(&d->operands[i]);
	}
}

/* Corrects Capstone's answer. False if the word is not compared. */
static bool correct(const cs_insn *there, struct access *a)
{
	for (size_t i = 0; i < sizeof(corrections) / sizeof(corrections[0]); i++) {
		if (!named(there, corrections[i].mnemonic))
			continue;
		unsigned written = corrections[i].how == FIRST ? 1 : corrections[i].how == SECOND ? 2 : 0;
		switch (corrections[i].how) {
		case ALL: a->reads |= operands_from(there, 0); break;
		case FIRST:
		case SECOND:
		case READ:
			a->reads = operands_from(there, written);
			a->writes = 0;
			for (unsigned k = 0; k < written; k++)
				a->writes |= operand(&there->detail->arm.operands[k]);
			break;
		case LISTED: listed(there, a); break;
		case ROUNDING: a->reads &= ~(uint64_t)0x8000; break;
		case SYSTEM: return false;
		}
	}
	bool memory = there->mnemonic[0] == 'l' || there->mnemonic[0] == 's' ||
		      strncmp(there->mnemonic, "vld", 3) == 0 || strncmp(there->mnemonic, "vst", 3) == 0;
	if (memory && !strstr(there->mnemonic, "ex"))
		written_back(there, a);
	elements(there, a);
	bool narrows = strncmp(there->mnemonic, "vcvtb.f16", 9) == 0 ||
		       strncmp(there->mnemonic, "vcvtt.f16", 9) == 0;
	a->reads |= narrows ? operand(&there->detail->arm.operands[0]) : 0;
	a->reads_flags |= strstr(there->op_str, "rrx") || named(there, "rrx") || named(there, "rrxs") ||
			  there->detail->arm.cc < ARM_CC_AL;
	a->reads_flags |= false;
	return true;
}

static struct access access_there(csh handle, const cs_insn *there)
{
	struct access a = {0};
	cs_regs reads, writes;
	uint8_t r = 0, w = 0;
	CHECK_EQ(cs_regs_access(handle, there, reads, &r, writes, &w), CS_ERR_OK);
	for (unsigned i = 0; i < r; i++)
		add(reads[i], &a.reads, &a.reads_flags);
	for (unsigned i = 0; i < w; i++)
		add(writes[i], &a.writes, &a.sets_flags);
	/* ADC, its kin, and what writes GE are said to write the flags */
	bool ge = named(there, "adc") || named(there, "sbc") || named(there, "rsc") || named(there, "uadd8");
	bool compares = named(there, "cmp") || named(there, "cmn") || named(there, "tst") ||
			named(there, "teq") || named(there, "vmrs");
	a.sets_flags = !ge && (there->detail->arm.update_flags || (compares && a.sets_flags));
	return a;
}

/* Pairs that begin with an odd register, lists beyond the last one, fields that must name one register twice.
 */
static bool unpredictable(const cs_insn *there, enum apmu_isa__isa isa, uint32_t word, unsigned size)
{
	bool pair = strstr(there->mnemonic, "exd") != NULL,
	     once = named(there, "clz") || named(there, "rbit") || strncmp(there->mnemonic, "rev", 3) == 0;
	bool list = strncmp(there->mnemonic, "vldm", 4) == 0 || strncmp(there->mnemonic, "vstm", 4) == 0 ||
		    strncmp(there->mnemonic, "fldm", 4) == 0 || strncmp(there->mnemonic, "fstm", 4) == 0 ||
		    named(there, "vpush") || named(there, "vpop");
	unsigned moved = word & 0xFF, d = word >> 12 & 15, more = word >> 22 & 1;
	if (pair && isa == APMU_ISA__A32)
		return word >> (there->mnemonic[0] == 'l' ? 12 : 0) & 1;
	if (once && isa == APMU_ISA__T32 && size == 4)
		return (word >> 16 & 15) != (word & 15);
	if (!list)
		return false;
	return word & 0x100 ? more * 16 + d + moved / 2 > 32 || moved > 33 : d * 2 + more + moved > 32;
}

/* Words that Capstone 4 decodes wrongly: it finds Advanced SIMD in T32 where there is none, takes preloads
 * for byte loads to the PC, and knows registers beyond D31. */
static bool mistaken(const cs_insn *there, enum apmu_isa__isa isa, uint32_t word, unsigned size)
{
	unsigned top = word >> 24;
	bool vector = (top & 0xEF) == 0xEF || top == 0xF9 || ((top & 0xEF) >= 0xEC && (top & 0xEF) <= 0xEE);
	bool vectors = there->mnemonic[0] == 'v' || strncmp(there->mnemonic, "sha", 3) == 0 ||
		       strncmp(there->mnemonic, "aes", 3) == 0;
	if (isa == APMU_ISA__T32 && size == 4 && vectors && !vector)
		return true;
	if (strstr(there->op_str, "fpinst") || strstr(there->op_str, "mvfr") ||
	    strstr(there->op_str, "fpexc") || strstr(there->op_str, "fpsid"))
		return true;
	if (strncmp(there->op_str, "pc", 2) == 0 || strncmp(there->mnemonic, "rfe", 3) == 0 ||
	    strncmp(there->mnemonic, "it", 2) == 0 || strncmp(there->mnemonic, "ms", 2) == 0 ||
	    strncmp(there->mnemonic, "mrs", 3) == 0)
		return true;
	return unpredictable(there, isa, word, size);
}

/* Armv8 instructions that Capstone 5 disassembles without knowing which operands are written. */
static bool knows_nothing(const cs_insn *there)
{
	const cs_arm *d = &there->detail->arm;

	if (cs_version(NULL, NULL) >> 8 < 5)
		return false;
	for (unsigned i = 0; i < d->op_count; i++)
		if (d->operands[i].type == ARM_OP_REG && d->operands[i].access == CS_AC_INVALID)
			return true;
	return false;
}

static bool agree(const struct access *a, const struct apmu_insn *here)
{
	return a->reads == here->reads && a->writes == here->writes &&
	       a->reads_flags == !!(here->flags & APMU_INSN_READS_FLAGS) &&
	       a->sets_flags == !!(here->flags & APMU_INSN_SETS_FLAGS);
}

static void put(enum apmu_isa__isa isa, uint32_t word, unsigned size, uint8_t code[4])
{
	if (isa == APMU_ISA__T32 && size == 4)
		word = word << 16 | word >> 16;
	for (unsigned i = 0; i < 4; i++)
		code[i] = (uint8_t)(word >> 8 * i);
}

/* Compares one word; returns 1 if it was compared. */
static unsigned one(csh handle, enum apmu_isa__isa isa, uint32_t word, unsigned size)
{
	uint8_t code[4];
	struct apmu_isa__stream stream = {.isa = (uint8_t)isa};
	struct apmu_insn here;
	cs_insn *there = NULL;
	put(isa, word, size, code);
	if (cs_disasm(handle, code, size, 0x10000, 1, &there) != 1)
		return 0;
	unsigned compared = 0;
	if (there->size == size && apmu_isa__classify(&stream, 0x10000, word, size, &here)) {
		struct access a = access_there(handle, there);
		if (!knows_nothing(there) && correct(there, &a) && !mistaken(there, isa, word, size)) {
			compared = 1;
			if (!agree(&a, &here))
				fail_msg(
					"%s %08x %s %s: reads %#llx writes %#llx flags %#x, not %#llx, %#llx, %d%d",
					isa == APMU_ISA__A32 ? "A32" : "T32", word, there->mnemonic,
					there->op_str, (unsigned long long)here.reads,
					(unsigned long long)here.writes, here.flags,
					(unsigned long long)a.reads, (unsigned long long)a.writes,
					a.reads_flags, a.sets_flags);
			CHECK_EQ(here.shift_reads & ~here.reads, 0);
			CHECK_EQ(here.late_reads & ~here.reads, 0);
		}
	}
	cs_free(there, 1);
	return compared;
}

static unsigned table(csh handle, enum apmu_isa__isa isa, const struct apmu_isa__rows *rows, unsigned size,
		      uint32_t also)
{
	uint64_t seed = 1;
	unsigned compared = 0;
	for (size_t i = 0; i < rows->n; i++)
		for (unsigned k = 0; k < WORDS; k++) {
			uint32_t w = (draw(&seed) & ~rows->row[i].mask) | rows->row[i].bits;
			compared += one(handle, isa, size == 2 ? w & 0xFFFF : w | also, size);
		}
	return compared;
}

static csh disassembler(cs_mode mode)
{
	csh handle;
	CHECK_EQ(cs_open(CS_ARCH_ARM, mode | CS_MODE_V8, &handle), CS_ERR_OK);
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	return handle;
}

TEST(each_row_of_a32_and_t32_is_needed_and_matches_any_register)
{
	static const uint8_t low[4] = {16, 12, 8, 0}, nowhere[4] = {31, 31, 31, 31};

	check_rows(&apmu_isa__rows_a32, low, 4);
	check_rows(&apmu_isa__rows_a32_always, low, 4);
	check_rows(&apmu_isa__rows_neon, low, 4);
	check_rows(&apmu_isa__rows_t32, low, 4);
	check_rows(&apmu_isa__rows_t16, nowhere, 0);
}

TEST(a32_instructions_read_and_write_the_registers_that_a_disassembler_says)
{
	csh handle = disassembler(CS_MODE_ARM);
	CHECK(table(handle, APMU_ISA__A32, &apmu_isa__rows_a32, 4, 0xE0000000) > 18000);
	CHECK(table(handle, APMU_ISA__A32, &apmu_isa__rows_a32_always, 4, 0) > 2500);
	CHECK(table(handle, APMU_ISA__A32, &apmu_isa__rows_neon, 4, 0) > 20000);
	cs_close(&handle);
}

/* The T32 form of an A32 Advanced SIMD word: bit 24 moves to bit 28. */
static uint32_t in_t32(uint32_t word)
{
	return (word & 0xFE000000) == 0xF2000000 ? 0xEF000000 | (word & 0x01000000) << 4 | (word & 0x00FFFFFF)
						 : 0xF9000000 | (word & 0x00FFFFFF);
}

TEST(t32_instructions_read_and_write_the_registers_that_a_disassembler_says)
{
	csh handle = disassembler(CS_MODE_THUMB);
	uint64_t seed = 2;
	unsigned compared = 0;
	CHECK(table(handle, APMU_ISA__T32, &apmu_isa__rows_t16, 2, 0) > 15000);
	CHECK(table(handle, APMU_ISA__T32, &apmu_isa__rows_t32, 4, 0) > 16000);
	for (size_t i = 0; i < apmu_isa__rows_neon.n; i++)
		for (unsigned k = 0; k < WORDS; k++) {
			const struct apmu_isa__row *row = &apmu_isa__rows_neon.row[i];
			compared +=
				one(handle, APMU_ISA__T32, in_t32((draw(&seed) & ~row->mask) | row->bits), 4);
		}
	CHECK(compared > 20000);
	cs_close(&handle);
}

/* Cases that Capstone 4 does not know: DDI0406C, DDI0487. */
static struct apmu_insn insn(uint32_t word)
{
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A32};
	struct apmu_insn here;
	CHECK(apmu_isa__classify(&stream, 0x10000, word, 4, &here));
	return here;
}

TEST(a_conditional_instruction_reads_what_it_may_leave)
{
	CHECK_EQ(insn(0x00810002).reads, 0x7); /* addeq r0, r1, r2 */
	CHECK_EQ(insn(0xE0810002).reads, 0x6); /* add r0, r1, r2 */
	CHECK_EQ(insn(0x05910000).reads, 0x2); /* ldreq r0, [r1]: not modelled for loads */
	CHECK_EQ(insn(0x0AFFFFFE).reads, 0);   /* beq */
}

TEST(accumulators_come_late)
{
	CHECK_EQ(insn(0xE0203291).late_reads, 1u << 3);             /* mla r0, r1, r2, r3 */
	CHECK_EQ(insn(0xE0A10392).late_reads, 3);                   /* umlal r0, r1, r2, r3 */
	CHECK_EQ(insn(0xEE000A81).late_reads, half(0));             /* vmla.f32 s0, s1, s2 */
	CHECK_EQ(insn(0xF2020D54).late_reads, whole(0) | whole(1)); /* vmla.f32 q0, q1, q2 */
	CHECK_EQ(insn(0xF3020C44).late_reads, whole(0) | whole(1)); /* sha256h.32 q0, q1, q2 */
	CHECK_EQ(insn(0xF3120C44).late_reads, whole(0) | whole(1)); /* sha256h2.32 q0, q1, q2 */
	CHECK_EQ(insn(0xE0213291).late_reads, 1u << 3);             /* mla r1, r1, r2, r3 */
	CHECK_EQ(insn(0xE0233391).late_reads, 0); /* mla r3, r1, r3, r3: a factor is not late */
}

TEST(a_lane_goes_into_what_there_is_late)
{
	CHECK_EQ(insn(0xF4A1002F).late_reads, whole(0)); /* vld1.8 {d0[1]}, [r1] */
	CHECK_EQ(insn(0xF4A10C0F).late_reads, 0);        /* vld1.8 {d0[]}, [r1] */
}

TEST(multiplications_of_vectors_are_grouped_by_the_size_of_their_operands)
{
	CHECK_EQ(insn(0xF2914C02).group, APMU_GROUP_VMULL);          /* vmull.s16 q2, d1, d2 */
	CHECK_EQ(insn(0xF2A14C02).group, APMU_GROUP_VMULL_32);       /* vmull.s32 */
	CHECK_EQ(insn(0xF3914242).group, APMU_GROUP_VMLAL);          /* vmlal.u16 q2, d1, d2[0] */
	CHECK_EQ(insn(0xF3A14242).group, APMU_GROUP_VMLAL_32);       /* vmlal.u32 */
	CHECK_EQ(insn(0xF2814802).group, APMU_GROUP_VMLAL);          /* vmlal.s8 q2, d1, d2 */
	CHECK_EQ(insn(0xF2110902).group, APMU_GROUP_VMLA);           /* vmla.i16 d0, d1, d2 */
	CHECK_EQ(insn(0xF2210902).group, APMU_GROUP_VMLA_32);        /* vmla.i32 d0, d1, d2 */
	CHECK_EQ(insn(0xF3220944).group, APMU_GROUP_VMLA_Q_32);      /* vmls.i32 q0, q1, q2 */
	CHECK_EQ(insn(0xF2120954).group, APMU_GROUP_VMUL_Q);         /* vmul.i16 q0, q1, q2 */
	CHECK_EQ(insn(0xF2210912).group, APMU_GROUP_VMUL_32);        /* vmul.i32 d0, d1, d2 */
	CHECK_EQ(insn(0xF3A20842).group, APMU_GROUP_VMUL_ELEM_Q_32); /* vmul.i32 q0, q1, d2[0] */
	CHECK_EQ(insn(0xF2A10442).group, APMU_GROUP_VMLA_ELEM_32);   /* vmls.i32 d0, d1, d2[0] */
}

TEST(permutations_that_write_two_registers_are_groups_of_their_own)
{
	CHECK_EQ(insn(0xF3B600C2).group, APMU_GROUP_VTRN2_Q); /* vtrn.16 q0, q1 */
	CHECK_EQ(insn(0xF3BA0081).group, APMU_GROUP_VTRN2);   /* vtrn.32 d0, d1 */
	CHECK_EQ(insn(0xF3B20001).group, APMU_GROUP_VTRN2);   /* vswp d0, d1 */
	CHECK_EQ(insn(0xF3B20042).group, APMU_GROUP_VTRN2_Q); /* vswp q0, q1 */
	CHECK_EQ(insn(0xF3B201C2).group, APMU_GROUP_VZIP2_Q); /* vzip.8 q0, q1 */
	CHECK_EQ(insn(0xF3B60101).group, APMU_GROUP_VZIP2);   /* vuzp.16 d0, d1 */
}

TEST(aligned_lists_of_vectors_are_groups_of_their_own)
{
	CHECK_EQ(insn(0xF461071F).group, APMU_GROUP_LD1_1_AT); /* vld1.8 {d16}, [r1:64] */
	CHECK_EQ(insn(0xF461070F).group, APMU_GROUP_LD1_1);    /* vld1.8 {d16}, [r1] */
	CHECK_EQ(insn(0xF4610A1F).group, APMU_GROUP_LD1_2);    /* vld1.8 {d16-d17}, [r1:64] */
	CHECK_EQ(insn(0xF4610A2F).group, APMU_GROUP_LD1_2_AT); /* vld1.8 {d16-d17}, [r1:128] */
	CHECK_EQ(insn(0xF461027F).group, APMU_GROUP_LD1_4_AT); /* vld1.16 {d16-d19}, [r1:256] */
	CHECK_EQ(insn(0xF461096F).group, APMU_GROUP_LD2_AT);   /* vld2.16 {d16, d18}, [r1:128] */
	CHECK_EQ(insn(0xF4410AAD).group, APMU_GROUP_ST1_2_AT); /* vst1.32 {d16-d17}, [r1:128]! */
	CHECK_EQ(insn(0xF4410292).group, APMU_GROUP_ST1_4);    /* vst1.32 {d16-d19}, [r1:64], r2 */
}

TEST(extensions_are_a_group_of_their_own)
{
	CHECK_EQ(insn(0xE6EF0071).group, APMU_GROUP_EXTEND); /* uxtb r0, r1 */
	CHECK_EQ(insn(0xE6BF0471).group, APMU_GROUP_EXTEND); /* sxth r0, r1, ror #8 */
	CHECK_EQ(insn(0xE7E30251).group, APMU_GROUP_BFX);    /* ubfx r0, r1, #4, #4 */
	CHECK_EQ(insn(0xE1A001E1).group, APMU_GROUP_BFX);    /* ror r0, r1, #3 */
	CHECK_EQ(insn(0xE1A00061).group, APMU_GROUP_RRX);    /* rrx r0, r1 */
	CHECK_EQ(insn(0xE0810062).group, APMU_GROUP_RRX);    /* add r0, r1, r2, rrx */
	CHECK_EQ(insn(0xE1510062).group, APMU_GROUP_RRX);    /* cmp r1, r2, rrx */
}

TEST(the_low_half_of_a_product_is_known)
{
	CHECK_EQ(insn(0xE0815392).low, 1 + 5); /* umull r5, r1, r2, r3 */
	CHECK_EQ(insn(0xE0A15392).low, 1 + 5); /* umlal r5, r1, r2, r3 */
	CHECK_EQ(insn(0xE0415392).low, 1 + 5); /* umaal r5, r1, r2, r3 */
	CHECK_EQ(insn(0xE1415382).low, 1 + 5); /* smlalbb r5, r1, r2, r3 */
	CHECK_EQ(insn(0xE0010392).low, 0);     /* mul r1, r2, r3 */
	CHECK_EQ(insn(0xE1015382).low, 0);     /* smlabb r1, r2, r3, r5 */
	CHECK_EQ(insn(0xE1C420D8).low, 0);     /* ldrd r2, r3, [r4, #8] */
}

TEST(a_compare_of_floating_point_reaches_a_condition_through_vmrs)
{
	CHECK_EQ(insn(0xEEB40A60).writes, 1u << 15); /* vcmp.f32 s0, s1 */
	CHECK_EQ(insn(0xEEF1FA10).reads, 1u << 15);  /* vmrs apsr_nzcv, fpscr */
	CHECK(insn(0xEEF1FA10).flags & APMU_INSN_SETS_FLAGS);
	CHECK(insn(0xFE000A81).flags & APMU_INSN_READS_FLAGS); /* vseleq.f32 s0, s1, s2 */
}

TEST(dot_products_since_armv8_add_to_their_destination)
{
	CHECK_EQ(insn(0xFC200D02).reads, whole(0) | whole(2));      /* vsdot.s8 d0, d0, d2 */
	CHECK_EQ(insn(0xFC220D44).late_reads, whole(0) | whole(1)); /* vsdot.s8 q0, q1, q2 */
	CHECK_EQ(insn(0xFE210D21).reads, whole(0) | whole(1));      /* vsdot.s8 d0, d1, d1[1] */
	CHECK_EQ(insn(0xFE210D21).late_reads, whole(0));
}
