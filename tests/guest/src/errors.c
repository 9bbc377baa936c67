/* SPDX-License-Identifier: MIT */
/* Calls that Linux refuses, and how: what it prints must be the same under Linux and under a machine that
 * answers the calls. Run in an empty directory. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Prints a call, its result and, if it was refused, errno. */
#define TRY(call)                                                                       \
	do {                                                                            \
		long got = (long)(call);                                                \
		printf("%s: %ld %d\n", #call, got < 0 ? -1 : got, got < 0 ? errno : 0); \
	} while (0)
/* The same of a call whose result is an address. */
#define MAP(call) printf("%s: %d\n", #call, (void *)(call) == MAP_FAILED ? errno : 0)
#define ANYWHERE  (MAP_PRIVATE | MAP_ANONYMOUS)

static char bytes[512];
static struct stat about;

static void files(void)
{
	int file = open("file", O_RDWR | O_CREAT, 0644), reads = open("file", O_RDONLY);
	int writes = open("file", O_WRONLY);
	struct iovec part = {bytes, 3};

	TRY(write(file, "hello world", 11));
	TRY(lseek(file, 0, 6));
	TRY(lseek(file, -1, SEEK_SET));
	TRY(lseek(file, 4, SEEK_DATA));
	TRY(lseek(file, 4, SEEK_HOLE));
	TRY(lseek(file, 11, SEEK_DATA));
	TRY(syscall(SYS_readv, file, &part, 1025));
	TRY(pread(file, bytes, 5, -1));
	TRY(write(reads, bytes, 1));
	TRY(write(reads, bytes, 0));
	TRY(read(writes, bytes, 0));
	TRY(pwrite(reads, bytes, 0, 0));
	TRY(ftruncate(reads, 3));
	TRY(ftruncate(file, -1));
	TRY(open("file", O_CREAT | O_EXCL | O_RDWR, 0600));
	TRY(open("file", O_DIRECTORY));
	TRY(open("none", O_DIRECTORY));
	TRY(open("none/x", O_DIRECTORY));
	TRY(open("file/x", O_DIRECTORY));
	TRY(open("file/x", O_RDONLY));
	TRY(open("none/x", O_RDONLY));
	TRY(mkdir("file/x", 0700));
	TRY(stat("file/", &about));
	TRY(fstatat(AT_FDCWD, "file", &about, 1 << 27));
}

static void folders(void)
{
	TRY(mkdir("folder", 0755));
	TRY(stat("folder/", &about));
	int folder = open("folder", O_RDONLY | O_DIRECTORY);
	TRY(read(folder, bytes, 5));
	TRY(pread(folder, bytes, 5, 0));
	TRY(pwrite(folder, bytes, 5, 0));
	TRY(ftruncate(folder, 0));
	TRY(rename("file", "folder"));
	TRY(rename("folder", "file"));
	TRY(unlink("folder"));
	TRY(rmdir("file"));
	TRY(syscall(SYS_getcwd, bytes, 1));
	TRY(fstatat(folder, "", &about, 0));
	TRY(fstatat(folder, "", &about, AT_EMPTY_PATH));
	close(folder);
	TRY(rmdir("folder"));
}

static void descriptors(void)
{
	int pipes[2], file = open("file", O_RDONLY | O_CLOEXEC), copy = dup(file);

	TRY(fcntl(file, F_GETFD));
	TRY(fcntl(copy, F_GETFD));
	TRY(fcntl(file, F_SETFD, 0));
	TRY(fcntl(file, F_GETFD));
	TRY(fcntl(fcntl(file, F_DUPFD_CLOEXEC, 0), F_GETFD));
	TRY(fcntl(dup3(file, 40, O_CLOEXEC), F_GETFD));
	TRY(fcntl(dup2(40, 41), F_GETFD));
	TRY(fcntl(file, F_DUPFD, 1 << 28));
	TRY(fcntl(file, F_DUPFD, -1));
	TRY(dup2(file, -1));
	TRY(pipe2(pipes, 1));
	TRY(pipe2(pipes, O_NONBLOCK | O_CLOEXEC));
	TRY(fcntl(pipes[0], F_GETFD));
	TRY(read(pipes[0], bytes, 1));
	TRY(write(pipes[0], bytes, 1));
	TRY(lseek(pipes[0], 0, SEEK_CUR));
	TRY(pread(pipes[0], bytes, 1, 0));
	TRY(ftruncate(pipes[1], 0));
}

static void memory(void)
{
	int writes = open("file", O_WRONLY);
	char *page = mmap(NULL, 8192, PROT_READ, ANYWHERE, -1, 0);

	MAP(mmap(NULL, 0, PROT_READ, ANYWHERE, -1, 0));
	MAP(mmap(NULL, 4096, PROT_READ, MAP_ANONYMOUS, -1, 0));
	MAP(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0));
	MAP(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, writes, 0));
	TRY(munmap(page + 1, 4096));
	TRY(munmap(page, 0));
	TRY(mprotect(page + 1, 4096, PROT_READ));
	TRY(mprotect(page, 4096, 0x100));
	TRY(madvise(page + 1, 1, MADV_DONTNEED));
	MAP(mremap(page + 1, 4096, 8192, MREMAP_MAYMOVE));
}

static void others(void)
{
	struct timespec step;
	struct rlimit limit;
	struct rusage usage;

	TRY(clock_getres(CLOCK_MONOTONIC, &step));
	printf("%ld.%09ld s\n", (long)step.tv_sec, step.tv_nsec);

	TRY(getrlimit(99, &limit));
	TRY(getrusage(5, &usage));
	TRY(getrusage(RUSAGE_THREAD, &usage));
	TRY(syscall(SYS_getrandom, bytes, 10, 8));
	TRY(kill(getpid(), 65));
	TRY(kill(getpid(), -1));
}

int main(void)
{
	files();
	folders();
	descriptors();
	memory();
	others();
	puts("the end");
	return 200;
}
