/* SPDX-License-Identifier: MIT */
/**
 * Events of a core: a number that software writes into an event selector, and what it counts.
 *
 * Rows are generated from spec/events. Freestanding, constant data.
 */
#ifndef APMU_EVENT_H
#define APMU_EVENT_H

#include <apmu/signal.h>
#include <apmu/types.h>

#define APMU_EVENT_SIGNALS 4    /* the most signals one event sums */
#define APMU_NO_BUS        0xFF /* `bus` of an event that the event bus does not carry */

/* How far a count can be trusted. `apmu list events` prints it. */
enum apmu_produced {
	APMU_EXACT,    /* architectural: equal on every run and equal to hardware */
	APMU_MODELLED, /* by the event sources of src/uarch: as good as the core's parameters */
	APMU_INJECTED, /* a program cannot cause it; a host or test adds to the signal */
	APMU_NOTHING   /* counts nothing: reserved, or "no event" by definition */
};

struct apmu_event {
	uint16_t number;                    /* what software writes into the selector */
	uint8_t step;                       /* largest count in one cycle; 0: never counts */
	uint8_t bus;                        /* lowest EVNTBUS bit, or APMU_NO_BUS */
	uint8_t bus_bits;                   /* width on the bus: 1 or 2 */
	uint8_t produced;                   /* enum apmu_produced */
	uint8_t signals;                    /* used elements of signal[] */
	uint8_t erratum;                    /* bit of the core's errata that adds `extra`; 0xFF: none */
	uint8_t signal[APMU_EVENT_SIGNALS]; /* summed; enum apmu_signal */
	uint8_t extra;                      /* the signal that the erratum adds */
	bool sync;                          /* may count synchronously (FEAT_SEBEP) */
	const char *name;                   /* the manual's name, UPPER_SNAKE */
	const char *text;                   /* one line: what it counts. NULL in builds with APMU_NO_TEXT */
	const char *note;                   /* one line: the fine print of this model, or NULL */
};

/* Another name for an event of a core: a manual's older name or perf's generic one. */
struct apmu_event_alias {
	const char *name;
	uint16_t number;
	bool cycle_counter; /* the name means the cycle counter itself, not an event number */
};

#endif
