/* SPDX-License-Identifier: MIT */
/* Writes the edges, which block ran after which, from the shared memory to the file. */
#define _GNU_SOURCE /* PATH_MAX */
#include "qemu/launch.h"

int apmu_qemu__collect_edges(struct apmu_qemu__share *share, bool exact, int file)
{
	uint32_t pages = atomic_load(&share->record.edge_pages);
	int bad = 0;

	for (uint32_t i = 0; bad == 0 && i < pages && i < APMU_QEMU__EDGES_SIZE / APMU_QEMU__EDGES_PAGE;
	     i++) {
		const struct apmu_qemu__edges *page = apmu_qemu__share_edges(share, exact, i);
		uint32_t used = apmu_qemu__read_once(&page->used);
		size_t n = used < APMU_QEMU__EDGES_MOST ? used : APMU_QEMU__EDGES_MOST;
		bad = profile__block_write(file, PROFILE__BLOCK_EDGES, &page->head, sizeof(page->head),
					   page->row, n * sizeof(page->row[0]));
	}
	return bad;
}
