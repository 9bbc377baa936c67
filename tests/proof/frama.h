/* SPDX-License-Identifier: MIT */
/* Frama-C's side of proof.h; run.sh puts it before every file. __builtin_ctzll is the compiler's own, spelt
 * out. */
#ifndef PROOF_FRAMA_H
#define PROOF_FRAMA_H

int proof_ctz(unsigned long long word);
#define __builtin_ctzll proof_ctz

#endif
