/* SPDX-License-Identifier: MIT */
/* clang-format off: the table of files below is not prose */
/**
 * What the files of src/machine share. Each question has one owner:
 *
 *   machine.c      creation, end, what callers see
 *   load.c         ELF files and images into memory
 *   boot.c         kernels and device trees
 *   run.c          the loop round uc_emu_start, and why it ended
 *   hook.c         what happens at each instruction
 *   code.c         which instruction is at an address
 *   blocks.c       which blocks are counted as a whole
 *   decode.c       which instructions the machine executes itself
 *   count.c        counts an instruction, and uncounts one that faults
 *   special.c      executes the instructions that decode.c names
 *   sysreg.c       system registers: the PMU's, the board's, ID registers
 *   clock.c        tallies, overflows, deadlines, WFI
 *   memory.c       RAM, devices, virtual addresses
 *   mmu.c          walks the guest's tables with the guest's registers
 *   cpu.c          the guest's registers
 *   interrupt.c    which exception is taken, and when
 *   enter32.c      entry into an AArch32 exception
 *   enter64.c      entry into an AArch64 exception
 *   hyp.c          entry into Hyp mode
 *   fault.c        aborts: the syndrome
 *   abort.c        aborts: the address
 *   level.c        EL2 and EL3: which level takes an exception
 *   el_switch.c    takes the emulator from one exception level to another
 *   aarch32_el0.c  AArch32 at EL0 of an AArch64 CPU
 *   it_block.c     T32's IT blocks, which the emulator cannot leave
 *   access_syndrome.c  what a load or store is, as EL2 is told
 *   abort_guard.c  survives libunicorn's abort()
 *   sve.c          keeps SVE disabled
 *   linux*.c       Linux programs: system calls, registers, address space
 *   host_names.c   the timers' register names at EL2 with HCR_EL2.E2H set
 *   host.c         semihosting and firmware calls
 *   models.c       the CPU models that libunicorn has
 *   preload.c      passes preloads' addresses to the event sources
 *   world.c        passes on what control registers, page tables and maintenance do to the units
 *   regions.c      tightly coupled memories, and a memory protection unit's regions
 *   identity.c     identification registers
 *
 * An instruction's life: hook.c is called before it runs. What the one before left to do is done, a deadline
 * or an interrupt is looked at, then it is counted (its events go into `raw`), then special.c may do it in
 * the emulator's place. If it faults, it is uncounted.
 */
/* clang-format on */
#ifndef APMU_MACHINE_MACHINE_INTERNAL_H
#define APMU_MACHINE_MACHINE_INTERNAL_H

#include <apmu/machine.h>

#include "board/board.h"
#include "board/memory.h"
#include "board/psci.h"
#include "board/semihost.h"
#include "board/walk.h"
#include "isa/classify.h"
#include "linux-user/linux.h"
#include "machine/aarch32_el0.h"
#include "machine/level.h"
#include "machine/linux_process.h"
#include "machine/models.h"
#include <string.h>
#include <unicorn/unicorn.h>

/* What the machine does itself instead of the emulator. */
enum apmu_machine__special {
	APMU_MACHINE__SPECIAL_NONE,
	APMU_MACHINE__SPECIAL_MRC,  /* also MCR, and the T32 forms */
	APMU_MACHINE__SPECIAL_MRRC, /* also MCRR */
	APMU_MACHINE__SPECIAL_MRS,  /* also MSR (register) */
	APMU_MACHINE__SPECIAL_SVC,
	APMU_MACHINE__SPECIAL_HVC,
	APMU_MACHINE__SPECIAL_SMC,
	APMU_MACHINE__SPECIAL_HLT,
	APMU_MACHINE__SPECIAL_BKPT,
	APMU_MACHINE__SPECIAL_NOP,  /* WFE, YIELD: the emulator takes them for undefined on AArch32 */
	APMU_MACHINE__SPECIAL_ERET, /* AArch64: looked at, then left to the emulator */
	APMU_MACHINE__SPECIAL_IT,
	APMU_MACHINE__SPECIAL_SVE,    /* writes of what controls SVE: sve.c */
	APMU_MACHINE__SPECIAL_UPKEEP, /* maintenance of caches, TLBs, predictors: world.c, then the emulator
				       */
};

/* What must be looked at once the instruction has run. */
#define APMU_MACHINE__AFTER_STATE 1u /* CPSR or PSTATE: mode, masks, instruction set */
#define APMU_MACHINE__AFTER_MAP   2u /* translation: what lies at an address may be something else now */
#define APMU_MACHINE__AFTER_IT    4u /* an IT block is under way */
#define APMU_MACHINE__AFTER_FIX   8u /* a register still has to get its value */

#define APMU_MACHINE__AFTER_MOVED 16u /* the PC has been written */
#define APMU_MACHINE__AFTER_EL    32u /* ... and the exception level */

#define APMU_MACHINE__AFTER_RESTORE \
	64u /* a register lent to the emulator gets its value back, fault or not */

/* Straight-line code from an address on, as the event sources take it: a block. */
#define APMU_MACHINE__RUN_MOST 32u /* instructions of a run */
struct apmu_machine__run {
	struct apmu_block *block;
	struct apmu_machine__run *next;  /* among m->deferred */
	struct apmu_machine__run *other; /* begins with the same division, of another quotient */
	unsigned n;
	uint8_t quotient;  /* of that division, as apmu_insn.quotient; else 0 */
	uint32_t cycles;   /* of all of it, alone on the core */
	uint32_t opcode[]; /* [n]: what it was made of */
};

/* An instruction at an address, as found once. */
struct apmu_machine__code {
	uint64_t address;
	uint64_t quick; /* m->key when it was found; 0: more than counting is to be done, or not in RAM */
	struct apmu_machine__run *run; /* that begins with it; NULL: none has begun here */
	struct apmu_block *block;      /* the run's */
	const uint8_t *bytes;          /* in RAM as the host has it; NULL: not in RAM */
	uint32_t word, mask;           /* `bytes` as the host reads them; `mask`: two bytes or four */
	uint32_t opcode, map;          /* `map`: the translation under which `bytes` was found */
	uint8_t size;                  /* bytes; 0: an empty place */
	uint8_t isa;                   /* enum apmu_isa__isa */
	uint8_t special;               /* enum apmu_machine__special */
	uint8_t after;                 /* APMU_MACHINE__AFTER_... */
	uint8_t cond;                  /* A32: condition; 14 elsewhere */
	bool decoded;                  /* a row of the classifier knows it */
	bool vector : 1;               /* A64: floating point or Advanced SIMD, which CPACR_EL1 may trap */
	bool divides : 1;              /* its time is by its operands: it begins a run */
	uint8_t memory : 4;            /* enum apmu_memory: where it lies */
	bool preloads;                 /* PLD, PRFM: the event sources want its address */
};
_Static_assert(sizeof(struct apmu_machine__code) == 64, "a place is a cache line");
#define APMU_MACHINE__CODES 65536u /* places for them, by address */

/* What memory a page is, as found once. */
struct apmu_machine__page {
	uint64_t page;  /* address / PAGE_BYTES */
	uint32_t map;   /* the translation under which it was found */
	uint8_t memory; /* enum apmu_memory */
	bool local;     /* of one ASID alone */
};
/* Where a page of code lies, as found once. */
struct apmu_machine__code_page {
	uint64_t page;     /* address / PAGE_BYTES */
	uint64_t physical; /* of its first byte */
	uint32_t map;      /* the translation under which it was found, plus 1; 0: none was */
	uint8_t memory;    /* enum apmu_memory, where the event sources want it */
};
/* An MPU's region, as its registers have it: DRBAR, DRSR, DRACR. */
struct apmu_machine__region {
	uint32_t base, size, access;
};
#define APMU_MACHINE__REGIONS 16u

#define PAGE_BYTES          0x1000u
#define APMU_MACHINE__PAGES 256u /* places for them, by address */

struct apmu_machine__ram_range {
	uint64_t base, size;
	uint8_t *bytes;
};
#define APMU_MACHINE__RAMS   2u
#define APMU_MACHINE__DUMMYS 256u

/* One window of the board's devices, as the emulator hands it back. */
struct apmu_machine__port {
	struct apmu_machine *m;
	uint64_t base;
};

/* Physical addresses that a device has written. */
struct apmu_machine__written {
	uint64_t begin, end;
};
#define APMU_MACHINE__WRITTENS 64u

#define APMU_MACHINE__WATCHES 64u
/* One signal that a counter counts: look at the PMU when raw.n[signal] gets there. */
struct apmu_machine__watch {
	uint64_t limit;
	uint16_t signal;
};

/* What the emulator said of a memory access that did not work. */
struct apmu_machine__bad_access {
	bool pending, write, fetch;
	bool nowhere; /* no region is there */
	uint64_t address;
	uint32_t instruction; /* access_syndrome.c */
	bool narrow;          /* ... of 16 bits */
};

struct apmu_machine {
	/* what hook.c looks at for each instruction, together */
	struct apmu_progress *progress;
	struct apmu_machine__code *code;    /* APMU_MACHINE__CODES, and two that stay empty */
	struct apmu_machine__code *current; /* being executed; NULL: none is */
	uint64_t insns;                     /* executed */
	uint64_t plain_until; /* up to so many, a plain instruction is counted and nothing else: hook.c */
	uint64_t look_insns;  /* look at PMU and board when `insns` gets there ... */
	uint64_t look_cycles; /* ... or the cycles counted so far */
	uint64_t key;         /* apmu_machine__set_key() */
	uint64_t run_next;    /* address of the next instruction of the run */
	uint64_t run_end;     /* `insns` once the run is through */
	unsigned step;        /* which of its instructions `current` is */
	struct apmu_machine__run *run; /* that `current` is in; NULL: none, or the event sources are off */
	unsigned after;                /* APMU_MACHINE__AFTER_... of the instruction before */
	unsigned virtual_lines;        /* virtual interrupts, as apmu_board__lines(), where they can come */
	bool modelled;                 /* the event sources run */
	bool operations;               /* what A64 instructions do is counted */
	bool step_done;                /* software step: the machine has done the instruction itself */
	uint8_t *nor_flash;            /* of the flash's second bank; NULL: the board has no flash */
	uint64_t poll_from,
		poll_last; /* instructions: where reading the time again and again began; the last time */
	uint64_t wanted[APMU_SIGNAL_WORDS]; /* of the event sources */

	struct apmu_machine_config config;
	const struct apmu_core *core;
	uc_engine *uc;                               /* NULL until something is loaded */
	const struct apmu_machine__cpu_model *model; /* with it */
	struct apmu_board__board board;
	struct apmu_board__semihost host;
	struct apmu_machine__ram_range ram[APMU_MACHINE__RAMS];
	struct apmu_machine__port port[APMU_BOARD__WINDOWS];
	size_t uart_fed; /* of config.uart_input */
	uint64_t initrd; /* where the initial file system is; 0: none */

	/* clock.c */
	struct apmu pmu;
	struct apmu_tally raw;   /* what the event sources add to */
	struct apmu_tally added; /* what apmu_machine_add() has */
	bool adds;
	struct apmu_tally tally; /* what the PMU watches: `raw` at the last look */
	struct apmu_uarch *uarch;
	struct apmu_uarch_params params;
	bool every;         /* look at the PMU after each instruction */
	bool counts_masked; /* somebody counts cycles with interrupts masked */
	uint64_t own;       /* cycles of the instruction being executed, one of apmu_machine__special */
	uint64_t slept;     /* cycles in WFI */
	uint64_t stop_insns, stop_cycle;
	uint64_t masked_at; /* cycles() when they were last counted */
	struct apmu_machine__watch watch[APMU_MACHINE__WATCHES];
	unsigned watches;
	bool late;           /* the PMU's request waits for the skid ... */
	uint64_t late_until; /* ... until so many instructions */

	struct apmu_tally stepped; /* what the observer of steps has been told */
	uint64_t stepped_insns, last;

	/* world.c */
	uint64_t actlr;          /* of AArch32; A64: CPUACTLR_EL1 */
	uint64_t control_before; /* SCTLR when the program began */
	bool follows;            /* what the program does to its units is passed on */
	bool translates;         /* the MMU is on */
	bool folds;              /* the core has folding of branches */
	uint8_t data_memory;     /* enum apmu_memory: of the last access */
	uint8_t code_memory;     /* ... of the last run */
	struct apmu_machine__page page[APMU_MACHINE__PAGES];
	struct apmu_machine__code_page code_page[APMU_MACHINE__PAGES]; /* code.c */

	/* space.c */
	uint32_t space_map; /* the translation whose address space the event sources know; 0: none */

	/* regions.c */
	struct apmu_window tcm_window[2]; /* of data (BTCM), of instructions (ATCM); size 0: none */
	bool tcm_on[2];
	bool tcm_fixed; /* the program does not move them */
	unsigned regions;
	struct apmu_machine__region region[APMU_MACHINE__REGIONS];

	/* hook.c */
	struct apmu_machine__run *deferred; /* runs to be freed once the event sources have left them */
	struct apmu_machine__code *run_at;  /* where it began */
	uint32_t map; /* the translation of the moment: whose, of `maps` that there have been */
	uint32_t maps;
	struct apmu_machine__range *code_range, *block_range; /* blocks.c; NULL: no blocks */
	uint64_t back_at;    /* instructions: when a block was last translated back */
	bool crowded;        /* ... too soon behind another one */
	uint64_t it_next;    /* address of the next instruction of an IT block */
	unsigned it_left;    /* how many of them have not been reached */
	bool in_it;          /* `current` stands in an IT block */
	uint64_t it_behind;  /* address of the first one behind it, if that counts as in it, plus 1; 0: no */
	uint64_t it_refused; /* the IT that it_block.c has just translated, plus 1; 0: none */
	uint32_t it_trap;    /* what `current`, in an IT block, will be refused with; 0: undefined */
	uint8_t it_trap_el;
	bool done;                /* `current` was done by the machine although the emulator will try */
	unsigned fix_rt, fix_rt2; /* registers that get `fix` after it; 255: none */
	uint64_t fix;
	uint64_t it_return; /* an exception was taken from within an IT block: comes back here ... */
	uint8_t it_state;   /* ... with this; 0: no */

	/* cpu.c */
	uint8_t isa;    /* enum apmu_isa__isa, as of `state` */
	uint32_t state; /* CPSR or PSTATE when last looked at: mode, masks, T */
	struct apmu_mode mode;
	bool thumb;
	bool vector_off;      /* CPACR_EL1 traps floating point and Advanced SIMD here */
	bool illegal;         /* PSTATE.IL */
	bool aarch32;         /* an AArch64 CPU in AArch32 state */
	size_t aarch32_place; /* aarch32_el0.c: where in a saved CPU its registers are */
	uc_context *el1;      /* the CPU at its last ERET to EL0 ... */
	uint8_t lowered;      /* ... at this level */

	/* level.c, el_switch.c */
	uint8_t highest_el; /* the highest level that is the guest's: 1, 2, 3 */
	bool el_pending;    /* the CPU has yet to be taken to `highest_el` */
	uint64_t hcr, scr;  /* HCR_EL2, SCR_EL3 */
	uint64_t scr_more;  /* bits of SCR_EL3 that the emulator does not keep */
	struct apmu_machine__switch_el el_switch;

	/* fault.c, abort.c, memory.c */
	struct apmu_machine__bad_access fault;
	uc_context *saved;  /* the CPU at the last abort */
	size_t abort_place; /* abort.c: where in it the address is */
	bool by_virtual;    /* regions are looked for by virtual addresses: libunicorn before 2.1 */
	unsigned dummys;
	struct apmu_machine__written
		written[APMU_MACHINE__WRITTENS]; /* by devices, since the last instruction */
	unsigned writtens;

	struct apmu_linux__linux *process; /* linux.c; NULL: a bare-metal program */

	/* run.c */
	struct apmu_progress own_progress;
	bool running, ended, asked;
	bool broken; /* libunicorn called abort() */
	uint64_t target;
	bool moved; /* the PC was written in this call from the emulator */
	struct apmu_stop stop;
	uint64_t last_vector; /* exceptions in a row without an instruction in between */
	unsigned vectors;
	uint64_t vector_insns;
};

/* Something may be due: the next instruction looks. */
static inline void apmu_machine__look_now(struct apmu_machine *m)
{
	m->look_insns = m->plain_until = 0;
}

/* Do instructions of the run under way follow `current`? */
static inline bool apmu_machine__in_run(const struct apmu_machine *m)
{
	return m->insns < m->run_end;
}

/* The run that is there begins with this instruction, which has not been counted. */
static inline void apmu_machine__take_run(struct apmu_machine *m, struct apmu_machine__code *c)
{
	m->run = c->run;
	m->run_at = c;
	m->step = 0;
	m->run_end = m->insns + c->run->n;
}

/* clock.c: cycles that were executed, and modelled time. A run's are counted when it begins. */
static inline uint64_t apmu_machine__executed(const struct apmu_machine *m)
{
	uint64_t cycles = m->raw.n[APMU_SIG_CYCLES];

	if (m->config.cpi)
		return m->insns * m->config.cpi;
	return apmu_machine__in_run(m)
		       ? cycles - apmu_uarch_remaining_cycles(m->uarch, m->run->block, m->step + 1)
		       : cycles;
}
static inline uint64_t apmu_machine__now(const struct apmu_machine *m)
{
	return apmu_machine__executed(m) + m->slept;
}
/* Has some signal come so far that a counter may overflow? */
static inline bool apmu_machine__watch_hit(const struct apmu_machine *m)
{
	for (unsigned k = 0; k < m->watches; k++)
		if (m->raw.n[m->watch[k].signal] >= m->watch[k].limit)
			return true;
	return false;
}
int apmu_machine__clock_init(struct apmu_machine *m, char *error, size_t size);
void apmu_machine__clock_free(struct apmu_machine *m);
void apmu_machine__sync(struct apmu_machine *m, bool without); /* without the instruction being executed? */
void apmu_machine__catch_up(struct apmu_machine *m);           /* sync, advance, watch */
void apmu_machine__rewatch(struct apmu_machine *m);            /* after anything that changed the PMU */
void apmu_machine__look(struct apmu_machine *m);               /* something may be due */
void apmu_machine__counted(struct apmu_machine *m, struct apmu_machine__code *c);
void apmu_machine__uncounted(struct apmu_machine *m);
void apmu_machine__leave_run(
	struct apmu_machine *m); /* control goes elsewhere after the current instruction */
void apmu_machine__masked(struct apmu_machine *m);
bool apmu_machine__sleep(struct apmu_machine *m); /* false: nothing will ever wake it */

/* code.c, decode.c: the place of an address; what is there now; whether that is still so */
static inline struct apmu_machine__code *apmu_machine__place(const struct apmu_machine *m, uint64_t address)
{
	return &m->code[(address >> 1 ^ address >> 17) & (APMU_MACHINE__CODES - 1)];
}
static inline bool apmu_machine__same_bytes(const struct apmu_machine__code *c)
{
	uint32_t word;

	memcpy(&word, c->bytes, sizeof word);
	return ((word ^ c->word) & c->mask) == 0;
}
static inline bool apmu_machine__known(const struct apmu_machine *m, const struct apmu_machine__code *c,
				       uint64_t address, unsigned size)
{
	return c->address == address && c->size == size && c->isa == m->isa && c->map == m->map && c->bytes &&
	       apmu_machine__same_bytes(c);
}
struct apmu_machine__code *apmu_machine__code_at(struct apmu_machine *m, uint64_t address, unsigned size);
void apmu_machine__decode(const struct apmu_machine *m, struct apmu_machine__code *c);
/* Makes or finds a run from `c` on, of a division that of its operands; false without memory. */
bool apmu_machine__begin_run(struct apmu_machine *m, struct apmu_machine__code *c);
void apmu_machine__defer_free(struct apmu_machine *m,
			      struct apmu_machine__run *run); /* once the event sources have left it */
void apmu_machine__free_deferred(struct apmu_machine *m);     /* they have left all: frees them */
void apmu_machine__codes_free(struct apmu_machine *m);

void apmu_machine__forget_runs(struct apmu_machine *m);

/* world.c: at reset; when a register that switches units, or the translation, has changed */
void apmu_machine__world_reset(struct apmu_machine *m);
void apmu_machine__world_look(struct apmu_machine *m);
bool apmu_machine__is_upkeep(const struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__upkeep(struct apmu_machine *m, const struct apmu_machine__code *c);

/* space.c: at reset; when the translation may be another one; TLB maintenance */
int apmu_machine__spaces_init(struct apmu_machine *m);
void apmu_machine__space_look(struct apmu_machine *m);
bool apmu_machine__is_unmap(const struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__unmap(struct apmu_machine *m, const struct apmu_machine__code *c);

/* mmu.c: op1 of the registers of the translation regime at this level: 0, 4 (EL2), 6 (EL3) */
unsigned apmu_machine__regime(const struct apmu_machine *m);
/* ... AArch32: TTBR0, TTBR1, HTTBR (4), VTTBR (6), all 64 bits where there are so many */
uint64_t apmu_machine__table_base(const struct apmu_machine *m, unsigned which);

/* The memory that a data access goes to; the slow path walks the tables. */
enum apmu_memory apmu_machine__memory_walked(struct apmu_machine *m, uint64_t address);
static inline struct apmu_machine__page *apmu_machine__page(struct apmu_machine *m, uint64_t address)
{
	return &m->page[address / PAGE_BYTES % APMU_MACHINE__PAGES];
}
static inline enum apmu_memory apmu_machine__memory_at(struct apmu_machine *m, uint64_t address)
{
	const struct apmu_machine__page *p = apmu_machine__page(m, address);

	if (p->page == address / PAGE_BYTES && p->map == m->map)
		return (enum apmu_memory)p->memory;
	return apmu_machine__memory_walked(m, address);
}

/* ... that instructions come from. */
enum apmu_memory apmu_machine__code_memory(const struct apmu_machine *m, uint64_t address);

/* Tells the event sources which code is entered. */
static inline void apmu_machine__code_from(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	if (c->memory == m->code_memory)
		return;
	m->code_memory = c->memory;
	apmu_uarch_code_memory(m->uarch, (enum apmu_memory)c->memory);
}

/* regions.c: sizes from the parameters; when registers of an MPU may have changed; CP15 registers of TCMs
 * (false: the emulator's) */
int apmu_machine__regions_init(struct apmu_machine *m, char *error, size_t size);
void apmu_machine__regions_look(struct apmu_machine *m);
bool apmu_machine__is_region(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding);
bool apmu_machine__region_access(struct apmu_machine *m, uint32_t encoding, bool write, uint64_t *value);
bool apmu_machine__in_tcm(const struct apmu_machine *m, uint64_t physical, bool code);
bool apmu_machine__has_regions(const struct apmu_machine *m); /* an MPU, or a TCM that is on */
struct apmu_board__walked apmu_machine__region_at(const struct apmu_machine *m, uint64_t address, bool code);

/* identity.c: the value that an identification register reads as; false: the emulator has it */
bool apmu_machine__identity(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding,
			    uint64_t *value, enum apmu_outcome *outcome);
bool apmu_machine__is_identity(enum apmu_view view, uint32_t encoding);

/* sve.c */
bool apmu_machine__controls_sve(const struct apmu_machine *m, uint32_t encoding);
void apmu_machine__tame_sve(struct apmu_machine *m, const struct apmu_machine__code *c);

/* hook.c */
int apmu_machine__hooks(struct apmu_machine *m);
bool apmu_machine__hear(struct apmu_machine *m);
void apmu_machine__finish(struct apmu_machine *m, uint64_t address);

/* blocks.c: installs the two hooks */
bool apmu_machine__code_hooks(struct apmu_machine *m, void (*code)(void), void (*block)(void));
void apmu_machine__block_made(struct apmu_machine *m, uint64_t address, uint32_t size);
void apmu_machine__block_back(struct apmu_machine *m, uint64_t address, uint32_t size);

/* cpu.c. set_key: what must be the same for an instruction to be the one that was found: set, translation,
 * traps, size. */
void apmu_machine__set_key(struct apmu_machine *m);
uint64_t apmu_machine__reg(const struct apmu_machine *m, unsigned n); /* 31: zero on AArch64 */
void apmu_machine__reg_set(struct apmu_machine *m, unsigned n, uint64_t value);
uint64_t apmu_machine__pc(const struct apmu_machine *m);
void apmu_machine__pc_set(struct apmu_machine *m, uint64_t pc); /* stays in the instruction set */
uint32_t apmu_machine__cpsr(const struct apmu_machine *m);
void apmu_machine__cpsr_set(struct apmu_machine *m, uint32_t cpsr);
uint32_t apmu_machine__bank(const struct apmu_machine *m); /* of coprocessor 15: 1 Secure */
uint64_t apmu_machine__cp(const struct apmu_machine *m, unsigned opc1, unsigned crn, unsigned crm,
			  unsigned opc2);
void apmu_machine__cp_set(struct apmu_machine *m, unsigned opc1, unsigned crn, unsigned crm, unsigned opc2,
			  uint64_t value);
uint64_t apmu_machine__sys(const struct apmu_machine *m, uint32_t encoding);
void apmu_machine__sys_set(struct apmu_machine *m, uint32_t encoding, uint64_t value);
void apmu_machine__state_look(struct apmu_machine *m);               /* CPSR or PSTATE has changed */
void apmu_machine__state_is(struct apmu_machine *m, uint32_t state); /* ... to this */
void apmu_machine__vector_look(struct apmu_machine *m);              /* CPACR_EL1 or the level has */
bool apmu_machine__passes(const struct apmu_machine *m, unsigned cond);

/* it_block.c: leaves an IT block whose last instruction is `c`; translates one of `n` instructions, `c` being
 * the IT, so that the emulator makes none of the machine's accesses in it (false: there are none) */
void apmu_machine__translate_block(const struct apmu_machine *m, uint64_t address, uint64_t end);
void apmu_machine__remind(struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__translated(struct apmu_machine *m, uint64_t address,
			      size_t size); /* that is about to run */
bool apmu_machine__refuse_in_it(struct apmu_machine *m, const struct apmu_machine__code *c, unsigned n);
/* the emulator took `c` for undefined: has the machine done it already? Then it goes on behind it. */
bool apmu_machine__done_in_it(struct apmu_machine *m, const struct apmu_machine__code *c);

/* memory.c */
int apmu_machine__memory_init(struct apmu_machine *m, char *error, size_t size);
int apmu_machine__memory_map(struct apmu_machine *m);
void apmu_machine__memory_free(struct apmu_machine *m);
uint8_t *apmu_machine__host(const struct apmu_machine *m, uint64_t physical, size_t n); /* NULL: not RAM */
/* mmu.c */
bool apmu_machine__mmu_on(const struct apmu_machine *m);
uint64_t apmu_machine__control(const struct apmu_machine *m); /* SCTLR of the translation regime */
void apmu_machine__control_set(struct apmu_machine *m, uint64_t control);
void apmu_machine__hcr_set(struct apmu_machine *m, uint64_t hcr);
/* Translation off and on again, between two instructions. */
void apmu_machine__flatten(struct apmu_machine *m, struct apmu_machine__untranslated *was);
void apmu_machine__translate_again(struct apmu_machine *m, const struct apmu_machine__untranslated *was);
/* For whoever may read or execute there. */
struct apmu_board__walked apmu_machine__walk_any(const struct apmu_machine *m, uint64_t address);
bool apmu_machine__physical_of(const struct apmu_machine *m, uint64_t address, uint64_t *physical);
void apmu_machine__walk_regs(const struct apmu_machine *m, struct apmu_board__walk_a32 *regs);
struct apmu_board__walked apmu_machine__walk(const struct apmu_machine *m, uint64_t address,
					     enum apmu_board__walk_kind kind);
bool apmu_machine__cover(struct apmu_machine *m, uint64_t address); /* a mapping at a virtual address */
struct apmu_board__memory apmu_machine__virtual(struct apmu_machine *m);
struct apmu_board__memory apmu_machine__physical(struct apmu_machine *m);
struct apmu_board__memory apmu_machine__device(struct apmu_machine *m); /* as a device reaches it */
void apmu_machine__retranslate(struct apmu_machine *m);                 /* what devices have written */

/* run.c, abort_guard.c */
uc_err apmu_machine__emulate(struct apmu_machine *m, uint64_t pc);
void apmu_machine__end(struct apmu_machine *m, enum apmu_stop_reason reason, uint64_t pc, const char *format,
		       ...) __attribute__((format(printf, 4, 5)));

/* interrupt.c, enter32.c, enter64.c, fault.c */
bool apmu_machine__interrupt(struct apmu_machine *m, uint64_t next);
/* Enters an exception that `c`, or the next instruction at `pc`, causes. `syndrome`: ESR_EL1, or the AArch32
 * fault status; `address`: FAR. */
struct apmu_machine__entry {
	enum apmu_exception what;
	uint64_t pc;   /* the instruction; for SVC too. IRQ, FIQ: the next one */
	unsigned size; /* of the instruction */
	uint32_t syndrome;
	uint64_t address;
	const char *why; /* for the report if there is no handler */
	uint8_t el;      /* the level that it is taken to; 0: where its like goes */
	bool is_virtual; /* an interrupt of EL1's, by HCR_EL2 */
	bool stage2;     /* an abort of stage 2, of this address: HPFAR_EL2, HPFAR */
	uint64_t intermediate;
};
void apmu_machine__take_exception(struct apmu_machine *m, const struct apmu_machine__entry *e);
uint64_t apmu_machine__enter32(struct apmu_machine *m, const struct apmu_machine__entry *e);
uint64_t apmu_machine__enter64(struct apmu_machine *m, const struct apmu_machine__entry *e);
void apmu_machine__switch_mode(struct apmu_machine *m, uint32_t state); /* AArch32: CPSR, any mode */
void apmu_machine__undefined(struct apmu_machine *m, uint64_t pc, unsigned size, uint32_t syndrome,
			     const char *why);
void apmu_machine__returns(struct apmu_machine *m,
			   const struct apmu_machine__code *c); /* an ERET is about to run */
void apmu_machine__refused(struct apmu_machine *m, const struct apmu_machine__code *c); /* by the emulator */
void apmu_machine__raised(struct apmu_machine *m, uint32_t number); /* the emulator's exception number */
void apmu_machine__missing(struct apmu_machine *m, uint64_t address, bool write, bool fetch);
void apmu_machine__unmapped(struct apmu_machine *m); /* it said no, and stopped */

/* abort.c: of the data abort that the emulator has just raised; false: it is not known */
bool apmu_machine__abort_address(struct apmu_machine *m, uint64_t *address, bool *write);
/* ... of an A64 instruction that some level traps, and which; 0: it is undefined */
uint32_t apmu_machine__trap_syndrome(struct apmu_machine *m, unsigned *el);
/* What the emulator raised is a software step exception. */
bool apmu_machine__stepped(struct apmu_machine *m, uint32_t *syndrome);

/* boot.c: the device tree, and the registers that say where it is */
int apmu_machine__boot(struct apmu_machine *m, char *error, size_t size);

/* load.c */
int apmu_machine__start(struct apmu_machine *m, bool a64, uint64_t entry, char *error, size_t size);

#include "machine/special.h"

#endif
