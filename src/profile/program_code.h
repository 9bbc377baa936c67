/* SPDX-License-Identifier: MIT */
/**
 * The recorded program's file: turns addresses of a run into the file's addresses, and those into functions
 * with the names that BOLT gives them. Libraries are not looked at.
 *
 * The file is read anew, and a defect of it is an error: a compiler's profile of another build is worse than
 * none.
 */
#ifndef APMU_PROFILE_PROGRAM_CODE_H
#define APMU_PROFILE_PROGRAM_CODE_H

#include "profile/profile.h"

struct profile__code_function {
	uint64_t start, end; /* addresses in the file */
	char *name;          /* a local function's with BOLT's number: "f/1" */
	size_t outer;        /* 1 + index of the function that this one begins in; 0: none */
};

struct profile__program_code {
	const struct profile__profile *profile;
	struct {
		uint64_t offset, address, size;
	} segment[16];
	size_t segments;
	struct profile__code_function *function; /* in order of start */
	size_t functions;
};

/* 0 or a negative errno value: -ENOENT and similar from the file system, -ENOEXEC: not an ELF file, -ESTALE:
 * not the build that was recorded, -ENOMEM. Call profile__program_code_free() in any case. */
int profile__program_code_open(struct profile__program_code *code, const struct profile__profile *profile);
void profile__program_code_free(struct profile__program_code *code);

/* Gets the file's address of what a thread had at `pc`; false if it is not in the program's file. */
bool profile__program_code_address(const struct profile__program_code *code, uint32_t thread, uint32_t when,
				   uint64_t pc, uint64_t *address);

/* Returns the function that holds an address of the file, or NULL. */
const struct profile__code_function *profile__program_code_function(const struct profile__program_code *code,
								    uint64_t address);

/* True if a mapping holds code according to its file's headers, or if those cannot be read. */
bool profile__map_executes(const struct profile__map *map);

#endif
