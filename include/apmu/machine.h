/* SPDX-License-Identifier: MIT */
/**
 * A whole machine: a bare-metal program on a modelled core and board, which programs that core's PMU with its
 * own instructions and takes its interrupt.
 *
 * What it is: one CPU (instructions run by libunicorn), memory, a board's devices, the core's event sources
 * (apmu/uarch.h) and its PMU (apmu/model.h). The guest sees that PMU alone, never the emulator's. What it is
 * not: more than one CPU, or a debugger.
 *
 * Exactness: an instruction's events are in the tally before the next one starts. A read of a PMU register
 * sees the events of the instructions before the reading one. A write takes effect after the writing
 * instruction was counted, so the write that enables counting is not counted and the one that disables it is.
 * An overflow's interrupt is taken before the next instruction. Two runs of one program give the same output
 * on any host.
 *
 * Use:
 *     struct apmu_machine_config config = {.core = apmu_core_find("arm1136"), .console = my_output};
 *     struct apmu_machine *m;
 *     if (apmu_machine_new(&config, &m, error, sizeof error) == 0 &&
 *         apmu_machine_load_elf(m, "firmware.elf", error, sizeof error) == 0)
 *             apmu_machine_run(m, 0, &stop);
 *     apmu_machine_free(m);
 *
 * Inaccuracies: docs/machine.md, docs/accuracy.md#machine.
 *
 * Threads: a machine belongs to one thread at a time; several machines may run in several threads. Hosted:
 * allocates at creation and while the guest runs, within bounds. A guest is not trusted, but libunicorn runs
 * in the caller's process: docs/machine.md says what `apmu run` does about that.
 */
#ifndef APMU_MACHINE_H
#define APMU_MACHINE_H

#include <apmu/model.h>
#include <apmu/uarch.h>

#ifdef __cplusplus
extern "C" {
#endif

struct apmu_machine;

/* One access of the guest to a PMU register, made or refused. */
struct apmu_seen_access {
	uint64_t pc;
	uint64_t cycle; /* modelled time, core cycles since the start */
	uint64_t insns; /* instructions before this one */
	struct apmu_access at;
	enum apmu_outcome outcome;
	bool write;
	uint64_t value;             /* the value written; or, if the outcome is APMU_DONE, the value read */
	const struct apmu_reg *reg; /* NULL: the core has no register there */
	unsigned n;                 /* the counter that an indexed encoding names */
};

/* An exception that the machine entered. */
enum apmu_exception {
	APMU_EXCEPTION_UNDEFINED,
	APMU_EXCEPTION_SVC,
	APMU_EXCEPTION_TRAP, /* a trapped system register access or instruction, with its syndrome */
	APMU_EXCEPTION_PREFETCH,
	APMU_EXCEPTION_DATA,
	APMU_EXCEPTION_BREAKPOINT,
	APMU_EXCEPTION_IRQ,
	APMU_EXCEPTION_FIQ,
	APMU_EXCEPTION_HVC,
	APMU_EXCEPTION_SMC,
	APMU_EXCEPTION_SERROR, /* virtual, from HCR_EL2.VSE, HCR.VA; AArch32: an asynchronous data abort */
	APMU_EXCEPTIONS
};
struct apmu_seen_exception {
	enum apmu_exception what;
	uint64_t from, vector; /* address of the instruction (IRQ, FIQ: the next one); of the handler */
	uint64_t cycle, insns;
	uint32_t syndrome; /* ESR_ELx or HSR; 0 if taken to another AArch32 mode */
	uint64_t address;  /* fault address of an abort */
	uint8_t el;        /* the exception level that took it */
};

/* Callbacks that observe a run. They are called from inside apmu_machine_run(); any member may be NULL. They
 * may read the machine (apmu_machine_pmu() and similar) and ask it to stop, and must not change it. */
struct apmu_observer {
	void (*access)(void *ctx, const struct apmu_seen_access *seen);
	void (*exception)(void *ctx, const struct apmu_seen_exception *seen);
	/* A line of the PMU changed, in core cycle `cycle`. */
	void (*line)(void *ctx, enum apmu_line line, bool up, uint64_t cycle);
	void (*note)(void *ctx, enum apmu_note note, uint64_t detail, uint64_t pc);
	/* An instruction has been counted: `gained` is what it added, which the PMU has taken. The machine
	 * then looks at the PMU after every instruction, which is slow. */
	void (*step)(void *ctx, uint64_t pc, uint64_t cycle, const struct apmu_tally *gained);
	void *ctx;
};

/* The progress of a run, in memory that another process may share to read it after a crash. */
struct apmu_progress {
	volatile uint64_t pc, insns; /* address of the next instruction; instructions before it */
};

/* A device on one of the board's 32 virtio transports: a drive (whole sectors of 512 bytes), or a console
 * that receives `bytes`. The caller owns the bytes; the guest changes those of a writable drive. */
struct apmu_virtio {
	bool console, writable;
	uint8_t bus; /* the transport: QEMU's virtio-mmio-bus.0 to 31 */
	void *bytes;
	uint64_t size;
};
#define APMU_VIRTIOS 4

struct apmu_machine_config {
	const struct apmu_core *core;          /* required */
	const struct apmu_uarch_params *uarch; /* parameters of the event sources; NULL: the core's row */
	const char *board;                     /* NULL: "bare" */
	uint64_t ram;    /* bytes of the board's first RAM, rounded up to 4 KiB; 0: the board's default */
	bool pmu_to_fiq; /* the PMU's interrupt line is wired to FIQ (board `bare`) */
	/* The highest exception level that belongs to the program, in which it starts; above that is
	 * firmware, which answers HVC and SMC as PSCI. 1 (or 0): EL1 (AArch32: Supervisor mode); 2: EL2 (Hyp
	 * mode); 3: EL3, as out of reset (AArch32: Secure Supervisor mode). */
	uint8_t el;
	/* true: caches, TLBs and predictors are on and memory is cacheable, as a boot loader may leave them,
	 * until the program itself writes SCTLR. false: as out of reset, all off. */
	bool warm;
	bool aarch32, thumb;                /* a raw image is AArch32 code; it starts in T32 */
	uint32_t cpi;                       /* cycles of every instruction; 0: from the core's timing model */
	uint32_t skid;                      /* instructions by which an overflow's interrupt is late */
	uint64_t core_hz;                   /* core cycles per second of modelled time; 0: 1 GHz */
	uint64_t counter_hz;                /* CNTFRQ, Hz; 0: 62.5 MHz */
	uint64_t wanted[APMU_SIGNAL_WORDS]; /* signals that the caller reads from the tally, besides the
					       guest's PMU */
	bool silent; /* the guest's instructions add nothing to the tally, only apmu_machine_add() does */
	/* Receives bytes that the guest prints by UART (stream 1) or semihosting (1, 2). NULL: they are
	 * dropped. */
	void (*console)(void *ctx, int stream, const char *bytes, size_t n);
	size_t (*input)(void *ctx, void *to, size_t n); /* gives bytes that the guest reads by semihosting and
							   returns how many, 0 at the end; NULL: none */
	void *console_ctx;
	int folder; /* descriptor of the directory under which semihosting opens files; 0 or less: none */
	const char *command_line;       /* the command line that semihosting reports; NULL: empty */
	struct apmu_progress *progress; /* NULL: not recorded */
	const void *uart_input; /* bytes that the board's UART receives as fast as the guest reads them; NULL:
				   none */
	size_t uart_input_size;
	const struct apmu_virtio *virtio; /* `virtios` devices */
	size_t virtios;
	/* Receives one line when the guest uses a virtio device against its rules; ctx: console_ctx. NULL: it
	 * is dropped. */
	void (*warn)(void *ctx, const char *line);
	bool flash;         /* the board has its flash, for apmu_machine_load_firmware() */
	const void *initrd; /* an initial file system for apmu_machine_load_kernel(); NULL: none */
	size_t initrd_size;
	const void *device_tree; /* a blob to pass in x0 or r2; NULL: one is made for board virt */
	size_t device_tree_size; /* bytes */
	const char *bootargs;    /* sets /chosen/bootargs of either; NULL: unchanged */
	struct apmu_observer observer;
	/* libunicorn calls abort() when a guest executes certain words. false: while a machine runs, SIGABRT
	 * belongs to the library; such a run ends with APMU_STOP_ENGINE, and the machine cannot continue.
	 * true: SIGABRT is left alone, and the process ends. */
	bool keep_sigabrt;
	/* true: the emulator calls the machine for every instruction. false: once per block of plain integer
	 * instructions where only counts are asked for; the counts are the same. */
	bool by_insn;
	/* KiB of translated code, as estimated from the code's size, after which the emulator begins anew
	 * without translations: libunicorn fails when it has some 1,048,576. Linux programs and cores with an
	 * MPU have no such limit. 0: 524,288. */
	uint32_t translations;
};

/* Why a run ended. */
enum apmu_stop_reason {
	APMU_STOP_EXIT,      /* the guest exited (semihosting, PSCI): `status` */
	APMU_STOP_LIMIT,     /* max_insns instructions were executed; run again to continue */
	APMU_STOP_TIME,      /* the time limit of apmu_machine_until() was reached */
	APMU_STOP_ASKED,     /* an observer called apmu_machine_stop() */
	APMU_STOP_WAIT,      /* the guest waits for an interrupt that can never come */
	APMU_STOP_UNHANDLED, /* an exception for which the guest has no handler */
	APMU_STOP_LOOP,      /* endless exceptions: the handler itself faults */
	APMU_STOP_ENGINE,    /* the emulator failed */
	APMU_STOP_REASONS
};

struct apmu_stop {
	enum apmu_stop_reason reason;
	int status;         /* APMU_STOP_EXIT: exit status, 0 to 255 */
	uint64_t pc;        /* address of the instruction that ended the run or would have been next */
	uint64_t fault;     /* address of the last abort */
	uint64_t insns;     /* instructions executed since the machine was made */
	uint64_t cycles;    /* modelled time, core cycles */
	uint64_t slept;     /* the cycles of them that were spent waiting for an interrupt */
	uint64_t undecoded; /* executed instructions that no row of the classifier knows */
	uint32_t undecoded_word;
	uint64_t polled; /* length, in instructions, of the polling of a time counter in which the run ended;
			    0: none */
	char what[200];  /* one sentence for messages: "undefined instruction 0xe7f000f0" */
};

/* Makes a machine. 0; APMU_EINVAL or APMU_ENOENT if the configuration is impossible, with one line in `error`
 * (`size` bytes); APMU_ENOMEM. What depends on the program (`el`, `aarch32`, `device_tree`) is checked when
 * one is loaded. */
int apmu_machine_new(const struct apmu_machine_config *config, struct apmu_machine **out, char *error,
		     size_t size);
void apmu_machine_free(struct apmu_machine *m);

/* Loads a program and sets the PC to its entry. 0, or a negative errno value with one line in `error`. */
int apmu_machine_load_elf(struct apmu_machine *m, const char *path, char *error, size_t size);
/* Loads bytes at an address. `entry`: also sets the PC to it; then bit 0 is not part of the address but says
 * that the code is T32, of which A64 code has none. */
int apmu_machine_load(struct apmu_machine *m, const void *bytes, size_t n, uint64_t address, bool entry,
		      char *error, size_t size);

/* Loads a kernel by Linux's boot protocols, an AArch64 Image or an AArch32 zImage, with a device tree. The
 * file is not trusted. */
int apmu_machine_load_kernel(struct apmu_machine *m, const void *bytes, size_t n, char *error, size_t size);

/* Loads firmware of the board, such as U-Boot, into the flash, where it starts; the device tree is at the
 * start of RAM. Needs config.flash. */
int apmu_machine_load_firmware(struct apmu_machine *m, const void *bytes, size_t n, char *error, size_t size);

/* Loads a static Linux program (EABI or AArch64) to run at EL0 or in User mode; the machine answers its
 * system calls (docs/machine.md says which). argv and envp are NULL-terminated, argv[0] is the program's
 * file; envp NULL: empty. The board is "linux". User code may reach the PMU as far as PMUSERENR or its
 * equivalent permits; on cores without such a register the program runs in System mode. */
int apmu_machine_load_linux(struct apmu_machine *m, const char *const *argv, const char *const *envp,
			    char *error, size_t size);

/* Runs until one of enum apmu_stop_reason; `max_insns` 0: no limit. 0; APMU_EINVAL if no program is loaded,
 * then *stop is untouched. A machine whose run ended with APMU_STOP_LIMIT, _TIME or _ASKED continues when run
 * again; after _TIME set a later limit first. */
int apmu_machine_run(struct apmu_machine *m, uint64_t max_insns, struct apmu_stop *stop);

/* From now on runs end when modelled time reaches `cycle`, in core cycles; 0: no such limit. */
void apmu_machine_until(struct apmu_machine *m, uint64_t cycle);

/* For an observer: ends the run before the next instruction. */
void apmu_machine_stop(struct apmu_machine *m);

/* Adds `n` to a signal of the tally for an event source outside the machine, between runs or from an
 * observer. The PMU counts it when it next reads the tally. */
void apmu_machine_add(struct apmu_machine *m, enum apmu_signal signal, uint64_t n);

/* The parts of the machine. The PMU is as of the last register access or overflow; apmu_machine_settle()
 * brings it and the tally up to date. */
void apmu_machine_settle(struct apmu_machine *m);
const struct apmu *apmu_machine_pmu(const struct apmu_machine *m);
const struct apmu_tally *apmu_machine_tally(const struct apmu_machine *m);
uint64_t apmu_machine_cycle(const struct apmu_machine *m);
uint64_t apmu_machine_insns(const struct apmu_machine *m);
uint64_t apmu_machine_pc(const struct apmu_machine *m);

/* Name and value of the guest's i-th register, for reports; false beyond the last. */
bool apmu_machine_register(const struct apmu_machine *m, unsigned i, const char **name, uint64_t *value);

/* Reads the guest's memory as its own loads see it (virtual), or as the bus sees it (physical). False if any
 * byte is not RAM, or before a program is loaded. */
bool apmu_machine_peek(const struct apmu_machine *m, uint64_t address, void *to, size_t n, bool physical);

/* False if the linked libunicorn reports only some of a guest's accesses on this host, so that caches, TLBs,
 * time and their counts miss the others. Takes a millisecond. */
bool apmu_machine_sees_accesses(void);

#ifdef __cplusplus
}
#endif

#endif
