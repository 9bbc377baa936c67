/* SPDX-License-Identifier: MIT */
/** A core's models of QEMU, for people. */
#ifndef APMU_CLI_COMMON_MODELS_H
#define APMU_CLI_COMMON_MODELS_H

/* "neoverse-n2, else max" of "neoverse-n2 max". The caller frees. */
char *cli__models(const char *models);

#endif
