/* SPDX-License-Identifier: MIT */
/* Ways in and out of functions that no plain call and return explains. Each leaves through a spin_...() whose
 * call chain the test knows. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define PLAIN __attribute__((noinline, noclone, noipa))
#define SPIN(name)                                     \
	PLAIN void spin_##name(void)                   \
	{                                              \
		for (volatile int i = 0; i < 400; i++) \
			;                              \
	}

SPIN(tail)
SPIN(after_tail)
SPIN(after_longjmp)
SPIN(handler)
SPIN(after_signal)
SPIN(alternate)
SPIN(after_alternate)
SPIN(after_siglongjmp)
SPIN(bottom)
SPIN(after_recursion)
SPIN(worker)
SPIN(coroutine)
SPIN(after_coroutine)
SPIN(frame)
SPIN(after_frames)
SPIN(pushed)
SPIN(after_pushed)
SPIN(after_landing)
SPIN(at_once)
SPIN(after_crowd)
SPIN(jumped)
SPIN(after_jumps)
SPIN(trapped)
SPIN(after_trap)
SPIN(chosen)
SPIN(first)
SPIN(second)
SPIN(between)
SPIN(end)

static jmp_buf here;
static sigjmp_buf there;
static volatile int sink;

PLAIN void tail_target(void)
{
	spin_tail();
	sink++;
}

PLAIN void tail_caller(int n)
{
	sink += n;
	tail_target(); /* a branch, at -O2 */
}

PLAIN void deeper(int n)
{
	if (n == 0)
		longjmp(here, 1);
	deeper(n - 1);
	sink++;
}

PLAIN void jumps(void)
{
	if (setjmp(here) == 0)
		deeper(5);
	spin_after_longjmp();
	sink++;
}

static void handler(int number)
{
	(void)number;
	spin_handler();
	sink++;
}

PLAIN void raises(void)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	spin_after_signal();
	sink++;
}

static void on_other_stack(int number)
{
	(void)number;
	spin_alternate();
	sink++;
}

PLAIN void alternates(void)
{
	static char memory[65536];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	struct sigaction action = {.sa_handler = on_other_stack, .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);
	spin_after_alternate();
	sink++;
}

static void leaves(int number)
{
	(void)number;
	siglongjmp(there, 1);
}

PLAIN void escapes(void)
{
	signal(SIGTERM, leaves);
	if (sigsetjmp(there, 1) == 0)
		raise(SIGTERM);
	spin_after_siglongjmp();
	sink++;
}

PLAIN void recurse(int n)
{
	if (n == 0)
		spin_bottom();
	else
		recurse(n - 1);
	sink++;
}

PLAIN void recursion(void)
{
	recurse(20);
	spin_after_recursion();
	sink++;
}

static void *worker(void *unused)
{
	spin_worker();
	sink++;
	return unused;
}

PLAIN void threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, worker, NULL);
	pthread_join(thread, NULL);
	sink++;
}

static ucontext_t home, away;

static void coroutine(void)
{
	spin_coroutine();
	swapcontext(&away, &home);
}

PLAIN void switches(void)
{
	static char memory[65536];

	getcontext(&away);
	away.uc_stack.ss_sp = memory;
	away.uc_stack.ss_size = sizeof(memory);
	makecontext(&away, coroutine, 0);
	swapcontext(&home, &away);
	spin_after_coroutine();
	sink++;
}

PLAIN void below_small_frame(void)
{
	spin_frame();
	sink++;
}

PLAIN void small_frame(void)
{
	below_small_frame();
	sink++;
}

PLAIN void large_frame(void)
{
	volatile int room[64];

	room[sink & 63] = 1;
	getpid(); /* the return address is saved */
	sink += room[sink & 63];
	small_frame(); /* a branch: what it saves lies above where this function's frame was */
}

PLAIN void frames(void)
{
	large_frame();
	spin_after_frames();
	sink++;
}

PLAIN void pushed(void)
{
	spin_pushed();
	sink++;
}

/* Entered from no instruction, with the place to return to in the link register and what that was on the
 * stack: as Go preempts. */
void put_in_the_way(void);
#ifdef __aarch64__
__asm__(".globl put_in_the_way\n.type put_in_the_way, %function\nput_in_the_way:\n"
	"str x30, [sp, #-176]!\nstp x0, x1, [sp, #8]\nstp x2, x3, [sp, #24]\nstp x4, x5, [sp, #40]\n"
	"stp x6, x7, [sp, #56]\nstp x8, x9, [sp, #72]\nstp x10, x11, [sp, #88]\nstp x12, x13, [sp, #104]\n"
	"stp x14, x15, [sp, #120]\nstp x16, x17, [sp, #136]\nstp x18, x29, [sp, #152]\n"
	"bl pushed\n"
	"ldp x0, x1, [sp, #8]\nldp x2, x3, [sp, #24]\nldp x4, x5, [sp, #40]\nldp x6, x7, [sp, #56]\n"
	"ldp x8, x9, [sp, #72]\nldp x10, x11, [sp, #88]\nldp x12, x13, [sp, #104]\n"
	"ldp x14, x15, [sp, #120]\nldp x18, x29, [sp, #152]\n"
	"ldr x16, [sp], #176\nldr x30, [sp], #16\nbr x16\n"
	".size put_in_the_way, . - put_in_the_way");

static void pushes(int number, siginfo_t *info, void *context)
{
	mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;

	(void)number, (void)info;
	m->sp -= 16;
	*(unsigned long *)m->sp = m->regs[30];
	m->regs[30] = m->pc;
	m->pc = (unsigned long)put_in_the_way;
}
#else
__asm__(".globl put_in_the_way\n.type put_in_the_way, %function\nput_in_the_way:\n"
	"push {r0, r1, r2, r3, r12, lr}\n"
	"bl pushed\n"
	"ldr lr, [sp, #24]\npop {r0, r1, r2, r3, r12}\nldr pc, [sp], #12\n"
	".size put_in_the_way, . - put_in_the_way");

static void pushes(int number, siginfo_t *info, void *context)
{
	mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;
	unsigned long thumb = m->arm_cpsr >> 5 & 1, to = (unsigned long)put_in_the_way;

	(void)number, (void)info;
	m->arm_sp -= 8; /* the stack stays aligned */
	*(unsigned long *)m->arm_sp = m->arm_lr;
	m->arm_lr = m->arm_pc | thumb;
	m->arm_pc = to & ~1ul;
	m->arm_cpsr = (m->arm_cpsr & ~32ul) | (to & 1) << 5;
}
#endif

PLAIN void preempted(void)
{
	struct sigaction action = {.sa_sigaction = pushes, .sa_flags = SA_SIGINFO};

	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 2; i++)
		syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), SIGUSR1);
	spin_after_pushed();
	sink++;
}

PLAIN void nothing(void)
{
	sink++;
}

/* __builtin_longjmp() goes to an address after no call, with another stack pointer, as OCaml's exceptions do.
 */
static void *landing[5];

PLAIN void leaps(int n)
{
	if (n == 0)
		__builtin_longjmp(landing, 1);
	leaps(n - 1);
	sink++;
}

PLAIN void settles(void) /* saves its return address, which shows on which stack it is */
{
	nothing();
	spin_after_landing();
	sink++;
}

PLAIN void lands(void)
{
	for (volatile int i = 0; i < 2; i++) {
		if (__builtin_setjmp(landing) == 0)
			leaps(5);
		settles();
	}
	sink++;
}

PLAIN void lands_and_returns(void)
{
	if (__builtin_setjmp(landing) == 0)
		leaps(5);
}

PLAIN void builtins(void)
{
	lands();
	lands_and_returns();
	spin_at_once();
	sink++;
}

/* More calls than any table is likely to have, between setjmp() and longjmp(). */
#ifdef __aarch64__
#define ENTER "stp x29, x30, [sp, #-16]!\n"
#define LEAVE "ldp x29, x30, [sp], #16\nret\n"
#else
#define ENTER "push {r4, lr}\n"
#define LEAVE "pop {r4, pc}\n"
#endif
void calls_often(void);
__asm__(".globl calls_often\n.type calls_often, %function\ncalls_often:\n" ENTER
	".rept 20000\nbl nothing\n.endr\n" LEAVE ".size calls_often, . - calls_often");

PLAIN void crowd(void)
{
	if (setjmp(here) == 0) {
		calls_often();
		deeper(5);
	}
	spin_after_crowd();
	sink++;
}

/* Calls made by a jump, whose callee sets the stack pointer and returns to where no call returns, as in
 * Java's interpreter. */
#ifdef __aarch64__
void calls_by_jump(void);
__asm__(".type calls_by_jump, %function\n"
	"calls_by_jump: stp x29, x30, [sp, #-32]!\n"
	"str x19, [sp, #16]\n"
	"mov w19, #3\n"
	"1: mov x13, sp\n"
	"adr x30, 2f\n"
	"b jumped_to\n"
	"2: subs w19, w19, #1\n"
	"b.ne 1b\n"
	"bl spin_after_jumps\n"
	"ldr x19, [sp, #16]\n"
	"ldp x29, x30, [sp], #32\n"
	"ret\n"
	".size calls_by_jump, . - calls_by_jump\n"
	".type jumped_to, %function\n"
	"jumped_to: stp x29, x30, [sp, #-144]!\n"
	"str x13, [sp, #16]\n"
	"bl spin_jumped\n"
	"bl nothing\n"
	"ldr x13, [sp, #16]\n"
	"ldp x29, x30, [sp]\n"
	"mov sp, x13\n"
	"ret\n"
	".size jumped_to, . - jumped_to");
#else
static void calls_by_jump(void)
{
}
#endif

PLAIN void interprets(void)
{
	calls_by_jump();
	sink++;
}

/* OCaml's exceptions in A32 and T32: a trap is a handler's address on the stack, to which R8 points. The
 * function with the handler ends in a tail call, whose frame takes the place of its own. And a function that
 * calls itself, with a switch that goes to where its call returns. */
#ifdef __aarch64__
static void traps(void)
{
}
static void chooser(int n)
{
	(void)n;
}
#else
#ifdef __thumb__
#define HANDLER   "adr lr, 1f\nadds lr, #1\n"
#define SWITCH    "tbb [pc, r0]\n3: .byte (2f - 3b) / 2, (1f - 3b) / 2\n"
#define ENTRY     ".thumb_func\n"
#define EXCLUSIVE "ldrex r1, [r0]\nstrex r2, r1, [r0]\n"
#else
#define HANDLER "adr lr, 1f\n"
#define SWITCH  "cmp r0, #1\nldrls pc, [pc, r0, lsl #2]\nnop\n.word 2f, 1f\n"
#define ENTRY
#define EXCLUSIVE ".inst 0xE1901F9F\n.inst 0xE1802F91\n" /* LDREX, STREX */
#endif
void traps(void);
void chooser(int n);
__asm__(".type traps, %function\n" ENTRY "traps: push {r8, lr}\n" HANDLER "push {r4-r6, r8, lr}\n"
	"mov r8, sp\n"
	"bl throws_below\n"
	".balign 4\n"
	"1: sub r0, sp, #64\n" EXCLUSIVE "bl spin_trapped\n"
	"pop {r8, lr}\n"
	"b after_trap\n"
	".size traps, . - traps\n"
	".type throws_below, %function\n" ENTRY "throws_below: push {r4, lr}\n"
	"bl throws_trap\n"
	".size throws_below, . - throws_below\n"
	".type throws_trap, %function\n" ENTRY "throws_trap: mov sp, r8\n"
	"pop {r4-r6, r8, pc}\n"
	".size throws_trap, . - throws_trap\n"
	".type after_trap, %function\n" ENTRY "after_trap: push {r4, lr}\n"
	"bl spin_after_trap\n"
	"pop {r4, pc}\n"
	".size after_trap, . - after_trap\n"
	".type chooser, %function\n" ENTRY "chooser: push {r4, lr}\n" SWITCH "1: mov r0, #0\n"
	"bl chooser\n"
	"2: bl spin_chosen\n"
	"pop {r4, pc}\n"
	".size chooser, . - chooser");
#endif

static void *idle(void *unused)
{
	return unused;
}

PLAIN void walks(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, idle, NULL); /* from now on QEMU makes exclusive stores in a helper */
	pthread_join(thread, NULL);
	for (volatile int i = 0; i < 6; i++)
		traps();
	sink++;
}

PLAIN void chooses(void)
{
	chooser(1);
	sink++;
}

/* Two coroutines, which hand-written code continues in turn, as Ruby's fibres. */
void *continues(void **own, void *other);
#ifdef __aarch64__
#define SAVED 12
__asm__(".type continues, %function\n"
	"continues: stp x29, x30, [sp, #-96]!\n"
	"stp x19, x20, [sp, #16]\n"
	"mov x2, sp\n"
	"str x2, [x0]\n"
	"mov sp, x1\n"
	"ldp x19, x20, [sp, #16]\n"
	"ldp x29, x30, [sp], #96\n"
	"ret\n"
	".size continues, . - continues");
#else
#define SAVED 9
__asm__(".type continues, %function\n" ENTRY "continues: push {r4-r11, lr}\n"
	"mov r2, sp\n"
	"str r2, [r0]\n"
	"mov sp, r1\n"
	"pop {r4-r11, pc}\n"
	".size continues, . - continues");
#endif

static void *of_main, *of_first, *of_second;

PLAIN void in_first(void)
{
	spin_first();
	sink++;
}

PLAIN void in_second(int n)
{
	if (n > 0)
		in_second(n - 1);
	else
		spin_second();
	sink++;
}

static void first(void)
{
	for (;;) {
		in_first();
		continues(&of_first, of_main);
	}
}

static void second(void)
{
	for (;;) {
		in_second(2);
		continues(&of_second, of_main);
	}
}

static void *begun(void (*function)(void))
{
	uintptr_t *top = (uintptr_t *)calloc(1, 65536) + 65536 / sizeof(*top) - 16 - SAVED;

	top[sizeof(*top) == 8 ? 1 : SAVED - 1] = (uintptr_t)function;
	return top;
}

PLAIN void alternate(void **other)
{
	continues(&of_main, *other);
	spin_between();
	sink++;
}

PLAIN void turns(void)
{
	of_first = begun(first);
	of_second = begun(second);
	for (volatile int i = 0; i < 6; i++)
		alternate(i % 2 ? &of_second : &of_first);
	sink++;
}

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;
	static void (*const all[])(void) = {jumps,   raises,     alternates, escapes,   recursion,
					    threads, switches,   frames,     preempted, builtins,
					    crowd,   interprets, walks,      chooses,   turns};

	if (which == 0) {
		tail_caller(argc);
		spin_after_tail();
	} else {
		all[which - 1]();
	}
	spin_end();
	return 0;
}
