/* SPDX-License-Identifier: MIT */
#include "cli/common/register_encoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Formats CRm and op2, which may together encode a counter n. */
static void low_text(char out[16], const struct apmu_encoding *at, const char *glue)
{
	unsigned crm = at->encoding >> 4 & 0xF, op2 = at->encoding & 0xF;

	if (at->form == APMU_FORM_CRM)
		snprintf(out, 16, "%u+n/8%sn%%8", crm, glue);
	else
		snprintf(out, 16, "%u%s%u", crm, glue, op2);
}

static void offset_text(char out[CLI__ENCODING], const struct apmu_encoding *at)
{
	char stride[8] = "", part[16] = "";

	if (at->form == APMU_FORM_STRIDE)
		snprintf(stride, sizeof stride, "+%un", at->stride);
	if (at->lo != 0)
		snprintf(part, sizeof part, " (%u:%u)", at->lo + at->width - 1u, at->lo);
	snprintf(out, CLI__ENCODING, "offset 0x%03X%s%s", at->encoding, stride, part);
}

void cli__encoding_text(char out[CLI__ENCODING], const struct apmu_encoding *at)
{
	unsigned a = at->encoding >> 16 & 0xFF, b = at->encoding >> 12 & 0xF, c = at->encoding >> 8 & 0xF;
	char low[16];

	low_text(low, at, at->view == APMU_VIEW_A64 ? "_" : ",");
	switch (at->view) {
	case APMU_VIEW_CP: snprintf(out, CLI__ENCODING, "p%u,%u,c%u,c%s", a, b, c, low); break;
	case APMU_VIEW_CP64: snprintf(out, CLI__ENCODING, "p%u,%u,c%u", a, b, at->encoding >> 4 & 0xF); break;
	case APMU_VIEW_A64: snprintf(out, CLI__ENCODING, "S%u_%u_C%u_C%s", a, b, c, low); break;
	default: offset_text(out, at); break;
	}
}

/* Takes the next number, 0 to 15, after the given letters ("c" of "c15"), and skips the separator behind
 * it. */
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
	*at = end + strspn(end, " ,_\t");
	return end[0] == '\0' || *at != end; /* "c15x" is no number */
}

static bool parse_sysreg(const char *at, struct apmu_encoding *out)
{
	unsigned op0, op1, crn, crm, op2;

	if (!take(&at, "s", &op0) || !take(&at, "", &op1) || !take(&at, "c", &crn) || !take(&at, "c", &crm) ||
	    !take(&at, "", &op2) || *at != '\0')
		return false;
	*out = (struct apmu_encoding){.view = APMU_VIEW_A64};
	out->encoding = apmu_sysreg(op0, op1, crn, crm, op2);
	return true;
}

static bool parse_offset(const char *at, struct apmu_encoding *out)
{
	char *end;
	unsigned long value;

	if (strncmp(at, "offset ", 7) == 0)
		at += 7;
	if (strncmp(at, "0x", 2) != 0)
		return false;
	value = strtoul(at, &end, 16);
	if (end == at || *end != '\0' || value > 0xFFF)
		return false;
	*out = (struct apmu_encoding){.view = APMU_VIEW_MMIO, .encoding = (uint32_t)value};
	return true;
}

/* MRC and MCR have five numbers, of which the last may be left out; MRRC and MCRR three. */
static bool parse_coprocessor(const char *at, struct apmu_encoding *out)
{
	unsigned cp, opc1, crn, crm, opc2 = 0, rt;

	if (at[0] == 'm' && (at[1] == 'r' || at[1] == 'c')) /* MRC, MCR, MRRC, MCRR */
		at = strchr(at, ' ') != NULL ? strchr(at, ' ') + 1 : at;
	if ((!take(&at, "cp", &cp) && !take(&at, "p", &cp)) || !take(&at, "", &opc1))
		return false;
	while (take(&at, "r", &rt))
		continue;
	if (!take(&at, "c", &crn))
		return false;
	*out = (struct apmu_encoding){.view = APMU_VIEW_CP64, .encoding = apmu_cp64(cp, opc1, crn)};
	if (*at == '\0')
		return true;
	if (!take(&at, "c", &crm) || (*at != '\0' && !take(&at, "", &opc2)) || *at != '\0')
		return false;
	*out = (struct apmu_encoding){.view = APMU_VIEW_CP, .encoding = apmu_cp(cp, opc1, crn, crm, opc2)};
	return true;
}

bool cli__encoding_parse(const char *text, struct apmu_encoding *out)
{
	char lower[64] = "";
	size_t i = 0;

	for (; text[i] != '\0' && i + 1 < sizeof lower; i++)
		lower[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
	lower[i] = '\0';
	if (text[i] != '\0')
		return false;
	return parse_coprocessor(lower, out) || parse_sysreg(lower, out) || parse_offset(lower, out);
}
