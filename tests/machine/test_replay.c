/* SPDX-License-Identifier: MIT */
/*
 * Every line of the conformance vectors that a guest can say, said by a guest: real MRC, MCR, MRRC, MCRR, MRS
 * and MSR instructions in A32, T32 and A64 inside the machine. `test-machine-replay -v` lists what it cannot
 * say.
 */
#define _POSIX_C_SOURCE 200809L /* glob() */
#include "replay.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/* How many lines were replayed when this was last looked at: fewer is a loss. */
enum { REPLAYED_LINES = 1500, REPLAYED_RUNS = 5229 };

struct totals {
	unsigned lines, replayed_lines, runs, cannot, differs;
	bool said; /* this line, by any guest */
};

static bool verbose;

/* In an instruction set; GUEST_ISAS: in A64 from EL3 on. */
static void run_in(struct totals *t, const struct vec *v, const struct apmu_core *core, unsigned isa,
		   const char *where)
{
	static const char *const name[GUEST_ISAS + 1] = {"A32", "T32", "A64", "from EL3 or Secure state"};
	char why[VEC_WHY];
	bool levels = isa == GUEST_ISAS;

	if (levels ? !replay_has_levels(core) : !replay_has(core, (enum guest_isa)isa))
		return;
	switch (levels ? replay_run_levels(v, core, why) : replay_run(v, core, (enum guest_isa)isa, why)) {
	case REPLAY_SAME:
		t->runs++;
		t->said = true;
		break;
	case REPLAY_CANNOT:
		t->cannot++;
		if (verbose)
			printf("%s: %s, %s: cannot say: %s\n", where, core->name, name[isa], why);
		break;
	case REPLAY_DIFFERS:
		t->differs++;
		fprintf(stderr, "%s: %s, %s: %s\n", where, core->name, name[isa], why);
		break;
	}
}

static void run_line(struct totals *t, char *text, const char *where)
{
	struct vec v;

	text[strcspn(text, "#\r\n")] = '\0';
	if (!text[strspn(text, " \t")] || !vec_split(text, &v))
		return;
	t->lines++;
	t->said = false;
	for (char *name; (name = vec_part(&v.cores, ", ")) != NULL;) {
		const struct apmu_core *core = apmu_core_find(name);
		for (unsigned isa = 0; core && isa <= GUEST_ISAS; isa++)
			run_in(t, &v, core, isa, where);
	}
	t->replayed_lines += t->said;
}

static void run_file(struct totals *t, const char *path)
{
	char text[VEC_LINE], where[96];
	FILE *f = fopen(path, "r");

	for (unsigned line = 1; f && fgets(text, sizeof text, f); line++) {
		snprintf(where, sizeof where, "%.64s:%u", strrchr(path, '/') + 1, line);
		run_line(t, text, where);
	}
	if (f)
		fclose(f);
}

TEST(a_guest_sees_what_each_line_of_the_manuals_says)
{
	struct totals t = {0};
	char pattern[4096];
	const char *src = getenv("SRC");
	glob_t found;

	CHECK(src != NULL);
	verbose = getenv("APMU_VERBOSE") != NULL;
	snprintf(pattern, sizeof pattern, "%.4000s/tests/conformance/*.vec", src);
	CHECK_EQ(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		run_file(&t, found.gl_pathv[i]);
	globfree(&found);
	printf("%u of %u lines replayed, %u runs by guests, %u that a guest cannot say, %u differ\n",
	       t.replayed_lines, t.lines, t.runs, t.cannot, t.differs);
	CHECK_EQ(t.differs, 0);
	CHECK(t.replayed_lines >= REPLAYED_LINES && t.runs >= REPLAYED_RUNS);
}

/* ... also one that goes from level to level. */
TEST(a_line_that_says_something_false_of_a_level_differs)
{
	static const char *const wrong[] = {
		"cortex-a53 | mdcr_el2=0x40+6 | | DONE(read PMCCNTR@el1) | DDI0487 D24.3",
		"cortex-a53 | mdcr_el2=0x40+6 | | TRAP3(read PMCCNTR@el1) | DDI0487 D24.3",
		"cortex-a53 | mdcr_el3=0x40 | | TRAP2(read PMCCNTR@el2) | DDI0487 D24.3",
		"cortex-a53 | mdcr_el2=2 | | PMCR@el1&0xF800=0x1800 | DDI0487 D24.3",
		"a15 | HDCR@ns-hyp=0x44 | | DONE(read PMCCNTR from ns priv) | DDI0406 x",
		"a15 | HDCR@ns-hyp=0x44 | | TRAP2(read PMCCNTR from ns hyp) | DDI0406 x",
		"a15 | HDCR@ns-hyp=4 | | PMCR@ns-priv&0xF800=0x3000 | DDI0406 x",
		"a15 | HDCR@ns-hyp=4 | | PMCR@secure-priv&0xF800=0x2000 | DDI0406 x",
		"cortex-a53 | PMCNTENSET=1<<31 PMCR=1 el2 | CYCLES*3 | PMCCNTR@el3=3 | DDI0487 D24.5",
	};
	char text[VEC_LINE], why[VEC_WHY];
	struct vec v;

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		snprintf(text, sizeof text, "%s", wrong[i]);
		CHECK(vec_split(text, &v));
		if (replay_run_levels(&v, apmu_core_find(v.cores), why) != REPLAY_DIFFERS)
			fail_msg("did not differ: %s (%s)", wrong[i], why);
	}
}

/* A guest finds it out when a line is wrong. */
TEST(a_line_that_says_something_false_differs)
{
	static const struct {
		const char *line;
		enum guest_isa isa;
	} wrong[] = {
		{"xscale1 | CCNT=5 | | CCNT=6 | XSCALE 8", GUEST_A32},
		{"xscale1 | PMNC=1 CYCLES*3 ; | | CCNT=2 | XSCALE 8", GUEST_A32},
		{"xscale1 | | | irq=1 | XSCALE 8", GUEST_A32},
		{"xscale1 | | | UNDEF(read PMNC) | XSCALE 8", GUEST_A32},
		{"xscale1 | | | DONE(read PMNC from user) | XSCALE 8", GUEST_A32},
		{"a15 | PMSELR=3 | | PMSELR=2 | DDI0406 x", GUEST_T32},
		{"cortex-a53 | el1 PMEVCNTR3=5 | | PMEVCNTR3=4 | DDI0487 D24.5", GUEST_A64},
		{"cortex-a53 | el1 | | DONE(read PMCR@el0) | DDI0487 D24.5", GUEST_A64},
		{"cortex-a53 | el1 | | UNDEF(read PMCR@el0) | DDI0487 D24.5", GUEST_A64},
		{"cortex-a53 | el1 | | ESR(read PMCR@el0 rt=3)=0 | DDI0487 D24.5", GUEST_A64},
	};
	char text[VEC_LINE], why[VEC_WHY];
	struct vec v;

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		snprintf(text, sizeof text, "%s", wrong[i].line);
		CHECK(vec_split(text, &v));
		if (replay_run(&v, apmu_core_find(v.cores), wrong[i].isa, why) != REPLAY_DIFFERS)
			fail_msg("did not differ: %s", wrong[i].line);
	}
}
