/* SPDX-License-Identifier: MIT */
/* "DONE(...)", "UNDEF(...)", "TRAP1(...)", "ESR(...)=": accesses that are tried. */
#include "replay_words.h"

#include <string.h>

enum { WORD = 256, HIGHEST_FREE = 8 };

/* "rt=3", "rt2=4"; "cond=" is for instructions that this guest does not make. */
static bool operand(struct replay *r, struct try *t, const char *word)
{
	uint64_t value = 0;

	if (!strncmp(word, "rt=", 3) && vec_number(word + 3, &value))
		t->rt = (unsigned)value;
	else if (!strncmp(word, "rt2=", 4) && vec_number(word + 4, &value))
		t->rt2 = (unsigned)value;
	else
		return replay_cannot(r, "%.40s", word);
	return (value != 1 && value <= HIGHEST_FREE) || replay_cannot(r, "a register that the guest needs");
}

static bool rest(struct replay *r, struct try *t, char *words)
{
	bool from = false;

	for (char *part; (part = vec_part(&words, " -")) != NULL;) {
		if (!strcmp(part, "from"))
			from = true;
		else if (!(from && vec_mode(r->core, part, &t->at.from)) && !operand(r, t, part))
			return false;
	}
	return true;
}

/* "read|write REG[=value] [from MODE...] [rt=n]" */
static bool parse(struct replay *r, const char *text, struct try *t)
{
	char parts[WORD], *words = parts;

	strncpy(parts, text, sizeof parts - 1);
	parts[sizeof parts - 1] = '\0';
	char *verb = vec_part(&words, " "), *reg = vec_part(&words, " ");
	if (!verb || !reg)
		return replay_cannot(r, "%.100s", text);
	t->write = !strcmp(verb, "write");
	char *equals = strchr(reg, '=');
	if (equals)
		*equals++ = '\0';
	if (equals && t->wish != WISH_SYNDROME)
		vec_number(equals, &t->value);
	*r->words.why = '\0';
	if (!vec_access(&r->words, reg, r->words.mode, &t->at))
		return replay_cannot(r, "%.200s", r->words.why);
	return rest(r, t, words) && replay_world(r, &t->at);
}

static bool try_word(struct replay *r, const char *inside, const char *word, struct try t)
{
	return parse(r, inside, &t) && replay_try(r, &t, word);
}

bool replay_outcome(struct replay *r, const char *word, bool *ok)
{
	static const struct {
		const char *name;
		enum wish wish;
	} outcomes[] = {{"UNDEF", WISH_UNDEFINED},
			{"DONE", WISH_DONE},
			{"TRAP1", WISH_TRAP1},
			{"TRAP2", WISH_TRAP2},
			{"TRAP3", WISH_TRAP3}};
	char inside[WORD];

	for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
		if (!vec_inside(word, outcomes[i].name, inside, sizeof inside))
			continue;
		if (outcomes[i].wish > WISH_TRAP1 && !r->levels) {
			*ok = replay_cannot(r, "a trap to a level that the guest has not");
			return true;
		}
		*ok = try_word(r, inside, word,
			       (struct try){.value = 0xFFFFFFFF, .rt2 = 2, .wish = outcomes[i].wish});
		return true;
	}
	return false;
}

bool replay_syndrome(struct replay *r, const char *inside, const char *word, uint64_t want)
{
	if (r->guest.isa != GUEST_A64 && !r->levels)
		return replay_cannot(r, "a syndrome without AArch64");
	return try_word(r, inside, word, (struct try){.value = want, .rt2 = 2, .wish = WISH_SYNDROME});
}
