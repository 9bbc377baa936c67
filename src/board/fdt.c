/* SPDX-License-Identifier: MIT */
/* The device tree of `virt`, written from top to bottom (libfdt's sequential functions). */
#include "board/fdt.h"

#include <errno.h>
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

/* Phandles. */
enum { GIC = 1, CLOCK };

/* Interrupt specifiers: kind, number, trigger. On a GICv2 a PPI also has a mask of cores: bit 8 is the
 * first. */
enum { SPI, PPI };
#define EDGE_RISING 1u
#define LEVEL_HIGH  4u
#define FIRST_CORE  0x100u
#define FIRST_PPI   16u
#define FIRST_SPI   32u
#define UART_CLOCK  24000000u
#define NODE_NAME   32
#define SECURE_PPI  29u /* the bindings name all four timers, present or not */
#define HYP_PPI     26u

struct tree {
	void *fdt;
	const struct apmu_board__fdt_config *config;
	int failed; /* the first libfdt error; 0: none so far */
};

static void keep(struct tree *t, int code)
{
	if (code < 0 && !t->failed)
		t->failed = code;
}

static void open_node(struct tree *t, const char *name)
{
	keep(t, fdt_begin_node(t->fdt, name));
}

static void open_node_at(struct tree *t, const char *name, uint64_t address)
{
	char text[NODE_NAME];

	snprintf(text, sizeof(text), "%s@%llx", name, (unsigned long long)address);
	open_node(t, text);
}

static void close_node(struct tree *t)
{
	keep(t, fdt_end_node(t->fdt));
}

/* A property of several strings, each with its terminating zero; `n`: bytes of all of them. */
static void strings(struct tree *t, const char *name, const char *values, size_t n)
{
	keep(t, fdt_property(t->fdt, name, values, (int)n));
}
static void string(struct tree *t, const char *name, const char *value)
{
	strings(t, name, value, strlen(value) + 1);
}

#define STRINGS(t, name, literal) strings(t, name, literal, sizeof(literal))

static void cell(struct tree *t, const char *name, uint32_t value)
{
	keep(t, fdt_property_u32(t->fdt, name, value));
}

static void flag(struct tree *t, const char *name)
{
	keep(t, fdt_property(t->fdt, name, NULL, 0));
}

static void cells(struct tree *t, const char *name, const uint32_t *values, size_t n)
{
	uint32_t big[16];

	for (size_t i = 0; i < n && i < 16; i++)
		big[i] = cpu_to_fdt32(values[i]);
	keep(t, fdt_property(t->fdt, name, big, (int)(n * sizeof(big[0]))));
}

/* "reg": address and size, two cells each. */
static void regions(struct tree *t, const struct apmu_board__ram *region, size_t n)
{
	uint32_t values[8];

	for (size_t i = 0; i < n && i < 2; i++) {
		values[4 * i] = (uint32_t)(region[i].base >> 32);
		values[4 * i + 1] = (uint32_t)region[i].base;
		values[4 * i + 2] = (uint32_t)(region[i].size >> 32);
		values[4 * i + 3] = (uint32_t)region[i].size;
	}
	cells(t, "reg", values, 4 * n);
}

static uint32_t ppi_flags(const struct tree *t)
{
	return LEVEL_HIGH | (t->config->row->gic == 2 ? FIRST_CORE : 0);
}

/* The window of a part, by its bias. */
static struct apmu_board__ram window(const struct tree *t, unsigned part, uint32_t bias)
{
	for (unsigned i = 0; i < APMU_BOARD__WINDOWS; i++) {
		const struct apmu_board__window *w = &t->config->row->window[i];

		if (w->part == part && w->bias == bias)
			return (struct apmu_board__ram){w->base, w->size};
	}
	return (struct apmu_board__ram){0, 0};
}

/* The INTID that a part's line is wired to. */
static uint32_t intid(const struct tree *t, unsigned part, unsigned line)
{
	for (unsigned i = 0; i < APMU_BOARD__WIRES; i++) {
		const struct apmu_board__wire *w = &t->config->row->wire[i];

		if (w->from == part && w->from_line == line && w->to == APMU_BOARD__PART_GIC)
			return w->to_line;
	}
	return 0;
}

static void chosen(struct tree *t)
{
	char path[NODE_NAME];

	snprintf(path, sizeof(path), "/pl011@%llx",
		 (unsigned long long)window(t, APMU_BOARD__PART_UART, 0).base);
	open_node(t, "chosen");
	if (t->config->bootargs)
		string(t, "bootargs", t->config->bootargs);
	string(t, "stdout-path", path);
	if (t->config->initrd != t->config->initrd_end) {
		keep(t, fdt_property_u64(t->fdt, "linux,initrd-start", t->config->initrd));
		keep(t, fdt_property_u64(t->fdt, "linux,initrd-end", t->config->initrd_end));
	}
	close_node(t);
}

static void memory(struct tree *t)
{
	struct apmu_board__ram ram = t->config->row->ram[0];

	if (t->config->ram_size)
		ram.size = t->config->ram_size;
	open_node_at(t, "memory", ram.base);
	string(t, "device_type", "memory");
	regions(t, &ram, 1);
	close_node(t);
}

static void cpus(struct tree *t)
{
	open_node(t, "cpus");
	cell(t, "#address-cells", 1);
	cell(t, "#size-cells", 0);
	open_node(t, "cpu@0");
	string(t, "device_type", "cpu");
	string(t, "compatible", t->config->cpu);
	cell(t, "reg", 0);
	string(t, "enable-method", "psci");
	close_node(t);
	close_node(t);
}

static void psci(struct tree *t)
{
	open_node(t, "psci");
	STRINGS(t, "compatible", "arm,psci-1.0\0arm,psci-0.2");
	string(t, "method", t->config->smc ? "smc" : "hvc");
	close_node(t);
}

static void timer(struct tree *t)
{
	uint32_t flags = ppi_flags(t);
	const uint32_t lines[] = {
		SECURE_PPI,
		intid(t, APMU_BOARD__PART_GTIMER, APMU_BOARD__TIMER_PHYSICAL),
		intid(t, APMU_BOARD__PART_GTIMER, APMU_BOARD__TIMER_VIRTUAL),
		HYP_PPI,
	};
	uint32_t values[12];

	for (size_t i = 0; i < 4; i++) {
		values[3 * i] = PPI;
		values[3 * i + 1] = lines[i] - FIRST_PPI;
		values[3 * i + 2] = flags;
	}
	open_node(t, "timer");
	if (t->config->aarch64)
		STRINGS(t, "compatible", "arm,armv8-timer\0arm,armv7-timer");
	else
		string(t, "compatible", "arm,armv7-timer");
	cells(t, "interrupts", values, 12);
	flag(t, "always-on");
	close_node(t);
}

static void pmu(struct tree *t)
{
	const struct apmu_board__fdt_config *config = t->config;
	const uint32_t line[] = {PPI, intid(t, APMU_BOARD__PART_PMU, 0) - FIRST_PPI, ppi_flags(t)};
	char names[128] = "";
	int n;

	if (!config->pmu)
		return;
	n = snprintf(names, sizeof(names), "%s%c%s", config->pmu, '\0',
		     config->pmu_class ? config->pmu_class : "");
	if (n < 0 || (size_t)n >= sizeof(names))
		return;
	open_node(t, "pmu");
	strings(t, "compatible", names, config->pmu_class ? (size_t)n + 1 : (size_t)n);
	cells(t, "interrupts", line, 3);
	close_node(t);
}

static void interrupt_controller(struct tree *t)
{
	bool v3 = t->config->row->gic == 3;
	const struct apmu_board__ram regs[2] = {
		window(t, APMU_BOARD__PART_GIC, 0),
		window(t, APMU_BOARD__PART_GIC, v3 ? APMU_BOARD__GIC_REDIST_BIAS : APMU_BOARD__GIC_CPU_BIAS),
	};
	const uint32_t maintenance[] = {PPI, APMU_BOARD__INTID_MAINTENANCE - FIRST_PPI, LEVEL_HIGH};

	open_node_at(t, "intc", regs[0].base);
	string(t, "compatible", v3 ? "arm,gic-v3" : "arm,cortex-a15-gic");
	cell(t, "#interrupt-cells", 3);
	cell(t, "#address-cells", 0);
	flag(t, "interrupt-controller");
	regions(t, regs, 2);
	if (v3)
		cells(t, "interrupts", maintenance, 3);
	cell(t, "phandle", GIC);
	close_node(t);
}

static void uart(struct tree *t)
{
	struct apmu_board__ram region = window(t, APMU_BOARD__PART_UART, 0);
	const uint32_t line[] = {SPI, intid(t, APMU_BOARD__PART_UART, 0) - FIRST_SPI, LEVEL_HIGH};
	const uint32_t clocks[] = {CLOCK, CLOCK};

	open_node(t, "apb-pclk");
	string(t, "compatible", "fixed-clock");
	cell(t, "#clock-cells", 0);
	cell(t, "clock-frequency", UART_CLOCK);
	cell(t, "phandle", CLOCK);
	close_node(t);
	open_node_at(t, "pl011", region.base);
	STRINGS(t, "compatible", "arm,pl011\0arm,primecell");
	regions(t, &region, 1);
	cells(t, "interrupts", line, 3);
	cells(t, "clocks", clocks, 2);
	STRINGS(t, "clock-names", "uartclk\0apb_pclk");
	close_node(t);
}

static void virtio(struct tree *t)
{
	struct apmu_board__ram bus = window(t, APMU_BOARD__PART_VIRTIO, 0);
	uint32_t first = intid(t, APMU_BOARD__PART_VIRTIO, APMU_BOARD__EACH_LINE) - FIRST_SPI;

	for (unsigned slot = 0; slot < APMU_BOARD__VIRTIO_SLOTS; slot++) {
		struct apmu_board__ram place = {bus.base + (uint64_t)slot * APMU_BOARD__VIRTIO_STRIDE,
						APMU_BOARD__VIRTIO_STRIDE};
		const uint32_t line[] = {SPI, first + slot, EDGE_RISING};

		if (!(t->config->virtio >> slot & 1))
			continue;
		open_node_at(t, "virtio_mmio", place.base);
		string(t, "compatible", "virtio,mmio");
		regions(t, &place, 1);
		cells(t, "interrupts", line, 3);
		flag(t, "dma-coherent");
		close_node(t);
	}
}

/* What firmware in the flash needs: the flash itself, with its second bank, and a clock. */
static void firmware(struct tree *t)
{
	struct apmu_board__ram banks[2] = {t->config->row->flash, window(t, APMU_BOARD__PART_NOR_FLASH, 0)};
	struct apmu_board__ram clock = window(t, APMU_BOARD__PART_RTC, 0);
	const uint32_t clocks[] = {CLOCK};

	if (!t->config->flash)
		return;
	open_node_at(t, "flash", banks[0].base);
	string(t, "compatible", "cfi-flash");
	regions(t, banks, 2);
	cell(t, "bank-width", 4);
	close_node(t);
	open_node_at(t, "pl031", clock.base);
	STRINGS(t, "compatible", "arm,pl031\0arm,primecell");
	regions(t, &clock, 1);
	cells(t, "clocks", clocks, 1);
	string(t, "clock-names", "apb_pclk");
	close_node(t);
}

int apmu_board__fdt_virt(const struct apmu_board__fdt_config *config, void *to, size_t room)
{
	struct tree t = {.fdt = to, .config = config};

	if (!config->row->device_tree)
		return -EINVAL;
	keep(&t, fdt_create(to, room > INT32_MAX ? INT32_MAX : (int)room));
	keep(&t, fdt_finish_reservemap(to));
	open_node(&t, "");
	string(&t, "compatible", "linux,dummy-virt");
	string(&t, "model", config->row->what);
	cell(&t, "#address-cells", 2);
	cell(&t, "#size-cells", 2);
	cell(&t, "interrupt-parent", GIC);
	chosen(&t);
	memory(&t);
	cpus(&t);
	psci(&t);
	timer(&t);
	pmu(&t);
	interrupt_controller(&t);
	uart(&t);
	virtio(&t);
	firmware(&t);
	close_node(&t);
	keep(&t, fdt_finish(to));
	return t.failed ? -ENOSPC : (int)fdt_totalsize(to);
}
