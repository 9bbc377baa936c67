/* SPDX-License-Identifier: MIT */
/* The program's address space: a list of regions, and what mmap and its kin do to it. */
#define _GNU_SOURCE /* pread */
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define PAGE_MASK     ((uint64_t)APMU_LINUX__PAGE - 1)
#define MMAP_TOP      0x7F000000u /* below the stack; new mappings grow downwards from here */
#define MMAP_BOTTOM   0x20000u
#define TOP_AARCH32   0xF0000000u
#define TOP_AARCH64   ((uint64_t)1 << 39)
#define MEMORY        ((uint64_t)1 << 30)
#define MAP_FIXED     0x10u
#define MAP_ANONYMOUS 0x20u
#define MAP_TYPE      0xFu
#define MAP_PRIVATE   2u
#define MAP_VALIDATE  3u /* the last kind; 1 is MAP_SHARED */
#define MAP_NOREPLACE 0x100000u
#define MREMAP_MOVE   1u
#define PROTECTIONS   0x300000Fu /* of mprotect: read, write, execute, semaphores; grows down, up */
#define DONTNEED      4u         /* madvise */
#define FROM_FILE     8u         /* in a region's protection: its contents came from a file */
#define PIECE         4096u

static uint64_t top(const struct apmu_linux__linux *p)
{
	return p->config.aarch64 ? TOP_AARCH64 : TOP_AARCH32;
}

/* Rounds a size up to whole pages; 0 for nothing and for what is larger than the address space. */
static uint64_t pages(const struct apmu_linux__linux *p, uint64_t size)
{
	return size > top(p) ? 0 : (size + PAGE_MASK) & ~PAGE_MASK;
}

static bool inside(const struct apmu_linux__linux *p, uint64_t base, uint64_t size)
{
	return !(base & PAGE_MASK) && base >= APMU_LINUX__PAGE && size && base < top(p) &&
	       size <= top(p) - base;
}

/* Returns a region that shares a byte with [base, base + size); NULL: the range is free. */
static struct apmu_linux__region *taken(struct apmu_linux__linux *p, uint64_t base, uint64_t size)
{
	for (unsigned i = 0; i < p->regions; i++) {
		struct apmu_linux__region *r = &p->region[i];

		if (base < r->base + r->size && r->base < base + size)
			return r;
	}
	return NULL;
}

bool apmu_linux__is_mapped(const struct apmu_linux__linux *p, uint64_t address)
{
	for (unsigned i = 0; i < p->regions; i++)
		if (address - p->region[i].base < p->region[i].size)
			return true;
	return false;
}

/* Returns the highest gap below MMAP_TOP; 0: there is none. Each step goes below one region, so the loop
 * ends. */
static uint64_t find_gap(struct apmu_linux__linux *p, uint64_t size)
{
	uint64_t base = MMAP_TOP - size;
	const struct apmu_linux__region *in_the_way;

	if (size > MMAP_TOP - MMAP_BOTTOM)
		return 0;
	while ((in_the_way = taken(p, base, size))) {
		if (in_the_way->base < MMAP_BOTTOM + size)
			return 0;
		base = in_the_way->base - size;
	}
	return base;
}

/* Joins a neighbour of the same protection, so that a growing heap stays one region. */
static bool join(struct apmu_linux__linux *p, uint64_t base, uint64_t size, unsigned protection)
{
	for (unsigned i = 0; i < p->regions; i++) {
		struct apmu_linux__region *r = &p->region[i];

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

static bool note(struct apmu_linux__linux *p, uint64_t base, uint64_t size, unsigned protection)
{
	if (join(p, base, size, protection))
		return true;
	if (p->regions == APMU_LINUX__REGIONS)
		return false;
	p->region[p->regions++] = (struct apmu_linux__region){base, size, (uint8_t)protection};
	return true;
}

int apmu_linux__map(struct apmu_linux__linux *p, uint64_t base, uint64_t size, unsigned protection)
{
	uint64_t most = p->config.memory ? p->config.memory : MEMORY;

	if (!inside(p, base, size) || size > most - p->mapped || p->regions == APMU_LINUX__REGIONS)
		return -ENOMEM;
	int code = p->config.machine.map(p->config.machine.ctx, base, size, protection);
	if (code != 0)
		return code;
	note(p, base, size, protection);
	p->mapped += size;
	return 0;
}

/* Keeps what is left of a region on both sides of [from, to) and drops the middle from the list. */
static void cut(struct apmu_linux__linux *p, struct apmu_linux__region *r, uint64_t from, uint64_t to)
{
	struct apmu_linux__region old = *r;

	*r = p->region[--p->regions];
	if (old.base < from)
		p->region[p->regions++] =
			(struct apmu_linux__region){old.base, from - old.base, old.protection};
	if (old.base + old.size > to)
		p->region[p->regions++] =
			(struct apmu_linux__region){to, old.base + old.size - to, old.protection};
}

/* Unmaps piece by piece, each in one region. A cut can need one more place in the list. */
static int64_t unmap(struct apmu_linux__linux *p, uint64_t base, uint64_t size)
{
	struct apmu_linux__region *r;

	while ((r = taken(p, base, size))) {
		uint64_t from = r->base > base ? r->base : base;
		uint64_t end = r->base + r->size < base + size ? r->base + r->size : base + size;

		if (p->regions + 1 >= APMU_LINUX__REGIONS)
			return -ENOMEM;
		cut(p, r, from, end);
		p->config.machine.unmap(p->config.machine.ctx, from, end - from);
		p->mapped -= end - from;
	}
	return 0;
}

int64_t apmu_linux__brk(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	uint64_t want = call->arg[0], now = (p->brk + PAGE_MASK) & ~PAGE_MASK, then = pages(p, want);

	if (want < p->brk_start || !then)
		return (int64_t)p->brk;
	if (then > now && (taken(p, now, then - now) ||
			   apmu_linux__map(p, now, then - now, APMU_LINUX__READ | APMU_LINUX__WRITE) != 0))
		return (int64_t)p->brk;
	if (then < now && unmap(p, then, now - then) != 0)
		return (int64_t)p->brk;
	p->brk = want;
	return (int64_t)want;
}

/* Checks that a file can be mapped. It is mapped as a private copy, so a mapping whose writes others would
 * see is refused. */
static int64_t may_map(const struct apmu_linux__call *call)
{
	const struct apmu_linux__linux *p = call->p;
	bool shared = (call->arg[3] & MAP_TYPE) != MAP_PRIVATE;

	if (!apmu_linux__is_open(p, call->arg[4]))
		return -EBADF;
	const struct apmu_linux__open *one = &p->open[call->arg[4]];
	if (one->kind != APMU_LINUX__FILE || (shared && call->arg[2] & APMU_LINUX__WRITE))
		return -ENODEV;
	return (one->flags & 3) == O_WRONLY ? -EACCES : 0;
}

/* Copies the file into the mapping. Memory beyond the file's end stays zero. */
static void fill(struct apmu_linux__linux *p, uint64_t base, uint64_t size, uint64_t fd, uint64_t offset)
{
	uint8_t piece[PIECE];
	ssize_t n = 1;

	for (uint64_t done = 0; done < size && n > 0; done += (uint64_t)n) {
		n = pread(p->open[fd].host, piece, sizeof(piece), (off_t)(offset + done));
		if (n > 0 && !apmu_linux__put(p, base + done, piece, (size_t)n))
			return;
	}
}

static int64_t map_at(struct apmu_linux__call *call, uint64_t offset)
{
	struct apmu_linux__linux *p = call->p;
	uint64_t base = call->arg[0], size = pages(p, call->arg[1]), flags = call->arg[3];
	bool fixed = flags & (MAP_FIXED | MAP_NOREPLACE);
	int64_t may;

	if (!call->arg[1] || !(flags & MAP_TYPE) || (flags & MAP_TYPE) > MAP_VALIDATE)
		return -EINVAL;
	if (!size)
		return -ENOMEM;
	if (!(flags & MAP_ANONYMOUS) && (may = may_map(call)) != 0)
		return may;
	if (fixed) {
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
	unsigned from = flags & MAP_ANONYMOUS ? 0 : FROM_FILE;
	unsigned protection = (call->arg[2] & 7) | from;
	int code = base ? apmu_linux__map(p, base, size, protection) : -ENOMEM;
	if (code != 0 && !fixed && base == call->arg[0] && (base = find_gap(p, size)))
		code = apmu_linux__map(p, base, size, protection); /* the address was a hint */
	if (code == 0 && from)
		fill(p, base, size, call->arg[4], offset);
	return code ? code : (int64_t)base;
}

int64_t apmu_linux__mmap(struct apmu_linux__call *call)
{
	uint64_t offset = call->arg[5];

	if (offset & PAGE_MASK || offset > INT64_MAX / 2)
		return -EINVAL;
	return map_at(call, offset);
}

/* The offset is in units of 4 KiB. */
int64_t apmu_linux__mmap2(struct apmu_linux__call *call)
{
	return map_at(call, (uint64_t)(uint32_t)call->arg[5] * 4096);
}

int64_t apmu_linux__munmap(struct apmu_linux__call *call)
{
	uint64_t size = pages(call->p, call->arg[1]);

	if (!inside(call->p, call->arg[0], size))
		return -EINVAL;
	return unmap(call->p, call->arg[0], size);
}

/* The regions keep their first protection; the machine keeps that of each page. */
int64_t apmu_linux__mprotect(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	uint64_t base = call->arg[0], size = pages(p, call->arg[1]), end = base + size;

	if (!call->arg[1])
		return base & PAGE_MASK ? -EINVAL : 0;
	if (!inside(p, base, size) || call->arg[2] & ~(uint64_t)PROTECTIONS)
		return -EINVAL;
	for (uint64_t at = base; at < end;) {
		const struct apmu_linux__region *r = taken(p, at, 1);
		if (!r)
			return -ENOMEM;
		uint64_t stop = r->base + r->size < end ? r->base + r->size : end;
		p->config.machine.protect(p->config.machine.ctx, at, stop - at, call->arg[2] & 7);
		at = stop;
	}
	return 0;
}

static void clear(struct apmu_linux__linux *p, uint64_t base, uint64_t size)
{
	static const uint8_t zero[PIECE];
	uint8_t piece[PIECE];

	for (uint64_t done = 0; done < size; done += PIECE)
		if (apmu_linux__get(p, base + done, piece, PIECE) && memcmp(piece, zero, PIECE) != 0)
			apmu_linux__put(p, base + done, zero, PIECE);
}

/* MADV_DONTNEED empties anonymous memory. What came from a file stays, and other advice changes nothing. */
int64_t apmu_linux__madvise(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	uint64_t base = call->arg[0], size = pages(p, call->arg[1]), end = base + size;

	if (base & PAGE_MASK)
		return -EINVAL;
	if (call->arg[2] != DONTNEED || !call->arg[1])
		return 0;
	if (!inside(p, base, size))
		return -ENOMEM;
	for (uint64_t at = base; at < end;) {
		const struct apmu_linux__region *r = taken(p, at, 1);
		if (!r)
			return -ENOMEM;
		uint64_t stop = r->base + r->size < end ? r->base + r->size : end;
		if (!(r->protection & FROM_FILE))
			clear(p, at, stop - at);
		at = stop;
	}
	return 0;
}

static bool copy(struct apmu_linux__linux *p, uint64_t to, uint64_t from, uint64_t size)
{
	uint8_t piece[PIECE];

	for (uint64_t done = 0; done < size; done += PIECE)
		if (!apmu_linux__get(p, from + done, piece, PIECE) ||
		    !apmu_linux__put(p, to + done, piece, PIECE))
			return false;
	return true;
}

int64_t apmu_linux__mremap(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	uint64_t base = call->arg[0], old = pages(p, call->arg[1]), new = pages(p, call->arg[2]), to;
	const struct apmu_linux__region *r = inside(p, base, old) ? taken(p, base, 1) : NULL;

	if (base & PAGE_MASK || !new || call->arg[3] & ~(uint64_t)MREMAP_MOVE)
		return -EINVAL;
	if (!r || r->base + r->size - base < old)
		return -EFAULT;
	if (!inside(p, base, new))
		return -EINVAL;
	if (new <= old)
		return new == old || unmap(p, base + new, old - new) == 0 ? (int64_t)base : -ENOMEM;
	unsigned protection = r->protection;
	if (!taken(p, base + old, new - old) && apmu_linux__map(p, base + old, new - old, protection) == 0)
		return (int64_t)base;
	if (!(call->arg[3] & MREMAP_MOVE) || !(to = find_gap(p, new)) ||
	    apmu_linux__map(p, to, new, protection) != 0)
		return -ENOMEM;
	return copy(p, to, base, old) && unmap(p, base, old) == 0 ? (int64_t)to : -EFAULT;
}
