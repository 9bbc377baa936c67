/* SPDX-License-Identifier: MIT */
/* Branches: AN195 5, DDI0301H 5 and table 16-11 for the ARM11s; XSCALE 8, IXP42X 3.5 for XScale. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

/* A loop of one block that runs `rounds` times, then the block behind it. */
static void loop(struct lab *l, unsigned rounds)
{
	struct apmu_block *body = LAB_BLOCK(l, 0x8000, NOP(), NOP(), BEQ(0x8000));
	struct apmu_block *after = LAB_BLOCK(l, 0x800C, NOP());
	for (unsigned k = 0; k < rounds; k++)
		apmu_uarch_enter(l->u, body);
	apmu_uarch_enter(l->u, after);
}

TEST(with_prediction_off_every_taken_branch_is_mispredicted) /* AN195 5 */
{
	const char *cores[] = {"arm1136", "arm1156", "arm1176", "xscale1", "xscale2"};
	for (unsigned c = 0; c < 5; c++) {
		struct lab l;
		lab_open(&l, cores[c]);
		lab_set(&l, "predict", "0");
		lab_start(&l);
		loop(&l, 100);
		CHECK_EQ(lab_count(&l, APMU_SIG_BR_EXEC), 100);
		CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 99);
		CHECK_EQ(lab_count(&l, APMU_SIG_BR_IMMED_MIS_PRED), 99);
		CHECK_EQ(lab_count(&l, APMU_SIG_PC_CHANGE), 99);
		lab_close(&l);
	}
}

TEST(with_prediction_off_an_unconditional_branch_is_mispredicted_too) /* AN195 5 */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_set(&l, "predict", "0");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, B(0x8000));
	for (unsigned k = 0; k < 10; k++)
		apmu_uarch_enter(l.u, b);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_EXEC), 10);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 9); /* the tenth is not resolved yet */
	lab_close(&l);
}

TEST(arm11_predicts_a_backward_branch_the_first_time_and_misses_the_exit) /* DDI0301H 5-5: static rule */
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	loop(&l, 100);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 1);
	lab_close(&l);
}

TEST(arm11_predicts_a_forward_branch_not_taken_the_first_time)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, BEQ(0x9008));
	struct apmu_block *taken = LAB_BLOCK(&l, 0x9008, B(0x8000));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_enter(l.u, taken);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 1);
	apmu_uarch_enter(l.u, b); /* the branch back: predicted right by the static rule */
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 1);
	apmu_uarch_enter(l.u, taken); /* now the BTAC knows the first */
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 1);
	lab_close(&l);
}

TEST(xscale_predicts_what_is_not_in_its_btb_not_taken) /* IXP42X 3.5: allocated weakly taken */
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_start(&l);
	loop(&l, 100);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_IMMED_MIS_PRED), 2); /* the first time and the exit */
	lab_close(&l);
}

TEST(two_bit_counters_need_two_surprises) /* loop of 3 run again and again: only the exit is wrong */
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_start(&l);
	struct apmu_block *body = LAB_BLOCK(&l, 0x8000, NOP(), BEQ(0x8000));
	struct apmu_block *after = LAB_BLOCK(&l, 0x8008, SVC());
	for (unsigned run = 0; run < 10; run++) {
		for (unsigned k = 0; k < 3; k++)
			apmu_uarch_enter(l.u, body);
		apmu_uarch_enter(l.u, after);
		apmu_uarch_break(l.u);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_IMMED_MIS_PRED), 1 + 10);
	lab_close(&l);
}

TEST(a_branch_is_evicted_by_one_that_shares_its_entry)
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_start(&l);
	struct apmu_block *a =
		LAB_BLOCK(&l, 0x8000, B(0x8200)); /* 128 entries of 4 bytes apart: same entry */
	struct apmu_block *b = LAB_BLOCK(&l, 0x8200, B(0x8000));
	for (unsigned k = 0; k < 10; k++) {
		apmu_uarch_enter(l.u, a);
		apmu_uarch_enter(l.u, b);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_IMMED_MIS_PRED), 19);
	lab_close(&l);
}

TEST(xscale_keeps_its_entry_when_a_branch_that_shares_it_is_not_taken) /* IXP42X 3.5: allocated when taken */
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_start(&l);
	struct apmu_block *taken = LAB_BLOCK(&l, 0x8000, B(0x8200));
	struct apmu_block *untaken = LAB_BLOCK(&l, 0x8200, BEQ(0x9000));
	struct apmu_block *back = LAB_BLOCK(&l, 0x8204, B(0x8000));
	for (unsigned k = 0; k < 10; k++) {
		apmu_uarch_enter(l.u, taken);
		apmu_uarch_enter(l.u, untaken);
		apmu_uarch_enter(l.u, back);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_IMMED_MIS_PRED), 2); /* each of the taken ones, the first time */
	lab_close(&l);
}

TEST(a_new_entry_is_weakly_taken) /* IXP42X 3.5 */
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, BEQ(0x9000));
	struct apmu_block *there = LAB_BLOCK(&l, 0x9000, SVC()), *on = LAB_BLOCK(&l, 0x8004, SVC());
	struct apmu_block *next[] = {there, on, there};
	for (unsigned k = 0; k < 3; k++) {
		apmu_uarch_enter(l.u, b);
		apmu_uarch_enter(l.u, next[k]);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_IMMED_MIS_PRED), 3);
	lab_close(&l);
}

TEST(bl_and_b_are_immediate_and_everything_that_writes_the_pc_is_a_branch)
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, B(0x9000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BL(0xA000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xA000, BLX(0xB000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xB000, MOV_PC(0)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xC000, LDR_PC(0)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xD000, BX_LR()));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xE000, SVC()));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xF000, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_EXEC), 6);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_IMMED), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_OTHER), 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_PC_CHANGE),
		 6); /* AN195 table 2, 0xD: MOV to the PC counts, SWI does not */
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_IMMED_MIS_PRED), 2);
	lab_close(&l);
}

TEST(a_branch_that_a_signal_interrupts_resolves_nothing)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, BEQ(0x9000)));
	apmu_uarch_break(l.u);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xF000, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_EXEC), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_PC_CHANGE), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 0);
	lab_close(&l);
}

TEST(an_unconditional_branch_that_a_signal_interrupts_has_gone_where_it_says)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, B(0x9000)));
	apmu_uarch_break(l.u);
	CHECK_EQ(lab_count(&l, APMU_SIG_PC_CHANGE), 1);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BX(0)));
	apmu_uarch_break(l.u);
	CHECK_EQ(lab_count(&l, APMU_SIG_PC_CHANGE), 2);
	lab_close(&l);
}

/* Calls nested `depth` deep, then as many returns. */
static void nest(struct lab *l, unsigned depth)
{
	for (unsigned k = 0; k < depth; k++)
		apmu_uarch_enter(l->u, LAB_BLOCK(l, 0x10000 + 0x100 * k, BL(0x10000 + 0x100 * (k + 1))));
	apmu_uarch_enter(l->u, LAB_BLOCK(l, 0x10000 + 0x100 * depth, BX_LR()));
	for (unsigned k = depth; k-- > 0;)
		apmu_uarch_enter(l->u, LAB_BLOCK(l, 0x10004 + 0x100 * k, BX_LR()));
}

TEST(three_nested_calls_return_as_predicted) /* AN195 table 2, 0x23-0x26; 7C11: three entries */
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	nest(&l, 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_CALL), 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN), 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_PRED), 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_MIS_PRED), 0);
	lab_close(&l);
}

/* BL, BLX to a constant and BLX to a register. */
TEST(each_kind_of_call_pushes_its_return)
{
	struct apmu_insn calls[] = {BL(0x9000), BLX(0x9000), BX(0)};
	calls[2].branch = APMU_BRANCH_INDIRECT_LINK;
	for (unsigned k = 0; k < 3; k++) {
		struct lab l;
		lab_open(&l, "arm1176");
		lab_start(&l);
		apmu_uarch_enter(l.u, lab_block(&l, 0x8000, &calls[k], 1));
		apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BX_LR()));
		apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, NOP()));
		CHECK_EQ(lab_count(&l, APMU_SIG_CALL), 1);
		CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_PRED), 1);
		CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_MIS_PRED), 0);
		lab_close(&l);
	}
}

/* A53TRM 6: data processing that writes the PC is not predicted; BX LR is. */
TEST(a_core_that_does_not_predict_data_processing_misses_each_mov_pc_lr)
{
	for (unsigned predicted = 0; predicted < 2; predicted++) {
		struct lab l;
		lab_open(&l, "cortex-a53");
		lab_set(&l, "alu_branches", predicted ? "1" : "0");
		lab_start(&l);
		struct apmu_insn back = MOV_PC(14);
		back.branch = APMU_BRANCH_RETURN;
		for (unsigned k = 0; k < 10; k++) {
			apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, BL(0x9000)));
			apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, back));
			apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, NOP()));
		}
		CHECK_EQ(lab_count(&l, APMU_SIG_BR_RETURN_WRONG), predicted ? 0 : 10);
		CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_PRED), predicted ? 10 : 0);
		lab_close(&l);
	}
}

TEST(as_many_neighbouring_calls_as_the_target_buffer_has_entries_fit)
{
	enum { CALLS = 32 };
	struct apmu_block *site[CALLS], *function;
	struct lab l;
	lab_open(&l, "cortex-a53");
	lab_set(&l, "targets", "32");
	lab_start(&l);
	function = LAB_BLOCK(&l, 0x9000, BX_LR());
	for (unsigned k = 0; k < CALLS; k++) {
		struct apmu_insn call = BX(1);
		call.branch = APMU_BRANCH_INDIRECT_LINK;
		site[k] = LAB_BLOCK(&l, 0x8000 + 4 * k, call);
	}
	for (unsigned k = 0; k < 3 * CALLS; k++) {
		apmu_uarch_enter(l.u, site[k % CALLS]);
		apmu_uarch_enter(l.u, function);
	}
	apmu_uarch_enter(l.u, site[0]);
	/* the function's last return of each round goes elsewhere */
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_INDIRECT_MIS_PRED), CALLS + 3);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_RETURN_WRONG), 3);
	lab_close(&l);
}

/* An interpreter's handlers of 32 bytes, each of which ends in a jump to a handler of its own. Returns how
 * many jumps are mispredicted. */
static uint64_t wrong_handlers(struct lab *l)
{
	uint64_t before = lab_count(l, APMU_SIG_BR_INDIRECT_MIS_PRED);
	for (unsigned k = 0; k <= 64; k++)
		apmu_uarch_enter(l->u, LAB_BLOCK(l, 0xA000 + 32u * (37 * k % 64), NOP(), BX(1)));
	return lab_count(l, APMU_SIG_BR_INDIRECT_MIS_PRED) - before;
}

TEST(most_handlers_of_an_interpreter_have_an_entry_of_their_own)
{
	struct lab l;
	lab_open(&l, "cortex-a53"); /* 256 entries */
	lab_start(&l);
	wrong_handlers(&l);
	CHECK(wrong_handlers(&l) < 64 / 2);
	lab_close(&l);
}

TEST(the_oldest_of_four_nested_calls_is_lost)
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	nest(&l, 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_CALL), 4);
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_PRED), 3); /* DDI0301H table 16-11: empty return stack */
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_MIS_PRED), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 1);
	lab_close(&l);
}

TEST(a_return_to_elsewhere_is_predicted_wrong_and_its_address_kept) /* AN195 table 2, 0x26 */
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, BL(0x9000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BX_LR())); /* goes to 0xA000, not to 0x8004 */
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xA000, BX_LR()));
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_MIS_PRED), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 1);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, NOP())); /* the kept address is right now */
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_PRED), 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_MIS_PRED), 1);
	lab_close(&l);
}

TEST(a_conditional_return_pops_but_is_not_predicted) /* 7C11: only unconditional returns */
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, BL(0x9000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BXEQ_LR()));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_PRED), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 1);
	lab_close(&l);
}

TEST(with_prediction_off_the_return_stack_is_idle) /* AN195 5 */
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_set(&l, "predict", "0");
	lab_start(&l);
	nest(&l, 2);
	CHECK_EQ(lab_count(&l, APMU_SIG_CALL) + lab_count(&l, APMU_SIG_RETURN), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 4);
	lab_close(&l);
}

TEST(a_kernel_helper_leaves_the_return_stack_in_step) /* a helper is one instruction, its return included */
{
	struct lab l;
	lab_open(&l, "arm1176");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, BL(0x9000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BL(0xFFFF0FE0)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xFFFF0FE0, {.cls = APMU_CLASS_ALU, .flags = APMU_INSN_KUSER}));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9004, BX_LR()));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_RETURN_MIS_PRED), 0);
	CHECK_EQ(lab_count(&l, APMU_SIG_BR_EXEC), 3);
	lab_close(&l);
}

TEST(a_flush_stalls_for_as_long_as_it_costs_at_most)
{
	struct lab l;
	for (unsigned k = 0; k < 6; k++) {
		unsigned cost = 3 + k / 2 * 5, most = k & 1 ? 8 : 255;
		char text[8];
		snprintf(text, sizeof(text), "%u", cost);
		lab_open(&l, "cortex-a55");
		lab_set(&l, "mispredict", text);
		lab_set(&l, "stall_on_mispredict", k & 1 ? "8" : "255");
		lab_set(&l, "predict", "0");
		lab_start(&l);
		loop(&l, 100);
		CHECK_EQ(lab_count(&l, APMU_SIG_BR_MIS_PRED), 99);
		CHECK_EQ(lab_count(&l, APMU_SIG_STALL_FETCH_OTHER), 99 * (cost < most ? cost : most));
		lab_close(&l);
	}
}

TEST(xscale_event_1_erratum_counts_what_intel_lists) /* ER: exceptions, mode writes, branches, CP15 operations
						      */
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, SVC()));
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL_EXTRA), 1);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8004, MSR_C(), MCR_CACHE(), B(0x9000)));
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL_EXTRA), 3);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BX(0))); /* the B was not in the BTB */
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL_EXTRA), 4);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xA000, NOP())); /* the BX is indirect */
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL_EXTRA), 5);
	lab_close(&l);
}

TEST(a_blx_to_a_constant_is_not_in_the_erratum) /* ER lists indirect branches and those the BTB gets wrong */
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, BLX(0x9000)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_PC_CHANGE), 1);
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL_EXTRA), 0);
	lab_close(&l);
}

TEST(arm11_has_no_event_1_erratum)
{
	struct lab l;
	lab_open(&l, "arm1136");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, MSR_C(), SVC()));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, BX(0)));
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0xA000, NOP()));
	CHECK_EQ(lab_count(&l, APMU_SIG_FETCH_STALL_EXTRA), 0);
	lab_close(&l);
}

/* One instruction per cycle; ALU instructions take 4 cycles. A taken branch costs 3 cycles more, the one
 * taken last 1 cycle more. */
static void open_queue(struct lab *l, const char *queue)
{
	lab_open(l, "cortex-a53");
	lab_set(l, "l1i.size", "0");
	lab_set(l, "itlb.entries", "0");
	lab_set(l, "width", "1");
	lab_set(l, "issue.alu", "4");
	lab_set(l, "direction", "btb");
	lab_set(l, "taken", "3");
	lab_set(l, "static_taken", "3");
	lab_set(l, "nano_btb", "1");
	lab_set(l, "nano_taken", "1");
	lab_set(l, "fetch_queue", queue);
	lab_start(l);
}

/* Cycles of the tenth time that the two blocks run, one after the other. */
static uint64_t tenth(struct lab *l, struct apmu_block *first, struct apmu_block *second)
{
	uint64_t before = 0;
	for (unsigned turn = 0; turn < 10; turn++) {
		before = turn == 9 ? lab_count(l, APMU_SIG_CYCLES) : 0;
		apmu_uarch_enter(l->u, first);
		apmu_uarch_enter(l->u, second);
	}
	return lab_count(l, APMU_SIG_CYCLES) - before;
}

static uint64_t slow_turn(const char *queue)
{
	struct lab l;
	open_queue(&l, queue);
	uint64_t n = tenth(&l, LAB_BLOCK(&l, 0x8000, ADD(0, 1, 2), ADD(3, 1, 2), B(0x8100)),
			   LAB_BLOCK(&l, 0x8100, ADD(0, 1, 2), ADD(3, 1, 2), B(0x8000)));
	lab_close(&l);
	return n;
}

static uint64_t bare_turn(const char *queue, uint64_t second)
{
	struct lab l;
	open_queue(&l, queue);
	struct apmu_block *first = LAB_BLOCK(&l, 0x8000, B(second));
	uint64_t n = tenth(&l, first, second == 0x8000 ? first : LAB_BLOCK(&l, second, B(0x8000)));
	lab_close(&l);
	return n;
}

TEST(a_taken_branch_costs_nothing_while_fetched_instructions_issue)
{
	CHECK_EQ(slow_turn("0"), 2 * (4 + 4 + 1 + 3));
	CHECK_EQ(slow_turn("1"),
		 2 * (4 + 4 + 1 + 2)); /* a queued instruction, of at least one cycle, hides one cycle */
	CHECK_EQ(slow_turn("3"), 2 * (4 + 4 + 1));
	CHECK_EQ(slow_turn("8"), 2 * (4 + 4 + 1));
	CHECK_EQ(bare_turn("0", 0x8100), 2 * (1 + 3));
	CHECK_EQ(bare_turn("8", 0x8100), 2 * (1 + 3)); /* fetch is not ahead of issue */
}

TEST(the_branch_taken_last_is_in_a_cache_of_its_own)
{
	CHECK_EQ(bare_turn("0", 0x8000), 2 * (1 + 3));
	CHECK_EQ(bare_turn("8", 0x8000), 2 * (1 + 1));
}
