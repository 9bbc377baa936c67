/* SPDX-License-Identifier: MIT */
/* What ran after what, as the program's threads left it in the shared memory, goes to the file. */
#define _GNU_SOURCE /* PATH_MAX */
#include "qemu/launch.h"

int apmu__collect_edges(struct apmu__share *share, int file)
{
	uint32_t pages = atomic_load(&share->record.edge_pages);
	int bad = 0;

	for (uint32_t i = 0; bad == 0 && i < pages && i < APMU__EDGES_SIZE / APMU__EDGES_PAGE; i++) {
		const struct apmu__edges *page = apmu__share_edges(share, i);
		size_t n = page->used < APMU__EDGES_MOST ? page->used : APMU__EDGES_MOST;
		bad = apmu__block_write(file, APMU__BLOCK_EDGES, &page->head, sizeof(page->head), page->row,
					n * sizeof(page->row[0]));
	}
	return bad;
}
