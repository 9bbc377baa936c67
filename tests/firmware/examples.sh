#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# examples/driver inside the machine: what a function and two tasks cost, by the driver alone.
. "$(dirname "$0")/lib.sh"
out=$BUILD/tests/firmware-examples
mkdir -p "$out"
title="build of examples/driver"
make -s -f "$SRC/examples/driver/Makefile" OUT="$out" >"$out/log" 2>&1 || fail "$(head -n 5 "$out/log")"

both()
{
	local family=$1
	shift
	firmware_file "$out/measure-$family.elf" "$@"
	# 512 turns of five instructions (load, add, compare, branch, and one more on some), and the call of stop.
	between instructions 2500 2800
	between misses 512 540
	[ "$(value cycles)" = "$(value instructions)" ] || fail "--cpi 1: $(value cycles) cycles, $(value instructions) instructions"
	firmware_file "$out/tasks-$family.elf" "$@"
	# Ten slices of 2000 and of 20000 instructions, and the hook; the region has half the worker's, not the background's.
	between worker 20000 60000
	between background 200000 215000
	between filter 10000 30000
	want filter-calls 5
}

both arm11 arm1136
both xscale1 xscale1
both xscale2 xscale2
both armv7 cortex-a15 --board virt --set prefetch.streams=0
both pmuv3 cortex-a53 --board virt --set prefetch.streams=0
for level in 2 3; do # --warm: caches are on at every level
	firmware_file "$out/measure-pmuv3.elf" cortex-a53 --board virt --set prefetch.streams=0 --el $level
	between misses 512 540
done

title="examples/driver/linux.c"
cc -std=c11 -I"$SRC/include" "$SRC/examples/driver/linux.c" "$BUILD/libapmu-driver.a" "$BUILD/libapmu.a" -o "$out/linux" || fail "does not build"
if "$out/linux" >"$work/out" 2>"$work/err"; then
	between page-faults 5120 5600 # 20 times 256 pages
	between nanoseconds 1 100000000000
else
	echo "linux.c: $(cat "$work/err"): the kernel forbids perf_event_open"
fi
finish
