/* SPDX-License-Identifier: MIT */
/* The profile file: written data are read back, and broken files do no harm. */
#define _GNU_SOURCE /* memfd_create */
#include "test.h"

#include "profile/export.h"
#include "profile/format.h"
#include "profile/write.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct profile__event events[] = {
	{.label = "instructions", .name = "INST_RETIRED", .number = 8, .period = 1000},
	{.label = "cycles", .name = "CYCLES", .number = PROFILE__CYCLE_COUNTER, .frequency = 7},
};
static const char *const argv[] = {"prog", "-x", NULL};

struct bench {
	int fd;
	char path[64];
};

static struct bench begin(void)
{
	struct profile__profile p = {.version = "9.9",
				     .core = "cortex-a9",
				     .program = "/bin/prog",
				     .machine = 40,
				     .chains = true,
				     .cycles = true,
				     .argv = argv,
				     .event = events,
				     .events = 2};
	struct bench b = {.fd = memfd_create("profile", 0)};

	snprintf(b.path, sizeof(b.path), "/proc/self/fd/%d", b.fd);
	fcntl(b.fd, F_SETFL, O_APPEND);
	CHECK_EQ(profile__begin(b.fd, &p), 0);
	return b;
}

static void map(struct bench b, int pid, uint64_t start, uint64_t end, const char *path)
{
	struct profile__map_block m = {.start = start, .end = end, .offset = 0x1000, .pid = pid};

	m.build_id_size = 20;
	memset(m.build_id, 0xAB, 20);
	CHECK_EQ(profile__block_write(b.fd, PROFILE__BLOCK_MAP, &m, sizeof(m), path, strlen(path)), 0);
}

/* Writes two frames and `n` samples of a thread. */
static void samples(struct bench b, uint32_t serial, uint32_t node, unsigned n)
{
	struct profile__samples_block head = {
		.pid = 10, .tid = 10 + (int)serial, .serial = serial, .node = node};
	struct profile__deltas last = {0};
	uint8_t body[8192], *at = body;

	at = profile__put_frame(at, node - 1, 0x8000 + node, false);
	at = profile__put_frame(at, node, 0x9000, true);
	for (unsigned i = 0; i < n; i++) {
		struct profile__sample s = {
			.pc = 0x10000 - i * 4, .instructions = i * 1000, .cycles = i * 1700};
		s.event = i & 1;
		s.weight = i & 1 ? i : 1000;
		s.chain = i & 2 ? node + 1 : 0;
		s.has_data = i % 3 == 0;
		s.address = UINT64_MAX - i;
		s.level = PROFILE__LEVEL_L2;
		s.tlb_miss = i % 6 == 0;
		s.latency = i;
		at = profile__put_sample(at, &last, &s);
	}
	CHECK_EQ(profile__block_write(b.fd, PROFILE__BLOCK_SAMPLES, &head, sizeof(head), body,
				      (size_t)(at - body)),
		 0);
}

static void code(struct bench b, int32_t pid, uint64_t start, uint64_t size, const char *name)
{
	struct profile__code_block block = {.start = start, .size = size, .pid = pid};

	CHECK_EQ(profile__block_write(b.fd, PROFILE__BLOCK_CODE, &block, sizeof(block), name, strlen(name)),
		 0);
}

static struct profile__profile *look(struct bench b)
{
	struct profile__profile *p = NULL;
	char error[256] = "";

	CHECK_EQ(profile__open(b.path, &p, error, sizeof(error)), 0);
	CHECK_STR(error, "");
	return p;
}

static int tally(void *context, const struct profile__sample *s)
{
	unsigned *i = context, k = *i % 50;

	CHECK_EQ(s->pc, 0x10000 - k * 4);
	CHECK_EQ(s->instructions, k * 1000);
	CHECK_EQ(s->cycles, k * 1700);
	CHECK_EQ(s->event, k & 1);
	CHECK_EQ(s->weight, k & 1 ? k : 1000);
	CHECK_EQ(s->chain != 0, (k & 2) != 0);
	CHECK_EQ(s->has_data, k % 3 == 0);
	CHECK_EQ(s->has_data ? s->address : 0, k % 3 == 0 ? UINT64_MAX - k : 0);
	CHECK_EQ(s->tlb_miss, k % 6 == 0);
	CHECK_EQ(s->latency, k % 3 == 0 ? k : 0);
	++*i;
	return 0;
}

TEST(what_was_written_is_read)
{
	struct bench b = begin();
	unsigned n = 0;

	map(b, 10, 0x8000, 0x20000, "/bin/prog");
	samples(b, 0, 1, 50);
	samples(b, 1, 1, 50);
	samples(b, 0, 3, 50);
	struct profile__profile *p = look(b);
	CHECK_EQ(p->flaws, PROFILE__FLAW_UNFINISHED);
	CHECK_STR(p->core, "cortex-a9");
	CHECK_STR(p->argv[1], "-x");
	CHECK_EQ(p->events, 2);
	CHECK_EQ(p->event[1].number, PROFILE__CYCLE_COUNTER);
	CHECK_EQ(p->event[1].frequency, 7);
	CHECK_EQ(p->threads, 2);
	CHECK_EQ(p->thread[1].tid, 11);
	CHECK_EQ(p->samples, 150);
	CHECK_EQ(p->event[0].weight, 75000);
	CHECK_EQ(profile__each(p, tally, &n), 0);
	CHECK_EQ(n, 150);
	/* Two threads have the same two frames; the third block adds its own below the first block's second.
	 */
	CHECK_EQ(p->frames, 5);
	CHECK_EQ(p->frame[2].parent, 1);
	CHECK_EQ(p->frame[2].signal, true);
	CHECK_EQ(p->frame[3].parent, 2);
	CHECK_EQ(p->frame[3].pc, 0x8003);
	CHECK_EQ(p->map[0].build_id_size, 20);
	profile__close(p);
	close(b.fd);
}

TEST(a_mapping_is_found_by_process_address_and_time)
{
	struct bench b = begin();

	map(b, 10, 0x8000, 0x20000, "/bin/prog");
	map(b, 11, 0x8000, 0x9000, "/bin/other");
	samples(b, 0, 1, 1);
	map(b, 10, 0x10000, 0x11000, "/lib/late");
	struct profile__profile *p = look(b);
	CHECK_EQ(profile__map_at(p, 0, 4, 0x10000), 0); /* META is block 1, the samples block 4 */
	CHECK_EQ(profile__map_at(p, 0, 5, 0x10000), 2);
	CHECK_EQ(profile__map_at(p, 0, 5, 0x11000), 0);
	CHECK_EQ(profile__map_at(p, 0, 5, 0x1FFFF), 0);
	CHECK_EQ(profile__map_at(p, 0, 5, 0x20000), PROFILE__NONE);
	CHECK_EQ(profile__map_at(p, 0, 5, 0x7FFF), PROFILE__NONE);
	CHECK_EQ(profile__offset(&p->map[0], 0x8010), 0x1010);
	profile__close(p);
	close(b.fd);
}

TEST(a_program_that_is_executed_ends_its_process_s_mappings)
{
	struct bench b = begin();

	map(b, 10, 0x8000, 0x20000, "/bin/first");
	map(b, 11, 0x8000, 0x20000, "/bin/other");
	samples(b, 0, 1, 1);
	map(b, 10, 0, UINT64_MAX, PROFILE__UNMAPPED);
	map(b, 10, 0x8000, 0x9000, "/bin/second");
	samples(b, 0, 1, 1);
	map(b, 10, 0, UINT64_MAX, PROFILE__UNMAPPED);
	map(b, 11, 0, UINT64_MAX, PROFILE__UNMAPPED);
	code(b, 10, 0xA000, 0x100, "made");
	struct profile__profile *p = look(b);
	CHECK_EQ(profile__map_at(p, 0, 4, 0xA000), 0); /* META is block 1, the first samples block 4 */
	CHECK_EQ(profile__map_at(p, 0, 5, 0x8000), PROFILE__NONE);
	CHECK_EQ(profile__map_at(p, 0, 7, 0x8000), 3);
	CHECK_EQ(profile__map_at(p, 0, 7, 0x9000), PROFILE__NONE);
	CHECK_EQ(profile__map_at(p, 0, 7, 0xA000), PROFILE__NONE);
	CHECK_EQ(profile__map_at(p, 0, 8, 0x8000), PROFILE__NONE);
	CHECK_EQ(profile__map_at(p, 0, 9, 0xA000), 6); /* the last program made the code */
	profile__close(p);
	close(b.fd);
}

TEST(a_thread_s_program_is_the_one_that_its_process_executed_last)
{
	struct bench b = begin();

	map(b, 10, 0x8000, 0x9000, "/lib/preloaded");
	map(b, 10, 0x10000, 0x20000, "/bin/prog");
	samples(b, 0, 1, 1);
	map(b, 10, 0, UINT64_MAX, PROFILE__UNMAPPED);
	map(b, 10, 0x8000, 0x9000, "[anon]");
	map(b, 10, 0x8000, 0x9000, "/bin/second");
	map(b, 10, 0x10000, 0x20000, "/lib/late");
	struct profile__profile *p = look(b);
	CHECK_STR(profile__program_at(p, 0, 4), "/bin/prog"); /* the samples are block 4 */
	CHECK_STR(profile__program_at(p, 0, 9), "/bin/second");
	profile__close(p);
	close(b.fd);

	b = begin(); /* forked by process 11 when this had executed a program */
	map(b, 11, 0x8000, 0x9000, "/bin/prog");
	map(b, 10, 0x8000, 0x9000, "/bin/second");
	samples(b, 0, 1, 1);
	p = look(b);
	CHECK_STR(profile__program_at(p, 0, 4), "/bin/second");
	profile__close(p);
	close(b.fd);

	b = begin(); /* nothing is known of the program's own mappings */
	map(b, 10, 0x8000, 0x9000, "/lib/late");
	samples(b, 0, 1, 1);
	p = look(b);
	CHECK_STR(profile__program_at(p, 0, 3), "/bin/prog");
	profile__close(p);
	close(b.fd);
}

TEST(the_end_brings_totals)
{
	struct bench b = begin();
	struct profile__thread thread = {.pid = 10, .tid = 10, .instructions = 123456, .resyncs = 2};
	struct profile__profile last = {.exit = 7, .lost = 5, .thread = &thread, .threads = 1, .events = 2};
	uint32_t serial = 0;

	samples(b, 0, 1, 50);
	thread.total[1] = 99;
	CHECK_EQ(profile__finish(b.fd, &last, &serial), 0);
	struct profile__profile *p = look(b);
	CHECK_EQ(p->flaws, PROFILE__FLAW_LOST);
	CHECK_EQ(p->exit, 7);
	CHECK_EQ(p->threads, 1);
	CHECK_EQ(p->thread[0].instructions, 123456);
	CHECK_EQ(p->thread[0].resyncs, 2);
	CHECK_EQ(p->event[1].total, 99);
	profile__close(p);
	close(b.fd);
}

TEST(the_end_of_many_threads_is_read_however_large_it_is)
{
	struct bench b = begin();
	size_t length = PROFILE__BLOCK_MOST / 2;
	char *name = calloc(length + 1, 1);
	uint32_t serial[] = {0, 1, 2};
	struct profile__thread threads[3] = {
		{.pid = 10, .tid = 10}, {.pid = 10, .tid = 11}, {.pid = 10, .tid = 12}};
	struct profile__profile end = {
		.thread = threads, .threads = 3, .event = events, .events = 2, .exit = 3};

	memset(name, 'n', length); /* stands for as many bytes of a hundred thousand threads */
	for (size_t i = 0; i < 3; i++)
		threads[i].name = name;
	CHECK_EQ(profile__finish(b.fd, &end, serial), 0);
	struct profile__profile *p = look(b);
	CHECK_EQ(p->flaws, 0);
	CHECK_EQ(p->exit, 3);
	CHECK_EQ(p->threads, 3);
	profile__close(p);
	close(b.fd);
	free(name);
}

TEST(an_end_with_a_thread_that_cannot_be_is_damaged_and_the_samples_stay)
{
	struct bench b = begin();
	struct profile__thread thread = {.pid = 10, .tid = 10};
	struct profile__profile last = {.thread = &thread, .threads = 1, .events = 2};
	uint32_t serial = INT32_MAX;

	samples(b, 0, 1, 50);
	CHECK_EQ(profile__finish(b.fd, &last, &serial), 0);
	struct profile__profile *p = look(b);
	CHECK_EQ(p->flaws, PROFILE__FLAW_DAMAGED);
	CHECK_EQ(p->samples, 50);
	profile__close(p);
	close(b.fd);
}

TEST(words_that_apmu_chose_have_no_control_characters)
{
	struct profile__event event = {.label = "re\033[31md", .name = "A\nB"};
	struct profile__profile p = {.version = "9\r9",
				     .core = "cortex\xe2\x80\xae",
				     .program = "/bin/\033",
				     .argv = argv,
				     .event = &event,
				     .events = 1};
	struct bench b = {.fd = memfd_create("profile", 0)};

	snprintf(b.path, sizeof(b.path), "/proc/self/fd/%d", b.fd);
	CHECK_EQ(profile__begin(b.fd, &p), 0);
	struct profile__profile *got = look(b);
	CHECK_STR(got->event[0].label, "re?[31md");
	CHECK_STR(got->event[0].name, "A?B");
	CHECK_STR(got->version, "9?9");
	CHECK_STR(got->core, "cortex?");
	CHECK_STR(got->program, "/bin/\033"); /* a path is opened */
	profile__close(got);
	close(b.fd);
}

TEST(a_whole_systems_threads_have_perfs_numbers_up_to_the_largest)
{
	struct profile__profile p = {.version = "9.9",
				     .core = "cortex-a9",
				     .program = "/bin/prog",
				     .system = true,
				     .argv = argv,
				     .event = events,
				     .events = 2};
	struct profile__samples_block head = {.pid = 1, .tid = INT32_MAX, .node = 1};
	struct bench b = {.fd = memfd_create("profile", 0)};

	snprintf(b.path, sizeof(b.path), "/proc/self/fd/%d", b.fd);
	CHECK_EQ(profile__begin(b.fd, &p), 0);
	CHECK_EQ(profile__block_write(b.fd, PROFILE__BLOCK_SAMPLES, &head, sizeof(head), NULL, 0), 0);
	struct profile__profile *got = look(b);
	struct profile__summary summary = {.profile = got, .events = 2};
	struct profile__export export = {.summary = &summary, .out = fopen("/dev/null", "w")};
	CHECK_EQ(profile__export_perf(&export), 0);
	fclose(export.out);
	profile__close(got);
	close(b.fd);
}

static int nothing(void *context, const struct profile__sample *s)
{
	*(uint64_t *)context += s->pc;
	return 0;
}

/* Opens a copy of `n` bytes; returns its flaws, ~0 if it is refused. */
static uint32_t flaws_of(const uint8_t *bytes, size_t n)
{
	struct profile__profile *p = NULL;
	char path[64], error[256] = "";
	uint64_t sum = 0;
	uint32_t flaws = UINT32_MAX;
	int fd = memfd_create("copy", 0);

	CHECK_EQ(write(fd, bytes, n), (ssize_t)n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (profile__open(path, &p, error, sizeof(error)) == 0) {
		flaws = p->flaws;
		profile__each(p, nothing, &sum);
	} else {
		CHECK(error[0] != '\0');
	}
	profile__close(p);
	close(fd);
	return flaws;
}

TEST(a_file_cut_off_anywhere_opens_or_says_why)
{
	struct bench b = begin();
	off_t meta = lseek(b.fd, 0, SEEK_END);
	static uint8_t bytes[16384];

	map(b, 10, 0x8000, 0x20000, "/bin/prog");
	off_t mapped = lseek(b.fd, 0, SEEK_END);
	samples(b, 3, 1, 50);
	ssize_t n = pread(b.fd, bytes, sizeof(bytes), 0);
	for (ssize_t cut = 0; cut < n; cut++) {
		uint32_t flaws = flaws_of(bytes, (size_t)cut);
		if (cut < meta)
			CHECK_EQ(flaws, UINT32_MAX);
		else if (cut == meta || cut == mapped)
			CHECK_EQ(flaws, PROFILE__FLAW_UNFINISHED);
		else
			CHECK_EQ(flaws, PROFILE__FLAW_UNFINISHED | PROFILE__FLAW_TRUNCATED);
	}
	close(b.fd);
}

TEST(a_damaged_block_is_left_out_and_said)
{
	struct bench b = begin();
	off_t meta = lseek(b.fd, 0, SEEK_END);
	static uint8_t bytes[16384];

	map(b, 10, 0x8000, 0x20000, "/bin/prog");
	samples(b, 3, 1, 50);
	samples(b, 4, 1, 50);
	ssize_t n = pread(b.fd, bytes, sizeof(bytes), 0);
	for (ssize_t i = 0; i < n; i++) {
		bytes[i] ^= 0x41;
		uint32_t flaws = flaws_of(bytes, (size_t)n);
		if (i < meta)
			CHECK_EQ(flaws, UINT32_MAX);
		else
			CHECK(flaws & (PROFILE__FLAW_DAMAGED | PROFILE__FLAW_TRUNCATED));
		bytes[i] ^= 0x41;
	}
	close(b.fd);
}

TEST(a_file_full_of_heads_of_blocks_is_not_read_once_for_each)
{
	struct profile__block_head head = {PROFILE__BLOCK_MAGIC, PROFILE__BLOCK_MAP, 1 << 20, 0, 0};
	struct bench b = begin();
	enum { HEADS = 100000 };
	struct profile__block_head *heads = calloc(HEADS, sizeof(head));
	clock_t before = clock();

	for (size_t i = 0; i < HEADS; i++)
		heads[i] = head;
	CHECK_EQ(write(b.fd, heads, HEADS * sizeof(head)), (ssize_t)(HEADS * sizeof(head)));
	struct profile__profile *p = look(b);
	CHECK(p->flaws & PROFILE__FLAW_DAMAGED);
	CHECK(clock() - before < 10 * CLOCKS_PER_SEC); /* each would be a megabyte to read: 100 GB */
	profile__close(p);
	free(heads);
	close(b.fd);
}

/* Each block may say that the thread's earlier blocks are lost, but not each that they filled the file. */
TEST(lost_nodes_of_all_threads_are_no_more_than_the_files_bytes)
{
	struct bench b = begin();

	samples(b, 0, 1, 50);
	samples(b, 1, 1, 50);
	uint32_t most = (uint32_t)lseek(b.fd, 0, SEEK_END), node = most / 2 + 2;
	samples(b, 2, node, 50);
	struct profile__profile *p = look(b);
	CHECK_EQ(p->flaws, PROFILE__FLAW_UNFINISHED);
	CHECK_EQ(p->samples, 150);
	profile__close(p);
	for (uint32_t serial = 3; serial < 10; serial++)
		samples(b, serial, 2 * node, 1);
	p = look(b);
	CHECK(p->flaws & PROFILE__FLAW_DAMAGED);
	CHECK(p->samples < 157);
	profile__close(p);
	close(b.fd);
}

TEST(what_is_no_profile_is_refused_with_a_reason)
{
	struct profile__file_head head = {.magic = "APMUPROF", .version = 3, .order = PROFILE__ORDER};
	static const char elf[64] = "\177ELF";
	struct profile__profile *p;
	char error[256], path[64];
	int fd = memfd_create("new", 0);

	head.check = profile__check(0, &head, offsetof(struct profile__file_head, check));
	CHECK_EQ(write(fd, &head, sizeof(head)), (ssize_t)sizeof(head));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK(profile__open(path, &p, error, sizeof(error)) < 0);
	CHECK(strstr(error, "has format version 3, made by a newer apmu; this one reads up to version 2"));
	CHECK_EQ(pwrite(fd, elf, sizeof(elf), 0), (ssize_t)sizeof(elf));
	CHECK(profile__open(path, &p, error, sizeof(error)) < 0);
	CHECK(strstr(error, "is not a profile of 'apmu record'"));
	CHECK(profile__open("/nonexistent", &p, error, sizeof(error)) < 0);
	CHECK(strstr(error, "No such file"));
	CHECK(profile__open("/", &p, error, sizeof(error)) < 0);
	CHECK(strstr(error, "is a folder"));
	close(fd);
}

/* Checks samples with 0, 1 and 32 branches; a sample has none of the one before. */
static int use_branches(void *context, const struct profile__sample *s)
{
	unsigned *seen = context, i = (*seen)++;

	CHECK_EQ(s->branches, i == 0 ? 32 : i == 1 ? 0 : 1);
	for (uint32_t k = 0; k < s->branches; k++) {
		CHECK_EQ(s->branch[k].from, UINT64_MAX - k * 8);
		CHECK_EQ(s->branch[k].to, k * 0x123456789ABCDEull);
		CHECK_EQ(s->branch[k].cycles, UINT64_MAX - k);
		CHECK_EQ(s->branch[k].kind, PROFILE__KIND_RETURN);
		CHECK_EQ(s->branch[k].mispredicted, k % 2);
	}
	return 0;
}

TEST(branches_of_a_sample_and_edges_come_back)
{
	struct bench b = begin();
	struct profile__samples_block head = {.pid = 10, .tid = 13, .serial = 3, .node = 1};
	struct profile__deltas last = {0};
	struct profile__branch branch[PROFILE__BRANCHES];
	uint8_t body[8192], *at = body;
	struct {
		struct profile__samples_block head;
		struct profile__edge_row row[2];
	} edges = {head, {{1, 2, 3, 4, 5, PROFILE__KIND_CALL, 1}, {6, 7, 8, 9, 0, PROFILE__KIND_NONE, 0}}};
	unsigned seen = 0;

	for (uint32_t k = 0; k < PROFILE__BRANCHES; k++)
		branch[k] = (struct profile__branch){.from = UINT64_MAX - k * 8,
						     .to = k * 0x123456789ABCDEull,
						     .cycles = UINT64_MAX - k,
						     .kind = PROFILE__KIND_RETURN,
						     .mispredicted = k % 2};
	at = profile__put_stack(at, branch, PROFILE__BRANCHES);
	CHECK(at - body <= (ptrdiff_t)PROFILE__STACK_MOST);
	at = profile__put_sample(at, &last, &(struct profile__sample){.pc = 4, .weight = 1});
	at = profile__put_sample(at, &last, &(struct profile__sample){.pc = 8, .weight = 1});
	at = profile__put_stack(at, branch, 1);
	at = profile__put_sample(at, &last, &(struct profile__sample){.pc = 4, .weight = 1});
	profile__block_write(b.fd, PROFILE__BLOCK_SAMPLES, &head, sizeof(head), body, (size_t)(at - body));
	profile__block_write(b.fd, PROFILE__BLOCK_EDGES, &edges, sizeof(edges), NULL, 0);
	struct profile__profile *p = look(b);
	CHECK_EQ(p->samples, 3);
	profile__each(p, use_branches, &seen);
	CHECK_EQ(seen, 3);
	CHECK_EQ(p->edges, 2);
	CHECK_EQ(p->edge[0].start, 1);
	CHECK_EQ(p->edge[0].mispredicted, 5);
	CHECK_EQ(p->edge[0].thread, 3);
	CHECK(p->edge[0].taken && !p->edge[1].taken);
	CHECK_EQ(p->edge[1].runs, 9);
	profile__close(p);
	close(b.fd);
}

TEST(a_stack_that_is_too_deep_or_cut_is_no_record)
{
	static const uint8_t deep[] = {PROFILE__TAG_FRAME | PROFILE__TAG_STACK, 33}, cut[] = {5, 1, 2};
	struct profile__deltas last = {0};
	struct profile__record r = {0};

	CHECK(!profile__get_record(deep, deep + sizeof(deep), &last, &r));
	CHECK(!profile__get_record(cut, cut + sizeof(cut), &last, &r));
	CHECK_EQ(r.branches, 0);
}
