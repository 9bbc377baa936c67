/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "profile/format.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static uint8_t *put(uint8_t *at, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*at++ = (uint8_t)(value | 0x80);
	*at++ = (uint8_t)value;
	return at;
}

static uint8_t *put_delta(uint8_t *at, uint64_t *last, uint64_t value)
{
	uint64_t delta = value - *last;

	*last = value;
	return put(at, delta << 1 ^ (0 - (delta >> 63)));
}

static unsigned tag_of(const struct profile__deltas *last, const struct profile__sample *s)
{
	unsigned event = s->event < 15 ? s->event : 15, tag = event << PROFILE__TAG_EVENT;

	if (s->weight != last->weight[s->event])
		tag |= PROFILE__TAG_WEIGHT;
	if (s->chain != last->chain)
		tag |= PROFILE__TAG_CHAIN;
	if (s->has_data)
		tag |= PROFILE__TAG_DATA;
	return tag;
}

uint8_t *profile__put_sample(uint8_t *at, struct profile__deltas *last, const struct profile__sample *s)
{
	unsigned tag = tag_of(last, s);

	*at++ = (uint8_t)tag;
	if (s->event >= 15)
		at = put(at, s->event);
	at = put_delta(at, &last->pc, s->pc);
	at = put_delta(at, &last->instructions, s->instructions);
	at = put_delta(at, &last->cycles, s->cycles);
	if (tag & PROFILE__TAG_WEIGHT)
		at = put(at, last->weight[s->event] = s->weight);
	if (tag & PROFILE__TAG_CHAIN)
		at = put(at, last->chain = s->chain);
	if (tag & PROFILE__TAG_DATA) {
		at = put_delta(at, &last->address, s->address);
		at = put(at, s->latency);
		at = put(at, s->level | (s->tlb_miss ? PROFILE__WHERE_TLB : 0) |
				     (s->walk ? PROFILE__WHERE_WALK : 0) |
				     (s->store ? PROFILE__WHERE_STORE : 0));
	}
	return at;
}

uint8_t *profile__put_frame(uint8_t *at, uint32_t parent, uint64_t pc, bool signal)
{
	*at++ = (uint8_t)(PROFILE__TAG_FRAME | (signal ? PROFILE__TAG_SIGNAL : 0));
	at = put(at, parent);
	return put(at, pc);
}

/* Youngest branch first: the target, the source, and the next older branch's target are close together, so
 * deltas are small. */
uint8_t *profile__put_stack(uint8_t *at, const struct profile__branch *branch, uint32_t n)
{
	uint64_t last = 0;

	*at++ = PROFILE__TAG_FRAME | PROFILE__TAG_STACK;
	at = put(at, n);
	for (uint32_t i = 0; i < n; i++) {
		at = put_delta(at, &last, branch[i].to);
		at = put_delta(at, &last, branch[i].from);
		*at++ = (uint8_t)(branch[i].kind << 1 | branch[i].mispredicted);
		at = put(at, branch[i].cycles);
	}
	return at;
}

/* A read position; `at` is NULL once a value did not fit. */
struct place {
	const uint8_t *at, *end;
};

static uint64_t get(struct place *p)
{
	uint64_t value = 0;

	for (unsigned shift = 0; p->at && p->at < p->end && shift < 64; shift += 7) {
		uint8_t byte = *p->at++;
		value |= (uint64_t)(byte & 0x7F) << shift;
		if (byte < 0x80)
			return value;
	}
	p->at = NULL;
	return 0;
}

static uint64_t get_delta(struct place *p, uint64_t *last)
{
	uint64_t code = get(p);

	return *last += code >> 1 ^ (0 - (code & 1));
}

static uint32_t get_small(struct place *p)
{
	uint64_t value = get(p);

	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static void get_data(struct place *p, struct profile__deltas *last, struct profile__sample *s)
{
	s->has_data = true;
	s->address = get_delta(p, &last->address);
	s->latency = get_small(p);
	uint64_t where = get(p);
	s->level = where & 0x1F;
	s->store = where & PROFILE__WHERE_STORE;
	s->tlb_miss = where & PROFILE__WHERE_TLB;
	s->walk = where & PROFILE__WHERE_WALK;
}

static void get_sample(struct place *p, unsigned tag, struct profile__deltas *last, struct profile__sample *s)
{
	*s = (struct profile__sample){.event = tag >> PROFILE__TAG_EVENT};
	if (s->event == 15)
		s->event = get_small(p);
	if (s->event >= PROFILE__EVENTS) {
		p->at = NULL;
		return;
	}
	s->pc = get_delta(p, &last->pc);
	s->instructions = get_delta(p, &last->instructions);
	s->cycles = get_delta(p, &last->cycles);
	if (tag & PROFILE__TAG_WEIGHT)
		last->weight[s->event] = get(p);
	if (tag & PROFILE__TAG_CHAIN)
		last->chain = get_small(p);
	if (tag & PROFILE__TAG_DATA)
		get_data(p, last, s);
	s->weight = last->weight[s->event];
	s->chain = last->chain;
}

static void get_stack(struct place *p, struct profile__record *out)
{
	uint64_t last = 0, n = get(p);

	out->branches = 0;
	if (n > PROFILE__BRANCHES)
		p->at = NULL;
	for (uint64_t i = 0; p->at && i < n; i++) {
		struct profile__branch *b = &out->branch[i];
		b->to = get_delta(p, &last);
		b->from = get_delta(p, &last);
		uint64_t flags = get(p);
		b->kind = (uint8_t)(flags >> 1 & 0xF);
		b->mispredicted = flags & 1;
		b->cycles = get(p);
	}
	if (p->at)
		out->branches = (uint32_t)n;
}

const uint8_t *profile__get_record(const uint8_t *at, const uint8_t *end, struct profile__deltas *last,
				   struct profile__record *out)
{
	struct place p = {at, end};

	if (at >= end)
		return NULL;
	unsigned tag = *p.at++;
	out->is_frame = (tag & PROFILE__TAG_FRAME) && !(tag & PROFILE__TAG_STACK);
	out->is_stack = (tag & PROFILE__TAG_FRAME) && (tag & PROFILE__TAG_STACK);
	if (out->is_stack) {
		get_stack(&p, out);
		return p.at;
	}
	if (!out->is_frame) {
		get_sample(&p, tag, last, &out->sample);
		out->sample.branch = out->branch;
		out->sample.branches = out->branches;
		out->branches = 0;
		return p.at;
	}
	out->frame.signal = tag & PROFILE__TAG_SIGNAL;
	out->frame.parent = get_small(&p);
	out->frame.pc = get(&p);
	return p.at;
}

/* Hashes eight bytes per step, by multiplying and folding. Detects accidents, not forgery. */
static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 32;
}

uint64_t profile__check(uint64_t before, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	uint64_t h = before, word;

	for (; n >= 8; n -= 8, at += 8) {
		memcpy(&word, at, 8);
		h = mix(h, word);
	}
	if (n == 0)
		return h;
	word = 0;
	memcpy(&word, at, n);
	return mix(h, word);
}

/* writev(). A signal that ends the process would cut off what goes into a regular file between two of its
 * pages, so signals are held back meanwhile; a pipe may never take the rest. */
static ssize_t write_parts(int fd, const struct iovec *part, int n)
{
	struct stat about;
	sigset_t all, before;

	if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
		return writev(fd, part, n);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ssize_t done = writev(fd, part, n);
	int code = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = code;
	return done;
}

int profile__cut_short(int fd)
{
	struct rlimit limit;
	struct stat about;
	bool full = getrlimit(RLIMIT_FSIZE, &limit) == 0 && fstat(fd, &about) == 0 &&
		    (rlim_t)about.st_size >= limit.rlim_cur;

	return full ? -EFBIG : -ENOSPC;
}

int profile__block_write(int fd, enum profile__block_kind kind, const void *head, size_t head_size,
			 const void *body, size_t body_size)
{
	struct profile__block_head b = {PROFILE__BLOCK_MAGIC, kind, (uint32_t)(head_size + body_size), 0, 0};
	struct iovec part[3] = {
		{&b, sizeof(b)}, {(void *)(uintptr_t)head, head_size}, {(void *)(uintptr_t)body, body_size}};

	if (body_size > UINT32_MAX - head_size)
		return -EFBIG;
	b.check = profile__check(0, &b, offsetof(struct profile__block_head, check));
	b.check = profile__check(profile__check(b.check, head, head_size), body, body_size);
	ssize_t done = write_parts(fd, part, 3);
	if (done < 0)
		return -errno;
	return (size_t)done == sizeof(b) + head_size + body_size ? 0 : profile__cut_short(fd);
}
