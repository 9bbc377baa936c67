/* SPDX-License-Identifier: MIT */
/* Calls to what is outside the guest: semihosting, firmware. */
#include "machine/counting.h"
#include "machine/emulator.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/views.h"

static void console(void *ctx, bool error, const void *bytes, size_t n)
{
	const struct apmu_machine *m = ctx;

	if (m->config.console)
		m->config.console(m->config.console_ctx, error ? 2 : 1, bytes, n);
}

static size_t input(void *ctx, void *to, size_t n)
{
	const struct apmu_machine *m = ctx;

	return m->config.input ? m->config.input(m->config.console_ctx, to, n) : 0;
}

void apmu_machine__host_init(struct apmu_machine *m)
{
	m->host = (struct apmu_board__semihost){.folder = m->config.folder > 0 ? m->config.folder : -1,
						.cmdline = m->config.command_line,
						.core_hz = m->config.core_hz ? m->config.core_hz : 1000000000,
						.write = console,
						.read = input,
						.ctx = m};
}

void apmu_machine__host_free(struct apmu_machine *m)
{
	apmu_board__semihost_close(&m->host);
}

static void go_on(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	apmu_machine__pc_set(m, c->address + c->size);
}

void apmu_machine__ask_host(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	struct apmu_board__memory memory = apmu_machine__virtual(m);
	struct apmu_board__semihost_call call = {.aarch64 = c->isa == APMU_ISA__A64,
						 .op = (uint32_t)apmu_machine__reg(m, 0),
						 .argument = apmu_machine__reg(m, 1),
						 .now = apmu_machine__now(m)};
	struct apmu_board__semihost_result result = apmu_board__semihost(&m->host, &memory, &call);

	apmu_machine__reg_set(m, 0, result.value);
	go_on(m, c);
	if (!result.ended)
		return;
	m->stop.status = result.status;
	apmu_machine__end(m, APMU_STOP_EXIT, c->address, "the program ended with status %u", result.status);
}

static void wait_for_interrupt(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	apmu_machine__catch_up(m);
	if (!apmu_machine__sleep(m))
		apmu_machine__end(m, APMU_STOP_WAIT, c->address, "waits for an interrupt that cannot come");
}

void apmu_machine__ask_firmware(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	const uint64_t x[4] = {apmu_machine__reg(m, 0), apmu_machine__reg(m, 1), apmu_machine__reg(m, 2),
			       apmu_machine__reg(m, 3)};
	struct apmu_board__psci answer = apmu_board__psci(x, m->model->a64);

	go_on(m, c);
	switch (answer.action) {
	case APMU_BOARD__PSCI_RETURN: apmu_machine__reg_set(m, 0, answer.result); break;
	case APMU_BOARD__PSCI_WAIT:
		apmu_machine__reg_set(m, 0, answer.result);
		wait_for_interrupt(m, c);
		break;
	case APMU_BOARD__PSCI_CPU_OFF:
		apmu_machine__end(m, APMU_STOP_WAIT, c->address, "the only CPU is switched off");
		break;
	case APMU_BOARD__PSCI_OFF:
		apmu_machine__end(m, APMU_STOP_EXIT, c->address, "the system is switched off");
		break;
	case APMU_BOARD__PSCI_RESET:
		apmu_machine__end(m, APMU_STOP_EXIT, c->address, "the system is to be reset");
		break;
	}
}
