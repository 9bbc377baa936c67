/* SPDX-License-Identifier: MIT */
/* The device tree of virt: dtc reads it without a warning, and its nodes follow Linux's bindings. */
#define _GNU_SOURCE /* mkstemp, popen */
#include "../test.h"
#include "board/fdt.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static char source[16384];

/* Decompiles the tree with dtc and keeps its warnings. Since version 1.7 dtc writes a list of strings as "a",
 * "b"; here it is changed back to "a\0b", as before. */
static void read_back(const void *tree, size_t n)
{
	char path[] = "/tmp/apmu-fdt.XXXXXX", command[96];
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	CHECK_EQ(write(fd, tree, n), n);
	close(fd);
	snprintf(command, sizeof(command), "dtc -I dtb -O dts %s 2>&1", path);
	FILE *pipe = popen(command, "r");
	CHECK(pipe != NULL);
	size_t got = fread(source, 1, sizeof(source) - 1, pipe);
	source[got] = '\0';
	for (char *list = source; (list = strstr(list, "\", \"")) != NULL;) {
		memcpy(list, "\\0", 2);
		memmove(list + 2, list + 4, strlen(list + 4) + 1);
	}
	CHECK_EQ(pclose(pipe), 0);
	unlink(path);
}

static void build(const char *board, struct apmu_board__fdt_config config)
{
	static uint8_t tree[16384];

	config.row = apmu_board__find(board);
	int n = apmu_board__fdt_virt(&config, tree, sizeof(tree));
	CHECK(n > 0);
	read_back(tree, (size_t)n);
}

static const struct apmu_board__fdt_config a53 = {
	.cpu = "arm,cortex-a53",
	.pmu = "arm,cortex-a53-pmu",
	.pmu_class = "arm,armv8-pmuv3",
	.bootargs = "console=ttyAMA0 quiet",
	.aarch64 = true,
};

static bool says(const char *text)
{
	return strstr(source, text) != NULL;
}

TEST(dtc_has_nothing_to_complain_of)
{
	build("virt", a53);
	CHECK(!says("Warning") && !says("ERROR"));
	build("virt-gicv3", a53);
	CHECK(!says("Warning") && !says("ERROR"));
}

TEST(interrupts_are_those_of_the_wires)
{
	build("virt", a53);
	CHECK(says("compatible = \"arm,cortex-a53-pmu\\0arm,armv8-pmuv3\";"));
	CHECK(says("interrupts = <0x01 0x07 0x104>;")); /* INTID 23, level, first core */
	CHECK(says("interrupts = <0x01 0x0d 0x104 0x01 0x0e 0x104 0x01 0x0b 0x104 0x01 0x0a 0x104>;"));
	CHECK(says("interrupts = <0x00 0x01 0x04>;"));
	CHECK(says("compatible = \"arm,cortex-a15-gic\";"));
	CHECK(says("reg = <0x00 0x8000000 0x00 0x10000 0x00 0x8010000 0x00 0x10000>;"));
	CHECK(!says("interrupts = <0x01 0x09"));
	build("virt-gicv3", a53);
	CHECK(says("interrupts = <0x01 0x07 0x04>;"));
	CHECK(says("compatible = \"arm,gic-v3\";"));
	CHECK(says("reg = <0x00 0x8000000 0x00 0x10000 0x00 0x80a0000 0x00 0x20000>;"));
	CHECK(says("interrupts = <0x01 0x09 0x04>;")); /* the GIC's own: maintenance, INTID 25 */
	CHECK(says("model = \"QEMU's virt with GICv3"));
}

TEST(what_the_user_gave_is_in_it)
{
	struct apmu_board__fdt_config config = a53;

	config.ram_size = 0x123400000;
	config.smc = true;
	config.initrd = 0x48000000;
	config.initrd_end = 0x48001000;
	build("virt", config);
	CHECK(says("bootargs = \"console=ttyAMA0 quiet\";"));
	CHECK(says("reg = <0x00 0x40000000 0x01 0x23400000>;"));
	CHECK(says("method = \"smc\";"));
	CHECK(says("linux,initrd-end = <0x00 0x48001000>;"));
	CHECK(says("stdout-path = \"/pl011@9000000\";"));
}

TEST(a_core_without_a_pmu_has_no_node_of_it)
{
	struct apmu_board__fdt_config config = {.cpu = "arm,cortex-a15"};

	build("virt", config);
	CHECK(!says("pmu {"));
	CHECK(says("compatible = \"arm,armv7-timer\";"));
	CHECK(says("method = \"hvc\";"));
}

TEST(a_tree_that_does_not_fit_is_an_error)
{
	struct apmu_board__fdt_config config = a53;
	uint8_t small[256];

	config.row = apmu_board__find("virt");
	CHECK_EQ(apmu_board__fdt_virt(&config, small, sizeof(small)), -ENOSPC);
	CHECK_EQ(apmu_board__fdt_virt(&config, small, 0), -ENOSPC);
	config.row = apmu_board__find("bare");
	CHECK_EQ(apmu_board__fdt_virt(&config, small, sizeof(small)), -EINVAL);
}
