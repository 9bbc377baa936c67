/* SPDX-License-Identifier: MIT */
/* Hostile files against the machine: an ELF for bare metal, and the device tree of a kernel. What must hold:
 * the loader refuses with a sentence or the program runs into its limit. */
#define _GNU_SOURCE /* memfd_create */
#include "bytes.h"
#include <apmu/machine.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_INSNS = 200, RAM = 4 << 20 };

static const char *const cores[] = {"arm1136", "a15", "a53", "xscale2"};
static const char *const boards[] = {"bare", "virt", "virt", "pxa"};

static void run(struct apmu_machine *m)
{
	struct apmu_stop stop;

	MUST(apmu_machine_run(m, MOST_INSNS, &stop) == 0);
	MUST(stop.reason < APMU_STOP_REASONS && stop.insns <= MOST_INSNS);
}

static void load_elf(struct apmu_machine_config *config, struct bytes *b)
{
	char path[32], error[160] = "";
	struct apmu_machine *m;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	MUST(fd >= 0 && write(fd, b->at, b->left) == (ssize_t)b->left);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (apmu_machine_new(config, &m, error, sizeof error) == 0) {
		int bad = apmu_machine_load_elf(m, path, error, sizeof error);
		MUST((bad != 0) == (*error != '\0'));
		if (!bad)
			run(m);
		apmu_machine_free(m);
	}
	close(fd);
}

/* An AArch64 Image of one page that branches to itself, as Documentation/arch/arm64/booting describes it. */
static const uint8_t image[4096] = {
	[3] = 0x14, [17] = 0x10, /* b . ; image_size */
	[56] = 'A', [57] = 'R',  [58] = 'M', [59] = 0x64,
};

static void load_tree(struct apmu_machine_config *config, struct bytes *b)
{
	char error[160] = "";
	struct apmu_machine *m;

	config->core = apmu_core_find("a53");
	config->board = "virt";
	config->ram = (uint64_t)64 << 20;
	config->bootargs = "quiet";
	config->device_tree = b->at;
	config->device_tree_size = b->left;
	if (apmu_machine_new(config, &m, error, sizeof error))
		return;
	int bad = apmu_machine_load_kernel(m, image, sizeof image, error, sizeof error);
	MUST((bad != 0) == (*error != '\0'));
	if (!bad)
		run(m);
	apmu_machine_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = {data, size};
	uint8_t which = byte(&b);
	struct apmu_machine_config config = {.ram = RAM, .folder = -1};

	config.core = apmu_core_find(cores[which >> 1 & 3]);
	config.board = boards[which >> 1 & 3];
	if (which & 1)
		load_tree(&config, &b);
	else
		load_elf(&config, &b);
	return 0;
}
