# SPDX-License-Identifier: MIT
# Debian's arm64 kernel boots in qemu-system-aarch64 with two virtual CPUs, is counted and recorded, and its samples get the
# names that it printed from /proc/kallsyms. A few minutes.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
"$SRC/tools/fetch-guests" "$BUILD/guests" --kernel || fail "Debian's kernel cannot be fetched"
cd "$work" || exit 1

# /init: with "names" on the kernel's command line it prints the kernel's symbols, else it runs two instructions 50,000,000 times.
cat >init.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>

static void tell(void)
{
	char line[512], type;
	FILE *from = fopen("/proc/kallsyms", "r");

	while (from && fgets(line, sizeof line, from))
		if (sscanf(line, "%*x %c", &type) == 1 && strchr("tTwW", type) && !strchr(line, '['))
			fputs(line, stdout);
}

int main(int argc, char **argv)
{
	long n = 50000000;

	mkdir("/proc", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	if (strcmp(argv[argc - 1], "names") == 0) /* the kernel hands on words of its own too */
		tell();
	else
		__asm__ volatile(".global hot\nhot: subs %0, %0, #1\n b.ne hot" : "+r"(n) : : "cc");
	puts("done");
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
C
aarch64-linux-gnu-gcc -O1 -static init.c -o init || exit 1
python3 "$SRC/tests/guest/initrd.py" init initrd
system=(qemu-system-aarch64 -M virt -cpu cortex-a53 -smp 2 -m 512 -nographic -no-reboot -kernel "$BUILD"/guests/kernel/arm64/boot/vmlinuz-* -initrd initrd -append)
line='console=ttyAMA0 nokaslr quiet panic=-1'

timeout 300 "${system[@]}" "$line -- names" </dev/null >said 2>&1 || fail "the boot that tells names: $(tail -3 said)"
tr -d '\r' <said | grep -E '^[0-9a-f]{16} [tTwW] [^ ]+$' >kallsyms
[ "$(wc -l <kallsyms)" -gt 20000 ] || fail "kallsyms: $(wc -l <kallsyms) names: $(tail -3 said)"

timeout 500 "$apmu" stat -j -o json -c cortex-a53 -e instructions --system -- "${system[@]}" "$line" </dev/null >said 2>&1 ||
	fail "stat: $(tail -3 said)"
grep -q done said || fail "stat: the system did not come up: $(tail -3 said)"
jq -e '.counters[0].value > 200000000 and (.vcpus | length) == 2 and (.vcpus | all(.counters[0].value > 1000000))
	and (.undecoded // 0) < .counters[0].value / 1000' json >/dev/null || fail "stat: $(cat json)"

timeout 500 "$apmu" record --core cortex-a53 -e instructions -c 100000 -o data --system --kernel-symbols kallsyms -- \
	"${system[@]}" "$line" </dev/null >said 2>&1 || fail "record: $(tail -3 said)"
"$apmu" report data --sort function,object -n 100000 >report 2>&1
"$apmu" report data --sort address -n 100000 >places 2>&1
python3 - "$(nm init | sed -n 's/ t hot$//p;s/ T hot$//p')" <<'PYTHON' || failed=1
import re, sys
hot = int(sys.argv[1], 16)
def rows(name):
    return [re.split(r"\s\s+", line.strip()) for line in open(name) if re.match(r" *[0-9.]+%", line)]
bad = []
named = sum(int(r[1].replace(",", "")) for r in rows("report") if r[-1] == "kallsyms" and not r[-2].startswith("0x"))
kernel = loop = 0
for r in rows("places"):
    address, count = int(r[-1], 16), int(r[1].replace(",", ""))
    kernel += count if address >= 1 << 47 else 0
    loop += count if hot <= address < hot + 8 else 0
if kernel < 50_000_000 or named < 0.95 * kernel:
    bad.append(f"{named} of the kernel's {kernel} instructions have names")
# A sample every 100,000 instructions of a virtual CPU; the loop runs on either of the two. Interrupts come by the host's clock, and each
# moves where the next samples fall: on a busy host the loop has six samples more or less.
if abs(loop - 100_000_000) > 1_500_000:
    bad.append(f"the loop of 100,000,000 instructions has {loop}")
functions = {r[-2] for r in rows("report")}
if not functions & {"memset", "__memset", "__pi_memset", "clear_page", "__pi_clear_page", "__memcpy", "__pi_memcpy"}:
    bad.append(f"no function that each kernel runs at length: {sorted(functions)[:20]}")
for line in bad:
    print("FAIL:", line)
sys.exit(bool(bad))
PYTHON
finish
