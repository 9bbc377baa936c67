/* SPDX-License-Identifier: MIT */
/* What the machine does in the emulator's place, between its files. Included by machine_internal.h alone, at
 * its end.
 */
#ifndef APMU_MACHINE_SPECIAL_H
#define APMU_MACHINE_SPECIAL_H

/* special.c, sysreg.c: true if the instruction has been dealt with (the PC is where it has to be) */
void apmu__special(struct apmu_machine *m, struct apmu__code *c);
void apmu__vector_trap(struct apmu_machine *m, const struct apmu__code *c);
void apmu__call_up(struct apmu_machine *m, const struct apmu__code *c); /* HVC, SMC */
void apmu__illegal_state(struct apmu_machine *m, uint64_t pc);
uint32_t apmu__call_syndrome(const struct apmu__code *c); /* of an SVC or a breakpoint, on AArch64 */
void apmu__host_init(struct apmu_machine *m);
void apmu__host_free(struct apmu_machine *m);
void apmu__ask_host(struct apmu_machine *m, const struct apmu__code *c);
void apmu__ask_firmware(struct apmu_machine *m, const struct apmu__code *c);
void apmu__register_a32(struct apmu_machine *m, struct apmu__code *c);
void apmu__register_a64(struct apmu_machine *m, struct apmu__code *c);
bool apmu__owns_cp(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding);
void apmu__reset_identity(struct apmu_machine *m);
bool apmu__owns_sysreg(const struct apmu_machine *m, uint32_t encoding);

static inline uint32_t apmu__encoding_a64(uint32_t op) /* of MRS, MSR */
{
	return apmu_sysreg(2 + (op >> 19 & 1), op >> 16 & 7, op >> 12 & 15, op >> 8 & 15, op >> 5 & 7);
}

void apmu__machine_preload(const struct apmu_machine *m, const struct apmu__code *c); /* preload.c */

/* sve.c */
bool apmu__controls_sve(const struct apmu_machine *m, uint32_t encoding);
void apmu__tame_sve(struct apmu_machine *m, const struct apmu__code *c);

#endif
