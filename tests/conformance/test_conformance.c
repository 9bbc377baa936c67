/* SPDX-License-Identifier: MIT */
/*
 * Runs every line of every .vec file of this folder on the model, on each core that the line names, once as
 * it stands and once with snapshots between its words. Prints how many lines ran; a failure names file and
 * line.
 */
#define _POSIX_C_SOURCE 200809L /* glob() */
#include "vec.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { PATH_LENGTH = 4096 };

struct totals {
	unsigned files, lines, runs, failed;
};

/* The source root: SRC as CTest sets it, else derived from this file's path at compile time. */
static const char *source_root(void)
{
	static char root[PATH_LENGTH];
	const char *src = getenv("SRC");

	snprintf(root, sizeof root, "%s", src ? src : __FILE__);
	char *tests = src ? NULL : strstr(root, "tests/conformance/");
	if (tests)
		memcpy(tests, ".", sizeof ".");
	return root;
}

static void report(struct totals *t, const char *file, unsigned line, const char *core, const char *why)
{
	t->failed++;
	fprintf(stderr, "%s:%u: %s%s%s\n", strrchr(file, '/') + 1, line, core, *core ? ": " : "", why);
}

static void run_on(struct totals *t, const struct vec *v, const char *name, const char *file, unsigned line)
{
	const struct apmu_core *core = apmu_core_find(name);
	char why[VEC_WHY];

	if (!core) {
		report(t, file, line, name, "no such core");
		return;
	}
	for (unsigned way = 0; way < VEC_WAYS; way++) {
		t->runs++;
		if (!vec_run(v, core, (enum vec_way)way, why)) {
			report(t, file, line, name, why);
			return; /* the other way would fail with the same reason */
		}
	}
}

/* True if the first word of `source` is a key of spec/sources.txt. */
static bool known_source(const char *source)
{
	char path[PATH_LENGTH], line[VEC_LINE];
	size_t n = strcspn(source, " ");
	bool known = false;

	snprintf(path, sizeof path, "%.4000s/spec/sources.txt", source_root());
	FILE *f = fopen(path, "r");
	if (!f)
		return false;
	while (!known && fgets(line, sizeof line, f))
		known = n && !strncmp(line, source, n) && line[n] == ' ';
	fclose(f);
	return known;
}

static void run_line(struct totals *t, char *text, const char *file, unsigned line)
{
	struct vec v;

	text[strcspn(text, "#\r\n")] = '\0';
	if (!text[strspn(text, " \t")])
		return;
	t->lines++;
	if (!vec_split(text, &v))
		report(t, file, line, "", "not five columns");
	else if (!known_source(v.source))
		report(t, file, line, "", "the source is not in spec/sources.txt");
	else
		for (char *core; (core = vec_part(&v.cores, ", ")) != NULL;)
			run_on(t, &v, core, file, line);
}

static void run_file(struct totals *t, const char *file)
{
	char text[VEC_LINE];
	unsigned line = 0;
	FILE *f = fopen(file, "r");

	if (!f) {
		report(t, file, 0, "", "cannot be opened");
		return;
	}
	t->files++;
	while (fgets(text, sizeof text, f)) {
		line++;
		if (!strchr(text, '\n') && !feof(f))
			report(t, file, line, "", "too long a line");
		else
			run_line(t, text, file, line);
	}
	fclose(f);
}

TEST(the_model_does_what_each_line_of_the_manuals_says)
{
	struct totals t = {0};
	char pattern[PATH_LENGTH];
	glob_t found;

	snprintf(pattern, sizeof pattern, "%.4000s/tests/conformance/*.vec", source_root());
	CHECK_EQ(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		run_file(&t, found.gl_pathv[i]);
	globfree(&found);
	printf("%u vectors in %u files, %u runs, %u failed\n", t.lines, t.files, t.runs, t.failed);
	CHECK_EQ(t.failed, 0);
	CHECK(t.lines >= 200); /* else files were not found */
}

/* True if the line passes on its first core. */
static bool passes(const char *line, char why[VEC_WHY])
{
	char text[VEC_LINE];
	struct vec v;

	snprintf(text, sizeof text, "%s", line);
	return vec_split(text, &v) && vec_run(&v, apmu_core_find(v.cores), VEC_STRAIGHT, why);
}

TEST(a_line_that_says_something_false_fails)
{
	static const char *const wrong[] = {
		"xscale1 | CCNT=5          |          | CCNT=6                  | XSCALE 8",
		"xscale1 | PMNC=1          | CYCLES*3 | CCNT=2                  | XSCALE 8",
		"xscale1 | PMNC=1          | CYCLES*3 ?CCNT=2 CYCLES | CCNT=4   | XSCALE 8",
		"xscale1 |                 |          | irq=1                   | XSCALE 8",
		"xscale1 |                 |          | UNDEF(read PMNC)        | XSCALE 8",
		"xscale1 |                 |          | DONE(read PMNC from user) | XSCALE 8",
		"xscale1 | PMNC@user=1     |          | CCNT=0                  | XSCALE 8",
		"xscale1 |                 |          | note(reserved-bits)=1   | XSCALE 8",
		"arm1136 | PMNC=0x800      |          | bus(INST)=0             | AN195 1",
		"max |                     |          | TRAP2(read PMCR@el0)    | DDI0487 D24.5",
		"max |                     |          | UNDEF(read PMCR@el0)    | DDI0487 D24.5",
		"max |                     |          | ESR(read PMCR@el0)=0    | DDI0487 D24.5",
		"max |                     |          | ESR(read PMCR@el3)=0x2000000 | DDI0487 D24.5",
		"max | mdcr_el2=0x40       |          | DONE(read PMCR@el1)     | DDI0487 D24.5",
		"max | PMEVCNTR3=5         |          | PMEVCNTR4=5             | DDI0487 D24.5",
		"max | PMEVCNTR3=5         |          | PMEVCNTR3.mmio=6        | DDI0487 D24.5",
		"max |                     | capture=1 | PMCR&1=0               | DDI0487 D24.5",
		"max |                     |          | profiling=1             | DDI0487 D24.5",
		"max |                     |          | target=1                | DDI0487 D24.5",
	};
	char why[VEC_WHY];

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		if (passes(wrong[i], why))
			fail_msg("passed: %s", wrong[i]);
}

TEST(a_line_with_an_unknown_word_fails_and_names_it)
{
	static const struct {
		const char *line, *word;
	} unknown[] = {
		{"xscale1 | PMXX=1      |             | CCNT=0              | XSCALE 8", "PMXX"},
		{"xscale1 | lazy        |             | CCNT=0              | XSCALE 8", "lazy"},
		{"xscale1 | dbg=1       |             | CCNT=0              | XSCALE 8", "dbg"},
		{"xscale1 | +wrong      |             | CCNT=0              | XSCALE 8", "+wrong"},
		{"xscale1 |             | NOTHING*3   | CCNT=0              | XSCALE 8", "NOTHING"},
		{"xscale1 |             | INST*x      | CCNT=0              | XSCALE 8", "INST*x"},
		{"xscale1 |             | (INST*3     | CCNT=0              | XSCALE 8", "(INST*3"},
		{"xscale1 |             | PMNC=-1     | CCNT=0              | XSCALE 8", "PMNC=-1"},
		{"xscale1 |             |             | CCNT                | XSCALE 8", "CCNT"},
		{"xscale1 |             |             | CCNT@nowhere=0      | XSCALE 8", "nowhere"},
		{"xscale1 |             |             | cp15(1,c2)=0        | XSCALE 8", "cp15"},
		{"xscale1 |             |             | cp15(1,c2,c3)=0     | XSCALE 8", "cp15"},
		{"xscale1 |             |             | note(odd)=1         | XSCALE 8", "odd"},
		{"xscale1 |             |             | UNDEF(peek PMNC)    | XSCALE 8", "peek"},
		{"xscale1 |             |             | UNDEF(read PMNC to user) | XSCALE 8", "to"},
		{"xscale1 |             |             | PMNC.a64=0          | XSCALE 8", "PMNC.a64"},
		{"max | mdcr_el4=1      |             | PMCR=0              | DDI0487 D24.5", "mdcr_el4"},
		{"max | mdcr_el2=1<<64  |             | PMCR=0              | DDI0487 D24.5", "1<<64"},
		{"max |                 |             | PMCR.a32=0          | DDI0487 D24.5", "PMCR.a32"},
		{"max |                 |             | PMCR.ext=0          | DDI0487 D24.5", "PMCR.ext"},
		{"max |                 |             | PMEVCNTR31=0        | DDI0487 D24.5", "PMEVCNTR31"},
		{"max |                 |             | TRAP4(read PMCR)    | DDI0487 D24.5", "TRAP4"},
	};
	char why[VEC_WHY];

	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
		if (passes(unknown[i].line, why))
			fail_msg("passed: %s", unknown[i].line);
		if (!strstr(why, unknown[i].word))
			fail_msg("'%s' does not name %s", why, unknown[i].word);
	}
}

TEST(a_line_without_five_columns_is_refused)
{
	char four[] = "xscale1 | PMNC=1 | CYCLES*3 | CCNT=3";
	char six[] = "xscale1 | PMNC=1 | CYCLES*3 | CCNT=3 | XSCALE 8 | more";
	char empty[] = "xscale1 | PMNC=1 | CYCLES*3 | | XSCALE 8";
	struct vec v;

	CHECK(!vec_split(four, &v));
	CHECK(!vec_split(six, &v));
	CHECK(!vec_split(empty, &v));
}
