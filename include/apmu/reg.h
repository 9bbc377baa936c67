/* SPDX-License-Identifier: MIT */
/**
 * Registers as rows: the encodings that reach a register, who may access it, and where each field's bits
 * live.
 *
 * Rows are generated from spec/regs. A field binds bits of a register to a *place* in the state (see
 * place.h); reading or writing a register is reading or writing the places of its fields. Freestanding,
 * constant data.
 */
#ifndef APMU_REG_H
#define APMU_REG_H

#include <apmu/place.h>
#include <apmu/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a read of a field returns and what a write of it does. src/model/field.c implements all kinds. */
enum apmu_kind {
	APMU_KIND_RW,     /* reads the place, writes the place */
	APMU_KIND_RO,     /* reads the place, write ignored */
	APMU_KIND_WO,     /* reads 0, writes the place */
	APMU_KIND_W1C,    /* reads the place, writing 1 clears, 0 has no effect */
	APMU_KIND_W1S,    /* reads the place, writing 1 sets, 0 has no effect */
	APMU_KIND_DO,     /* reads 0, writing 1 does what the place names, 0 has no effect */
	APMU_KIND_CONST,  /* reads a constant of the row, write ignored */
	APMU_KIND_UNP,    /* reserved: unpredictable on read (this model: 0), should be written 0 */
	APMU_KIND_RES0,   /* reserved: reads 0, write ignored */
	APMU_KIND_RES1,   /* reserved: reads 1, write ignored */
	APMU_KIND_RAO_W1S /* reads all ones, writing 1 sets (claim tags) */
};

/* Who may access a register at an exception level. */
enum apmu_right {
	APMU_RIGHT_NONE,        /* Undefined */
	APMU_RIGHT_RW,          /* always */
	APMU_RIGHT_RO,          /* reads only */
	APMU_RIGHT_USER_VALID,  /* ARM1176: if SUNAVCR.V is 1 */
	APMU_RIGHT_SECURE,      /* Secure state only */
	APMU_RIGHT_SECURE_LOCK, /* Secure state only; writes Undefined while CP15SDISABLE is high */
	APMU_RIGHTS
};

/* Sets of views that show a field. In all other views the field reads 0 and a write does not change it. */
#define APMU_IN_ALL  0xFF
#define APMU_IN_SYS  (1u << APMU_VIEW_CP | 1u << APMU_VIEW_CP64 | 1u << APMU_VIEW_A64)
#define APMU_IN_WIDE (1u << APMU_VIEW_A64 | 1u << APMU_VIEW_MMIO | 1u << APMU_VIEW_MMIO64)

struct apmu_field {
	const char *name; /* the manual's name; "-" for reserved bits */
	const char *aka;  /* a second name that the API accepts, or NULL */
	const char *text; /* NULL in builds with APMU_NO_TEXT */
	uint8_t hi, lo;   /* bits of the register, inclusive */
	uint8_t kind;     /* enum apmu_kind */
	uint8_t feature; /* bit of the core's features that the field needs, or 0xFF; without it: kind_else */
	uint8_t kind_else;
	uint8_t views; /* bit v: view v (enum apmu_view) shows the field; APMU_IN_... */
	struct apmu_place place;
	uint16_t constant; /* APMU_KIND_CONST */
};

/* How an encoding names a counter. */
enum apmu_form {
	APMU_FORM_ONE,   /* no counter */
	APMU_FORM_CRM,   /* n is CRm[1:0]:op2 */
	APMU_FORM_STRIDE /* n is the distance from counter 0's offset, divided by the stride */
};

struct apmu_encoding {
	uint8_t view;      /* enum apmu_view */
	uint8_t form;      /* enum apmu_form */
	uint8_t stride;    /* bytes, for APMU_FORM_STRIDE */
	uint8_t lo;        /* lowest bit of the register that the view shows */
	uint8_t width;     /* number of bits that the view shows */
	uint8_t feature;   /* bit of the core's features that the view needs, or 0xFF */
	uint32_t encoding; /* of counter 0 */
};

/* Returns the encoding of counter n's register; APMU_FORM_ONE ignores n. */
static inline uint32_t apmu_encoding_for(const struct apmu_encoding *at, unsigned n)
{
	switch ((enum apmu_form)at->form) {
	case APMU_FORM_CRM: return at->encoding + (n >> 3 << 4 | (n & 7));
	case APMU_FORM_STRIDE: return at->encoding + n * at->stride;
	case APMU_FORM_ONE: break;
	}
	return at->encoding;
}

/* The directions in which a register can be accessed. */
enum apmu_way { APMU_WAY_RW, APMU_WAY_RO, APMU_WAY_WO, APMU_WAY_WO_RAZ };

/* When EL0 may access a register: if PMUSERENR has at least one bit of `any` and no bit of `none`. `any` 0:
 * never; with bit 7: always. */
struct apmu_user {
	uint8_t any, none;
};

/* The controls that may trap an access (PMUV3SHEET 3.2). */
enum apmu_gate { APMU_GATE_NONE, APMU_GATE_TPM, APMU_GATE_ENPM2, APMU_GATE_ENPMSS };
enum apmu_indexed { APMU_INDEXED_NOT, APMU_INDEXED_THIS, APMU_INDEXED_SELECTED, APMU_INDEXED_SELECTED_TYPE };

struct apmu_trap {
	uint8_t read, write; /* bit numbers in HDFGRTR and HDFGWTR; 0xFF: none */
	bool second;         /* the bits are those of HDFGRTR2 and HDFGWTR2, where 0 traps */
	bool tpmcr;          /* MDCR_EL2.TPMCR applies */
	uint8_t gate;        /* enum apmu_gate */
	uint8_t indexed;     /* enum apmu_indexed: the counter that the range checks use */
};

/* Fields of a register that have one kind and lie at one shift from their bits in one word of the state: the
 * model reads or writes them together. */
struct apmu_step {
	uint64_t mask; /* bits of the register */
	uint8_t kind;  /* enum apmu_kind; kind_else without the feature */
	uint8_t kind_else;
	uint8_t feature;
	uint8_t views; /* as in struct apmu_field */
	uint8_t place; /* enum apmu_place_kind */
	uint8_t index; /* as in struct apmu_place; 0 where the bits of a mask stand for counters */
	int8_t shift;  /* a bit's position in the word minus its position in the register */
};

struct apmu_reg {
	const char *name;
	const char *aka, *aka2; /* other names, or NULL */
	const char *title;
	const char *src;                /* document and section, keyed as spec/sources.txt */
	const struct apmu_encoding *at; /* every encoding that reaches the register */
	const struct apmu_field *field; /* from the top bit down; every bit belongs to one field */
	const struct apmu_step *step;   /* ordered by kind: rw first, do last */
	uint64_t constant;              /* value of the bits that are constant */
	uint64_t rw, act;               /* bits that a write stores; bits that act when 1 is written */
	uint8_t steps;
	uint8_t kept; /* number of steps of kind rw, which come first */
	bool easy;    /* only the gate can stop an access from above EL0 */
	bool steady;  /* the rw bits read as they were last written, at every level */
	uint8_t encodings;
	uint8_t fields;
	uint8_t width;    /* 32 or 64 */
	uint8_t right[4]; /* enum apmu_right by exception level, for cores with the `plain` access rule */
	uint8_t way; /* enum apmu_way; this and the rest are for cores with the `v7` or `v8` access rule */
	uint8_t min_el;
	bool secure;     /* Secure state only */
	uint8_t user_ro; /* bit of PMUSERENR that, while UEN is 1, makes it read-only at EL0, or 0xFF */
	struct apmu_user user_read, user_write;
	struct apmu_trap trap;
	uint8_t feature; /* bit of the core's features that the register needs, or 0xFF */
};

/* A field of a decoded value. */
struct apmu_field_value {
	const struct apmu_field *field;
	uint64_t value;
	enum apmu_kind kind; /* the field's kind with the given features */
};

/* Returns a field's kind on a core with `features`: kind, or kind_else if the field needs a feature that is
 * absent. */
static inline enum apmu_kind apmu_field_kind(const struct apmu_field *field, uint64_t features)
{
	if (field->feature == 0xFF || (features >> field->feature & 1))
		return (enum apmu_kind)field->kind;
	return (enum apmu_kind)field->kind_else;
}

/* Splits `value` into the fields of `reg`, with their kinds on a core with `features`. Writes at most `max`
 * elements; returns the number of fields, reserved ones included. */
size_t apmu_reg_decode(const struct apmu_reg *reg, uint64_t features, uint64_t value,
		       struct apmu_field_value *out, size_t max);

/* Finds a field by name or second name, in any case; NULL if there is none. */
const struct apmu_field *apmu_reg_field(const struct apmu_reg *reg, const char *name);

/* Returns the largest value that a field can hold. */
uint64_t apmu_field_max(const struct apmu_field *field);

/* Returns `word` with the bits of `field` set to `value`; bits of `value` beyond the field are dropped. */
uint64_t apmu_field_put(const struct apmu_field *field, uint64_t word, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
