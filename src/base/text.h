/* SPDX-License-Identifier: MIT */
/**
 * Text from files and command lines that is written to a terminal or to another program.
 */
#ifndef APMU_BASE_TEXT_H
#define APMU_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the bytes of the UTF-8 character at `at`, and the character; 0: there is none (RFC 3629: no
 * overlong forms, no surrogates, nothing above U+10FFFF). Never reads past the end of the string. */
static inline unsigned apmu_base__utf8(const char *at, uint32_t *character)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *byte = (const unsigned char *)at;
	unsigned n = byte[0] < 0x80             ? 1
		     : (byte[0] & 0xE0) == 0xC0 ? 2
		     : (byte[0] & 0xF0) == 0xE0 ? 3
		     : (byte[0] & 0xF8) == 0xF0 ? 4
						: 0;
	uint32_t c = n == 1 ? byte[0] : byte[0] & (0x7Fu >> n);

	for (unsigned i = 1; i < n; i++) {
		if ((byte[i] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (byte[i] & 0x3F);
	}
	*character = c;
	return n && c >= least[n] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF) ? n : 0;
}

/* True for characters that control a terminal or the order in which text is displayed: C0, DEL, C1, line
 * separators, and bidirectional controls (Unicode's Bidi_Control). */
static inline bool apmu_base__commands(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* Returns the bytes of the character at `at` if it may be shown as it is; 0: it may not, and `?` stands for
 * `*skip` bytes. */
static inline unsigned apmu_base__shown(const char *at, unsigned *skip)
{
	uint32_t c = 0;
	unsigned n = apmu_base__utf8(at, &c);

	*skip = n ? n : 1;
	return n && !apmu_base__commands(c) ? n : 0;
}

/* Replaces in place what may not be shown by `?`, except `keep`. Returns `text`. */
static inline char *apmu_base__text_plain(char *text, char keep)
{
	char *to = text;
	unsigned n;

	for (const char *at = text; *at; at += n) {
		unsigned shown = apmu_base__shown(at, &n);
		for (unsigned i = 0; i < shown; i++)
			*to++ = at[i];
		if (!shown)
			*to++ = *at == keep ? keep : '?';
	}
	*to = '\0';
	return text;
}

/* Replaces in place each byte that belongs to no UTF-8 character by `?`. */
static inline void apmu_base__text_utf8(char *text)
{
	uint32_t c = 0;

	for (unsigned n; *text; text += n) {
		n = apmu_base__utf8(text, &c);
		if (!n)
			*text = '?', n = 1;
	}
}

#endif
