/* SPDX-License-Identifier: MIT */
/* Directories, pipes, mapped files, signals: what it prints must be the same under Linux and under a machine
 * that answers the calls. Run in an empty directory. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

static void say(const char *what, long result)
{
	if (result < 0)
		printf("%s: errno %d\n", what, errno);
	else
		printf("%s: %ld\n", what, result);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void list(const char *name)
{
	struct dirent **found;
	struct stat about;
	int n = scandir(name, &found, NULL, by_name);

	printf("%s:", name);
	for (int i = 0; i < n; i++) {
		char path[300];
		snprintf(path, sizeof path, "%s/%s", name, found[i]->d_name);
		stat(path, &about);
		printf(" %s%s%s", found[i]->d_name, found[i]->d_type == DT_DIR ? "/" : "",
		       about.st_ino == found[i]->d_ino || !strcmp(found[i]->d_name, "..") ? "" : "(inode)");
	}
	printf("%s\n", n < 0 ? " none" : "");
}

static void directories(void)
{
	char cwd[4096];
	int d, fd;

	say("mkdir", mkdir("d", 0755));
	say("mkdir again", mkdir("d", 0755));
	fd = open("d/file", O_CREAT | O_RDWR | O_EXCL, 0644);
	say("write", write(fd, "0123456789", 10));
	say("open twice", open("d/file", O_CREAT | O_RDWR | O_EXCL, 0644));
	say("pread", pread(fd, cwd, 4, 3));
	printf("%.4s\n", cwd);
	say("pwrite", pwrite(fd, "ab", 2, 8));
	say("ftruncate", ftruncate(fd, 9));
	say("lseek", lseek(fd, 0, SEEK_END));
	close(fd);
	say("mkdir below", mkdir("d/e", 0755));
	list(".");
	list("d");
	list("d/../d/./e");
	d = open("d", O_RDONLY | O_DIRECTORY);
	fd = openat(d, "file", O_RDONLY);
	say("openat, read", read(fd, cwd, 100));
	close(fd);
	say("not a directory", open("d/file", O_RDONLY | O_DIRECTORY));
	say("write a directory", open("d", O_WRONLY));
	say("read a directory", read(d, cwd, 10));
	say("access", faccessat(d, "file", R_OK | W_OK, 0));
	say("access to nothing", access("d/nothing", F_OK));
	say("chdir", chdir("d"));
	printf("%s\n", strrchr(getcwd(cwd, sizeof cwd), '/'));
	say("rename", rename("file", "e/file2"));
	say("fchdir", fchdir(d));
	list("e");
	say("chdir up", chdir(".."));
	say("rmdir full", rmdir("d"));
	say("unlink a directory", unlink("d") < 0 ? 0 : 1);
	say("unlinkat", unlinkat(d, "e/file2", 0));
	say("rmdir", unlinkat(d, "e", AT_REMOVEDIR));
	say("rmdir", rmdir("d"));
	say("no link", readlink(".", cwd, 10));
	list(".");
	close(d);
}

static void pipes(void)
{
	static char block[70000];
	struct pollfd poll_in;
	int p[2], copy;
	long n = 0, got;

	say("pipe2", pipe2(p, O_NONBLOCK));
	say("empty", read(p[0], block, 1));
	poll_in = (struct pollfd){p[0], POLLIN, 0};
	say("poll empty", poll(&poll_in, 1, 0));
	say("write", write(p[1], "through", 7));
	say("poll", poll(&poll_in, 1, 0));
	say("read", read(p[0], block, 100));
	printf("%.7s\n", block);
	say("write more than it holds", write(p[1], block, sizeof block));
	say("full", write(p[1], block, 1));
	say("poll full", poll(&(struct pollfd){p[1], POLLOUT, 0}, 1, 0));
	while ((got = read(p[0], block, 1000)) > 0)
		n += got;
	say("drained", n);
	copy = dup(p[1]);
	close(p[1]);
	say("still open", read(p[0], block, 1));
	close(copy);
	say("end", read(p[0], block, 1));
	poll_in.revents = 0;
	poll(&poll_in, 1, 0);
	printf("hangup %d\n", (poll_in.revents & POLLHUP) != 0);
	close(p[0]);
	say("pipe", pipe(p));
	close(p[0]);
	signal(SIGPIPE, SIG_IGN);
	say("nobody reads", write(p[1], "x", 1));
	close(p[1]);
	copy = open("/dev/null", O_RDWR);
	say("null", write(copy, "x", 1) + read(copy, block, 10));
	close(copy);
	say("no terminal", ioctl(0, TIOCGWINSZ, block) < 0 && errno == ENOTTY);
}

static void mappings(void)
{
	int fd = open("m", O_CREAT | O_RDWR, 0600);
	char *map;

	for (int i = 0; i < 3000; i++)
		if (write(fd, "abcd", 4) != 4)
			return;
	map = mmap(NULL, 12000, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	printf("%c%c %d\n", map[0], map[11999], map[12000]);
	map[0] = 'X';
	munmap(map, 12000);
	map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 8192);
	printf("%c%c%d\n", map[0], map[3807], map[3808]);
	munmap(map, 4096);
	close(fd);
	say("closed", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED ? -1 : 0);
	unlink("m");
	map = mmap((void *)0x90000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	say("an address that need not be taken", map == MAP_FAILED);
	map[0] = 'X';
	say("not needed", madvise(map, 4096, MADV_DONTNEED));
	printf("%d\n", map[0]);
}

static volatile sig_atomic_t caught, detail, code, noted;
static sigjmp_buf back;
static double volatile number = 1.5;

static void on_signal(int signal)
{
	caught = signal;
	number = number * 0 + 7.25; /* uses the handler's own floating-point registers */
}

static void on_info(int signal, siginfo_t *info, void *context)
{
	(void)context;
	caught = signal;
	detail = info->si_signo == signal && info->si_code == SI_TKILL && info->si_pid == getpid();
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	caught = signal;
	detail = (int)(long)info->si_addr;
	code = info->si_code;
	const stack_t *own = &((const ucontext_t *)context)->uc_stack;
	noted = info->si_signo == signal && own->ss_size == 65536 && own->ss_flags == 0;
	siglongjmp(back, 1);
}

/* Steps over the instruction that faulted. */
static void on_illegal(int signal, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	caught = signal;
	detail = 1;
	(void)info;
#ifdef __aarch64__
	detail = info->si_addr == (void *)uc->uc_mcontext.pc;
	uc->uc_mcontext.pc += 4;
	uc->uc_mcontext.regs[9] = 99;
#else
	detail = info->si_addr == (void *)uc->uc_mcontext.arm_pc;
	uc->uc_mcontext.arm_pc += uc->uc_mcontext.arm_cpsr & 32 ? 2 : 4;
	uc->uc_mcontext.arm_r4 = 99;
#endif
}

static void take(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
}

static long illegal(void)
{
	register long seen __asm__(
#ifdef __aarch64__
		"x9") = 1;
	__asm__ volatile(".inst 0" : "+r"(seen));
#elif defined(__thumb__)
		"r4") = 1;
	__asm__ volatile(".inst.n 0xde00" : "+r"(seen));
#else
		"r4") = 1;
	__asm__ volatile(".inst 0xe7f000f0" : "+r"(seen));
#endif
	return seen;
}

/* An exclusive load of an odd address is an alignment fault. */
static void misalign(void)
{
#if defined __aarch64__ || __ARM_ARCH >= 7
	static char bytes[16] __attribute__((aligned(16)));
	long seen;

	take(SIGBUS, on_fault, SA_ONSTACK);
	if (sigsetjmp(back, 1) == 0) {
#ifdef __aarch64__
		__asm__ volatile("ldxr %w0, [%1]" : "=r"(seen) : "r"(bytes + 3));
#else
		__asm__ volatile("ldrex %0, [%1]" : "=r"(seen) : "r"(bytes + 3));
#endif
	}
	printf("misaligned: caught %d at %x, code %d\n", caught, detail & 15, code);
#endif
}

static volatile sig_atomic_t order[4], orders;

static void on_one(int signal)
{
	order[orders++] = signal;
}

/* On the alternate stack, which cannot be changed meanwhile. */
static void on_stack(int signal)
{
	static char other[16384];
	stack_t now, next = {.ss_sp = other, .ss_size = sizeof other};

	(void)signal;
	detail = sigaltstack(NULL, &now) == 0 && now.ss_flags == SS_ONSTACK;
	code = sigaltstack(&next, NULL) == 0 ? 0 : errno;
}

/* Two signals that come at once, and what sigaltstack refuses. */
static void signals_at_once(void)
{
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = 1024}, now;
	struct sigaction action = {.sa_handler = on_stack, .sa_flags = SA_ONSTACK};
	sigset_t both;

	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIGUSR2);
	signal(SIGUSR1, on_one);
	signal(SIGUSR2, on_one);
	sigprocmask(SIG_BLOCK, &both, NULL);
	raise(SIGUSR1);
	raise(SIGUSR2);
	sigprocmask(SIG_UNBLOCK, &both, NULL);
	printf("at once: %d, first %d, then %d\n", orders, order[0], order[1]);
	say("a small stack", sigaltstack(&alternate, NULL));
	alternate.ss_size = sizeof stack;
	alternate.ss_flags = 3;
	say("a stack of no kind", sigaltstack(&alternate, NULL));
	alternate.ss_flags = 0;
	say("a stack", sigaltstack(&alternate, NULL));
	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	sigaltstack(NULL, &now);
	printf("a stack of %zu, here %d\n", now.ss_size, now.ss_sp == (void *)stack);
	printf("on the stack %d, refused %d, then %d\n", detail, code == EPERM, now.ss_flags);
	alternate.ss_flags = SS_DISABLE;
	say("no stack", sigaltstack(&alternate, NULL));
}

static void signals(void)
{
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	sigset_t set, old;
	double before = number * 3;

	signal(SIGUSR1, on_signal);
	say("raise", raise(SIGUSR1));
	printf("caught %d, %g %g\n", caught, before, number);
	take(SIGUSR2, on_info, 0);
	raise(SIGUSR2);
	printf("caught %d, detail %d\n", caught, detail);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &old);
	kill(getpid(), SIGUSR1);
	sigpending(&old);
	printf("blocked: caught %d, pending %d\n", caught, sigismember(&old, SIGUSR1));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	printf("unblocked: caught %d\n", caught);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	caught = 0;
	sigemptyset(&old);
	say("sigsuspend", sigsuspend(&old));
	sigprocmask(SIG_BLOCK, NULL, &old);
	printf("caught %d, blocked again %d\n", caught, sigismember(&old, SIGUSR1));
	say("child", kill(getpid(), SIGCHLD));
	sigaltstack(&alternate, NULL);
	take(SIGSEGV, on_fault, SA_ONSTACK);
	if (sigsetjmp(back, 1) == 0)
		*(volatile int *)0x123000 = 1;
	printf("caught %d at %x, code %d, noted %d\n", caught, detail, code, noted);
	if (sigsetjmp(back, 1) == 0)
		((void (*)(void))0x124000)();
	printf("caught %d at %x, code %d\n", caught, detail, code);
	int *fixed = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (sigsetjmp(back, 1) == 0)
		*(volatile int *)fixed = 1;
	printf("caught %d, code %d\n", caught, code);
	code = 0;
	if (sigsetjmp(back, 1) == 0)
		((void (*)(void))fixed)();
	printf("caught %d, code %d\n", caught, code);
	misalign();
	take(SIGILL, on_illegal, 0);
	printf("illegal: %ld\n", illegal());
	printf("caught %d, detail %d\n", caught, detail);
	signal(SIGTERM, SIG_DFL);
	fflush(stdout);
	kill(getpid(), SIGTERM);
}

int main(void)
{
	directories();
	pipes();
	mappings();
	signals_at_once();
	signals();
	return 0;
}
