/* SPDX-License-Identifier: MIT */
#include "cli/common/l2c.h"

#include "cli/common/uarch_options.h"

#include <stdlib.h>
#include <string.h>

#define EVENT(event_number, event_name, event_signal, event_text)                                   \
	{                                                                                           \
		.number = (event_number), .name = (event_name), .text = (event_text), .signals = 1, \
		.signal = {APMU_SIG_##event_signal}, .erratum = 0xFF, .produced = APMU_MODELLED,    \
	}

#define PREFIX 5 /* "l210/", "l220/" */

/* AN195 9 names what the controller counts; the numbers are ours. */
static const struct apmu_event events[] = {
	EVENT(1, "l210/ir-req", L2C_IR_REQ, "instruction read requests"),
	EVENT(2, "l210/ir-hit", L2C_IR_HIT, "instruction read requests that hit"),
	EVENT(3, "l210/dr-req", L2C_DR_REQ, "data read requests"),
	EVENT(4, "l210/dr-hit", L2C_DR_HIT, "data read requests that hit"),
	EVENT(5, "l210/dw-req", L2C_DW_REQ, "data write requests, not write-through"),
	EVENT(6, "l210/dw-wt", L2C_DW_WT, "data write requests, write-through"),
	EVENT(7, "l210/dw-hit", L2C_DW_HIT, "data write requests that hit"),
};

/* Size and ways are synthesis options; these are i.MX31's, unverified. Latency and line buffers are our
 * choice. */
static const char parameters[] =
	"~l2.size=131072,~l2.ways=8,~l2.line=32,~l2.replace=random,~l2.inclusion=neither,~l2.write_allocate=1,~l2.latency=20,~l2.fill=8,~l2.line_buffers=2";

bool cli__l2c_named(const char *label)
{
	return strncmp(label, "l210/", PREFIX) == 0 || strncmp(label, "l220/", PREFIX) == 0;
}

const struct apmu_event *cli__l2c_event(const char *label)
{
	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		if (strcmp(events[i].name + PREFIX, label + PREFIX) == 0)
			return &events[i];
	return NULL;
}

const struct apmu_event *cli__l2c_event_at(size_t i)
{
	return i < sizeof events / sizeof events[0] ? &events[i] : NULL;
}

char *cli__l2c_names(void)
{
	char *names = cli__copy("");

	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
		char *longer = cli__format("%s%s%s", names, i ? " " : "", events[i].name);
		free(names);
		names = longer;
	}
	return names;
}

int cli__l2c_add(const struct cli__cli *cli, char **list, const char *name)
{
	if (strcmp(name, "l210") == 0 || strcmp(name, "l220") == 0) {
		cli__sets_add(list, parameters);
		return 0;
	}
	cli__message(cli, "--l2c '%s' is not l210 or l220", name);
	return CLI__EXIT_USAGE;
}
