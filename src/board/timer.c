/* SPDX-License-Identifier: MIT */
/* The generic timer: rows of registers, each with its names in up to three views, over one counter and four
 * timers. */
#include "board/timer.h"
#include "base/bits.h"

#define CORE_HZ_MOST    ((uint64_t)1 << 33) /* so that remainder x frequency fits 64 bits */
#define COUNTER_HZ_MOST ((uint64_t)1 << 30)
#define CORE_HZ         1000000000u
#define COUNTER_HZ      62500000u

#define CTL_ENABLE  1u
#define CTL_IMASK   2u
#define CTL_ISTATUS 4u
#define CTL_WRITTEN (CTL_ENABLE | CTL_IMASK)

/* CNTKCTL: what EL0 may reach (DDI0487 CNTKCTL_EL1). */
#define EL0PCTEN        0x001u
#define EL0VCTEN        0x002u
#define EL0VTEN         0x100u
#define EL0PTEN         0x200u
#define CNTKCTL_WRITTEN 0x3FFu

/* CNTHCTL_EL2: what EL1 and EL0 may reach. With HCR_EL2.E2H these bits are ten bits higher, and below them
 * are CNTKCTL's bits. */
#define EL1PCTEN        0x001u
#define EL1PCEN         0x002u
#define HOST_SHIFT      10
#define CNTHCTL_WRITTEN 0xFFFu

enum what { FRQ, COUNT, KCTL, HCTL, VOFF, TVAL, CTL, CVAL };

/* The register that an encoding names. `el0`: bits of CNTKCTL, of which one must be set for an access of
 * EL0. */
struct row {
	uint8_t view;
	uint8_t what;
	uint8_t timer;
	bool read_only;
	uint32_t encoding;
	uint32_t el0;
	uint8_t el; /* the lowest level that has access; 0: `el0` says */
};

/* clang-format off */
#define A64(op1, crm, op2) APMU_VIEW_A64, 3u << 16 | (op1) << 12 | 14u << 8 | (crm) << 4 | (op2)
#define CP(crm, op2)       APMU_VIEW_CP, 15u << 16 | 14u << 8 | (crm) << 4 | (op2)
#define HCP(crm, op2)      APMU_VIEW_CP, 15u << 16 | 4u << 12 | 14u << 8 | (crm) << 4 | (op2)
#define CP64(opc1)         APMU_VIEW_CP64, 15u << 16 | (opc1) << 12 | 14u << 4
#define ROW(at, what, timer, ro, el0) ROW_(at, what, timer, ro, el0)
#define ROW_(view, encoding, what, timer, ro, el0) {view, what, timer, ro, encoding, el0, 0}
#define HYP(at, what, timer) HYP_(at, what, timer)
#define HYP_(view, encoding, what, timer) {view, what, timer, false, encoding, 0, 2}
static const struct row rows[] = {
	ROW(A64(3u, 0u, 0u), FRQ,   0, false, EL0PCTEN | EL0VCTEN), /* CNTFRQ_EL0 */
	ROW(A64(3u, 0u, 1u), COUNT, APMU_BOARD__TIMER_PHYSICAL, true,  EL0PCTEN),            /* CNTPCT_EL0 */
	ROW(A64(3u, 0u, 2u), COUNT, APMU_BOARD__TIMER_VIRTUAL,  true,  EL0VCTEN),             /* CNTVCT_EL0 */
	ROW(A64(3u, 0u, 5u), COUNT, APMU_BOARD__TIMER_PHYSICAL, true,  EL0PCTEN),            /* CNTPCTSS_EL0 */
	ROW(A64(3u, 0u, 6u), COUNT, APMU_BOARD__TIMER_VIRTUAL,  true,  EL0VCTEN),             /* CNTVCTSS_EL0 */
	ROW(A64(0u, 1u, 0u), KCTL,  0, false, 0),                   /* CNTKCTL_EL1 */
	ROW(A64(3u, 2u, 0u), TVAL,  APMU_BOARD__TIMER_PHYSICAL, false, EL0PTEN),
	ROW(A64(3u, 2u, 1u), CTL,   APMU_BOARD__TIMER_PHYSICAL, false, EL0PTEN),
	ROW(A64(3u, 2u, 2u), CVAL,  APMU_BOARD__TIMER_PHYSICAL, false, EL0PTEN),
	ROW(A64(3u, 3u, 0u), TVAL,  APMU_BOARD__TIMER_VIRTUAL,  false, EL0VTEN),
	ROW(A64(3u, 3u, 1u), CTL,   APMU_BOARD__TIMER_VIRTUAL,  false, EL0VTEN),
	ROW(A64(3u, 3u, 2u), CVAL,  APMU_BOARD__TIMER_VIRTUAL,  false, EL0VTEN),
	ROW(CP(0u, 0u),      FRQ,   0, false, EL0PCTEN | EL0VCTEN), /* CNTFRQ */
	ROW(CP64(0u),        COUNT, APMU_BOARD__TIMER_PHYSICAL, true,  EL0PCTEN),            /* CNTPCT */
	ROW(CP64(1u),        COUNT, APMU_BOARD__TIMER_VIRTUAL,  true,  EL0VCTEN),             /* CNTVCT */
	ROW(CP(1u, 0u),      KCTL,  0, false, 0),                   /* CNTKCTL */
	ROW(CP(2u, 0u),      TVAL,  APMU_BOARD__TIMER_PHYSICAL, false, EL0PTEN),
	ROW(CP(2u, 1u),      CTL,   APMU_BOARD__TIMER_PHYSICAL, false, EL0PTEN),
	ROW(CP64(2u),        CVAL,  APMU_BOARD__TIMER_PHYSICAL, false, EL0PTEN),
	ROW(CP(3u, 0u),      TVAL,  APMU_BOARD__TIMER_VIRTUAL,  false, EL0VTEN),
	ROW(CP(3u, 1u),      CTL,   APMU_BOARD__TIMER_VIRTUAL,  false, EL0VTEN),
	ROW(CP64(3u),        CVAL,  APMU_BOARD__TIMER_VIRTUAL,  false, EL0VTEN),
	HYP(A64(4u, 0u, 3u), VOFF, 0), /* CNTVOFF_EL2 */
	HYP(A64(4u, 1u, 0u), HCTL, 0), /* CNTHCTL_EL2 */
	HYP(A64(4u, 2u, 0u), TVAL, APMU_BOARD__TIMER_HYP),
	HYP(A64(4u, 2u, 1u), CTL,  APMU_BOARD__TIMER_HYP),
	HYP(A64(4u, 2u, 2u), CVAL, APMU_BOARD__TIMER_HYP),
	HYP(A64(4u, 3u, 0u), TVAL, APMU_BOARD__TIMER_HYP_VIRTUAL),
	HYP(A64(4u, 3u, 1u), CTL,  APMU_BOARD__TIMER_HYP_VIRTUAL),
	HYP(A64(4u, 3u, 2u), CVAL, APMU_BOARD__TIMER_HYP_VIRTUAL),
	HYP(CP64(4u),        VOFF, 0), /* CNTVOFF */
	HYP(HCP(1u, 0u),     HCTL, 0), /* CNTHCTL */
	HYP(HCP(2u, 0u),     TVAL, APMU_BOARD__TIMER_HYP),
	HYP(HCP(2u, 1u),     CTL,  APMU_BOARD__TIMER_HYP),
	HYP(CP64(6u),        CVAL, APMU_BOARD__TIMER_HYP),
};
/* clang-format on */

/* value x to / from, rounded down or up; UINT64_MAX if that is beyond 64 bits. Frequencies are within their
 * bounds, so the product of the remainder fits. */
static uint64_t scale(uint64_t value, uint64_t to, uint64_t from, bool up)
{
	uint64_t whole = value / from, rest = value % from * to;
	uint64_t part = rest / from + (up && rest % from != 0);

	if (whole > (UINT64_MAX - part) / to)
		return UINT64_MAX;
	return whole * to + part;
}

static uint64_t within(uint64_t value, uint64_t most, uint64_t otherwise)
{
	if (!value)
		return otherwise;
	return value < most ? value : most;
}

void apmu_board__gtimer_init(struct apmu_board__gtimer *timer, uint64_t core_hz, uint64_t counter_hz)
{
	*timer = (struct apmu_board__gtimer){
		.core_hz = within(core_hz, CORE_HZ_MOST, CORE_HZ),
		.counter_hz = within(counter_hz, COUNTER_HZ_MOST, COUNTER_HZ),
	};
	timer->cntfrq = (uint32_t)timer->counter_hz;
	timer->cnthctl = EL1PCTEN | EL1PCEN;
}

static void reset(void *state)
{
	struct apmu_board__gtimer *timer = state;
	uint64_t now = timer->now;
	uint8_t highest_el = timer->highest_el;
	bool el1_a64 = timer->el1_a64, host_el0 = timer->host_el0;

	apmu_board__gtimer_init(timer, timer->core_hz, timer->counter_hz);
	timer->now = now;
	timer->highest_el = highest_el;
	timer->el1_a64 = el1_a64;
	timer->host_el0 = host_el0;
}

uint64_t apmu_board__gtimer_count(const struct apmu_board__gtimer *timer)
{
	return scale(timer->now, timer->counter_hz, timer->core_hz, false);
}

/* How far a timer's counter is behind the physical one. */
static uint64_t behind(const struct apmu_board__gtimer *timer, unsigned which)
{
	return which == APMU_BOARD__TIMER_VIRTUAL ? timer->cntvoff : 0;
}

static uint64_t count(const struct apmu_board__gtimer *timer, unsigned which)
{
	return apmu_board__gtimer_count(timer) - behind(timer, which);
}

static bool met(const struct apmu_board__gtimer *timer, unsigned which)
{
	return count(timer, which) >= timer->cval[which];
}

static uint64_t read_register(const struct apmu_board__gtimer *timer, const struct row *row)
{
	uint32_t ctl = timer->ctl[row->timer];

	switch ((enum what)row->what) {
	case FRQ: return timer->cntfrq;
	case COUNT: return count(timer, row->timer);
	case KCTL: return timer->cntkctl;
	case HCTL: return timer->cnthctl;
	case VOFF: return timer->cntvoff;
	case TVAL: return (uint32_t)(timer->cval[row->timer] - count(timer, row->timer));
	case CTL: return ctl | (ctl & CTL_ENABLE && met(timer, row->timer) ? CTL_ISTATUS : 0);
	case CVAL: return timer->cval[row->timer];
	}
	return 0;
}

static void write_register(struct apmu_board__gtimer *timer, const struct row *row, uint64_t value)
{
	uint64_t ahead = (uint64_t)(int64_t)(int32_t)(uint32_t)value; /* TVAL is signed */

	switch ((enum what)row->what) {
	case FRQ: timer->cntfrq = (uint32_t)value; break;
	case COUNT: break;
	case KCTL: timer->cntkctl = (uint32_t)value & CNTKCTL_WRITTEN; break;
	case HCTL: timer->cnthctl = (uint32_t)value & CNTHCTL_WRITTEN; break;
	case VOFF: timer->cntvoff = value; break;
	case TVAL: timer->cval[row->timer] = count(timer, row->timer) + ahead; break;
	case CTL: timer->ctl[row->timer] = (uint32_t)value & CTL_WRITTEN; break;
	case CVAL: timer->cval[row->timer] = value; break;
	}
}

static const struct row *find(struct apmu_access at)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].view == at.view && rows[i].encoding == at.encoding)
			return &rows[i];
	return NULL;
}

static bool is_hosts(const struct apmu_board__gtimer *timer, struct apmu_access at)
{
	return timer->host_el0 && at.from.el == 0;
}

/* What controls an access of EL0: CNTKCTL, or CNTHCTL_EL2 under a host. */
static uint32_t open_to_el0(const struct apmu_board__gtimer *timer, struct apmu_access at)
{
	return is_hosts(timer, at) ? timer->cnthctl : timer->cntkctl;
}

/* The register that a name reaches: EL0 under a host has EL2's timers, and no offset. DDI0487 D12.2.6. */
static struct row reached(const struct apmu_board__gtimer *timer, const struct row *row,
			  struct apmu_access at)
{
	static const uint8_t own[APMU_BOARD__TIMERS] = {
		[APMU_BOARD__TIMER_VIRTUAL] = APMU_BOARD__TIMER_HYP_VIRTUAL,
		[APMU_BOARD__TIMER_PHYSICAL] = APMU_BOARD__TIMER_HYP,
	};
	struct row it = *row;

	if (is_hosts(timer, at))
		it.timer = own[row->timer];
	return it;
}

/* True if CNTFRQ may be written there: at the highest level, which AArch32's Secure modes belong to (DDI0487,
 * CNTFRQ_EL0; DDI0406C B8.1.2). */
static bool sets_frequency(const struct apmu_board__gtimer *timer, struct apmu_access at)
{
	bool secure = at.view != APMU_VIEW_A64 && at.from.security == APMU_SECURE;

	return at.from.el != 0 && (at.from.el >= timer->highest_el || secure);
}

/* Decides if an access is permitted. From EL0, CNTKCTL decides. A refused access of EL0 traps to its host or
 * to an AArch64 EL1, and is undefined with an AArch32 EL1. */
static enum apmu_board__answer permit(const struct apmu_board__gtimer *timer, const struct row *row,
				      struct apmu_access at, bool write)
{
	bool may = at.from.el != 0 || open_to_el0(timer, at) & row->el0;

	if ((write && row->read_only) || at.from.el < row->el)
		return APMU_BOARD__ANSWER_UNDEFINED;
	if (write && row->what == FRQ && !sets_frequency(timer, at))
		return APMU_BOARD__ANSWER_UNDEFINED;
	if (may)
		return APMU_BOARD__ANSWER_DONE;
	if ((at.view != APMU_VIEW_A64 && !timer->el1_a64) || !row->el0)
		return APMU_BOARD__ANSWER_UNDEFINED;
	return is_hosts(timer, at) ? APMU_BOARD__ANSWER_TRAP_EL2 : APMU_BOARD__ANSWER_TRAP_EL1;
}

bool apmu_board__gtimer_traps(const struct apmu_board__gtimer *timer, struct apmu_access at, bool host)
{
	const struct row *row = find(at);
	uint32_t open = timer->cnthctl >> (host ? HOST_SHIFT : 0);

	if (!row || row->timer != APMU_BOARD__TIMER_PHYSICAL || at.from.el > 1 || is_hosts(timer, at))
		return false;
	if (at.from.el == 0 && !(timer->cntkctl & row->el0)) /* EL1's control comes first */
		return false;
	return !(open & (row->what == COUNT ? EL1PCTEN : EL1PCEN));
}

enum apmu_board__answer apmu_board__gtimer_sysreg(struct apmu_board__gtimer *timer, struct apmu_access at,
						  bool write, uint64_t *value)
{
	const struct row *row = find(at);

	if (!row)
		return APMU_BOARD__ANSWER_NOT_MINE;
	enum apmu_board__answer answer = permit(timer, row, at, write);
	if (answer != APMU_BOARD__ANSWER_DONE)
		return answer;
	struct row it = reached(timer, row, at);
	if (write)
		write_register(timer, &it, *value);
	else
		*value = read_register(timer, &it);
	return APMU_BOARD__ANSWER_DONE;
}

/* No register is in memory: all are system registers. */
static uint64_t read(void *state, uint32_t offset, unsigned size)
{
	(void)state;
	(void)offset;
	(void)size;
	return 0;
}

static void write(void *state, uint32_t offset, uint64_t value, unsigned size)
{
	(void)state;
	(void)offset;
	(void)value;
	(void)size;
}

static uint32_t lines(const void *state)
{
	const struct apmu_board__gtimer *timer = state;
	uint32_t up = 0;

	for (unsigned i = 0; i < APMU_BOARD__TIMERS; i++)
		if ((timer->ctl[i] & CTL_WRITTEN) == CTL_ENABLE && met(timer, i))
			up |= (uint32_t)apmu_base__bit(i);
	return up;
}

static void advance(void *state, uint64_t now)
{
	struct apmu_board__gtimer *timer = state;

	timer->now = now;
}

static uint64_t deadline(const void *state)
{
	const struct apmu_board__gtimer *timer = state;
	uint64_t soonest = APMU_BOARD__NEVER;

	for (unsigned i = 0; i < APMU_BOARD__TIMERS; i++) {
		if ((timer->ctl[i] & CTL_WRITTEN) != CTL_ENABLE || met(timer, i))
			continue;
		uint64_t when = timer->cval[i] + behind(timer, i);
		if (when <= apmu_board__gtimer_count(timer)) /* the time is beyond the counter's wrap */
			continue;
		uint64_t at = scale(when, timer->core_hz, timer->counter_hz, true);
		soonest = at < soonest ? at : soonest;
	}
	return soonest;
}

const struct apmu_board__device_ops apmu_board__gtimer_ops = {
	.name = "generic timer",
	.reset = reset,
	.read = read,
	.write = write,
	.lines = lines,
	.advance = advance,
	.deadline = deadline,
};
