/* SPDX-License-Identifier: MIT */
/* Reads and writes of fields: the meaning of places. Fields that lie alike are handled together, as one step
 * of their register. */
#include "model/model.h"

#define WORD(member) (offsetof(struct apmu_state, member) / sizeof(uint64_t))

/* The first word of each kind of place in the state. */
static const uint16_t first_word[] = {
	[APMU_PLACE_COUNTER] = WORD(counter),   [APMU_PLACE_TYPE] = WORD(type),
	[APMU_PLACE_SAVED] = WORD(saved),       [APMU_PLACE_CNTEN] = WORD(cnten),
	[APMU_PLACE_OVERFLOW] = WORD(overflow), [APMU_PLACE_INTEN] = WORD(inten),
	[APMU_PLACE_FIQEN] = WORD(fiqen),       [APMU_PLACE_UACR] = WORD(uacr),
	[APMU_PLACE_WORD] = WORD(word),         [APMU_PLACE_HPMN] = WORD(word),
};

/* True if the place is a bit of a mask with one bit per counter. */
static bool in_mask(const struct apmu_step *step)
{
	return step->place >= APMU_PLACE_CNTEN && step->place <= APMU_PLACE_UACR;
}

/* Returns the word of the state that holds the place; NULL if no word does. */
uint64_t *apmu_model__word_of(struct apmu_state *s, const struct apmu_step *step, unsigned i)
{
	if (step->place == APMU_PLACE_NONE || step->place > APMU_PLACE_HPMN)
		return NULL;
	return (uint64_t *)s + first_word[step->place] + (in_mask(step) ? 0 : i);
}

/* Moves bits of the register to their positions in the place. */
uint64_t apmu_model__to_place(const struct apmu_step *step, uint64_t bits)
{
	return apmu_base__turn(bits, step->shift);
}

static uint64_t to_register(const struct apmu_step *step, uint64_t word)
{
	return apmu_base__turn(word, -step->shift) & step->mask;
}

enum apmu_kind apmu_model__step_kind(const struct apmu *pmu, const struct apmu_step *step)
{
	if (step->feature == 0xFF || (pmu->core->features >> step->feature & 1))
		return (enum apmu_kind)step->kind;
	return (enum apmu_kind)step->kind_else;
}

/* The counter that a place's index means in this access. */
unsigned apmu_model__index(const struct apmu *pmu, const struct apmu_model__access *access, unsigned index)
{
	if (index == APMU_THIS)
		return access->hit.n;
	return index == APMU_SELECTED ? (unsigned)pmu->s.word[APMU_WORD_SEL] : index;
}

static uint64_t held(const struct apmu *pmu, const struct apmu_model__access *access,
		     const struct apmu_step *step)
{
	unsigned i = apmu_model__index(pmu, access, step->index);
	const uint64_t *word = apmu_model__word_of((struct apmu_state *)&pmu->s, step, i);

	if (step->place == APMU_PLACE_HPMN)
		return pmu->core->rules->hpmn(pmu);
	if (word)
		return in_mask(step) ? *word & apmu_model__reach(pmu, access) : *word;
	if (step->place == APMU_PLACE_CORE)
		return pmu->core->constant[i];
	return step->place == APMU_PLACE_SEEN ? pmu->core->rules->seen(pmu, access, (enum apmu_seen)i) : 0;
}

static uint64_t step_read(const struct apmu *pmu, const struct apmu_model__access *access,
			  const struct apmu_step *step)
{
	switch (apmu_model__step_kind(pmu, step)) {
	case APMU_KIND_RW:
	case APMU_KIND_RO:
	case APMU_KIND_W1C:
	case APMU_KIND_W1S: return to_register(step, held(pmu, access, step));
	case APMU_KIND_RES1:
	case APMU_KIND_RAO_W1S: return step->mask;
	case APMU_KIND_WO:
	case APMU_KIND_DO:
	case APMU_KIND_CONST:
	case APMU_KIND_UNP:
	case APMU_KIND_RES0: break;
	}
	return 0;
}

uint64_t apmu_model__fields_read(const struct apmu *pmu, const struct apmu_model__access *access)
{
	const struct apmu_reg *reg = access->hit.reg;
	const struct apmu_step *step = reg->step;
	uint64_t word = reg->constant;

	if (!SMALL && pmu->image_of == reg) {
		word |= pmu->kept;
		step += reg->kept;
	}
	for (; step < reg->step + reg->steps; step++)
		if (step->views >> access->hit.view & 1)
			word |= step_read(pmu, access, step);
	return word >> access->hit.lo & apmu_base__ones(access->hit.width);
}

/* Bits of type[i] that exist: only an odd counter can link its threshold (PMUV3SHEET 2.4). */
static uint64_t type_bits(const struct apmu *pmu, unsigned i)
{
	const uint64_t link = (uint64_t)3 << 54;

	if (i >= APMU_CYCLE_COUNTER)
		return pmu->type_mask[i - APMU_CYCLE_COUNTER + 1];
	return i & 1 ? pmu->type_mask[0] : pmu->type_mask[0] & ~link;
}

/* Bits of the place's word that exist. */
uint64_t apmu_model__existing(const struct apmu *pmu, const struct apmu_step *step, unsigned i)
{
	if (step->place == APMU_PLACE_WORD || step->place == APMU_PLACE_HPMN)
		return ~(uint64_t)0;
	if (in_mask(step))
		return pmu->exists;
	return step->place == APMU_PLACE_TYPE ? type_bits(pmu, i) : apmu_model__counter_mask(pmu->core, i);
}

/* Updates what depends on a selector or filter that changed. */
static void type_changed(struct apmu *pmu, unsigned i, uint64_t was)
{
	uint64_t now = pmu->s.type[i];

	if (now == was)
		return;
	apmu_model__select(pmu, i);
	if (i < APMU_CYCLE_COUNTER && !pmu->event[i] && (now ^ was) & pmu->core->event_mask)
		apmu_model__note(pmu, APMU_NOTE_RESERVED_EVENT, now & pmu->core->event_mask);
}

/* Stores `value` in those bits of the place that `mask` (of the register) and the access reach. */
static void put(struct apmu *pmu, const struct apmu_model__access *access, const struct apmu_step *step,
		enum apmu_kind kind, uint64_t value, uint64_t mask)
{
	unsigned i = apmu_model__index(pmu, access, step->index);
	uint64_t *word = apmu_model__word_of(&pmu->s, step, i), was;
	uint64_t may = apmu_model__to_place(step, mask) & apmu_model__existing(pmu, step, i),
		 bits = apmu_model__to_place(step, value & mask);

	if (!word)
		return;
	if (in_mask(step))
		may &= apmu_model__reach(pmu, access);
	was = *word;
	*word = kind == APMU_KIND_W1C ? was & ~(bits & may) : (was & ~may) | (bits & may);
	if (kind == APMU_KIND_W1S || kind == APMU_KIND_RAO_W1S)
		*word |= was;
	if (step->place == APMU_PLACE_TYPE)
		type_changed(pmu, i, was);
}

/* The fast path for what is written most: a control word, a count. False: it is neither, or the build is for
 * size. */
static bool store(struct apmu *pmu, const struct apmu_model__access *access, const struct apmu_step *step,
		  uint64_t value, uint64_t mask)
{
	uint64_t *word, may = apmu_model__to_place(step, mask);

	if (SMALL || apmu_model__step_kind(pmu, step) != APMU_KIND_RW)
		return false;
	if (step->place == APMU_PLACE_WORD) {
		word = &pmu->s.word[step->index];
	} else if (step->place == APMU_PLACE_COUNTER) {
		unsigned i = apmu_model__index(pmu, access, step->index);

		word = &pmu->s.counter[i];
		may &= apmu_model__counter_mask(pmu->core, i);
	} else {
		return false;
	}
	*word = (*word & ~may) | (apmu_model__to_place(step, value) & may);
	return true;
}

static void act(struct apmu *pmu, const struct apmu_model__access *access, const struct apmu_step *step,
		uint64_t value)
{
	if (value || step->index == APMU_DO_LOCK)
		pmu->core->rules->act(pmu, access, (enum apmu_do)step->index, value);
}

static APMU_MODEL__APART void step_write(struct apmu *pmu, const struct apmu_model__access *access,
					 const struct apmu_step *step, uint64_t value, uint64_t mask)
{
	enum apmu_kind kind = apmu_model__step_kind(pmu, step);

	switch (kind) {
	case APMU_KIND_RW:
	case APMU_KIND_WO:
	case APMU_KIND_W1C:
	case APMU_KIND_W1S:
	case APMU_KIND_RAO_W1S: put(pmu, access, step, kind, value, mask); break;
	case APMU_KIND_DO: act(pmu, access, step, apmu_model__to_place(step, value & mask)); break;
	case APMU_KIND_RO:
	case APMU_KIND_CONST:
	case APMU_KIND_UNP:
	case APMU_KIND_RES0:
	case APMU_KIND_RES1: break;
	}
}

/* Bits of the register that differ from its last write. Only the last write of a whole steady register is
 * known; else all bits. */
static uint64_t changed(struct apmu *pmu, const struct apmu_model__access *access, uint64_t value)
{
	const struct apmu_reg *reg = access->hit.reg;
	uint64_t was = pmu->image;

	if (SMALL)
		return ~(uint64_t)0;
	pmu->image = value;
	if (pmu->image_of == reg && access->hit.width == reg->width)
		return value ^ was;
	pmu->image_of = reg->steady && access->hit.width == reg->width ? reg : NULL;
	pmu->kept = 0;
	return ~(uint64_t)0;
}

/* Control words on which neither running counters nor lines depend. */
#define QUIET_WORDS                                                                                     \
	(1u << APMU_WORD_DIVIDE | 1u << APMU_WORD_EXPORT | 1u << APMU_WORD_USER | 1u << APMU_WORD_SEL | \
	 1u << APMU_WORD_USEREN | 1u << APMU_WORD_LC | 1u << APMU_WORD_LP | 1u << APMU_WORD_SLK |       \
	 1u << APMU_WORD_CLAIM)
/* Places on which only the set of running counters and of flags that request an interrupt depends. */
#define SWITCHES (1u << APMU_PLACE_CNTEN | 1u << APMU_PLACE_INTEN | 1u << APMU_PLACE_FIQEN)

/* What must be derived after a write of the step. */
static inline enum apmu_model__work work_of(const struct apmu_step *step)
{
	if (SMALL)
		return APMU_MODEL__UNSETTLED;
	if (step->place == APMU_PLACE_WORD) {
		if (QUIET_WORDS >> step->index & 1)
			return APMU_MODEL__STORED;
		return step->index == APMU_WORD_ENABLE ? APMU_MODEL__SWITCHED : APMU_MODEL__UNSETTLED;
	}
	if (step->place == APMU_PLACE_COUNTER)
		return APMU_MODEL__STORED;
	return SWITCHES >> step->place & 1 ? APMU_MODEL__SWITCHED : APMU_MODEL__UNSETTLED;
}

/* The fastest path, for starting and stopping: a write of the register's last value with only E changed,
 * which is the first step of generated rows. False: it is another write. */
static inline bool turns_enable(struct apmu *pmu, const struct apmu_model__access *access, uint64_t value)
{
	const struct apmu_reg *reg = access->hit.reg;
	const struct apmu_step *first = reg->step;
	uint64_t turned = value ^ pmu->image;

	if (SMALL || pmu->image_of != reg || turned != first->mask || access->hit.width != reg->width)
		return false;
	if (first->place != APMU_PLACE_WORD || first->index != APMU_WORD_ENABLE || value & reg->act)
		return false;
	pmu->s.word[APMU_WORD_ENABLE] ^= 1;
	pmu->image = value;
	pmu->kept ^= turned;
	return true;
}

enum apmu_model__work apmu_model__fields_write(struct apmu *pmu, const struct apmu_model__access *access,
					       uint64_t value)
{
	const struct apmu_reg *reg = access->hit.reg;
	uint64_t shown = ~(uint64_t)0, news, reads;
	enum apmu_model__work work = APMU_MODEL__IDLE, this;

	if (turns_enable(pmu, access, value))
		return APMU_MODEL__SWITCHED;
	if (access->hit.width != reg->width) {
		shown = apmu_base__ones(access->hit.width) << access->hit.lo;
		value <<= access->hit.lo;
	}
	news = ((changed(pmu, access, value) & reg->rw) | (value & reg->act)) & shown;
	for (const struct apmu_step *step = reg->step, *end = step + reg->steps; news && step < end; step++) {
		if (!(step->mask & news) || !(step->views >> access->hit.view & 1))
			continue;
		news &= ~step->mask;
		reads = value & step->mask;
		if (!store(pmu, access, step, value, step->mask & shown)) {
			step_write(pmu, access, step, value, step->mask & shown);
			reads = !SMALL && pmu->image_of == reg ? step_read(pmu, access, step) : 0;
		}
		if (!SMALL && step->kind == APMU_KIND_RW)
			pmu->kept = (pmu->kept & ~step->mask) | reads;
		this = work_of(step);
		work = this > work ? this : work;
	}
	return work;
}

/* The action of PMNC.C and PMCR.C. */
void apmu_model__restart_cycles(struct apmu *pmu)
{
	pmu->s.counter[APMU_CYCLE_COUNTER] = 0;
	pmu->s.phase = 0; /* manual silent on the divider; see accuracy.md, divide by 64 */
}

void apmu_model__zero(struct apmu *pmu, uint64_t counters)
{
	for (uint64_t left = counters & pmu->exists; left; left &= left - 1)
		pmu->s.counter[apmu_base__lowest(left)] = 0;
}
