/* SPDX-License-Identifier: MIT */
#include "vec.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 256 };

void vec_settle(struct vec_bench *b)
{
	if (!b->pending)
		return;
	apmu_advance(&b->pmu);
	memset(b->named, 0, sizeof b->named);
	b->pending = false;
}

/* Saves, resets and restores: a snapshot must hold everything, so the line must see no difference. */
static bool snapshot(struct vec_bench *b)
{
	struct apmu_snapshot saved;

	if (b->way != VEC_SNAPSHOTS || b->pending)
		return true;
	apmu_save(&b->pmu, &saved);
	apmu_reset(&b->pmu);
	if (apmu_restore(&b->pmu, &saved))
		return vec_fail(b, "its own snapshot was refused");
	return true;
}

static void happen(struct vec_bench *b, unsigned signal, uint64_t n)
{
	b->tally.n[signal] += n;
	apmu_signal_add(b->named, signal);
	b->pending = true;
}

/* Adds n to all signals that the step has not named yet. */
static void happen_others(struct vec_bench *b, uint64_t n)
{
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (!apmu_signal_in(b->named, s))
			happen(b, s, n);
}

/* "INST", "INST*3", "others*1". */
static bool do_signal(struct vec_bench *b, const char *word)
{
	char name[WORD];
	uint64_t n = 1;

	snprintf(name, sizeof name, "%s", word);
	char *star = strchr(name, '*');
	if (star)
		*star++ = '\0';
	if (star && !vec_number(star, &n))
		return vec_fail(b, "'%s': no number", word);
	if (!strcmp(name, "others")) {
		happen_others(b, n);
		return true;
	}
	unsigned signal = vec_signal(b->pmu.core, name);
	if (signal == APMU_SIGNALS)
		return vec_fail(b, "'%s': no such word, signal or event", word);
	happen(b, signal, n);
	return true;
}

/* "(words)*n": executes the words n times; each time the PMU then takes what is pending. */
static bool do_group(struct vec_bench *b, const char *word)
{
	char inside[WORD];
	uint64_t n = 1;
	const char *close = strrchr(word, ')');

	if (!close || (close[1] && (close[1] != '*' || !vec_number(close + 2, &n))))
		return vec_fail(b, "'%s': ends in neither ) nor )*n", word);
	snprintf(inside, sizeof inside, "%.*s", (int)(close - word - 1), word + 1);
	for (uint64_t i = 0; i < n; i++) {
		if (!vec_do(b, inside))
			return false;
		vec_settle(b);
	}
	return true;
}

/* "capture=1": an external capture request; the value says if it must be granted. */
static bool do_capture(struct vec_bench *b, uint64_t want)
{
	bool got = apmu_capture(&b->pmu);

	return got == (want != 0) || vec_fail(b, "the capture was %s", got ? "made" : "refused");
}

/* "spniden=0", "mdcr_el2=0x40", "PMNC=5", "PMNC@user=5". */
static bool do_assign(struct vec_bench *b, const char *word)
{
	char name[WORD];
	uint64_t value;
	struct apmu_access at;

	snprintf(name, sizeof name, "%s", word);
	char *equals = strrchr(name, '=');
	if (!equals)
		return vec_fail(b, "'%s': no such word", word);
	*equals++ = '\0';
	if (!vec_number(equals, &value))
		return vec_fail(b, "'%s': no number", word);
	if (!strcmp(name, "capture"))
		return do_capture(b, value);
	if (vec_surroundings(b, name, value))
		return true;
	if (!vec_access(b, name, b->mode, &at))
		return false;
	if (apmu_write(&b->pmu, at, value) != APMU_DONE)
		return vec_fail(b, "%s: the write was not done", word);
	return true;
}

/* "+flag-loss", "-evt1-overcount". */
static bool do_erratum(struct vec_bench *b, const char *word)
{
	static const char *const name[APMU_ERRATA] = {
		[APMU_ERRATUM_FLAG_LOSS] = "flag-loss",
		[APMU_ERRATUM_EVT1_OVERCOUNT] = "evt1-overcount",
		[APMU_ERRATUM_EVT5_ALL] = "evt5-all",
		[APMU_ERRATUM_LOST_OVERFLOW] = "lost-overflow",
	};

	for (unsigned i = 0; i < APMU_ERRATA; i++) {
		uint32_t bit = UINT32_C(1) << i, now = b->pmu.s.errata;
		if (!name[i])
			return vec_fail(b, "erratum %u has no word here: do_erratum()", i);
		if (strcmp(word + 1, name[i]))
			continue;
		apmu_errata(&b->pmu, *word == '+' ? now | bit : now & ~bit);
		return true;
	}
	return vec_fail(b, "'%s': no such erratum", word);
}

static bool do_reset(struct vec_bench *b)
{
	apmu_reset(&b->pmu);
	memset(b->named, 0, sizeof b->named);
	b->pending = false;
	return true;
}

static bool do_look(struct vec_bench *b, const char *word)
{
	vec_settle(b);
	return vec_look(b, word);
}

/* Executes a word that is not a signal. */
static bool do_act(struct vec_bench *b, const char *word)
{
	bool ok;

	if (!strcmp(word, ";")) {
		vec_settle(b);
		return true;
	}
	if (!strcmp(word, "reset"))
		return do_reset(b);
	if (*word == '?')
		return do_look(b, word + 1);
	if (*word == '+' || *word == '-')
		return do_erratum(b, word);
	if (vec_outcome(b, word, &ok))
		return ok;
	if (vec_mode(b->pmu.core, word, &b->mode)) {
		apmu_enter(&b->pmu, b->mode);
		return true;
	}
	return do_assign(b, word);
}

static bool is_signal(const struct vec_bench *b, const char *word)
{
	struct apmu_mode mode = {0};

	return isalpha((unsigned char)*word) && !strpbrk(word, "=(") && strcmp(word, "reset") &&
	       !vec_mode(b->pmu.core, word, &mode);
}

static bool do_word(struct vec_bench *b, const char *word)
{
	if (*word == '(')
		return do_group(b, word);
	if (is_signal(b, word))
		return do_signal(b, word);
	/* Writes and switches take what is pending themselves, so VEC_STRAIGHT does not do that before them.
	 */
	if (b->way == VEC_SNAPSHOTS)
		vec_settle(b);
	bool done = do_act(b, word);
	memset(b->named, 0, sizeof b->named);
	return done && snapshot(b);
}

bool vec_do(struct vec_bench *b, const char *words)
{
	char word[WORD];

	while (vec_word(&words, word, sizeof word))
		if (!do_word(b, word))
			return false;
	if (words[strspn(words, " \t")])
		return vec_fail(b, "'%s': too long a word", words);
	return true;
}
