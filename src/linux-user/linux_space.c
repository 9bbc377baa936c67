/* SPDX-License-Identifier: MIT */
/* The program's address space: a list of regions, what mmap and its kin make of it. */
#define _GNU_SOURCE /* pread */
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define PAGE_MASK     ((uint64_t)APMU__LINUX_PAGE - 1)
#define MMAP_TOP      0x7F000000u /* below the stack; new mappings go downwards from here */
#define MMAP_BOTTOM   0x20000u
#define TOP_AARCH32   0xF0000000u
#define TOP_AARCH64   ((uint64_t)1 << 39)
#define MEMORY        ((uint64_t)1 << 30)
#define MAP_FIXED     0x10u
#define MAP_ANONYMOUS 0x20u
#define MAP_TYPE      0xFu
#define MAP_PRIVATE   2u
#define MAP_NOREPLACE 0x100000u
#define MREMAP_MOVE   1u
#define PIECE         4096u

static uint64_t top(const struct apmu__linux *p)
{
	return p->config.aarch64 ? TOP_AARCH64 : TOP_AARCH32;
}

/* Rounded up to whole pages; 0 for nothing and for what is too large to be. */
static uint64_t pages(const struct apmu__linux *p, uint64_t size)
{
	return size > top(p) ? 0 : (size + PAGE_MASK) & ~PAGE_MASK;
}

static bool inside(const struct apmu__linux *p, uint64_t base, uint64_t size)
{
	return !(base & PAGE_MASK) && base >= APMU__LINUX_PAGE && size && base < top(p) &&
	       size <= top(p) - base;
}

/* A region that shares a byte with [base, base + size); NULL: free. */
static struct apmu__linux_region *taken(struct apmu__linux *p, uint64_t base, uint64_t size)
{
	for (unsigned i = 0; i < p->regions; i++) {
		struct apmu__linux_region *r = &p->region[i];

		if (base < r->base + r->size && r->base < base + size)
			return r;
	}
	return NULL;
}

/* The highest gap below MMAP_TOP. Each step goes below one region, so it ends. */
static uint64_t find_gap(struct apmu__linux *p, uint64_t size)
{
	uint64_t base = MMAP_TOP - size;
	const struct apmu__linux_region *in_the_way;

	if (size > MMAP_TOP - MMAP_BOTTOM)
		return 0;
	while ((in_the_way = taken(p, base, size))) {
		if (in_the_way->base < MMAP_BOTTOM + size)
			return 0;
		base = in_the_way->base - size;
	}
	return base;
}

/* Joins a neighbour of the same protection, so that a heap that grows stays one region. */
static bool join(struct apmu__linux *p, uint64_t base, uint64_t size, unsigned protection)
{
	for (unsigned i = 0; i < p->regions; i++) {
		struct apmu__linux_region *r = &p->region[i];

		if (r->protection != protection)
			continue;
		if (r->base + r->size != base && base + size != r->base)
			continue;
		r->base = base < r->base ? base : r->base;
		r->size += size;
		return true;
	}
	return false;
}

static bool note(struct apmu__linux *p, uint64_t base, uint64_t size, unsigned protection)
{
	if (join(p, base, size, protection))
		return true;
	if (p->regions == APMU__LINUX_REGIONS)
		return false;
	p->region[p->regions++] = (struct apmu__linux_region){base, size, (uint8_t)protection};
	return true;
}

int apmu__linux_map(struct apmu__linux *p, uint64_t base, uint64_t size, unsigned protection)
{
	uint64_t most = p->config.memory ? p->config.memory : MEMORY;

	if (!inside(p, base, size) || size > most - p->mapped || p->regions == APMU__LINUX_REGIONS)
		return -ENOMEM;
	int code = p->config.machine.map(p->config.machine.ctx, base, size, protection);
	if (code != 0)
		return code;
	note(p, base, size, protection);
	p->mapped += size;
	return 0;
}

/* What is left of a region on both sides of [from, to); the middle is dropped from the list. */
static void cut(struct apmu__linux *p, struct apmu__linux_region *r, uint64_t from, uint64_t to)
{
	struct apmu__linux_region old = *r;

	*r = p->region[--p->regions];
	if (old.base < from)
		p->region[p->regions++] =
			(struct apmu__linux_region){old.base, from - old.base, old.protection};
	if (old.base + old.size > to)
		p->region[p->regions++] =
			(struct apmu__linux_region){to, old.base + old.size - to, old.protection};
}

/* One piece after the other, each the part of one region. A cut can need a place more in the list. */
static int64_t unmap(struct apmu__linux *p, uint64_t base, uint64_t size)
{
	struct apmu__linux_region *r;

	while ((r = taken(p, base, size))) {
		uint64_t from = r->base > base ? r->base : base;
		uint64_t end = r->base + r->size < base + size ? r->base + r->size : base + size;

		if (p->regions + 1 >= APMU__LINUX_REGIONS)
			return -ENOMEM;
		cut(p, r, from, end);
		p->config.machine.unmap(p->config.machine.ctx, from, end - from);
		p->mapped -= end - from;
	}
	return 0;
}

int64_t apmu__linux_brk(struct apmu__linux_call *call)
{
	struct apmu__linux *p = call->p;
	uint64_t want = call->arg[0], now = (p->brk + PAGE_MASK) & ~PAGE_MASK, then = pages(p, want);

	if (want < p->brk_start || !then)
		return (int64_t)p->brk;
	if (then > now && (taken(p, now, then - now) ||
			   apmu__linux_map(p, now, then - now, APMU__LINUX_READ | APMU__LINUX_WRITE) != 0))
		return (int64_t)p->brk;
	if (then < now && unmap(p, then, now - then) != 0)
		return (int64_t)p->brk;
	p->brk = want;
	return (int64_t)want;
}

/* A file is mapped as a copy of its own: what others would see of writes is refused. */
static int64_t may_map(const struct apmu__linux_call *call)
{
	const struct apmu__linux *p = call->p;
	bool shared = (call->arg[3] & MAP_TYPE) != MAP_PRIVATE;

	if (!apmu__linux_is_open(p, call->arg[4]))
		return -EBADF;
	const struct apmu__linux_open *one = &p->open[call->arg[4]];
	if (one->kind != APMU__LINUX_FILE || (shared && call->arg[2] & APMU__LINUX_WRITE))
		return -ENODEV;
	return (one->flags & 3) == O_WRONLY ? -EACCES : 0;
}

/* What lies beyond the file's end reads as zero. */
static void fill(struct apmu__linux *p, uint64_t base, uint64_t size, uint64_t fd, uint64_t offset)
{
	uint8_t piece[PIECE];
	ssize_t n = 1;

	for (uint64_t done = 0; done < size && n > 0; done += (uint64_t)n) {
		n = pread(p->open[fd].host, piece, sizeof(piece), (off_t)(offset + done));
		if (n > 0 && !apmu__linux_put(p, base + done, piece, (size_t)n))
			return;
	}
}

static int64_t map_at(struct apmu__linux_call *call, uint64_t offset)
{
	struct apmu__linux *p = call->p;
	uint64_t base = call->arg[0], size = pages(p, call->arg[1]), flags = call->arg[3];
	int64_t may;

	if (!call->arg[1])
		return -EINVAL;
	if (!size)
		return -ENOMEM;
	if (!(flags & MAP_ANONYMOUS) && (may = may_map(call)) != 0)
		return may;
	if (flags & (MAP_FIXED | MAP_NOREPLACE)) {
		if (!inside(p, base, size))
			return base & PAGE_MASK ? -EINVAL : -ENOMEM;
		if (flags & MAP_NOREPLACE && taken(p, base, size))
			return -EEXIST;
		int64_t code = unmap(p, base, size);
		if (code != 0)
			return code;
	} else if (!inside(p, base, size) || taken(p, base, size)) {
		base = find_gap(p, size);
	}
	int code = base ? apmu__linux_map(p, base, size, call->arg[2] & 7) : -ENOMEM;
	if (code == 0 && !(flags & MAP_ANONYMOUS))
		fill(p, base, size, call->arg[4], offset);
	return code ? code : (int64_t)base;
}

int64_t apmu__linux_mmap(struct apmu__linux_call *call)
{
	uint64_t offset = call->arg[5];

	if (offset & PAGE_MASK || offset > INT64_MAX / 2)
		return -EINVAL;
	return map_at(call, offset);
}

/* The offset counts pages of 4 KiB. */
int64_t apmu__linux_mmap2(struct apmu__linux_call *call)
{
	return map_at(call, (uint64_t)(uint32_t)call->arg[5] * 4096);
}

int64_t apmu__linux_munmap(struct apmu__linux_call *call)
{
	uint64_t size = pages(call->p, call->arg[1]);

	if (!inside(call->p, call->arg[0], size))
		return -EINVAL;
	return unmap(call->p, call->arg[0], size);
}

/* The regions keep their first protection: it is the machine that has the pages'. */
int64_t apmu__linux_mprotect(struct apmu__linux_call *call)
{
	struct apmu__linux *p = call->p;
	uint64_t base = call->arg[0], size = pages(p, call->arg[1]), end = base + size;

	if (!call->arg[1])
		return 0;
	if (!inside(p, base, size))
		return -EINVAL;
	for (uint64_t at = base; at < end;) {
		const struct apmu__linux_region *r = taken(p, at, 1);
		if (!r)
			return -ENOMEM;
		uint64_t stop = r->base + r->size < end ? r->base + r->size : end;
		p->config.machine.protect(p->config.machine.ctx, at, stop - at, call->arg[2] & 7);
		at = stop;
	}
	return 0;
}

static bool copy(struct apmu__linux *p, uint64_t to, uint64_t from, uint64_t size)
{
	uint8_t piece[PIECE];

	for (uint64_t done = 0; done < size; done += PIECE)
		if (!apmu__linux_get(p, from + done, piece, PIECE) ||
		    !apmu__linux_put(p, to + done, piece, PIECE))
			return false;
	return true;
}

int64_t apmu__linux_mremap(struct apmu__linux_call *call)
{
	struct apmu__linux *p = call->p;
	uint64_t base = call->arg[0], old = pages(p, call->arg[1]), new = pages(p, call->arg[2]), to;
	const struct apmu__linux_region *r = inside(p, base, old) ? taken(p, base, 1) : NULL;

	if (!r || r->base + r->size - base < old)
		return -EFAULT;
	if (!inside(p, base, new) || call->arg[3] & ~(uint64_t)MREMAP_MOVE)
		return -EINVAL;
	if (new <= old)
		return new == old || unmap(p, base + new, old - new) == 0 ? (int64_t)base : -ENOMEM;
	unsigned protection = r->protection;
	if (!taken(p, base + old, new - old) && apmu__linux_map(p, base + old, new - old, protection) == 0)
		return (int64_t)base;
	if (!(call->arg[3] & MREMAP_MOVE) || !(to = find_gap(p, new)) ||
	    apmu__linux_map(p, to, new, protection) != 0)
		return -ENOMEM;
	return copy(p, to, base, old) && unmap(p, base, old) == 0 ? (int64_t)to : -EFAULT;
}
