#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/driver.md word by word: its twenty lines are built for an ARM1176 and run inside, its events are parsed.
. "$(dirname "$0")/lib.sh"
page=$SRC/docs/driver.md

# code HEADING: the first block of code behind a heading.
code()
{
	awk -v heading="## $1" '$0 == heading { on = 1; next } on && /^    / { inside = 1; sub(/^    /, ""); print; next }
		on && inside && /^$/ { print; next } inside { exit }' "$page"
}

title="docs/driver.md: In twenty lines"
code "In twenty lines" >"$work/code"
[ "$(wc -l <"$work/code")" -ge 20 ] || fail "no code found"
{
	echo '#include <apmu/driver.h>'
	echo '#include "rt.h"'
	echo 'static void say(const char *text) { rt_put(text); rt_put("\n"); }'
	echo 'static void work(void) { for (unsigned i = 0; i < RT_LINES; i++) *(volatile uint32_t *)&rt_memory[i * RT_LINE / 4]; }'
	sed '/^$/q' "$work/code"
	echo 'static void irq(void) { pmu_irq(NULL); }'
	echo 'int main(void) { rt_irq = irq; rt_irq_on();'
	sed '1,/^$/d' "$work/code"
	echo 'rt_say("cycles", count[0].value); rt_say("misses", count[1].value); return 0; }'
} >"$work/main.c"
sources=("$work/main.c" "$SRC"/examples/firmware/{rt.c,start_a32.S} "$SRC"/examples/driver/memory.c)
for file in "$SRC"/src/{driver,base,model,spec}/*.c $(tables arm1176jzf_s); do
	case $file in */backend_model.c | */backend_perf* | */spec/find.c | */metric.c) ;; *) sources+=("$file") ;; esac
done
arm-none-eabi-gcc -std=gnu11 -Os -Wall -Wextra -Wno-missing-prototypes -Werror -ffreestanding -fno-pic -nostdlib -static \
	-ffunction-sections -fdata-sections -mcpu=arm1176jz-s -marm -mfloat-abi=soft -mno-unaligned-access -DAPMU_NO_TEXT \
	-I"$SRC"/include -I"$SRC"/src -I"$SRC"/examples/firmware -T "$SRC"/examples/firmware/link.ld \
	-Wl,--gc-sections,--build-id=none,--no-warn-rwx-segments,--defsym=RT_BASE=0 "${sources[@]}" -lgcc -o "$work/twenty.elf" \
	2>"$work/log" || fail "does not build: $(head -n 5 "$work/log")"
firmware_file "$work/twenty.elf" arm1176
between cycles 2500 2900 # 512 turns of five instructions or six, one cycle each
between misses 512 540
[ "$(wc -l <"$work/out")" = 2 ] || fail "says $(cat "$work/out")"

title="docs/driver.md: the events under Plans"
events=$(code Plans | sed 's/ u k h m = .*//')
[ "$(wc -w <<<"$events")" -ge 5 ] || fail "no events found"
cat >"$work/parse.c" <<'C'
#include <apmu/driver.h>
#include <apmu/model.h>
#include <stdio.h>
static struct apmu pmu;
static struct apmu_tally tally;
static struct apmu_dev dev;
int main(int n, char **event)
{
	struct apmu_model_port port = {.pmu = &pmu, .from = {.el = 1, .security = APMU_NONSECURE}};
	struct apmu_dev_config config = {.core = apmu_core_find("cortex-a53"), .ctx = &port, .el = 1};
	struct apmu_want want;

	apmu_init(&pmu, config.core, &tally, (struct apmu_lines){0});
	apmu_enter(&pmu, port.from);
	config.backend = apmu_backend_of_model(&port);
	if (apmu_dev_open(&dev, &config, NULL))
		return 1;
	for (int i = 1; i < n; i++)
		if (apmu_want_parse(&dev, event[i], &want))
			return printf("%s\n", event[i]);
	return 0;
}
C
cc -std=c11 -I"$SRC/include" "$work/parse.c" "$BUILD/libapmu-driver.a" "$BUILD/libapmu.a" -o "$work/parse" || fail "does not build"
# shellcheck disable=SC2086
"$work/parse" $events >"$work/out" || fail "not an event: $(cat "$work/out")"
finish
