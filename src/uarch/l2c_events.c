/* SPDX-License-Identifier: MIT */
/*
 * What an L210 adds to a plain L2: its own events, and line buffers at its slave ports. A read of a
 * line that the port still holds is no request (AN195 9), so the core's misses exceed the controller's
 * requests.
 */
#include "uarch/lower_levels.h"

static struct apmu_uarch__port *port_of(struct apmu_uarch *u, enum apmu_uarch__request request)
{
	return &u->port[request != APMU_UARCH__REQUEST_CODE];
}

bool apmu_uarch__l2c_buffered(struct apmu_uarch *u, uint64_t line, enum apmu_uarch__request request)
{
	struct apmu_uarch__port *port = port_of(u, request);
	unsigned lines = u->p.l2.line_buffers;
	for (unsigned k = 0; k < lines; k++)
		if (port->line[k] == line + 1)
			return true;
	if (lines == 0)
		return false;
	port->line[port->next] = line + 1;
	port->next = (uint8_t)((port->next + 1u) % lines);
	return false;
}

void apmu_uarch__l2c_read(struct apmu_uarch *u, enum apmu_uarch__request request, bool hit)
{
	bool code = request == APMU_UARCH__REQUEST_CODE;
	u->n[code ? APMU_SIG_L2C_IR_REQ : APMU_SIG_L2C_DR_REQ]++;
	u->n[code ? APMU_SIG_L2C_IR_HIT : APMU_SIG_L2C_DR_HIT] += hit;
}

/* A line that is written leaves the line buffers of both ports. */
void apmu_uarch__l2c_write(struct apmu_uarch *u, uint64_t line, bool through, bool hit)
{
	for (unsigned k = 0; k < APMU_UARCH__PORT_LINES; k++)
		for (unsigned side = 0; side < 2; side++)
			if (u->port[side].line[k] == line + 1)
				u->port[side].line[k] = 0;
	u->n[through ? APMU_SIG_L2C_DW_WT : APMU_SIG_L2C_DW_REQ]++;
	u->n[APMU_SIG_L2C_DW_HIT] += hit;
}
