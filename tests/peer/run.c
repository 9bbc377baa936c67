/* SPDX-License-Identifier: MIT */
#include "run.h"

enum kind { SECTION_ROW, WRITE, READ, WRITE_TOLD, HYP_WRITE, LINE_LOOK };

struct row {
	uint8_t kind; /* enum kind */
	uint8_t reg;  /* enum peer_reg */
	bool user;
	uint64_t value;
	const char *name;
};

#define SECTION(title)       {SECTION_ROW, 0, false, 0, #title},
#define W(reg, value)        {WRITE, PEER_##reg, false, value, "refused-" #reg "-" #value},
#define R(name, reg)         {READ, PEER_##reg, false, 0, #name},
#define X(name, reg, value)  {WRITE_TOLD, PEER_##reg, false, value, #name},
#define UR(name, reg)        {READ, PEER_##reg, true, 0, #name},
#define UX(name, reg, value) {WRITE_TOLD, PEER_##reg, true, value, #name},
#define HYP(value)           {HYP_WRITE, 0, false, value, ""},
#define LINE(name)           {LINE_LOOK, 0, false, 0, #name},

static const struct row rows[] = {
#include "selftest.tbl"
};

static const char *const ends[] = {"done", "undefined", "trap-el1", "trap-el2", "trap-el3", "elsewhere"};

static void put_hex(uint64_t value)
{
	char text[19] = "0x0000000000000000";

	for (unsigned i = 0; i < 16; i++)
		text[2 + i] = "0123456789ABCDEF"[value >> (60 - 4 * i) & 0xF];
	peer_put(text);
}

static void put_name(const char *section, const char *name)
{
	peer_put(section);
	peer_put(".");
	peer_put(name);
	peer_put(" ");
}

static void read_row(const char *section, const struct row *row)
{
	uint64_t value = 0;
	enum peer_end end = peer_read((enum peer_reg)row->reg, row->user, &value);

	put_name(section, row->name);
	if (end == PEER_DONE)
		put_hex(value);
	else
		peer_put(ends[end]);
	peer_put("\n");
}

static void write_row(const char *section, const struct row *row)
{
	enum peer_end end = peer_write((enum peer_reg)row->reg, row->user, row->value);

	if (end == PEER_DONE && row->kind == WRITE)
		return;
	put_name(section, row->name);
	peer_put(ends[end]);
	peer_put("\n");
}

static void look_at_line(const char *section, const struct row *row)
{
	put_name(section, row->name);
	peer_put(peer_line() ? "up\n" : "down\n");
}

void peer_run(void)
{
	const char *section = "";

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *row = &rows[i];

		switch ((enum kind)row->kind) {
		case SECTION_ROW: section = row->name; break;
		case WRITE:
		case WRITE_TOLD: write_row(section, row); break;
		case READ: read_row(section, row); break;
		case HYP_WRITE: peer_hyp(row->value); break;
		case LINE_LOOK: look_at_line(section, row); break;
		}
	}
	peer_put("end\n");
}
