/* SPDX-License-Identifier: MIT */
/**
 * A core for driver tests: the model, an event source, and the driver on a backend ("port") that counts
 * accesses, fails on purpose, lets events happen between any two accesses and delivers the interrupt.
 */
#ifndef APMU_TESTS_DRIVER_BENCH_H
#define APMU_TESTS_DRIVER_BENCH_H

#include <apmu/driver.h>
#include <apmu/model.h>

#define BENCH_SLOTS 40

struct bench {
	struct apmu pmu;
	struct apmu_tally tally;
	struct apmu_model_port port;
	const struct apmu_backend *real; /* the backend that the spy wraps */
	void *inner;
	struct apmu_backend spy;
	struct apmu_dev dev;
	struct apmu_dev_config config;
	struct apmu_dev_slot slots[BENCH_SLOTS];
	unsigned reads, writes;
	unsigned fail_at; /* this access fails, counted from 1; 0: none */
	int fail_with;
	bool line, masked, in_handler;
	unsigned interrupts;
	int served;                 /* result of the handler for the last interrupt */
	void (*between)(void *ctx); /* called before each access */
	void *ctx;
	uint64_t now; /* for config.clock, if the test sets that */
};

/* A core out of reset with the driver not yet open. */
void bench_make(struct bench *b, const struct apmu_core *core);
/* Replaces the backend (AArch32, a frame ...). */
void bench_backend(struct bench *b, const struct apmu_backend *real, void *ctx);
/* Opens the driver; returns the result of apmu_dev_open(). */
int bench_open(struct bench *b);
/* Runs a block of 10 instructions in 20 cycles with one data cache miss n times; then the interrupt, if due.
 */
void bench_work(struct bench *b, uint64_t n);
/* Adds to a signal and delivers the interrupt, if due. */
void bench_add(struct bench *b, enum apmu_signal signal, uint64_t n);
/* Delivers the interrupt if it is up and not masked. */
void bench_deliver(struct bench *b);
/* Parses the wants and loads them; returns 0 or a negative code. */
int bench_use(struct bench *b, unsigned options, const char *first, ...);
unsigned bench_accesses(struct bench *b); /* since the last call */
uint64_t bench_value(struct bench *b, unsigned want);
/* An event number of this core that counts only `signal`; -1 if none. */
int bench_event(const struct apmu_core *core, enum apmu_signal signal);

#endif
