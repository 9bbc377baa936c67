/* SPDX-License-Identifier: MIT */
/**
 * Registers as rows: where a register can be reached, who may, and where each field's bits live.
 *
 * Rows are generated from spec/regs. A field binds bits of a register to a *place* in the state
 * (see place.h); reading or writing a register is reading or writing the places of its fields.
 * Freestanding, constant data.
 */
#ifndef APMU_REG_H
#define APMU_REG_H

#include <apmu/place.h>
#include <apmu/types.h>

/* What a read returns and a write does. The whole vocabulary; src/model/field.c is its meaning. */
enum apmu_kind {
	APMU_KIND_RW,    /* reads the place, writes the place */
	APMU_KIND_RO,    /* reads the place, write ignored */
	APMU_KIND_WO,    /* reads 0, writes the place */
	APMU_KIND_W1C,   /* reads the place, writing 1 clears, 0 has no effect */
	APMU_KIND_W1S,   /* reads the place, writing 1 sets, 0 has no effect */
	APMU_KIND_DO,    /* reads 0, writing 1 does what the place names, 0 has no effect */
	APMU_KIND_CONST, /* reads a constant of the row, write ignored */
	APMU_KIND_UNP,   /* reserved: unpredictable on read (this model: 0), should be written 0 */
	APMU_KIND_RES0   /* reserved: reads 0, write ignored */
};

/* Who may make an access at a level. */
enum apmu_right {
	APMU_RIGHT_NONE,        /* Undefined */
	APMU_RIGHT_RW,          /* always */
	APMU_RIGHT_RO,          /* reads only */
	APMU_RIGHT_USER_VALID,  /* ARM1176: if SUNAVCR.V is 1 */
	APMU_RIGHT_SECURE,      /* Secure state only */
	APMU_RIGHT_SECURE_LOCK, /* Secure state only; writes Undefined while CP15SDISABLE is high */
	APMU_RIGHTS
};

struct apmu_field {
	const char *name; /* the manual's name; "-" for reserved bits */
	const char *aka;  /* a second name that the API accepts, or NULL */
	const char *text; /* NULL in builds with APMU_NO_TEXT */
	uint8_t hi, lo;   /* bits of the register, inclusive */
	uint8_t kind;     /* enum apmu_kind */
	uint8_t feature;  /* bit of the core's features that the field needs, or 0xFF. Absent: kind_else */
	uint8_t kind_else;
	struct apmu_place place;
	uint64_t constant; /* APMU_KIND_CONST */
};

struct apmu_encoding {
	uint8_t view; /* enum apmu_view */
	uint32_t encoding;
};

struct apmu_reg {
	const char *name;
	const char *aka; /* a second name, or NULL */
	const char *title;
	const char *src;                /* document and section, keyed as spec/sources.txt */
	const struct apmu_encoding *at; /* every way to reach it */
	const struct apmu_field *field; /* from the top bit down, every bit once */
	uint8_t encodings;
	uint8_t fields;
	uint8_t width;    /* 32 or 64 */
	uint8_t right[4]; /* enum apmu_right by exception level */
	uint8_t feature;  /* bit of the core's features that the register needs, or 0xFF */
};

/* A field of a decoded value. */
struct apmu_field_value {
	const struct apmu_field *field;
	uint64_t value;
	enum apmu_kind kind; /* what the field is with these features */
};

/* A field's kind where `features` are present: kind, or kind_else if it needs one that is not there. */
static inline enum apmu_kind apmu_field_kind(const struct apmu_field *field, uint64_t features)
{
	if (field->feature == 0xFF || (features >> field->feature & 1))
		return (enum apmu_kind)field->kind;
	return (enum apmu_kind)field->kind_else;
}

/* Splits `value` into the fields of `reg` as `features` has them; returns how many there are, writes at
 * most `max`. Reserved fields included. */
size_t apmu_reg_decode(const struct apmu_reg *reg, uint64_t features, uint64_t value,
		       struct apmu_field_value *out, size_t max);

/* Finds a field by name or second name, any case; NULL if none. */
const struct apmu_field *apmu_reg_field(const struct apmu_reg *reg, const char *name);

/* Largest value a field can hold. */
uint64_t apmu_field_max(const struct apmu_field *field);

/* Puts `value` into the bits of `field` in `word`; bits beyond the field are dropped. */
uint64_t apmu_field_put(const struct apmu_field *field, uint64_t word, uint64_t value);

#endif
