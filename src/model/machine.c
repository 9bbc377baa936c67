/* SPDX-License-Identifier: MIT */
/* Armv7 and PMUv3: reset values, and the state outside the PMU that the host sets. */
#include "model/model.h"

#include "base/memory.h"

#define MTPME 28

/* Finds the bits of type[] that exist: those that fields show. */
static void find_type_masks(struct apmu *pmu)
{
	for (size_t r = 0; r < pmu->core->bank->regs; r++) {
		const struct apmu_reg *reg = pmu->core->bank->reg[r];

		for (unsigned f = 0; apmu_reg_exists(pmu->core, reg) && f < reg->fields; f++) {
			const struct apmu_field *field = &reg->field[f];
			unsigned i = field->place.index, which = i == APMU_CYCLE_COUNTER   ? 1
								 : i == APMU_INSTR_COUNTER ? 2
											   : 0;

			if (field->place.kind == APMU_PLACE_TYPE &&
			    apmu_field_kind(field, pmu->core->features) == APMU_KIND_RW)
				pmu->type_mask[which] |= apmu_base__ones(field->hi - field->lo + 1u)
							 << field->place.lsb;
		}
	}
	if (pmu->core->threshold_bits && pmu->core->threshold_bits < 12)
		pmu->type_mask[0] &= ~(apmu_base__ones(12u - pmu->core->threshold_bits)
				       << (32 + pmu->core->threshold_bits));
}

/* Sets the fields that are RES1 in this core (PMCR.LC without AArch32). */
static void set_res1(struct apmu *pmu)
{
	for (size_t r = 0; r < pmu->core->bank->regs; r++) {
		const struct apmu_reg *reg = pmu->core->bank->reg[r];

		for (unsigned f = 0; f < reg->fields; f++)
			if (reg->field[f].place.kind == APMU_PLACE_WORD &&
			    apmu_field_kind(&reg->field[f], pmu->core->features) == APMU_KIND_RES1)
				pmu->s.word[reg->field[f].place.index] |=
					apmu_base__bit(reg->field[f].place.lsb);
	}
}

/* A core without AArch64 uses AArch32 at every level. */
static uint8_t fixed_aarch32(const struct apmu_core *core)
{
	return apmu_model__has(core, APMU_FEATURE_A64) ? 0 : 0xF;
}

/* PMUV3SHEET 1.4: the values that reset defines; the rest is 0 here (accuracy.md, reset). */
void apmu_model__reset_words(struct apmu *pmu)
{
	const struct apmu_core *core = pmu->core;

	if (!pmu->type_mask[1])
		find_type_masks(pmu);
	set_res1(pmu);
	pmu->s.aarch32 |= fixed_aarch32(core);
	if (apmu_model__has(core, APMU_FEATURE_EL2))
		pmu->s.word[APMU_WORD_MDCR_EL2] =
			core->counters | (uint64_t)apmu_model__has(core, APMU_FEATURE_MTPMU_EL2) << MTPME;
	if (apmu_model__has(core, APMU_FEATURE_EL3) && apmu_model__has(core, APMU_FEATURE_MTPMU))
		pmu->s.word[APMU_WORD_MDCR_EL3] = apmu_base__bit(MTPME);
	if (apmu_model__has(core, APMU_FEATURE_EXTPMN))
		pmu->s.word[APMU_WORD_PMCCR] = core->counters;
	pmu->s.word[APMU_WORD_NOCAPTURE] = apmu_model__has(core, APMU_FEATURE_SS);
	pmu->s.word[APMU_WORD_SLK] = apmu_model__has(core, APMU_FEATURE_EXT32);
}

/* The members of struct apmu_machine_state that are control words. */
static const struct {
	uint8_t word; /* enum apmu_word */
	uint16_t member;
} mirror[] = {
	{APMU_WORD_MDCR_EL2, offsetof(struct apmu_machine_state, mdcr_el2)},
	{APMU_WORD_MDCR_EL3, offsetof(struct apmu_machine_state, mdcr_el3)},
	{APMU_WORD_HDFGRTR, offsetof(struct apmu_machine_state, hdfgrtr_el2)},
	{APMU_WORD_HDFGWTR, offsetof(struct apmu_machine_state, hdfgwtr_el2)},
	{APMU_WORD_HDFGRTR2, offsetof(struct apmu_machine_state, hdfgrtr2_el2)},
	{APMU_WORD_HDFGWTR2, offsetof(struct apmu_machine_state, hdfgwtr2_el2)},
	{APMU_WORD_MPIDR, offsetof(struct apmu_machine_state, mpidr)},
};

/* For snapshots: the host may have mirrored any value of these. */
void apmu_model__mirrored(const struct apmu *pmu, struct apmu_state *most)
{
	for (size_t i = 0; i < sizeof mirror / sizeof *mirror; i++)
		most->word[mirror[i].word] = ~(uint64_t)0;
	most->word[APMU_WORD_SUIDEN] = most->word[APMU_WORD_SUNIDEN] = 1;
	most->hcr_el2 = most->scr_el3 = most->hstr_el2 = ~(uint64_t)0;
	most->met = apmu_base__ones(pmu->core->counters);
}

/* For snapshots: fields that are RES1 in this core are 1, and so on. */
bool apmu_model__fixed(const struct apmu *pmu, const struct apmu_state *s)
{
	for (size_t r = 0; r < pmu->core->bank->regs; r++) {
		const struct apmu_reg *reg = pmu->core->bank->reg[r];

		for (unsigned f = 0; f < reg->fields; f++)
			if (reg->field[f].place.kind == APMU_PLACE_WORD &&
			    apmu_field_kind(&reg->field[f], pmu->core->features) == APMU_KIND_RES1 &&
			    !apmu_base__is_set(s->word[reg->field[f].place.index], reg->field[f].place.lsb))
				return false;
	}
	return (s->aarch32 & fixed_aarch32(pmu->core)) == fixed_aarch32(pmu->core) &&
	       (!s->profiling_pending || apmu_model__has(pmu->core, APMU_FEATURE_SEBEP));
}

void apmu_machine_set(struct apmu *pmu, const struct apmu_machine_state *machine)
{
	struct apmu_state *s = &pmu->s;

	apmu_advance(pmu);
	pmu->image_of = NULL;
	for (size_t i = 0; i < sizeof mirror / sizeof *mirror; i++)
		memcpy(&s->word[mirror[i].word], (const char *)machine + mirror[i].member, sizeof *s->word);
	s->hcr_el2 = machine->hcr_el2;
	s->scr_el3 = machine->scr_el3;
	s->hstr_el2 = machine->hstr_el2;
	s->word[APMU_WORD_SUIDEN] = machine->sder & 1;
	s->word[APMU_WORD_SUNIDEN] = machine->sder >> 1 & 1;
	s->aarch32 = fixed_aarch32(pmu->core) | (machine->aarch32 & 0xF);
	s->streaming = machine->streaming;
	s->profiling_masked = machine->profiling_masked;
	s->spe_stopped = machine->spe_stopped;
	s->edscr_sdd = machine->edscr_sdd;
	s->os_lock = machine->os_lock;
	s->double_lock = machine->double_lock;
	s->powered_off = machine->powered_off;
	s->profiling_pending = machine->profiling_pending && apmu_model__has(pmu->core, APMU_FEATURE_SEBEP);
	s->edecr_pme = machine->edecr_pme;
	s->brbe_fzp1 = machine->brbe_fzp1;
	s->brbe_fzp2 = machine->brbe_fzp2;
	apmu_model__change(pmu);
}

void apmu_machine_get(const struct apmu *pmu, struct apmu_machine_state *out)
{
	const struct apmu_state *s = &pmu->s;

	*out = (struct apmu_machine_state){
		.hcr_el2 = s->hcr_el2,
		.scr_el3 = s->scr_el3,
		.hstr_el2 = s->hstr_el2,
		.sder = s->word[APMU_WORD_SUIDEN] | s->word[APMU_WORD_SUNIDEN] << 1,
		.aarch32 = s->aarch32,
		.streaming = s->streaming,
		.profiling_masked = s->profiling_masked,
		.spe_stopped = s->spe_stopped,
		.edscr_sdd = s->edscr_sdd,
		.os_lock = s->os_lock,
		.double_lock = s->double_lock,
		.powered_off = s->powered_off,
		.profiling_pending = s->profiling_pending,
		.edecr_pme = s->edecr_pme,
		.brbe_fzp1 = s->brbe_fzp1,
		.brbe_fzp2 = s->brbe_fzp2,
	};
	for (size_t i = 0; i < sizeof mirror / sizeof *mirror; i++)
		memcpy((char *)out + mirror[i].member, &s->word[mirror[i].word], sizeof *s->word);
}
