/* SPDX-License-Identifier: MIT */
/* perf.data in its file form (Linux tools/perf/Documentation/perf.data-file-format.txt, perf_event_open(2)).
 * Time is the thread's instructions as nanoseconds, made monotonic over the file: perf sorts by time, and a
 * mapping must come before its samples. The data are passed through twice, the first time for their size. */
#include "profile/export.h"
#include "profile/program_code.h"
#include "profile/proto.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum { ATTR_SIZE = 112, HEAD_SIZE = 104, SECTION = 16, DEEPEST = 126 };
enum { RECORD_COMM = 3, RECORD_SAMPLE = 9, RECORD_MMAP2 = 10 };
enum { MISC_USER = 2, MISC_DATA = 1 << 13, MISC_BUILD_ID = 1 << 14 };
enum { /* sample_type */
	TYPE_IP = 1, TYPE_TID = 2, TYPE_TIME = 4, TYPE_ADDR = 8, TYPE_CHAIN = 32, TYPE_CPU = 128, TYPE_PERIOD = 256,
	TYPE_BRANCHES = 1 << 11,
	TYPE_WEIGHT = 1 << 14, TYPE_SOURCE = 1 << 15, TYPE_IDENTIFIER = 1 << 16
};
enum { /* flags of perf_event_attr */
	FLAG_EXCLUDE_KERNEL = 1 << 5, FLAG_EXCLUDE_HV = 1 << 6, FLAG_MMAP = 1 << 8, FLAG_COMM = 1 << 9,
	FLAG_FREQ = 1 << 10, FLAG_TASK = 1 << 13, FLAG_SAMPLE_ID_ALL = 1 << 18, FLAG_MMAP2 = 1 << 23
};
enum { TYPE_HARDWARE = 0, TYPE_RAW = 4 };
enum { BRANCH_USER = 1, BRANCH_ANY = 8, BRANCH_TYPE_SAVE = 1 << 16 }; /* branch_sample_type */
enum { /* bits of features that follow the data */
	FEATURE_VERSION = 5, FEATURE_ARCH = 6, FEATURE_NRCPUS = 7, FEATURE_CPUDESC = 8, FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12, FEATURE_NUMA = 14,
	FEATURE_BRANCH_STACK = 15
};
/* clang-format on */

#define CONTEXT_USER ((uint64_t)-512)

struct perf {
	const struct profile__export *export;
	struct profile__blob out; /* the record being made */
	bool counting;            /* first pass, in which nothing is written */
	bool failed;
	uint64_t size, now;
	size_t maps; /* mappings of files written so far */
	bool made;   /* those of code that the program made are written */
	bool *named; /* indexed by thread: its name is written */
};

static void put(struct profile__blob *out, uint64_t value, size_t size)
{
	uint8_t byte[8];

	for (size_t i = 0; i < size; i++)
		byte[i] = (uint8_t)(value >> 8 * i);
	profile__blob_add(out, byte, size);
}

static void put_padded(struct profile__blob *out, const char *text, size_t unit)
{
	static const uint8_t zero[64];
	size_t n = strlen(text) + 1;

	profile__blob_add(out, text, n);
	profile__blob_add(out, zero, (unit - n % unit) % unit);
}

/* True if samples have branches: those of an exact profile have none. */
static bool has_branches(const struct profile__profile *profile)
{
	return profile->branches && !profile->exact;
}

static uint64_t sample_type(const struct profile__profile *profile)
{
	uint64_t type = TYPE_IDENTIFIER | TYPE_IP | TYPE_TID | TYPE_TIME | TYPE_PERIOD;

	if (profile->chains)
		type |= TYPE_CHAIN;
	if (has_branches(profile))
		type |= TYPE_BRANCHES;
	if (profile->data)
		type |= TYPE_ADDR | TYPE_CPU | TYPE_WEIGHT | TYPE_SOURCE;
	return type;
}

static void put_attr(struct profile__blob *out, const struct profile__profile *profile, size_t e)
{
	const struct profile__event *event = &profile->event[e];
	bool cycles = event->number == PROFILE__CYCLE_COUNTER;
	uint64_t flags = FLAG_EXCLUDE_KERNEL | FLAG_EXCLUDE_HV | FLAG_MMAP | FLAG_COMM | FLAG_TASK |
			 FLAG_SAMPLE_ID_ALL | FLAG_MMAP2 | (event->frequency ? FLAG_FREQ : 0);
	static const uint8_t none[24], rest[ATTR_SIZE - 80];

	put(out, cycles ? TYPE_HARDWARE : TYPE_RAW, 4);
	put(out, ATTR_SIZE, 4);
	put(out, cycles ? 0 : event->number, 8);
	put(out, event->frequency ? event->frequency : event->period, 8);
	put(out, sample_type(profile), 8);
	put(out, 0, 8); /* read_format */
	put(out, flags, 8);
	profile__blob_add(out, none, sizeof none); /* wakeups, breakpoints */
	put(out, has_branches(profile) ? BRANCH_USER | BRANCH_ANY | BRANCH_TYPE_SAVE : 0, 8);
	profile__blob_add(out, rest, sizeof rest);
}

static void begin(struct perf *perf, uint32_t type, uint32_t misc)
{
	perf->out.size = 0;
	put(&perf->out, type, 4);
	put(&perf->out, misc, 2);
	put(&perf->out, 0, 2); /* size: see end() */
}

static void end(struct perf *perf)
{
	uint64_t size = perf->out.size;

	if (perf->out.failed || size > UINT16_MAX) {
		perf->failed = true;
		return;
	}
	perf->out.at[6] = (uint8_t)size;
	perf->out.at[7] = (uint8_t)(size >> 8);
	perf->size += size;
	if (!perf->counting)
		fwrite(perf->out.at, 1, perf->out.size, perf->export->out);
}

/* Adds what FLAG_SAMPLE_ID_ALL appends to records other than samples. */
static void put_id(struct perf *perf, int32_t pid, int32_t tid)
{
	put(&perf->out, (uint32_t)pid, 4);
	put(&perf->out, (uint32_t)tid, 4);
	put(&perf->out, perf->now, 8);
	if (perf->export->summary->profile->data)
		put(&perf->out, 0, 8); /* core */
	put(&perf->out, 1, 8);         /* the first event's id */
}

/* The thread number for perf. A whole system's virtual CPUs are threads 1, 2 ... of process 1, because perf
 * takes 0 for the idle task, which has no mappings. */
static int32_t number_of(const struct perf *perf, const struct profile__thread *thread)
{
	return (int32_t)((uint32_t)thread->tid + (perf->export->summary->profile->system ? 1 : 0));
}

static void put_comm(struct perf *perf, const struct profile__thread *thread)
{
	const char *program = perf->export->summary->profile->program;
	char name[16] = "program"; /* as long as the kernel's, with the terminating 0 */

	if (perf->export->summary->profile->system)
		snprintf(name, sizeof name, "vCPU %" PRId32, thread->tid);
	else if (thread->name && thread->name[0])
		snprintf(name, sizeof name, "%s", thread->name);
	else if (program && program[0])
		snprintf(name, sizeof name, "%s", profile__base_name(program));
	begin(perf, RECORD_COMM, 0);
	put(&perf->out, (uint32_t)thread->pid, 4);
	put(&perf->out, (uint32_t)number_of(perf, thread), 4);
	put_padded(&perf->out, name, 8);
	put_id(perf, thread->pid, number_of(perf, thread));
	end(perf);
}

static void put_map(struct perf *perf, const struct profile__map *map)
{
	bool id = map->build_id_size > 0 && map->build_id_size <= 20,
	     code = map->function || profile__map_executes(map);
	uint8_t bytes[24] = {map->build_id_size};

	/* as the kernel does: data mappings only if data addresses are recorded */
	if (map->unmapped || strlen(map->path) >= 4096 || (!code && !perf->export->summary->profile->data))
		return;
	begin(perf, RECORD_MMAP2,
	      MISC_USER | (id ? (uint32_t)MISC_BUILD_ID : 0) | (code ? 0 : (uint32_t)MISC_DATA));
	put(&perf->out, (uint32_t)map->pid, 4);
	put(&perf->out, (uint32_t)map->pid, 4);
	put(&perf->out, map->start, 8);
	put(&perf->out, map->end - map->start, 8);
	put(&perf->out, map->offset, 8);
	if (id)
		memcpy(bytes + 4, map->build_id, map->build_id_size);
	else
		bytes[0] = 0;
	profile__blob_add(&perf->out, bytes, sizeof bytes);
	put(&perf->out, code ? 5 : 3, 4); /* PROT_READ | PROT_EXEC, or PROT_READ | PROT_WRITE */
	put(&perf->out, 2, 4);            /* MAP_PRIVATE */
	put_padded(&perf->out, map->function ? "//anon" : map->path,
		   8); /* makes perf read /tmp/perf-PID.map */
	put_id(perf, map->pid, map->pid);
	end(perf);
}

/* Writes the files' mappings up to a moment, then once the code that the program made at any time, whose
 * mappings come last in the profile. */
static void put_maps(struct perf *perf, uint32_t when)
{
	const struct profile__profile *profile = perf->export->summary->profile;
	size_t made = profile->maps;

	for (; perf->maps < profile->maps && !profile->map[perf->maps].function; perf->maps++) {
		if (profile->map[perf->maps].when > when)
			break;
		put_map(perf, &profile->map[perf->maps]);
	}
	while (!perf->made && made > 0 && profile->map[made - 1].function)
		made--;
	for (; !perf->made && made < profile->maps; made++)
		put_map(perf, &profile->map[made]);
	perf->made = true;
}

static void put_chain(struct perf *perf, const struct profile__sample *sample)
{
	const struct profile__frame *frame = perf->export->summary->profile->frame;
	uint64_t n = 2; /* the mark of the context, which is no frame, and the sample's own */

	for (uint32_t i = sample->chain; i != 0 && n <= DEEPEST; i = frame[i].parent)
		n++;
	put(&perf->out, n, 8);
	put(&perf->out, CONTEXT_USER, 8);
	put(&perf->out, sample->pc, 8);
	uint32_t at = sample->chain;
	for (uint64_t i = 2; i < n; i++, at = frame[at].parent)
		put(&perf->out, frame[at].pc, 8);
}

/* struct perf_branch_entry; the kinds have perf's numbers. */
static void put_branches(struct profile__blob *out, const struct profile__sample *sample)
{
	put(out, sample->branches, 8);
	for (uint32_t i = 0; i < sample->branches; i++) {
		const struct profile__branch *b = &sample->branch[i];
		uint64_t cycles = b->cycles < UINT16_MAX ? b->cycles : UINT16_MAX;
		put(out, b->from, 8);
		put(out, b->to, 8);
		put(out, (b->mispredicted ? 1u : 2u) | cycles << 4 | (uint64_t)b->kind << 20, 8);
	}
}

enum { SNOOP_HIT = 4, SNOOP_HITM = 16, SNOOPX_PEER = 2 }; /* PERF_MEM_SNOOP... */

/* perf_mem_data_src: where the data came from, and TLB misses. */
static uint64_t source(const struct profile__sample *sample)
{
	/* clang-format off */
	/* level, snoop and number: perf_mem_data_src describes another core's cache as a last-level hit */
	static const struct { uint64_t level, snoop, number; } levels[] = {
		[PROFILE__LEVEL_NONE] = {1, 1, 0xf}, [PROFILE__LEVEL_L1] = {2 | 8, 1, 1},
		[PROFILE__LEVEL_L2] = {2 | 0x20, 1, 2}, [PROFILE__LEVEL_L3] = {2 | 0x40, 1, 3},
		[PROFILE__LEVEL_MEMORY] = {2 | 0x80, 1, 0xd},
		[PROFILE__LEVEL_PEER] = {2 | 0x40, SNOOP_HIT, 3}, [PROFILE__LEVEL_MODIFIED] = {2 | 0x40, SNOOP_HITM, 3},
	};
	/* clang-format on */
	size_t level = sample->has_data && sample->level <= PROFILE__LEVEL_MODIFIED ? sample->level : 0;
	uint64_t tlb = !sample->has_data ? 1 : sample->walk ? 4 | 0x20 : sample->tlb_miss ? 2 | 0x10 : 2 | 8;

	uint64_t operation = !sample->has_data ? 1 : sample->store ? 4 : 2;

	uint64_t peer = level >= PROFILE__LEVEL_PEER ? SNOOPX_PEER : 0; /* by which perf c2c sorts on Arm */
	return operation | levels[level].level << 5 | levels[level].snoop << 19 | 1u << 24 | tlb << 26 |
	       peer << 38 | levels[level].number << 33;
}

static int use(void *context, const struct profile__sample *sample)
{
	struct perf *perf = context;
	const struct profile__profile *profile = perf->export->summary->profile;
	const struct profile__thread *thread = &profile->thread[sample->thread];

	/* now, because a program that executes another has the same numbers */
	if (!perf->named[sample->thread])
		put_comm(perf, thread);
	perf->named[sample->thread] = true;
	/* llvm-profgen takes a sample without branches for one with a call chain */
	if (has_branches(profile) && sample->branches == 0)
		return 0;
	perf->now = sample->instructions > perf->now ? sample->instructions : perf->now;
	put_maps(perf, sample->when);
	begin(perf, RECORD_SAMPLE, MISC_USER);
	put(&perf->out, sample->event + 1, 8);
	put(&perf->out, sample->pc, 8);
	put(&perf->out, (uint32_t)thread->pid, 4);
	put(&perf->out, (uint32_t)number_of(perf, thread), 4);
	put(&perf->out, perf->now, 8);
	if (profile->data)
		put(&perf->out, sample->has_data ? sample->address : 0, 8);
	if (profile->data)
		put(&perf->out, sample->thread, 8); /* each thread has a core of its own */
	put(&perf->out, sample->weight, 8);
	if (profile->chains)
		put_chain(perf, sample);
	if (has_branches(profile))
		put_branches(&perf->out, sample);
	if (profile->data) {
		put(&perf->out, sample->has_data ? sample->latency : 0, 8);
		put(&perf->out, source(sample), 8);
	}
	end(perf);
	return perf->failed ? -ENOMEM : 0;
}

/* What perf finds of a program without samples: a file without any record is to it one that was cut off. */
static void put_program(struct perf *perf)
{
	const struct profile__profile *profile = perf->export->summary->profile;

	for (size_t t = 0; t < profile->threads; t++)
		put_comm(perf, &profile->thread[t]);
	put_maps(perf, UINT32_MAX);
}

static int put_data(struct perf *perf)
{
	const struct profile__profile *profile = perf->export->summary->profile;
	int code;

	perf->size = 0;
	perf->now = 0;
	perf->maps = 0;
	perf->made = false;
	memset(perf->named, 0, profile->threads * sizeof *perf->named);
	code = profile__each(profile, use, perf);
	if (code == 0 && perf->size == 0)
		put_program(perf);
	return code == 0 && perf->failed ? -ENOMEM : code;
}

/* do_write_string of tools/perf: the length includes the padding to 64 bytes. */
static void put_string(struct profile__blob *out, const char *text)
{
	put(out, (strlen(text) + 1 + 63) / 64 * 64, 4);
	put_padded(out, text, 64);
}

static void put_event_desc(struct profile__blob *out, const struct profile__profile *profile)
{
	put(out, profile->events, 4);
	put(out, ATTR_SIZE, 4);
	for (size_t e = 0; e < profile->events; e++) {
		put_attr(out, profile, e);
		put(out, 1, 4);
		put_string(out, profile->event[e].label);
		put(out, e + 1, 8);
	}
}

/* The number of cores: with data, samples name a core per thread. */
static uint64_t cores_of(const struct profile__profile *profile)
{
	return profile->data && profile->threads ? profile->threads : 1;
}

/* One NUMA node, with all cores and no memory. */
static void put_numa(struct profile__blob *out, const struct profile__profile *profile)
{
	char cores[32];

	snprintf(cores, sizeof cores, "0-%" PRIu64, cores_of(profile) - 1);
	put(out, 1, 4);
	put(out, 0, 4);
	put(out, 0, 8);
	put(out, 0, 8);
	put_string(out, cores_of(profile) == 1 ? "0" : cores);
}

static void put_feature(struct profile__blob *out, const struct profile__profile *profile, unsigned bit)
{
	switch (bit) {
	case FEATURE_VERSION: put_string(out, profile->version); break;
	case FEATURE_ARCH: put_string(out, profile->machine == 183 ? "aarch64" : "armv7l"); break;
	case FEATURE_NRCPUS:
		put(out, cores_of(profile), 4);
		put(out, cores_of(profile), 4);
		break;
	case FEATURE_NUMA: put_numa(out, profile); break;
	case FEATURE_CPUDESC: put_string(out, profile->core); break;
	case FEATURE_CMDLINE: /* "perf record PROGRAM ...": readers leave out the first word */
		put(out, profile->args + 2, 4);
		put_string(out, "apmu");
		put_string(out, "record");
		for (size_t i = 0; i < profile->args; i++)
			put_string(out, profile->argv[i]);
		break;
	case FEATURE_BRANCH_STACK: break; /* its presence says that there are some */
	default: put_event_desc(out, profile); break;
	}
}

static const uint8_t features[] = {FEATURE_VERSION, FEATURE_ARCH,       FEATURE_NRCPUS, FEATURE_CPUDESC,
				   FEATURE_CMDLINE, FEATURE_EVENT_DESC, FEATURE_NUMA,   FEATURE_BRANCH_STACK};

/* True if the file has the i-th feature. */
static bool has_feature(const struct profile__profile *profile, size_t i)
{
	switch (features[i]) {
	case FEATURE_NUMA: return profile->data; /* perf c2c needs it */
	case FEATURE_BRANCH_STACK: return has_branches(profile);
	default: return true;
	}
}

static size_t features_of(const struct profile__profile *profile)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof features; i++)
		n += has_feature(profile, i);
	return n;
}

/* Writes the table of sections, then their contents. `at`: position of the table in the file. */
static void put_features(struct profile__blob *out, const struct profile__profile *profile, uint64_t at)
{
	struct profile__blob body = {0};
	uint64_t start = at + features_of(profile) * SECTION;

	for (size_t i = 0; i < sizeof features; i++) {
		size_t before = body.size;
		if (!has_feature(profile, i))
			continue;
		put_feature(&body, profile, features[i]);
		put(out, start + before, 8);
		put(out, body.size - before, 8);
	}
	profile__blob_add(out, body.at, body.size);
	out->failed = out->failed || body.failed;
	profile__blob_free(&body);
}

static void put_head(struct profile__blob *out, const struct profile__profile *profile, uint64_t data_size)
{
	uint64_t ids = HEAD_SIZE;
	uint64_t attrs = ids + 8 * profile->events;
	uint64_t attrs_size = (ATTR_SIZE + SECTION) * profile->events;
	uint64_t flags = 0;

	for (size_t i = 0; i < sizeof features; i++)
		flags |= (uint64_t)has_feature(profile, i) << features[i];
	profile__blob_add(out, "PERFILE2", 8);
	put(out, HEAD_SIZE, 8);
	put(out, ATTR_SIZE + SECTION, 8);
	put(out, attrs, 8);
	put(out, attrs_size, 8);
	put(out, attrs + attrs_size, 8);
	put(out, data_size, 8);
	put(out, 0, 8); /* event types: no longer used */
	put(out, 0, 8);
	for (unsigned i = 0; i < 4; i++)
		put(out, i == 0 ? flags : 0, 8);
	for (size_t e = 0; e < profile->events; e++)
		put(out, e + 1, 8);
	for (size_t e = 0; e < profile->events; e++) {
		put_attr(out, profile, e);
		put(out, ids + 8 * e, 8);
		put(out, 8, 8);
	}
}

int profile__export_perf(const struct profile__export *export)
{
	const struct profile__profile *profile = export->summary->profile;
	struct perf perf = {.export = export,
			    .counting = true,
			    .named = calloc(profile->threads + 1, sizeof *perf.named)};
	struct profile__blob head = {0};
	struct profile__blob tail = {0};
	int code = perf.named ? put_data(&perf) : -ENOMEM;
	uint64_t data = perf.size;

	put_head(&head, profile, data);
	put_features(&tail, profile, head.size + data);
	if (code == 0 && (head.failed || tail.failed))
		code = -ENOMEM;
	if (code == 0) {
		fwrite(head.at, 1, head.size, export->out);
		perf.counting = false;
		code = put_data(&perf);
		fwrite(tail.at, 1, tail.size, export->out);
	}
	profile__blob_free(&head);
	profile__blob_free(&tail);
	profile__blob_free(&perf.out);
	free(perf.named);
	return code;
}
