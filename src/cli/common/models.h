/* SPDX-License-Identifier: MIT */
/** QEMU's models of a core, as text for people. */
#ifndef APMU_CLI_COMMON_MODELS_H
#define APMU_CLI_COMMON_MODELS_H

/* Turns "neoverse-n2 max" into "neoverse-n2, else max". The caller frees. */
char *cli__models(const char *models);

#endif
