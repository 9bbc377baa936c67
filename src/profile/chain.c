/* SPDX-License-Identifier: MIT */
/* The tree of call chains: the nodes of all threads in one tree, with each pair of parent and pc once. */
#include "profile/load.h"

#include <stdlib.h>

void *profile__room(void *array, size_t n, size_t size)
{
	if (n & (n - 1) || n == 1)
		return array;
	return realloc(array, (n ? 2 * n : 2) * size);
}

static size_t place(const struct profile__file *f, const struct profile__frame *frame)
{
	uint64_t h = (frame->pc ^ (uint64_t)frame->parent << 40 ^ frame->parent ^ frame->signal) *
		     0x9E3779B97F4A7C15u;
	size_t at = (size_t)(h >> 20) & (f->buckets - 1);

	for (; f->bucket[at]; at = (at + 1) & (f->buckets - 1)) {
		const struct profile__frame *there = &f->profile.frame[f->bucket[at]];
		if (there->pc == frame->pc && there->parent == frame->parent &&
		    there->signal == frame->signal)
			break;
	}
	return at;
}

static bool grow(struct profile__file *f)
{
	uint32_t *old = f->bucket;

	if (f->profile.frames * 2 < f->buckets)
		return true;
	size_t buckets = f->buckets ? f->buckets * 2 : 1024;
	uint32_t *bucket = calloc(buckets, sizeof(*bucket));
	if (!bucket)
		return false;
	f->bucket = bucket;
	f->buckets = buckets;
	for (uint32_t i = 1; i < f->profile.frames; i++)
		bucket[place(f, &f->profile.frame[i])] = i;
	free(old);
	return true;
}

uint32_t profile__chain_node(struct profile__file *f, const struct profile__frame *frame)
{
	struct profile__profile *p = &f->profile;

	if (!grow(f) || p->frames >= PROFILE__NONE)
		return PROFILE__NONE;
	size_t at = place(f, frame);
	if (f->bucket[at])
		return f->bucket[at];
	struct profile__frame *larger = profile__room(p->frame, p->frames, sizeof(*larger));
	if (!larger)
		return PROFILE__NONE;
	p->frame = larger;
	p->frame[p->frames] = *frame;
	if (p->frames)
		f->bucket[at] = (uint32_t)p->frames;
	return (uint32_t)p->frames++;
}
