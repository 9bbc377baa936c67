/* SPDX-License-Identifier: MIT */
/* pmuv3 4: the effects of a cycle. */
#include "ref_v8.h"

#define I_C 31u /* the cycle counter */
#define I_F 32u /* the instruction counter */

enum range { R1, R2, R3 };

static bool bit(uint64_t word, unsigned i)
{
	return word >> i & 1;
}

static bool aarch32_at(const struct ref_v8 *r, unsigned el)
{
	return r->aarch32 >> el & 1;
}

/* 2.15. choice: EPMN above N is N. */
unsigned v8_epmn(const struct ref_v8 *r)
{
	if (!r->f.extpmn || r->epmn > r->n)
		return r->n;
	return r->epmn;
}

/* 2.15. choice: HPMN above the limit is the limit, 0 without FEAT_HPMN0 puts all in R2 (9.2 item 2 and the
 * cores' `hpmn0 none`). */
unsigned v8_hpmn(const struct ref_v8 *r)
{
	unsigned limit = v8_epmn(r), hpmn = r->mdcr_el2 & 31;

	if (!r->f.el2 || hpmn > limit)
		return limit;
	return hpmn;
}

/* 4.1 */
static enum range range_of(const struct ref_v8 *r, unsigned i)
{
	if (i == I_C || i == I_F || i < v8_hpmn(r))
		return R1;
	return i < v8_epmn(r) ? R2 : R3;
}

unsigned v8_range(const struct ref_v8 *r, unsigned i)
{
	return 1u + range_of(r, i);
}

static bool global_enable(const struct ref_v8 *r, enum range range)
{
	if (range == R1)
		return r->e;
	if (range == R2)
		return bit(r->mdcr_el2, 7);
	return r->epme;
}

bool v8_enabled(const struct ref_v8 *r, unsigned i)
{
	return global_enable(r, range_of(r, i));
}

/* 4.3. Bits of absent features are never set. */
static bool filtered(const struct ref_v8 *r, uint64_t type, struct apmu_mode m)
{
	bool p = bit(type, 31), u = bit(type, 30), nsk = bit(type, 29), nsu = bit(type, 28);
	bool nsh = bit(type, 27), mm = bit(type, 26), sh = bit(type, 24);
	bool rlk = bit(type, 22), rlu = bit(type, 21), rlh = bit(type, 20);

	if (r->f.sme && bit(type, r->streaming ? 56 : 57))
		return true;
	if (m.el == 3)
		return aarch32_at(r, 3) ? p : mm != p;
	if (m.security == APMU_SECURE)
		return m.el == 0 ? u : m.el == 1 ? p : nsh == sh;
	if (m.security == APMU_REALM)
		return m.el == 0 ? u != rlu : m.el == 1 ? p != rlk : nsh == rlh;
	return m.el == 0 ? u != nsu : m.el == 1 ? p != nsk : !nsh;
}

/* 4.4 "IMPDEF authentication". choice: the Armv7 interface, as in the Armv7 facts section 4. */
static bool secure_noninvasive(const struct ref_v8 *r)
{
	return (r->in.dbgen || r->in.niden) && (r->in.spiden || r->in.spniden);
}

/* 4.4 */
static bool prohibited(const struct ref_v8 *r, enum range range, struct apmu_mode m)
{
	bool spme = bit(r->mdcr_el3, 17), mpmx = bit(r->mdcr_el3, 35), hpmd = bit(r->mdcr_el2, 17);
	bool a64_el3 = r->f.el3_a64 && !aarch32_at(r, 3), no = false;

	if (r->f.el3 && (m.security == APMU_SECURE || m.el == 3) && range != R3) {
		no = !spme && (!a64_el3 || !r->f.p7 || !mpmx);
		if (no && m.el == 0 && (!a64_el3 || aarch32_at(r, 1)))
			no = !bit(r->sder, 1);
	}
	if (!no && r->f.p7 && m.el == 3 && a64_el3 && range != R3)
		no = mpmx && (!spme || range == R1);
	if (!no && r->f.p1 && m.el == 2 && range == R1)
		no = hpmd;
	if (no && !r->f.debugv8p2)
		no = !secure_noninvasive(r);
	return no;
}

/* 4.6: flags of the range's counters without SYNC. */
static uint64_t freezing_flags(const struct ref_v8 *r, enum range range)
{
	uint64_t flags = 0;

	for (unsigned i = 0; i < r->n; i++)
		if (range_of(r, i) == range && bit(r->ovs, i) && !bit(r->type[i], 58))
			flags |= (uint64_t)1 << i;
	if (range == R1 && (r->ovs & V8_F0) && !bit(r->type[I_F], 58))
		flags |= V8_F0;
	return flags;
}

static bool frozen_by_overflow(const struct ref_v8 *r, enum range range)
{
	bool fz = range == R1 ? r->fzo : range == R2 ? bit(r->mdcr_el2, 29) : false;

	return r->f.p7 && fz && freezing_flags(r, range) != 0;
}

static bool frozen_by_spe(const struct ref_v8 *r, enum range range)
{
	bool fzs = range == R1 ? r->fzs : range == R2 ? bit(r->mdcr_el2, 36) : false;

	return r->f.spe12 && r->spe_stopped && fzs;
}

bool v8_exception_enabled(const struct ref_v8 *r)
{
	unsigned level;

	return r->f.ebep && v8_pmee(r, &level) == 3;
}

/* 4.2 and 4.5; event counters and the instruction counter, then the cycle counter. */
static bool cycles_count(const struct ref_v8 *r)
{
	struct apmu_mode m = r->mode;
	bool on = r->e && (r->cnten & V8_C), no = false;

	if (r->dp &&
	    (prohibited(r, R1, m) || frozen_by_overflow(r, R1) || (r->f.dpfzs && frozen_by_spe(r, R1))))
		on = false;
	if (r->f.p5 && r->f.el3 && (m.security == APMU_SECURE || m.el == 3))
		no = no || bit(r->mdcr_el3, 23);
	if (r->f.p5 && m.el == 2)
		no = no || bit(r->mdcr_el2, 23);
	if (r->f.p7 && m.el == 3 && !aarch32_at(r, 3))
		no = no || bit(r->mdcr_el3, 34);
	return on && !no && !filtered(r, r->type[I_C], m) && !m.debug_halted;
}

static bool synchronous(unsigned number)
{
	return number == 0x00 || number == 0x08 || number == 0x21; /* among the events of the lives (6.4) */
}

static unsigned event_of(const struct ref_v8 *r, unsigned i)
{
	return i == I_F ? 0x08 : r->type[i] & 0xFFFF;
}

bool v8_counts(const struct ref_v8 *r, unsigned i)
{
	enum range range = range_of(r, i);

	if (i == I_C)
		return cycles_count(r);
	if (r->mode.debug_halted || !global_enable(r, range) || !bit(r->cnten, i))
		return false;
	if (bit(r->type[i], 58) && !synchronous(event_of(r, i)))
		return false;
	if (prohibited(r, range, r->mode))
		return false;
	if (frozen_by_overflow(r, range) || frozen_by_spe(r, range))
		return false;
	return !filtered(r, r->type[i], r->mode);
}

/* 4.8, the list of reserved combinations; they act as disabled (9.2 item 4). */
static bool reserved(bool te, unsigned tc, unsigned tlc)
{
	if (tlc == 3)
		return true;
	if (te)
		return (tc & 3) == 0 || tlc == 1;
	return (tc & 1) && tlc == 2;
}

/* 4.8, TE = 0. */
static uint64_t by_level(uint64_t vb, uint64_t vm, bool ct, unsigned tc, unsigned tlc)
{
	bool one = tc & 1;

	if (tlc == 0)
		return ct ? (one ? 1 : vb) : 0;
	if (tlc == 1)
		return ct ? (one ? 1 : vb) : vm;
	return ct ? vm : 0;
}

/* 4.8, TE = 1. */
static uint64_t by_edge(uint64_t vm, bool cp, bool ct, unsigned tc, unsigned tlc)
{
	bool ce = (tc & 3) == 2 ? cp != ct : !cp && ct;

	return ce ? (tlc == 2 ? vm : 1) : 0;
}

/* 4.8. choice: a disabled threshold leaves Cp as it was. */
static uint64_t threshold(struct ref_v8 *r, unsigned i, uint64_t vb, uint64_t vm)
{
	uint64_t type = r->type[i], th = type >> 32 & 0xFFF;
	unsigned tc = (unsigned)(type >> 61), tlc = (unsigned)(type >> 54 & 3);
	bool te = bit(type, 60), cp = r->cp[i], ct;

	if (tc == 0 && th == 0 && !te && tlc == 0)
		return vb;
	if (!r->f.th || reserved(te, tc, tlc))
		return vb;
	ct = tc >> 1 == 0 ? vb != th : tc >> 1 == 1 ? vb == th : tc >> 1 == 2 ? vb >= th : vb < th;
	r->cp[i] = ct;
	return te ? by_edge(vm, cp, ct, tc, tlc) : by_level(vb, vm, ct, tc, tlc);
}

static bool long_overflow(const struct ref_v8 *r, unsigned i)
{
	enum range range = range_of(r, i);

	if (!r->f.p5)
		return false;
	if (range == R3 || i == I_F || v8_exception_enabled(r))
		return true;
	return range == R1 ? r->lp : bit(r->mdcr_el2, 26);
}

/* Adds, and sets the carries out of bits 31 and 63. */
static uint64_t sum(uint64_t old, uint64_t amount, bool *carry31, bool *carry63)
{
	uint64_t now = old + amount;

	*carry31 = old >> 32 != now >> 32;
	*carry63 = now < old;
	return now;
}

/* 4.7. Returns true if CHAIN happens for the next counter (4.9). */
static bool increment(struct ref_v8 *r, unsigned i, uint64_t amount)
{
	bool c31, c63, far = long_overflow(r, i);
	uint64_t now = sum(r->counter[i], amount, &c31, &c63);

	r->counter[i] = r->f.p5 || i == I_F ? now : now & 0xFFFFFFFF;
	if (far ? c63 : c31)
		r->ovs |= (uint64_t)1 << i;
	return c31 && !far && i % 2 == 0 && i + 1 < r->n && range_of(r, i) == range_of(r, i + 1);
}

static uint64_t occurrences(const struct ref_v8 *r, const uint64_t n[APMU_SIGNALS], unsigned number)
{
	switch (number) {
	case 0x03: return n[APMU_SIG_L1D_FILL];
	case 0x08: return n[APMU_SIG_INST];
	case 0x11: return n[APMU_SIG_CYCLES];
	case 0x21: return r->br_retired ? n[APMU_SIG_BR_EXEC] : 0;
	default: return 0; /* lives select no other event number with a signal */
	}
}

/* 4.7: `k` is one. choice: the phase runs while the cycle counter counts, whether D looks at it or not. */
static void increment_cycles(struct ref_v8 *r)
{
	bool lc = r->lc || v8_exception_enabled(r) || !r->f.aa32, c31, c63;

	r->phase = (uint8_t)((r->phase + 1) % 64);
	if (!lc && r->d && r->phase != 0)
		return;
	r->counter[I_C] = sum(r->counter[I_C], 1, &c31, &c63);
	if (lc ? c63 : c31)
		r->ovs |= V8_C;
}

/* One cycle of the event counters. `on` was computed before any of them changed, so a freeze acts from the
 * next cycle on (9.2 item 6). choice: CHAIN needs the next counter to count in this cycle. */
static void step_events(struct ref_v8 *r, const uint64_t n[APMU_SIGNALS], uint64_t software, uint64_t on)
{
	uint64_t added = 0;
	bool chain = false;

	for (unsigned i = 0; i < r->n; i++) {
		unsigned number = event_of(r, i);
		uint64_t vb = occurrences(r, n, number), vm = i % 2 ? added : 0;

		added = 0;
		if (number == 0x00)
			vb = bit(software, i);
		if (number == 0x1E)
			vb = i % 2 && chain;
		chain = false;
		if (!bit(on, i)) {
			r->cp[i] = false;
			continue;
		}
		added = threshold(r, i, vb, vm);
		chain = increment(r, i, added);
	}
}

static uint64_t all_that_count(const struct ref_v8 *r)
{
	uint64_t on = 0;

	for (unsigned i = 0; i < r->n; i++)
		if (v8_counts(r, i))
			on |= (uint64_t)1 << i;
	return on;
}

void ref_v8_cycle(struct ref_v8 *r, const uint64_t n[APMU_SIGNALS])
{
	bool cycles = v8_counts(r, I_C), instructions = r->f.icntr && v8_counts(r, I_F);

	step_events(r, n, 0, all_that_count(r));
	if (cycles)
		increment_cycles(r);
	if (instructions)
		increment(r, I_F, n[APMU_SIG_INST]);
}

/* 4.9. choice: the event happens between cycles. It passes its own counter's threshold and chains; the
 * thresholds of other counters are not evaluated. */
void v8_software_increment(struct ref_v8 *r, uint64_t which)
{
	uint64_t on = all_that_count(r);

	for (unsigned i = 0; i < v8_epmn(r); i++)
		if (bit(which, i) && event_of(r, i) == 0x00 && bit(on, i) &&
		    increment(r, i, threshold(r, i, 1, 0)) && event_of(r, i + 1) == 0x1E && bit(on, i + 1))
			increment(r, i + 1, threshold(r, i + 1, 1, 1));
}
