/* SPDX-License-Identifier: MIT */
/**
 * The recorded program as its own file has it: addresses of a run become the file's, addresses become
 * functions by the names that BOLT gives them. Its libraries are not looked at.
 *
 * The file is read anew: what is wrong with it is an error and no guess, since a profile for a compiler that
 * belongs to another build is worse than none.
 */
#ifndef APMU_PROFILE_PROGRAM_CODE_H
#define APMU_PROFILE_PROGRAM_CODE_H

#include "profile/profile.h"

struct profile__code_function {
	uint64_t start, end; /* of the file */
	char *name;          /* of a local one with BOLT's number: "f/1" */
};

struct profile__program_code {
	const struct profile__profile *profile;
	struct {
		uint64_t offset, address, size;
	} segment[16];
	size_t segments;
	struct profile__code_function *function; /* by start */
	size_t functions;
};

/* 0 or a negative errno value: -ENOENT and such of the file, -ENOEXEC: no ELF file, -ESTALE: another build
 * than was recorded, -ENOMEM. Free in any case. */
int profile__program_code_open(struct profile__program_code *code, const struct profile__profile *profile);
void profile__program_code_free(struct profile__program_code *code);

/* The file's address of what a thread had at `pc`; false: not of the program's file. */
bool profile__program_code_address(const struct profile__program_code *code, uint32_t thread, uint32_t when,
				   uint64_t pc, uint64_t *address);

/* The function that holds an address of the file, or NULL. */
const struct profile__code_function *profile__program_code_function(const struct profile__program_code *code,
								    uint64_t address);

/* Does a mapping hold code, as its file's headers say? True if that cannot be read. */
bool profile__map_executes(const struct profile__map *map);

#endif
