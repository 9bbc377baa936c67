/* SPDX-License-Identifier: MIT */
/** Recognizes files that users give to the wrong command, so that the message can name the right one. */
#ifndef APMU_CLI_COMMON_FILE_KIND_H
#define APMU_CLI_COMMON_FILE_KIND_H

enum cli__file_kind {
	CLI__FILE_UNKNOWN, /* also one that cannot be read, or is not regular */
	CLI__FILE_RECORDING,
	CLI__FILE_PERF_RECORDING,
	CLI__FILE_PROGRAM,
	CLI__FILE_STAT,
	CLI__FILE_PROFILE_JSON,
	CLI__FILE_SWEEP,
	CLI__FILE_BENCH,
	CLI__FILE_PERF_STAT
};

/* By the file's first bytes. */
enum cli__file_kind cli__file_kind(const char *path);

/* What such a file is, and who reads it: "a recording of perf, which 'perf report' reads". "": unknown. */
const char *cli__file_kind_text(enum cli__file_kind kind);

#endif
