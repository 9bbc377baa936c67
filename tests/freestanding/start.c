/* SPDX-License-Identifier: MIT */
/* The little that a C library would bring: an entry, an exit, and the two functions that the model may need.
 */
#include <stddef.h>

int main(void);
void *memset(void *to, int byte, size_t n);
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void _start(void) __attribute__((noreturn));

void *memset(void *to, int byte, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile unsigned char *)to)[i] = (unsigned char)byte;
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile unsigned char *)to)[i] = ((const unsigned char *)from)[i];
	return to;
}

/* Linux's exit system call, so that qemu-arm and qemu-aarch64 can run this too. */
static void leave(int status) __attribute__((noreturn));
#if defined(__arm__)
static void leave(int status)
{
	register int r0 __asm__("r0") = status;
	register int r7 __asm__("r7") = 1;

	__asm__ volatile("svc 0" : : "r"(r0), "r"(r7));
	for (;;)
		continue;
}
#elif defined(__aarch64__)
static void leave(int status)
{
	register long x0 __asm__("x0") = status;
	register long x8 __asm__("x8") = 93;

	__asm__ volatile("svc 0" : : "r"(x0), "r"(x8));
	for (;;)
		continue;
}
#else
#error "an exit for this machine"
#endif

void _start(void)
{
	leave(main());
}
