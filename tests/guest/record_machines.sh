#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The JSON is the same to the byte on any machine: the output of another machine is checked in (tests/guest/src/same).
#   bash tests/guest/record_machines.sh --write		after a change that is meant to change counts
. "$(dirname "$0")/lib.sh"
same=$SRC/tests/guest/src/same
cd "$work" || exit 1
aarch64-linux-gnu-gcc -nostdlib -static -Wl,--build-id=none -o walk "$same/walk.s" || exit 1
printf '#!/bin/sh\nexec env -i %s "$@"\n' "$(command -v qemu-aarch64)" >qemu && chmod +x qemu || exit 1

"$BUILD/apmu" stat -j -o stat.json --qemu ./qemu -c cortex-a53,cortex-a72,neoverse-n1 \
	-e cycles,instructions,cache-misses,branch-misses,L1D_TLB_REFILL,L2D_CACHE_REFILL,STALL_BACKEND -- ./walk 2>err || fail "stat: $(<err)"
for core in cortex-a53 neoverse-n1; do
	"$BUILD/apmu" record -q --qemu ./qemu --core $core -e cycles,cache-misses,branch-misses -c 1009 -g -d -o profile.data -- ./walk 2>err ||
		fail "record: $(<err)"
	"$BUILD/apmu" export json -i profile.data 2>err | sed "s|$PWD/||" >$core.json
done
for name in stat cortex-a53 neoverse-n1; do
	[ "${1:-}" != --write ] || cp $name.json "$same"
	[ "$(wc -c <$name.json)" -gt 1500 ] || fail "$name: $(head -c 200 $name.json)"
	cmp -s "$same/$name.json" $name.json || fail "$name: $(diff "$same/$name.json" $name.json | head -n 6)"
done
finish
