/* SPDX-License-Identifier: MIT */
/**
 * Encodings of registers as text: "p15,0,c15,c12,0" for MRC/MCR, "p15,0,c9" for MRRC/MCRR, "S3_3_C9_C12_0"
 * for MRS/MSR, "offset 0xE04" for the memory-mapped frame. A counter n that the encoding names appears as in
 * "p15,0,c14,c8+n/8,n%8" or "offset 0x400+4n".
 */
#ifndef APMU_CLI_COMMON_REGISTER_ENCODING_H
#define APMU_CLI_COMMON_REGISTER_ENCODING_H

#include <apmu/reg.h>

enum { CLI__ENCODING = 48 }; /* bytes of the longest text, with its NUL */

void cli__encoding_text(char out[CLI__ENCODING], const struct apmu_encoding *at);

/* Parses these forms without n, and also "cp14 0,c0,c0,0", "mrc p15, 0, r0, c15, c12, 0" and "0xE04". False
 * for anything else. */
bool cli__encoding_parse(const char *text, struct apmu_encoding *out);

#endif
