/* SPDX-License-Identifier: MIT */
/* Writes the edges, which block ran after which, from the shared memory to the file. */
#define _GNU_SOURCE /* PATH_MAX */
#include "qemu/launch.h"

#include <stdbool.h>

/* Returns how many rows of a page are used. */
static size_t rows_of(const struct apmu_qemu__edges *page)
{
	uint32_t used = apmu_qemu__read_once(&page->used);

	return used < APMU_QEMU__EDGES_MOST ? used : APMU_QEMU__EDGES_MOST;
}

static bool within(uint64_t at, uint64_t first, uint64_t last)
{
	return at >= first && at <= last;
}

/* Writes the edges of a page that touch [first, last] and, with `clear`, makes their counts 0. Writes a copy,
 * because a block's checksum would not fit a page that a process counts in meanwhile. */
static int write_page(struct apmu_qemu__edges *page, uint64_t first, uint64_t last, bool clear, int file)
{
	static struct profile__edge_row row[APMU_QEMU__EDGES_MOST];
	const struct profile__samples_block head = page->head;
	size_t used = rows_of(page), n = 0;

	for (size_t i = 0; i < used; i++) {
		struct profile__edge_row *r = &page->row[i];
		if (r->runs == 0 || !(within(r->start, first, last) || within(r->to, first, last)))
			continue;
		row[n++] = *r;
		if (clear)
			r->runs = r->mispredicted = 0;
	}
	return n == 0 ? 0
		      : profile__block_write(file, PROFILE__BLOCK_EDGES, &head, sizeof(head), row,
					     n * sizeof(row[0]));
}

int apmu_qemu__collect_edges(struct apmu_qemu__share *share, bool exact, int file)
{
	uint32_t pages = apmu_qemu__share_edge_pages(share);
	int bad = 0;

	for (uint32_t i = 0; bad == 0 && i < pages; i++)
		bad = write_page(apmu_qemu__share_edges(share, exact, i), 0, UINT64_MAX, false, file);
	return bad;
}

int apmu_qemu__edges_take(struct apmu_qemu__share *share, int32_t pid, uint64_t first, uint64_t last,
			  int file)
{
	uint32_t pages = apmu_qemu__share_edge_pages(share);
	int bad = 0;

	for (uint32_t i = 0; bad == 0 && i < pages; i++) {
		struct apmu_qemu__edges *page = apmu_qemu__share_edges(share, share->record.exact, i);
		if (page->head.pid == pid)
			bad = write_page(page, first, last, true, file);
	}
	return bad;
}
