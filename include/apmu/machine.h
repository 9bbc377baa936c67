/* SPDX-License-Identifier: MIT */
/**
 * A whole machine: a bare-metal program on a modelled core and board, which programs that core's PMU with its
 * own instructions and takes its interrupt.
 *
 * What it is: one CPU (instructions run by libunicorn), memory, a board's devices, the core's event sources
 * (apmu/uarch.h) and its PMU (apmu/model.h). The guest sees that PMU alone, never the emulator's. What it is
 * not: stage 2 translation, more than one CPU, or a debugger.
 *
 * Exactness: an instruction's events are in the tally before the next one starts. A read of a PMU register
 * sees what came before the reading instruction; a write takes effect after the writing instruction was
 * counted, so the write that enables is not counted and the one that disables is. An overflow's interrupt is
 * taken before the next instruction. Two runs of one program give the same output, whatever the host does.
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

/* One PMU register access by the guest, made or refused. */
struct apmu_seen_access {
	uint64_t pc;
	uint64_t cycle; /* modelled time, core cycles since the start */
	uint64_t insns; /* instructions before this one */
	struct apmu_access at;
	enum apmu_outcome outcome;
	bool write;
	uint64_t value;             /* written; or read, if the outcome is APMU_DONE */
	const struct apmu_reg *reg; /* NULL: the core has none there */
	unsigned n;                 /* the counter that an indexed encoding names */
};

/* An exception that the machine entered. */
enum apmu_exception {
	APMU_EXCEPTION_UNDEFINED,
	APMU_EXCEPTION_SVC,
	APMU_EXCEPTION_TRAP, /* a system register, or what else a level may trap, with its syndrome */
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
	uint64_t from, vector; /* address of the instruction (IRQ, FIQ: not yet executed); of the handler */
	uint64_t cycle, insns;
	uint32_t syndrome; /* ESR_ELx, HSR; 0 in AArch32's other modes */
	uint64_t address;  /* of an abort */
	uint8_t el;        /* the level that took it */
};

/* Who watches. Calls come from inside apmu_machine_run(); any member may be NULL. They may read the machine
 * (apmu_machine_pmu() and kin) and ask it to stop, and must not change it. */
struct apmu_observer {
	void (*access)(void *ctx, const struct apmu_seen_access *seen);
	void (*exception)(void *ctx, const struct apmu_seen_exception *seen);
	/* The PMU's line changes; `cycle` as above. */
	void (*line)(void *ctx, enum apmu_line line, bool up, uint64_t cycle);
	void (*note)(void *ctx, enum apmu_note note, uint64_t detail, uint64_t pc);
	/* An instruction has been counted: `gained` is what it added, already taken by the PMU. Makes the
	 * machine look at the PMU after every instruction: slow. */
	void (*step)(void *ctx, uint64_t pc, uint64_t cycle, const struct apmu_tally *gained);
	void *ctx;
};

/* How far a run is, for whoever shares this memory with it: another process, after a crash. */
struct apmu_progress {
	volatile uint64_t pc, insns; /* of the instruction about to be executed; executed before it */
};

/* A device on one of the board's 32 virtio transports: a drive (whole sectors of 512 bytes), or a console
 * that receives the bytes. They are the caller's; a writable drive's change. */
struct apmu_virtio {
	bool console, writable;
	uint8_t bus; /* the transport: QEMU's virtio-mmio-bus.0 to 31 */
	void *bytes;
	uint64_t size;
};
#define APMU_VIRTIOS 4

struct apmu_machine_config {
	const struct apmu_core *core;          /* needed */
	const struct apmu_uarch_params *uarch; /* event sources; NULL: the core's row */
	const char *board;                     /* NULL: "bare" */
	uint64_t ram;                          /* bytes of the board's first RAM; 0: the board's own */
	bool pmu_to_fiq;                       /* wires the PMU's line to FIQ (board `bare`) */
	/* The highest exception level that is the program's own, where it starts; what is above is firmware,
	 * which answers HVC and SMC as PSCI. 1: EL1 (AArch32: Supervisor mode), also 0; 2: EL2 (Hyp mode); 3:
	 * EL3, as out of reset (AArch32: Secure Supervisor mode). */
	uint8_t el;
	/* Caches, TLBs and predictors are on and memory is cacheable, as a boot loader may leave them, until
	 * the program itself writes SCTLR. false: as out of reset, so all off. */
	bool warm;
	bool aarch32, thumb; /* a raw image is AArch32 code; ... starts in T32 */
	uint32_t cpi;        /* cycles of every instruction; 0: the core's timing model gives them */
	uint32_t skid;       /* instructions that an overflow's interrupt comes late */
	uint64_t core_hz;    /* of modelled time; 0: 1 GHz */
	uint64_t counter_hz; /* CNTFRQ; 0: 62.5 MHz */
	uint64_t wanted[APMU_SIGNAL_WORDS]; /* signals that the caller reads from the tally, besides the
					       guest's PMU */
	bool silent; /* what the guest executes adds nothing to the tally: apmu_machine_add() alone does */
	/* Bytes that the guest prints: by UART (stream 1) or semihosting (1, 2). NULL: lost. */
	void (*console)(void *ctx, int stream, const char *bytes, size_t n);
	size_t (*input)(void *ctx, void *to,
			size_t n); /* what it reads by semihosting; 0: the end. NULL: none */
	void *console_ctx;
	int folder;                     /* semihosting opens files below this directory; 0 or less: none */
	const char *command_line;       /* what semihosting calls the command line; NULL: empty */
	struct apmu_progress *progress; /* NULL: nobody looks */
	const void *uart_input; /* bytes that the board's UART receives, as fast as the guest takes them;
				   NULL: none */
	size_t uart_input_size;
	const struct apmu_virtio *virtio; /* `virtios` of them */
	size_t virtios;
	void (*warn)(void *ctx, const char *line); /* what a guest does wrong with them; ctx: console_ctx */
	bool flash;         /* the board's flash is there, for apmu_machine_load_firmware() */
	const void *initrd; /* an initial file system for apmu_machine_load_kernel(); NULL: none */
	size_t initrd_size;
	const void *device_tree; /* a blob to pass in x0 or r2; NULL: board virt has one made */
	size_t device_tree_size; /* bytes of it */
	const char *bootargs;    /* /chosen/bootargs of either; NULL: as it is */
	struct apmu_observer observer;
	/* libunicorn calls abort() when a guest executes certain words. While a machine runs SIGABRT is the
	 * library's, and such a run ends with APMU_STOP_ENGINE; the machine cannot go on. true: SIGABRT is
	 * left alone, and the process ends. */
	bool keep_sigabrt;
	/* The machine is called for each instruction, always. false: once for a block of plain integer
	 * instructions, where only counts are asked for; what is counted is the same. */
	bool by_insn;
};

/* Why a run ended. */
enum apmu_stop_reason {
	APMU_STOP_EXIT,      /* the guest said so (semihosting, PSCI): `status` */
	APMU_STOP_LIMIT,     /* max_insns were executed: run again to go on */
	APMU_STOP_TIME,      /* the time limit of apmu_machine_until() came */
	APMU_STOP_ASKED,     /* an observer called apmu_machine_stop() */
	APMU_STOP_WAIT,      /* waits for an interrupt that can never come */
	APMU_STOP_UNHANDLED, /* an exception for which the guest has no handler */
	APMU_STOP_LOOP,      /* exceptions without end: the handler itself faults */
	APMU_STOP_ENGINE,    /* the emulator gave up */
	APMU_STOP_REASONS
};

struct apmu_stop {
	enum apmu_stop_reason reason;
	int status;         /* APMU_STOP_EXIT: 0..255 */
	uint64_t pc;        /* of the instruction that did it or would have been next */
	uint64_t fault;     /* address of the last abort */
	uint64_t insns;     /* executed since the machine was made */
	uint64_t cycles;    /* modelled time */
	uint64_t slept;     /* of these, spent waiting for an interrupt */
	uint64_t undecoded; /* instructions that no row of the classifier knows, executed */
	uint32_t undecoded_word;
	uint64_t
		polled; /* instructions for which it has read a counter of time again and again, at its end */
	char what[200]; /* one sentence, for people: "undefined instruction 0xe7f000f0" */
};

/* Makes a machine. 0; APMU_EINVAL or APMU_ENOENT with one line in `error` (`size` bytes) for what no machine
 * can be made of; APMU_ENOMEM. */
int apmu_machine_new(const struct apmu_machine_config *config, struct apmu_machine **out, char *error,
		     size_t size);
void apmu_machine_free(struct apmu_machine *m);

/* Loads a program and sets the PC to its entry. 0, or a negative errno value with one line in `error`. */
int apmu_machine_load_elf(struct apmu_machine *m, const char *path, char *error, size_t size);
/* Bytes at an address; `entry`: the PC goes there (bit 0: T32). */
int apmu_machine_load(struct apmu_machine *m, const void *bytes, size_t n, uint64_t address, bool entry,
		      char *error, size_t size);

/* Loads a kernel as Linux's boot protocols say: an AArch64 Image or an AArch32 zImage, with a device tree.
 * The file is not trusted. */
int apmu_machine_load_kernel(struct apmu_machine *m, const void *bytes, size_t n, char *error, size_t size);

/* Firmware of the board, such as u-boot: its bytes go to the flash, where it starts, and the device tree lies
 * at the start of RAM. Needs config.flash. */
int apmu_machine_load_firmware(struct apmu_machine *m, const void *bytes, size_t n, char *error, size_t size);

/* Loads a static Linux program (EABI or AArch64) to be run at EL0 or User mode, its system calls answered by
 * the machine: docs/machine.md says which. argv and envp are NULL-terminated, argv[0] is the program's file;
 * envp NULL: empty. The board is "linux". User code may reach the PMU, as PMUSERENR and its like permit it;
 * on cores that have none the program runs in System mode. */
int apmu_machine_load_linux(struct apmu_machine *m, const char *const *argv, const char *const *envp,
			    char *error, size_t size);

/* Runs until something of enum apmu_stop_reason happens; `max_insns` 0: without that limit. 0 or APMU_ENOMEM.
 * A machine whose run ended with APMU_STOP_LIMIT, _TIME or _ASKED goes on when run again. */
int apmu_machine_run(struct apmu_machine *m, uint64_t max_insns, struct apmu_stop *stop);

/* Ends the next run when modelled time reaches `cycle`; 0: no such limit. */
void apmu_machine_until(struct apmu_machine *m, uint64_t cycle);

/* From an observer: the run ends before the next instruction. */
void apmu_machine_stop(struct apmu_machine *m);

/* An event source outside adds to the tally, between runs or from an observer: the PMU takes it when it is
 * next looked at. */
void apmu_machine_add(struct apmu_machine *m, enum apmu_signal signal, uint64_t n);

/* What is inside. The PMU is as of the last register access or overflow; apmu_machine_settle() makes it, and
 * the tally, current. */
void apmu_machine_settle(struct apmu_machine *m);
const struct apmu *apmu_machine_pmu(const struct apmu_machine *m);
const struct apmu_tally *apmu_machine_tally(const struct apmu_machine *m);
uint64_t apmu_machine_cycle(const struct apmu_machine *m);
uint64_t apmu_machine_insns(const struct apmu_machine *m);
uint64_t apmu_machine_pc(const struct apmu_machine *m);

/* The guest's registers, for reports: name and value of the i-th; false beyond the last. */
bool apmu_machine_register(const struct apmu_machine *m, unsigned i, const char **name, uint64_t *value);

/* The guest's memory as its own loads see it (virtual), or as the bus sees it. False if any byte is not RAM.
 */
bool apmu_machine_peek(const struct apmu_machine *m, uint64_t address, void *to, size_t n, bool physical);

/* False: the libunicorn that is linked tells only some of a guest's accesses on this host, so that caches,
 * TLBs, time and what they count lack the others. Takes a millisecond. */
bool apmu_machine_sees_accesses(void);

#ifdef __cplusplus
}
#endif

#endif
