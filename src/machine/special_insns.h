/* SPDX-License-Identifier: MIT */
/* Instructions that the machine executes in the emulator's place: special.c, host.c, sysreg.c, identity.c,
 * preload.c, access_syndrome.c, return32.c, sve.c. */
#ifndef APMU_MACHINE_SPECIAL_INSNS_H
#define APMU_MACHINE_SPECIAL_INSNS_H

#include "machine/machine_internal.h"

/* special.c, host.c, sysreg.c, identity.c */
void apmu_machine__special(struct apmu_machine *m, struct apmu_machine__code *c);
void apmu_machine__vector_trap(struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__call_up(struct apmu_machine *m, const struct apmu_machine__code *c); /* HVC, SMC */
void apmu_machine__illegal_state(struct apmu_machine *m, uint64_t pc);
uint32_t apmu_machine__call_syndrome(const struct apmu_machine__code *c);
void apmu_machine__host_init(struct apmu_machine *m);
void apmu_machine__host_free(struct apmu_machine *m);
bool apmu_machine__asks_host(const struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__ask_host(struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__ask_firmware(struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__register_a32(struct apmu_machine *m, struct apmu_machine__code *c);
void apmu_machine__register_a64(struct apmu_machine *m, struct apmu_machine__code *c);
bool apmu_machine__owns_cp(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding);
void apmu_machine__reset_identity(struct apmu_machine *m);
bool apmu_machine__owns_sysreg(const struct apmu_machine *m, uint32_t encoding);

static inline uint32_t apmu_machine__encoding_a64(uint32_t op) /* of MRS, MSR */
{
	return apmu_sysreg(2 + (op >> 19 & 1), op >> 16 & 7, op >> 12 & 15, op >> 8 & 15, op >> 5 & 7);
}

void apmu_machine__preload(const struct apmu_machine *m, const struct apmu_machine__code *c); /* preload.c */

/* access_syndrome.c. ISV and the fields that it makes valid, for the instruction being executed; 0: none */
uint32_t apmu_machine__access_syndrome(const struct apmu_machine *m);

/* return32.c. _returns32(): such an instruction is about to run. */
bool apmu_machine__is_return(const struct apmu_machine__code *c);
void apmu_machine__returns32(struct apmu_machine *m, const struct apmu_machine__code *c);

/* sve.c. _tamed(): the value that a write of `value` leaves. */
uint64_t apmu_machine__tamed(const struct apmu_machine *m, uint32_t encoding, uint64_t value);
bool apmu_machine__controls_sve(const struct apmu_machine *m, uint32_t encoding);
void apmu_machine__tame_sve(struct apmu_machine *m, const struct apmu_machine__code *c);

/* identity.c. Value that an identification register reads as; false: the emulator answers. */
bool apmu_machine__identity(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding,
			    uint64_t *value, enum apmu_outcome *outcome);
bool apmu_machine__is_identity(enum apmu_view view, uint32_t encoding);

#endif
