/* SPDX-License-Identifier: MIT */
#include "program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t dice_next(struct dice *d)
{
	uint64_t z = d->s += 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

unsigned dice_below(struct dice *d, unsigned n)
{
	return (unsigned)(dice_next(d) % n);
}

unsigned program_bytes(const struct apmu_insn *x)
{
	unsigned elements = x->flags & APMU_INSN_MULTIPLE ? x->regs : x->flags & APMU_INSN_DOUBLE ? 2 : 1;
	return elements * x->width;
}

unsigned program_block(struct program *p, uint64_t addr, const struct apmu_insn *insn, unsigned n)
{
	struct program_block *b = &p->block[p->blocks];
	if (p->blocks == PROGRAM_BLOCKS || n > PROGRAM_INSNS)
		abort();
	b->addr = addr;
	b->n = n;
	for (unsigned i = 0; i < n; i++) {
		b->insn[i] = insn[i];
		b->insn[i].addr = addr + 4 * i;
		b->insn[i].size = 4;
	}
	return p->blocks++;
}

static void *more(void *array, size_t *room, size_t size)
{
	*room = *room ? 2 * *room : 1024;
	array = realloc(array, *room * size);
	if (!array)
		abort();
	return array;
}

void program_run(struct program *p, unsigned block)
{
	if (p->runs == p->room)
		p->run = more(p->run, &p->room, sizeof(*p->run));
	p->run[p->runs++] = (uint8_t)block;
}

void program_touch(struct program *p, uint64_t address)
{
	if (p->addresses == p->address_room)
		p->address = more(p->address, &p->address_room, sizeof(*p->address));
	p->address[p->addresses++] = address;
}

void program_close(struct program *p)
{
	free(p->run);
	free(p->address);
	*p = (struct program){0};
}

static const char *const class_name[APMU_CLASSES] = {
	"unknown", "alu",     "mul",     "mul-64",     "mul-long", "mul-half",  "mul-high", "div",
	"load",    "store",   "swap",    "preload",    "branch",   "exception", "barrier",  "system",
	"vfp",     "vfp-mac", "vfp-div", "vfp-div-64", "simd",     "nop"};

const char *program_class(unsigned cls)
{
	return class_name[cls];
}

void program_print(const struct program *p)
{
	for (unsigned i = 0; i < p->blocks; i++) {
		printf("block %u at 0x%" PRIx64 "\n", i, p->block[i].addr);
		for (unsigned k = 0; k < p->block[i].n; k++) {
			const struct apmu_insn *x = &p->block[i].insn[k];
			printf("  %-10s reads %" PRIx64 " early %" PRIx64 " writes %" PRIx64
			       " flags %x regs %u width %u",
			       class_name[x->cls], x->reads, x->shift_reads, x->writes, x->flags, x->regs,
			       x->width);
			printf(x->branch ? " to 0x%" PRIx64 "\n" : "\n", x->target);
		}
	}
	printf("runs:");
	for (size_t k = 0; k < p->runs && k < 40; k++)
		printf(" %u", p->run[k]);
	printf("%s (%zu)\naddresses:", p->runs > 40 ? " ..." : "", p->runs);
	for (size_t k = 0; k < p->addresses && k < 40; k++)
		printf(" 0x%" PRIx64, p->address[k]);
	printf("%s (%zu)\n", p->addresses > 40 ? " ..." : "", p->addresses);
}
