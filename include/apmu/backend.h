/* SPDX-License-Identifier: MIT */
/**
 * Backends: how the driver reaches a PMU. Two layers, so that one is a page to write.
 *
 *   struct apmu_backend  the door: read and write one register by what it means. Knows encodings or
 *                        offsets, nothing of counting. Most backends are only this.
 *   struct apmu_family   how counters are programmed through those registers: where the bits stand, which
 *                        order writes need. Four are here; a backend that has counters but no registers
 *                        (Linux perf_event) brings a family of its own and leaves read and write NULL.
 *
 * A backend of yours:
 *     static int my_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value) { ... }
 *     static int my_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value) { ... }
 *     static const struct apmu_backend mine = {.name = "mine", .family = &apmu_family_ranged,
 *                                              .read = my_read, .write = my_write};
 * Where counters lie behind PMSELR it is the backend that selects counter n, and says so: .traits =
 * APMU_TRAIT_SELECT. A backend that cannot reach a register says APMU_EOPNOTSUPP; one that catches a fault
 * says APMU_EPERM (Undefined), APMU_EACCES (trapped) or APMU_EIO (bus error), and the driver says so in plain
 * words. Where the driver runs is apmu_dev_config.el: at 0 it asks PMUSERENR first. A door from outside the
 * core says APMU_TRAIT_FRAME instead.
 */
#ifndef APMU_BACKEND_H
#define APMU_BACKEND_H

#include <apmu/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Registers by meaning. In brackets: the ARM11 and XScale names. */
enum apmu_dev_reg {
	APMU_DEV_CONTROL,      /* PMCR [PMNC] */
	APMU_DEV_COUNTER,      /* counter n; 31 the cycle counter, 32 PMICNTR */
	APMU_DEV_TYPE,         /* event and filter of counter n; XSC2: EVTSEL whole, n is 0 */
	APMU_DEV_ENABLE_SET,   /* PMCNTENSET */
	APMU_DEV_ENABLE_CLEAR, /* PMCNTENCLR */
	APMU_DEV_INTEN_SET,    /* PMINTENSET; XSC2: INTEN */
	APMU_DEV_INTEN_CLEAR,  /* PMINTENCLR */
	APMU_DEV_FLAGS,        /* PMOVSCLR, writing 1 clears; XSC2: FLAG */
	APMU_DEV_SELECT,       /* PMSELR, where counters are reached through it */
	APMU_DEV_USER,         /* PMUSERENR; ARM1176: SUNAVCR */
	APMU_DEV_CEID,         /* PMCEID0, 1 (n), 64 bits each where the architecture has them */
	APMU_DEV_MIDR,         /* main ID; in a frame: the part number of its ID registers */
	APMU_DEV_VERSION,      /* PMU version as ID_AA64DFR0.PMUVer counts: 1, 4, 5 ...; 0 none, 15 not ours.
				* Armv7: 2 for PMUv2, APMU_EOPNOTSUPP where the field says nothing */
	APMU_DEV_INSTR,        /* 1 if PMICNTR is there */
	APMU_DEV_HPMN,         /* MDCR_EL2.HPMN: asked at EL2 and EL3, where E does not start all of PMCR.N */
	APMU_DEV_LOCK,         /* frame: 1 while the software lock is locked; writing 0 unlocks, 1 locks */
	APMU_DEV_REGS
};

/* What a door shows, bits of apmu_backend.traits. */
enum apmu_dev_trait {
	APMU_TRAIT_SELECT = 1u << 0,     /* counters lie behind PMSELR: the handler saves and restores it */
	APMU_TRAIT_WIDE = 1u << 1,       /* event counters show 64 bits where they have them */
	APMU_TRAIT_WIDE_CYCLE = 1u << 2, /* so does the cycle counter */
	APMU_TRAIT_FRAME = 1u << 3,      /* an external view: no PMUSERENR, no PMCR.N */
	APMU_TRAIT_V8 = 1u << 4,         /* Armv8 or later: VERSION tells whether there is a PMU at all */
};

/* A set of counters, bit i for counter i. PMICNTR (32) has no AArch32 encoding, so that 32 bits do there. */
#if UINTPTR_MAX > 0xFFFFFFFFu
typedef uint64_t apmu_counters;
#else
typedef uint32_t apmu_counters;
#endif

struct apmu_dev;
struct apmu_dev_slot;
struct apmu_count;

/* What load() has to be able to undo; what close() puts back. */
struct apmu_was {
	uint64_t control, enable, inten, select;
};

/* Counter-level operations; masks have bit i for counter i. What goes wrong is left in dev->bad, a negative
 * code, unless something is there already: once it is set, registers are not reached any more and read 0,
 * until the caller's call has ended. */
struct apmu_family {
	const char *name;
	uint8_t events;    /* event counters with selectors of 8 bits in one word, dev->types; 0: TYPE each */
	uint8_t select[4]; /* their lowest bits there */
	uint8_t off;       /* event that parks a counter where counters have no enable of their own */
	uint8_t holdoff;   /* cycles between start and the first count */
	bool latched;      /* the interrupt request falls only while E is set */
	bool architected;  /* Armv7 or PMUv3: event numbers are the architecture's, EL0 may read PMUSERENR */
	/* Finds out what is there: fills dev->has. May be called with counters of others running. */
	void (*probe)(struct apmu_dev *dev);
	/* Remembers in *was what quiet() changes. */
	void (*save)(struct apmu_dev *dev, struct apmu_was *was);
	/* Stops everything; the interrupt request falls. */
	void (*quiet)(struct apmu_dev *dev);
	/* Everything but the counters and types as *was has it, still stopped. */
	void (*restore)(struct apmu_dev *dev, const struct apmu_was *was);
	uint64_t (*type_get)(struct apmu_dev *dev, unsigned i);
	void (*type_put)(struct apmu_dev *dev, unsigned i, uint64_t type); /* takes effect by arm() */
	uint64_t (*get)(struct apmu_dev *dev, unsigned i);
	void (*put)(struct apmu_dev *dev, unsigned i, uint64_t value);
	/* Chooses counters that count and that interrupt once started, and clears their flags. */
	void (*arm)(struct apmu_dev *dev, apmu_counters on, apmu_counters inten);
	void (*start)(struct apmu_dev *dev);
	void (*stop)(struct apmu_dev *dev);
	apmu_counters (*flags)(struct apmu_dev *dev);           /* one access */
	void (*ack)(struct apmu_dev *dev, apmu_counters flags); /* clears these and no others */
	/* Stand still and go on: those counters, or all where there is no enable for each. */
	void (*hold)(struct apmu_dev *dev, apmu_counters counters);
	void (*go)(struct apmu_dev *dev, apmu_counters counters);
	/* Optional. The number of an event that counts cycles, or a negative code; NULL: the architecture's.
	 */
	int (*cycle_event)(const struct apmu_dev *dev);
	/* Optional, for families whose kernel does more. A look at several counters begins; times of counter
	 * i as last seen (NULL: they begin here); takes the samples there are, in place of flags() and ack().
	 */
	void (*look)(struct apmu_dev *dev);
	void (*times)(struct apmu_dev *dev, unsigned i, struct apmu_count *count);
	int (*serve)(struct apmu_dev *dev);
};

extern const struct apmu_family apmu_family_arm11;   /* one PMNC; flags and line need E set */
extern const struct apmu_family apmu_family_xscale1; /* one PMNC, selectors the other way round */
extern const struct apmu_family apmu_family_xscale2; /* EVTSEL, INTEN, FLAG */
extern const struct apmu_family apmu_family_ranged;  /* Armv7 and PMUv3: PMCR, sets and clears */

struct apmu_backend {
	const char *name;
	const struct apmu_family *family;
	int (*read)(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value);
	int (*write)(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value);
	void (*sync)(void *ctx); /* writes so far take effect before what follows (ISB); NULL: they do */
	/* Interrupts off and back; NULL: the caller sees to it, or there are none. Returns what to give back.
	 */
	unsigned (*lock)(void *ctx);
	void (*unlock)(void *ctx, unsigned state);
	uint32_t traits; /* enum apmu_dev_trait */
};

/* This processor's own PMU. ctx is NULL. Only those for the processor compiled for are in the library. */
extern const struct apmu_backend apmu_backend_cp15_arm11, apmu_backend_cp14_xscale1,
	apmu_backend_cp14_xscale2;
extern const struct apmu_backend
	apmu_backend_cp15_v7; /* Armv7, and AArch32 of Armv8 with 32-bit cycle counter */
extern const struct apmu_backend apmu_backend_cp15_v8; /* AArch32 of Armv8 or later: 64-bit cycle counter */
extern const struct apmu_backend
	apmu_backend_sysreg; /* AArch64, EL1 or higher (EL0 where PMUSERENR lets it) */

/* A memory-mapped frame. ctx is a struct apmu_mmio, which apmu_backend_of_frame() fills. */
enum apmu_frame { APMU_FRAME_V7, APMU_FRAME_EXT32, APMU_FRAME_EXT64 };
struct apmu_mmio {
	uintptr_t base;
	enum apmu_frame frame;
	/* How to reach `offset`; bits is 32 or 64. NULL: volatile loads and stores at base + offset. */
	int (*load)(void *bus, uint32_t offset, unsigned bits, uint64_t *value);
	int (*store)(void *bus, uint32_t offset, unsigned bits, uint64_t value);
	void *bus;
};
extern const struct apmu_backend apmu_backend_mmio_v7;    /* 32-bit counters 4 bytes apart */
extern const struct apmu_backend apmu_backend_mmio_ext32; /* PMUv3, 32-bit accesses */
extern const struct apmu_backend apmu_backend_mmio_ext64; /* PMUv3, 64-bit accesses */

/* What kind of frame lies at `base`: looks at PMDEVTYPE and PMDEVARCH alone and fills `mmio`. Load and store,
 * if any, must be set before. NULL with *why (enum apmu_why) if it is no PMU or does not answer. */
const struct apmu_backend *apmu_backend_of_frame(struct apmu_mmio *mmio, uint8_t *why);

/* Linux perf_event_open. ctx is a struct apmu_perf; an event's number is the kernel's `config`. Not
 * freestanding, and in the library on Linux alone. Times are the kernel's, in nanoseconds; it may let events
 * take turns, and counts are scaled by that.
 *
 * A group is the kernel's group: counted at the same times, or not at all. Wants that are alone are.
 * A want with a period brings the kernel's ring: call apmu_dev_interrupt() when apmu_perf_file() is readable
 * (poll, SIGIO), or whenever you like; it hands over one sample a record, with a struct apmu_perf_sample as
 * its `state`. Counts of the calling thread are read without a call where the kernel allows it (x86; AArch64
 * with kernel.perf_user_access=1): then all calls come from the thread that opened. */
#define APMU_PERF_COUNTERS 16
struct apmu_perf_sample {
	uint64_t ip, time; /* where; the kernel's clock, ns */
	uint32_t pid, tid;
};
struct apmu_perf {
	uint32_t type; /* PERF_TYPE_RAW (4): the PMU's event numbers; PERF_TYPE_SOFTWARE (1) ... */
	int pid, cpu;  /* as perf_event_open takes them: 0, -1 is the calling thread wherever it runs */
	/* The backend's own; start from zeros. */
	uint32_t here, calls; /* reads in user space, and by a call to the kernel */
	uint32_t lost;        /* samples that the ring had no room for */
	struct apmu_perf_event {
		int fd;     /* and 1; 0: not open */
		void *page; /* the kernel's, and the ring behind it */
		uint32_t size;
		uint8_t lead, nth; /* its group's first, and the how-maniest of the group it is */
		bool grouped, fresh;
		uint64_t offset;                       /* added to what the kernel counted */
		uint64_t value, enabled, running;      /* last seen */
		uint64_t since_enabled, since_running; /* when the totals were cleared */
	} event[APMU_PERF_COUNTERS + 1];               /* the last: cycles */
};
struct apmu_dev;
/* The file of a want, for poll(); negative if there is none. It stays the backend's. */
int apmu_perf_file(const struct apmu_dev *dev, unsigned want);
extern const struct apmu_backend apmu_backend_perf;

/* The model. ctx is a struct apmu_model_door. */
struct apmu;
struct apmu_model_door {
	struct apmu *pmu;
	struct apmu_mode from; /* where the driver runs */
	bool aarch32;          /* use MRC/MCR although the core has MRS/MSR */
};
/* The backend for a model's registers, found by asking which are there. */
const struct apmu_backend *apmu_backend_of_model(const struct apmu_model_door *door);

#ifdef __cplusplus
}
#endif

#endif
