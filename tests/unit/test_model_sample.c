/* SPDX-License-Identifier: MIT */
/* The PC sample registers (FEAT_PCSRv8p2): at the offsets of PMUV3SHEET 1.3, with the values of DDI0487 H7.1.
 */
#include <apmu/model.h>

#include "test.h"

static const struct apmu_mode root = {.el = 3, .security = APMU_ROOT},
			      port = {.el = 3, .security = APMU_ROOT, .debug_port = true};

struct desk {
	struct apmu_tally tally;
	struct apmu pmu;
};

static void build(struct desk *d, const char *core)
{
	memset(d, 0, sizeof *d);
	apmu_init(&d->pmu, apmu_core_find(core), &d->tally, (struct apmu_lines){0});
}

static uint64_t get(struct desk *d, uint32_t offset)
{
	uint64_t value = 0;

	CHECK_EQ(apmu_read(&d->pmu, (struct apmu_access){APMU_VIEW_MMIO, offset, root}, &value), APMU_DONE);
	return value;
}

static const struct apmu_pc_sample guest = {
	.pc = 0xFF92345678ABCDEFull, /* PMPCSR has 56 of its bits */
	.mode = {.el = 1, .security = APMU_NONSECURE},
	.el2 = true,
	.contextidr_el1 = 0x11111111,
	.contextidr_el2 = 0x22222222,
	.vmid = 0x3333,
};

TEST(the_64_bit_frame_shows_the_sample)
{
	struct desk d;

	build(&d, "generic-v9");
	apmu_sample_pc(&d.pmu, &guest, root);
	CHECK_EQ(get(&d, 0x200), 0xA092345678ABCDEFull); /* NS 1, EL 1 */
	CHECK_EQ(get(&d, 0x220), 0xA092345678ABCDEFull);
	CHECK_EQ(get(&d, 0x208), 0x333311111111ull);
	CHECK_EQ(get(&d, 0x228), 0x2222222211111111ull);
}

TEST(the_32_bit_frame_shows_its_halves)
{
	struct desk d;

	build(&d, "generic-v9-aa32");
	apmu_sample_pc(&d.pmu, &guest, port);
	CHECK_EQ(get(&d, 0x200), 0x78ABCDEF);
	CHECK_EQ(get(&d, 0x204), 0xA0923456);
	CHECK_EQ(get(&d, 0x220), 0x78ABCDEF);
	CHECK_EQ(get(&d, 0x224), 0xA0923456);
	CHECK_EQ(get(&d, 0x208), 0x11111111);
	CHECK_EQ(get(&d, 0x20C), 0x3333);
	CHECK_EQ(get(&d, 0x228), 0x11111111);
	CHECK_EQ(get(&d, 0x22C), 0x22222222);
}

TEST(the_software_lock_holds_the_sample_but_for_the_debug_port)
{
	struct desk d;

	build(&d, "generic-v9-aa32"); /* the lock is locked out of reset */
	apmu_sample_pc(&d.pmu, &guest, root);
	CHECK_EQ(get(&d, 0x200), 0);
	apmu_sample_pc(&d.pmu, &guest, port);
	CHECK_EQ(get(&d, 0x200), 0x78ABCDEF);
}

TEST(each_world_has_its_bits)
{
	static const struct {
		uint8_t security;
		uint64_t bits;
	} worlds[] = {{APMU_SECURE, 0}, {APMU_NONSECURE, 0x80}, {APMU_ROOT, 0x08}, {APMU_REALM, 0x88}};
	struct desk d;

	for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
		struct apmu_pc_sample s = {.pc = 0x10, .mode = {.el = 0, .security = worlds[i].security}};

		build(&d, "generic-v9");
		apmu_sample_pc(&d.pmu, &s, root);
		CHECK_EQ(get(&d, 0x200), worlds[i].bits << 56 | 0x10);
	}
}

TEST(a_vmid_is_that_of_a_guest)
{
	struct apmu_pc_sample s = guest;
	struct desk d;

	build(&d, "generic-v9");
	s.mode.el = 2;
	apmu_sample_pc(&d.pmu, &s, root);
	CHECK_EQ(get(&d, 0x208), 0x11111111);
	s.mode.el = 0;
	s.host = true;
	apmu_sample_pc(&d.pmu, &s, root);
	CHECK_EQ(get(&d, 0x208), 0x11111111);
	s.el2 = false;
	apmu_sample_pc(&d.pmu, &s, root);
	CHECK_EQ(get(&d, 0x228), 0x11111111);
}

TEST(an_aarch32_pc_has_32_bits)
{
	struct apmu_pc_sample s = guest;
	struct desk d;

	build(&d, "generic-v9-aa32");
	s.aarch32 = true;
	apmu_sample_pc(&d.pmu, &s, port);
	CHECK_EQ(get(&d, 0x204), 0xA0000000);
}

TEST(where_nobody_may_look_it_is_all_ones)
{
	struct apmu_pc_sample s = guest;
	struct apmu_inputs in = {.dbgen = true, .niden = true};
	struct desk d;

	build(&d, "generic-v9");
	apmu_sample_pc(&d.pmu, NULL, root);
	CHECK_EQ(get(&d, 0x200) & 0xFFFFFFFF, 0xFFFFFFFF);
	apmu_sample_pc(&d.pmu, &guest, root);
	s.mode.debug_halted = true;
	apmu_sample_pc(&d.pmu, &s, root);
	CHECK_EQ(get(&d, 0x200) & 0xFFFFFFFF, 0xFFFFFFFF);
	s = guest;
	s.mode.security = APMU_SECURE;
	apmu_input(&d.pmu, in); /* no Secure debug */
	apmu_sample_pc(&d.pmu, &guest, root);
	CHECK_EQ(get(&d, 0x200) & 0xFFFFFFFF, 0x78ABCDEF);
	apmu_sample_pc(&d.pmu, &s, root);
	CHECK_EQ(get(&d, 0x200) & 0xFFFFFFFF, 0xFFFFFFFF);
}

/* With FEAT_Debugv8p4 the Non-secure world is always seen, the others where invasive debug is permitted. */
TEST(from_debugv8p4_on_no_input_hides_the_non_secure_world) /* DDI0487 J1.3 */
{
	static const struct {
		struct apmu_inputs in;
		uint8_t security;
		bool seen;
	} rows[] = {
		{{.niden = false}, APMU_NONSECURE, true},
		{{.dbgen = true, .spiden = true}, APMU_SECURE, true},
		{{.dbgen = true, .niden = true, .spniden = true}, APMU_SECURE, false},
		{{.niden = true, .spiden = true}, APMU_SECURE, false},
		{{.dbgen = true, .niden = true, .spniden = true}, APMU_ROOT, false},
		{{.dbgen = true, .spiden = true}, APMU_REALM, true},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct apmu_pc_sample s = {.pc = 0x10, .mode = {.el = 1, .security = rows[i].security}};
		struct desk d;

		build(&d, "generic-v9");
		apmu_input(&d.pmu, rows[i].in);
		apmu_sample_pc(&d.pmu, &s, root);
		CHECK_EQ(get(&d, 0x200) & 0xFFFFFFFF, rows[i].seen ? 0x10 : 0xFFFFFFFF);
	}
}

TEST(SDER_lets_secure_user_code_be_sampled_under_an_aarch32_EL1) /* DDI0487 H7.1.1 */
{
	struct apmu_pc_sample s = {.pc = 0x10, .mode = {.el = 0, .security = APMU_SECURE}};
	struct apmu_machine_state machine;
	struct desk d;

	build(&d, "generic-v9-aa32");
	apmu_input(&d.pmu, (struct apmu_inputs){0});
	apmu_machine_get(&d.pmu, &machine);
	machine.sder = 2; /* SUNIDEN */
	apmu_machine_set(&d.pmu, &machine);
	apmu_sample_pc(&d.pmu, &s, port);
	CHECK_EQ(get(&d, 0x200), 0xFFFFFFFF);
	machine.aarch32 = 3;
	apmu_machine_set(&d.pmu, &machine);
	apmu_sample_pc(&d.pmu, &s, port);
	CHECK_EQ(get(&d, 0x200), 0x10);
}
