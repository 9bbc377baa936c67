/* SPDX-License-Identifier: MIT */
/* Calls to what is outside the guest: semihosting, firmware. */
#include "machine/machine_internal.h"

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

void apmu__host_init(struct apmu_machine *m)
{
	m->host = (struct apmu__semihost){.folder = m->config.folder > 0 ? m->config.folder : -1,
					  .cmdline = m->config.command_line,
					  .core_hz = m->config.core_hz ? m->config.core_hz : 1000000000,
					  .write = console,
					  .read = input,
					  .ctx = m};
}

void apmu__host_free(struct apmu_machine *m)
{
	apmu__semihost_close(&m->host);
}

static void go_on(struct apmu_machine *m, const struct apmu__code *c)
{
	apmu__pc_set(m, c->address + c->size);
}

void apmu__ask_host(struct apmu_machine *m, const struct apmu__code *c)
{
	struct apmu__board_memory memory = apmu__virtual(m);
	struct apmu__semihost_call call = {.aarch64 = m->model->a64,
					   .op = (uint32_t)apmu__reg(m, 0),
					   .argument = apmu__reg(m, 1),
					   .now = apmu__machine_now(m)};
	struct apmu__semihost_result result = apmu__semihost(&m->host, &memory, &call);

	apmu__reg_set(m, 0, result.value);
	go_on(m, c);
	if (!result.ended)
		return;
	m->stop.status = result.status;
	apmu__end(m, APMU_STOP_EXIT, c->address, "the program ended with status %u", result.status);
}

static void rest(struct apmu_machine *m, const struct apmu__code *c)
{
	apmu__catch_up(m);
	if (!apmu__sleep(m))
		apmu__end(m, APMU_STOP_WAIT, c->address, "waits for an interrupt that cannot come");
}

void apmu__ask_firmware(struct apmu_machine *m, const struct apmu__code *c)
{
	const uint64_t x[4] = {apmu__reg(m, 0), apmu__reg(m, 1), apmu__reg(m, 2), apmu__reg(m, 3)};
	struct apmu__psci answer = apmu__psci(x, m->model->a64);

	go_on(m, c);
	switch (answer.action) {
	case APMU__PSCI_RETURN: apmu__reg_set(m, 0, answer.result); break;
	case APMU__PSCI_WAIT:
		apmu__reg_set(m, 0, answer.result);
		rest(m, c);
		break;
	case APMU__PSCI_CPU_OFF:
		apmu__end(m, APMU_STOP_WAIT, c->address, "the only CPU is switched off");
		break;
	case APMU__PSCI_OFF: apmu__end(m, APMU_STOP_EXIT, c->address, "the system is switched off"); break;
	case APMU__PSCI_RESET: apmu__end(m, APMU_STOP_EXIT, c->address, "the system is to be reset"); break;
	}
}
