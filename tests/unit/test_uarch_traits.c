/* SPDX-License-Identifier: MIT */
/* The signals that instructions count as, success of store-exclusives, and unaligned accesses. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#define T(x)      (1u << APMU_TRAIT_##x)
#define N(l, sig) lab_count(&(l), APMU_SIG_##sig)
#define DMB()                                              \
	{                                                  \
		.cls = APMU_CLASS_SYSTEM, .traits = T(DMB) \
	}
#define VADD()                                           \
	{                                                \
		.cls = APMU_CLASS_SIMD, .traits = T(ASE) \
	}
#define STREX(d, n)                                                                                    \
	{                                                                                              \
		.cls = APMU_CLASS_STORE, .reads = R(n), .writes = R(d), .width = 4, .traits = T(STREX) \
	}

TEST(a_block_counts_each_trait_every_time_it_runs)
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, DMB(), VADD(), VADD(), BEQ(0x8000));
	for (unsigned i = 0; i < 3; i++)
		apmu_uarch_enter(l.u, b);
	CHECK_EQ(N(l, DMB_INST), 3);
	CHECK_EQ(N(l, ASE_INST), 6);
	CHECK_EQ(N(l, BR_COND), 3);
	CHECK_EQ(N(l, DSB_INST), 0);
	CHECK_EQ(N(l, BR_INDIRECT), 0);
	lab_close(&l);
}

/* A block of these instructions, whose operations are asked for, runs once. */
static void run_asked(struct lab *l, struct apmu_insn *insn, size_t n)
{
	lab_open(l, "generic-ooo");
	lab_start(l);
	for (size_t i = 0; i < n; i++)
		insn[i].operations[APMU_OPERATION_WORDS - 1] = APMU_OPERATION_ASKED;
	apmu_uarch_enter(l->u, lab_block(l, 0x8000, insn, n));
}

/* An atomic that returns a value is a load and a store; its elements and bytes are those of both. */
TEST(elements_and_bytes_are_those_of_the_direction)
{
	struct lab l;
	struct apmu_insn insn[] = {LDR(1, 2), STR(1, 2), SWP(3, 4, 2)};
	insn[0].elements = 3, insn[0].bytes = 24;
	insn[1].elements = 2, insn[1].bytes = 16;
	insn[2].elements = 2, insn[2].bytes = 8;
	run_asked(&l, insn, 3);
	CHECK_EQ(N(l, LD_ELEMENTS), 3 + 1);
	CHECK_EQ(N(l, LD_BYTES), 24 + 4);
	CHECK_EQ(N(l, ST_ELEMENTS), 2 + 1);
	CHECK_EQ(N(l, ST_BYTES), 16 + 4);
	lab_close(&l);
}

TEST(vectors_of_floats_count_by_their_precision)
{
	struct lab l;
	const uint64_t one = 1, ase = one << APMU_TRAIT_ASE, half = one << APMU_TRAIT_FP_HALF,
		       single = one << APMU_TRAIT_FP_SINGLE;
	struct apmu_insn insn[] = {VADD(), VADD(), VADD(), VADD()};
	insn[0].traits = ase | half;
	insn[1].traits = insn[2].traits = ase | single;
	insn[3].traits = one << APMU_TRAIT_VFP | one << APMU_TRAIT_FP_DOUBLE;
	run_asked(&l, insn, 4);
	CHECK_EQ(N(l, ASE_FP_HALF), 1);
	CHECK_EQ(N(l, ASE_FP_SINGLE), 2);
	CHECK_EQ(N(l, ASE_FP_DOUBLE), 0);
	CHECK_EQ(N(l, SVE_FP_HALF), 0);
	lab_close(&l);
}

TEST(branches_have_their_traits_from_their_kind)
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, BX_LR()));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BXEQ_LR()));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xA000, LDR_PC(1)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xB000, BLX(0xC000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xC000, BL(0x8000)));
	CHECK_EQ(N(l, BR_INDIRECT), 3); /* returns too */
	CHECK_EQ(N(l, BR_IMMED_X), 1);
	CHECK_EQ(N(l, BR_IMMED), 1);
	CHECK_EQ(N(l, BR_COND), 1);
	lab_close(&l);
}

TEST(what_a_fault_cut_off_is_taken_back)
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, VADD(), LDR(0, 1), VADD(), STREX(2, 3), BX_LR()));
	apmu_uarch_abandon(l.u, 1);
	CHECK_EQ(N(l, ASE_INST), 1);
	CHECK_EQ(N(l, STREX_INST), 0);
	CHECK_EQ(N(l, STREX_FAIL), 0);
	lab_close(&l);
}

TEST(a_return_counts_when_it_is_taken) /* PMUV3SHEET 6.4, event 0x0E */
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_set(&l, "predict", "0");
	lab_start(&l);
	struct apmu_block *conditional = LAB_BLOCK(&l, 0x8000, BXEQ_LR());
	struct apmu_block *next = LAB_BLOCK(&l, 0x8004, NOP(), BX_LR());
	apmu_uarch_enter(l.u, conditional); /* falls through */
	apmu_uarch_enter(l.u, next);
	apmu_uarch_enter(l.u, conditional);
	CHECK_EQ(N(l, RETURN_INST), 1);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BX_LR()));
	CHECK_EQ(N(l, RETURN_INST), 2);
	apmu_uarch_break(l.u);
	CHECK_EQ(N(l, RETURN_INST), 3);
	lab_close(&l);
}

TEST(a_store_exclusive_has_failed_unless_its_store_is_seen)
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STREX(0, 1), STR(2, 1), BEQ(0x8000));
	for (unsigned i = 0; i < 5; i++) {
		apmu_uarch_enter(l.u, b);
		if (i % 2)
			apmu_uarch_access(l.u, b, 0, 0x1000, 4, true);
		apmu_uarch_access(l.u, b, 1, 0x1000, 4, true); /* not an exclusive */
	}
	CHECK_EQ(N(l, STREX_INST), 5);
	CHECK_EQ(N(l, STREX_PASS), 2);
	CHECK_EQ(N(l, STREX_FAIL), 3);
	CHECK_EQ(N(l, ST_RETIRED), 7);
	lab_close(&l);
}

static uint64_t unaligned(struct lab *l, uint64_t addr, unsigned pieces, unsigned size, bool store)
{
	struct apmu_block *b =
		store ? LAB_BLOCK(l, 0x8000, STM(0xF, 4, 9)) : LAB_BLOCK(l, 0x8000, LDM(0xF, 4, 9));
	uint64_t before = lab_count(l, store ? APMU_SIG_UNALIGNED_ST : APMU_SIG_UNALIGNED_LD);
	apmu_uarch_enter(l->u, b);
	for (unsigned i = 0; i < pieces; i++)
		apmu_uarch_access(l->u, b, 0, addr + i * size, size, store);
	return lab_count(l, store ? APMU_SIG_UNALIGNED_ST : APMU_SIG_UNALIGNED_LD) - before;
}

TEST(an_instruction_is_unaligned_once_and_by_the_size_of_its_elements) /* PMUV3SHEET 6.4, event 0x0F */
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	CHECK_EQ(unaligned(&l, 0x1000, 4, 4, false), 0);
	CHECK_EQ(unaligned(&l, 0x1004, 1, 16, false), 0); /* four words in one call */
	CHECK_EQ(unaligned(&l, 0x1002, 4, 4, false), 1);
	CHECK_EQ(unaligned(&l, 0x1001, 1, 2, true), 1);
	CHECK_EQ(unaligned(&l, 0x1003, 1, 1, true), 0);
	CHECK_EQ(N(l, UNALIGNED_ST), 1);
	lab_close(&l);
}

TEST(an_access_of_two_words_is_aligned_if_words_are) /* DDI0406C A3.2.1: VLDM of D registers */
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	struct apmu_insn vldm = LDM(0xF, 4, 9);
	vldm.width = 8;
	vldm.aligned = 4;
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, vldm);
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1004, 8, false);
	CHECK_EQ(N(l, UNALIGNED_LD), 0);
	lab_close(&l);
}

TEST(traits_need_no_machine_to_run)
{
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
	apmu_signal_add(wanted, APMU_SIG_VFP_INST);
	CHECK(!apmu_uarch_needs_order(wanted));
	apmu_signal_add(wanted, APMU_SIG_STREX_FAIL);
	CHECK(apmu_uarch_needs_accesses(wanted));
}

TEST(signals_of_traits_that_nobody_wants_do_not_run_backwards)
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start_for(&l, APMU_SIG_LD_RETIRED);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STREX(0, 1), BEQ(0x8000));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, true);
	CHECK_EQ(N(l, STREX_FAIL), 0);
	lab_close(&l);
}
