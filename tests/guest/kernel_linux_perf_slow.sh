# SPDX-License-Identifier: MIT
# Boots Debian's arm64 and armhf kernels to a shell and types Debian's linux-perf there: `perf stat` of a program counts on the modelled PMU the same as `apmu stat`
# of it, and for the program's loop the same as `apmu stat --system` in that kernel under QEMU. About 40 and 90 seconds of CPU time.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --kernel || fail "Debian's kernel cannot be fetched"
"$SRC/tools/fetch-guests" "$BUILD/guests" --all || fail "Debian's busybox cannot be fetched"
"$SRC/tools/fetch-guests" "$BUILD/guests" --perf || fail "Debian's linux-perf cannot be fetched"

# From `from` to `to` 200,000 iterations: a load, a branch taken every second time, a branch not taken only the last time. With --system,
# whatever preempts the program counts too, so it first sleeps until it is away from the kernel's ticks (every 4 ms). 25 instructions outside.
cat >"$work/work.S" <<'S'
	.global _start, from, to
#ifdef __aarch64__
_start:	mov x0, #6 // CLOCK_MONOTONIC_COARSE: of the last tick
	adrp x1, time
	add x1, x1, :lo12:time
	mov x8, #113 // clock_gettime
	svc #0
	ldp x2, x3, [x1]
	ldr x4, =AFTER
	add x3, x3, x4
	ldr x4, =1000000000
	sub x5, x3, x4
	cmp x3, x4
	csel x3, x3, x5, lo
	cinc x2, x2, hs
	stp x2, x3, [x1]
	mov x2, x1
	mov x0, #1 // CLOCK_MONOTONIC
	mov x1, #1 // TIMER_ABSTIME
	mov x3, #0
	mov x8, #115 // clock_nanosleep
	svc #0
	ldr x0, =200000
	adr x1, _start
from:	ldr x2, [x1]
	add x3, x3, x2
	tbz x0, #0, 2f
	add x3, x3, #1
2:	subs x0, x0, #1
	b.ne from
to:	mov x8, #94
	mov x0, #0
	svc #0
#else
	.arm
	.syntax unified
_start:	mov r0, #6
	ldr r1, =time
	ldr r7, =263
	svc #0
	ldr r2, [r1]
	ldr r3, [r1, #4]
	ldr r4, =AFTER
	add r3, r3, r4
	ldr r4, =1000000000
	cmp r3, r4
	subhs r3, r3, r4
	addhs r2, r2, #1
	str r2, [r1]
	str r3, [r1, #4]
	mov r2, r1
	mov r0, #1
	mov r1, #1
	mov r3, #0
	ldr r7, =265
	svc #0
	ldr r0, =200000
	adr r1, _start
from:	ldr r2, [r1]
	add r3, r3, r2
	tst r0, #1
	beq 2f
	add r3, r3, #1
2:	subs r0, r0, #1
	bne from
to:	mov r7, #248
	mov r0, #0
	svc #0
#endif
	.ltorg
	.bss
	.balign 8
time:	.skip 16
S
# /init: Debian's busybox as a shell on the console, or, with "alone" on the kernel's command line, the program.
cat >"$work/init.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *args[] = {"/bin/work", "sh", NULL};
	char *const env[] = {"PATH=/bin", "HOME=/", NULL};

	if (strcmp(argv[argc - 1], "alone") != 0)
		args[0] = "/bin/busybox";
	mkdir("/sys", 0755);
	mkdir("/tmp", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sys", "/sys", "sysfs", 0, NULL);
	if (fork() == 0) {
		execve(args[0], args, env);
		perror(args[0]);
		_exit(1);
	}
	wait(NULL);
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
C

# with_libraries FILE: copies it, and all libraries that it needs, to the root
with_libraries()
{
	local name
	for name in $(aarch64-linux-gnu-readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
		[ ! -e "$root/$libraries/$name" ] || continue
		cp -L "$perf/$libraries/$name" "$root/$libraries/" || fail "no $name for perf"
		with_libraries "$root/$libraries/$name"
	done
}

# built NANOSECONDS: builds the program, which starts its loop that long after a tick, and the initial file system with it and $root
built()
{
	$compiler -nostdlib -static -Wl,-Ttext-segment=0x12340000 "-DAFTER=$1" "$work/work.S" -o "$root/bin/work" || exit 1
	python3 "$SRC/tests/guest/initrd.py" "$work/init" "$work/initrd" "$root" || exit 1
}
address()
{
	aarch64-linux-gnu-nm "$root/bin/work" | awk -v name="$1" '$3 == name { print "0x" $1 }'
}
# of FILE EVENT: prints the count of apmu stat
of()
{
	jq -r --arg name "$2" '.counters[] | select(.event == $name) | .value' "$1"
}
# near EVENT LEAST MOST: checks that perf's count is in the range
near()
{
	local got
	got=$(tr -d '\r' <"$work/out" | awk -F, -v event="$1" '$1 ~ /^[0-9]+$/ && $3 == event { print $1 }')
	[ "${got:-0}" -ge "$2" ] && [ "$got" -le "$3" ] || fail "$core: $1: ${got:-none}, not $2 to $3"
}

# counts CORE ARCHITECTURE COMPILER QEMU LIBRARIES LOADER PMU
counts()
{
	local core=$1 arch=$2 compiler=$3 qemu=$4 libraries=$5 loader=$6 pmu=$7 event n json=$work/json
	local root=$work/$2 perf=$BUILD/guests/perf/$2 kernel region after inside
	local counted=(instructions BR_PRED MEM_ACCESS)

	kernel=$(ls "$BUILD/guests/kernel/$arch"/boot/vmlinuz-*)
	mkdir -p "$root/bin" "$root/$libraries"
	cp "$perf/usr/bin/perf" "$root/bin"
	cp -L "$perf/$libraries/$loader" "$root/lib"
	with_libraries "$root/bin/perf"
	cp "$BUILD/guests/all/$arch/bin/busybox" "$root/bin"
	$compiler -O1 -static -s "$work/init.c" -o "$work/init" || exit 1
	# The input starts with empty lines, because the driver drops what comes before the console is opened.
	{
		printf '%0200d' 0 | tr 0 '\n'
		echo "perf stat -x , -e instructions:u,cycles:u,branch-misses:u,$pmu/br_pred/u,$pmu/mem_access/u,$pmu/l1d_cache_refill/u work"
		echo exit
	} >"$work/typed"
	built 7000000
	region=$(address from),$(address to)

	"$APMU" stat -c "$core" -j -o "$json" -e "$(IFS=,; echo "${counted[*]}")" "$root/bin/work" || fail "$core: stat"
	"$APMU" stat -c "$core" -j -o "$json.loop" -e "$(IFS=,; echo "${counted[*]}")" --region "$region" "$root/bin/work" || fail "$core: stat of the loop"
	n=$(of "$json.loop" instructions)
	[ "$(of "$json" instructions)" = $((n + 25)) ] && [ "$n" -ge 1100000 ] || fail "$core: stat: $n instructions in the loop"

	"$APMU" run -c "$core" -b virt --ram 512 --cpi 1 --timeout 8 --append 'console=ttyAMA0 nokaslr lpj=1000 quiet' --initrd "$work/initrd" \
		--uart "$work/typed" --kernel "$kernel" >"$work/out" 2>"$work/err" || fail "$core: $(head -3 "$work/err")"
	n=$(of "$json" instructions)
	near instructions:u "$n" "$n"
	near cycles:u "$n" "$n"
	near "$pmu/br_pred/u" "$(of "$json" BR_PRED)" "$(of "$json" BR_PRED)"
	near "$pmu/mem_access/u" "$(of "$json" MEM_ACCESS)" "$(of "$json" MEM_ACCESS)"
	# the kernel's ticks change the state of predictors and caches
	near branch-misses:u 1 200
	near "$pmu/l1d_cache_refill/u" 1 200
	grep -E '^[0-9]+,' "$work/out"

	# Under QEMU, all that runs in the system during the program's loop counts; where a tick falls depends on the kernel's start.
	for after in 7000000 5600000 8400000; do
		built "$after"
		"$APMU" stat -c "$core" -j -o "$json.system" -e "$(IFS=,; echo "${counted[*]}")" --system --region "$region" -- \
			"$qemu" -M virt -cpu "$core" -m 512 -icount shift=0,sleep=off -nographic -no-reboot -kernel "$kernel" -initrd "$work/initrd" \
			-append 'console=ttyAMA0 nokaslr lpj=1000 quiet panic=-1 -- alone' </dev/null >"$work/said" 2>&1 ||
			fail "$core: stat --system: $(tail -3 "$work/said")"
		inside=$(of "$json.system" instructions)
		[ "$inside" != "$(of "$json.loop" instructions)" ] || break
	done
	for event in "${counted[@]}"; do
		[ "$(of "$json.system" "$event")" = "$(of "$json.loop" "$event")" ] ||
			fail "$core: $event of the loop: $(of "$json.system" "$event") in the system, $(of "$json.loop" "$event") of the program"
	done
}

for one in ${ARCHITECTURES:-arm64 armhf}; do
	case $one in
	arm64)
		counts cortex-a53 arm64 aarch64-linux-gnu-gcc qemu-system-aarch64 lib/aarch64-linux-gnu ld-linux-aarch64.so.1 armv8_cortex_a53
		;;
	armhf)
		counts cortex-a15 armhf 'arm-linux-gnueabi-gcc -march=armv7-a' qemu-system-arm lib/arm-linux-gnueabihf ld-linux-armhf.so.3 armv7_cortex_a15
		;;
	esac
done
finish
