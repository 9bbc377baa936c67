/* SPDX-License-Identifier: MIT */
/*
 * AArch64 without a library. The program maps shared memory, so that QEMU keeps its translations when a
 * thread begins, and runs the code of its threads once by itself, so that there are such translations. Then
 * two threads, one after the other: the first of 103 instructions, over before QEMU has dropped the
 * translations if the processor goes to it at once; the second of 40,005.
 */
static char stack[2][65536] __attribute__((aligned(16)));
static int alive[2];

long call(long number, long a, long b, long c, long d, long e, long f);
long spawn(long flags, void *stack, int *parent, long tls, int *child, long rounds, long last);
long rehearse(long zero, long b, long c, long d, long e, long rounds, long last);

__asm__(".global _start, call, spawn, rehearse\n"
	"_start:	bl main\n"
	"call:		mov x8, x0\n"
	"		mov x0, x1\n mov x1, x2\n mov x2, x3\n mov x3, x4\n mov x4, x5\n mov x5, x6\n"
	"		svc #0\n"
	"		ret\n"
	"spawn:		mov x9, x5\n mov x10, x6\n mov x8, #220\n"
	"		svc #0\n"
	"		b 1f\n"
	"rehearse:	mov x9, x5\n mov x10, x6\n"
	"		b 1f\n"
	"1:		cbnz x0, 3f\n"
	"2:		subs x9, x9, #1\n"
	"		b.ne 2b\n"
	"		mov x8, x10\n mov x0, #0\n"
	"		svc #0\n"
	"3:		ret\n");

enum { SYS_EXIT = 93, SYS_EXIT_GROUP = 94, SYS_FUTEX = 98, SYS_GETPID = 172, SYS_MMAP = 222 };
#define THREAD 0x350F00 /* what pthread_create() passes, without CLONE_SETTLS */

int main(void)
{
	static const long rounds[2] = {49, 20000};

	call(SYS_MMAP, 0, 4096, 3, 0x21, -1, 0); /* MAP_SHARED | MAP_ANONYMOUS */
	rehearse(0, 0, 0, 0, 0, 5, SYS_GETPID);
	for (int i = 0; i < 2; i++) {
		volatile int *running = &alive[i];
		int is;
		*running = 1;
		spawn(THREAD, stack[i] + sizeof(stack[i]), &alive[i], 0, &alive[i], rounds[i], SYS_EXIT);
		while ((is = *running) != 0)
			call(SYS_FUTEX, (long)running, 0, is, 0, 0, 0);
	}
	call(SYS_EXIT_GROUP, 0, 0, 0, 0, 0, 0);
	return 0;
}
