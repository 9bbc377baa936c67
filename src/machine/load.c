/* SPDX-License-Identifier: MIT */
/* Loads programs into memory and puts the CPU into its reset state. Any file may be given: nothing in it is
 * trusted. */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "machine/emulator.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/translation.h"
#include "machine/views.h"

#include "base/error_line.h"
#include "isa/elf_probe.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BY_PHYSICAL 0x02010000u /* first uc_version() that finds regions by physical address */

static int open_cpu(struct apmu_machine *m, char *error, size_t size)
{
	uc_arch arch = m->model->a64 ? UC_ARCH_ARM64 : UC_ARCH_ARM;
	uc_err err = uc_open(arch, UC_MODE_ARM, &m->uc);

	if (err == UC_ERR_OK)
		err = uc_ctl_set_cpu_model(m->uc, m->model->id);
	if (err == UC_ERR_OK)
		err = uc_ctl_exits_enable(m->uc);
	if (err == UC_ERR_OK && !m->el1)
		err = uc_context_alloc(m->uc, &m->el1);
	if (err == UC_ERR_OK && !m->saved)
		err = uc_context_alloc(m->uc, &m->saved);
	m->by_virtual = uc_version(NULL, NULL) < BY_PHYSICAL;
	if (err != UC_ERR_OK)
		return apmu_base__say(error, size, APMU_ENOMEM, "libunicorn: %s", uc_strerror(err));
	if (apmu_machine__memory_map(m) || apmu_machine__hooks(m))
		return apmu_base__say(error, size, APMU_ENOMEM, "libunicorn takes no board '%s'",
				      m->board.row->name);
	return 0;
}

void apmu_machine__renew(struct apmu_machine *m)
{
	char error[128];

	m->translated = 0;
	m->renewed_at = m->insns;
	uc_context_save(m->uc, m->saved);
	uc_close(m->uc);
	m->uc = NULL;
	m->dummys = 0;
	memset(m->dummy, 0, sizeof m->dummy);
	if (open_cpu(m, error, sizeof error))
		apmu_machine__end(m, APMU_STOP_ENGINE, m->progress->pc, "%s", error);
	else
		uc_context_restore(m->uc, m->saved);
}

#define SCR_EL3   (3u << 16 | 6u << 12 | 1 << 8 | 1 << 4)
#define HCR_EL2   (3u << 16 | 4u << 12 | 1 << 8 | 1 << 4)
#define SCR_START 0x501u   /* RW, HCE, NS: the levels below are AArch64 and Non-secure */
#define SCR_PAUTH 0x30000u /* APK, API */
#define HCR_RW    ((uint64_t)1 << 31)
#define HCR_PAUTH ((uint64_t)3 << 40) /* APK, API */
#define CPACR_EL1 (3u << 16 | 1 << 8 | 2)
#define CPACR_FP  (3u << 20)

/* Sets the PMU, and EL3's controls, as firmware above the program leaves them. AArch32 code in Hyp mode keeps
 * the SCR of apmu_machine__start_hyp(). */
static void open_pmu(struct apmu_machine *m)
{
	struct apmu_machine_state state;

	apmu_firmware(&m->pmu, m->highest_el, !m->model->a64);
	apmu_machine_get(&m->pmu, &state);
	if (m->model->a64)
		m->scr = state.scr_el3;
	else if (m->highest_el == 2)
		state.scr_el3 = m->scr;
	apmu_machine_set(&m->pmu, &state);
}

/* Sets registers of levels above EL1, but those of the program's own levels stay as out of reset; permits
 * pointer authentication and floating point. */
static void reset_levels(struct apmu_machine *m)
{
	if (m->highest_el < 3)
		apmu_machine__sys_set(m, SCR_EL3, apmu_machine__sys(m, SCR_EL3) | SCR_START | SCR_PAUTH);
	if (m->highest_el < 2)
		apmu_machine__sys_set(m, HCR_EL2, apmu_machine__sys(m, HCR_EL2) | HCR_RW | HCR_PAUTH);
	apmu_machine__sys_set(m, CPACR_EL1, apmu_machine__sys(m, CPACR_EL1) | CPACR_FP);
	m->el_pending = m->highest_el > 1;
	m->aarch32 = false;
}

/* Starts in Secure state. The emulator starts in Non-secure state, and sees the change when CPSR is
 * written. */
static void reset_secure(struct apmu_machine *m)
{
	apmu_machine__cp_set(m, 0, 1, 1, 0, 0);
	apmu_machine__cpsr_set(m, apmu_machine__cpsr(m));
	m->mode.security = APMU_SECURE;
}

static void reset(struct apmu_machine *m, uint64_t entry)
{
	apmu_machine__controls_reset(m); /* before the level changes */
	m->board.s.gtimer.el1_a64 = m->model->a64;
	m->board.s.gtimer.highest_el = m->highest_el;
	if (m->highest_el < 3)
		m->board.s.gic.asleep = false; /* firmware has woken the redistributor */
	if (m->model->a64)
		reset_levels(m);
	else if (m->highest_el == 3)
		reset_secure(m);
	else if (m->highest_el == 2)
		apmu_machine__start_hyp(m);
	apmu_machine__reset_identity(m);
	if (m->core->access_rule != APMU_ACCESS_PLAIN && m->highest_el < 3)
		open_pmu(m);
	if (m->core->features >> APMU_FEATURE_TRUSTZONE & 1)
		m->mode.security = APMU_SECURE;
	apmu_enter(&m->pmu, m->mode);
	if (!m->model->a64 && (entry & 1))
		apmu_machine__cpsr_set(m, apmu_machine__cpsr(m) | 1u << 5);
	if (m->el_pending)
		apmu_machine__state_is(m, apmu_machine__start_state(m));
	else
		apmu_machine__state_look(m);
	apmu_machine__vector_look(m);
	apmu_machine__controls_look(m);
	apmu_machine__pc_set(m, entry & ~(uint64_t)(m->thumb || m->model->a64 ? 1 : 3));
}

static int choose_level(struct apmu_machine *m, bool a64, char *error, size_t size)
{
	unsigned el = m->config.el ? m->config.el : 1;
	bool there = el == 1 || (m->core->features >> (el == 2 ? APMU_FEATURE_EL2 : APMU_FEATURE_EL3) & 1);

	if (!a64 && el == 3) /* Security Extensions */
		there = m->model->vector_base;
	if (!a64 && el == 2)
		there = there && m->model->lpae; /* models that have Hyp mode have LPAE too */
	m->highest_el = (uint8_t)el;
	if (el > 3 || !there)
		return apmu_base__say(error, size, APMU_EINVAL, "%s has no EL%u", m->core->name, el);
	return 0;
}

int apmu_machine__start(struct apmu_machine *m, bool a64, uint64_t entry, char *error, size_t size)
{
	const char *name = a64 ? m->core->unicorn : m->core->unicorn32;
	int code = 0;

	if (!name)
		return apmu_base__say(error, size, APMU_EINVAL, "%s runs no %s programs", m->core->name,
				      a64 ? "AArch64" : "AArch32");
	if (m->uc && m->model->a64 != a64)
		return apmu_base__say(error, size, APMU_EINVAL,
				      "an AArch32 and an AArch64 program in one machine");
	m->model = apmu_machine__cpu_model(name);
	if (!m->model)
		return apmu_base__say(error, size, APMU_EINVAL, "%s: no model '%s' in libunicorn",
				      m->core->name, name);
	code = choose_level(m, a64, error, size);
	if (code == 0 && !m->uc)
		code = open_cpu(m, error, size);
	if (code == 0)
		reset(m, entry);
	return code;
}

int apmu_machine_load(struct apmu_machine *m, const void *bytes, size_t n, uint64_t address, bool entry,
		      char *error, size_t size)
{
	bool a64 = m->core->unicorn && !m->config.aarch32;
	bool thumb = entry && !a64 && (address & 1 || m->config.thumb);
	uint64_t at = thumb ? address & ~(uint64_t)1 : address;
	uint8_t *host = apmu_machine__host(m, at, n);
	int code;

	if (entry && at % (thumb ? 2 : 4) != 0)
		return apmu_base__say(error, size, APMU_EINVAL,
				      "0x%llx is no address of %s code: it is not a multiple of 4",
				      (unsigned long long)address, a64 ? "A64" : "A32");
	if (!host)
		return apmu_base__say(error, size, APMU_EINVAL,
				      "0x%llx..0x%llx is not in the RAM of board '%s'",
				      (unsigned long long)at, (unsigned long long)at + n, m->board.row->name);
	memcpy(host, bytes, n);
	if (!entry)
		return 0;
	code = apmu_machine__start(m, a64, address | m->config.thumb, error, size);
	return code ? code : apmu_machine__boot(m, error, size);
}

#define STACK ((uint64_t)1 << 20)

/* Notes what semihosting tells a program of memory: the heap from the program's end on, the stack at the top
 * of that RAM. */
static void note_end(struct apmu_machine *m, uint64_t end)
{
	for (unsigned i = 0; i < APMU_MACHINE__RAMS; i++) {
		uint64_t top = m->ram[i].base + m->ram[i].size;

		if (end <= m->ram[i].base || end > top || end <= m->host.heap_base || top - end < 2 * STACK)
			continue;
		m->host.heap_base = (end + 0xFFF) & ~(uint64_t)0xFFF;
		m->host.heap_limit = m->host.stack_limit = top - STACK;
		m->host.stack_base = top;
	}
}

static int load_segment(struct apmu_machine *m, int fd, const GElf_Phdr *h, char *error, size_t size)
{
	uint8_t *host = h->p_filesz <= h->p_memsz ? apmu_machine__host(m, h->p_paddr, h->p_memsz) : NULL;

	if (!host)
		return apmu_base__say(error, size, APMU_EINVAL,
				      "segment 0x%llx..0x%llx is not in the RAM of board '%s'",
				      (unsigned long long)h->p_paddr,
				      (unsigned long long)h->p_paddr + h->p_memsz, m->board.row->name);
	memset(host, 0, h->p_memsz);
	if (h->p_offset > INT64_MAX ||
	    pread(fd, host, h->p_filesz, (off_t)h->p_offset) != (ssize_t)h->p_filesz)
		return apmu_base__say(error, size, -ENOEXEC, "the file ends within a segment");
	note_end(m, h->p_paddr + h->p_memsz);
	return 0;
}

/* Bytes of segments that are loaded at most: segments of hostile files lie on one another by the thousand.
 * Those of programs overlap now and then (a .bss at the address from which something else is copied), but do
 * not take the RAM twice. */
static uint64_t most_to_load(const struct apmu_machine *m)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < APMU_MACHINE__RAMS; i++)
		all += m->ram[i].size;
	return 2 * all;
}

/* Turns the entry point, a virtual address, into the physical one, if it is in this segment. */
static uint64_t placed(const GElf_Phdr *h, uint64_t entry)
{
	return entry - h->p_vaddr < h->p_memsz ? entry - h->p_vaddr + h->p_paddr : entry;
}

/* Offset added to all addresses: a position-independent program that is linked for where no RAM is goes to
 * the start of RAM; it relocates itself. */
static uint64_t bias_of(const struct apmu_machine *m, Elf *elf, size_t n)
{
	GElf_Ehdr header;
	GElf_Phdr h;

	if (!gelf_getehdr(elf, &header) || header.e_type != ET_DYN)
		return 0;
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &h); i++)
		if (h.p_type == PT_LOAD && h.p_memsz)
			return apmu_machine__host(m, h.p_paddr, h.p_memsz) ? 0 : m->ram[0].base;
	return 0;
}

static int load_segments(struct apmu_machine *m, int fd, Elf *elf, uint64_t *entry, char *error, size_t size)
{
	uint64_t left = most_to_load(m), linked = *entry, bias;
	size_t n = 0, loaded = 0;
	GElf_Phdr h;

	if (elf_getphdrnum(elf, &n) != 0)
		return apmu_base__say(error, size, -ENOEXEC, "no program headers");
	bias = bias_of(m, elf, n);
	for (size_t i = 0; i < n; i++) {
		int code = 0;

		if (!gelf_getphdr(elf, (int)i, &h))
			return apmu_base__say(error, size, -ENOEXEC, "broken program headers");
		if (h.p_type == PT_LOAD && h.p_memsz > left)
			return apmu_base__say(
				error, size, -ENOEXEC,
				"the file is damaged: its segments take more than twice the RAM");
		if (h.p_type == PT_LOAD && h.p_memsz) {
			left -= h.p_memsz;
			h.p_paddr += bias;
			code = load_segment(m, fd, &h, error, size);
			if (*entry == linked)
				*entry = placed(&h, linked);
			loaded++;
		}
		if (code)
			return code;
	}
	return loaded ? 0 : apmu_base__say(error, size, -ENOEXEC, "nothing in it is to be loaded");
}

static int load_open(struct apmu_machine *m, int fd, const struct apmu_isa__elf *about, char *error,
		     size_t size)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	GElf_Ehdr header;
	int code;

	if (!elf || !gelf_getehdr(elf, &header)) {
		elf_end(elf);
		return apmu_base__say(error, size, -ENOEXEC, "not an ELF program");
	}
	code = load_segments(m, fd, elf, &header.e_entry, error, size);
	elf_end(elf);
	if (code == 0)
		code = apmu_machine__start(m, about->machine == EM_AARCH64, header.e_entry, error, size);
	return code ? code : apmu_machine__boot(m, error, size);
}

int apmu_machine_load_elf(struct apmu_machine *m, const char *path, char *error, size_t size)
{
	struct apmu_isa__elf about;
	char why[200];
	int code = apmu_isa__elf_probe(path, &about, error, size), fd;

	if (code)
		return code;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return apmu_base__say(error, size, -errno, "%s: %s", path, strerror(errno));
	code = load_open(m, fd, &about, why, sizeof why);
	close(fd);
	return code ? apmu_base__say(error, size, code, "%s: %s", path, why) : 0;
}
