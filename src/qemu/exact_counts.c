/* SPDX-License-Identifier: MIT */
/* Turns exact counts into samples: one per instruction, event and thread. */
#define _GNU_SOURCE /* PATH_MAX */
#include "qemu/launch.h"

#include <stdbool.h>

/* Writes one cell's samples; returns their end. */
static uint8_t *put_cell(uint8_t *at, struct profile__deltas *last, const struct apmu_qemu__cell *cell,
			 uint32_t events)
{
	for (uint32_t e = 0; e < events; e++)
		if (cell->count[e])
			at = profile__put_sample(at, last,
						 &(struct profile__sample){.pc = cell->pc,
									   .event = e,
									   .weight = cell->count[e]});
	return at;
}

/* Writes the cells of a page that lie in [first, last] and, with `clear`, makes their counts 0. */
static int write_page(struct apmu_qemu__cells *page, uint32_t events, uint64_t first, uint64_t last_pc,
		      bool clear, int file)
{
	static uint8_t body[APMU_QEMU__CELLS_PAGE * 2];
	struct profile__samples_block head = {page->pid, page->tid, page->serial, 1};
	size_t most = (APMU_QEMU__CELLS_PAGE - sizeof(*page)) / apmu_qemu__cell_size(events);
	size_t used = apmu_qemu__read_once(&page->used);
	struct profile__deltas last = {0};
	uint8_t *at = body;
	int bad = 0;

	for (size_t i = 0; bad == 0 && i < used && i < most; i++) {
		struct apmu_qemu__cell *cell = (void *)(page->cell + i * apmu_qemu__cell_size(events));
		if (cell->pc < first || cell->pc > last_pc)
			continue;
		if ((size_t)(body + sizeof(body) - at) < (size_t)events * PROFILE__RECORD_MOST) {
			bad = profile__block_write(file, PROFILE__BLOCK_SAMPLES, &head, sizeof(head), body,
						   (size_t)(at - body));
			last = (struct profile__deltas){0};
			at = body;
		}
		at = put_cell(at, &last, cell, events);
		for (uint32_t e = 0; clear && e < events; e++)
			cell->count[e] = 0;
	}
	if (bad == 0 && at != body)
		bad = profile__block_write(file, PROFILE__BLOCK_SAMPLES, &head, sizeof(head), body,
					   (size_t)(at - body));
	return bad;
}

int apmu_qemu__collect_cells(struct apmu_qemu__share *share, uint32_t events, int file)
{
	uint32_t pages = apmu_qemu__share_cell_pages(share);
	int bad = 0;

	for (uint32_t i = 0; bad == 0 && i < pages; i++)
		bad = write_page(apmu_qemu__share_cells(share, i), events, 0, UINT64_MAX, false, file);
	return bad;
}

int apmu_qemu__cells_take(struct apmu_qemu__share *share, int32_t pid, uint64_t first, uint64_t last,
			  int file)
{
	uint32_t pages = apmu_qemu__share_cell_pages(share);
	int bad = 0;

	for (uint32_t i = 0; bad == 0 && i < pages; i++) {
		struct apmu_qemu__cells *page = apmu_qemu__share_cells(share, i);
		if (page->pid == pid)
			bad = write_page(page, share->record.events, first, last, true, file);
	}
	return bad;
}
