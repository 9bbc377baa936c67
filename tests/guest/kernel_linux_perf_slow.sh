# SPDX-License-Identifier: MIT
# Debian's linux-perf in Debian's arm64 kernel: `perf stat` of a program counts on the modelled PMU what `apmu stat` counts of it. Some 40
# seconds of CPU time.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --kernel || fail "Debian's kernel cannot be fetched"
"$SRC/tools/fetch-guests" "$BUILD/guests" --perf || fail "Debian's linux-perf cannot be fetched"
libraries=lib/aarch64-linux-gnu

# 200,000 turns: a load, a branch that is taken every second time, one that is taken but for the last time; 1,100,005 instructions.
cat >"$work/work.S" <<'S'
	.global _start
_start:	ldr x0, =200000
	adr x1, _start
1:	ldr x2, [x1]
	add x3, x3, x2
	tbz x0, #0, 2f
	add x3, x3, #1
2:	subs x0, x0, #1
	b.ne 1b
	mov x8, #94
	mov x0, #0
	svc #0
S
cat >"$work/init.c" <<'C'
#include <stdio.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	char *const args[] = {"/bin/perf", "stat", "-x", ",", "-e", EVENTS, "/bin/work", NULL};
	char *const env[] = {"PATH=/bin", "HOME=/", NULL};

	mkdir("/sys", 0755);
	mkdir("/tmp", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sys", "/sys", "sysfs", 0, NULL);
	if (fork() == 0) {
		dup2(1, 2);
		execve(args[0], args, env);
		perror("perf");
		_exit(1);
	}
	wait(NULL);
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
C

# with_libraries FILE: what it and its libraries are linked with goes to the root, too
with_libraries()
{
	local name
	for name in $(aarch64-linux-gnu-readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
		[ ! -e "$work/root/$libraries/$name" ] || continue
		cp -L "$BUILD/guests/perf/$libraries/$name" "$work/root/$libraries/" || fail "no $name for perf"
		with_libraries "$work/root/$libraries/$name"
	done
}

# counted EVENT: what perf printed
counted()
{
	tr -d '\r' <"$work/out" | awk -F, -v event="$1" '$3 == event { print $1 }'
}
near()
{
	local got
	got=$(counted "$1")
	[ "${got:-0}" -ge "$2" ] && [ "$got" -le "$3" ] || fail "$1: ${got:-none}, not $2 to $3"
}

mkdir -p "$work/root/bin" "$work/root/$libraries"
cp "$BUILD/guests/perf/usr/bin/perf" "$work/root/bin"
cp -L "$BUILD/guests/perf/$libraries/ld-linux-aarch64.so.1" "$work/root/lib"
with_libraries "$work/root/bin/perf"
aarch64-linux-gnu-gcc -nostdlib -static "$work/work.S" -o "$work/root/bin/work" || exit 1
events=instructions:u,cycles:u,branch-misses:u,armv8_cortex_a53/br_pred/u,armv8_cortex_a53/mem_access/u,armv8_cortex_a53/l1d_cache_refill/u
aarch64-linux-gnu-gcc -O1 -static -s "-DEVENTS=\"$events\"" "$work/init.c" -o "$work/init" || exit 1
python3 "$SRC/tests/guest/initrd.py" "$work/init" "$work/initrd" "$work/root" || exit 1

"$APMU" run -c cortex-a53 -b virt --ram 512 --cpi 1 --timeout 8 --append 'console=ttyAMA0 nokaslr lpj=1000 quiet' --initrd "$work/initrd" \
	--kernel "$BUILD"/guests/kernel/arm64/boot/vmlinuz-* >"$work/out" 2>"$work/err" || fail "$(head -3 "$work/err")"
"$APMU" stat -c cortex-a53 -j -o "$work/json" -e instructions,BR_PRED,MEM_ACCESS "$work/root/bin/work" || fail "stat"
of() {
	jq -r --arg name "$1" '.counters[] | select(.event == $name) | .value' "$work/json"
}
insns=$(of instructions)
[ "$insns" = 1100005 ] || fail "stat: $insns instructions"
near instructions:u "$insns" "$insns"
near cycles:u "$insns" "$insns"
near armv8_cortex_a53/br_pred/u "$(of BR_PRED)" "$(of BR_PRED)"
near armv8_cortex_a53/mem_access/u "$(of MEM_ACCESS)" "$(of MEM_ACCESS)"
# the kernel's ticks leave a predictor and a cache that are not those of the program alone
near branch-misses:u 1 200
near armv8_cortex_a53/l1d_cache_refill/u 1 200
grep -E '^[0-9]+,' "$work/out"
finish
