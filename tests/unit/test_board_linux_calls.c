/* SPDX-License-Identifier: MIT */
/* System calls of the small Linux, by the numbers of both architectures. */
#define _GNU_SOURCE /* mkdtemp, O_DIRECTORY */
#include "linux_house.h"

#include <fcntl.h>
#include <unistd.h>

#define DATA 0x400200u /* in the AArch64 program's page */
#define D32  0x10200u

enum {
	A64_DUP3 = 24,
	A64_FCNTL,
	A64_FTRUNCATE = 46,
	A64_OPENAT = 56,
	A64_CLOSE,
	A64_PIPE2 = 59,
	A64_LSEEK = 62,
	A64_READ,
	A64_WRITE,
	A64_READV,
	A64_WRITEV,
	A64_PWRITE = 68,
	A64_FSTATAT = 79,
	A64_FSTAT = 80,
	A64_EXIT = 93,
	A64_FUTEX = 98,
	A64_NANOSLEEP = 101,
	A64_CLOCK_GETTIME = 113,
	A64_KILL = 129,
	A64_UNAME = 160,
	A64_BRK = 214,
	A64_MUNMAP,
	A64_MREMAP,
	A64_CLONE = 220,
	A64_MMAP = 222,
	A64_MPROTECT = 226,
	A64_MADVISE = 233,
	A64_GETRANDOM = 278
};

#define ANONYMOUS 0x22u
#define PRIVATE   2u
#define FIXED     0x10u

static struct house h;

static void poke(uint64_t at, const void *from, size_t n)
{
	CHECK(house_write(&h, at, from, n));
}

TEST(write_and_writev_reach_the_console)
{
	const uint64_t iov[] = {DATA, 3, DATA + 3, 2};
	const uint32_t iov32[] = {D32, 3, D32 + 3, 2};

	house_enter(&h, true);
	poke(DATA, "abcde", 5);
	CHECK_EQ(house_call(&h, A64_WRITE, 1, DATA, 5, 0), 5);
	CHECK_EQ(house_call(&h, A64_WRITE, 2, DATA, 1, 0), 1);
	poke(DATA + 16, iov, sizeof(iov));
	CHECK_EQ(house_call(&h, A64_WRITEV, 1, DATA + 16, 2, 0), 5);
	CHECK_STR(h.out, "abcdeabcde");
	CHECK_STR(h.err, "a");
	CHECK_EQ(house_call(&h, A64_WRITE, 0, DATA, 1, 0), -EBADF);
	CHECK_EQ(house_call(&h, A64_WRITE, 7, DATA, 1, 0), -EBADF);
	CHECK_EQ(house_call(&h, A64_WRITE, 1, 0, 1, 0), -EFAULT);
	house_leave(&h);
	house_enter(&h, false);
	poke(D32, "abcde", 5);
	poke(D32 + 16, iov32, sizeof(iov32));
	CHECK_EQ(house_call(&h, 146, 1, D32 + 16, 2, 0), 5);
	CHECK_STR(h.out, "abcde");
	house_leave(&h);
}

TEST(read_gives_what_was_typed)
{
	house_enter(&h, true);
	h.in = "typed";
	CHECK_EQ(house_call(&h, A64_READ, 0, DATA, 100, 0), 5);
	CHECK_EQ(house_word(&h, DATA, 1), 't');
	CHECK_EQ(house_call(&h, A64_READ, 0, DATA, 100, 0), 0);
	CHECK_EQ(house_call(&h, A64_READ, 1, DATA, 1, 0), -EBADF);
	house_leave(&h);
}

TEST(the_end_has_a_status)
{
	house_enter(&h, true);
	struct apmu_linux__result r = house_svc(&h, 94, 0x103, 0, 0, 0, 0, 0);
	CHECK_EQ(r.end, APMU_LINUX__EXIT);
	CHECK_EQ(r.status, 3);
	CHECK_EQ(house_call(&h, A64_KILL, 1000, 6, 0, 0), 0);
	r = apmu_linux__signal(&h.p);
	CHECK_EQ(r.end, APMU_LINUX__KILLED);
	CHECK_EQ(r.status, 6);
	CHECK_EQ(house_call(&h, A64_KILL, 1, 6, 0, 0), -ESRCH);
	house_leave(&h);
}

TEST(an_unknown_call_is_named)
{
	house_enter(&h, true);
	struct apmu_linux__result r = house_svc(&h, A64_CLONE, 0, 0, 0, 0, 0, 0);
	CHECK_EQ(r.end, APMU_LINUX__UNKNOWN);
	CHECK_STR(r.name, "clone");
	CHECK(house_svc(&h, 100000, 0, 0, 0, 0, 0, 0).name == NULL);
	house_leave(&h);
	CHECK_STR(apmu_linux__name(false, 120), "clone");
	CHECK_STR(apmu_linux__name(false, 0xF0005), "set_tls");
	CHECK_STR(apmu_linux__name(true, 64), "write");
}

TEST(brk_grows_and_shrinks)
{
	house_enter(&h, true);
	uint64_t start = (uint64_t)house_call(&h, A64_BRK, 0, 0, 0, 0);
	CHECK_EQ(start, 0x402000);
	CHECK_EQ(house_call(&h, A64_BRK, start + 5000, 0, 0, 0), start + 5000);
	CHECK(house_byte(&h, start + 8191) != NULL && house_byte(&h, start + 8192) == NULL);
	CHECK_EQ(house_call(&h, A64_BRK, start + 100, 0, 0, 0), start + 100);
	CHECK(house_byte(&h, start + 4095) != NULL && house_byte(&h, start + 4096) == NULL);
	CHECK_EQ(house_call(&h, A64_BRK, start - 1, 0, 0, 0), start + 100);
	CHECK_EQ(house_call(&h, A64_BRK, UINT64_MAX, 0, 0, 0), start + 100);
	CHECK_EQ(house_call(&h, A64_BRK, start + (1 << 30), 0, 0, 0), start + 100); /* over the limit */
	house_leave(&h);
}

TEST(mmap_finds_room_and_munmap_gives_it_back)
{
	house_enter(&h, true);
	uint64_t mapped = h.p.mapped;
	int64_t a = house_call(&h, A64_MMAP, 0, 5000, 3, ANONYMOUS);
	int64_t b = house_call(&h, A64_MMAP, 0, 4096, 1, ANONYMOUS);
	CHECK(a > 0 && b > 0 && b != a);
	CHECK_EQ(house_word(&h, (uint64_t)a + 8184, 8), 0);
	CHECK_EQ(house_call(&h, A64_MUNMAP, (uint64_t)a, 4096, 0, 0), 0);
	CHECK(house_byte(&h, (uint64_t)a) == NULL && house_byte(&h, (uint64_t)a + 4096) != NULL);
	CHECK_EQ(house_call(&h, A64_MUNMAP, (uint64_t)a, 8192, 0, 0), 0);
	CHECK_EQ(house_call(&h, A64_MUNMAP, (uint64_t)b, 4096, 0, 0), 0);
	CHECK_EQ(h.p.mapped, mapped);
	CHECK_EQ(house_call(&h, A64_MMAP, 0, 0, 3, ANONYMOUS), -EINVAL);
	CHECK_EQ(house_call(&h, A64_MMAP, 0, UINT64_MAX, 3, ANONYMOUS), -ENOMEM);
	CHECK_EQ(house_call(&h, A64_MMAP, 0, 1 << 30, 3, ANONYMOUS), -ENOMEM);
	CHECK_EQ(house_call(&h, A64_MUNMAP, 0x400001, 4096, 0, 0), -EINVAL);
	house_leave(&h);
}

TEST(a_fixed_mapping_replaces_what_was_there)
{
	house_enter(&h, true);
	int64_t a = house_call(&h, A64_MMAP, 0x50000000, 3 * PAGE, 3, ANONYMOUS);
	CHECK_EQ(a, 0x50000000);
	poke(0x50001000, "x", 1);
	CHECK_EQ(house_call(&h, A64_MMAP, 0x50001000, PAGE, 1, ANONYMOUS | FIXED), 0x50001000);
	CHECK_EQ(house_word(&h, 0x50001000, 1), 0);
	CHECK_EQ(house_call(&h, A64_MMAP, 0x50001000, PAGE, 1, ANONYMOUS | 0x100000), -EEXIST);
	CHECK_EQ(house_call(&h, A64_MMAP, 0x50001004, PAGE, 1, ANONYMOUS | FIXED), -EINVAL);
	CHECK_EQ(house_call(&h, A64_MMAP, 0, PAGE, 1, ANONYMOUS | FIXED), -ENOMEM);
	CHECK_EQ(house_call(&h, A64_MMAP, UINT64_MAX & ~4095ull, 2 * PAGE, 1, ANONYMOUS | FIXED), -ENOMEM);
	CHECK_EQ(house_call(&h, A64_MUNMAP, 0x50000000, 3 * PAGE, 0, 0), 0);
	house_leave(&h);
}

TEST(mprotect_goes_to_the_machine)
{
	house_enter(&h, true);
	house_call(&h, A64_MMAP, 0x50000000, 2 * PAGE, 3, ANONYMOUS);
	CHECK_EQ(house_call(&h, A64_MPROTECT, 0x50000000, PAGE, 1, 0), 0);
	CHECK_EQ(house_call(&h, A64_MPROTECT, 0x50000000, 3 * PAGE, 1, 0), -ENOMEM); /* a hole */
	CHECK_EQ(house_call(&h, A64_MPROTECT, 0x50000001, PAGE, 1, 0), -EINVAL);
	for (size_t i = 0; i < h.pages; i++)
		if (h.page[i].at == 0x50000)
			CHECK_EQ(h.page[i].protection, 1);
	house_leave(&h);
}

TEST(mremap_grows_in_place_or_moves)
{
	house_enter(&h, true);
	house_call(&h, A64_MMAP, 0x50000000, PAGE, 3, ANONYMOUS);
	poke(0x50000010, "keep", 4);
	CHECK_EQ(house_call(&h, A64_MREMAP, 0x50000000, PAGE, 2 * PAGE, 1), 0x50000000);
	house_call(&h, A64_MMAP, 0x50002000, PAGE, 1, ANONYMOUS);
	CHECK_EQ(house_call(&h, A64_MREMAP, 0x50000000, 2 * PAGE, 4 * PAGE, 0), -ENOMEM);
	int64_t to = house_call(&h, A64_MREMAP, 0x50000000, 2 * PAGE, 4 * PAGE, 1);
	CHECK(to > 0 && to != 0x50000000);
	CHECK_EQ(memcmp(house_byte(&h, (uint64_t)to + 0x10), "keep", 4), 0);
	CHECK(house_byte(&h, 0x50000000) == NULL);
	CHECK_EQ(house_call(&h, A64_MREMAP, (uint64_t)to, 4 * PAGE, PAGE, 0), to);
	CHECK(house_byte(&h, (uint64_t)to + PAGE) == NULL);
	CHECK_EQ(house_call(&h, A64_MREMAP, 0x60000000, PAGE, 2 * PAGE, 1), -EFAULT);
	house_leave(&h);
}

/* Opens a file of the house's folder, which holds `text`. */
static uint64_t open_with(const char *name, const char *text)
{
	poke(DATA, name, strlen(name) + 1);
	int64_t fd = house_call(&h, A64_OPENAT, (uint64_t)-100, DATA, 0x42, 0644);

	CHECK(fd >= 3);
	poke(DATA, text, strlen(text));
	CHECK_EQ(house_call(&h, A64_WRITE, (uint64_t)fd, DATA, strlen(text), 0), (int64_t)strlen(text));
	return (uint64_t)fd;
}

static void with_folder(char folder[])
{
	CHECK(mkdtemp(folder) != NULL);
	house_enter(&h, true);
	h.p.config.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void without_folder(const char *folder)
{
	char command[64];

	close(h.p.config.folder);
	house_leave(&h);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	CHECK_EQ(system(command), 0);
}

TEST(memory_that_is_not_needed_reads_as_zero)
{
	char folder[] = "/tmp/apmu-linux.XXXXXX";

	with_folder(folder);
	house_call(&h, A64_MMAP, 0x50000000, 3 * PAGE, 3, ANONYMOUS);
	poke(0x50000000 + PAGE - 1, "abc", 3);
	poke(0x50000000 + 2 * PAGE, "d", 1);
	CHECK_EQ(house_call(&h, A64_MADVISE, 0x50000000, 2 * PAGE, 3, 0), 0); /* MADV_WILLNEED */
	CHECK_EQ(house_word(&h, 0x50000000 + PAGE, 1), 'b');
	CHECK_EQ(house_call(&h, A64_MADVISE, 0x50000000, 2 * PAGE, 4, 0), 0);
	CHECK_EQ(house_word(&h, 0x50000000 + PAGE - 1, 1), 0);
	CHECK_EQ(house_word(&h, 0x50000000 + PAGE, 1), 0);
	CHECK_EQ(house_word(&h, 0x50000000 + 2 * PAGE, 1), 'd');
	CHECK_EQ(house_call(&h, A64_MADVISE, 0x50000001, PAGE, 4, 0), -EINVAL);
	CHECK_EQ(house_call(&h, A64_MADVISE, 0x60000000, PAGE, 4, 0), -ENOMEM);
	/* a file's contents come back */
	uint64_t fd = open_with("file", "text");
	CHECK_EQ(house_svc(&h, A64_MMAP, 0x50003000, PAGE, 3, PRIVATE, fd, 0).value, 0x50003000);
	CHECK_EQ(house_call(&h, A64_MADVISE, 0x50000000, 4 * PAGE, 4, 0), 0);
	CHECK_EQ(house_word(&h, 0x50003000, 1), 't');
	CHECK_EQ(house_word(&h, 0x50000000 + 2 * PAGE, 1), 0);
	without_folder(folder);
}

TEST(a_descriptor_can_be_made_to_append)
{
	char folder[] = "/tmp/apmu-linux.XXXXXX";

	with_folder(folder);
	uint64_t fd = open_with("file", "abc");
	CHECK_EQ(house_call(&h, A64_LSEEK, fd, 0, 0, 0), 0);
	CHECK_EQ(house_call(&h, A64_FCNTL, fd, 4, 0x400, 0), 0);
	CHECK_EQ(house_call(&h, A64_FCNTL, fd, 3, 0, 0), 0x402);
	CHECK_EQ(house_call(&h, A64_WRITE, fd, DATA, 1, 0), 1);
	CHECK_EQ(house_call(&h, A64_LSEEK, fd, 0, 2, 0), 4);
	CHECK_EQ(house_call(&h, A64_FCNTL, fd, 4, 0, 0), 0);
	CHECK_EQ(house_call(&h, A64_LSEEK, fd, 0, 0, 0), 0);
	CHECK_EQ(house_call(&h, A64_WRITE, fd, DATA, 1, 0), 1);
	CHECK_EQ(house_call(&h, A64_LSEEK, fd, 0, 2, 0), 4);
	without_folder(folder);
}

TEST(a_file_that_is_appended_to_grows_to_a_GiB_at_most)
{
	char folder[] = "/tmp/apmu-linux.XXXXXX";

	with_folder(folder);
	uint64_t fd = open_with("file", "abc");
	CHECK_EQ(house_call(&h, A64_FTRUNCATE, fd, 1u << 30, 0, 0), 0);
	CHECK_EQ(house_call(&h, A64_FCNTL, fd, 4, 0x400, 0), 0);
	CHECK_EQ(house_call(&h, A64_WRITE, fd, DATA, 1, 0), -EFBIG);
	CHECK_EQ(house_call(&h, A64_PWRITE, fd, DATA, 1, 0), -EFBIG);
	CHECK_EQ(house_call(&h, A64_FCNTL, fd, 4, 0, 0), 0);
	CHECK_EQ(house_call(&h, A64_WRITE, fd, DATA, 1, 0), 1);
	without_folder(folder);
}

TEST(dup3_refuses_equal_descriptors_and_dup2_does_not)
{
	house_enter(&h, true);
	CHECK_EQ(house_call(&h, A64_DUP3, 1, 1, 0, 0), -EINVAL);
	CHECK_EQ(house_call(&h, A64_DUP3, 1, 7, 0x80000, 0), 7);
	CHECK_EQ(house_call(&h, A64_DUP3, 1, 8, 1, 0), -EINVAL);
	house_leave(&h);
	house_enter(&h, false);
	CHECK_EQ(house_call(&h, 63, 1, 1, 0, 0), 1);
	house_leave(&h);
}

TEST(clocks_show_modelled_time)
{
	house_enter(&h, true);
	h.now = 3250000000;
	CHECK_EQ(house_call(&h, A64_CLOCK_GETTIME, 1, DATA, 0, 0), 0);
	CHECK_EQ(house_word(&h, DATA, 8), 3);
	CHECK_EQ(house_word(&h, DATA + 8, 8), 250000000);
	CHECK_EQ(house_call(&h, A64_CLOCK_GETTIME, 0, DATA, 0, 0), 0);
	CHECK_EQ(house_word(&h, DATA, 8), 946684803);
	CHECK_EQ(house_call(&h, A64_CLOCK_GETTIME, 99, DATA, 0, 0), -EINVAL);
	house_leave(&h);
	house_enter(&h, false);
	h.now = 3250000000;
	CHECK_EQ(house_call(&h, 263, 1, D32, 0, 0), 0);
	CHECK_EQ(house_word(&h, D32, 4), 3);
	CHECK_EQ(house_word(&h, D32 + 4, 4), 250000000);
	CHECK_EQ(house_call(&h, 403, 1, D32, 0, 0), 0);
	CHECK_EQ(house_word(&h, D32 + 8, 8), 250000000);
	house_leave(&h);
}

TEST(no_clock_runs_backwards_on_a_fast_core)
{
	const uint64_t hz[] = {4900000000, 18400000000, 40000000000};

	for (unsigned i = 0; i < 3; i++) {
		house_enter(&h, true);
		h.p.config.core_hz = hz[i];
		h.now = hz[i] / 2 * 3; /* a second and a half */
		CHECK_EQ(house_call(&h, A64_CLOCK_GETTIME, 1, DATA, 0, 0), 0);
		CHECK_EQ(house_word(&h, DATA, 8), 1);
		CHECK_EQ(house_word(&h, DATA + 8, 8), 500000000);
		h.now = 2 * hz[i] - 1;
		CHECK_EQ(house_call(&h, A64_CLOCK_GETTIME, 1, DATA, 0, 0), 0);
		CHECK_EQ(house_word(&h, DATA, 8), 1);
		CHECK_EQ(house_word(&h, DATA + 8, 8), 999999999);
		house_leave(&h);
	}
}

TEST(a_sleep_asks_for_time_to_pass)
{
	const uint64_t pair[] = {2, 500000000}, bad[] = {0, 1000000000};

	house_enter(&h, true);
	h.config.core_hz = h.p.config.core_hz = 100000000;
	poke(DATA, pair, sizeof(pair));
	CHECK_EQ(house_svc(&h, A64_NANOSLEEP, DATA, 0, 0, 0, 0, 0).idle, 250000000);
	h.now = 100000000; /* a second is over: until 2.5 */
	CHECK_EQ(house_svc(&h, 115, 1, 1, DATA, 0, 0, 0).idle, 150000000);
	poke(DATA, bad, sizeof(bad));
	CHECK_EQ(house_call(&h, A64_NANOSLEEP, DATA, 0, 0, 0), -EINVAL);
	house_leave(&h);
}

TEST(a_sleep_of_less_than_no_time_is_refused)
{
	const int64_t pair[] = {-1, 0};
	const int32_t pair32[] = {-1, 0};

	house_enter(&h, true);
	poke(DATA, pair, sizeof(pair));
	CHECK_EQ(house_call(&h, A64_NANOSLEEP, DATA, 0, 0, 0), -EINVAL);
	house_leave(&h);
	house_enter(&h, false);
	poke(D32, pair32, sizeof(pair32));
	CHECK_EQ(house_call(&h, 162, D32, 0, 0, 0), -EINVAL);
	CHECK_EQ(house_call(&h, 265, 1, 0, D32, 0), -EINVAL);
	house_leave(&h);
}

/* C libraries leave what is on their stack above the nanoseconds. */
TEST(a_sleep_ignores_the_padding_of_64_bit_times_of_AArch32)
{
	const uint32_t time[] = {2, 0, 500000000, 0xDEADBEEF};

	house_enter(&h, false);
	poke(D32, time, sizeof(time));
	CHECK_EQ(house_svc(&h, 407, 1, 0, D32, 0, 0, 0).idle, 2500000000);
	CHECK_EQ(house_call(&h, 407, 1, 0, D32, 0), 0);
	house_leave(&h);
}

TEST(random_numbers_repeat)
{
	uint64_t first;

	house_enter(&h, true);
	CHECK_EQ(house_call(&h, A64_GETRANDOM, DATA, 8, 0, 0), 8);
	first = house_word(&h, DATA, 8);
	CHECK_EQ(house_call(&h, A64_GETRANDOM, DATA, 8, 0, 0), 8);
	CHECK(house_word(&h, DATA, 8) != first);
	house_leave(&h);
	house_enter(&h, true);
	house_call(&h, A64_GETRANDOM, DATA, 8, 0, 0);
	CHECK_EQ(house_word(&h, DATA, 8), first);
	house_leave(&h);
}

TEST(uname_says_which_machine)
{
	house_enter(&h, true);
	CHECK_EQ(house_call(&h, A64_UNAME, DATA, 0, 0, 0), 0);
	CHECK_STR((char *)house_byte(&h, DATA), "Linux");
	CHECK_STR((char *)house_byte(&h, DATA + 4 * 65), "aarch64");
	house_leave(&h);
}

TEST(stat_of_the_console_and_of_files)
{
	char folder[] = "/tmp/apmu-linux.XXXXXX", command[64];

	CHECK(mkdtemp(folder) != NULL);
	house_enter(&h, true);
	h.p.config.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK_EQ(house_call(&h, A64_FSTAT, 1, DATA, 0, 0), 0);
	CHECK_EQ(house_word(&h, DATA + 16, 4) & 0170000, 0020000);
	poke(DATA, "file", 5);
	int64_t fd = house_call(&h, A64_OPENAT, (uint64_t)-100, DATA, 0x42, 0644);
	CHECK_EQ(fd, 3);
	CHECK_EQ(house_call(&h, A64_WRITE, 3, DATA, 4, 0), 4);
	CHECK_EQ(house_call(&h, A64_LSEEK, 3, 1, 0, 0), 1);
	CHECK_EQ(house_call(&h, A64_READ, 3, DATA + 64, 100, 0), 3);
	CHECK_EQ(house_call(&h, A64_FSTATAT, (uint64_t)-100, DATA, DATA + 128, 0), 0);
	CHECK_EQ(house_word(&h, DATA + 128 + 48, 8), 4);
	CHECK_EQ(house_word(&h, DATA + 128 + 16, 4) & 0170000, 0100000);
	CHECK_EQ(house_call(&h, A64_CLOSE, 3, 0, 0, 0), 0);
	CHECK_EQ(house_call(&h, A64_CLOSE, 3, 0, 0, 0), -EBADF);
	poke(DATA, "/etc/passwd", 12);
	CHECK_EQ(house_call(&h, A64_OPENAT, (uint64_t)-100, DATA, 0, 0), -ENOENT);
	poke(DATA, "../etc/passwd", 14);
	CHECK_EQ(house_call(&h, A64_OPENAT, (uint64_t)-100, DATA, 0, 0), -ENOENT);
	close(h.p.config.folder);
	house_leave(&h);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	CHECK_EQ(system(command), 0);
}

/* include/uapi/linux/stat.h, asm-generic/stat.h, arch/arm's struct stat64. */
TEST(stat_has_the_layouts_of_the_kernel)
{
	char folder[] = "/tmp/apmu-linux.XXXXXX";

	with_folder(folder);
	uint64_t fd = open_with("file", "abc");
	CHECK_EQ(house_call(&h, A64_FTRUNCATE, fd, 5000, 0, 0), 0);
	CHECK_EQ(house_call(&h, A64_FSTAT, fd, DATA + 64, 0, 0), 0);
	CHECK_EQ(house_word(&h, DATA + 64 + 20, 4), 1); /* links */
	CHECK_EQ(house_word(&h, DATA + 64 + 24, 4), 1000);
	CHECK_EQ(house_word(&h, DATA + 64 + 28, 4), 1000);
	CHECK_EQ(house_word(&h, DATA + 64 + 48, 8), 5000);
	CHECK_EQ(house_word(&h, DATA + 64 + 56, 4), 4096);
	CHECK_EQ(house_word(&h, DATA + 64 + 64, 8), 16); /* of 512 bytes, in whole blocks */
	uint64_t inode = house_word(&h, DATA + 64 + 8, 8), mode = house_word(&h, DATA + 64 + 16, 4);
	poke(DATA, "file", 5);
	CHECK_EQ(house_svc(&h, 291, (uint64_t)-100, DATA, 0, 0x7FF, DATA + 256, 0).value, 0);
	CHECK_EQ(house_word(&h, DATA + 256, 4), 0x7FF); /* what statx tells */
	CHECK_EQ(house_word(&h, DATA + 256 + 4, 4), 4096);
	CHECK_EQ(house_word(&h, DATA + 256 + 16, 4), 1);
	CHECK_EQ(house_word(&h, DATA + 256 + 20, 4), 1000);
	CHECK_EQ(house_word(&h, DATA + 256 + 24, 4), 1000);
	CHECK_EQ(house_word(&h, DATA + 256 + 28, 4), mode);
	CHECK_EQ(house_word(&h, DATA + 256 + 32, 8), inode);
	CHECK_EQ(house_word(&h, DATA + 256 + 40, 8), 5000);
	CHECK_EQ(house_word(&h, DATA + 256 + 48, 8), 16);
	CHECK_EQ(house_word(&h, DATA + 256 + 140, 4), house_word(&h, DATA + 64, 8)); /* the device */
	CHECK_EQ(house_svc(&h, 291, (uint64_t)-100, DATA, 0x8000, 0x7FF, DATA + 256, 0).value,
		 (uint64_t)-EINVAL);
	without_folder(folder);
	house_enter(&h, false);
	CHECK_EQ(house_call(&h, 197, 1, D32, 0, 0), 0); /* fstat64 of the console */
	CHECK_EQ(house_word(&h, D32 + 12, 4), house_word(&h, D32 + 96, 8));
	CHECK_EQ(house_word(&h, D32 + 16, 4) & 0170000, 0020000);
	CHECK_EQ(house_word(&h, D32 + 20, 4), 1);
	CHECK_EQ(house_word(&h, D32 + 24, 4), 1000);
	CHECK_EQ(house_word(&h, D32 + 56, 4), 4096);
	house_leave(&h);
}

TEST(limits_are_as_wide_as_the_call_says)
{
	house_enter(&h, false);
	CHECK_EQ(house_call(&h, 191, 3, D32, 0, 0), 0); /* ugetrlimit of the stack */
	CHECK_EQ(house_word(&h, D32, 4), 8u << 20);
	CHECK_EQ(house_word(&h, D32 + 4, 4), 8u << 20);
	CHECK_EQ(house_call(&h, 191, 4, D32, 0, 0), 0);
	CHECK_EQ(house_word(&h, D32, 4), UINT32_MAX);
	CHECK_EQ(house_call(&h, 369, 0, 4, 0, D32), 0); /* prlimit64 */
	CHECK_EQ(house_word(&h, D32, 8), UINT64_MAX);
	CHECK_EQ(house_word(&h, D32 + 8, 8), UINT64_MAX);
	CHECK_EQ(house_call(&h, 369, 0, 16, 0, D32), -EINVAL);
	CHECK_EQ(house_call(&h, 369, 999, 4, 0, D32), -ESRCH);
	CHECK_EQ(house_call(&h, 191, 16, D32, 0, 0), -EINVAL);
	house_leave(&h);
}

TEST(files_never_make_anybody_wait)
{
	const struct {
		int32_t fd;
		uint16_t events, came;
	} list[] = {{0, 1, 9}, {1, 4, 9}, {-1, 1, 9}, {40, 1, 9}};

	house_enter(&h, true);
	poke(DATA, list, sizeof(list));
	CHECK_EQ(house_call(&h, 73, DATA, 4, 0, 0), 3);
	CHECK_EQ(house_word(&h, DATA + 6, 2), 1);
	CHECK_EQ(house_word(&h, DATA + 14, 2), 4);
	CHECK_EQ(house_word(&h, DATA + 22, 2), 0);
	CHECK_EQ(house_word(&h, DATA + 30, 2), 0x20);
	CHECK_EQ(house_call(&h, 73, DATA, 1000, 0, 0), -EINVAL);
	house_leave(&h);
}

TEST(a_poll_of_nothing_waits_for_its_time)
{
	const uint32_t one[] = {3, 1};
	const uint64_t time[] = {1, 500000000};
	const uint32_t time32[] = {0, 1000000000};

	house_enter(&h, true);
	CHECK_EQ(house_call(&h, A64_PIPE2, DATA, 0, 0, 0), 0);
	poke(DATA, one, sizeof(one));
	poke(DATA + 16, time, sizeof(time));
	struct apmu_linux__result r = house_svc(&h, 73, DATA, 1, DATA + 16, 0, 0, 0);
	CHECK_EQ(r.value, 0);
	CHECK_EQ(r.idle, 1500000000);
	CHECK_EQ(house_svc(&h, 73, DATA, 1, 0, 0, 0, 0).end, APMU_LINUX__STUCK);
	house_leave(&h);
	house_enter(&h, false);
	CHECK_EQ(house_svc(&h, 168, 0, 0, 250, 0, 0, 0).idle, 250000000);
	CHECK_EQ(house_svc(&h, 168, 0, 0, 0, 0, 0, 0).idle, 0);
	CHECK_EQ(house_svc(&h, 168, 0, 0, 0xFFFFFFFF, 0, 0, 0).end, APMU_LINUX__STUCK);
	poke(D32, time32, sizeof(time32));
	CHECK_EQ(house_call(&h, 336, 0, 0, D32, 0), -EINVAL);
	house_leave(&h);
}

TEST(a_full_pipe_is_not_ready_and_takes_small_writes_whole)
{
	const struct {
		int32_t fd;
		uint16_t events, came;
	} out = {4, 4, 0};

	house_enter(&h, true);
	CHECK_EQ(house_call(&h, A64_PIPE2, DATA, 0x800, 0, 0), 0);
	poke(DATA, &out, sizeof(out));
	CHECK_EQ(house_call(&h, A64_MMAP, 0x50000000, 16 * PAGE, 3, ANONYMOUS), 0x50000000);
	CHECK_EQ(house_call(&h, A64_WRITE, 4, 0x50000000, 15 * PAGE, 0), 15 * PAGE);
	CHECK_EQ(house_call(&h, 73, DATA, 1, 0, 0), 1);
	CHECK_EQ(house_call(&h, A64_WRITE, 4, 0x50000000, PAGE - 8, 0), PAGE - 8);
	CHECK_EQ(house_call(&h, A64_WRITE, 4, 0x50000000, 9, 0), -EAGAIN);
	poke(DATA + 16, (const uint64_t[]){0, 0}, 16);
	CHECK_EQ(house_call(&h, 73, DATA, 1, DATA + 16, 0), 0);
	CHECK_EQ(house_call(&h, A64_WRITE, 4, 0x50000000, 8, 0), 8);
	house_leave(&h);
}

TEST(readv_gives_what_a_pipe_has)
{
	const uint64_t iov[] = {DATA + 64, 2, DATA + 80, 2};

	house_enter(&h, true);
	CHECK_EQ(house_call(&h, A64_PIPE2, DATA, 0, 0, 0), 0);
	poke(DATA + 16, iov, sizeof(iov));
	poke(DATA + 8, "abc", 3);
	CHECK_EQ(house_call(&h, A64_WRITE, 4, DATA + 8, 2, 0), 2);
	CHECK_EQ(house_svc(&h, A64_READV, 3, DATA + 16, 2, 0, 0, 0).end, APMU_LINUX__RETURN);
	CHECK_EQ(house_call(&h, A64_WRITE, 4, DATA + 8, 3, 0), 3);
	CHECK_EQ(house_call(&h, A64_READV, 3, DATA + 16, 2, 0), 3);
	CHECK_STR((char *)house_byte(&h, DATA + 80), "c");
	CHECK_EQ(house_svc(&h, A64_READV, 3, DATA + 16, 2, 0, 0, 0).end, APMU_LINUX__STUCK);
	house_leave(&h);
}

TEST(a_wait_for_nobody_is_told)
{
	const uint32_t word = 5;

	house_enter(&h, true);
	poke(DATA, &word, 4);
	CHECK_EQ(house_call(&h, A64_FUTEX, DATA, 1, 1, 0), 0);
	CHECK_EQ(house_call(&h, A64_FUTEX, DATA, 0, 6, 0), -EAGAIN);
	CHECK_EQ(house_svc(&h, A64_FUTEX, DATA, 128, 5, 0, 0, 0).end, APMU_LINUX__STUCK);
	house_leave(&h);
}

/* Calls with random arguments return, and the list of mappings stays right (linux_house.h checks it). */
TEST(a_wait_with_a_time_out_ends_when_its_time_is_over)
{
	const uint32_t word = 5;
	const uint64_t time[] = {2, 500000000};
	const uint32_t time64[] = {1, 0, 0, 0xDEADBEEF}, time32[] = {0, 7};

	house_enter(&h, true);
	h.now = 1000000000;
	poke(DATA, &word, 4);
	poke(DATA + 16, time, sizeof(time));
	struct apmu_linux__result r = house_svc(&h, A64_FUTEX, DATA, 0x80, 5, DATA + 16, 0, 0);
	CHECK_EQ((int64_t)r.value, -ETIMEDOUT);
	CHECK_EQ(r.idle, 2500000000);
	CHECK_EQ(house_svc(&h, A64_FUTEX, DATA, 0x89, 5, DATA + 16, 0, 0).idle, 1500000000);
	CHECK_EQ(house_svc(&h, A64_FUTEX, DATA, 0x189, 5, DATA + 16, 0, 0).idle, 0); /* 1970 is over */
	house_leave(&h);
	house_enter(&h, false);
	poke(D32, &word, 4);
	poke(D32 + 16, time64, sizeof(time64));
	poke(D32 + 32, time32, sizeof(time32));
	CHECK_EQ(house_svc(&h, 422, D32, 0x80, 5, D32 + 16, 0, 0).idle, 1000000000);
	CHECK_EQ(house_svc(&h, 240, D32, 0x80, 5, D32 + 32, 0, 0).idle, 7);
	house_leave(&h);
}

TEST(a_signal_to_the_own_group_arrives)
{
	house_enter(&h, true);
	CHECK_EQ(house_call(&h, A64_KILL, (uint64_t)-1000, 15, 0, 0), 0);
	CHECK_EQ(apmu_linux__signal(&h.p).status, 15);
	CHECK_EQ(house_call(&h, A64_KILL, (uint64_t)-1001, 15, 0, 0), -ESRCH);
	house_leave(&h);
	house_enter(&h, false);
	CHECK_EQ(house_call(&h, 37, (uint32_t)-1000, 15, 0, 0), 0);
	CHECK_EQ(apmu_linux__signal(&h.p).status, 15);
	house_leave(&h);
}

TEST(a_blocked_signal_is_not_ignored_before_it_is_unblocked)
{
	const uint64_t child = 1u << 16, none = 0;

	house_enter(&h, true);
	poke(DATA, &child, 8);
	poke(DATA + 8, &none, 8);
	CHECK_EQ(house_call(&h, 135, 0, DATA, 0, 8), 0);
	CHECK_EQ(house_call(&h, A64_KILL, 1000, 17, 0, 0), 0);
	CHECK_EQ(apmu_linux__signal(&h.p).end, APMU_LINUX__RETURN);
	CHECK_EQ(house_call(&h, 136, DATA + 16, 8, 0, 0), 0);
	CHECK_EQ(house_word(&h, DATA + 16, 8), child);
	CHECK_EQ(house_svc(&h, 133, DATA + 8, 8, 0, 0, 0, 0).end, APMU_LINUX__STUCK);
	CHECK_EQ(house_call(&h, A64_KILL, 1000, 17, 0, 0), 0);
	CHECK_EQ(house_call(&h, 135, 1, DATA, 0, 8), 0);
	CHECK_EQ(apmu_linux__signal(&h.p).end, APMU_LINUX__RETURN);
	CHECK_EQ(h.p.pending, 0);
	house_leave(&h);
}

TEST(calls_from_nowhere_are_harmless)
{
	uint64_t x = 88172645463325252u;

	for (int wide = 0; wide < 2; wide++) {
		house_enter(&h, wide);
		for (unsigned i = 0; i < 60000; i++) {
			uint64_t a[6];
			for (unsigned k = 0; k < 6; k++) {
				x ^= x << 13, x ^= x >> 7, x ^= x << 17;
				a[k] = x % 3 == 0 ? x : x % 3 == 1 ? x % 40000 : (wide ? DATA : D32) + x % 64;
			}
			a[1] = x % 5 ? a[1] : x % 8 * 4096;
			house_svc(&h, wide ? i % 440 : i % 450, a[0], a[1], a[2], a[3], a[4], a[5]);
		}
		CHECK(h.p.mapped <= h.config.memory);
		house_leave(&h);
	}
}
