/* SPDX-License-Identifier: MIT */
/*
 * Memory: the board's RAM in host memory, its devices, and virtual addresses.
 *
 * Before 2.1, libunicorn looks up a region by the virtual address before it translates. So every virtual
 * address in use needs a region of its own, a dummy, which is never read or written while the MMU is on.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "machine/counting.h"
#include "machine/machine_internal.h"
#include "machine/translation.h"
#include "machine/views.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE       0x1000u
#define DUMMY_SIZE 0x200000u

static uint64_t round_up(uint64_t n)
{
	return (n + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* The board's i-th range of RAM; its flash comes last. */
static struct apmu_board__ram range_of(const struct apmu_machine *m, unsigned i)
{
	const struct apmu_board__row *row = m->board.row;

	if (i < APMU_BOARD__RAMS && row->ram[i].size)
		return row->ram[i];
	return m->config.flash && i == APMU_MACHINE__RAMS - 1 ? row->flash : (struct apmu_board__ram){0};
}

int apmu_machine__memory_init(struct apmu_machine *m, char *error, size_t size)
{
	const struct apmu_board__row *row = m->board.row;

	if (m->config.ram > row->ram_most) {
		snprintf(error, size, "board %s has room for %llu MiB of RAM", row->name,
			 (unsigned long long)(row->ram_most >> 20));
		return APMU_EINVAL;
	}
	if (m->config.flash && !row->flash.size) {
		snprintf(error, size, "board %s has no flash for firmware", row->name);
		return APMU_EINVAL;
	}
	for (unsigned i = 0; i < APMU_MACHINE__RAMS && range_of(m, i).size; i++) {
		struct apmu_board__ram range = range_of(m, i);
		uint64_t want = round_up(i == 0 && m->config.ram ? m->config.ram : range.size);
		void *bytes = mmap(NULL, want, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (bytes == MAP_FAILED) {
			snprintf(error, size, "no memory for %llu MiB of RAM",
				 (unsigned long long)(want >> 20));
			return APMU_ENOMEM;
		}
		m->ram[i] = (struct apmu_machine__ram_range){range.base, want, bytes};
	}
	return 0;
}

void apmu_machine__memory_free(struct apmu_machine *m)
{
	for (unsigned i = 0; i < APMU_MACHINE__RAMS; i++)
		if (m->ram[i].bytes)
			munmap(m->ram[i].bytes, m->ram[i].size);
}

/* Brings the devices to the current modelled time; what they do to the lines is seen before the next
 * instruction. */
static void touch(struct apmu_machine *m)
{
	apmu_board__advance(&m->board, apmu_machine__now(m));
	apmu_machine__look_now(m);
}

/* Gives the UART as much of its input as it has room for. */
static void feed(struct apmu_machine *m)
{
	const uint8_t *bytes = m->config.uart_input;

	if (m->uart_fed < m->config.uart_input_size)
		m->uart_fed += apmu_board__receive(&m->board, bytes + m->uart_fed,
						   m->config.uart_input_size - m->uart_fed);
}

static uint64_t device_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
	struct apmu_machine__port *port = user;
	uint64_t value = 0;

	(void)uc;
	touch(port->m);
	apmu_board__read(&port->m->board, port->base + offset, size, &value);
	feed(port->m);
	return value;
}

static void device_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
	struct apmu_machine__port *port = user;

	(void)uc;
	touch(port->m);
	apmu_board__write(&port->m->board, port->base + offset, size, value);
	feed(port->m);
}

int apmu_machine__memory_map(struct apmu_machine *m)
{
	const struct apmu_board__row *row = m->board.row;
	uc_err err = UC_ERR_OK;

	feed(m);
	for (unsigned i = 0; i < APMU_MACHINE__RAMS && range_of(m, i).size && err == UC_ERR_OK; i++)
		err = uc_mem_map_ptr(m->uc, m->ram[i].base, m->ram[i].size, UC_PROT_ALL, m->ram[i].bytes);
	for (unsigned i = 0; i < APMU_BOARD__WINDOWS && row->window[i].size && err == UC_ERR_OK; i++) {
		if (!m->config.flash && row->window[i].part >= APMU_BOARD__PART_RTC)
			continue;
		m->port[i] = (struct apmu_machine__port){m, row->window[i].base};
		err = uc_mmio_map(m->uc, row->window[i].base, round_up(row->window[i].size), device_read,
				  &m->port[i], device_write, &m->port[i]);
	}
	return err == UC_ERR_OK ? 0 : APMU_ENOMEM;
}

uint8_t *apmu_machine__host(const struct apmu_machine *m, uint64_t physical, size_t n)
{
	for (unsigned i = 0; i < APMU_MACHINE__RAMS; i++) {
		uint64_t offset = physical - m->ram[i].base;

		if (offset < m->ram[i].size && n <= m->ram[i].size - offset)
			return m->ram[i].bytes + offset;
	}
	return NULL;
}

static bool map_dummy(struct apmu_machine *m, struct apmu_machine__dummy *d, uint64_t address, uint32_t size)
{
	*d = (struct apmu_machine__dummy){address & ~(uint64_t)(size - 1), size};
	return uc_mem_map(m->uc, d->base, size, UC_PROT_ALL) == UC_ERR_OK;
}

/* Unmaps a dummy with the MMU off: libunicorn drops its translations of what the guest's tables map there. */
static void unmap_dummy(struct apmu_machine *m, const struct apmu_machine__dummy *d)
{
	struct apmu_machine__untranslated was;

	if (!d->size)
		return;
	apmu_machine__flatten(m, &was);
	uc_mem_unmap(m->uc, d->base, d->size);
	apmu_machine__translate_again(m, &was);
}

/* Maps a dummy at a virtual address, a large one where there is room. The oldest makes way for it if there
 * are too many; should its addresses be used again, they are covered again. */
bool apmu_machine__cover(struct apmu_machine *m, uint64_t address)
{
	struct apmu_machine__dummy *d = &m->dummy[m->dummys++ % APMU_MACHINE__DUMMYS];

	unmap_dummy(m, d);
	if (map_dummy(m, d, address, DUMMY_SIZE) || map_dummy(m, d, address, PAGE))
		return true;
	d->size = 0;
	return false;
}

/* Moves bytes page by page. */
static bool transfer(const struct apmu_machine *m, uint64_t address, uint8_t *bytes, size_t n, bool write,
		     bool virtual)
{
	while (n) {
		size_t part = PAGE - (address & (PAGE - 1)) < n ? (size_t)(PAGE - (address & (PAGE - 1))) : n;
		uint64_t physical = address;
		uint8_t *host;

		if (virtual && !apmu_machine__physical_of(m, address, &physical))
			return false;
		host = apmu_machine__host(m, physical, part);
		if (!host)
			return false;
		if (write)
			memcpy(host, bytes, part);
		else
			memcpy(bytes, host, part);
		address += part;
		bytes += part;
		n -= part;
	}
	return true;
}

static bool virtual_read(void *ctx, uint64_t address, void *to, size_t n)
{
	return transfer(ctx, address, to, n, false, true);
}

static bool physical_read(void *ctx, uint64_t address, void *to, size_t n)
{
	return transfer(ctx, address, to, n, false, false);
}

/* Writes memory, and drops the emulator's translations of that range. */
static bool put(struct apmu_machine *m, uint64_t address, const void *from, size_t n, bool virtual)
{
	if (!transfer(m, address, (uint8_t *)(uintptr_t)from, n, true, virtual))
		return false;
	if (m->uc && n)
		uc_ctl_remove_cache(m->uc, address, address + n);
	return true;
}

static bool virtual_write(void *ctx, uint64_t address, const void *from, size_t n)
{
	return put(ctx, address, from, n, true);
}

static bool physical_write(void *ctx, uint64_t address, const void *from, size_t n)
{
	return put(ctx, address, from, n, false);
}

/* Writes memory for a device. This happens while the emulator makes an access, so its translations of that
 * range are dropped only before the next instruction. */
static bool device_transfer(void *ctx, uint64_t address, const void *from, size_t n)
{
	struct apmu_machine *m = ctx;
	struct apmu_machine__written *last = m->written + (m->writtens ? m->writtens - 1 : 0);

	if (!transfer(m, address, (uint8_t *)(uintptr_t)from, n, true, false))
		return false;
	apmu_machine__look_now(m);
	if (m->writtens && address == last->end) {
		last->end += n;
	} else if (m->writtens < APMU_MACHINE__WRITTENS) {
		m->written[m->writtens++] = (struct apmu_machine__written){address, address + n};
	} else { /* widens the last range: more is dropped than need be */
		last->begin = address < last->begin ? address : last->begin;
		last->end = address + n > last->end ? address + n : last->end;
	}
	return true;
}

/* Drops all of the emulator's translations. */
static void drop_all(struct apmu_machine *m)
{
	const struct apmu_linux__linux *p = m->process;

	for (unsigned i = 0; p && i < p->regions; i++)
		uc_ctl_remove_cache(m->uc, p->region[i].base, p->region[i].base + p->region[i].size);
	for (unsigned i = 0; !p && i < APMU_MACHINE__RAMS; i++)
		if (m->ram[i].bytes)
			uc_ctl_remove_cache(m->uc, m->ram[i].base, m->ram[i].base + m->ram[i].size);
}

/* Drops the emulator's translations of what devices have written, or all. It takes virtual addresses for
 * that, which are the physical ones with its MMU off. */
void apmu_machine__retranslate(struct apmu_machine *m)
{
	struct apmu_machine__untranslated was;

	apmu_machine__flatten(m, &was);
	for (unsigned i = 0; i < m->writtens; i++)
		uc_ctl_remove_cache(m->uc, m->written[i].begin, m->written[i].end);
	if (m->retranslate_all)
		drop_all(m);
	apmu_machine__translate_again(m, &was);
	m->writtens = 0;
}

struct apmu_board__memory apmu_machine__device(struct apmu_machine *m)
{
	return (struct apmu_board__memory){physical_read, device_transfer, m};
}

struct apmu_board__memory apmu_machine__virtual(struct apmu_machine *m)
{
	return (struct apmu_board__memory){virtual_read, virtual_write, m};
}

struct apmu_board__memory apmu_machine__physical(struct apmu_machine *m)
{
	return (struct apmu_board__memory){physical_read, physical_write, m};
}

bool apmu_machine_peek(const struct apmu_machine *m, uint64_t address, void *to, size_t n, bool physical)
{
	return m->uc && transfer(m, address, to, n, false, !physical);
}
