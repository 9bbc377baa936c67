/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

static void line(void *ctx, enum apmu_line which, bool up)
{
	struct bench *b = ctx;

	if (which == APMU_LINE_IRQ)
		b->line = up;
}

void bench_deliver(struct bench *b)
{
	for (unsigned turns = 0; b->line && !b->masked && !b->in_handler && turns < 1000; turns++) {
		b->in_handler = true;
		b->interrupts++;
		b->served = apmu_dev_interrupt(&b->dev, b);
		b->in_handler = false;
	}
}

/* Runs before every access: counts it, and may fail it or let events happen. */
static int step(struct bench *b, unsigned *count)
{
	if (b->between)
		b->between(b->ctx);
	bench_deliver(b);
	++*count;
	return b->fail_at && b->reads + b->writes == b->fail_at ? b->fail_with : APMU_OK;
}

static int spy_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	struct bench *b = ctx;
	int bad = step(b, &b->reads);

	return bad ? bad : b->real->read(b->inner, reg, n, value);
}

static int spy_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	struct bench *b = ctx;
	int bad = step(b, &b->writes);

	return bad ? bad : b->real->write(b->inner, reg, n, value);
}

static unsigned lock(void *ctx)
{
	struct bench *b = ctx;
	unsigned was = b->masked;

	b->masked = true;
	return was;
}

static void unlock(void *ctx, unsigned was)
{
	struct bench *b = ctx;

	b->masked = was;
	bench_deliver(b);
}

void bench_backend(struct bench *b, const struct apmu_backend *real, void *ctx)
{
	b->real = real;
	b->spy = *real;
	b->spy.read = spy_read;
	b->spy.write = spy_write;
	b->spy.lock = lock;
	b->spy.unlock = unlock;
	b->inner = ctx;
}

void bench_make(struct bench *b, const struct apmu_core *core)
{
	memset(b, 0, sizeof(*b));
	apmu_init(&b->pmu, core, &b->tally, (struct apmu_lines){.line = line, .ctx = b});
	apmu_enter(&b->pmu, (struct apmu_mode){.el = 1, .security = APMU_NONSECURE});
	b->port = (struct apmu_model_port){.pmu = &b->pmu, .from = {.el = 1, .security = APMU_NONSECURE}};
	bench_backend(b, apmu_backend_of_model(&b->port), &b->port);
	b->fail_with = APMU_EIO;
	b->config.backend = &b->spy;
	b->config.ctx = b;
	b->config.core = core;
	b->config.slots = b->slots;
	b->config.slots_n = BENCH_SLOTS;
	b->config.el = 1;
	b->config.interrupt = true;
	b->config.turns = &apmu_turns;
}

int bench_open(struct bench *b)
{
	uint8_t why;

	return apmu_dev_open(&b->dev, &b->config, &why);
}

void bench_add(struct bench *b, enum apmu_signal signal, uint64_t n)
{
	b->tally.n[signal] += n;
	apmu_advance(&b->pmu);
	bench_deliver(b);
}

void bench_work(struct bench *b, uint64_t n)
{
	b->tally.n[APMU_SIG_CYCLES] += 20 * n;
	b->tally.n[APMU_SIG_INST] += 10 * n;
	b->tally.n[APMU_SIG_L1D_MISS] += n;
	apmu_advance(&b->pmu);
	bench_deliver(b);
}

int bench_use(struct bench *b, unsigned options, const char *first, ...)
{
	struct apmu_want want[BENCH_SLOTS];
	size_t n = 0;
	va_list more;

	va_start(more, first);
	for (const char *text = first; text && n < BENCH_SLOTS; text = va_arg(more, const char *)) {
		int bad = apmu_want_parse(&b->dev, text, &want[n++]);

		if (bad) {
			va_end(more);
			return bad;
		}
	}
	va_end(more);
	return apmu_dev_use(&b->dev, want, n, options, NULL);
}

unsigned bench_accesses(struct bench *b)
{
	unsigned n = b->reads + b->writes;

	b->reads = b->writes = 0;
	return n;
}

uint64_t bench_value(struct bench *b, unsigned want)
{
	struct apmu_count count = {0};

	if (apmu_dev_read_one(&b->dev, want, &count))
		return UINT64_MAX;
	return count.value;
}

int bench_event(const struct apmu_core *core, enum apmu_signal signal)
{
	for (size_t i = 0; i < core->events; i++) {
		const struct apmu_event *event = apmu_event_at(core, i);

		if (event->signals == 1 && event->signal[0] == signal && event->erratum == 0xFF)
			return event->number;
	}
	return -1;
}
