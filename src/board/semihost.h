/* SPDX-License-Identifier: MIT */
/**
 * Semihosting (Arm IHI0072 / "Semihosting for AArch32 and AArch64"): a bare-metal program asks its host for a
 * console, files, a clock and its own end. A function over an operation number and a parameter block in
 * memory.
 *
 * Files are those of one folder (folder.h); the console is two callbacks; the clock is the modelled one. A
 * handle is a small number; 0 is not a handle. SYS_SYSTEM is refused: no command of the host is run.
 *
 * The guest is hostile: lengths and addresses may be anything. One call moves at most 64 MiB, a file grows to
 * at most 1 GiB, at most 32 files are open.
 */
#ifndef APMU_BOARD_SEMIHOST_H
#define APMU_BOARD_SEMIHOST_H

#include "board/memory.h"

#define APMU_BOARD__SEMIHOST_FILES 32

enum apmu_board__handle {
	APMU_BOARD__HANDLE_FREE,
	APMU_BOARD__HANDLE_IN,
	APMU_BOARD__HANDLE_OUT,
	APMU_BOARD__HANDLE_ERR,
	APMU_BOARD__HANDLE_FILE,
	APMU_BOARD__HANDLE_FEATURES
};

struct apmu_board__semihost {
	/* Set by the machine. */
	int folder;          /* descriptor of the folder for files, or -1: there are none */
	const char *cmdline; /* NULL: empty */
	uint64_t core_hz;    /* cycles per second of modelled time, not 0 */
	uint64_t epoch;      /* SYS_TIME at cycle 0, in seconds since 1970 */
	uint64_t heap_base, heap_limit, stack_base,
		stack_limit; /* SYS_HEAPINFO; 0: the program shall decide */
	void (*write)(void *ctx, bool error, const void *bytes, size_t n); /* stdout, stderr */
	/* stdin: returns how many bytes came, 0 at the end. NULL: stdin is at its end. */
	size_t (*read)(void *ctx, void *to, size_t n);
	void *ctx;

	/* State of semihost.c and semihost_file.c. */
	struct {
		uint8_t kind; /* enum apmu_board__handle */
		int fd;
		uint32_t at; /* position in the features file */
	} file[APMU_BOARD__SEMIHOST_FILES];
	int error; /* errno of the last operation that failed */
};

struct apmu_board__semihost_call {
	bool aarch64;      /* fields of 8 bytes, not 4 */
	uint32_t op;       /* W0 or R0 */
	uint64_t argument; /* X1 or R1 */
	uint64_t now;      /* core cycles since reset */
};

struct apmu_board__semihost_result {
	uint64_t value; /* for X0, or for R0 its low half */
	bool known;     /* false: no such operation; value is -1 */
	bool ended;     /* the program is over, with `status` */
	uint8_t status;
};

/* Executes one call. Before the first call set the first part of the struct, and the rest to 0. */
struct apmu_board__semihost_result apmu_board__semihost(struct apmu_board__semihost *host,
							const struct apmu_board__memory *memory,
							const struct apmu_board__semihost_call *call);
void apmu_board__semihost_close(struct apmu_board__semihost *host); /* all files */
const char *apmu_board__semihost_name(uint32_t op);                 /* "SYS_OPEN"; NULL: no such operation */

/* The instructions that make a call: SVC 0x123456, SVC 0xAB (T32), HLT 0xF000, HLT 0x3C (T32), BKPT 0xAB
 * (T32, of Armv7-M programs). A32 with any condition. */
static inline bool apmu_board__semihost_a64(uint32_t word)
{
	return word == 0xD45E0000u;
}
static inline bool apmu_board__semihost_a32(uint32_t word)
{
	return (word & 0x0FFFFFFFu) == 0x0F123456u || (word & 0x0FFFFFFFu) == 0x010F0070u;
}
static inline bool apmu_board__semihost_t32(uint16_t half)
{
	return half == 0xDFABu || half == 0xBABCu || half == 0xBEABu;
}

#endif
