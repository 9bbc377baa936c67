/* SPDX-License-Identifier: MIT */
/*
 * A Linux program's address space and console.
 *
 * The address space is one window of host memory; the pages of it that the program has mapped are mapped in
 * the emulator. Above the window there is one page. On AArch32 it has the kernel's helpers; on AArch64 it has
 * an ERET for EL1, because the emulator must go to EL0 by itself, and the return from signal handlers.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "machine/linux_process.h"
#include "machine/machine_internal.h"
#include "machine/views.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define WINDOW  0x80000000u
#define HELPERS 0xFFFF0000u

/* True if the memory is the program's own: mapped pages of the window, or the helpers' page. */
bool apmu_machine__process_has(const struct apmu_machine *m, uint64_t address, size_t n)
{
	const struct apmu_linux__linux *p = m->process;

	if (address >= HELPERS && address - HELPERS < APMU_LINUX__PAGE)
		return n <= APMU_LINUX__PAGE - (address - HELPERS);
	for (unsigned i = 0; n && i < p->regions; i++) {
		uint64_t offset = address - p->region[i].base;

		if (offset >= p->region[i].size)
			continue;
		uint64_t here = p->region[i].size - offset;
		if (n <= here)
			return true;
		address += here;
		n -= (size_t)here;
		i = UINT32_MAX; /* the rest lies in another region, perhaps an earlier one */
	}
	return n == 0;
}

static bool read_memory(void *ctx, uint64_t address, void *to, size_t n)
{
	const struct apmu_machine *m = ctx;
	const uint8_t *host =
		apmu_machine__process_has(m, address, n) ? apmu_machine__host(m, address, n) : NULL;

	if (host)
		memcpy(to, host, n);
	return host;
}

static bool write_memory(void *ctx, uint64_t address, const void *from, size_t n)
{
	struct apmu_machine *m = ctx;
	uint8_t *host = apmu_machine__process_has(m, address, n) ? apmu_machine__host(m, address, n) : NULL;

	if (!host)
		return false;
	memcpy(host, from, n);
	if (m->uc && n)
		uc_ctl_remove_cache(m->uc, address, address + n);
	return true;
}

static uint32_t emulator_rights(unsigned protection)
{
	return (protection & APMU_LINUX__READ ? UC_PROT_READ : 0u) |
	       (protection & APMU_LINUX__WRITE ? UC_PROT_WRITE : 0u) |
	       (protection & APMU_LINUX__EXECUTE ? UC_PROT_EXEC : 0u);
}

static int map(void *ctx, uint64_t address, uint64_t size, unsigned protection)
{
	struct apmu_machine *m = ctx;
	uint8_t *host = apmu_machine__host(m, address, (size_t)size);

	if (!host)
		return -ENOMEM;
	if (uc_mem_map_ptr(m->uc, address, (size_t)size, emulator_rights(protection), host) != UC_ERR_OK)
		return -ENOMEM;
	return 0;
}

static void protect(void *ctx, uint64_t address, uint64_t size, unsigned protection)
{
	const struct apmu_machine *m = ctx;

	uc_mem_protect(m->uc, address, (size_t)size, emulator_rights(protection));
}

/* Unmaps pages, whose contents are dropped: what is mapped there next reads as zero. */
static void unmap(void *ctx, uint64_t address, uint64_t size)
{
	const struct apmu_machine *m = ctx;
	uint8_t *host = apmu_machine__host(m, address, (size_t)size);

	uc_mem_unmap(m->uc, address, (size_t)size);
	if (host)
		madvise(host, (size_t)size, MADV_DONTNEED);
}

static void set_tls(void *ctx, uint64_t value)
{
	const struct apmu_machine *m = ctx;

	if (m->model->version >= 6)
		uc_reg_write(m->uc, UC_ARM_REG_C13_C0_3, &value);
}

static void print(void *ctx, bool error, const void *bytes, size_t n)
{
	const struct apmu_machine *m = ctx;

	if (m->config.console)
		m->config.console(m->config.console_ctx, error ? 2 : 1, bytes, n);
}

static size_t type(void *ctx, void *to, size_t n)
{
	const struct apmu_machine *m = ctx;

	return m->config.input ? m->config.input(m->config.console_ctx, to, n) : 0;
}

/* Reserves the address space. The window costs host memory only where the program writes. */
int apmu_machine__linux_reserve(struct apmu_machine *m, char *error, size_t size)
{
	static const struct apmu_machine__ram_range range[APMU_MACHINE__RAMS] = {{0, WINDOW, NULL},
										 {HELPERS, 4096, NULL}};

	for (unsigned i = 0; i < APMU_MACHINE__RAMS; i++) {
		void *bytes = mmap(NULL, range[i].size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (bytes == MAP_FAILED) {
			snprintf(error, size, "no memory for the program's address space");
			return APMU_ENOMEM;
		}
		m->ram[i] = range[i];
		m->ram[i].bytes = bytes;
	}
	return 0;
}

void apmu_machine__linux_memory(struct apmu_machine *m, struct apmu_linux__machine *out)
{
	*out = (struct apmu_linux__machine){
		{read_memory, write_memory, m}, map,   protect, unmap, set_tls, apmu_machine__linux_get_cpu,
		apmu_machine__linux_set_cpu,    print, type,    m};
}
