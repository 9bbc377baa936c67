/* SPDX-License-Identifier: MIT */
/* Preloads: libunicorn does nothing for them; the event sources get the address here. */
#include "isa/preload.h"
#include "machine/linux_process.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/translation.h"
#include "machine/views.h"

static uint64_t value_of(const struct apmu_machine *m, const struct apmu_isa__preload *p, unsigned n,
			 bool base)
{
	uint64_t value = 0;

	if (n == APMU_ISA__NO_REGISTER)
		return 0;
	if (!p->wide || n != 31)
		return apmu_machine__reg(m, n);
	if (base)
		uc_reg_read(m->uc, UC_ARM64_REG_SP, &value);
	return value;
}

static bool is_there(const struct apmu_machine *m, uint64_t address)
{
	uint64_t physical;

	return apmu_machine__physical_of(m, address, &physical) && apmu_machine__host(m, physical, 1) &&
	       (!m->process || apmu_machine__process_has(m, physical, 1));
}

/* Passes a preload on. One without a translation, or of what is not RAM, is dropped, as the core does. */
void apmu_machine__preload(const struct apmu_machine *m, const struct apmu_machine__code *c)
{
	struct apmu_isa__preload p;
	uint64_t address;

	if (!m->run || !apmu_isa__preload_decode((enum apmu_isa__isa)c->isa, c->address, c->opcode, &p) ||
	    !p.data)
		return;
	address =
		apmu_isa__preload_address(&p, value_of(m, &p, p.base, true), value_of(m, &p, p.index, false));
	if (is_there(m, address))
		apmu_uarch_preload(m->uarch, m->run->block, m->step, address, p.store);
}
