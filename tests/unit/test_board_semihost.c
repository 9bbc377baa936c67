/* SPDX-License-Identifier: MIT */
/* Semihosting as a program sees it, in both widths; files outside the folder cannot be reached. */
#define _GNU_SOURCE /* mkdtemp, O_DIRECTORY */
#include "semihost_desk.h"

#include <errno.h>
#include <sys/stat.h>

TEST(the_console_takes_characters_strings_and_writes)
{
	for (int wide = 0; wide < 2; wide++) {
		struct desk d;

		sit(&d, wide);
		say(&d, TEXT, "abc");
		ask(&d, WRITEC, TEXT);
		ask(&d, WRITE0, TEXT);
		uint64_t out = opens(&d, ":tt", W), err = opens(&d, ":tt", A);
		CHECK_EQ(with(&d, WRITE, out, TEXT, 0, 0), 0);
		say(&d, TEXT, "xyz");
		CHECK_EQ(with(&d, WRITE, out, TEXT, 2, 0), 0);
		CHECK_EQ(with(&d, WRITE, err, TEXT + 2, 1, 0), 0);
		CHECK_EQ(with(&d, ISTTY, out, 0, 0, 0), 1);
		CHECK_STR(d.out, "aabcxy");
		CHECK_STR(d.err, "z");
		stand(&d);
	}
}

TEST(the_keyboard_gives_what_there_is_and_then_its_end)
{
	struct desk d;

	sit(&d, false);
	d.in = "hello";
	uint64_t in = opens(&d, ":tt", R);
	CHECK_EQ(ask(&d, READC, 0).value, 'h');
	CHECK_EQ(with(&d, READ, in, BUFFER, 100, 0), 96);
	CHECK_EQ(memcmp(d.ram + (BUFFER - RAM_BASE), "ello", 4), 0);
	CHECK_EQ(with(&d, READ, in, BUFFER, 100, 0), 100);
	CHECK_EQ(ask(&d, READC, 0).value, FAILED);
	stand(&d);
}

TEST(a_file_is_written_sought_and_read)
{
	for (int wide = 0; wide < 2; wide++) {
		struct desk d;

		sit(&d, wide);
		uint64_t f = opens(&d, "data.bin", WPLUS);
		CHECK(f >= 1 && f <= APMU_BOARD__SEMIHOST_FILES);
		memset(d.ram + 0x1000, 'q', 0x2000);
		CHECK_EQ(with(&d, WRITE, f, BUFFER, 0x2000, 0), 0);
		CHECK_EQ(with(&d, FLEN, f, 0, 0, 0), 0x2000);
		CHECK_EQ(with(&d, SEEK, f, 0x1FFE, 0, 0), 0);
		memset(d.ram + 0x1000, 0, 16);
		CHECK_EQ(with(&d, READ, f, BUFFER, 16, 0), 14);
		CHECK_EQ(d.ram[0x1001], 'q');
		CHECK_EQ(d.ram[0x1002], 0);
		CHECK_EQ(with(&d, ISTTY, f, 0, 0, 0), 0);
		CHECK_EQ(with(&d, CLOSE, f, 0, 0, 0), 0);
		CHECK_EQ(with(&d, CLOSE, f, 0, 0, 0), FAILED);
		CHECK_EQ(ask(&d, ERRNO, 0).value, EBADF);
		stand(&d);
	}
}

TEST(modes_are_those_of_fopen)
{
	struct desk d;

	sit(&d, false);
	CHECK_EQ(refusal(&d, "f", R), ENOENT);
	CHECK_EQ(refusal(&d, "f", RPLUS), ENOENT);
	uint64_t f = opens(&d, "f", W);
	say(&d, TEXT2, "12345");
	CHECK_EQ(with(&d, WRITE, f, TEXT2, 5, 0), 0);
	CHECK_EQ(with(&d, READ, f, BUFFER, 5, 0), 5); /* for writing only */
	f = opens(&d, "f", A);
	CHECK_EQ(with(&d, WRITE, f, TEXT2, 2, 0), 0);
	CHECK_EQ(with(&d, FLEN, f, 0, 0, 0), 7);
	f = opens(&d, "f", R);
	CHECK_EQ(with(&d, WRITE, f, TEXT2, 2, 0), 2);
	f = opens(&d, "f", W + 1);
	CHECK_EQ(with(&d, FLEN, f, 0, 0, 0), 0);
	CHECK_EQ(refusal(&d, "f", 12), EINVAL);
	stand(&d);
}

TEST(a_file_that_is_appended_to_grows_to_a_GiB_at_most)
{
	struct desk d;

	sit(&d, false);
	uint64_t f = opens(&d, "f", WPLUS);
	CHECK_EQ(with(&d, SEEK, f, (1u << 30) - 2, 0, 0), 0);
	CHECK_EQ(with(&d, WRITE, f, BUFFER, 2, 0), 0);
	f = opens(&d, "f", A);
	CHECK_EQ(with(&d, WRITE, f, BUFFER, 1, 0), 1);
	CHECK_EQ(ask(&d, ERRNO, 0).value, EFBIG);
	CHECK_EQ(with(&d, FLEN, f, 0, 0, 0), 1u << 30);
	stand(&d);
}

TEST(nothing_outside_the_folder_can_be_named)
{
	struct desk d;
	char link[64];

	sit(&d, false);
	snprintf(link, sizeof(link), "%s/link", d.folder);
	CHECK_EQ(symlink("/etc/passwd", link), 0);
	snprintf(link, sizeof(link), "%s/out", d.folder);
	CHECK_EQ(symlink("/etc", link), 0);
	snprintf(link, sizeof(link), "%s/sub", d.folder);
	CHECK_EQ(mkdir(link, 0755), 0);
	snprintf(link, sizeof(link), "%s/pipe", d.folder);
	CHECK_EQ(mkfifo(link, 0644), 0);
	CHECK_EQ(refusal(&d, "/etc/passwd", R), EACCES);
	CHECK_EQ(refusal(&d, "../passwd", R), EACCES);
	CHECK_EQ(refusal(&d, "sub/../../etc/passwd", R), EACCES);
	CHECK_EQ(refusal(&d, "sub/..", R), EACCES);
	CHECK_EQ(refusal(&d, "link", R), EACCES);
	CHECK_EQ(refusal(&d, "link", W), EACCES);
	CHECK_EQ(refusal(&d, "out/passwd", R), EACCES);
	CHECK_EQ(refusal(&d, "sub", R), EACCES);
	CHECK_EQ(refusal(&d, "pipe", R), EACCES); /* without waiting for a writer */
	CHECK_EQ(refusal(&d, "", R), ENOENT);
	CHECK(opens(&d, "./sub//file", W) != FAILED);
	CHECK_EQ(with(&d, REMOVE, TEXT, say(&d, TEXT, "out/passwd"), 0, 0), FAILED);
	CHECK_EQ(with(&d, REMOVE, TEXT, say(&d, TEXT, "../x"), 0, 0), FAILED);
	CHECK_EQ(with(&d, RENAME, TEXT, say(&d, TEXT, "sub/file"), TEXT2, say(&d, TEXT2, "/tmp/stolen")),
		 FAILED);
	CHECK_EQ(with(&d, SYSTEM, TEXT, say(&d, TEXT, "true"), 0, 0), FAILED);
	stand(&d);
}

TEST(without_a_folder_there_are_no_files)
{
	struct desk d;

	sit(&d, false);
	int folder = d.host.folder;
	d.host.folder = -1;
	CHECK_EQ(refusal(&d, "file", W), EACCES);
	CHECK(opens(&d, ":tt", R) != FAILED);
	d.host.folder = folder;
	stand(&d);
}

TEST(files_are_renamed_and_removed)
{
	struct desk d;

	sit(&d, true);
	with(&d, CLOSE, opens(&d, "old", W), 0, 0, 0);
	CHECK_EQ(with(&d, RENAME, TEXT, say(&d, TEXT, "old"), TEXT2, say(&d, TEXT2, "new")), 0);
	CHECK_EQ(refusal(&d, "old", R), ENOENT);
	CHECK_EQ(with(&d, REMOVE, TEXT, say(&d, TEXT, "new"), 0, 0), 0);
	CHECK_EQ(with(&d, REMOVE, TEXT, say(&d, TEXT, "new"), 0, 0), FAILED);
	stand(&d);
}

TEST(temporary_names_are_one_an_identifier_and_fit)
{
	struct desk d;

	sit(&d, false);
	CHECK_EQ(with(&d, TMPNAM, BUFFER, 7, 64, 0), 0);
	CHECK_EQ(with(&d, TMPNAM, BUFFER + 64, 8, 64, 0), 0);
	CHECK(strcmp((char *)d.ram + 0x1000, (char *)d.ram + 0x1040) != 0);
	CHECK_EQ(with(&d, TMPNAM, BUFFER, 7, 4, 0), FAILED);
	stand(&d);
}

TEST(time_is_the_modelled_clocks)
{
	struct desk d;

	sit(&d, false);
	d.now = 2 * (uint64_t)1000000000 + 570000000;
	CHECK_EQ(ask(&d, CLOCK, 0).value, 257);
	CHECK_EQ(ask(&d, TIME, 0).value, 946684802);
	CHECK_EQ(ask(&d, TICKFREQ, 0).value, 1000000000);
	CHECK_EQ(ask(&d, ELAPSED, BUFFER).value, 0);
	CHECK_EQ(field(&d, BUFFER, 0), d.now & UINT32_MAX);
	CHECK_EQ(field(&d, BUFFER, 1), d.now >> 32);
	stand(&d);
}

TEST(the_command_line_and_the_heap_are_told)
{
	for (int wide = 0; wide < 2; wide++) {
		struct desk d;

		sit(&d, wide);
		d.ram[0x1000 + 13] = 0x5A;
		CHECK_EQ(with(&d, CMDLINE, BUFFER, 12, 0, 0), FAILED); /* no room for the zero */
		CHECK_EQ(with(&d, CMDLINE, BUFFER, 13, 0, 0), 0);
		CHECK_EQ(d.ram[0x1000 + 13], 0x5A);
		CHECK_STR((char *)d.ram + 0x1000, "prog one two");
		CHECK_EQ(field(&d, BLOCK, 1), 12);
		CHECK_EQ(with(&d, HEAPINFO, BUFFER, 0, 0, 0), 0);
		CHECK_EQ(field(&d, BUFFER, 0), 0x20000);
		CHECK_EQ(field(&d, BUFFER, 1), 0x30000);
		CHECK_EQ(field(&d, BUFFER, 2), 0x40000);
		CHECK_EQ(field(&d, BUFFER, 3), 0x38000);
		stand(&d);
	}
}

TEST(a_program_ends_with_its_status)
{
	struct desk d;

	sit(&d, false);
	CHECK(ask(&d, EXIT, 0x20026).ended);
	CHECK_EQ(ask(&d, EXIT, 0x20026).status, 0);
	CHECK_EQ(ask(&d, EXIT, 0x20023).status, 1); /* a run-time error */
	with(&d, ERRNO, 0x20026, 42, 0, 0);
	CHECK_EQ(ask(&d, EXIT_EXTENDED, BLOCK).status, 42);
	d.aarch64 = true;
	with(&d, ERRNO, 0x20026, 7, 0, 0);
	CHECK_EQ(ask(&d, EXIT, BLOCK).status, 7);
	CHECK_EQ(ask(&d, EXIT, 0x20026).status, 1); /* needs a parameter block, and has none */
	stand(&d);
}

TEST(newlib_finds_the_extensions)
{
	static const uint8_t want[] = {'S', 'H', 'F', 'B', 3};
	struct desk d;

	sit(&d, true);
	uint64_t f = opens(&d, ":semihosting-features", R);
	CHECK_EQ(with(&d, FLEN, f, 0, 0, 0), 5);
	CHECK_EQ(with(&d, READ, f, BUFFER, 4, 0), 0);
	CHECK_EQ(with(&d, SEEK, f, 4, 0, 0), 0);
	CHECK_EQ(with(&d, READ, f, BUFFER + 4, 4, 0), 3);
	CHECK_EQ(memcmp(d.ram + 0x1000, want, 5), 0);
	CHECK_EQ(with(&d, WRITE, f, BUFFER, 1, 0), 1);
	stand(&d);
}

TEST(handles_run_out_and_come_back)
{
	struct desk d;

	sit(&d, false);
	for (unsigned i = 0; i < APMU_BOARD__SEMIHOST_FILES; i++)
		CHECK_EQ(opens(&d, ":tt", W), i + 1);
	CHECK_EQ(refusal(&d, ":tt", W), EMFILE);
	CHECK_EQ(with(&d, CLOSE, 3, 0, 0, 0), 0);
	CHECK_EQ(opens(&d, ":tt", W), 3);
	stand(&d);
}

TEST(lengths_and_addresses_from_nowhere_are_harmless)
{
	struct desk d;

	sit(&d, true);
	uint64_t f = opens(&d, "f", WPLUS);
	for (uint32_t op = 0; op < 0x40; op++) {
		if (op == CLOSE)
			continue;
		with(&d, op, f, UINT64_MAX - 3, UINT64_MAX, UINT64_MAX);
		with(&d, op, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX);
		with(&d, op, BUFFER, 3, UINT64_MAX, 0);
		ask(&d, op, UINT64_MAX - 7);
	}
	CHECK_EQ(with(&d, SEEK, f, (uint64_t)1 << 40, 0, 0), FAILED);
	CHECK_EQ(with(&d, WRITE, f, BUFFER, UINT64_MAX, 0), UINT64_MAX - 0x3000);
	CHECK_EQ(with(&d, SEEK, f, (uint64_t)1 << 30, 0, 0), 0);
	CHECK_EQ(with(&d, WRITE, f, BUFFER, 1, 0), 1);
	CHECK_EQ(ask(&d, ERRNO, 0).value, EFBIG);
	stand(&d);
}

TEST(an_unknown_operation_says_so)
{
	struct desk d;

	sit(&d, false);
	CHECK(!ask(&d, 0x99, 0).known);
	CHECK_EQ(ask(&d, 0x99, 0).value, FAILED);
	CHECK(apmu_board__semihost_name(0x99) == NULL);
	CHECK_STR(apmu_board__semihost_name(1), "SYS_OPEN");
	stand(&d);
}

TEST(the_instructions_that_ask_are_known)
{
	CHECK(apmu_board__semihost_a32(0xEF123456) && apmu_board__semihost_a32(0x0F123456) &&
	      !apmu_board__semihost_a32(0xEF123457));
	CHECK(apmu_board__semihost_a32(0xE10F0070));
	CHECK(apmu_board__semihost_t32(0xDFAB) && apmu_board__semihost_t32(0xBABC) &&
	      apmu_board__semihost_t32(0xBEAB));
	CHECK(apmu_board__semihost_a64(0xD45E0000) && !apmu_board__semihost_a64(0xD4400000));
}
