/* SPDX-License-Identifier: MIT */
/* Creates and frees a machine; what its owner reads of it. */
#include "machine/counting.h"
#include "machine/instructions.h"
#include "machine/linux_process.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/views.h"

#include "base/error_line.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void transmit(void *ctx, uint8_t byte)
{
	struct apmu_machine *m = ctx;
	char c = (char)byte;

	if (m->config.console)
		m->config.console(m->config.console_ctx, 1, &c, 1);
}

/* True for Armv8, and for Armv7 with the Virtualization Extensions. */
static bool has_timer(const struct apmu_core *core)
{
	return core->access_rule == APMU_ACCESS_V8 || (core->features >> APMU_FEATURE_EL2 & 1);
}

static int no_board(const char *name, char *error, size_t size)
{
	const struct apmu_board__row *row;
	int used = snprintf(error, size, "no board '%s'; there are", name);

	for (size_t i = 0; (row = apmu_board__nth(i)) && used > 0 && (size_t)used < size; i++)
		if (row->ram_most) /* a board without RAM is for Linux programs only */
			used += snprintf(error + used, size - (size_t)used, "%s %s", i ? "," : "", row->name);
	return APMU_ENOENT;
}

static uint8_t *erased(size_t n)
{
	uint8_t *bytes = malloc(n);

	return bytes ? memset(bytes, 0xFF, n) : NULL;
}

static void warn(void *ctx, const char *line)
{
	const struct apmu_machine *m = ctx;

	if (m->config.warn)
		m->config.warn(m->config.console_ctx, line);
}

/* Checks the virtio devices of the configuration and passes them to the board. */
static int plug_in(const struct apmu_machine *m,
		   struct apmu_board__virtio_config to[APMU_BOARD__VIRTIO_DEVICES], char *error, size_t size)
{
	uint32_t taken = 0;

	_Static_assert(APMU_VIRTIOS == APMU_BOARD__VIRTIO_DEVICES, "each has its place");
	if (m->config.virtios > APMU_VIRTIOS)
		return apmu_base__say(error, size, APMU_EINVAL, "at most %d virtio devices", APMU_VIRTIOS);
	for (size_t i = 0; i < m->config.virtios; i++) {
		const struct apmu_virtio *from = &m->config.virtio[i];

		if (from->bus >= APMU_BOARD__VIRTIO_SLOTS || (taken >> from->bus & 1))
			return apmu_base__say(error, size, APMU_EINVAL,
					      "virtio bus %u is not there (0 to 31) or taken twice",
					      from->bus);
		if (!from->console && (!from->size || from->size % APMU_BOARD__SECTOR))
			return apmu_base__say(
				error, size, APMU_EINVAL,
				"virtio bus %u: a drive has whole sectors of %u bytes, this one %llu bytes",
				from->bus, APMU_BOARD__SECTOR, (unsigned long long)from->size);
		taken |= (uint32_t)1 << from->bus;
		to[i] = (struct apmu_board__virtio_config){
			from->console ? APMU_BOARD__VIRTIO_CONSOLE : APMU_BOARD__VIRTIO_BLOCK, from->bus,
			from->writable, from->bytes, from->size};
	}
	return 0;
}

static bool has_transports(const struct apmu_board__row *row)
{
	for (unsigned i = 0; i < APMU_BOARD__WINDOWS; i++)
		if (row->window[i].part == APMU_BOARD__PART_VIRTIO)
			return true;
	return false;
}

/* Checks that the board has what the configuration wants of it. */
static int suits(const struct apmu_machine_config *config, const struct apmu_board__row *row, char *error,
		 size_t size)
{
	if (config->virtios && !has_transports(row))
		return apmu_base__say(error, size, APMU_EINVAL,
				      "board %s has no virtio transports; virt and virt-gicv3 have",
				      row->name);
	if ((config->bootargs || config->initrd) && !config->device_tree && !row->device_tree)
		return apmu_base__say(
			error, size, APMU_EINVAL,
			"board %s passes no device tree, which would hold the command line and name the initial file system; virt and virt-gicv3 do, or give a tree",
			row->name);
	return 0;
}

static int choose_board(struct apmu_machine *m, char *error, size_t size)
{
	const char *name = m->config.board ? m->config.board : "bare";
	const struct apmu_board__row *row = apmu_board__find(name);
	m->nor_flash = m->config.flash ? erased(APMU_BOARD__NOR_FLASH_SIZE) : NULL;
	struct apmu_board__virtio_config virtio[APMU_BOARD__VIRTIO_DEVICES];
	int code = plug_in(m, virtio, error, size);
	struct apmu_board__config config = {.transmit = transmit,
					    .ctx = m,
					    .core_hz = m->config.core_hz,
					    .counter_hz = m->config.counter_hz,
					    .nor_flash = m->nor_flash,
					    .virtio = virtio,
					    .virtios = m->config.virtios,
					    .memory = apmu_machine__device(m),
					    .warn = warn,
					    .pmu_to_fiq = m->config.pmu_to_fiq,
					    .no_generic_timer = !has_timer(m->core)};

	if (!row)
		return no_board(name, error, size);
	if (code == 0)
		code = suits(&m->config, row, error, size);
	if (code)
		return code;
	apmu_board__init(&m->board, row, &config);
	return 0;
}

static int make(struct apmu_machine *m, char *error, size_t size)
{
	int code = choose_board(m, error, size);

	m->code = calloc(APMU_MACHINE__CODES + 2, sizeof *m->code);
	if (code == 0 && !m->code) {
		snprintf(error, size, "no memory");
		code = APMU_ENOMEM;
	}
	if (code == 0)
		code = apmu_machine__clock_init(m, error, size);
	return code ? code : apmu_machine__memory_init(m, error, size);
}

int apmu_machine_new(const struct apmu_machine_config *config, struct apmu_machine **out, char *error,
		     size_t size)
{
	struct apmu_machine *m;
	int code;

	*out = NULL;
	if (!config->core)
		return apmu_base__say(error, size, APMU_EINVAL, "no core");
	m = calloc(1, sizeof *m);
	if (!m) {
		snprintf(error, size, "no memory");
		return APMU_ENOMEM;
	}
	m->config = *config;
	m->core = config->core;
	m->stop_cycle = UINT64_MAX;
	m->progress = config->progress ? config->progress : &m->own_progress;
	apmu_machine__host_init(m);
	code = make(m, error, size);
	if (code)
		apmu_machine_free(m);
	else
		*out = m;
	return code;
}

void apmu_machine_free(struct apmu_machine *m)
{
	if (!m)
		return;
	apmu_machine__linux_free(m);
	if (m->el1)
		uc_context_free(m->el1);
	if (m->saved)
		uc_context_free(m->saved);
	if (m->uc)
		uc_close(m->uc);
	apmu_machine__codes_free(m);
	free(m->code);
	apmu_machine__clock_free(m);
	apmu_machine__host_free(m);
	apmu_machine__memory_free(m);
	free(m->nor_flash);
	free(m);
}

void apmu_machine_until(struct apmu_machine *m, uint64_t cycle)
{
	m->stop_cycle = cycle ? cycle : UINT64_MAX;
}

void apmu_machine_settle(struct apmu_machine *m)
{
	apmu_machine__catch_up(m);
}

const struct apmu *apmu_machine_pmu(const struct apmu_machine *m)
{
	return &m->pmu;
}

const struct apmu_tally *apmu_machine_tally(const struct apmu_machine *m)
{
	return &m->tally;
}

uint64_t apmu_machine_cycle(const struct apmu_machine *m)
{
	return apmu_machine__now(m);
}

uint64_t apmu_machine_insns(const struct apmu_machine *m)
{
	return m->insns;
}

uint64_t apmu_machine_pc(const struct apmu_machine *m)
{
	return m->uc ? apmu_machine__pc(m) : 0;
}

static const char *const names32[] = {"r0", "r1",  "r2",  "r3",  "r4", "r5", "r6", "r7",  "r8",
				      "r9", "r10", "r11", "r12", "sp", "lr", "pc", "cpsr"};
#define X(n)   "x" #n
#define TEN(n) X(n##0), X(n##1), X(n##2), X(n##3), X(n##4), X(n##5), X(n##6), X(n##7), X(n##8), X(n##9)
static const char *const names64[] = {TEN(), TEN(1), TEN(2), X(30), "sp", "pc", "pstate"};

bool apmu_machine_register(const struct apmu_machine *m, unsigned i, const char **name, uint64_t *value)
{
	bool wide = m->isa == APMU_ISA__A64;
	unsigned state = !m->uc ? 0 : wide ? 33 : 16;

	if (!m->uc || i > state)
		return false;
	*name = wide ? names64[i] : names32[i];
	*value = 0;
	if (i == state)
		*value = apmu_machine__cpsr(m);
	else if (wide && i == 31)
		uc_reg_read(m->uc, UC_ARM64_REG_SP, value);
	else if (wide && i == 32)
		*value = apmu_machine__pc(m);
	else
		*value = apmu_machine__reg(m, i);
	return true;
}
