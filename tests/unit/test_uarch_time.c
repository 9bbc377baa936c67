/* SPDX-License-Identifier: MIT */
/* The issue model and the memory below the caches: GCC11, 7C11, AN195 4 for the ARM11s, PXA270 4 for XScale.
 */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

/* A machine whose fetch and translation cost nothing, so that only the pipeline and data accesses take time.
 */
static void open_quiet(struct lab *l, const char *core)
{
	lab_open(l, core);
	lab_set(l, "l1i.size", "0");
	lab_set(l, "itlb.entries", "0");
	lab_set(l, "dtlb.entries", "0");
	lab_start(l);
}

/* Checks cycles and data stalls of a block that runs on an idle machine; all accesses hit. */
#define CHECK_BLOCK(core, want_cycles, want_stalls, ...)                   \
	do {                                                               \
		struct lab l;                                              \
		open_quiet(&l, core);                                      \
		apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, __VA_ARGS__)); \
		CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), want_cycles);     \
		CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), want_stalls); \
		lab_close(&l);                                             \
	} while (0)

TEST(independent_instructions_issue_one_a_cycle)
{
	CHECK_BLOCK("arm1136", 3, 0, ADD(0, 1, 2), ADD(3, 4, 5), NOP());
	CHECK_BLOCK("arm1136", 3, 0, ADD(0, 1, 2), ADD(0, 0, 0), ADD(0, 0, 0)); /* forwarded */
}

TEST(a_shifter_operand_is_needed_a_cycle_early) /* GCC11: 2 into an early operand */
{
	CHECK_BLOCK("arm1136", 3, 1, ADD(0, 1, 2), ADD_LSL(3, 4, 0));
	CHECK_BLOCK("xscale1", 3, 1, ADD(0, 1, 2), ADD_LSL(3, 4, 0)); /* PXA270 4 */
}

TEST(a_rotation_with_extend_takes_a_cycle_more_on_xscale_alone) /* PXA270 4; elsewhere as by an immediate */
{
	struct apmu_insn rrx = ADD(0, 1, 2);
	rrx.group = APMU_GROUP_RRX;
	CHECK_BLOCK("xscale1", 2, 0, rrx);
	CHECK_BLOCK("xscale1", 3, 0, rrx, ADD(1, 0, 0));
	CHECK_BLOCK("arm1136", 2, 0, rrx, ADD(1, 0, 0));
}

TEST(a_register_controlled_shift_takes_a_cycle_more) /* PXA270 4: issue 2, result 2 */
{
	CHECK_BLOCK("xscale1", 2, 0, {.cls = APMU_CLASS_ALU, .writes = R(0), .flags = APMU_INSN_SHIFT_REG});
	CHECK_BLOCK("xscale1", 3, 0, {.cls = APMU_CLASS_ALU, .writes = R(0), .flags = APMU_INSN_SHIFT_REG},
		    ADD(1, 0, 0));
}

TEST(a_loaded_word_can_be_used_after_three_cycles) /* GCC11 */
{
	CHECK_BLOCK("arm1136", 4, 2, LDR(0, 1), ADD(2, 0, 0));
	CHECK_BLOCK("arm1136", 4, 0, LDR(0, 1), NOP(), NOP(), ADD(2, 0, 0));
	CHECK_BLOCK("xscale1", 4, 2, LDR(0, 1), ADD(2, 0, 0));
}

TEST(a_loaded_address_can_be_used_after_four_cycles) /* 7C11: load to load 4 */
{
	CHECK_BLOCK("arm1136", 5, 3, LDR(0, 1), LDR(2, 0));
}

TEST(a_loaded_byte_comes_a_cycle_later) /* GCC11 */
{
	CHECK_BLOCK("arm1136", 5, 3,
		    {.cls = APMU_CLASS_LOAD, .writes = R(0), .width = 1, .flags = APMU_INSN_SUBWORD},
		    ADD(2, 0, 0));
}

/* INSNBENCH: a byte reaches an ALU after 2 cycles, an address after 4, an ALU result an address after 3;
 * GCC53: 3 from a loaded word to an address. */
TEST(an_address_waits_for_an_alu_longer_than_for_a_word)
{
	struct apmu_insn byte = LDR(0, 1), post = LDR(0, 1);
	byte.width = 1;
	byte.flags = APMU_INSN_SUBWORD;
	post.writes |= R(1);
	CHECK_BLOCK("cortex-a53", 4, 2, ADD(0, 1, 2), LDR(3, 0));
	CHECK_BLOCK("cortex-a53", 3, 1, LDR(0, 1), ADD(3, 0, 0));
	CHECK_BLOCK("cortex-a53", 4, 2, LDR(0, 1), LDR(3, 0));
	CHECK_BLOCK("cortex-a53", 3, 1, byte, ADD(3, 0, 0));
	CHECK_BLOCK("cortex-a53", 5, 3, byte, LDR(3, 0));
	CHECK_BLOCK("cortex-a53", 3, 1, post, LDR(3, 1));
}

/* Stalls of the second block behind the first, whose last instruction is x. */
static uint64_t stalls_behind(struct apmu_insn x, struct apmu_insn user)
{
	struct lab l;
	open_quiet(&l, "cortex-a53");
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, x));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, user));
	uint64_t stalls = lab_count(&l, APMU_SIG_DATA_STALL);
	lab_close(&l);
	return stalls;
}

TEST(an_address_in_the_next_block_waits_as_long)
{
	struct apmu_insn byte = LDR(0, 1), post = LDR(0, 1);
	byte.width = 1;
	byte.flags = APMU_INSN_SUBWORD;
	post.writes |= R(1);
	CHECK_EQ(stalls_behind((struct apmu_insn)ADD(0, 1, 2), (struct apmu_insn)LDR(3, 0)), 2);
	CHECK_EQ(stalls_behind((struct apmu_insn)LDR(0, 1), (struct apmu_insn)ADD(3, 0, 0)), 1);
	CHECK_EQ(stalls_behind((struct apmu_insn)LDR(0, 1), (struct apmu_insn)LDR(3, 0)), 2);
	CHECK_EQ(stalls_behind(byte, (struct apmu_insn)LDR(3, 0)), 3);
	CHECK_EQ(stalls_behind(post, (struct apmu_insn)LDR(3, 1)), 1);
}

TEST(store_data_are_needed_a_cycle_late)
{
	CHECK_BLOCK("arm1136", 3, 1, LDR(0, 1), STR(0, 2));
}

TEST(a_multiply_holds_issue_and_comes_late) /* GCC11: issue 2, result 4 */
{
	CHECK_BLOCK("arm1136", 3, 0, MUL(0, 1, 2), NOP());
	CHECK_BLOCK("arm1136", 5, 2, MUL(0, 1, 2), ADD(3, 0, 0));
}

TEST(umlal_on_xscale_issues_in_two_and_results_in_five) /* PXA270 4, the guide's example */
{
	CHECK_BLOCK("xscale1", 6, 3, {.cls = APMU_CLASS_MUL_LONG, .writes = R(0) | R(1)}, ADD(2, 0, 0));
}

TEST(an_ldm_delivers_two_registers_a_cycle) /* GCC11: the first after 4 */
{
	CHECK_BLOCK("arm1136", 5, 3, LDM(0xFF, 8, 9), ADD(10, 0, 1));
	CHECK_BLOCK("arm1136", 8, 6, LDM(0xFF, 8, 9), ADD(10, 7, 7));
}

TEST(an_ldm_holds_only_the_load_store_unit_on_arm11)
{
	CHECK_BLOCK("arm1136", 4, 0, LDM(0xFF, 8, 9), NOP(), NOP(), NOP());
	CHECK_BLOCK("arm1136", 5, 0, LDM(0xFF, 8, 9),
		    STR(10, 11)); /* a second access waits for the unit, not for an operand */
}

TEST(the_last_cycle_of_an_ldm_may_move_one_register)
{
	CHECK_BLOCK("arm1136", 2, 0, LDM(0x3, 2, 9), STR(10, 11));
	CHECK_BLOCK("arm1136", 3, 0, LDM(0x7, 3, 9), STR(10, 11));
	CHECK_BLOCK("arm1136", 3, 0, LDM(0xF, 4, 9), STR(10, 11));
}

TEST(an_ldm_holds_issue_for_each_register_on_xscale)
{
	CHECK_BLOCK("xscale1", 10, 0, LDM(0xFF, 8, 9));
}

TEST(an_operand_that_is_late_at_a_block_end_stalls_the_next_block)
{
	struct lab l;
	open_quiet(&l, "arm1136");
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, NOP(), LDR(0, 1)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8008, ADD(2, 0, 0)));
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 3 + 2);
	lab_close(&l);
}

TEST(a_register_written_before_it_is_read_carries_nothing_over)
{
	struct lab l;
	open_quiet(&l, "arm1136");
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, LDR(0, 1)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, ADD(0, 3, 4), ADD(2, 0, 0)));
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 0);
	lab_close(&l);
}

TEST(a_base_that_is_written_back_does_not_wait_for_memory)
{
	struct apmu_insn ldr = LDR(0, 1), ldm = LDM(0xF0, 4, 1);
	ldr.writes |= R(1);
	ldm.writes |= R(1);
	CHECK_BLOCK("arm1136", 3, 1, ldr, LDR(2, 1)); /* an address is needed a cycle early */
	CHECK_BLOCK("arm1136", 2, 0, ldm, ADD(2, 1, 1));
	CHECK_BLOCK("arm1136", 5, 3, LDR(1, 1), LDR(2, 1)); /* no write-back: needs the loaded value */
}

/* What follows is fetched anew, as after a misprediction. */
TEST(an_isb_refills_the_pipeline)
{
	static const char *const cores[] = {"arm1136", "cortex-a53"};

	for (unsigned k = 0; k < 2; k++) {
		struct lab l;
		open_quiet(&l, cores[k]);
		struct apmu_block *isb = LAB_BLOCK(&l, 0x8000, ISB()), *nop = LAB_BLOCK(&l, 0x8004, NOP());
		apmu_uarch_enter(l.u, isb);
		apmu_uarch_enter(l.u, nop);
		uint64_t front = lab_count(&l, APMU_SIG_SLOT_FRONT), cycles = lab_count(&l, APMU_SIG_CYCLES);
		uint64_t stall = lab_count(&l, APMU_SIG_FETCH_STALL);
		uint64_t other = lab_count(&l, APMU_SIG_STALL_FETCH_OTHER);
		apmu_uarch_enter(l.u, isb);
		apmu_uarch_enter(l.u, nop);
		unsigned shown =
			l.p.stall_on_mispredict < l.p.mispredict ? l.p.stall_on_mispredict : l.p.mispredict;
		CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL) - stall, shown);
		CHECK_EQ(lab_count(&l, APMU_SIG_STALL_FETCH_OTHER) - other, shown);
		CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES) - cycles, 2 + l.p.mispredict);
		CHECK_EQ(lab_count(&l, APMU_SIG_SLOT_FRONT) - front, l.p.mispredict * l.p.width);
		lab_close(&l);
	}
}

TEST(a_load_miss_stalls_its_first_user_for_the_memory_latency)
{
	struct lab l;
	open_quiet(&l, "arm1136");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), ADD(2, 0, 0));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8008, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 2 + 95);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 5 + 95);
	lab_close(&l);
}

TEST(a_load_that_waits_for_a_load_does_not_leave_with_the_store_that_it_pairs_with)
{
	struct lab l;
	open_quiet(&l, "cortex-a55");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(2, 3), LDR(0, 1));
	CHECK_EQ(apmu_block_cycles(b), 1);
	for (unsigned k = 0; k < 3;
	     k++) { /* each load writes R0 again and so waits for the line of the last */
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, 0x1000, 4, true);
		apmu_uarch_access(l.u, b, 1, 0x20000 + 0x1000 * k, 4, false);
	}
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, ADD(2, 0, 0)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xA000, NOP()));
	CHECK(lab_count(&l, APMU_SIG_CYCLES) >= 3 * (uint64_t)apmu_uarch_find("cortex-a55")->memory);
	lab_close(&l);
}

TEST(work_between_a_load_and_its_user_hides_the_miss)
{
	struct lab l;
	open_quiet(&l, "arm1136");
	struct apmu_insn insn[200] = {LDR(0, 1)};
	for (unsigned i = 1; i < 199; i++)
		insn[i] = (struct apmu_insn)NOP();
	insn[199] = (struct apmu_insn)ADD(2, 0, 0);
	struct apmu_block *b = lab_block(&l, 0x8000, insn, 200);
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 201);
	lab_close(&l);
}

TEST(a_user_in_a_later_block_waits_for_what_is_left)
{
	struct lab l;
	open_quiet(&l, "arm1136");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	struct apmu_block *between = LAB_BLOCK(&l, 0x8004, NOP(), NOP(), NOP(), NOP(), NOP());
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_enter(l.u, between);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 6);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8018, NOP(), ADD(2, 0, 0)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8020, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 95 + 3 - 7); /* ready at 98, wanted at 7 */
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 9 + 91);
	lab_close(&l);
}

/* Loads from `n` lines; nothing uses the values. */
static void independent_misses(struct lab *l, unsigned n)
{
	struct apmu_block *b =
		LAB_BLOCK(l, 0x8000, LDR(0, 8), LDR(1, 8), LDR(2, 8), LDR(3, 8), LDR(4, 8), LDR(5, 8));
	apmu_uarch_enter(l->u, b);
	for (unsigned i = 0; i < n; i++)
		apmu_uarch_access(l->u, b, i, 0x1000 + 0x40 * i, 4, false);
}

TEST(three_misses_in_flight_are_free_and_the_fourth_fills_the_load_store_unit) /* 7C11; AN195 4, event 0x11 */
{
	struct lab l;
	open_quiet(&l, "arm1136");
	independent_misses(&l, 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_STALL), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_RUN), 0);
	lab_close(&l);
	open_quiet(&l, "arm1136");
	independent_misses(&l, 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_STALL), 95 - 3); /* issued at 3, the first lands at 95 */
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_RUN), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 6 + 92);
	lab_close(&l);
}

TEST(a_stall_that_goes_on_is_one_run) /* XSCALE 8, event 0x9: contiguous */
{
	struct lab l;
	open_quiet(&l, "arm1136");
	independent_misses(&l, 3);
	apmu_uarch_access(l.u, l.block[0], 3, 0x201E, 4, false); /* two lines, both missing */
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), 5);
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_STALL), 95 + 53 - 4); /* until the second read lands */
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_RUN), 1);
	apmu_uarch_access(l.u, l.block[0], 4, 0x3000, 4, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_RUN), 2);
	lab_close(&l);
}

TEST(a_second_read_waits_for_the_bus)
{
	struct lab l;
	open_quiet(&l, "arm1136");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 8), LDR(1, 8), ADD(2, 1, 1));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_access(l.u, b, 1, 0x2000, 4, false);
	apmu_uarch_break(l.u);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES),
		 53 + 95 + 3 + 1); /* bus free at 53, data, load to use, ADD */
	lab_close(&l);
}

TEST(a_hit_under_miss_waits_for_nobody_unless_it_wants_that_line)
{
	struct lab l;
	open_quiet(&l, "arm1136");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 8), LDR(1, 8), ADD(2, 1, 1), NOP());
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x2000, 4, false);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8010, ADD(3, 0, 0))); /* 0x2000 has arrived */
	apmu_uarch_enter(l.u, b);
	uint64_t stalls = lab_count(&l, APMU_SIG_DATA_STALL);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_access(l.u, b, 1, 0x2000, 4, false);
	apmu_uarch_break(l.u);
	CHECK_EQ(lab_count(&l, APMU_SIG_DATA_STALL), stalls);
	apmu_uarch_enter(l.u, b);
	stalls = lab_count(&l, APMU_SIG_DATA_STALL);
	apmu_uarch_access(l.u, b, 0, 0x3000, 4, false);
	apmu_uarch_access(l.u, b, 1, 0x3004, 4, false);
	apmu_uarch_break(l.u);
	CHECK(lab_count(&l, APMU_SIG_DATA_STALL) - stalls > 90);
	lab_close(&l);
}

TEST(stores_stall_only_when_the_write_buffer_is_full)
{
	struct lab l;
	open_quiet(&l, "arm1176"); /* 4 entries of 16 cycles */
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(0, 8), STR(1, 8), STR(2, 8), STR(3, 8), STR(4, 8));
	apmu_uarch_enter(l.u, b);
	for (unsigned i = 0; i < 4; i++)
		apmu_uarch_access(l.u, b, i, 0x1000 + 0x40 * i, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_STALL), 0);
	apmu_uarch_access(l.u, b, 4, 0x2000, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_LSU_FULL_STALL), 16 - 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_BCU_REQUEST), 5);
	lab_close(&l);
}

TEST(stores_to_one_line_share_a_write_buffer_entry)
{
	struct lab l;
	open_quiet(&l, "arm1176");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(0, 8), STR(1, 8), STR(2, 8), STR(3, 8));
	apmu_uarch_enter(l.u, b);
	for (unsigned i = 0; i < 4; i++)
		apmu_uarch_access(l.u, b, i, 0x1000 + 4 * i, 4, true);
	CHECK_EQ(lab_count(&l, APMU_SIG_BCU_REQUEST), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_EXT_ACCESS), 4);
	lab_close(&l);
}

TEST(a_barrier_waits_until_the_write_buffer_is_empty)
{
	struct lab l;
	open_quiet(&l, "arm1176");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(0, 8), DSB());
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, true);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8008, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 16 + 1);
	lab_close(&l);
}

TEST(an_unaligned_word_costs_a_cycle) /* 7C11 */
{
	struct lab l;
	open_quiet(&l, "arm1136");
	lab_set(&l, "memory", "0");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 8), LDR(1, 8), LDR(2, 8));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1004, 4, false);
	apmu_uarch_access(l.u, b, 1, 0x1006, 2, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 3);
	apmu_uarch_access(l.u, b, 2, 0x1006, 4, false);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 4);
	lab_close(&l);
}

TEST(a_pc_loaded_from_memory_is_waited_for)
{
	struct lab l;
	open_quiet(&l, "xscale1");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR_PC(1));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x1000, 4, false);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 1 + (60 - 1) + 7 + 1); /* issue, wait, IXP45X 3.9: 8, NOP */
	lab_close(&l);
}

TEST(xscale_branches_cost_what_the_manual_lists) /* IXP45X 3.9: B/BL 1 or 5, BX 5 */
{
	struct lab l;
	open_quiet(&l, "xscale1");
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, B(0x8000));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 1 + 4 + 1);
	apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES), 6 + 1);
	apmu_uarch_break(l.u);
	uint64_t before = lab_count(&l, APMU_SIG_CYCLES);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, BX(0)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_CYCLES) - before, 5 + 1);
	lab_close(&l);
}

TEST(the_80200_bus_queue_is_full_while_four_reads_are_in_flight) /* 80200, event 0x11 */
{
	struct lab l;
	open_quiet(&l, "xscale1");
	independent_misses(&l, 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_BCU_FULL), 0);
	lab_close(&l);
	open_quiet(&l, "xscale1");
	independent_misses(&l, 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_BCU_FULL), 60 - 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_BCU_REQUEST), 4);
	lab_close(&l);
}
