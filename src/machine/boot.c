/* SPDX-License-Identifier: MIT */
/* Does the work of a boot loader: a kernel's place in memory, a device tree, the registers that say where it
 * is. */
#include "machine/emulator.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/views.h"

#include "base/error_line.h"
#include "board/fdt.h"
#include "board/image.h"
#include <errno.h>
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#define PAGE      0x1000u
#define TREE_SIZE ((uint64_t)2 << 20)

/* Copies the user's tree, and adds the command line and the initial file system if there are any. */
static int copy_tree(const struct apmu_machine *m, void *to, char *error, size_t size)
{
	const struct apmu_machine_config *config = &m->config;
	int node;

	if (config->device_tree_size < sizeof(struct fdt_header) ||
	    fdt_check_full(config->device_tree, config->device_tree_size) != 0)
		return apmu_base__say(error, size, -EINVAL,
				      "the given device tree is not a device tree blob, or is damaged");
	if (fdt_open_into(config->device_tree, to, (int)TREE_SIZE) != 0)
		return apmu_base__say(error, size, -E2BIG, "the device tree is larger than 2 MiB");
	node = fdt_path_offset(to, "/chosen");
	if (node < 0)
		node = fdt_add_subnode(to, 0, "chosen");
	if (config->bootargs &&
	    fdt_setprop(to, node, "bootargs", config->bootargs, (int)strlen(config->bootargs) + 1) != 0)
		return apmu_base__say(error, size, -EINVAL, "the device tree takes no /chosen/bootargs");
	if (m->initrd &&
	    (fdt_setprop_u64(to, node, "linux,initrd-start", m->initrd) != 0 ||
	     fdt_setprop_u64(to, node, "linux,initrd-end", m->initrd + config->initrd_size) != 0))
		return apmu_base__say(error, size, -EINVAL,
				      "the device tree takes no /chosen/linux,initrd-start");
	return 0;
}

/* Builds the board's tree. PSCI's conduit is HVC, as on QEMU's virt; it is SMC on an Armv7 core without EL2,
 * or if a level above EL1 is the program's own. */
static int build_tree(const struct apmu_machine *m, void *to, char *error, size_t size)
{
	bool v8 = m->core->access_rule == APMU_ACCESS_V8;
	char cpu[64], pmu[64];
	struct apmu_board__fdt_config config = {
		.row = m->board.row,
		.ram_size = m->ram[0].size,
		.cpu = cpu,
		.pmu = pmu,
		.pmu_class = v8 ? "arm,armv8-pmuv3" : NULL,
		.bootargs = m->config.bootargs,
		.smc = m->highest_el > 1 || (!v8 && !(m->core->features >> APMU_FEATURE_EL2 & 1)),
		.aarch64 = m->model->a64,
		.flash = m->config.flash,
		.virtio = apmu_board__virtio_slots(&m->board.s.virtio),
		.initrd = m->initrd,
		.initrd_end = m->initrd ? m->initrd + m->config.initrd_size : 0,
	};

	snprintf(cpu, sizeof cpu, "arm,%s", m->core->name);
	snprintf(pmu, sizeof pmu, "arm,%s-pmu", m->core->name);
	return apmu_board__fdt_virt(&config, to, TREE_SIZE) > 0
		       ? 0
		       : apmu_base__say(error, size, -E2BIG, "no room for the device tree");
}

static int put_tree(const struct apmu_machine *m, uint64_t at, char *error, size_t size)
{
	void *to = apmu_machine__host(m, at, TREE_SIZE);

	if (!to)
		return apmu_base__say(error, size, -ENOMEM, "no memory for the device tree");
	return m->config.device_tree ? copy_tree(m, to, error, size) : build_tree(m, to, error, size);
}

static bool wants_tree(const struct apmu_machine *m)
{
	return m->config.device_tree || m->board.row->device_tree;
}

static void set_registers(struct apmu_machine *m, uint64_t tree)
{
	if (m->model->a64) {
		apmu_machine__reg_set(m, 0, tree);
		return;
	}
	apmu_machine__reg_set(m, 0, 0);
	apmu_machine__reg_set(m, 1, m->board.row->machine_type);
	apmu_machine__reg_set(m, 2, tree);
}

/* For a program that is not a kernel: puts the tree into the last 2 MiB of RAM, unless the program has put
 * something there, which is an error if the owner asked for a tree or its command line. */
int apmu_machine__boot(struct apmu_machine *m, char *error, size_t size)
{
	uint64_t end = m->ram[0].base + m->ram[0].size, at = (end - TREE_SIZE) & ~(TREE_SIZE - 1);
	const uint8_t *there = apmu_machine__host(m, at, TREE_SIZE);
	bool free = there && !there[0] && memcmp(there, there + 1, TREE_SIZE - 1) == 0;
	int code;

	if (!free && (m->config.device_tree || m->config.bootargs))
		return apmu_base__say(
			error, size, -ENOMEM,
			"no room for the device tree: the program has something in 0x%llx..0x%llx",
			(unsigned long long)at, (unsigned long long)end);
	if (!wants_tree(m) || !free)
		return 0;
	code = put_tree(m, at, error, size);
	if (code == 0)
		set_registers(m, at);
	return code;
}

int apmu_machine_load_firmware(struct apmu_machine *m, const void *bytes, size_t n, char *error, size_t size)
{
	uint64_t at = m->board.row->flash.base;
	uint8_t *host = apmu_machine__host(m, at, n);
	int code;

	if (!m->config.flash)
		return apmu_base__say(error, size, APMU_EINVAL, "the machine was made without flash");
	if (!host)
		return apmu_base__say(error, size, APMU_EINVAL,
				      "the firmware does not fit into the flash of board '%s'",
				      m->board.row->name);
	memcpy(host, bytes, n);
	code = apmu_machine__start(m, m->core->unicorn && !m->config.aarch32, at | m->config.thumb, error,
				   size);
	if (code == 0)
		code = put_tree(m, m->ram[0].base, error, size);
	if (code == 0)
		set_registers(m, m->ram[0].base);
	return code;
}

/* Puts the initial file system right below the device tree, where the kernel does not reach. */
static int put_initrd(struct apmu_machine *m, const struct apmu_board__image *image, char *error, size_t size)
{
	uint64_t room = image->device_tree - (image->load + image->uses);
	uint64_t n = (m->config.initrd_size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	uint8_t *host = n <= room ? apmu_machine__host(m, image->device_tree - n, n) : NULL;

	if (!m->config.initrd)
		return 0;
	if (!host || n < m->config.initrd_size)
		return apmu_base__say(error, size, -ENOMEM,
				      "no room for the initial file system: give the board more RAM");
	m->initrd = image->device_tree - n;
	memcpy(host, m->config.initrd, m->config.initrd_size);
	return 0;
}

int apmu_machine_load_kernel(struct apmu_machine *m, const void *bytes, size_t n, char *error, size_t size)
{
	bool a64 = m->core->unicorn && !m->config.aarch32;
	struct apmu_board__image image;
	int code =
		apmu_board__image_place(bytes, n, a64, m->ram[0].base, m->ram[0].size, &image, error, size);
	uint8_t *host = code ? NULL : apmu_machine__host(m, image.load, n);

	if (code)
		return code;
	if (!host)
		return apmu_base__say(error, size, -ENOMEM, "the kernel does not fit into memory");
	memcpy(host, bytes, n);
	code = apmu_machine__start(m, a64, image.load, error, size);
	if (code == 0)
		code = put_initrd(m, &image, error, size);
	if (code == 0 && wants_tree(m))
		code = put_tree(m, image.device_tree, error, size);
	if (code == 0)
		set_registers(m, wants_tree(m) ? image.device_tree : 0);
	return code;
}
