/* SPDX-License-Identifier: MIT */
/*
 * Every row of A64's tables against Capstone's operand access: registers read, registers written, flags read
 * and written, on words whose free bits are drawn by a fixed seed. Where Capstone 4 is wrong, `corrections`
 * says how and the corrected answer is what must agree.
 */
#include "rows_case.h"

#include <capstone/capstone.h>
#include <string.h>

struct access {
	uint64_t reads, writes;
	bool reads_flags, sets_flags;
};

/* How Capstone's answer is corrected. */
enum correction {
	STAYS,     /* parts of the destination are kept or accumulated into: all operands are read */
	REPLACED,  /* the destination is not read */
	COMPARES,  /* the first operand is read, none is written */
	FIRST,     /* the first operand is written, the others are read */
	STRUCTURE, /* registers of a list are the data: all of them */
	SYSTEM,    /* not compared: system registers have no operands there */
	RETURNS    /* reads X30 where no register is named */
};

static const struct {
	const char *mnemonic;
	enum correction how;
} corrections[] = {
	{"ret", RETURNS},     {"svc", SYSTEM},      {"hint", SYSTEM},     {"msr", SYSTEM},
	{"mrs", SYSTEM},      {"cfinv", SYSTEM},    {"axflag", SYSTEM},   {"xaflag", SYSTEM},
	{"sys", SYSTEM},      {"sysl", SYSTEM},     {"tlbi", SYSTEM},     {"cmp", COMPARES},
	{"cmn", COMPARES},    {"tst", COMPARES},    {"movn", REPLACED},   {"movz", REPLACED},
	{"ubfiz", REPLACED},  {"ubfx", REPLACED},   {"sbfiz", REPLACED},  {"sbfx", REPLACED},
	{"adds", FIRST},      {"ld1", STRUCTURE},   {"ld2", STRUCTURE},   {"ld3", STRUCTURE},
	{"ld4", STRUCTURE},   {"ld1r", STRUCTURE},  {"ld2r", STRUCTURE},  {"ld3r", STRUCTURE},
	{"ld4r", STRUCTURE},  {"st1", STRUCTURE},   {"st2", STRUCTURE},   {"st3", STRUCTURE},
	{"st4", STRUCTURE},   {"aesmc", REPLACED},  {"aesimc", REPLACED}, {"ushr", REPLACED},
	{"sshr", REPLACED},   {"urshr", REPLACED},  {"srshr", REPLACED},  {"srsra", STAYS},
	{"tbl", REPLACED},    {"tbx", STAYS},       {"saddlp", REPLACED}, {"uaddlp", REPLACED},
	{"xtn2", STAYS},      {"sqxtn2", STAYS},    {"uqxtn2", STAYS},    {"sqxtun2", STAYS},
	{"fcvtn2", STAYS},    {"fcvtxn2", STAYS},   {"subhn2", STAYS},    {"raddhn2", STAYS},
	{"addhn2", STAYS},    {"rsubhn2", STAYS},   {"sabdl", REPLACED},  {"sabdl2", REPLACED},
	{"uabdl", REPLACED},  {"uabdl2", REPLACED}, {"sabd", REPLACED},   {"uabd", REPLACED},
	{"movi", REPLACED},   {"mvni", REPLACED},   {"shrn2", STAYS},     {"sqshrun2", STAYS},
	{"sqrshrun2", STAYS}, {"uqshrn2", STAYS},   {"uqrshrn2", STAYS},  {"sqshrn2", STAYS},
	{"sqrshrn2", STAYS},  {"rshrn2", STAYS},    {"asr", REPLACED},    {"lsr", REPLACED},
	{"lsl", REPLACED},    {"sxtb", REPLACED},   {"sxth", REPLACED},   {"sxtw", REPLACED},
	{"uxtb", REPLACED},   {"uxth", REPLACED},
};

/* Forms of a mnemonic that need STAYS: vectors with an immediate, an element written from a general register.
 */
static bool form_stays(uint32_t w)
{
	bool immediate = (w & 0x9FF89C00) == 0x0F001400 || (w & 0x9FF8DC00) == 0x0F009400; /* ORR, BIC */
	return immediate || (w & 0xFFFFFC00) == 0x9EAF0000;                                /* FMOV V.D[1] */
}

static bool form_is_bic(uint32_t w)
{
	return (w & 0xBFE0FC00) ==
	       0x0E601C00; /* BIC of three registers: Capstone leaves the second source out */
}

static void add(unsigned reg, uint64_t *set, bool *flags)
{
	static const struct {
		unsigned first, n, bit;
	} runs[] = {
		{ARM64_REG_X0, 29, 0},  {ARM64_REG_X29, 1, 29}, {ARM64_REG_X30, 1, 30},
		{ARM64_REG_W0, 31, 0},  {ARM64_REG_SP, 1, 31},  {ARM64_REG_WSP, 1, 31},
		{ARM64_REG_B0, 32, 32}, {ARM64_REG_H0, 32, 32}, {ARM64_REG_S0, 32, 32},
		{ARM64_REG_D0, 32, 32}, {ARM64_REG_Q0, 32, 32}, {ARM64_REG_V0, 32, 32},
	};
	if (reg == ARM64_REG_NZCV)
		*flags = true;
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		if (reg - runs[i].first < runs[i].n)
			*set |= (uint64_t)1 << (reg - runs[i].first + runs[i].bit);
}

static uint64_t operand(const cs_arm64_op *op)
{
	uint64_t set = 0;
	bool flags = false;
	if (op->type == ARM64_OP_REG)
		add(op->reg, &set, &flags);
	return set;
}

/* Corrects a structure load or store: its list, its base and its index. */
static void structure(const cs_insn *there, struct access *a)
{
	const cs_arm64 *d = &there->detail->arm64;
	bool load = there->mnemonic[0] == 'l', lane = false, flags = false;
	uint64_t list = 0, vectors = (uint64_t)UINT32_MAX << 32;
	for (unsigned i = 0; i < d->op_count; i++) {
		list |= operand(&d->operands[i]) & vectors;
		lane |= d->operands[i].vector_index >= 0;
	}
	bool back = a->writes & ~vectors; /* Capstone has the index among what is written */
	a->reads &= ~vectors;
	a->writes = 0;
	for (unsigned i = 0; i < d->op_count; i++)
		if (d->operands[i].type == ARM64_OP_REG)
			a->reads |= operand(&d->operands[i]) & ~vectors; /* the index */
		else if (d->operands[i].type == ARM64_OP_MEM)
			add(d->operands[i].mem.base, &a->reads, &flags),
				add(d->operands[i].mem.base, back ? &a->writes : &a->reads, &flags);
	if (load)
		a->writes |= list;
	if (!load || lane)
		a->reads |= list;
}

static void first(const cs_insn *there, struct access *a, bool written)
{
	const cs_arm64 *d = &there->detail->arm64;
	a->reads = a->writes = 0;
	for (unsigned i = 0; i < d->op_count; i++)
		*(i || !written ? &a->reads : &a->writes) |= operand(&d->operands[i]);
}

/* Corrects Capstone's answer. False if the word is not compared. */
static bool correct(const cs_insn *there, uint32_t word, struct access *a)
{
	uint64_t destination = operand(&there->detail->arm64.operands[0]);
	for (size_t i = 0; i < sizeof(corrections) / sizeof(corrections[0]); i++) {
		if (strcmp(there->mnemonic, corrections[i].mnemonic) != 0)
			continue;
		switch (corrections[i].how) {
		case STAYS:    /* fallthrough */
		case REPLACED: /* still read if it is a source too */
			a->reads = 0;
			for (unsigned k = corrections[i].how == REPLACED; k < there->detail->arm64.op_count;
			     k++)
				a->reads |= operand(&there->detail->arm64.operands[k]);
			break;
		case COMPARES: first(there, a, false); break;
		case FIRST: first(there, a, true); break;
		case STRUCTURE: structure(there, a); break;
		case SYSTEM: return false;
		case RETURNS: a->reads |= there->detail->arm64.op_count ? 0 : (uint64_t)1 << 30; break;
		}
	}
	if ((word & 0xFF000010) == 0x54000010) /* BC.cond: Capstone 5 says nothing of the flags */
		a->reads_flags = true;
	if ((word & 0xFFFFFF3F) ==
	    0xD503211F) { /* PACIA1716 and kin: Capstone 5 has their operands turned round */
		a->reads = (uint64_t)3 << 16;
		a->writes = (uint64_t)1 << 17;
	}
	if ((word & 0x7C000000) == 0x34000000) /* CBZ, CBNZ, TBZ, TBNZ: Capstone 5 has them read the flags */
		a->reads_flags = false;
	if ((word & 0xFF201FE0) == 0x1E201000 || (word & 0x9FF8F400) == 0x0F00F400) /* FMOV of an immediate */
		a->reads = 0;
	if (form_stays(word))
		a->reads |= destination;
	if (form_is_bic(word))
		a->reads |= operand(&there->detail->arm64.operands[1]) |
			    operand(&there->detail->arm64.operands[2]);
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
	return a;
}

static bool agree(const struct access *there, const struct apmu_insn *here)
{
	return there->reads == here->reads && there->writes == here->writes &&
	       there->reads_flags == !!(here->flags & APMU_INSN_READS_FLAGS) &&
	       there->sets_flags == !!(here->flags & APMU_INSN_SETS_FLAGS);
}

/* Armv8.2 instructions that Capstone 5 disassembles without knowing which operands are written. */
static bool knows_nothing(const cs_insn *there)
{
	const cs_arm64 *d = &there->detail->arm64;

	if (cs_version(NULL, NULL) >> 8 < 5)
		return false;
	for (unsigned i = 0; i < d->op_count; i++)
		if (d->operands[i].type == ARM64_OP_REG && d->operands[i].access == CS_AC_INVALID)
			return true;
	return false;
}

/* Compares one word; returns 1 if it was compared. */
static unsigned one(csh handle, uint32_t word)
{
	uint8_t code[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A64};
	struct apmu_insn here;
	cs_insn *there = NULL;
	unsigned compared = 0;
	if (cs_disasm(handle, code, 4, 0x10000, 1, &there) != 1)
		return 0;
	if (apmu_isa__classify(&stream, 0x10000, word, 4, &here)) {
		struct access a = access_there(handle, there);
		if (!knows_nothing(there) && correct(there, word, &a)) {
			compared = 1;
			if (!agree(&a, &here))
				fail_msg("%08x %s %s: reads %#llx writes %#llx flags %#x, not %#llx, %#llx, "
					 "%d%d",
					 word, there->mnemonic, there->op_str, (unsigned long long)here.reads,
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

static unsigned table(csh handle, const struct apmu_isa__rows *rows)
{
	uint64_t seed = 1;
	unsigned compared = 0;
	for (size_t i = 0; i < rows->n; i++)
		for (unsigned k = 0; k < WORDS; k++)
			compared += one(handle, (draw(&seed) & ~rows->row[i].mask) | rows->row[i].bits);
	return compared;
}

TEST(each_row_of_a64_is_needed_and_matches_any_register)
{
	static const uint8_t low[4] = {5, 0, 10, 16};

	check_rows(&apmu_isa__rows_a64, low, 5);
	check_rows(&apmu_isa__rows_a64_vector, low, 5);
	check_rows(&apmu_isa__rows_a64_sve, low, 5);
}

TEST(a64_instructions_read_and_write_the_registers_that_a_disassembler_says)
{
	csh handle;
	CHECK_EQ(cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &handle), CS_ERR_OK);
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	unsigned compared = table(handle, &apmu_isa__rows_a64) + table(handle, &apmu_isa__rows_a64_vector);
	CHECK(compared > 60000);
	cs_close(&handle);
}

/* Cases that Capstone 4 does not know: DDI0487. */
static struct apmu_insn insn(uint32_t word)
{
	struct apmu_isa__stream stream = {.isa = APMU_ISA__A64};
	struct apmu_insn here;
	CHECK(apmu_isa__classify(&stream, 0x10000, word, 4, &here));
	return here;
}

#define V(r) ((uint64_t)1 << (32 + (r)))

TEST(dot_products_and_complex_sums_add_to_their_destination)
{
	CHECK_EQ(insn(0x4E829420).reads, V(0) | V(1) | V(2)); /* sdot v0.4s, v1.16b, v2.16b */
	CHECK_EQ(insn(0x4E829420).late_reads, V(0));
	CHECK_EQ(insn(0x6E829420).reads, V(0) | V(1) | V(2)); /* udot */
	CHECK_EQ(insn(0x4F82E020).reads, V(0) | V(1) | V(2)); /* sdot by element */
	CHECK_EQ(insn(0x6E42C420).reads, V(0) | V(1) | V(2)); /* fcmla v0.8h, v1.8h, v2.8h, #0 */
	CHECK_EQ(insn(0x6E42E420).reads, V(1) | V(2));        /* fcadd v0.8h, v1.8h, v2.8h, #90 */
}

TEST(rounds_of_sha_add_to_their_destination)
{
	CHECK_EQ(insn(0x5E024020).late_reads, V(0)); /* sha256h q0, q1, v2.4s */
	CHECK_EQ(insn(0x5E025020).late_reads, V(0)); /* sha256h2 */
	CHECK_EQ(insn(0xCE628020).late_reads, V(0)); /* sha512h q0, q1, v2.2d */
	CHECK_EQ(insn(0xCE628C20).late_reads, 0);    /* rax1 v0.2d, v1.2d, v2.2d */
	CHECK_EQ(insn(0xCE628C20).group, APMU_GROUP_EOR3);
}

TEST(what_keeps_a_half_or_a_lane_reads_it_late)
{
	CHECK_EQ(insn(0x0D409020).late_reads, V(0)); /* ld1 {v0.s}[1], [x1] */
	CHECK_EQ(insn(0x4D40C820).late_reads, 0);    /* ld1r {v0.4s}, [x1] */
	CHECK_EQ(insn(0x4F1D8C83).late_reads, V(3)); /* rshrn2 v3.8h, v4.4s, #3 */
	CHECK_EQ(insn(0x4E612883).late_reads, V(3)); /* xtn2 v3.8h, v4.4s */
}

TEST(multiplications_of_vectors_are_grouped_by_the_size_of_their_operands)
{
	CHECK_EQ(insn(0x0E65C083).group, APMU_GROUP_VMULL);          /* smull v3.4s, v4.4h, v5.4h */
	CHECK_EQ(insn(0x0EA5C083).group, APMU_GROUP_VMULL_32);       /* smull v3.2d, v4.2s, v5.2s */
	CHECK_EQ(insn(0x0F452083).group, APMU_GROUP_VMLAL);          /* smlal v3.4s, v4.4h, v5.h[0] */
	CHECK_EQ(insn(0x0F852083).group, APMU_GROUP_VMLAL_32);       /* smlal v3.2d, v4.2s, v5.s[0] */
	CHECK_EQ(insn(0x6EA58083).group, APMU_GROUP_VMLAL_32);       /* umlal2 v3.2d, v4.4s, v5.4s */
	CHECK_EQ(insn(0x0EA59483).group, APMU_GROUP_VMLA_32);        /* mla v3.2s, v4.2s, v5.2s */
	CHECK_EQ(insn(0x6EA59483).group, APMU_GROUP_VMLA_Q_32);      /* mls v3.4s, v4.4s, v5.4s */
	CHECK_EQ(insn(0x4E659483).group, APMU_GROUP_VMLA_Q);         /* mla v3.8h, v4.8h, v5.8h */
	CHECK_EQ(insn(0x0EA59C83).group, APMU_GROUP_VMUL_32);        /* mul v3.2s, v4.2s, v5.2s */
	CHECK_EQ(insn(0x4EA59C83).group, APMU_GROUP_VMUL_Q);         /* mul v3.4s, v4.4s, v5.4s */
	CHECK_EQ(insn(0x4F858083).group, APMU_GROUP_VMUL_ELEM_Q_32); /* mul v3.4s, v4.4s, v5.s[0] */
	CHECK_EQ(insn(0x2F850083).group, APMU_GROUP_VMLA_ELEM_32);   /* mla v3.2s, v4.2s, v5.s[0] */
}

TEST(transpositions_are_a_group_beside_zips_and_unzips)
{
	CHECK_EQ(insn(0x4E452883).group, APMU_GROUP_VTRN_Q); /* trn1 v3.8h, v4.8h, v5.8h */
	CHECK_EQ(insn(0x0E456883).group, APMU_GROUP_VTRN);   /* trn2 v3.4h, v4.4h, v5.4h */
	CHECK_EQ(insn(0x4E457883).group, APMU_GROUP_VZIP_Q); /* zip2 v3.8h, v4.8h, v5.8h */
	CHECK_EQ(insn(0x0E051883).group, APMU_GROUP_VZIP);   /* uzp1 v3.8b, v4.8b, v5.8b */
}

TEST(moves_of_zero_and_of_a_vector_are_groups_of_their_own)
{
	CHECK_EQ(insn(0xD2800000).group, APMU_GROUP_MOV_ZERO);     /* movz x0, #0 */
	CHECK_EQ(insn(0xD2800020).group, APMU_GROUP_MOV_IMM);      /* movz x0, #1 */
	CHECK_EQ(insn(0x2A1F03E3).group, APMU_GROUP_MOV_ZERO);     /* mov w3, wzr */
	CHECK_EQ(insn(0x2A0403E3).group, APMU_GROUP_MOV_REG);      /* mov w3, w4 */
	CHECK_EQ(insn(0x4F00E401).group, APMU_GROUP_VMOVI_ZERO_Q); /* movi v1.16b, #0 */
	CHECK_EQ(insn(0x2F00E401).group, APMU_GROUP_VMOVI_ZERO);   /* movi d1, #0 */
	CHECK_EQ(insn(0x6F00E401).group, APMU_GROUP_VMOVI_ZERO_Q); /* movi v1.2d, #0 */
	CHECK_EQ(insn(0x4F002401).group, APMU_GROUP_VMOVI_ZERO_Q); /* movi v1.4s, #0, lsl #8 */
	CHECK_EQ(insn(0x4F008401).group, APMU_GROUP_VMOVI_ZERO_Q); /* movi v1.8h, #0 */
	CHECK_EQ(insn(0x4F00C401).group, APMU_GROUP_VMOVI_Q);      /* movi v1.4s, #0, msl #8 */
	CHECK_EQ(insn(0x6F000401).group, APMU_GROUP_VMOVI_Q);      /* mvni v1.4s, #0 */
	CHECK_EQ(insn(0x4F00F401).group, APMU_GROUP_VMOVI_Q);      /* fmov v1.4s, #2.0 */
	CHECK_EQ(insn(0x4EA21C41).group, APMU_GROUP_VMOV_Q);       /* mov v1.16b, v2.16b */
	CHECK_EQ(insn(0x0EA21C41).group, APMU_GROUP_VMOV);         /* mov v1.8b, v2.8b */
	CHECK_EQ(insn(0x4EA31C41).group, APMU_GROUP_VLOGIC_Q);     /* orr v1.16b, v2.16b, v3.16b */
	CHECK_EQ(insn(0x4EE21C41).group, APMU_GROUP_VLOGIC_Q);     /* orn v1.16b, v2.16b, v2.16b */
	CHECK_EQ(insn(0x9E6703E1).group, APMU_GROUP_FMOV_ZERO);    /* fmov d1, xzr */
	CHECK_EQ(insn(0x9E670021).group, APMU_GROUP_FMOV_FROM);    /* fmov d1, x1 */
}

TEST(divisions_selections_loads_and_stores_of_sve_are_groups_of_their_own)
{
	CHECK_EQ(insn(0x654D83E0).group, APMU_GROUP_SVE_FDIV_16);  /* fdiv z0.h, p0/m, z0.h, z31.h */
	CHECK_EQ(insn(0x658D83E0).group, APMU_GROUP_SVE_FDIV_32);  /* fdiv z0.s, p0/m, z0.s, z31.s */
	CHECK_EQ(insn(0x65CC83E0).group, APMU_GROUP_SVE_FDIV_64);  /* fdivr z0.d, p0/m, z0.d, z31.d */
	CHECK_EQ(insn(0x654DA020).group, APMU_GROUP_SVE_FSQRT_16); /* fsqrt z0.h, p0/m, z1.h */
	CHECK_EQ(insn(0x658DA020).group, APMU_GROUP_SVE_FSQRT_32); /* fsqrt z0.s, p0/m, z1.s */
	CHECK_EQ(insn(0x65CDA020).group, APMU_GROUP_SVE_FSQRT_64); /* fsqrt z0.d, p0/m, z1.d */
	CHECK_EQ(insn(0x05E1A000).group, APMU_GROUP_SVE_LAST_TO);  /* lastb x0, p0, z0.d */
	CHECK_EQ(insn(0x05F0A020).group, APMU_GROUP_SVE_CLAST_TO); /* clasta x0, p0, x0, z1.d */
	CHECK_EQ(insn(0x05E38020).group, APMU_GROUP_SVE_LAST);     /* lastb d0, p0, z1.d */
	CHECK_EQ(insn(0xA5E0A000).group, APMU_GROUP_SVE_LD1);      /* ld1d {z0.d}, p0/z, [x0] */
	CHECK_EQ(insn(0x85804000).group, APMU_GROUP_SVE_LD1);      /* ldr z0, [x0] */
	CHECK_EQ(insn(0x85800000).group, APMU_GROUP_SVE_LDR_PRED); /* ldr p0, [x0] */
	CHECK_EQ(insn(0xA540E000).group, APMU_GROUP_SVE_LD3);      /* ld3w {z0.s,z1.s,z2.s}, p0/z, [x0] */
	CHECK_EQ(insn(0xC5C1C000).group, APMU_GROUP_SVE_GATHER);   /* ld1d {z0.d}, p0/z, [x0, z1.d] */
	CHECK_EQ(insn(0x8520C020).group, APMU_GROUP_SVE_GATHER);   /* ld1w {z0.s}, p0/z, [z1.s] */
	CHECK_EQ(insn(0xE5E0E000).group, APMU_GROUP_SVE_ST1);      /* st1d {z0.d}, p0, [x0] */
	CHECK_EQ(insn(0xE530E000).group, APMU_GROUP_SVE_ST2);      /* st2w {z0.s,z1.s}, p0, [x0] */
	CHECK_EQ(insn(0xE581A000).group, APMU_GROUP_SVE_SCATTER);  /* st1d {z0.d}, p0, [x0, z1.d] */
}

TEST(a_signed_return_reads_the_link_register_and_the_stack_pointer)
{
	CHECK_EQ(insn(0xD65F0BFF).reads, (uint64_t)1 << 30 | (uint64_t)1 << 31);         /* retaa */
	CHECK_EQ(insn(0xD503233F).writes, (uint64_t)1 << 30);                            /* paciasp */
	CHECK_EQ(insn(0xD53B4200).flags & APMU_INSN_READS_FLAGS, APMU_INSN_READS_FLAGS); /* mrs x0, nzcv */
	CHECK_EQ(insn(0xD51B4200).flags & APMU_INSN_SETS_FLAGS, APMU_INSN_SETS_FLAGS);   /* msr nzcv, x0 */
}

TEST(compare_and_swap_of_a_pair_takes_both_registers_of_each)
{
	struct apmu_insn x = insn(0x48207C82); /* casp x0, x1, x2, x3, [x4] */
	CHECK_EQ(x.reads, 0x1F);
	CHECK_EQ(x.writes, 0x3);
}
