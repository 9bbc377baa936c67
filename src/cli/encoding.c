/* SPDX-License-Identifier: MIT */
#include "cli/encoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void apmu__encoding_text(char out[APMU__ENCODING], const struct apmu_encoding *at)
{
	unsigned a = at->encoding >> 16 & 0xFF, b = at->encoding >> 12 & 0xF, c = at->encoding >> 8 & 0xF;
	unsigned d = at->encoding >> 4 & 0xF, e = at->encoding & 0xF;

	switch (at->view) {
	case APMU_VIEW_CP: snprintf(out, APMU__ENCODING, "p%u,%u,c%u,c%u,%u", a, b, c, d, e); break;
	case APMU_VIEW_CP64: snprintf(out, APMU__ENCODING, "p%u,%u,c%u", a, b, d); break;
	case APMU_VIEW_A64: snprintf(out, APMU__ENCODING, "S%u_%u_C%u_C%u_%u", a, b, c, d, e); break;
	default: snprintf(out, APMU__ENCODING, "offset 0x%X", at->encoding); break;
	}
}

/* The next number, after a letter word if one is given ("c" of "c15"). Moves on over the separator. */
static bool take(const char **at, const char *letters, unsigned *out)
{
	size_t length = strlen(letters);
	char *end;
	unsigned long value;

	if (strncmp(*at, letters, length) != 0 || (*at)[length] < '0' || (*at)[length] > '9')
		return false;
	value = strtoul(*at + length, &end, 10);
	if (value > 15)
		return false;
	*out = (unsigned)value;
	*at = end + strspn(end, " ,\t");
	return end[0] == '\0' || *at != end; /* "c15x" is no number */
}

bool apmu__encoding_parse(const char *text, struct apmu_encoding *out)
{
	char lower[64] = "";
	const char *at = lower;
	unsigned cp, opc1, crn, crm, opc2 = 0, rt;
	size_t i = 0;

	for (; text[i] != '\0' && i + 1 < sizeof lower; i++)
		lower[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
	lower[i] = '\0';
	if (text[i] != '\0')
		return false;
	if (strncmp(at, "mrc ", 4) == 0 || strncmp(at, "mcr ", 4) == 0)
		at += 4 + strspn(at + 4, " ");
	if ((!take(&at, "cp", &cp) && !take(&at, "p", &cp)) || !take(&at, "", &opc1))
		return false;
	take(&at, "r", &rt);
	if (!take(&at, "c", &crn) || !take(&at, "c", &crm) || (*at != '\0' && !take(&at, "", &opc2)) ||
	    *at != '\0')
		return false;
	out->view = APMU_VIEW_CP;
	out->encoding = apmu_cp(cp, opc1, crn, crm, opc2);
	return true;
}
