/* SPDX-License-Identifier: MIT */
/* The out-of-order model's memo, and the pipe use that it computes per block, must not change a count: two
 * machines run the same long random programs, one of them without a memo and instruction by instruction, and
 * all counts agree after every block. */
#include "test.h"
#include "uarch/fast/memo.h"
#include "uarch/machine.h"
#include "uarch_lab.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS  24
#define LIVES   60
#define TURNS   1500
#define LONG    1600000
#define EARLIER 83 /* the first of the lives that may fill the memo */
#define FULL    87 /* the first that does */

static uint64_t state;
static unsigned vectors; /* instructions of vectors among 100 */

static unsigned any(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)((state >> 11) % n);
}

/* An operation on vectors, of 64 or 128 bits, for any vector pipe or for those of one group. */
static struct apmu_insn vector(void)
{
	static const uint16_t groups[] = {APMU_GROUP_VADD, APMU_GROUP_VADD_Q, APMU_GROUP_VMUL,
					  APMU_GROUP_VMUL_Q};
	return (struct apmu_insn){.cls = APMU_CLASS_SIMD,
				  .width = 4,
				  .group = groups[any(4)],
				  .reads = R(any(6)) | (any(2) ? R(any(40)) : 0),
				  .writes = R(any(40))};
}

static struct apmu_insn instruction(void)
{
	static const uint8_t cls[] = {APMU_CLASS_ALU,    APMU_CLASS_ALU,  APMU_CLASS_ALU,    APMU_CLASS_MUL,
				      APMU_CLASS_LOAD,   APMU_CLASS_LOAD, APMU_CLASS_STORE,  APMU_CLASS_DIV,
				      APMU_CLASS_BRANCH, APMU_CLASS_SWAP, APMU_CLASS_BARRIER};
	struct apmu_insn x = {.cls = cls[any(any(8) ? 7 : 11)], .width = 4};
	x.reads = R(any(6)) | (any(2) ? R(any(40)) : 0);
	x.writes = x.cls == APMU_CLASS_STORE || any(8) == 0 ? 0 : R(any(6)) | (any(6) ? 0 : R(any(40)));
	if (x.cls == APMU_CLASS_LOAD && any(6) == 0) {
		x.writes = R(1) | R(2) | R(3) | R(4) | R(5);
		x.flags = APMU_INSN_MULTIPLE;
		x.regs = 5;
	}
	if (x.cls == APMU_CLASS_MUL && any(2)) {
		x.cls = APMU_CLASS_MUL_LONG;
		x.writes = R(0) | R(1);
		x.low = (uint8_t)(1 + any(2));
	}
	if (x.cls == APMU_CLASS_ALU || x.cls == APMU_CLASS_MUL)
		x.flags |= any(4)                    ? 0
			   : x.cls == APMU_CLASS_ALU ? APMU_INSN_SETS_FLAGS
						     : APMU_INSN_READS_FLAGS;
	if (x.cls == APMU_CLASS_MUL && !x.flags && any(2))
		x.cls = APMU_CLASS_MUL_HIGH;
	if (x.cls == APMU_CLASS_LOAD && !x.flags && any(4) == 0)
		x.group = APMU_GROUP_LD2;
	if (x.cls == APMU_CLASS_STORE && any(4) == 0)
		x.group = APMU_GROUP_STORE_VEC;
	return any(80) ? x : (struct apmu_insn)ISB();
}

/* Makes all instructions of the block take the general path; returns how many did not. */
static unsigned the_long_way(struct apmu_block *b)
{
	unsigned plain = 0;
	for (unsigned i = 0; i < b->n; i++) {
		plain += b->op[i].plain;
		b->op[i].plain = false;
	}
	return plain;
}

/* Makes a block that ends in a branch to a random block; returns how many of its instructions are plain. */
static unsigned random_block(struct lab *l, struct lab *other, unsigned k)
{
	struct apmu_insn insn[20];
	unsigned n = 1 + any(19);
	for (unsigned i = 0; i < n; i++)
		insn[i] = vectors && any(100) < vectors ? vector() : instruction();
	struct apmu_insn end = BEQ(0x8000 + 0x100 * any(BLOCKS));
	if (any(3) == 0)
		end.flags &= (uint16_t)~APMU_INSN_CONDITIONAL;
	insn[n - 1] = end;
	lab_block(l, 0x8000 + 0x100 * k, insn, n);
	return the_long_way(lab_block(other, 0x8000 + 0x100 * k, insn, n));
}

static void vary(struct lab *l, const char *key, const char *const *values, unsigned n)
{
	lab_set(l, key, values[any(n)]);
}

/* Pipes of vectors, some of them of two groups, most with a scheduler before each group. */
static void random_vector_pipes(struct lab *l)
{
	static const char *const entries[] = {"8", "1", "3", "8", "0"};
	static const char *const pipes[] = {"1", "2"};
	lab_set(l, "scheduler", "0");
	lab_set(l, "unit.simd", "6");
	lab_set(l, "pipes.6", "2");
	vary(l, "pipes.8", pipes, 2);
	vary(l, "pipes.9", pipes, 2);
	lab_set(l, "within.8", "6");
	lab_set(l, "within.9", any(8) ? "6" : "0");
	lab_set(l, "schedulers.6", any(8) ? "0" : "3");
	vary(l, "schedulers.8", entries, 5);
	vary(l, "schedulers.9", entries, 5);
	lab_set(l, "vector_slots", any(2) ? "2" : "1");
	lab_set(l, "vector_bytes", any(4) ? "16" : "8");
	lab_set(l, "group.vmul", any(2) ? "busy:1,unit:8" : "busy:1.5,unit:8,slots:3");
	lab_set(l, "group.vadd", any(4) ? "busy:1,unit:6" : "busy:1.25,unit:6,result:3");
}

static void random_core(struct lab *l)
{
	static const char *const cores[] = {"neoverse-n1", "cortex-a9", "cortex-a15", "neoverse-v1",
					    "generic-ooo"};
	static const char *const sizes[] = {"8", "24", "48", "128", "224"};
	static const char *const queues[] = {"0", "2", "5", "16"};
	static const char *const widths[] = {"1", "2", "3", "4", "8", "11"};
	static const char *const misses[] = {"1", "2", "4", "20"};
	static const char *const forwards[] = {"0", "5", "9", "3"};
	static const char *const some[] = {"0", "1", "2"};
	static const char *const bubbles[] = {"0", "1", "3"};
	static const char *const schedulers[] = {"0", "1", "4", "60"};
	static const char *const memories[] = {"60", "230", "300",
					       "600"}; /* pipe use is tracked 192 cycles ahead */
	lab_open(l, cores[any(5)]);
	vary(l, "rob", sizes, 5);
	vary(l, "load_queue", queues, 4);
	vary(l, "store_queue", queues, 4);
	vary(l, "flag_registers", queues, 4);
	vary(l, "flag_cycles", bubbles, 3);
	vary(l, "scheduler", schedulers, 4);
	lab_set(l, "scheduler_cycles", state & 1048576 ? "3" : "1");
	lab_set(l, "scheduler_room", state & 2097152 ? "1" : "0");
	lab_set(l, "scheduler_bound", state & 8388608 ? "1" : "0");
	lab_set(l, "ordered", state & 262144 ? "1" : "0");
	lab_set(l, "queue_per_pipe", state & 33554432 ? "1" : "0");
	lab_set(l, "queue_first", state & 16777216 ? "2" : "0");
	if (state & 131072) {
		lab_set(l, "scheduler", "0");
		lab_set(l, "within.2", "1"); /* multiply and divide pipes are some of the integer pipes */
		lab_set(l, "within.10", "1");
		lab_set(l, "schedulers.1", state & 524288 ? "2" : "0");
		vary(l, "schedulers.2", schedulers, 4);
		vary(l, "schedulers.3", schedulers, 4);
		vary(l, "schedulers.10", schedulers, 4);
	}
	vary(l, "width", widths, 6);
	vary(l, "misses", misses, 4);
	vary(l, "memory", memories, 4);
	vary(l, "forward", forwards, 4);
	lab_set(l, "forward_fail", state & 8388608 ? "15" : "0");
	lab_set(l, "forward_retired", state & 8388608 && state & 1 ? "1" : "0");
	vary(l, "taken", forwards, 2);
	if (state & 128) {
		lab_set(l, "dispatch.integer", state & 256 ? "1" : "3");
		lab_set(l, "dispatch.memory", "2");
	}
	vary(l, "dispatch.taken", some, 3);
	vary(l, "taken", bubbles, 3);
	lab_set(l, "dispatch.breaks", state & 512 ? "1" : "0");
	lab_set(l, "low_early", state & 2097152 ? "2" : "0");
	lab_set(l, "group.ld2", "vector:3");
	lab_set(l, "group.store-vec", state & 4194304 ? "vector:1" : "parent");
	lab_set(l, "alu_factor", state & 65536 ? "2" : "0");
	lab_set(l, "mulh_flags", state & 131072 ? "3" : "0");
	lab_set(l, "taken_ahead", state & 1024 ? "1" : "0");
	lab_set(l, "nano_btb", state & 2048 ? "3" : "0");
	lab_set(l, "nano_taken", "0");
	lab_set(l, "micro_btb", state & 4096 ? "2" : "0");
	lab_set(l, "micro_taken", "0");
	lab_set(l, "taken_pairs", state & 8192 ? "1" : "0");
	lab_set(l, "mop.ways", "1");
	lab_set(l, "mop.entries", state & 16384 ? "64" : "0");
	lab_set(l, "mop.decode", state & 32768 ? "1" : "3");
	if (l->p.prefetch.streams)
		lab_set(l, "prefetch.flights", state & 64 ? "3" : "64");
	if (vectors)
		random_vector_pipes(l);
	lab_start(l);
}

static void agree(const struct lab *a, const struct lab *b, unsigned life, unsigned turn)
{
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (a->t.n[s] != b->t.n[s])
			fail_msg("life %u, block %u: signal %s is %llu with a memo and %llu without", life,
				 turn, apmu_signal_row(s)->name, (unsigned long long)a->t.n[s],
				 (unsigned long long)b->t.n[s]);
}

/* The next address of one of four walks with a constant stride, which the prefetcher follows. */
static uint64_t walk(void)
{
	static const unsigned strides[] = {8, 64, 192, 448};
	static uint64_t steps;
	unsigned k = any(4);
	return 0x40000000 + ((uint64_t)k << 28) + (steps++ & 0xFFFFF) * strides[k];
}

/* Reports the accesses of a block: most hit, one in `wild` may miss, few cross a line. */
static void accesses(struct lab *l, struct lab *other, unsigned k, unsigned wild, bool walks)
{
	const struct apmu_block *b = l->block[k];
	for (unsigned i = 0; i < b->n; i++) {
		if (!b->op[i].load && !b->op[i].store)
			continue;
		uint64_t at = any(wild) ? 0x100000 + 4 * any(256) : 0x200000 + 4 * (uint64_t)any(1u << 22);
		unsigned size = any(50) ? 4 : 16;
		at = walks && any(4) == 0 ? walk() : at;
		at += any(100) ? 0 : 62;
		apmu_uarch_access(l->u, b, i, at, size, b->op[i].store);
		apmu_uarch_access(other->u, other->block[k], i, at, size, b->op[i].store);
	}
}

/* Runs loops of a few blocks, now and then a block elsewhere or a block that is abandoned (fault, signal). */
static void live(struct lab *l, struct lab *other, unsigned life, unsigned turns, unsigned wild)
{
	unsigned first = 0, length = 1, left = 0;
	for (unsigned turn = 0; turn < turns; turn++) {
		if (left-- == 0) {
			length = 1 + any(5);
			first = any(BLOCKS - length);
			left = any(200);
		}
		unsigned k = any(30) ? first + turn % length : any(BLOCKS);
		apmu_uarch_enter(l->u, l->block[k]);
		apmu_uarch_enter(other->u, other->block[k]);
		agree(l, other, life, turn);
		accesses(l, other, k, wild, life % 4 == 1);
		if (any(300))
			continue;
		unsigned done = any(l->block[k]->n + 1);
		apmu_uarch_abandon(l->u, done);
		apmu_uarch_abandon(other->u, done);
		agree(l, other, life, turn);
	}
}

static struct apmu_uarch__memo_counts life(unsigned number, unsigned turns, unsigned wild)
{
	struct lab l, other;
	unsigned plain = 0;
	state = 88172645463325252u + number;
	random_core(&l);
	other = (struct lab){.p = l.p};
	memcpy(other.wanted, l.wanted, sizeof(l.wanted));
	lab_start(&other);
	free(other.u->window->memo_memory);
	other.u->window->memo_memory = NULL;
	other.u->window->memo = NULL;
	for (unsigned k = 0; k < BLOCKS; k++)
		plain += random_block(&l, &other, k);
	CHECK(plain > 0);
	live(&l, &other, number, turns, wild);
	struct apmu_uarch__memo_counts counts = apmu_uarch__memo_counts(l.u->window);
	lab_close(&l);
	lab_close(&other);
	return counts;
}

TEST(what_is_remembered_is_what_would_be_worked_out)
{
	uint64_t followed = 0;
	unsigned turns = lab_steps(TURNS);
	for (unsigned k = 0; k < LIVES; k++)
		followed += life(k, turns, k % 3 ? 40 + 10 * k : 1 + k % 7).followed;
	CHECK(followed > LIVES * turns / 4); /* else the memo was not tested */
}

TEST(so_are_the_schedulers_of_vectors)
{
	for (unsigned k = 0; k < 20; k++) {
		vectors = k % 2 ? 90 : 50;
		life(1000 + k, lab_steps(TURNS), 1u << 30);
	}
	vectors = 0;
}

TEST(a_full_memo_forgets_and_starts_again)
{
	unsigned emptied = 0;
	unsigned first = LIVES + (getenv("APMU_TEST_ALL") ? EARLIER : FULL);
	for (unsigned k = first; k < first + 40 && !emptied; k++)
		emptied = life(k, LONG, 1u << 30).emptied;
	CHECK(emptied > 0);
}

/* A block with two reads from memory, then two without: each state is evicted from the memo before it is
 * used.
 */
TEST(a_memo_that_is_never_of_use_rests)
{
	struct lab l;
	lab_open(&l, "neoverse-n1");
	lab_start(&l);
	struct apmu_insn loads[] = {LDR(2, 1), LDR(3, 2), ADD(1, 3, 3)};
	struct apmu_block *late = lab_block(&l, 0x8000, loads, 3);
	struct apmu_block *quiet = lab_block(&l, late->end, &loads[2], 1);
	const struct apmu_uarch__memo *memo = l.u->window->memo;
	uint32_t span = memo->payoff.next_backoff;
	for (unsigned turn = 0; turn < 300; turn++) {
		apmu_uarch_enter(l.u, late);
		apmu_uarch_access(l.u, late, 0, 0x1000000 + 0x50000 * (uint64_t)turn, 4, false);
		apmu_uarch_access(l.u, late, 1, 0x8000000 + 0x50000 * (uint64_t)turn, 4, false);
		for (unsigned k = 0; k < 2; k++)
			apmu_uarch_enter(l.u, quiet);
	}
	CHECK(memo->payoff.backoff > 0 && memo->payoff.next_backoff > span);
	CHECK(apmu_uarch__memo_counts(l.u->window).learnt < 300);
	lab_close(&l);
}
