/* SPDX-License-Identifier: MIT */
/**
 * Backends: how the driver reaches a PMU. There are two layers, so that a new backend is about a page of
 * code.
 *
 *   struct apmu_backend  access to registers: reads and writes one register by its meaning. Knows encodings
 *                        or offsets, but nothing of counting. Most backends are only this.
 *   struct apmu_family   how counters are programmed through those registers: where the bits are, which order
 *                        writes need. Four are here; a backend that has counters but no registers (Linux
 *                        perf_event) brings a family of its own and leaves read and write NULL.
 *
 * A backend of your own:
 *     static int my_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value) { ... }
 *     static int my_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value) { ... }
 *     static const struct apmu_backend mine = {.name = "mine", .family = &apmu_family_ranged,
 *                                              .read = my_read, .write = my_write};
 * Where counters are reached through PMSELR, the backend itself selects counter n and sets
 * APMU_DEV_TRAIT_SELECT in .traits. A backend that cannot reach a register returns APMU_EOPNOTSUPP; one that
 * catches a fault returns APMU_EPERM (Undefined), APMU_EACCES (trapped) or APMU_EIO (bus error), which the
 * driver reports in words (apmu_why_text()). apmu_dev_config.el says where the driver runs: at EL0 it first
 * reads PMUSERENR, unless the backend sets APMU_DEV_TRAIT_FRAME, which says that accesses come from outside
 * the core.
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
	APMU_DEV_TYPE,         /* event and filter of counter n; XSC2: the whole of EVTSEL, n is 0 */
	APMU_DEV_ENABLE_SET,   /* PMCNTENSET */
	APMU_DEV_ENABLE_CLEAR, /* PMCNTENCLR */
	APMU_DEV_INTEN_SET,    /* PMINTENSET; XSC2: INTEN */
	APMU_DEV_INTEN_CLEAR,  /* PMINTENCLR */
	APMU_DEV_FLAGS,        /* PMOVSCLR, writing 1 clears; XSC2: FLAG */
	APMU_DEV_SELECT,       /* PMSELR, where counters are reached through it */
	APMU_DEV_USER,         /* PMUSERENR; ARM1176: SUNAVCR */
	APMU_DEV_CEID,    /* PMCEID0 and PMCEID1 (n is 0, 1), 64 bits each where the architecture has them */
	APMU_DEV_MIDR,    /* main ID; in a frame: the part number of its ID registers */
	APMU_DEV_VERSION, /* PMU version, numbered as ID_AA64DFR0.PMUVer: 1, 4, 5 ...; 0: no PMU, 15:
			     IMPLEMENTATION DEFINED. Armv7: 2 for PMUv2, APMU_EOPNOTSUPP where the ID register
			     does not say */
	APMU_DEV_INSTR,   /* not 0 if PMICNTR exists */
	APMU_DEV_HPMN,    /* MDCR_EL2.HPMN: read at EL2 and AArch64's EL3, where E does not start all PMCR.N
			     counters; APMU_EOPNOTSUPP without EL2 */
	APMU_DEV_LOCK,    /* frame: 1 while the software lock is locked; writing 0 unlocks, 1 locks */
	APMU_DEV_REGS
};

/* Properties of a backend, bits of apmu_backend.traits. */
enum apmu_dev_trait {
	APMU_DEV_TRAIT_SELECT = 1u << 0, /* counters behind PMSELR, which the handler saves and restores */
	APMU_DEV_TRAIT_WIDE = 1u << 1,   /* event counters read as 64 bits where they have them */
	APMU_DEV_TRAIT_WIDE_CYCLE = 1u << 2, /* the cycle counter reads as 64 bits where it has them */
	APMU_DEV_TRAIT_FRAME = 1u << 3,      /* an external view: no PMUSERENR, no PMCR.N */
	APMU_DEV_TRAIT_V8 = 1u << 4,         /* Armv8 or later: VERSION says if there is a PMU at all */
};

/* A set of counters, bit i for counter i. PMICNTR (32) has no AArch32 encoding, so 32 bits are enough
 * there. */
#if UINTPTR_MAX > 0xFFFFFFFFu
typedef uint64_t apmu_counters;
#else
typedef uint32_t apmu_counters;
#endif

struct apmu_dev;
struct apmu_dev_slot;
struct apmu_count;

/* Registers as they were, for load() to undo and close() to restore. */
struct apmu_was {
	uint64_t control, enable, inten, select;
};

/* Counter-level operations; masks have bit i for counter i. The first failure is left in dev->bad as a
 * negative code. While dev->bad is set, no register is accessed and reads give 0, until the caller's call has
 * ended. */
struct apmu_family {
	const char *name;
	uint8_t events; /* event counters whose 8-bit selectors share one word, dev->types; 0: a TYPE register
			   each */
	uint8_t select[4]; /* lowest bit of each selector in dev->types */
	uint8_t off;       /* event that counts nothing, for counters without enables of their own */
	uint8_t holdoff;   /* cycles between start and the first count */
	bool latched;      /* the interrupt request falls only while E is set */
	bool architected;  /* Armv7 or PMUv3: architected event numbers; EL0 may read PMUSERENR */
	/* Probes the PMU: fills dev->has. May be called while other users' counters run. */
	void (*probe)(struct apmu_dev *dev);
	/* Saves in *was what quiet() changes. */
	void (*save)(struct apmu_dev *dev, struct apmu_was *was);
	/* Stops all counters and disables their interrupts. */
	void (*quiet)(struct apmu_dev *dev);
	/* Restores from *was everything but counters and types; the PMU stays stopped. */
	void (*restore)(struct apmu_dev *dev, const struct apmu_was *was);
	uint64_t (*type_get)(struct apmu_dev *dev, unsigned i);
	void (*type_put)(struct apmu_dev *dev, unsigned i, uint64_t type); /* takes effect at arm() */
	uint64_t (*get)(struct apmu_dev *dev, unsigned i);
	void (*put)(struct apmu_dev *dev, unsigned i, uint64_t value);
	/* Chooses the counters that count, and those that interrupt, once started, and clears their flags. */
	void (*arm)(struct apmu_dev *dev, apmu_counters on, apmu_counters inten);
	void (*start)(struct apmu_dev *dev);
	void (*stop)(struct apmu_dev *dev);
	apmu_counters (*flags)(struct apmu_dev *dev);           /* one access */
	void (*ack)(struct apmu_dev *dev, apmu_counters flags); /* clears exactly these */
	/* Pause and resume `counters`, or all counters where they have no enables of their own. */
	void (*hold)(struct apmu_dev *dev, apmu_counters counters);
	void (*go)(struct apmu_dev *dev, apmu_counters counters);
	/* Optional. Returns the number of an event that counts cycles, or a negative code; NULL: 0x11, the
	 * architecture's. */
	int (*cycle_event)(const struct apmu_dev *dev);
	/* Optional, for families whose kernel does more. look() begins a read of several counters. times()
	 * gives the enabled and running times of counter i as last read; `count` NULL: restarts them. serve()
	 * takes the samples that are there, in place of flags() and ack(), and returns how many. */
	void (*look)(struct apmu_dev *dev);
	void (*times)(struct apmu_dev *dev, unsigned i, struct apmu_count *count);
	int (*serve)(struct apmu_dev *dev);
};

extern const struct apmu_family apmu_family_arm11;   /* one PMNC; the request falls only while E is set */
extern const struct apmu_family apmu_family_xscale1; /* one PMNC, selectors in the opposite order */
extern const struct apmu_family apmu_family_xscale2; /* EVTSEL, INTEN, FLAG */
extern const struct apmu_family apmu_family_ranged;  /* Armv7 and PMUv3: PMCR, set and clear registers */

struct apmu_backend {
	const char *name;
	const struct apmu_family *family;
	int (*read)(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value);
	int (*write)(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value);
	void (*sync)(void *ctx); /* makes earlier writes take effect first (ISB); NULL: not needed */
	/* Masks interrupts and returns the state for unlock() to restore. NULL: the caller masks them, or
	 * there are none. */
	unsigned (*lock)(void *ctx);
	void (*unlock)(void *ctx, unsigned state);
	uint32_t traits; /* enum apmu_dev_trait */
};

/* This processor's own PMU. ctx is NULL. The library has only the backends of the target processor. */
extern const struct apmu_backend apmu_backend_cp15_arm11, apmu_backend_cp14_xscale1,
	apmu_backend_cp14_xscale2;
extern const struct apmu_backend
	apmu_backend_cp15_v7; /* Armv7, and AArch32 of Armv8 with a 32-bit cycle counter */
extern const struct apmu_backend apmu_backend_cp15_v8; /* AArch32 of Armv8 or later: 64-bit cycle counter */
extern const struct apmu_backend
	apmu_backend_sysreg; /* AArch64, EL1 or higher (EL0 where PMUSERENR allows it) */

/* A memory-mapped frame. ctx is a struct apmu_mmio, which apmu_backend_of_frame() fills. */
enum apmu_frame { APMU_FRAME_V7, APMU_FRAME_EXT32, APMU_FRAME_EXT64 };
struct apmu_mmio {
	uintptr_t base;
	enum apmu_frame frame;
	/* Access `offset`; `bits` is 32 or 64. NULL: volatile loads and stores at base + offset. */
	int (*load)(void *bus, uint32_t offset, unsigned bits, uint64_t *value);
	int (*store)(void *bus, uint32_t offset, unsigned bits, uint64_t value);
	void *bus;
};
extern const struct apmu_backend apmu_backend_mmio_v7;    /* 32-bit counters 4 bytes apart */
extern const struct apmu_backend apmu_backend_mmio_ext32; /* PMUv3, 32-bit accesses */
extern const struct apmu_backend apmu_backend_mmio_ext64; /* PMUv3, 64-bit accesses */

/* Finds the kind of the frame at mmio->base from PMDEVTYPE and PMDEVARCH alone and fills mmio->frame. `load`
 * and `store`, if any, must be set before. NULL with *why (enum apmu_why) if the frame is not a PMU's or does
 * not answer. */
const struct apmu_backend *apmu_backend_of_frame(struct apmu_mmio *mmio, uint8_t *why);

/*
 * Linux perf_event_open. ctx is a struct apmu_perf; an event's number is the kernel's `config`. Not
 * freestanding, and in the library on Linux alone. Times are the kernel's, in nanoseconds; the kernel may
 * multiplex events, and counts are scaled by the times.
 *
 * A group becomes a kernel group: its events count at the same times, or not at all. A want without a group
 * is an event of its own. apmu_dev_config.el is 1, because the kernel accesses the PMU. A want with a period
 * samples through the kernel's ring buffer; it needs apmu_dev_config.interrupt. Call apmu_dev_interrupt()
 * when apmu_perf_file() is readable (poll, SIGIO), or at any time; it hands over one sample per record, with
 * a struct apmu_perf_sample as its `state`. Counts of the calling thread are read without a system call where
 * the kernel allows it (x86; AArch64 with kernel.perf_user_access=1): then all calls must come from the
 * thread that opened the device.
 */
#define APMU_PERF_COUNTERS 16
struct apmu_perf_sample {
	uint64_t ip, time; /* address of the instruction; the kernel's clock, ns */
	uint32_t pid, tid;
};
struct apmu_perf {
	uint32_t type; /* PERF_TYPE_RAW (4): the PMU's event numbers; PERF_TYPE_SOFTWARE (1) ... */
	int pid, cpu;  /* as perf_event_open takes them: 0, -1 is the calling thread wherever it runs */
	/* The other members are the backend's own; start from zeros. */
	uint32_t here, calls; /* reads in user space, and by a system call */
	uint32_t lost;        /* samples for which the ring had no room */
	struct apmu_perf_event {
		int fd;     /* file descriptor + 1; 0: not open */
		void *page; /* the kernel's page, followed by the ring */
		uint32_t size;
		uint8_t lead, nth; /* counter of the group's leader; position in the group */
		bool grouped, fresh;
		uint64_t offset;                       /* added to what the kernel counted */
		uint64_t value, enabled, running;      /* as last read */
		uint64_t since_enabled, since_running; /* when the totals were cleared */
	} event[APMU_PERF_COUNTERS + 1];               /* the last: cycles */
};
struct apmu_dev;
/* Returns the file descriptor of a want, for poll(); negative if there is none. The backend owns it. */
int apmu_perf_file(const struct apmu_dev *dev, unsigned want);
extern const struct apmu_backend apmu_backend_perf;

/* The model. ctx is a struct apmu_model_port. */
struct apmu;
struct apmu_model_port {
	struct apmu *pmu;
	struct apmu_mode from; /* where the driver runs */
	bool aarch32;          /* use MRC/MCR even if the core has MRS/MSR */
};
/* Returns the backend for the registers that the model's core has. */
const struct apmu_backend *apmu_backend_of_model(const struct apmu_model_port *port);

#ifdef __cplusplus
}
#endif

#endif
