# SPDX-License-Identifier: MIT
# Debian's arm64 and armhf kernels boot in the machine, at EL1 and as hosts of KVM at EL2 (with and without HCR_EL2.E2H), their
# own PMU drivers count a user program by perf_event_open on the modelled PMU, and they switch the machine off. A few minutes each.
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
	long long insns = 0, cycles = 0;
	long n = 1000;

	ioctl(first, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
#ifdef __aarch64__
	__asm__ volatile("1: .rept 8\n nop\n .endr\n subs %0, %0, #1\n b.ne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: .rept 8\n nop\n .endr\n subs %0, %0, #1\n bne 1b" : "+r"(n) : : "cc");
#endif
	ioctl(first, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	if (read(first, &insns, 8) == 8 && read(second, &cycles, 8) == 8)
		printf("counted %lld %lld\n", insns, cycles);
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
C
# boots CORE ARCHITECTURE COMPILER DRIVER [OPTION]...
boots()
{
	local core=$1 arch=$2 compiler=$3 driver=$4 insns cycles
	shift 4
	$compiler -O1 -static -s "$work/init.c" -o "$work/init" || fail "$core: init does not build"
	python3 "$SRC/tests/guest/initrd.py" "$work/init" "$work/initrd"
	"$APMU" run -c "$core" -b virt "$@" --cpi 1 --timeout 8 --append 'console=ttyAMA0 nokaslr lpj=1000' --initrd "$work/initrd" \
		--kernel "$BUILD/guests/kernel/$arch"/boot/vmlinuz-* >"$work/out" 2>"$work/err" || fail "$core: $(head -3 "$work/err")"
	grep -q "$driver PMU driver, 7 counters" "$work/out" || fail "$core: the kernel's PMU driver did not find the PMU"
	read -r insns cycles <<<"$(sed -n 's/^counted \([0-9]*\) \([0-9]*\).*/\1 \2/p' "$work/out")"
	[ "${insns:-0}" -ge 10000 ] && [ "$insns" -le 10100 ] || fail "$core: instructions: ${insns:-none}"
	[ "${cycles:-0}" = "${insns:-x}" ] || fail "$core: with one cycle an instruction: ${cycles:-none} cycles"
	grep -q 'reboot: Power down' "$work/out" || fail "$core: not switched off: $(tail -3 "$work/out")"
}

boots cortex-a53 arm64 aarch64-linux-gnu-gcc armv8_cortex_a53
boots neoverse-n1 arm64 aarch64-linux-gnu-gcc armv8_neoverse_n1
boots cortex-a53 arm64 aarch64-linux-gnu-gcc armv8_cortex_a53 -b virt-gicv3 --el 2
grep -q 'kvm .*: Hyp mode initialized' "$work/out" || fail "cortex-a53: KVM does not work"
boots neoverse-n1 arm64 aarch64-linux-gnu-gcc armv8_neoverse_n1 -b virt-gicv3 --el 2
grep -q 'kvm .*: VHE mode initialized' "$work/out" || fail "neoverse-n1: KVM does not work"
boots cortex-a15 armhf 'arm-linux-gnueabi-gcc -march=armv7-a' armv7_cortex_a15
finish
