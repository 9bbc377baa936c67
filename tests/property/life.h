/* SPDX-License-Identifier: MIT */
/**
 * Random lives: long lists of operations that are applied to the model and to a naive reference side by side.
 *
 * A life is a list of concrete operations. No random number is drawn while it runs, so any part of the list
 * can be run again; shrinking relies on that. After every operation all registers are read from every mode on
 * both sides, and lines, event bus and the results of apmu_wants(), apmu_wants_cycles() and
 * apmu_until_overflow() are compared with what the reference does.
 *
 * Environment: APMU_SEED (default 1), APMU_STEPS (operations per core, default the family's or LIFE_STEPS).
 */
#ifndef APMU_TEST_LIFE_H
#define APMU_TEST_LIFE_H

#include <apmu/model.h>

#define LIFE_STEPS    1000000u
#define LIFE_LENGTH   5000u /* operations of one life */
#define LIFE_REF_SIZE 2048u /* bytes: the largest reference */
#define OP_SIGNALS    6u

/* Random numbers: splitmix64. */
struct rng {
	uint64_t s;
};
uint64_t rng_next(struct rng *r);
unsigned rng_below(struct rng *r, unsigned n);
bool rng_one_in(struct rng *r, unsigned n);

enum op_kind {
	OP_CYCLES,  /* `value` cycles, each with count[i] counts of signal[i] */
	OP_LATE,    /* one such cycle that stays pending until a call that must take it */
	OP_WRITE,   /* write `value` at `at` */
	OP_PROBE,   /* read `at`, which may not be a register's encoding */
	OP_ENTER,   /* the core enters `mode` */
	OP_INPUT,   /* input pins */
	OP_ERRATA,  /* switches `value` */
	OP_SAVE,    /* snapshot */
	OP_RESTORE, /* the last snapshot, if there is one */
	OP_RESET,
	OP_MACHINE, /* the state of the machine around the PMU becomes `machine` */
	OP_CAPTURE, /* an external capture request */
	OP_KINDS
};

struct op {
	uint8_t kind; /* enum op_kind */
	uint8_t signals;
	uint16_t signal[OP_SIGNALS];
	uint8_t count[OP_SIGNALS];
	struct apmu_access at;
	struct apmu_mode mode;
	struct apmu_inputs in;
	struct apmu_machine_state machine;
	uint64_t value;
	uint32_t turn; /* selects the rarer checks after it; does not change when other operations are removed
			*/
};

struct subject;
struct life;

/* A reference model behind pointers, and how its family's operations are drawn. */
struct family {
	const uint32_t *encoding; /* of every core of the family, apmu_cp() */
	size_t encodings;
	const uint8_t *selector; /* event numbers worth selecting */
	size_t selectors;
	const uint8_t *hot; /* signals worth raising */
	size_t hots;
	uint64_t (*value)(struct rng *r, uint32_t encoding,
			  uint64_t value); /* turns a random value into a likely one */
	void (*init)(void *ref, unsigned kind, struct apmu_mode mode);
	void (*reset)(void *ref);
	void (*cycle)(void *ref, const uint64_t n[APMU_SIGNALS]);
	enum apmu_outcome (*read)(const void *ref, struct apmu_access at, uint64_t *value);
	enum apmu_outcome (*write)(void *ref, struct apmu_access at, uint64_t value);
	void (*enter)(void *ref, struct apmu_mode mode);
	void (*input)(void *ref, struct apmu_inputs in);
	void (*errata)(void *ref, uint32_t errata);
	bool (*line)(const void *ref, enum apmu_line line);
	uint64_t (*bus)(const void *ref, const uint64_t n[APMU_SIGNALS]);
	bool (*wants)(const void *ref, enum apmu_signal s);
	bool (*holding)(const void *ref);   /* the hold-off runs */
	bool (*exporting)(const void *ref); /* the bus is driven and somebody listens */
	bool (*loses_flags)(const void *ref);
	/* Only families with their own views and levels, which have no bus() and what follows it; else NULL.
	 */
	unsigned long steps; /* operations per core unless APMU_STEPS is set; 0: LIFE_STEPS */
	void (*draw)(struct op *op, struct rng *r, const struct subject *subject);
	bool (*agrees)(struct life *l);
	void (*machine)(void *ref, const struct apmu_machine_state *m);
	bool (*capture)(void *ref);
	bool (*possible)(const void *ref, struct apmu_access at); /* can a guest make the access? */
};

struct subject {
	const char *core; /* the model's core */
	const struct family *family;
	unsigned kind; /* the reference's kind */
};

union ref_box {
	max_align_t align;
	unsigned char bytes[LIFE_REF_SIZE];
};

/* Model and reference side by side. */
struct life {
	const struct subject *subject;
	struct apmu pmu;
	struct apmu_tally *tally; /* the tally that the model counts from */
	struct apmu_tally own;    /* `tally`, unless two lives share one */
	union ref_box ref, saved_ref;
	struct apmu_snapshot saved;
	bool has_saved, late;
	bool line[APMU_LINES];
	uint32_t turn;      /* of the last operation */
	const char *broken; /* NULL while they agree; else the claim that failed */
	char detail[160];
};

/* Starts at power on; `tally` NULL: one of its own. */
void life_start(struct life *l, const struct subject *subject, struct apmu_tally *tally);

/* Applies one operation to both sides, then compares them. False if they disagree. */
bool life_do(struct life *l, const struct op *op);

/* The parts of life_do(), for tests with two models on one tally. */
void life_feed(struct apmu_tally *tally, const struct op *op);
void life_take_cycle(struct life *l, const struct op *op); /* after life_feed() */
bool life_agrees(struct life *l);
bool life_fails(struct life *l, const char *claim, uint64_t got, uint64_t want);
bool life_same(struct life *l, const char *claim, uint64_t got, uint64_t want);
bool life_read_agrees(struct life *l, struct apmu_access at);
bool life_line_agrees(struct life *l, enum apmu_line line, bool want);

/* Draws the next operation. */
void op_draw(struct op *op, struct rng *r, const struct subject *subject);
void op_print(const struct op *op);

/* The counts of one cycle of the operation. */
void op_counts(const struct op *op, uint64_t n[APMU_SIGNALS]);

/* Runs lives of APMU_STEPS operations in all from APMU_SEED. Returns 0 if model and reference always agree;
 * else shrinks the list, prints it and returns its length. */
size_t lives_break(const struct subject *subject);

/* Removes operations and simplifies the others as long as the list still ends in a disagreement; returns its
 * new length. `l` then holds the disagreement of the shortest list. */
size_t shrink(struct life *l, const struct subject *subject, struct op *op, size_t n);

uint64_t life_seed(void);
unsigned long life_steps(const struct subject *subject);

extern const struct subject subjects[];
extern const size_t subjects_n;
const struct subject *subject_of(const char *core);

#endif
