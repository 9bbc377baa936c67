/* SPDX-License-Identifier: MIT */
/**
 * The fast paths, for whoever enters blocks and makes accesses: the plugin, data.c. The folder fast/ may be
 * left out (APMU_UARCH_FAST=OFF in CMake, which defines APMU_UARCH_PLAIN) without changing a count: plain.h
 * then sends every case to the general paths. fast/README.md lists the paths.
 */
#ifndef APMU_UARCH_FAST_H
#define APMU_UARCH_FAST_H

#ifdef APMU_UARCH_PLAIN
#include "uarch/plain.h"
#else
#include "uarch/fast/access.h"
#include "uarch/fast/entry.h"
#include "uarch/fast/group.h"
#endif

#endif
