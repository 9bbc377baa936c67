# SPDX-License-Identifier: MIT
# `apmu run --linux`: static programs with C libraries: their output, their exit status, and the files that they can reach.
. "$SRC/tests/guest/lib.sh"
cat >"$work/hello.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int argc, char **argv)
{
	char *block = malloc(1 << 20), line[80];
	struct timespec t = {0, 250000000}, now;
	memset(block, 3, 1 << 20);
	block = realloc(block, 3 << 20);
	nanosleep(&t, NULL);
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%d %s %d %s\n", argc, argv[argc - 1], block[9999],
	       now.tv_sec == 0 && now.tv_nsec >= 250000000 && now.tv_nsec < 300000000 ? "slept" : "woke");
	while (fgets(line, sizeof line, stdin))
		printf("<%s", line);
	FILE *file = fopen("note", "w");
	if (file)
		fprintf(file, "%g\n", 2.5 * argc), fclose(file);
	fprintf(stderr, "%s\n", fopen("/etc/passwd", "r") || fopen("../hello-8", "r") ? "out" : "in");
	free(block);
	return 7;
}
C
cat >"$work/clock.c" <<'C'
#include <stdio.h>
static unsigned long clock_now(void)
{
	unsigned long v;
#if defined(__aarch64__)
	__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(v));
#elif defined(ARM11)
	__asm__ volatile("mrc p15, 0, %0, c15, c12, 1" : "=r"(v));
#elif defined(XSCALE)
	__asm__ volatile("mrc p14, 0, %0, c1, c1, 0" : "=r"(v));
#else
	__asm__ volatile("mrc p15, 0, %0, c9, c13, 0" : "=r"(v));
#endif
	return v;
}
int main(void)
{
	unsigned long from = clock_now();
	for (int i = 0; i < 1000; i++)
		__asm__ volatile("nop");
	unsigned long took = clock_now() - from;
	printf("%s\n", took >= 500 && took < 100000 ? "counts" : "does not count");
	return 0;
}
C
printf '#include <unistd.h>\nint main(void) { return fork() != 0; }\n' >"$work/fork.c"
printf 'int main(void) { *(volatile int *)16 = 1; return 0; }\n' >"$work/wild.c"
printf '#include <stdlib.h>\nint main(void) { abort(); }\n' >"$work/abort.c"

a32() { arm-linux-gnueabi-gcc -O1 -static "$@" || exit 1; }
a64() { aarch64-linux-gnu-gcc -O1 -static "$@" || exit 1; }
a32 -march=armv5te -marm "$work/hello.c" -o "$work/hello-5"
a32 -march=armv7-a -mthumb "$work/hello.c" -o "$work/hello-7"
a64 "$work/hello.c" -o "$work/hello-8"
aarch64-linux-gnu-gcc -O1 -static-pie "$work/hello.c" -o "$work/hello-pie" || exit 1
mkdir "$work/folder"

# hello CORE PROGRAM
hello() {
	rm -f "$work/folder/note"
	printf 'typed\n' | "$APMU" run -c "$1" --folder "$work/folder" --linux "$work/$2" one two >"$work/out" 2>"$work/err"
	[ $? = 7 ] || fail "$1 $2: exit status, not 7: $(cat "$work/err")"
	[ "$(cat "$work/out")" = "3 two 3 slept
<typed" ] || fail "$1 $2 printed: $(cat "$work/out")"
	[ "$(cat "$work/err")" = in ] || fail "$1 $2 complained: $(cat "$work/err")"
	[ "$(cat "$work/folder/note" 2>/dev/null)" = 7.5 ] || fail "$1 $2 wrote no note"
}
hello xscale2 hello-5
hello arm1136jf-s hello-5
hello arm1176jzf-s hello-5
hello cortex-a9 hello-7
hello cortex-a15 hello-7
hello cortex-a53 hello-8
hello cortex-a72 hello-8
hello cortex-a53 hello-pie

# clock CORE COMPILER FLAGS...: user code reads the cycle counter
clock() {
	local core=$1
	shift
	"$@" "$work/clock.c" -o "$work/clock"
	[ "$("$APMU" run -c "$core" --linux "$work/clock" 2>&1)" = counts ] || fail "$core: the cycle counter is not there"
}
clock xscale2 a32 -marm -march=armv5te -DXSCALE
clock arm1176jzf-s a32 -marm -march=armv6 -DARM11
clock cortex-a9 a32 -march=armv7-a
clock cortex-a53 a64

# a program runs with interrupts enabled, as a kernel runs it, and no overflow of its own interrupts it
arm-linux-gnueabi-gcc -march=armv6 -nostdlib -static -x assembler - -o "$work/masks" <<-'END' || exit 1
	.arm
	.global _start
_start:	mvn	r5, #99
	mcr	p15, 0, r5, c15, c12, 2
	ldr	r4, =0x10700071
	mcr	p15, 0, r4, c15, c12, 0
	mov	r3, #1000
1:	subs	r3, r3, #1
	bne	1b
	mrs	r0, cpsr
	and	r0, r0, #0xff
	mov	r7, #1
	svc	#0
END
for core in arm1156t2-s arm1176jzf-s; do # in System mode, with the PMU
	"$APMU" run -c $core --linux "$work/masks"
	[ $? = 31 ] || fail "$core: CPSR is not 0x1f"
done
printf '.arm\n.global _start\n_start: mrs r0, cpsr\n and r0, r0, #0xff\n mov r7, #1\n svc #0\n' >"$work/masks.S"
arm-linux-gnueabi-gcc -march=armv6 -nostdlib -static "$work/masks.S" -o "$work/masks" || exit 1
"$APMU" run -c cortex-r4 --linux -e FIQ_DISABLED_CYCLES,IRQ_DISABLED_CYCLES "$work/masks" 2>"$work/err"
[ $? = 16 ] || fail "cortex-r4: CPSR is not 0x10"
[ "$(grep -cE '^ +0  (FIQ|IRQ)_DISABLED_CYCLES' "$work/err")" = 2 ] || fail "cycles with interrupts disabled: $(cat "$work/err")"

# system calls in IT blocks, as under QEMU
arm-linux-gnueabi-gcc -march=armv7-a -nostdlib -static "$SRC/tests/guest/src/svc_it.S" -o "$work/svc_it" || exit 1
for run in qemu-arm "$APMU run -c cortex-a9 --linux" "$APMU run -c cortex-a15 --cpi 1 --linux"; do
	[ "$($run "$work/svc_it"; echo $?)" = "it
it
0" ] || fail "system calls in IT blocks: $run"
done

# the undefined instructions that debuggers use as breakpoints are SIGTRAP, others SIGILL
cat >"$work/breakpoint.c" <<'C'
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf back;
static void handler(int number) { siglongjmp(back, number); }
static void a32(void) { __asm__ volatile(".inst 0xe7f001f0"); }
static void undefined(void) { __asm__ volatile(".inst 0xe7f000f0"); }
__attribute__((target("thumb"))) static void t16(void) { __asm__ volatile(".inst.n 0xde01"); }
__attribute__((target("thumb"))) static void t32(void) { __asm__ volatile(".inst.w 0xf7f0a000"); }
static int signal_of(void (*f)(void))
{
	int got = sigsetjmp(back, 1);
	if (got == 0)
		f();
	return got;
}
int main(void)
{
	signal(SIGILL, handler);
	signal(SIGTRAP, handler);
	printf("%d %d %d %d\n", signal_of(a32), signal_of(t16), signal_of(t32), signal_of(undefined));
	return 0;
}
C
a32 -march=armv7-a -marm "$work/breakpoint.c" -o "$work/breakpoint"
for run in qemu-arm "$APMU run -c cortex-a9 --linux" "$APMU run -c cortex-a53 --linux"; do
	[ "$($run "$work/breakpoint" 2>&1)" = '5 5 5 4' ] || fail "breakpoints: $run: $($run "$work/breakpoint" 2>&1)"
done

# refused CORE PROGRAM STATUS WORDS...
refused() {
	local core=$1 program=$2 status=$3
	shift 3
	"$APMU" run -c "$core" --linux "$program" >"$work/out" 2>"$work/err"
	[ $? = "$status" ] || fail "$program: not status $status"
	grep -q "$@" "$work/err" || fail "$program: $(head -1 "$work/err")"
}
a64 "$work/fork.c" -o "$work/fork"
a64 "$work/wild.c" -o "$work/wild"
a64 "$work/abort.c" -o "$work/abort"
aarch64-linux-gnu-gcc "$work/wild.c" -o "$work/dynamic" || exit 1
refused cortex-a53 "$work/fork" 1 'system call 220 (clone) is not provided'
refused cortex-a53 "$work/wild" 1 'SIGSEGV: write .* 0x10'
refused cortex-a53 "$work/dynamic" 1 'link with -static'
refused cortex-a53 /bin/true 1 'x86-64'
refused cortex-a15 "$work/wild" 1 'runs no AArch64 programs'
"$APMU" run -c cortex-a53 --linux "$work/abort" >/dev/null 2>&1
[ $? = 134 ] || fail "abort() is not status 134"

# the same twice
for i in 1 2; do
	"$APMU" run -c cortex-a53 --linux "$work/wild" 2>"$work/err$i"
done
cmp -s "$work/err1" "$work/err2" || fail "two runs differ"
finish
