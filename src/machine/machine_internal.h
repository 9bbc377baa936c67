/* SPDX-License-Identifier: MIT */
/* clang-format off: the table of files below is not prose */
/**
 * The state of a machine, which all files of src/machine share; what they call of each other is in the
 * headers beside this. Each task has one file:
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
 *   return32.c     returns from AArch32 exceptions into IT blocks
 *   fault.c        aborts: the syndrome
 *   abort.c        aborts: the address
 *   level.c        EL2 and EL3: which level takes an exception
 *   el_switch.c    takes the emulator from one exception level to another
 *   aarch32_el0.c  AArch32 at EL0 of an AArch64 CPU
 *   it_block.c     T32's IT blocks, which the emulator cannot leave
 *   access_syndrome.c  the syndrome (ISS) of a load or store that stage 2 refuses
 *   abort_guard.c  survives libunicorn's abort()
 *   sve.c          keeps SVE disabled
 *   linux*.c       Linux programs: system calls, registers, address space
 *   host_names.c   register names at EL2 with HCR_EL2.E2H set
 *   host.c         semihosting and firmware calls
 *   models.c       the CPU models that libunicorn has
 *   preload.c      passes preloads' addresses to the event sources
 *   controls.c        passes on what control registers, page tables and maintenance do to the units
 *   space.c        address spaces (ASID, VMID) and TLB maintenance
 *   regions.c      tightly coupled memories, and a memory protection unit's regions
 *   identity.c     identification registers
 *   tells.c        checks that libunicorn reports every access
 *
 * The emulator calls hook.c before each instruction. hook.c does what the previous instruction left to do,
 * checks deadlines and interrupts, and counts the instruction (its events go into `raw`); then special.c may
 * execute it in the emulator's place. If the instruction faults, the count is taken back.
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
#include "machine/level.h"
#include "machine/models.h"
#include <string.h>
#include <unicorn/unicorn.h>

/* Instructions for which the machine acts before the emulator, or in its place. */
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
	APMU_MACHINE__SPECIAL_NOP,  /* WFE, YIELD, which the emulator takes as undefined in AArch32 */
	APMU_MACHINE__SPECIAL_ERET, /* AArch64: checked, then executed by the emulator */
	APMU_MACHINE__SPECIAL_IT,
	APMU_MACHINE__SPECIAL_SVE,         /* writes of registers that control SVE: sve.c */
	APMU_MACHINE__SPECIAL_MAINTENANCE, /* cache, TLB, predictor maintenance: controls.c, then the emulator
					    */
};

/* Work left for after an instruction: bits of apmu_machine.after, for apmu_machine__finish(). */
#define APMU_MACHINE__AFTER_STATE 1u /* CPSR or PSTATE may have changed: mode, masks, instruction set */
#define APMU_MACHINE__AFTER_MAP   2u /* address translation may have changed */
#define APMU_MACHINE__AFTER_IT    4u /* in an IT block */
#define APMU_MACHINE__AFTER_FIX   8u /* `fix` is still to be written to `fix_rt`, `fix_rt2` */

#define APMU_MACHINE__AFTER_MOVED 16u /* the PC was written: the next instruction takes the slow path */
#define APMU_MACHINE__AFTER_EL    32u /* a change of the exception level is under way: el_switch.c */

#define APMU_MACHINE__AFTER_RESTORE \
	64u /* `fix_rt` holds another value for the emulator: gets `fix` back, fault or not */
#define APMU_MACHINE__RETURNS 128u /* before it: the instruction returns from an AArch32 exception */

/* A run: straight-line code from one address on, which the event sources take as one block. */
#define APMU_MACHINE__RUN_MOST 32u /* most instructions in a run */
struct apmu_machine__run {
	struct apmu_block *block;
	struct apmu_machine__run *next;  /* in the list m->deferred */
	struct apmu_machine__run *other; /* the run for another quotient of the same first division */
	unsigned n;
	uint8_t quotient;  /* of the division that begins the run, as apmu_insn.quotient; else 0 */
	uint32_t cycles;   /* of the whole run, alone on the core */
	uint32_t opcode[]; /* [n]: the instructions that the run was made from */
};

/* A decoded instruction: an entry of m->code, a table by address. */
struct apmu_machine__code {
	uint64_t address;
	uint64_t quick;                /* m->key when filled; 0: needs more than counting, or not in RAM */
	struct apmu_machine__run *run; /* first of the runs that begin here; NULL: none was made */
	struct apmu_block *block;      /* run->block */
	const uint8_t *bytes;          /* host address of the instruction; NULL: not in RAM */
	uint32_t word, mask;           /* `bytes` as a host word when filled; `mask`: 2 or 4 bytes of it */
	uint32_t opcode, map;          /* `map`: m->map when `bytes` was found */
	uint8_t size;                  /* bytes; 0: an empty entry */
	uint8_t isa;                   /* enum apmu_isa__isa */
	uint8_t special;               /* enum apmu_machine__special */
	uint8_t after;                 /* APMU_MACHINE__AFTER_... */
	uint8_t cond;                  /* A32: condition; 14 elsewhere */
	bool decoded;                  /* the classifier has a row for it */
	bool vector : 1;    /* AArch64 CPU: floating point or Advanced SIMD, which CPACR_EL1 may trap */
	bool divides : 1;   /* its latency depends on its operands: it begins a run */
	uint8_t memory : 4; /* enum apmu_memory: of the code */
	bool preloads : 1;  /* PLD, PRFM: the event sources want its address */
	bool zeroes : 1;    /* DC ZVA */
	bool compares : 1;  /* a store-exclusive: the emulator reads before it stores */
	uint8_t kernel : 2; /* enum apmu_machine__kernel */
	bool leaves : 1;    /* an exception return that the event sources do not take for a branch (ERET) */
};
_Static_assert(sizeof(struct apmu_machine__code) == 64, "a place is a cache line");
/* An instruction of operating systems that has a signal of its own. */
enum apmu_machine__kernel {
	APMU_MACHINE__KERNEL_NONE,
	APMU_MACHINE__KERNEL_RETURN, /* from an exception */
	APMU_MACHINE__KERNEL_CID,    /* writes CONTEXTIDR */
	APMU_MACHINE__KERNEL_TTBR    /* writes TTBR0 or TTBR1 */
};
#define APMU_MACHINE__RETIRED 6u /* signals that an instruction's first access counts as retired: count.c */
#define APMU_MACHINE__CODES   65536u /* entries of m->code */

/* Memory type of a page of data: an entry of m->page. */
struct apmu_machine__page {
	uint64_t page;  /* address / PAGE_BYTES */
	uint32_t map;   /* m->map when filled */
	uint8_t memory; /* enum apmu_memory */
	bool local;     /* nG: of one ASID only */
};
/* Physical address and memory type of a page of code: an entry of m->code_page. */
struct apmu_machine__code_page {
	uint64_t page;     /* address / PAGE_BYTES */
	uint64_t physical; /* of the page's first byte */
	uint32_t map;      /* m->map when filled, plus 1; 0: an empty entry */
	uint8_t memory;    /* enum apmu_memory if m->follows, else CACHED */
};
/* An MPU region: the values of DRBAR, DRSR, DRACR. */
struct apmu_machine__region {
	uint32_t base, size, access;
};
#define APMU_MACHINE__REGIONS 16u

#define PAGE_BYTES          0x1000u
#define APMU_MACHINE__PAGES 256u /* entries of m->page and of m->code_page */

struct apmu_machine__ram_range {
	uint64_t base, size;
	uint8_t *bytes;
};
#define APMU_MACHINE__RAMS 2u
/* A region at virtual addresses: memory.c. */
struct apmu_machine__dummy {
	uint64_t base;
	uint32_t size; /* 0: none */
};
#define APMU_MACHINE__DUMMYS 256u

/* Context of the MMIO callbacks of one window of the board's devices. */
struct apmu_machine__port {
	struct apmu_machine *m;
	uint64_t base;
};

/* A range of physical addresses that a device has written. */
struct apmu_machine__written {
	uint64_t begin, end;
};
#define APMU_MACHINE__WRITTENS 64u

#define APMU_MACHINE__WATCHES 64u
/* A signal that a counter counts: the machine looks at the PMU when raw.n[signal] reaches `limit`. */
struct apmu_machine__watch {
	uint64_t limit;
	uint16_t signal;
};

/* A memory access that failed in the emulator. */
struct apmu_machine__bad_access {
	bool pending, write, fetch;
	bool nowhere; /* the emulator has no region at the address */
	bool denied;  /* a Linux program's: the region there does not permit it */
	uint64_t address;
	uint32_t instruction; /* ISS of the load or store: access_syndrome.c */
	bool narrow;          /* the instruction has 16 bits */
	bool as_user;         /* it has EL0's rights: LDTR, LDRT and kin */
};

struct apmu_machine {
	/* members that hook.c reads for each instruction, kept together */
	struct apmu_progress *progress;
	struct apmu_machine__code *code;    /* APMU_MACHINE__CODES entries, and two that stay empty */
	struct apmu_machine__code *current; /* the instruction being executed; NULL: none */
	uint64_t insns;                     /* instructions executed */
	uint64_t accessed;                  /* `insns` at the last access; 0: none */
	uint64_t before_access[APMU_MACHINE__RETIRED]; /* counts before that instruction's first access */
	uint64_t plain_until; /* while `insns` is below this, plain instructions are only counted: hook.c */
	uint64_t look_insns;  /* look at PMU and board when `insns` reaches this */
	uint64_t look_cycles; /* look at PMU and board when the executed cycles reach this */
	uint64_t key;         /* apmu_machine__set_key() */
	uint64_t run_next;    /* address of the next instruction of the run */
	uint64_t run_end;     /* value of `insns` at the end of the run */
	unsigned step;        /* index of `current` in the run */
	struct apmu_machine__run *run; /* the run of `current`; NULL: none, or the event sources are off */
	unsigned after;                /* APMU_MACHINE__AFTER_... of the previous instruction */
	unsigned virtual_lines; /* virtual interrupts by HCR, if they can be taken, as apmu_board__lines() */
	bool modelled;          /* the event sources run */
	bool operations;        /* operations of A64 instructions are counted (apmu_insn.operations) */
	bool step_done;         /* software step: the machine executed the instruction itself */
	uint8_t *nor_flash;     /* bytes of the flash's second bank; NULL: the board has no flash */
	/* `insns` at the first and at the last read of a loop that polls a board register: sysreg.c. */
	uint64_t poll_from, poll_last;
	uint64_t wanted[APMU_SIGNAL_WORDS]; /* signals wanted of the event sources */

	struct apmu_machine_config config;
	const struct apmu_core *core;
	uc_engine *uc;       /* NULL until something is loaded */
	uint64_t translated; /* bytes of code that the emulator made of the program's, estimated */
	bool renews;         /* the emulator was stopped to begin anew: load.c */
	uint64_t renewed_at; /* `insns` when it last began anew */
	const struct apmu_machine__cpu_model *model; /* the model that `uc` runs; NULL until then */
	struct apmu_board__board board;
	struct apmu_board__semihost host;
	struct apmu_machine__ram_range ram[APMU_MACHINE__RAMS];
	struct apmu_machine__port port[APMU_BOARD__WINDOWS];
	size_t uart_fed; /* bytes of config.uart_input that the UART has taken */
	uint64_t initrd; /* address of the initial file system; 0: none */

	/* clock.c */
	struct apmu pmu;
	struct apmu_tally raw;   /* what the event sources add to */
	struct apmu_tally added; /* what apmu_machine_add() has added */
	bool has_added;          /* apmu_machine_add() was called */
	struct apmu_tally tally; /* what the PMU watches: `raw` at the last look */
	struct apmu_uarch *uarch;
	struct apmu_uarch_params params;
	bool look_each;     /* look at the PMU after each instruction */
	bool counts_masked; /* cycles with interrupts masked are counted */
	uint64_t own;       /* cycles of `current`, if the machine executes it itself */
	uint64_t slept;     /* cycles in WFI */
	uint64_t stop_insns, stop_cycle;
	uint64_t masked_at; /* apmu_machine__executed() when masked cycles were last counted */
	struct apmu_machine__watch watch[APMU_MACHINE__WATCHES];
	unsigned watches;
	bool late;           /* the skid holds back the PMU's interrupt */
	uint64_t late_until; /* value of `insns` at which the held interrupt is raised */

	struct apmu_tally stepped; /* `tally` as the observer of steps last saw it */
	uint64_t stepped_insns, last;

	/* controls.c */
	uint64_t actlr;             /* ACTLR; AArch64: CPUACTLR_EL1 */
	uint64_t control_before[4]; /* SCTLR when the program began; index: apmu_machine__regime() / 2 */
	bool follows;               /* the program's control registers and tables act on the event sources */
	bool translates;            /* the MMU is on */
	bool folds;                 /* the core folds branches */
	uint8_t data_memory;        /* enum apmu_memory: of the last data access */
	uint8_t code_memory;        /* enum apmu_memory: of the last run's code */
	struct apmu_machine__page page[APMU_MACHINE__PAGES];
	struct apmu_machine__code_page code_page[APMU_MACHINE__PAGES]; /* code.c */

	/* space.c */
	uint32_t space_map; /* m->map, plus 1, of the space that the event sources know; 0: none */

	/* regions.c */
	struct apmu_window tcm_window[2]; /* [0] data (BTCM), [1] instructions (ATCM); size 0: none */
	bool tcm_on[2];
	bool tcm_fixed; /* the program cannot move the TCMs */
	unsigned regions;
	struct apmu_machine__region region[APMU_MACHINE__REGIONS];

	/* hook.c */
	struct apmu_machine__run *deferred; /* runs to be freed once the event sources have left them */
	struct apmu_machine__code *run_at;  /* entry of the first instruction of `run` */
	uint32_t map;                       /* identifies the current translation: apmu_machine__set_key() */
	uint32_t maps;                      /* changes of the translation so far */
	struct apmu_machine__range *code_range, *block_range; /* blocks.c; NULL: no blocks */
	uint64_t back_at;    /* `insns` when a block was last translated back */
	bool crowded;        /* two blocks were translated back in quick succession: CROWDED of blocks.c */
	uint64_t it_next;    /* address of the next instruction of an IT block */
	unsigned it_left;    /* instructions of the IT block that have not been reached */
	bool in_it;          /* `current` is in an IT block */
	uint64_t it_behind;  /* address + 1 of the one after the block, if it counts as in it; 0: no */
	uint64_t it_refused; /* address, plus 1, of the IT that it_block.c has just retranslated; 0: none */
	uint32_t it_trap;    /* syndrome if `current`, in an IT block, traps; 0: it is undefined */
	uint8_t it_trap_el;
	bool done;                /* the machine executed `current`, although the emulator will try to */
	unsigned fix_rt, fix_rt2; /* registers that get `fix` after `current`; 255: none */
	uint64_t fix;
	uint64_t it_return; /* where the return from an exception, under way, leads */
	uint8_t it_state;   /* ITSTATE at `it_return`; 0: no return is under way, or not into an IT block */

	/* cpu.c */
	uint8_t isa;    /* enum apmu_isa__isa, as of `state` */
	uint32_t state; /* CPSR or PSTATE when last looked at: mode, masks, T */
	struct apmu_mode mode;
	bool thumb;
	uint8_t vector_to;    /* level to which floating point and Advanced SIMD trap here; 0: they do not */
	bool illegal;         /* PSTATE.IL */
	bool aarch32;         /* an AArch64 CPU in AArch32 state */
	size_t aarch32_place; /* aarch32_el0.c: offset of the AArch32 registers in a saved CPU */
	uc_context *el1;      /* the CPU at its last ERET to EL0 */
	uint8_t lowered;      /* level of the last ERET to EL0 */

	/* level.c, el_switch.c */
	uint8_t highest_el; /* the highest level that is the guest's: 1, 2, 3 */
	bool el_pending;    /* the CPU has yet to be taken to `highest_el` */
	uint64_t hcr, scr;  /* HCR_EL2, SCR_EL3 */
	uint64_t scr_more;  /* bits of SCR_EL3 that the emulator does not keep */
	struct apmu_machine__switch_el el_switch;

	/* fault.c, abort.c, memory.c */
	struct apmu_machine__bad_access fault;
	uc_context *saved;  /* scratch for reading a saved CPU: abort.c, aarch32_el0.c */
	size_t abort_place; /* abort.c: offset of the fault address in a saved CPU */
	bool by_virtual;    /* the emulator finds regions by virtual address: libunicorn before 2.1 */
	struct apmu_machine__dummy dummy[APMU_MACHINE__DUMMYS];
	unsigned dummys; /* mapped so far; the oldest are gone */
	struct apmu_machine__written
		written[APMU_MACHINE__WRITTENS]; /* by devices, since the last instruction */
	unsigned writtens;
	bool retranslate_all; /* translations from before the event sources began report no accesses: drop
				 them */

	struct apmu_linux__linux *process; /* linux.c; NULL: a bare-metal program */

	/* run.c */
	struct apmu_progress own_progress;
	bool running, ended, asked;
	bool broken; /* libunicorn called abort() */
	uint64_t target;
	bool moved; /* the PC was written in the current callback */
	struct apmu_stop stop;
	unsigned vectors; /* exceptions in a row without an instruction in between */
	uint64_t vector_insns;
};

/* Makes the next instruction look at PMU and board, since something may be due. */
static inline void apmu_machine__look_now(struct apmu_machine *m)
{
	m->look_insns = m->plain_until = 0;
}

/* True if more instructions of the current run follow `current`. */
static inline bool apmu_machine__in_run(const struct apmu_machine *m)
{
	return m->insns < m->run_end;
}

#endif
