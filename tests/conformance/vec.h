/* SPDX-License-Identifier: MIT */
/**
 * Conformance vectors: each line states a rule of a manual. README.md in this folder describes the language.
 *
 * This header has the parsed line (struct vec) and a bench that applies the line's words to a model through
 * the public functions only. Nothing here depends on how the model implements a rule, so other backends (a
 * driver, a guest program) can replay the same lines with a bench of their own.
 */
#ifndef APMU_TEST_VEC_H
#define APMU_TEST_VEC_H

#include <apmu/model.h>

#include <stdarg.h>
#include <stddef.h>

#define VEC_LINE 1024 /* longest line of a .vec file, in bytes */
#define VEC_WHY  256  /* longest reason for a failure */

/* The five columns of a line, trimmed; they point into the line that vec_split() was given. */
struct vec {
	char *cores;   /* "arm1136,arm1176" */
	char *setup;   /* words, in order */
	char *happens; /* words, in order */
	char *expect;  /* words that must be true at the end */
	char *source;  /* a key of spec/sources.txt, then a section */
};

/* How a line is run. */
enum vec_way {
	VEC_STRAIGHT,  /* as it stands */
	VEC_SNAPSHOTS, /* saved, reset and restored after every word that is not a signal */
	VEC_WAYS
};

/* A PMU with everything that a line can change. */
struct vec_bench {
	struct apmu pmu;
	struct apmu_tally tally;
	struct apmu_mode mode;
	struct apmu_inputs in;
	bool line[APMU_LINES];             /* line levels, as last reported to the callback */
	bool line_twice;                   /* the callback was called without a change */
	unsigned notes[APMU_NOTES];        /* number of notes of each kind */
	uint64_t detail[APMU_NOTES];       /* detail of the last note of each kind */
	uint64_t named[APMU_SIGNAL_WORDS]; /* signals of the step that is being built */
	bool pending;                      /* the tally has counts that the PMU has not taken yet */
	enum vec_way way;
	char why[VEC_WHY]; /* empty while all is well */
};

/* Splits a line at its "|". False unless there are five columns. */
bool vec_split(char *line, struct vec *v);

/* Runs a line on one core. False, and a reason in `why`, if something is not as expected or not understood.
 */
bool vec_run(const struct vec *v, const struct apmu_core *core, enum vec_way way, char why[VEC_WHY]);

/* Makes a core out of reset, running at the level of vec_observer(), with the pins as apmu_init() leaves
 * them. */
void vec_power_on(struct vec_bench *b, const struct apmu_core *core, enum vec_way way);

/* Executes the words of a column, in order. */
bool vec_do(struct vec_bench *b, const char *words);

/* Checks one word of the fourth column. */
bool vec_look(struct vec_bench *b, const char *word);

/* "PMNC", "PMCR.a32", "cp15(0,c15,c12,0)", any with "@user": the access that the word names. */
bool vec_access(struct vec_bench *b, const char *text, struct apmu_mode from, struct apmu_access *at);

/* "PMCR", "PMCR.a32", "PMEVCNTR3.mmio": the register's view and encoding. False if this core has no such
 * register. */
bool vec_register(const struct apmu_core *core, const char *text, struct apmu_access *at);

/* Changes *mode by "user", "ns", "debug" and the like; false if the word is not a mode word. */
bool vec_mode(const struct apmu_core *core, const char *word, struct apmu_mode *mode);

/* The mode that reads the expected values and in which a line starts: EL3 on a PMUv3 core that has it, else
 * EL2; a privileged Secure mode on every other core. */
struct apmu_mode vec_observer(const struct apmu_core *core);

/* "UNDEF(...)", "DONE(...)", "TRAP2(...)": false if the word is none of these; else *ok is true if the access
 * ends as the word says. */
bool vec_outcome(struct vec_bench *b, const char *word, bool *ok);

/* "read PMCR@el1", "write PMCR@el1 rt=3 cond=0" of ESR(...): true if the access's syndrome is `want`. */
bool vec_syndrome(struct vec_bench *b, const char *text, uint64_t want);

/* Sets an input pin or a member of struct apmu_machine_state; false if none has that name. */
bool vec_surroundings(struct vec_bench *b, const char *name, uint64_t value);

/* The signal with this name, or the first signal of the event with this name; APMU_SIGNALS if none. */
unsigned vec_signal(const struct apmu_core *core, const char *name);

/* Makes the PMU take what is pending. */
void vec_settle(struct vec_bench *b);

/* Records the first reason for a failure; returns false. */
bool vec_fail(struct vec_bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies the next word of *words, up to a space or ';' outside parentheses; ';' itself is a word. False at
 * the end, and for a word longer than `size`. */
bool vec_word(const char **words, char *word, size_t size);

/* Cuts the next part off *rest at any of `separators`, empty parts left out; NULL at the end. */
char *vec_part(char **rest, const char *separators);

/* "5", "0x40", "1<<59", or a sum of these; false unless all of `text` is such a number. */
bool vec_number(const char *text, uint64_t *value);

/* "name(inside)": copies the inside; false if the word has another form. */
bool vec_inside(const char *word, const char *name, char *inside, size_t size);

#endif
