/* SPDX-License-Identifier: MIT */
/*
 * Linux programs: there is no kernel, so no exception is entered. linux-user/linux.h answers a supervisor
 * call; any other exception enters the program's signal handler or ends the run.
 */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "machine/counting.h"
#include "machine/emulator.h"
#include "machine/exceptions.h"
#include "machine/linux_process.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"

#include "base/error_line.h"
#include "isa/elf_probe.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM_MOST ((off_t)512 << 20)
#define RT_SIGRETURN 0xD2801168u /* mov x8, #139 */
#define SVC          0xD4000001u
#define SVC_NUMBER32 7u
#define SVC_NUMBER64 8u

#define SCTLR_EL1 (3u << 16 | 1 << 8)
#define SP_EL0    (3u << 16 | 4 << 8 | 1 << 4)

#define SCTLR_USER    (1u << 14 | 1u << 15 | 1u << 16 | 1u << 18 | 1u << 26) /* DZE, UCT, nTWI, nTWE, UCI */
#define CPACR_CP10_11 (0xFu << 20)
#define FPEXC_EN      (1u << 30)
#define SPSR_USER     0x3C0u /* EL0, all masked */
#define CPSR_USER     0x10u  /* nothing masked, as a kernel runs programs */
#define CPSR_SYSTEM   0x1Fu

/* What a kernel reports for a core of each version of the architecture (arch/arm/include/uapi/asm/hwcap.h):
 * SWP, HALF, THUMB, FAST_MULT, EDSP; VFP and TLS; NEON, VFPv3. AArch64: FP, ASIMD, CRC32. */
static const struct {
	const char *uname, *platform;
	uint32_t hwcap;
} systems[] = {
	[5] = {"armv5tel", "v5l", 0x97},
	[6] = {"armv6l", "v6l", 0x80D7},
	[7] = {"armv7l", "v7l", 0xB0D7},
	[8] = {"armv8l", "v8l", 0xB0D7},
};

static void configure(struct apmu_machine *m, const char *const *argv, const char *const *envp,
		      struct apmu_linux__config *config)
{
	*config = (struct apmu_linux__config){
		.aarch64 = m->model->a64,
		.argv = argv,
		.envp = envp,
		.uname = m->model->a64 ? "aarch64" : systems[m->model->version].uname,
		.platform = m->model->a64 ? "aarch64" : systems[m->model->version].platform,
		.hwcap = m->model->a64 ? 0x83 : systems[m->model->version].hwcap,
		.core_hz = m->config.core_hz ? m->config.core_hz : 1000000000,
		.folder = m->config.folder > 0 ? m->config.folder : -1,
	};
}

/* Gives user code access to the PMU, and starts the cycle counter. A core takes the writes to those registers
 * that it has: ARM11's PMNC, XScale's two, PMUSERENR, PMCR, PMCNTENSET. */
static void open_pmu(struct apmu_machine *m)
{
	static const struct {
		struct apmu_access at;
		uint32_t value;
	} rows[] = {
		{{APMU_VIEW_CP, 15u << 16 | 15 << 8 | 12 << 4, {.el = 1}}, 1},
		{{APMU_VIEW_CP, 14u << 16, {.el = 1}}, 1},
		{{APMU_VIEW_CP, 14u << 16 | 1 << 4, {.el = 1}}, 1},
		{{APMU_VIEW_CP, 15u << 16 | 9 << 8 | 14 << 4, {.el = 1}}, 0xF},
		{{APMU_VIEW_CP, 15u << 16 | 9 << 8 | 12 << 4 | 1, {.el = 1}}, 1u << APMU_CYCLE_COUNTER},
		{{APMU_VIEW_CP, 15u << 16 | 9 << 8 | 12 << 4, {.el = 1}}, 0x41},
		{{APMU_VIEW_A64, 3u << 16 | 3u << 12 | 9 << 8 | 14 << 4, {.el = 1}}, 0xF},
		{{APMU_VIEW_A64, 3u << 16 | 3u << 12 | 9 << 8 | 12 << 4 | 1, {.el = 1}},
		 1u << APMU_CYCLE_COUNTER},
		{{APMU_VIEW_A64, 3u << 16 | 3u << 12 | 9 << 8 | 12 << 4, {.el = 1}}, 0x41},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct apmu_access at = rows[i].at;

		if ((at.view == APMU_VIEW_A64) != m->model->a64)
			continue;
		at.from.security = m->mode.security;
		apmu_write(&m->pmu, at, rows[i].value);
	}
	apmu_machine__rewatch(m);
}

/* CNTKCTL: lets user code read the counters, as Linux does. */
static void open_timer(struct apmu_machine *m)
{
	const struct apmu_access a64 = {APMU_VIEW_A64, apmu_sysreg(3, 0, 14, 1, 0), {.el = 1}};
	const struct apmu_access a32 = {APMU_VIEW_CP, apmu_cp(15, 0, 14, 1, 0), {.el = 1}};

	apmu_board__sysreg_write(&m->board, m->model->a64 ? a64 : a32, 3);
}

static int enter64(struct apmu_machine *m, const struct apmu_linux__begin *begin)
{
	static const uint32_t back[2] = {RT_SIGRETURN, SVC};
	const struct apmu_machine__landing landing = {.pc = begin->entry, .state = SPSR_USER};

	memcpy(m->ram[1].bytes + (APMU_LINUX__TRAMPOLINE - m->ram[1].base), back, sizeof back);
	if (uc_mem_map_ptr(m->uc, m->ram[1].base, APMU_LINUX__PAGE, UC_PROT_READ | UC_PROT_EXEC,
			   m->ram[1].bytes) != UC_ERR_OK)
		return APMU_ENOMEM;
	apmu_machine__sys_set(m, SCTLR_EL1, apmu_machine__sys(m, SCTLR_EL1) | SCTLR_USER);
	apmu_machine__sys_set(m, SP_EL0, begin->stack);
	apmu_machine__pc_set(m, m->ram[1].base);
	if (!apmu_machine__switch_el(m, 1, 0, &landing)) /* not counted, as a kernel's instructions are not */
		return APMU_ENOMEM;
	m->after = APMU_MACHINE__AFTER_MOVED | APMU_MACHINE__AFTER_EL | APMU_MACHINE__AFTER_STATE;
	return 0;
}

/* ARM11 and XScale cores (APMU_ACCESS_PLAIN) never let User mode access their PMU: there the program runs in
 * System mode, which differs in privilege alone. */
static int enter32(struct apmu_machine *m, const struct apmu_linux__begin *begin)
{
	uint32_t mode = m->core->access_rule == APMU_ACCESS_PLAIN ? CPSR_SYSTEM : CPSR_USER;
	uint32_t fpexc = FPEXC_EN;

	if (m->model->version >= 6) {
		apmu_machine__cp_set(m, 0, 1, 0, 2, apmu_machine__cp(m, 0, 1, 0, 2) | CPACR_CP10_11);
		uc_reg_write(m->uc, UC_ARM_REG_FPEXC, &fpexc);
	}
	apmu_machine__cpsr_set(m, mode | (begin->entry & 1 ? CPSR_T : 0));
	apmu_machine__state_look(m);
	apmu_machine__reg_set(m, 13, begin->stack);
	apmu_machine__pc_set(m, begin->entry & ~(uint64_t)1);
	return 0;
}

static int begin(struct apmu_machine *m, const struct apmu_isa__elf *about, const void *file, size_t n,
		 const char *const *argv, const char *const *envp, char *error, size_t size)
{
	struct apmu_linux__config config;
	struct apmu_linux__begin at;
	int code = apmu_machine__start(m, about->machine == 183, 0, error, size);

	if (code)
		return code;
	configure(m, argv, envp, &config);
	apmu_machine__linux_memory(m, &config.machine);
	code = apmu_linux__start(m->process, &config, file, n, &at, error, size);
	if (code)
		return code;
	open_pmu(m);
	open_timer(m);
	code = m->model->a64 ? enter64(m, &at) : enter32(m, &at);
	return code ? apmu_base__say(error, size, code, "no memory for the first instructions") : 0;
}

static int read_file(const char *path, void **bytes, size_t *n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), code = 0;
	struct stat about;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &about) != 0 || about.st_size > PROGRAM_MOST)
		code = -EFBIG;
	*n = code ? 0 : (size_t)about.st_size;
	*bytes = malloc(*n + 1);
	if (code == 0 && (!*bytes || read(fd, *bytes, *n) != (ssize_t)*n))
		code = -EIO;
	close(fd);
	return code;
}

int apmu_machine_load_linux(struct apmu_machine *m, const char *const *argv, const char *const *envp,
			    char *error, size_t size)
{
	struct apmu_isa__elf about;
	char why[160] = "cannot be read";
	void *file = NULL;
	size_t n = 0;
	int code = apmu_isa__elf_probe(argv[0], &about, error, size);

	if (code)
		return code;
	if (m->ram[0].bytes || m->process)
		return apmu_base__say(error, size, APMU_EINVAL,
				      "a Linux program wants the board 'linux' to itself");
	m->process = calloc(1, sizeof *m->process);
	code = m->process ? apmu_machine__linux_reserve(m, error, size)
			  : apmu_base__say(error, size, APMU_ENOMEM, "no memory");
	if (code)
		return code;
	code = read_file(argv[0], &file, &n);
	if (code == 0)
		code = begin(m, &about, file, n, argv, envp, why, sizeof why);
	free(file);
	if (code)
		snprintf(error, size, "%s: %s", argv[0], why);
	return code;
}

void apmu_machine__linux_free(struct apmu_machine *m)
{
	if (m->process)
		apmu_linux__close(m->process);
	free(m->process);
}

static void finish(struct apmu_machine *m, const struct apmu_machine__code *c, uint64_t number,
		   const struct apmu_linux__result *result)
{
	const char *name = result->name ? result->name : "no such call";

	switch (result->end) {
	case APMU_LINUX__RETURN:
	case APMU_LINUX__RESUMED: break;
	case APMU_LINUX__EXIT:
		m->stop.status = result->status;
		apmu_machine__end(m, APMU_STOP_EXIT, c->address, "the program ended with status %d",
				  result->status);
		break;
	case APMU_LINUX__KILLED:
		m->stop.status = 128 + result->status;
		apmu_machine__end(m, APMU_STOP_EXIT, c->address, "the program was ended by signal %d",
				  result->status);
		break;
	case APMU_LINUX__UNKNOWN:
		apmu_machine__end(
			m, APMU_STOP_UNHANDLED, c->address,
			"Linux system call %llu (%s) is not provided; 'apmu stat' runs such programs",
			(unsigned long long)number, name);
		break;
	case APMU_LINUX__STUCK:
		apmu_machine__end(m, APMU_STOP_WAIT, c->address,
				  "%s waits for another thread or process, and there is none", name);
		break;
	}
}

void apmu_machine__linux_svc(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	uint64_t number = apmu_machine__reg(m, m->model->a64 ? SVC_NUMBER64 : SVC_NUMBER32), args[6];
	struct apmu_linux__result result;

	for (unsigned i = 0; i < 6; i++)
		args[i] = apmu_machine__reg(m, i);
	result = apmu_linux__call(m->process, number, args, apmu_machine__now(m));
	if (result.idle) {
		m->slept += result.idle < UINT64_MAX - m->slept ? result.idle : 0;
		apmu_board__advance(&m->board, apmu_machine__now(m));
		apmu_machine__rewatch(m);
	}
	if (result.end != APMU_LINUX__RESUMED)
		apmu_machine__pc_set(m, c->address + c->size);
	if (result.end == APMU_LINUX__RETURN)
		apmu_machine__reg_set(m, 0, result.value);
	if (result.end == APMU_LINUX__RETURN || result.end == APMU_LINUX__RESUMED)
		result = apmu_linux__signal(m->process);
	finish(m, c, number, &result);
}

/* Signals that a kernel makes of exceptions: number, code of siginfo, name. A program that has a handler goes
 * on there. */
static const struct signal {
	uint8_t number, code;
	const char *name;
} signals[APMU_EXCEPTIONS] = {
	[APMU_EXCEPTION_UNDEFINED] = {4, 1, "SIGILL"},   [APMU_EXCEPTION_TRAP] = {4, 1, "SIGILL"},
	[APMU_EXCEPTION_PREFETCH] = {11, 1, "SIGSEGV"},  [APMU_EXCEPTION_DATA] = {11, 1, "SIGSEGV"},
	[APMU_EXCEPTION_BREAKPOINT] = {5, 1, "SIGTRAP"},
};

static const struct signal bus_error = {7, 1, "SIGBUS"};

/* True for the undefined instructions that debuggers set as breakpoints: the kernel makes another signal of
 * them (arch/arm/kernel/ptrace.c, arm_break_hook and its kin). */
static bool is_breakpoint(const struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	uint8_t b[4] = {0};

	if (e->what != APMU_EXCEPTION_UNDEFINED || m->model->a64 || e->size > sizeof b ||
	    !apmu_machine_peek(m, e->pc, b, e->size, false))
		return false;
	if (m->isa == APMU_ISA__A32)
		return b[0] == 0xF0 && b[1] == 0x01 && b[2] == 0xF0 && (b[3] & 0xF) == 0x7;
	return e->size == 2 ? b[0] == 0x01 && b[1] == 0xDE
			    : b[0] == 0xF0 && b[1] == 0xF7 && b[2] == 0x00 && b[3] == 0xA0;
}

/* True for an alignment fault, of which a kernel makes another signal: ESR's DFSC, DFSR's FS. */
static bool is_unaligned(const struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	uint32_t status = m->model->a64 ? e->syndrome & 0x3F : (e->syndrome & 0x40F) | 0x20;

	return e->what == APMU_EXCEPTION_DATA && status == 0x21;
}

/* Enters the program's signal handler; false if there is none, or if the instruction is in an IT block, where
 * the emulator's state is not that at the instruction. */
static bool handled(struct apmu_machine *m, const struct apmu_machine__entry *e, const struct signal *s)
{
	bool address = e->what == APMU_EXCEPTION_DATA || e->what == APMU_EXCEPTION_PREFETCH;

	if (!s->number || m->in_it)
		return false;
	apmu_machine__leave_run(m);
	m->current = NULL;
	m->target = e->pc;
	return apmu_linux__fault_signal(m->process, s->number, s->code, address ? e->address : e->pc);
}

void apmu_machine__linux_fault(struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	const struct signal *s = is_unaligned(m, e)    ? &bus_error
				 : is_breakpoint(m, e) ? &signals[APMU_EXCEPTION_BREAKPOINT]
						       : &signals[e->what];
	const char *name = s->name ? s->name : "an exception";

	if (handled(m, e, s))
		return;
	if (e->what == APMU_EXCEPTION_DATA || e->what == APMU_EXCEPTION_PREFETCH)
		apmu_machine__end(m, APMU_STOP_UNHANDLED, e->pc, "%s: %s, 0x%llx", name, e->why,
				  (unsigned long long)e->address);
	else
		apmu_machine__end(m, APMU_STOP_UNHANDLED, e->pc, "%s: %s", name, e->why);
}
