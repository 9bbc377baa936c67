/* SPDX-License-Identifier: MIT */
#include "directed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 0x8000, BASE = 0x10000000, MOST = 160 };

#define QUIET "prefetch.streams 0"
#define LONG  QUIET " l1i.size 4096"
#define PAGES QUIET " dtlb.ways 4 dtlb.entries 8 dtlb.replace lru tlb.ways 4 tlb.entries 64 tlb.replace lru"

static const struct directed some[] = {
	/* width, pipes */
	{"nops", QUIET, "nop nop nop nop nop nop nop nop nop nop nop nop", 0, 0, 0},
	{"loads-hit", QUIET, "load:0,12 load:1,12 load:2,12 load:3,12 load:4,12 load:5,12", 0, 0, 0},
	{"stores-hit", QUIET, "store:0,12 store:1,12 store:2,12 store:3,12 store:4,12 store:5,12", 0, 0, 0},
	{"loads-and-stores", QUIET, "load:0,12 store:1,12 load:2,12 store:3,12 load:4,12 store:5,12", 0, 0,
	 0},
	{"addresses-written", QUIET, "load^:0,12 store^:1,11 nop nop nop nop nop nop nop nop nop nop", 0, 0,
	 0},
	{"two-kinds", QUIET, "mul:0,12 alu:1,12 mul:2,12 alu:3,12 alu:4,12 alu:5,12", 0, 0, 0},
	{"branches", QUIET, "alu:0,12 branch", 0, 0, 0},
	/* operands */
	{"shifted", QUIET, "alu!:0,0 alu!:0,0 alu!:0,0 nop", 0, 0, 0},
	{"shifts", QUIET, "alu!:0,12 alu!:1,12 alu!:2,12 alu!:3,12", 0, 0, 0},
	{"shifter-operand", QUIET, "alu:0,0 alu<:0,0 alu:0,0 alu<:0,0 alu:0,0 nop nop", 0, 0, 0},
	{"factor", QUIET, "alu:0,0 mul:0,0 alu:0,0 mul:0,0 nop nop", 0, 0, 0},
	{"load-use", QUIET, "load:0,12 alu:1,0 load:2,12 alu:3,2 nop nop nop", 0, 0, 0},
	{"load-address", QUIET, "load:0,0 load:0,0 load:0,0 load:0,0 alu:1,0 nop nop nop nop nop", 0, 0, 0},
	{"load-store", QUIET, "load:0,12 store:0,12 nop nop nop nop nop nop nop nop nop", 8, 1024, 0},
	{"alu-store", QUIET, "mul:0,12 store:0,12 mul:1,12 store:1,12 nop nop nop nop nop", 0, 0, 0},
	{"byte", QUIET, "loadb:0,0 alu:0,0 nop nop nop nop nop", 0, 0, 0},
	{"wide", QUIET, "loadw:0,12 loadw:1,12 loadw:2,12 nop nop nop nop", 0, 0, 0},
	{"addend", QUIET,
	 "vfp-mac<:32,33,32 vfp-mac<:32,33,32 vfp-mac<:32,33,32 vfp:34,32 nop nop nop nop nop nop nop", 0, 0,
	 0},
	{"first-of-many", QUIET, "load*4:0,5 alu:5,0 nop nop nop nop nop nop nop nop nop nop nop", 0, 0, 0},
	{"last-of-many", QUIET, "load*8:0,12 alu:10,7 nop nop nop nop nop nop nop nop nop nop nop", 0, 0, 0},
	{"many", QUIET, "load*8:0,12 store*8:9,12 nop", 32, 1024, 0},
	{"many-alone", QUIET, "load*4:0,12 nop nop nop nop", 0, 0, 0},
	{"unaligned", QUIET, "load:0,12 nop load:1,12 nop", 6, 384, 0},
	/* levels of cache, memory */
	{"l2-list", QUIET, "load:0,0 alu:0,0 nop nop nop nop nop nop", 2048, 12 * 2048, 0},
	{"l2-loads", QUIET, "load:0,12 load:1,12 load:2,12 load:3,12 nop", 2048, 12 * 2048, 0},
	{"l3-list", QUIET, "load:0,0 alu:0,0 nop nop nop nop nop nop", 2048, 40 * 2048, 0},
	{"l3-loads", QUIET, "load:0,12 load:1,12 load:2,12 load:3,12 nop", 2048, 40 * 2048, 0},
	{"far-list", QUIET, "load:0,0 alu:0,0 nop nop nop nop nop nop", 4160, 0, 0},
	{"far-loads", QUIET, "load:0,12 load:1,12 load:2,12 load:3,12 nop", 4160, 0, 0},
	{"far-loads-few", QUIET " line_fill 1 memory 400", "load:0,12 load:1,12 load:2,12 load:3,12 nop",
	 4160, 0, 0},
	{"bus", QUIET " misses 32 memory 60 store_buffer 0",
	 "load:0,12 load:1,12 load:2,12 load:3,12 load:4,12 load:5,12 load:6,12 load:7,12", 4160, 0, 0},
	{"far-stores", QUIET, "store:0,12 nop", 4160, 0, 0},
	{"far-stores-many", QUIET " line_fill 1 line_write 1",
	 "store:0,12 store:1,12 store:2,12 store:3,12 store:4,12 store:5,12 store:6,12 store:7,12", 4160, 0,
	 0},
	{"far-stores-burst", QUIET " line_write 1 line_fill 1 memory 100 misses 1",
	 "store:0,12 store:1,12 store:2,12 store:3,12 store:4,12 store:5,12 store:6,12 store:7,12 store:8,12 "
	 "div:0,0 div:0,0 "
	 "div:0,0 div:0,0 div:0,0 div:0,0",
	 4160, 0, 0},
	{"written-back", QUIET " line_fill 1 memory 20 misses 8", "load:0,12 store:1,12 nop", 2048, 0, 2},
	{"written-back-slow", QUIET " memory 20 misses 8", "load:0,12 store:1,12 nop", 2048, 0, 2},
	{"write-buffer", QUIET " write_drain 5", "6x store:1,12 6x mul-long:2,2", 4160, 0, 0},
	{"spills", QUIET " line_fill 1 line_write 4 memory 8 misses 32 store_queue 0",
	 "27x store:1,12 11x div:2,2", 2048, 0, 0},
	{"few-spills", QUIET " line_fill 1 line_write 9 memory 8 misses 32", "6x store:1,12 30x mul:2,2",
	 2048, 0, 0},
	{"store-buffer", QUIET " line_fill 1 line_write 1 memory 30", "8x store:1,12 29x mul:2,2", 4160, 0,
	 0},
	/* window and queues */
	{"window", QUIET " line_fill 1 misses 32 load_queue 0 memory 2000",
	 "load:0,12 nop nop nop nop nop nop nop nop nop nop nop nop nop nop", 4160, 0, 0},
	{"load-queue", QUIET " rob 1024 line_fill 1 misses 32 memory 2000",
	 "load:0,12 nop nop nop nop nop nop", 4160, 0, 2},
	{"store-queue", QUIET " rob 1024 line_fill 1 line_write 1 misses 32 memory 2000",
	 "store:0,12 nop nop nop nop nop nop", 4160, 0, 2},
	{"flags", QUIET, "8x alu#:0,12", 0, 0, 0},
	{"compared", QUIET " fused_compares 1", "alu:0,12 alu:1,12 alu=:0,12 branch", 0, 0, 0},
	{"compared-far", QUIET " fused_compares 1 rob 16 line_fill 1 misses 32 load_queue 0 memory 2000",
	 "load:0,12 alu=:0,12 branch", 4160, 0, 0},
	{"flags-far", QUIET " rob 1024 load_queue 0 line_fill 1 misses 32 memory 2000",
	 "load:0,12 alu#:1,12 13x nop", 4160, 0, 2},
	{"forwarded", QUIET, "store:0,12 load:0,12 nop nop nop nop", 0, 0, 0},
	{"forwarded-late", QUIET " group.strd result:4", "store~:0,12 load:0,12 nop nop nop nop", 0, 0, 0},
	{"forwarded-half", QUIET, "storew:0,12 loadw:0,12 nop nop nop nop", 0, 0, 0},
	{"forwarded-second", QUIET, "loadw:0,12 storew:0,12 nop nop nop nop", 8, 16, 0},
	{"forward-fails", QUIET, "store:0,12 loadw:0,12 nop nop nop nop", 0, 0, 0},
	{"scheduler", QUIET, "mul:0,0 mul:0,0 12x alu:1,0", 0, 0, 0},
	{"schedulers", QUIET, "mul:0,0 load:0,12 6x alu:1,0 load:0,1 div:0,0 mul:1,1", 0, 0, 0},
	{"scheduler-mul", QUIET,
	 "div:0,0 simd:1,0 mul:2,1 mul:2,1 simd:1,1 mul:2,1 mul:2,1 "
	 "simd:1,1 mul:2,1 mul:2,1 simd:1,1 mul:2,1 mul:2,1 simd:1,1 mul:2,1 mul:2,1",
	 0, 0, 0},
	{"scheduler-load", QUIET,
	 "div:0,0 mul:1,0 load:2,1 load:2,1 mul:1,1 load:2,1 load:2,1 "
	 "mul:1,1 load:2,1 load:2,1 mul:1,1 load:2,1 load:2,1 mul:1,1 load:2,1 load:2,1",
	 0, 0, 0},
	{"scheduler-store", QUIET,
	 "div:0,0 mul:1,0 store:1,12 store:1,12 mul:1,1 store:1,12 store:1,12 "
	 "mul:1,1 store:1,12 store:1,12 mul:1,1 store:1,12 store:1,12 mul:1,1 store:1,12 store:1,12",
	 0, 0, 0},
	{"scheduler-vector", QUIET,
	 "div:0,0 mul:1,0 simd:33,1 simd:33,1 mul:1,1 simd:33,1 simd:33,1 "
	 "mul:1,1 simd:33,1 simd:33,1 mul:1,1 simd:33,1 simd:33,1 mul:1,1 simd:33,1 simd:33,1",
	 0, 0, 0},
	/* branches */
	{"mispredicted", QUIET, "alu:0,12 wrong", 0, 0, 0},
	{"mispredicted-alone", QUIET, "wrong", 0, 0, 0},
	{"taken", QUIET " dispatch.taken 1", "alu:0,12 branch", 0, 0, 0},
	{"taken-two", QUIET " dispatch.taken 2", "branch", 0, 0, 0},
	{"taken-ahead", QUIET " dispatch.taken 1 taken 3 taken_ahead 1", "alu:0,12 4x nop branch", 0, 0, 0},
	/* levels of the branch target buffer */
	{"btb-one", QUIET " dispatch.taken 1", "nop nop nop nop nop nop nop nop nop chain:1", 0, 0, 0},
	{"btb-nano", QUIET " dispatch.taken 1", "chain:16", 0, 0, 0},
	{"btb-micro", QUIET " dispatch.taken 1", "alu:0,12 chain:80", 0, 0, 0},
	{"btb-main", QUIET " dispatch.taken 1", "nop nop nop nop nop chain:82", 0, 0, 0},
	{"btb-pairs", QUIET " dispatch.taken 1 taken_pairs 1", "alu:0,12 pairs:32", 0, 0, 0},
	{"btb-pairs-far", QUIET " dispatch.taken 1 nano_btb 4 micro_btb 0 taken_pairs 1", "pairs:12", 0, 0,
	 0},
	{"calls", QUIET " width 1", "alu:0,12 call", 0, 0, 0},
	{"calls-alone", QUIET " width 1", "call", 0, 0, 0},
	{"calls-static", QUIET " width 1 btb 0", "alu:0,12 nop nop branch", 0, 0, 0},
	{"hop", QUIET, "alu:0,12 hop", 0, 0, 0},
	{"hop-static", QUIET " width 1 btb 0", "alu:0,12 nop nop hop", 0, 0, 0},
	{"calls-lost", QUIET " width 1", "alu:0,12 elsewhere", 0, 0, 0},
	/* code that does not fit L1I */
	{"code-straight", LONG, "16x nop straight:84", 0, 0, 0},
	{"code-queue", LONG " l2.latency 60 run_ahead.refills 64 run_ahead.fill 0", "3x nop hops:84", 0, 0,
	 0},
	{"code-rate",
	 LONG
	 " l1i.replace lru width 16 l2.latency 7 l2.fill 1 run_ahead.queue 64 run_ahead.refills 64 run_ahead.fill 0",
	 "16x nop straight:84", 0, 0, 0},
	{"code-refills", LONG " l2.latency 120 l2.fill 1 run_ahead.queue 64 run_ahead.fill 0",
	 "16x nop straight:84", 0, 0, 0},
	{"code-hops", LONG, "3x nop hops:84", 0, 0, 0},
	{"code-turns", LONG, "3x nop turns:84", 0, 0, 0},
	{"code-in-l2", LONG " l2.size 4096 run_ahead.queue 0", "24x nop straight:84", 0, 0, 0},
	{"code-both", LONG " l2.size 4096", "16x nop straight:84", 0, 0, 0},
	{"code-next", LONG " l1i.replace lru run_ahead.queue 0", "14x nop hops:84", 0, 0, 0},
	{"code-next-shared", LONG " l1i.replace lru run_ahead.queue 0 code_next 1", "24x nop straight:84", 0,
	 0, 0},
	{"code-next-both", LONG " l2.size 4096 l3.replace lru l2.replace lru run_ahead.queue 0 code_next 1",
	 "14x nop hops:84+1", 0, 0, 0},
	/* translations */
	{"main-tlb", PAGES, "load:0,0 alu:0,0 nop nop nop nop", 4096 + 64, 32 * (4096 + 64), 0},
	{"main-tlb-wide", QUIET " dtlb.replace lru", "load:0,0 alu:0,0 nop nop nop nop", 4096 + 64,
	 100 * (4096 + 64), 0},
	{"walks", PAGES, "load:0,0 alu:0,0 nop nop nop nop", 4096, 512 * 4096, 0},
	/* divisions that wait for memory fill their scheduler */
	{"far-divides", QUIET, "load:0,12 div:1,0 nop nop", 64, 0, 0},
	/* the prefetcher */
	{"ahead", "prefetch.trigger 1", "load:0,12 alu:1,0 nop nop", 64, 0, 0},
	{"ahead-slow", "line_fill 1 memory 2000", "load:0,0 alu:0,0 nop nop", 64, 0, 0},
	{"ahead-list", "", "load:0,0 alu:0,0 nop nop", 64, 0, 0},
	{"ahead-fast", "line_fill 1 memory 200 prefetch.trigger 1 prefetch.distance 4",
	 "load:0,0 div:0,0 div:0,0 alu:0,0 nop nop nop", 64, 0, 0},
};

/* Adds two loops for each class: a chain of dependent instructions, and independent ones. */
static unsigned add_classes(struct directed *all, unsigned n)
{
	for (unsigned c = 0; c < APMU_CLASSES; c++) {
		const struct apmu_insn x = {.cls = (uint8_t)c};
		const char *name = program_class(c);
		unsigned base =
			c == APMU_CLASS_SIMD || (c >= APMU_CLASS_VFP && c <= APMU_CLASS_VFP_DIV_64) ? 32 : 0;
		if (program_accesses(&x) || c == APMU_CLASS_PRELOAD || c == APMU_CLASS_BRANCH ||
		    c == APMU_CLASS_NOP || c == APMU_CLASS_BARRIER || c == APMU_CLASS_EXCEPTION)
			continue;
		all[n] = (struct directed){.params = QUIET};
		snprintf(all[n].name, sizeof all[n].name, "%s-chain", name);
		snprintf(all[n].loop, sizeof all[n].loop, "%s:%u,%u %s:%u,%u alu:1,%u nop nop nop nop", name,
			 base, base, name, base, base, base);
		n++;
		all[n] = (struct directed){.params = QUIET};
		snprintf(all[n].name, sizeof all[n].name, "%s-apart", name);
		snprintf(all[n].loop, sizeof all[n].loop, "%s:%u,%u %s:%u,%u %s:%u,%u %s:%u,%u", name, base,
			 base + 12, name, base + 1, base + 12, name, base + 2, base + 12, name, base + 3,
			 base + 12);
		n++;
	}
	return n;
}

const struct directed *directed_all(unsigned *n)
{
	static struct directed all[MOST];
	static unsigned made;
	if (!made) {
		memcpy(all, some, sizeof some);
		made = add_classes(all, sizeof some / sizeof some[0]);
	}
	*n = made;
	return all;
}

void directed_row(struct apmu_uarch_params *p, const struct directed *d)
{
	const struct kind kind = {.name = strstr(d->params, "dtlb") ? "pages" : d->name, .params = d->params};
	kind_row(p, &kind);
}

static unsigned class_of(const char *text, size_t length)
{
	for (unsigned c = 0; c < APMU_CLASSES; c++)
		if (strlen(program_class(c)) == length && strncmp(program_class(c), text, length) == 0)
			return c;
	fprintf(stderr, "no class: %s\n", text);
	abort();
}

/* Parses one instruction of struct directed's `loop`. */
static struct apmu_insn read_insn(const char *text)
{
	size_t length = strcspn(text, ":!<*^#~=");
	bool byte = false, wide = false;
	unsigned to = 0, from = 0, other = 64, regs = 0;
	const char *behind = text + length;
	if (strncmp(text, "loadb:", 6) == 0)
		byte = true;
	if (strncmp(text, "loadw", 5) == 0 || strncmp(text, "storew", 6) == 0)
		wide = true;
	struct apmu_insn x = {.cls = (uint8_t)class_of(text, length - byte - wide)};
	bool early = *behind == '<', back = *behind == '^';
	if (*behind == '!')
		x.flags |= APMU_INSN_SHIFT_REG;
	bool compares = *behind == '=';
	if (*behind == '#' || compares)
		x.flags |= APMU_INSN_SETS_FLAGS;
	if (compares)
		x.group = APMU_GROUP_COMPARE;
	if (*behind == '~')
		x.group = APMU_GROUP_STRD;
	if (*behind == '*')
		sscanf(behind + 1, "%u", &regs);
	behind = strchr(text, ':');
	if (!behind)
		return x;
	sscanf(behind + 1, "%u,%u,%u", &to, &from, &other);
	x.reads = (uint64_t)1 << from | (other < 64 ? (uint64_t)1 << other : 0);
	x.shift_reads = early || program_accesses(&x) ? (uint64_t)1 << from : 0;
	x.width = byte ? 1 : wide ? 8 : 4;
	x.flags |= (uint16_t)((byte ? APMU_INSN_SUBWORD : 0u) | (regs ? APMU_INSN_MULTIPLE : 0u));
	x.regs = (uint8_t)regs;
	if (wide)
		x.width = x.cls == APMU_CLASS_LOAD ? 16 : 8;
	uint64_t list = regs ? ((uint64_t)1 << regs) - 1 : (uint64_t)1 << to;
	if (x.cls == APMU_CLASS_STORE)
		x.reads |= list;
	else if (!compares)
		x.writes = list;
	if (back)
		x.writes |= (uint64_t)1 << from;
	if (!program_accesses(&x))
		x.width = 0;
	return x;
}

static struct apmu_insn branch(uint64_t target, bool conditional)
{
	return (struct apmu_insn){.cls = APMU_CLASS_BRANCH,
				  .branch = APMU_BRANCH_IMMED,
				  .flags = conditional ? APMU_INSN_CONDITIONAL : 0,
				  .target = target};
}

/* Adds blocks of one branch each. Each branches to the next block, which lies at a lower address, so that
 * static prediction says taken; the last one, unconditional, branches back to the start. */
static void chain(struct program *p, struct apmu_insn *insn, unsigned n, const char *end)
{
	unsigned long count = strtoul(strchr(end, ':') + 1, NULL, 10);
	for (unsigned k = 0; k < count; k++) {
		uint64_t addr = CODE + 0x20 * (uint64_t)(count - 1 - k);
		bool last = k + 1 == count, sure = *end == 'p' && k % 2;
		insn[k ? 0 : n] =
			branch(last ? CODE + 0x20 * (uint64_t)(count - 1) : addr - 0x20, !last && !sure);
		program_block(p, addr, insn, k ? 1 : n + 1);
	}
}

/* Adds the blocks of code that is longer than a loop: "straight:", "hops:" and "turns:". */
static void code(struct program *p, struct apmu_insn *insn, unsigned n, const char *end)
{
	char *behind;
	unsigned long count = strtoul(strchr(end, ':') + 1, &behind, 10);
	bool straight = *end == 's', wrong = *end == 't';
	uint64_t step = straight ? 4 * n : (4 * (n + 1) + 63) / 64 * 64, start = CODE;
	if (*behind == '*')
		step *= strtoul(behind + 1, &behind, 10);
	if (*behind == '+')
		start += 64 * strtoul(behind + 1, NULL, 10);
	for (unsigned long k = 0; k < count; k++) {
		uint64_t addr = start + step * k;
		bool last = k + 1 == count;
		if (!straight)
			insn[n] = branch(last ? start : addr + step, last || wrong);
		else if (last)
			insn[n - 1] = branch(start, true);
		program_block(p, addr, insn, straight ? n : n + 1);
	}
}

/* The words that end a loop (struct directed). */
static bool ends(const char *word)
{
	static const char *const end[] = {"wrong",  "hop",    "call",      "elsewhere", "branch",
					  "chain:", "pairs:", "straight:", "hops:",     "turns:"};
	for (unsigned k = 0; k < sizeof end / sizeof end[0]; k++)
		if (strchr(end[k], ':') ? strncmp(word, end[k], strlen(end[k])) == 0
					: strcmp(word, end[k]) == 0)
			return true;
	return false;
}

/* Adds the loop's blocks, with the branches that its last word says. */
static void close_loop(struct program *p, struct apmu_insn *insn, unsigned n, const char *end)
{
	bool wrong = strcmp(end, "wrong") == 0;
	if (wrong || strcmp(end, "hop") == 0) { /* one forward and taken, then one back */
		insn[n] = branch(CODE + 0x1000, wrong);
		program_block(p, CODE, insn, n + 1);
		insn[0] = branch(CODE, true);
		program_block(p, CODE + 0x1000, insn, 1);
	} else if (strcmp(end, "call") == 0 || strcmp(end, "elsewhere") == 0) {
		uint64_t back = CODE + (strcmp(end, "call") == 0 ? 4 * (n + 1) : 0x2000u);
		insn[n] = branch(CODE + 0x1000, false);
		insn[n].branch = APMU_BRANCH_IMMED_LINK;
		insn[n].writes = (uint64_t)1 << 14;
		program_block(p, CODE, insn, n + 1);
		insn[0] = (struct apmu_insn){
			.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_RETURN, .reads = (uint64_t)1 << 14};
		program_block(p, CODE + 0x1000, insn, 1);
		insn[0] = branch(CODE, true);
		program_block(p, back, insn, 1);
	} else if (strchr("sht", *end) && strchr(end, ':')) {
		code(p, insn, n, end);
	} else if (strchr(end, ':')) {
		chain(p, insn, n, end);
	} else {
		insn[n] = branch(CODE, true);
		if (n && insn[n - 1].group == APMU_GROUP_COMPARE)
			insn[n].flags |= APMU_INSN_READS_FLAGS;
		program_block(p, CODE, insn, n + 1);
	}
}

void directed_program(struct program *p, const struct directed *d, unsigned turns)
{
	struct apmu_insn insn[PROGRAM_INSNS];
	char text[sizeof d->loop], *at = text;
	const char *end = "";
	unsigned n = 0, accesses = 0, told = 0;
	uint64_t address = 0;
	snprintf(text, sizeof text, "%s", d->loop);
	for (char *word; (word = strtok(at, " ")); at = NULL) {
		if (ends(word)) {
			end = word;
			break;
		}
		unsigned times = 1;
		if (sscanf(word, "%ux", &times) == 1) /* "6x": a repeat count */
			word = strtok(NULL, " ");
		for (; times > 0; times--) {
			insn[n] = read_insn(word);
			accesses += program_accesses(&insn[n++]);
		}
	}
	close_loop(p, insn, n, end);
	for (unsigned k = 0; k < turns; k++) {
		for (unsigned b = 0; b < p->blocks; b++)
			program_run(p, b);
		for (unsigned a = 0; a < accesses; a++) {
			program_touch(p, BASE + address);
			if (d->cell == 0 || ++told % d->cell == 0)
				address += d->step;
			if (d->wrap && address >= d->wrap)
				address -= d->wrap;
		}
	}
}

typedef struct seen (*runner)(const struct apmu_uarch_params *p, const struct program *program);

static uint64_t steady(runner run, const struct apmu_uarch_params *p, const struct directed *d,
		       unsigned turns)
{
	struct program once = {0}, twice = {0};
	directed_program(&once, d, turns);
	directed_program(&twice, d, 2 * turns);
	uint64_t cycles = run(p, &twice).cycles - run(p, &once).cycles;
	program_close(&once);
	program_close(&twice);
	return cycles;
}

uint64_t directed_fast(const struct apmu_uarch_params *p, const struct directed *d, unsigned turns)
{
	return steady(fast_run, p, d, turns);
}

uint64_t directed_slow(const struct apmu_uarch_params *p, const struct directed *d, unsigned turns)
{
	return steady(slow_run, p, d, turns);
}

bool directed_same(uint64_t fast, uint64_t slow, unsigned turns)
{
	uint64_t gap = fast > slow ? fast - slow : slow - fast;
	return gap <= turns / 50 + slow / 400; /* a cycle in 50 turns, or 0.25 % */
}
