/* SPDX-License-Identifier: MIT */
/* Parses "INST_RETIRED:u", "0x1B", "r1b:k", "cycles" to a want. */
#include "driver/device.h"

#define NAME_MAX 64 /* longest event name, with its terminating 0 */

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parses "0x1B" or perf's "r1b"; false if it is not a number or has more than 16 bits. */
static bool number(const char *text, uint16_t *out)
{
	uint32_t value = 0;
	const char *from = text;

	if (from[0] == '0' && (from[1] | 0x20) == 'x')
		from += 2;
	else if ((from[0] | 0x20) == 'r')
		from++;
	else
		return false;
	if (!*from)
		return false;
	for (; *from; from++) {
		if (digit(*from) < 0 || value > 0xFFF)
			return false;
		value = value << 4 | (uint32_t)digit(*from);
	}
	*out = (uint16_t)value;
	return true;
}

static int letter(char c, struct apmu_want *want)
{
	switch (c) {
	case 'u': want->levels |= APMU_AT_USER; break;
	case 'k': want->levels |= APMU_AT_KERNEL; break;
	case 'h': want->levels |= APMU_AT_HYP; break;
	case 'm': want->levels |= APMU_AT_MONITOR; break;
	case 's': want->worlds |= APMU_WORLD_SECURE; break;
	case 'n': want->worlds |= APMU_WORLD_NONSECURE; break;
	case 'r': want->worlds |= APMU_WORLD_REALM; break;
	case 'l': want->flags |= APMU_WANT_LONG; break;
	case 'f':
		want->counter = want->flags & APMU_WANT_CYCLES ? APMU_CYCLE_COUNTER : APMU_INSTR_COUNTER;
		break;
	default: return APMU_EINVAL;
	}
	return APMU_OK;
}

static bool is_cycles(const char *name)
{
	static const char cycles[] = "cycles";
	unsigned i = 0;

	while (cycles[i] && (name[i] | 0x20) == cycles[i])
		i++;
	return !cycles[i] && !name[i];
}

/* True if the row's event has the same number on this core. If the row is of another core, only architected
 * events do. */
static bool means_the_same(const struct apmu_dev *dev, const struct apmu_event *event)
{
	unsigned n = event->number;

	return dev->has.known || (dev->family->architected && (n < 0x40 || (n >= 0x4000 && n < 0x4040)));
}

static int named(const struct apmu_dev *dev, const char *name, struct apmu_want *want)
{
	const struct apmu_event *event = NULL;
	bool cycles = is_cycles(name);
	int bad = APMU_OK;

	if (!cycles && number(name, &want->event))
		return APMU_OK;
	if (!cycles)
		bad = dev->config->core ? apmu_event_name(dev->config->core, name, &event, &cycles)
					: APMU_ENOENT;
	if (cycles)
		want->flags |= APMU_WANT_CYCLES;
	else if (event && means_the_same(dev, event))
		want->event = event->number;
	else
		bad = APMU_ENOENT;
	return bad;
}

int apmu_want_parse(const struct apmu_dev *dev, const char *text, struct apmu_want *want)
{
	char name[NAME_MAX];
	unsigned n = 0;
	int bad;

	*want = (struct apmu_want){.counter = APMU_ANY_COUNTER};
	for (; *text && *text != ':'; text++) {
		if (n + 1 == NAME_MAX)
			return APMU_ENOENT;
		name[n++] = *text;
	}
	name[n] = '\0';
	bad = named(dev, name, want);
	if (*text == ':')
		while (!bad && *++text)
			bad = letter(*text, want);
	return bad;
}
