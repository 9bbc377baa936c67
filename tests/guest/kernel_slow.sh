# SPDX-License-Identifier: MIT
# Debian's arm64 kernel boots in the machine, its own PMU driver counts a user program by perf_event_open on the modelled
# PMU, and it switches the machine off. Some minutes.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --kernel || fail "Debian's kernel cannot be fetched"

# 1000 rounds of eight NOPs, SUBS, B.NE: 10,000 instructions and what the two calls cost at EL0.
cat >"$work/init.c" <<'C'
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

static int counter(long event, int group)
{
	struct perf_event_attr a;

	memset(&a, 0, sizeof a);
	a.size = sizeof a;
	a.type = PERF_TYPE_HARDWARE;
	a.config = event;
	a.disabled = group < 0;
	a.exclude_kernel = 1;
	return (int)syscall(SYS_perf_event_open, &a, 0, -1, group, 0);
}

int main(void)
{
	int first = counter(PERF_COUNT_HW_INSTRUCTIONS, -1), second = counter(PERF_COUNT_HW_CPU_CYCLES, first);
	long insns = 0, cycles = 0, n = 1000;

	ioctl(first, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	__asm__ volatile("1: .rept 8\n nop\n .endr\n subs %0, %0, #1\n b.ne 1b" : "+r"(n) : : "cc");
	ioctl(first, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	if (read(first, &insns, 8) == 8 && read(second, &cycles, 8) == 8)
		printf("counted %ld %ld\n", insns, cycles);
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
C
aarch64-linux-gnu-gcc -O1 -static -s "$work/init.c" -o "$work/init" || exit 1

python3 "$SRC/tests/guest/initrd.py" "$work/init" "$work/initrd"

"$APMU" run -c cortex-a53 -b virt --cpi 1 --timeout 5 --append 'console=ttyAMA0 nokaslr lpj=1000' --initrd "$work/initrd" \
	--kernel "$BUILD"/guests/kernel/arm64/boot/vmlinuz-* >"$work/out" 2>"$work/err" || fail "$(head -3 "$work/err")"
grep -q 'armv8_cortex_a53 PMU driver, 7 counters' "$work/out" || fail "the kernel's PMU driver did not find the PMU"
read -r insns cycles <<<"$(sed -n 's/^counted \([0-9]*\) \([0-9]*\).*/\1 \2/p' "$work/out")"
[ "${insns:-0}" -ge 10000 ] && [ "$insns" -le 10100 ] || fail "instructions: ${insns:-none}"
[ "${cycles:-0}" = "${insns:-x}" ] || fail "with one cycle an instruction: ${cycles:-none} cycles"
grep -q 'reboot: Power down' "$work/out" || fail "not switched off: $(tail -3 "$work/out")"
finish
