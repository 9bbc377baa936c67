# SPDX-License-Identifier: MIT
# A block that a fault leaves early counts only what it executed, in every way of counting.
. "$SRC/tests/guest/lib.sh"
arm fault
arm unknown
arm illegal

# fault.S: 9 + 1000 * (2 + 4 + 2 and the handler's 6) + 3. Without repair each fault would add 7.
for way in "-s INST" "" "-s INST -i INST:5000"; do
	count $way "$work/fault"
	want 'r["exit"]' 0
	want 't["INST"]' 14012
done
# Loads per round: two of the three in the loop's block, one in the handler; and two LDR of addresses. Stores: one and one.
count "$work/fault"
want 't["LD_RETIRED"]' 3002
want 't["ST_RETIRED"]' 2000
# 1000 BNE, 1000 BX LR
want 't["BR_EXEC"]' 2000

# illegal.S: 7 + 100 * (4 + 6) + 3
for way in "-s INST" ""; do
	count $way "$work/illegal"
	want 'r["exit"]' 0
	want 't["INST"]' 1010
done

for way in "-s INST" ""; do
	count $way "$work/unknown" 2>/dev/null
	want 'r["signal"]' 4
	want 'r["exit"]' 132
	want 'r["undecoded"]' 1
	want 'hex(r["word"])' 0xf9000000
done

# exceptions.S; system calls: five handlers, getpid, two kills, exit, and 16 returns from handlers.
a64 exceptions
for way in "-s EXC_DABORT -s EXC_PABORT -s EXC_UNDEF -s EXC_OTHER -s SVC_INST" "-s EXC_OTHER -s EXC_UNDEF -s EXC_PABORT -s EXC_DABORT -s CYCLES -s SVC_INST"; do
	count -c cortex-a72 $way "$work/exceptions" 2>/dev/null
	want '[t["EXC_UNDEF"], t["EXC_PABORT"], t["EXC_DABORT"], t["EXC_OTHER"], t["SVC_INST"]]' "[7, 2, 5, 14, 25]"
done

# 100 faults in a function that ran before the program had a handler; so says every way to count.
cat >"$work/late.c" <<'END'
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static void handler(int number) { (void)number; siglongjmp(back, 1); }
__attribute__((noinline)) unsigned part(volatile unsigned *p)
{
	unsigned a = *p;
	__asm__ volatile("mov r0, r0\n mov r0, r0\n mov r0, r0\n mov r0, r0\n");
	return a;
}
int main(void)
{
	unsigned x = 0;
	for (int i = 0; i < 10; i++)
		x += part(&x);
	signal(SIGSEGV, handler);
	for (volatile int i = 0; i < 100; i++)
		if (sigsetjmp(back, 1) == 0)
			x += part((unsigned *)8);
	return 0;
}
END
cd "$work" || exit 1
arm-linux-gnueabi-gcc -O1 -static -marm late.c -o late || exit 1
want=
for way in "stat -c cortex-a9 -e instructions -x , -o out" "stat -c cortex-a9 -e instructions,cache-misses -x , -o out" \
	"record --core cortex-a9 --exact -e instructions -q -o data" "record --core cortex-a9 -e instructions,branch-misses -q -o data"; do
	# shellcheck disable=SC2086
	"$BUILD/apmu" $way -- ./late >said 2>&1 || fail "$way: $(cat said)"
	if [ "${way%% *}" = stat ]; then
		got=$(cut -d, -f1 out | grep -E '^[0-9]+$' | head -1)
	else
		got=$("$BUILD/tests/guest/profile_dump" data 2>&1 >/dev/null | sed -n 's/^total 0 0 \([0-9]*\) .*/\1/p')
	fi
	want=${want:-$got}
	[ -n "$got" ] && [ "$got" = "$want" ] || fail "$way: $got instructions, not $want"
done
finish
