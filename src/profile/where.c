/* SPDX-License-Identifier: MIT */
/* Finds the mapping that held an address, and the program that ran. */
#define _GNU_SOURCE /* qsort_r */
#include "profile/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int order(const void *left, const void *right, void *maps)
{
	const struct profile__map *a = (const struct profile__map *)maps + *(const uint32_t *)left;
	const struct profile__map *b = (const struct profile__map *)maps + *(const uint32_t *)right;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a < b ? -1 : 1;
}

int profile__where_sort(struct profile__file *f)
{
	const struct profile__profile *p = &f->profile;

	f->by_start = calloc(p->maps + 1, sizeof(*f->by_start));
	f->covered = calloc(p->maps + 1, sizeof(*f->covered));
	if (!f->by_start || !f->covered)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->maps; i++)
		f->by_start[i] = i;
	qsort_r(f->by_start, p->maps, sizeof(*f->by_start), order, p->map);
	for (size_t i = 0; i < p->maps; i++) {
		const struct profile__map *map = &p->map[f->by_start[i]];
		bool first = i == 0 || p->map[f->by_start[i - 1]].pid != map->pid;
		uint64_t end = map->unmapped ? 0 : map->end;
		f->covered[i] = first || f->covered[i - 1] < end ? end : f->covered[i - 1];
	}
	return 0;
}

/* Returns the number of mappings in by_start that start at or before `pc` of process `pid`. */
static size_t upto(const struct profile__file *f, int32_t pid, uint64_t pc)
{
	const struct profile__profile *p = &f->profile;
	size_t low = 0, high = p->maps;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct profile__map *map = &p->map[f->by_start[mid]];
		bool after = map->pid > pid || (map->pid == pid && map->start > pc);
		if (after)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* Returns when the process began the program that it ran at the moment `when`; 0: it is its first. */
static uint32_t begun(const struct profile__file *f, int32_t pid, uint32_t when)
{
	for (size_t i = upto(f, pid, 0); i-- > 0;) {
		const struct profile__map *map = &f->profile.map[f->by_start[i]];
		if (map->pid != pid)
			break;
		if (map->unmapped && map->when <= when)
			return map->when;
	}
	return 0;
}

uint32_t profile__map_at(const struct profile__profile *p, uint32_t thread, uint32_t when, uint64_t pc)
{
	const struct profile__file *f = p->file;
	int32_t pid = thread < p->threads ? p->thread[thread].pid : 0;
	uint32_t best = PROFILE__NONE, since = begun(f, pid, when);

	for (size_t i = upto(f, pid, pc); i-- > 0 && f->covered[i] > pc;) {
		const struct profile__map *map = &p->map[f->by_start[i]];
		if (map->pid != pid)
			break;
		bool is_there = pc < map->end && !map->unmapped && map->when >= since && map->when <= when;
		if (is_there && (best == PROFILE__NONE || f->by_start[i] > best))
			best = f->by_start[i];
	}
	return best;
}

/* True if a process has a mapping of the recorded program; `pid` NULL: any process. */
static bool has_program(const struct profile__profile *p, const int32_t *pid)
{
	for (size_t i = 0; i < p->maps; i++)
		if ((pid == NULL || p->map[i].pid == *pid) && strcmp(p->map[i].path, p->program) == 0)
			return true;
	return false;
}

/* A process's first mapping of a file is its program's: mappings are reported by address, and libraries lie
 * above. One that was forked from a process that had executed a program has that one's mappings. */
const char *profile__program_at(const struct profile__profile *p, uint32_t thread, uint32_t when)
{
	int32_t pid = thread < p->threads ? p->thread[thread].pid : 0;
	uint32_t since = begun(p->file, pid, when);

	if (p->system || (since == 0 && (has_program(p, &pid) || !has_program(p, NULL))))
		return p->program;
	for (size_t i = 0; i < p->maps; i++) {
		const struct profile__map *map = &p->map[i];
		bool is_there = map->pid == pid && map->when >= since && map->when <= when;
		if (is_there && map->path[0] == '/' && !map->function)
			return map->path;
	}
	return p->program;
}
