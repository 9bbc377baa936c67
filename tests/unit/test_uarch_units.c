/* SPDX-License-Identifier: MIT */
/* Counts of a block's own issue: waits for the vector unit, cycles in which vector and integer work overlap,
 * use of the pipes. */
#include "test.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#define ASKED    .operations[APMU_OPERATION_WORDS - 1] = APMU_OPERATION_ASKED
#define T(trait) .traits = (uint64_t)1 << APMU_TRAIT_##trait

#define INT(d, n)                                                                  \
	{                                                                          \
		.cls = APMU_CLASS_ALU, .reads = R(n), .writes = R(d), T(DP), ASKED \
	}
#define MULT(d, n)                                                                 \
	{                                                                          \
		.cls = APMU_CLASS_MUL, .reads = R(n), .writes = R(d), T(DP), ASKED \
	}
#define LOAD(d, n)                                                                                      \
	{                                                                                               \
		.cls = APMU_CLASS_LOAD, .reads = R(n), .shift_reads = R(n), .writes = R(d), .width = 4, \
		ASKED                                                                                   \
	}
#define VMOV(d) /* to a general register */                                          \
	{                                                                            \
		.cls = APMU_CLASS_VFP, .reads = R(32), .writes = R(d), T(VFP), ASKED \
	}
#define VADD(d)                                                                             \
	{                                                                                   \
		.cls = APMU_CLASS_VFP, .reads = R(32), .writes = R(32 + (d)), T(VFP), ASKED \
	}

static void open_single(struct lab *l)
{
	static const char *const params[][2] = {{"width", "1"},        {"result.vfp", "4"},
						{"issue.vfp", "1"},    {"itlb.entries", "0"},
						{"dtlb.entries", "0"}, {"l1i.size", "0"}};
	lab_open(l, "generic-inorder");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
	lab_start(l);
}

#define GET(s) lab_count(&l, APMU_SIG_##s)

/* VMOV issues in cycle 0 and has its result in cycle 4; without it the next could issue in cycle 1. */
TEST(waiting_for_a_register_that_comes_from_the_vector_unit_is_told)
{
	struct lab l;
	open_single(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, VMOV(0), INT(1, 0)));
	CHECK_EQ(GET(STALL_MOVED), 3);
	CHECK_EQ(GET(DATA_STALL), 3);
	CHECK_EQ(GET(VEC_BUSY), 0);
	apmu_uarch_abandon(l.u, 1); /* a fault: the second instruction did not run */
	CHECK_EQ(GET(STALL_MOVED), 0);
	lab_close(&l);
}

TEST(a_register_that_was_written_again_or_a_vector_register_is_no_such_wait)
{
	struct lab l;
	open_single(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, VMOV(0), INT(0, 8), INT(1, 0)));
	CHECK_EQ(GET(STALL_MOVED), 0);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x9000, VADD(0), VADD(1)));
	CHECK_EQ(GET(STALL_DEP_SIMD), 3);
	CHECK_EQ(GET(STALL_MOVED), 0);
	lab_close(&l);
}

/* VADD issues in cycle 0, integer instructions in cycles 1 to 5; VADD's result is ready in cycle 4. */
TEST(cycles_of_integers_with_a_vector_result_on_its_way_are_told)
{
	struct lab l;
	open_single(&l);
	apmu_uarch_enter(
		l.u, LAB_BLOCK(&l, 0x8000, VADD(0), INT(0, 8), INT(1, 8), INT(2, 8), INT(3, 8), INT(4, 8)));
	CHECK_EQ(GET(VEC_BUSY), 3);
	lab_close(&l);
}

/* Dispatched two at a time: ADD and MUL, ADD and ADD, LDR and ADD, MUL and ADD. */
TEST(the_second_pipe_takes_what_comes_second_and_is_no_multiplication)
{
	struct lab l;
	lab_open(&l, "cortex-a9");
	lab_start(&l);
	apmu_uarch_enter(l.u, LAB_BLOCK(&l, 0x8000, INT(0, 8), MULT(1, 8), INT(2, 8), INT(3, 8), LOAD(4, 8),
					INT(5, 8), MULT(6, 8), INT(7, 8)));
	CHECK_EQ(GET(PIPE_MAIN), 5);
	CHECK_EQ(GET(PIPE_SECOND), 2);
	lab_close(&l);
}
