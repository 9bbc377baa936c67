/* SPDX-License-Identifier: MIT */
/*
 * .ARM.attributes (ADDENDA32 2.1): 'A', then vendors' subsections; "aeabi" has sub-subsections, of which the
 * one for the whole file contains pairs of a tag and a value. The file may be malformed: each length is
 * checked against the bytes that are left.
 */
#include "isa/attributes.h"

#include <gelf.h>
#include <stdbool.h>
#include <string.h>

enum { TAG_FILE = 1, TAG_CPU_RAW_NAME = 4, TAG_CPU_NAME = 5, TAG_CPU_ARCH = 6, TAG_COMPATIBILITY = 32 };

struct bytes {
	const uint8_t *at;
	size_t left;
};

static bool take(struct bytes *from, size_t n, struct bytes *out)
{
	if (n > from->left)
		return false;
	*out = (struct bytes){from->at, n};
	from->at += n;
	from->left -= n;
	return true;
}

static bool take_number(struct bytes *from, uint64_t *out)
{
	struct bytes byte;

	*out = 0;
	for (unsigned shift = 0; shift < 63 && take(from, 1, &byte); shift += 7) {
		*out |= (uint64_t)(*byte.at & 0x7F) << shift;
		if (*byte.at < 0x80)
			return true;
	}
	return false;
}

static bool take_text(struct bytes *from, struct bytes *out)
{
	const uint8_t *end = from->left ? memchr(from->at, '\0', from->left) : NULL;

	return end && take(from, (size_t)(end - from->at) + 1, out);
}

/* Takes a subsection; its length counts the length field and the `before` bytes in front of it. */
static bool take_section(struct bytes *from, size_t before, struct bytes *out)
{
	struct bytes word;

	if (!take(from, 4, &word))
		return false;
	size_t size =
		word.at[0] | (size_t)word.at[1] << 8 | (size_t)word.at[2] << 16 | (size_t)word.at[3] << 24;
	return size >= before + 4 && take(from, size - before - 4, out);
}

/* Tags 4 and 5, and odd tags above 32, have a text as value; tag 32 has a number and a text. */
static bool skip_value(struct bytes *from, uint64_t tag)
{
	struct bytes text;
	uint64_t number;
	bool both = tag == TAG_COMPATIBILITY;
	bool is_text = tag == TAG_CPU_RAW_NAME || tag == TAG_CPU_NAME || (tag > TAG_COMPATIBILITY && tag & 1);

	return (!is_text || take_text(from, &text)) && (is_text || take_number(from, &number)) &&
	       (!both || take_text(from, &text));
}

static uint8_t arch_of_file(struct bytes values)
{
	uint64_t tag, value;

	while (take_number(&values, &tag)) {
		if (tag == TAG_CPU_ARCH)
			return take_number(&values, &value) && value <= UINT8_MAX ? (uint8_t)value : 0;
		if (!skip_value(&values, tag))
			return 0;
	}
	return 0;
}

static uint8_t arch_of(struct bytes from)
{
	struct bytes vendor, name, part, kind, version;

	if (!take(&from, 1, &version) || *version.at != 'A')
		return 0;
	while (take_section(&from, 0, &vendor)) {
		if (!take_text(&vendor, &name) || strcmp((const char *)name.at, "aeabi") != 0)
			continue;
		while (take(&vendor, 1, &kind) && take_section(&vendor, 1, &part))
			if (*kind.at == TAG_FILE)
				return arch_of_file(part);
	}
	return 0;
}

uint8_t apmu_isa__attributes_arch(Elf *elf)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_ARM_ATTRIBUTES)
			continue;
		Elf_Data *data = elf_rawdata(section, NULL);
		return data && data->d_buf ? arch_of((struct bytes){data->d_buf, data->d_size}) : 0;
	}
	return 0;
}
