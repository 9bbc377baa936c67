/* SPDX-License-Identifier: MIT */
/* Makes two loops of `turns` rounds in memory and tells perf of them: jit map|dump|none TURNS [CUT|LONG
 * [ZEROS]]. A loop is subs x0, x0, #1; b.ne; ret: 2 * turns + 1 instructions. The dump tells the first loop's
 * lines, and moves the second, which runs a tenth of its turns more where it went; it is cut to CUT bytes.
 * The map has a line of LONG zero bytes and ZEROS zeros behind the second name; its path is printed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const uint32_t loop[] = {0xf1000400, 0x54ffffe1, 0xd65f03c0};

/* length: zero bytes in a line; zeros: how many digits follow the second name */
static void tell_map(char *code, long length, int zeros)
{
	char path[64];
	snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
	puts(path);
	FILE *out = fopen(path, "w");
	fprintf(out, "%lx 20 old name\n", (long)code); /* the next line has taken its place */
	fprintf(out, "%lx c first loop\nnot a line\n", (long)code);
	fseek(out, length, SEEK_CUR); /* takes no room on the disk */
	fprintf(out, "\n%lx %zx second%.*d\n", (long)code + 64, sizeof loop, zeros, 0);
	fclose(out);
}

static void put_load(FILE *out, uint64_t at, const char *name, uint64_t number)
{
	uint32_t size = (uint32_t)(16 + 40 + strlen(name) + 1 + sizeof loop);
	uint32_t head[] = {0, size, 0, 0, (uint32_t)getpid(), (uint32_t)getpid()};
	uint64_t body[] = {at, at, sizeof loop, number};
	fwrite(head, sizeof head, 1, out);
	fwrite(body, sizeof body, 1, out);
	fwrite(name, strlen(name) + 1, 1, out);
	fwrite(loop, sizeof loop, 1, out);
}

static void put_lines(FILE *out, uint64_t at)
{
	uint32_t head[] = {2, 16 + 16 + 2 * 16 + 9 + 2, 0, 0}, line[] = {11, 0, 12, 0};
	uint64_t body[] = {at, 2}, address[] = {at, at + 8};
	fwrite(head, sizeof head, 1, out);
	fwrite(body, sizeof body, 1, out);
	fwrite(&address[0], 8, 1, out);
	fwrite(&line[0], 8, 1, out);
	fwrite("loop.src", 9, 1, out);
	fwrite(&address[1], 8, 1, out);
	fwrite(&line[2], 8, 1, out);
	fwrite("\xff", 2, 1, out); /* the same file */
}

static void put_move(FILE *out, uint64_t from, uint64_t to, uint64_t number)
{
	uint32_t head[] = {1, 16 + 48, 0, 0, (uint32_t)getpid(), (uint32_t)getpid()};
	uint64_t body[] = {to, from, to, sizeof loop, number};
	fwrite(head, sizeof head, 1, out);
	fwrite(body, sizeof body, 1, out);
}

static void tell_dump(char *code, long cut)
{
	char path[64];
	uint32_t head[] = {0x4a695444, 1, 40, 183, 0, (uint32_t)getpid(), 0, 0, 0, 0};
	uint32_t other[] = {9, 24, 0, 0, 1, 2}; /* a record of an unknown kind */
	snprintf(path, sizeof path, "jit-%d.dump", getpid());
	FILE *out = fopen(path, "w+");
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(out), 0);
	fwrite(head, sizeof head, 1, out);
	put_lines(out, (uint64_t)code);
	put_load(out, (uint64_t)code, "first loop", 1);
	fwrite(other, sizeof other, 1, out);
	put_load(out, (uint64_t)code + 64, "second", 2);
	put_move(out, (uint64_t)code + 64, (uint64_t)code + 128, 2);
	put_move(out, (uint64_t)code + 64, (uint64_t)code + 256, 3); /* of no function */
	fclose(out);
	if (cut)
		truncate(path, cut);
}

int main(int n, char **word)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long turns = n > 2 ? atol(word[2]) : 1000;

	memcpy(code, loop, sizeof loop);
	memcpy(code + 64, loop, sizeof loop);
	memcpy(code + 128, loop, sizeof loop);
	__builtin___clear_cache(code, code + 4096);
	if (n > 1 && strcmp(word[1], "map") == 0)
		tell_map(code, n > 3 ? atol(word[3]) : 0, n > 4 ? atoi(word[4]) : 0);
	if (n > 1 && strcmp(word[1], "dump") == 0)
		tell_dump(code, n > 3 ? atol(word[3]) : 0);
	((void (*)(long))code)(3 * turns);
	((void (*)(long))(code + 64))(turns);
	if (n > 1 && strcmp(word[1], "dump") == 0)
		((void (*)(long))(code + 128))(turns / 10);
	return 0;
}
