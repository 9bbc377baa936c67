#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The driver builds freestanding with gcc and clang for every processor it has a backend for, each backend is
# where it should be, and its sizes stay within what docs/driver.md says.
. "$(dirname "$0")/lib.sh"
scratch
shopt -s nullglob

sources=()
for file in "$SRC"/src/driver/*.c; do
	case $file in */backend_perf*.c) ;; *) sources+=("$file") ;; esac # Linux: hosted
done
[ ${#sources[@]} -gt 10 ] || fail "only ${#sources[@]} sources found"
flags=(-std=c11 -ffreestanding -nostdinc -Wall -Wextra -Wpedantic -Wconversion -Werror -Os -I"$SRC"/include
	-I"$SRC"/src -ffunction-sections -fdata-sections)

# objects NAME COMPILER FLAG...: compiles everything into $work/NAME.
objects()
{
	local name=$1 cc=$2
	shift 2
	mkdir "$work/$name"
	(cd "$work/$name" && "$cc" "${flags[@]}" -isystem "$("$cc" -print-file-name=include)" "$@" -c "${sources[@]}") ||
		fail "$name: does not compile"
	printf '#include <apmu/cycles.h>\n#if APMU_CYCLES_BITS\nuint64_t now(void);\nuint64_t now(void)\n{\n\treturn apmu_cycles();\n}\n#else\nint none;\n#endif\n' >"$work/cycles.c"
	"$cc" "${flags[@]}" -isystem "$("$cc" -print-file-name=include)" "$@" -c "$work/cycles.c" -o "$work/$name.cycles" ||
		fail "$name: <apmu/cycles.h> does not compile"
}

# backends NAME EXPECTED: the register backends among its symbols.
backends()
{
	local got
	got=$(nm "$work/$1"/backend_*.o 2>/dev/null | grep -oE ' [RrDd] apmu_backend_(cp|sysreg)[a-z0-9_]*' | sed 's/.*apmu_backend_//' | sort | paste -sd ' ' || true)
	[ "$got" = "$2" ] || fail "$1: has backends '$got', expected '$2'"
}

for cc in gcc clang; do
	# target TRIPLE FLAG...
	arm() { [ $cc = gcc ] && echo arm-none-eabi-gcc || echo clang; }
	a64() { [ $cc = gcc ] && echo aarch64-linux-gnu-gcc || echo clang; }
	for_arm=() for_a64=()
	[ $cc = gcc ] || { for_arm=(--target=arm-none-eabi); for_a64=(--target=aarch64-none-elf); }
	objects $cc-armv5te "$(arm)" "${for_arm[@]}" -march=armv5te -marm -DAPMU_XSCALE=2
	objects $cc-armv6 "$(arm)" "${for_arm[@]}" -march=armv6 -marm
	objects $cc-armv7-arm "$(arm)" "${for_arm[@]}" -march=armv7-a -marm
	objects $cc-armv7-thumb "$(arm)" "${for_arm[@]}" -march=armv7-a -mthumb
	objects $cc-armv8-arm "$(arm)" "${for_arm[@]}" -march=armv8-a -marm
	objects $cc-armv8-thumb "$(arm)" "${for_arm[@]}" -march=armv8-a -mthumb
	objects $cc-armv7m "$(arm)" "${for_arm[@]}" -march=armv7-m -mthumb
	objects $cc-armv8m "$(arm)" "${for_arm[@]}" -march=armv8-m.main -mthumb
	objects $cc-aarch64 "$(a64)" "${for_a64[@]}" -march=armv8-a
	objects $cc-aarch64-integers "$(a64)" "${for_a64[@]}" -mgeneral-regs-only
	objects $cc-host $cc
	backends $cc-armv5te "cp14_xscale1 cp14_xscale2 cp15_arm11"
	backends $cc-armv6 "cp15_arm11"
	backends $cc-armv7-thumb "cp15_v7 cp15_v8"
	backends $cc-armv8-arm "cp15_v7 cp15_v8"
	for m in $cc-armv7m $cc-armv8m; do # no CP15, so nothing but frames
		backends "$m" ""
		nm "$work/$m.cycles" | grep -q ' [BCD] none$' || fail "$m: <apmu/cycles.h> has a function"
	done
	backends $cc-aarch64 "sysreg"
	backends $cc-host ""
done

# What an image links of the driver and of the compiler's helpers, less the program itself: three programs.
cat >"$work/main.c" <<'PROGRAM'
#include <apmu/region.h>
struct apmu_dev dev;
struct apmu_dev_slot slots[8];
extern const struct apmu_dev_config config; /* not folded into the calls */
const struct apmu_dev_config config = {.backend = &apmu_backend_cp15_v7, .slots = slots, .slots_n = 8, .el = 1, .interrupt = true,
#if PROGRAM > 1
	.turns = &apmu_turns,
#endif
};
#if PROGRAM > 2
struct apmu_region region;
struct apmu_task task;
static struct apmu_dev *devs[] = {&dev};
static const struct apmu_team team = {.dev = devs, .n = 1};

static int more(void)
{
	struct apmu_count count[2];
	struct apmu_want want;
	uint64_t now[2];
	double out;

	return apmu_want_parse(&dev, "cycles:u", &want) | apmu_dev_calibrate(&dev) | apmu_dev_rotate(&dev) | apmu_dev_user(&dev, 1) |
	       apmu_dev_user_now(&dev) | apmu_region_begin(&dev, &region) | apmu_region_end(&dev, &region) |
	       apmu_task_switch(&dev, &task) | apmu_task_read(&dev, now, 2) | apmu_team_start(&team) | apmu_team_stop(&team) |
	       apmu_team_read(&team, count, 0, 2) | apmu_why_text(1)[0] | apmu_metric_wants(0, 0, &want, 0, 1) |
	       apmu_dev_metric(&dev, 0, count, &out);
}
#endif
int main(void)
{
	struct apmu_want want[2] = {{.flags = APMU_WANT_CYCLES, .counter = 0xFF}, {.event = 8, .counter = 0xFF}};
	struct apmu_count count[2];
	uint8_t why;
	struct apmu_refusal refusal;
	int bad = apmu_dev_open(&dev, &config, &why) | apmu_dev_use(&dev, want, 2, APMU_MULTIPLEX, &refusal) | apmu_dev_start(&dev) |
		  apmu_dev_stop(&dev) | apmu_dev_read(&dev, count, 2) | apmu_dev_interrupt(&dev, 0) | apmu_dev_poll(&dev) |
		  (int)apmu_dev_poll_limit(&dev) | apmu_dev_tick(&dev) | apmu_dev_clear(&dev) | apmu_dev_close(&dev);

#if PROGRAM > 2
	bad |= more();
#endif
	return bad + (int)count[0].scaled;
}
PROGRAM
# The C library's, which the image has anyway; and apmu_metric_eval(), which is not the driver's.
cat >"$work/libc.c" <<'LIBC'
#include <apmu/core.h>
void *memset(void *to, int c, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n) { for (volatile char *p = to; n--;) *p++ = (char)c; return to; }
void *memcpy(void *to, const void *from, size_t n) { const char *q = from; for (volatile char *p = to; n--;) *p++ = *q++; return to; }
int apmu_metric_eval(const struct apmu_metric *metric, double (*count)(void *ctx, unsigned number), void *ctx, double *out) { (void)metric; *out = count(ctx, 0); return 0; }
LIBC
text()
{
	arm-none-eabi-size "$@" | awk 'NR > 1 { sum += $1 } END { print sum }'
}
# image NAME PROGRAM LIMIT MEANING: links, prints and holds.
image()
{
	local cc=(arm-none-eabi-gcc "${flags[@]}" -isystem "$(arm-none-eabi-gcc -print-file-name=include)" -march=armv7-a -mthumb) bytes
	mkdir "$work/$1"
	(cd "$work/$1" && "${cc[@]}" -DPROGRAM="$2" -c "$work/main.c" && "${cc[@]}" -c "$work/libc.c" "$SRC"/src/spec/event.c) ||
		fail "$1: does not compile"
	arm-none-eabi-gcc -march=armv7-a -mthumb -nostdlib -static -Wl,--gc-sections -Wl,-e,main -Wl,--build-id=none "$work/$1"/*.o \
		"$work"/gcc-armv7-thumb/*.o -lgcc -o "$work/$1/image" 2>"$work/$1/log" || fail "$1: does not link: $(head -3 "$work/$1/log")"
	bytes=$(($(text "$work/$1/image") - $(text "$work/$1/main.o" "$work/$1/libc.o")))
	echo "$4: $bytes bytes of text (cp15-v7, Thumb-2, -Os, the compiler's helpers included)"
	[ "$bytes" -gt 1024 ] && [ "$bytes" -lt "$3" ] || fail "$4: $bytes bytes, must be under $3"
	grep -q "| $bytes | $3 |\$" "$SRC/docs/driver.md" || fail "docs/driver.md has no row of $bytes bytes, held under $3"
}
image counting 1 8192 "detection, planning, counting, polling, sampling, handler"
image turns 2 9216 "the same and turns"
image everything 3 14336 "the whole driver"

cat >"$work/ram.c" <<'RAM'
#include <apmu/driver.h>
_Static_assert(4 * (sizeof(struct apmu_dev) + 8 * sizeof(struct apmu_dev_slot)) < 4096, "8 events on 4 cores");
RAM
for cc in "arm-none-eabi-gcc -march=armv7-a" "aarch64-linux-gnu-gcc"; do
	# shellcheck disable=SC2086
	$cc "${flags[@]}" -isystem "$($cc -print-file-name=include)" -fsyntax-only "$work/ram.c" || fail "$cc: more than 4 KiB of RAM"
done

verdict
