/* SPDX-License-Identifier: MIT */
/* What the machine does in the emulator's place, between its files. Included by machine_internal.h alone, at
 * its end.
 */
#ifndef APMU_MACHINE_SPECIAL_H
#define APMU_MACHINE_SPECIAL_H

/* special.c, sysreg.c: true if the instruction has been dealt with (the PC is where it has to be) */
void apmu_machine__special(struct apmu_machine *m, struct apmu_machine__code *c);
void apmu_machine__vector_trap(struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__call_up(struct apmu_machine *m, const struct apmu_machine__code *c); /* HVC, SMC */
void apmu_machine__illegal_state(struct apmu_machine *m, uint64_t pc);
uint32_t
apmu_machine__call_syndrome(const struct apmu_machine__code *c); /* of an SVC or a breakpoint, on AArch64 */
void apmu_machine__host_init(struct apmu_machine *m);
void apmu_machine__host_free(struct apmu_machine *m);
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

/* access_syndrome.c: ISV and what comes with it, of the instruction being executed */
uint32_t apmu_machine__access_syndrome(const struct apmu_machine *m);

/* sve.c */
bool apmu_machine__controls_sve(const struct apmu_machine *m, uint32_t encoding);
void apmu_machine__tame_sve(struct apmu_machine *m, const struct apmu_machine__code *c);

#endif
