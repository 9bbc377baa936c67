/* SPDX-License-Identifier: MIT */
/* The client side of src/symbol: demangled names, and a reader process that dies or hangs.
 * tests/guest/symbols.sh checks the names and lines of files, against binutils. */
#define _GNU_SOURCE /* kill */
#include "symbol/pool.h"
#include "symbol/symbol.h"
#include "symbol/wire.h"
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void demangles(const char *name, const char *want)
{
	char *got = symbol__demangle(name);

	if (want == NULL) {
		CHECK(got == NULL);
		return;
	}
	CHECK(got != NULL);
	CHECK_STR(got, want);
	free(got);
}

TEST(cplusplus_names_lose_their_mangling) /* Itanium C++ ABI 5.1 */
{
	demangles("_ZN3foo3barEii", "foo::bar(int, int)");
	demangles("_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back(int const&)");
	demangles("_ZTV3Foo", "vtable for Foo");
}

/* f(int*...*) with n stars: from 1,000 on too deep to be printed, from 40,000 on too long for the stack */
static char *stars(size_t n)
{
	char *name = malloc(n + 8);

	CHECK(name != NULL);
	memcpy(name, "_Z1f", 4);
	memset(name + 4, 'P', n);
	memcpy(name + 4 + n, "i", 2);
	return name;
}

TEST(long_cplusplus_names_lose_their_mangling)
{
	for (size_t n = 1000; n < 1000000; n *= 10) {
		char *name = stars(n), *got = symbol__demangle(name);
		CHECK((got != NULL) == (n == 1000));
		free(got);
		free(name);
	}
	/* f(A, A, ...) of 1,400 bytes */
	char name[1500] = "_Z1f1A", *at = name + 6;
	while (at < name + 1400)
		at += sprintf(at, "S_");
	char *got = symbol__demangle(name);
	CHECK(got != NULL && strncmp(got, "f(A, A, A, ", 11) == 0);
	free(got);
}

TEST(rust_names_lose_both_manglings) /* RFC 2603: v0 by its examples; legacy: the hash goes */
{
	demangles("_RNvC6_123foo3bar", "123foo::bar");
	demangles("_RNvNtNtCs1234_7mycrate3foo3bar3baz", "mycrate::foo::bar::baz");
	demangles("_ZN4core3ptr13drop_in_place17h0123456789abcdefE", "core::ptr::drop_in_place");
}

TEST(d_names_lose_their_mangling) /* dlang.org, "Application Binary Interface", "Name Mangling" */
{
	demangles("_D3std5stdio8writeDotFiZv", "std.stdio.writeDot(int)");
	demangles("_Dmain", "D main");
}

TEST(ocaml_names_lose_their_mangling) /* perf's tests/demangle-ocaml-test.c */
{
	demangles("camlStdlib__array__map_154", "Stdlib.array.map_154");
	demangles("camlStdlib__anon_fn$5bstdlib$2eml$3a334$2c0$2d$2d54$5d_1453",
		  "Stdlib.anon_fn[stdlib.ml:334,0--54]_1453");
	demangles("camlStdlib__bytes__$2b$2b_2205", "Stdlib.bytes.++_2205");
}

TEST(plain_and_broken_names_stay)
{
	demangles("_Dfoo", NULL);
	demangles("caml_alloc_small", NULL); /* OCaml's runtime, which is C */
	demangles("camlinternal", NULL);
	demangles("main", NULL);
	demangles("_start", NULL);
	demangles("_Z", NULL);
	demangles("_Zqqq", NULL);
	demangles("", NULL);
}

TEST(a_build_id_is_written_in_hexadecimal)
{
	char text[9];

	symbol__build_id_text((const uint8_t[]){0x00, 0xab, 0x7f, 0xf0}, 4, text);
	CHECK_STR(text, "00ab7ff0");
}

/* Opens a file with this text; NULL if it is refused. */
static struct symbol__symbols *open_text(const char *text)
{
	char path[] = "/tmp/apmu-symbols-XXXXXX", error[256];
	int fd = mkstemp(path);
	struct symbol__symbols *symbols = NULL;

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	int code = symbol__symbols_open(path, NULL, &symbols, error, sizeof error);
	unlink(path);
	CHECK((code == 0) == (symbols != NULL));
	return symbols;
}

TEST(a_kernels_symbols_may_be_text) /* System.map; /proc/kallsyms has modules' too; nm's types */
{
	struct symbol__symbols *symbols = open_text("ffff800008000000 T _text\n"
						    "ffff800008000040 t local\n"
						    "ffff800008000040 T global\n"
						    "ffff800008000044 t $x\n"
						    "ffff800008000050 t work\t[module]\n"
						    "ffff800008000080 D data\n"
						    "0000000000000000 A zero\n");
	struct symbol__frame frame[2];
	uint64_t address = 0;

	CHECK(symbols != NULL);
	CHECK_EQ(symbol__symbols_about(symbols)->machine, 0);
	CHECK_EQ(symbol__symbols_about(symbols)->segments, 1);
	CHECK(symbol__symbols_address(symbols, 0xffff80000800004f, &address));
	CHECK_EQ(address, 0xffff80000800004f);
	CHECK(!symbol__symbols_address(symbols, 0xffff800008000080, &address));
	CHECK_EQ(symbol__symbols_frames(symbols, 0xffff80000800003f, frame, 2), 1);
	CHECK_STR(frame[0].function, "_text");
	CHECK_EQ(frame[0].size, 0x40);
	CHECK_EQ(symbol__symbols_frames(symbols, 0xffff80000800007f, frame, 2), 1);
	CHECK_STR(frame[0].function, "work");
	CHECK_EQ(symbol__symbols_frames(symbols, 0xffff800007ffffff, frame, 2), 0);
	symbol__symbols_close(symbols);
}

TEST(text_that_is_no_list_of_symbols_is_refused)
{
	CHECK(open_text("") == NULL);
	CHECK(open_text("hello\n") == NULL);
	CHECK(open_text("12345 T\n") == NULL);
	CHECK(open_text("1000 T a\nnot this\n") == NULL);
	CHECK(open_text("fffffffffffffffff T too_long\n") == NULL);

	struct symbol__symbols *symbols = open_text("0000000000000000 T hidden\n"); /* kptr_restrict */
	CHECK(symbols != NULL);
	CHECK(!symbol__symbols_about(symbols)->has_names);
	symbol__symbols_close(symbols);
}

TEST(equal_texts_are_kept_once)
{
	struct symbol__pool pool = {0};
	char text[32];
	const char *first = symbol__pool_add(&pool, "text-7");

	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof text, "text-%d", i);
		CHECK_STR(symbol__pool_add(&pool, text), text);
	}
	CHECK(symbol__pool_add(&pool, "text-7") == first);
	CHECK_EQ(pool.used, 5000);
	symbol__pool_free(&pool);
}

TEST(an_answer_that_is_cut_short_is_no_answer)
{
	struct symbol__bytes bytes = {0};
	struct symbol__frame frame = {.function = "f", .file = "a.c", .line = 7, .start = 16, .size = 4};
	struct symbol__frame got;

	symbol__wire_put_frame(&bytes, &frame);
	struct symbol__cut whole = {.at = bytes.at, .left = bytes.size};
	CHECK(symbol__wire_get_frame(&whole, &got));
	CHECK_STR(got.file, "a.c");
	CHECK_EQ(got.line, 7);
	for (size_t n = 0; n < bytes.size; n++) {
		struct symbol__cut cut = {.at = bytes.at, .left = n};
		CHECK(!symbol__wire_get_frame(&cut, &got));
	}
	free(bytes.at);
}

/* The youngest child of this process; 0: none. */
static pid_t child_of(void)
{
	char path[64];
	int pid = 0;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	FILE *children = fopen(path, "r");
	while (children && fscanf(children, "%d", &pid) == 1)
		;
	if (children)
		fclose(children);
	return pid;
}

/* Opens this program itself, which has DWARF; writes the process id of its reader. */
static struct symbol__symbols *open_self(unsigned seconds, pid_t *child)
{
	struct symbol__symbols_options options = {.seconds = seconds};
	struct symbol__symbols *symbols = NULL;
	char error[200];

	CHECK_EQ(symbol__symbols_open("/proc/self/exe", &options, &symbols, error, sizeof error), 0);
	*child = child_of();
	CHECK(*child > 0);
	return symbols;
}

static void still_names_main(struct symbol__symbols *symbols)
{
	struct symbol__frame frame[4];
	struct symbol__symbol found;

	CHECK(symbol__symbols_find(symbols, "main", &found));
	CHECK(symbol__symbols_frames(symbols, found.start, frame, 4) >= 1);
	CHECK_STR(frame[0].function, "main");
	CHECK(frame[0].file == NULL);
	CHECK(symbol__symbols_trouble(symbols) != NULL);
}

TEST(a_reader_that_dies_costs_the_lines_only)
{
	pid_t child = 0;
	struct symbol__symbols *symbols = open_self(10, &child);

	CHECK(symbol__symbols_about(symbols)->has_lines);
	CHECK_EQ(kill(child, SIGSEGV), 0);
	still_names_main(symbols);
	CHECK(strstr(symbol__symbols_trouble(symbols), "Segmentation fault") != NULL);
	symbol__symbols_close(symbols);
}

TEST(a_reader_that_hangs_costs_the_lines_only)
{
	pid_t child = 0;
	struct symbol__symbols *symbols = open_self(1, &child);

	CHECK_EQ(kill(child, SIGSTOP), 0);
	still_names_main(symbols);
	CHECK(strstr(symbol__symbols_trouble(symbols), "too long") != NULL);
	symbol__symbols_close(symbols);
}

TEST(a_reader_that_dies_twice_leaves_nothing_known)
{
	pid_t child = 0;
	struct symbol__symbols *symbols = open_self(10, &child);
	struct symbol__symbol found;

	CHECK_EQ(kill(child, SIGKILL), 0);
	still_names_main(symbols);
	CHECK_EQ(kill(child_of(), SIGKILL), 0);
	CHECK(!symbol__symbols_find(symbols, "main", &found));
	CHECK_EQ(symbol__symbols_isa(symbols, 0), SYMBOL__ISA_UNKNOWN);
	CHECK_EQ(child_of(), 0);
	symbol__symbols_close(symbols);
}

TEST(what_is_no_file_is_refused_with_a_reason)
{
	struct symbol__symbols *symbols;
	char error[200];

	CHECK_EQ(symbol__symbols_open("/", NULL, &symbols, error, sizeof error), (uint64_t)-ENOEXEC);
	CHECK_STR(error, "/: not a regular file");
	CHECK_EQ(symbol__symbols_open("/nowhere", NULL, &symbols, error, sizeof error), (uint64_t)-ENOENT);
	CHECK_STR(error, "/nowhere: No such file or directory");
	CHECK(symbols == NULL);
}
