/* SPDX-License-Identifier: MIT */
/* Between replay.c (the walk over the words) and replay_guest.c (what an access becomes). */
#ifndef APMU_TEST_REPLAY_WORDS_H
#define APMU_TEST_REPLAY_WORDS_H

#include "replay.h"
#include <apmu/machine.h>

enum { MARKS = 64 };

/* How an access must end, or that its value is looked at. */
enum wish { WISH_DONE, WISH_UNDEFINED, WISH_TRAP1, WISH_TRAP2, WISH_TRAP3, WISH_VALUE, WISH_SYNDROME };

struct
try {
	struct apmu_access at;
	bool write;
	uint64_t value; /* written; or what the read must give, under `mask` */
	uint64_t mask;
	unsigned rt, rt2;
	enum wish wish;
};

struct replay {
	const struct apmu_core *core;
	struct vec_bench words; /* for the vector language's own parsers: core, mode and complaints */
	struct guest guest;
	struct apmu_machine *machine;
	uint32_t mark[MARKS]; /* address behind each access */
	unsigned marks, next; /* planned, run */
	unsigned results;     /* reads so far */
	uint32_t refused;     /* as the guest had counted before the access */
	unsigned notes[APMU_NOTES];
	bool running; /* the second walk */
	struct apmu_mode
		line;  /* where the line is: it starts at EL3 or in Secure state, where no guest may be */
	uint8_t world; /* the guest's: enum apmu_security */
	bool user;     /* where the guest is */
	bool levels;   /* the guest has EL3, and is where the line is */
	uint64_t scr;  /* SCR_EL3 of it */
	bool filtered; /* a filter was written that tells Secure from Non-secure state */
	bool cannot;
	char why[VEC_WHY];
};

/* Each returns false after setting `why`. */
bool replay_cannot(struct replay *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool replay_differs(struct replay *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "PMCR.a32@user": the access, from the guest's world; or the world alone. */
bool replay_access(struct replay *r, const char *name, struct apmu_access *at);
bool replay_world(struct replay *r, struct apmu_access *at);

/* Plans the access, or runs it and looks at how it ended. */
bool replay_try(struct replay *r, const struct try *t, const char *word);

/* The guest goes to User mode, EL0, or back. */
bool replay_move(struct replay *r, bool user, const char *word);

/* With levels: it goes to where the line is from now on. */
bool replay_there(struct replay *r, struct apmu_mode at); /* can it be there? */
bool replay_go(struct replay *r, struct apmu_mode to, const char *word);

/* Makes the machine round the planned program, and puts the end to it. */
bool replay_open(struct replay *r);

/* "DONE(read PMNC from user)" and kin: false if it is no such word, else *ok. */
bool replay_outcome(struct replay *r, const char *word, bool *ok);

/* "mdcr_el2=" and kin: false if it is no such word, else *ok. */
bool replay_host(struct replay *r, const char *name, struct try *t, bool *ok);

/* "ESR(inside)=want" */
bool replay_syndrome(struct replay *r, const char *inside, const char *word, uint64_t want);

#endif
