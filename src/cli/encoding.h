/* SPDX-License-Identifier: MIT */
/**
 * How a register is reached, as text: "p15,0,c15,c12,0" for MRC/MCR.
 */
#ifndef APMU_CLI_ENCODING_H
#define APMU_CLI_ENCODING_H

#include <apmu/reg.h>

enum { APMU__ENCODING = 40 }; /* longest text, with its end */

void apmu__encoding_text(char out[APMU__ENCODING], const struct apmu_encoding *at);

/* Reads "p15,0,c15,c12,0", "cp14 0,c0,c0,0", "mrc p15, 0, r0, c15, c12, 0". False if it is nothing like that.
 */
bool apmu__encoding_parse(const char *text, struct apmu_encoding *out);

#endif
