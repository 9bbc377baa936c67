/* SPDX-License-Identifier: MIT */
#include "vcd_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool fails(struct vcd_reader *r, const char *what, const char *which)
{
	snprintf(r->error, sizeof r->error, "%s: %.40s", what, which);
	return false;
}

static bool token(struct vcd_reader *r, char out[VCD_NAME * 4])
{
	return fscanf(r->file, "%127s", out) == 1;
}

/* $var wire 8 !" name $end */
static bool variable(struct vcd_reader *r)
{
	struct vcd_wire *w = &r->wire[r->wires];
	char type[8], end[8];

	if (r->wires == VCD_WIRES)
		return fails(r, "too many wires", "");
	if (fscanf(r->file, "%7s %u %7s %31s %7s", type, &w->bits, w->id, w->name, end) != 5 ||
	    strcmp(end, "$end"))
		return fails(r, "a bad $var", w->name);
	if (w->bits < 1 || w->bits > 64 || vcd_wire(r, w->name))
		return fails(r, "a bad or second wire", w->name);
	r->wires++;
	return true;
}

static bool skip_to_end(struct vcd_reader *r)
{
	char word[VCD_NAME * 4];

	while (token(r, word))
		if (!strcmp(word, "$end"))
			return true;
	return fails(r, "no $end", "");
}

bool vcd_open(struct vcd_reader *r, const char *path)
{
	char word[VCD_NAME * 4];

	memset(r, 0, sizeof *r);
	r->file = fopen(path, "r");
	if (!r->file)
		return fails(r, "cannot be opened", path);
	while (token(r, word)) {
		if (!strcmp(word, "$enddefinitions"))
			return skip_to_end(r);
		if (!strcmp(word, "$var") ? !variable(r) : *word != '$' || !skip_to_end(r))
			return *r->error ? false : fails(r, "no declaration", word);
	}
	return fails(r, "no $enddefinitions", "");
}

static bool change(struct vcd_reader *r, const char *digits, const char *id)
{
	size_t n = strlen(digits);

	for (unsigned i = 0; i < r->wires; i++) {
		struct vcd_wire *w = &r->wire[i];
		if (strcmp(w->id, id) != 0)
			continue;
		if (n < 1 || n > w->bits || strspn(digits, "01") != n)
			return fails(r, "a bad value", digits);
		w->value = strtoull(digits, NULL, 2);
		w->known = true;
		return true;
	}
	return fails(r, "a change of no wire", id);
}

/* "1!!", "b1011 !!" */
static bool one(struct vcd_reader *r, char *word)
{
	char id[VCD_NAME * 4], digit[2] = {*word, '\0'};

	if (!r->started)
		return fails(r, "a change before any time", word);
	if (*word != 'b')
		return change(r, digit, word + 1);
	return token(r, id) ? change(r, word + 1, id) : fails(r, "no wire behind", word);
}

bool vcd_moment(struct vcd_reader *r)
{
	char word[VCD_NAME * 4];

	if (r->ended)
		return false;
	r->time = r->next;
	while (token(r, word)) {
		if (*word != '#') {
			if (!one(r, word))
				return false;
			continue;
		}
		uint64_t now = strtoull(word + 1, NULL, 10);
		if (r->started && now <= r->next)
			return fails(r, "time does not run on", word);
		r->next = now;
		if (r->started)
			return true;
		r->started = true;
		r->time = now;
	}
	r->ended = true;
	return r->started;
}

const struct vcd_wire *vcd_wire(const struct vcd_reader *r, const char *name)
{
	for (unsigned i = 0; i < r->wires; i++)
		if (!strcmp(r->wire[i].name, name))
			return &r->wire[i];
	return NULL;
}

void vcd_close(struct vcd_reader *r)
{
	if (r->file)
		fclose(r->file);
}
