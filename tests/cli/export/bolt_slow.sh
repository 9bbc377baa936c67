#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Profile-guided tools on our branch records: Debian's lua5.4 and sqlite3, cross-built from their source packages, go through
# stock llvm-bolt-19 with `export bolt`; the gain is printed and must be positive. perf2bolt-19, autofdo's create_llvm_prof and
# llvm-profgen-19 read our perf.data, and the last two also our counted ranges.
. "$(dirname "$0")/../lib.sh"
for tool in llvm-bolt-19 perf2bolt-19 create_llvm_prof llvm-profgen-19; do
	command -v "$tool" >/dev/null || { echo "$tool is missing: tools/setup --test --slow"; exit 1; }
done
"$SRC/tools/fetch-guests" "$BUILD/guests" --sources || exit 1
sources=$BUILD/guests/sources
mkdir include
echo '#define DEB_HOST_MULTIARCH "aarch64-linux-gnu"' >include/lua5.4-deb-multiarch.h
cross=(aarch64-linux-gnu-gcc -O2 -gdwarf-4 -w -no-pie -Wl,--emit-relocs)
mapfile -t lua < <(ls "$sources"/lua5.4-*/src/*.c | grep -v 'luac\.c')
"${cross[@]}" -DLUA_USE_POSIX -Iinclude -o lua "${lua[@]}" -lm || fail "cannot build lua"
cp "$SRC/tests/cli/export/bolt.lua" .

# gain PROGRAM ARGUMENT...: one build, recorded, optimised, counted before and after, on a core of each kind. The program
# must do what it did.
gain()
{
	local prog=$1
	shift
	apmu record --core neoverse-n1 -b -q -o "$prog.data" -- "./$prog" "$@"
	exits 0
	cp out "$prog.want"
	apmu export bolt -i "$prog.data" -o "$prog.fdata"
	exits 0
	llvm-bolt-19 "$prog" -o "$prog.bolt" -data "$prog.fdata" -reorder-blocks=ext-tsp -reorder-functions=cdsort \
		-split-functions -split-all-cold >bolt.log 2>&1 || fail "llvm-bolt-19: $(tail -n 5 bolt.log)"
	! grep -i 'invalid (possibly stale)' bolt.log || fail "$prog: part of the profile does not fit"
	mkdir -p before after
	cp "$prog" "before/$prog"
	cp "$prog.bolt" "after/$prog"
	for core in cortex-a53 cortex-a72 neoverse-n1; do
		for side in before after; do
			apmu stat -j -o "$side.json" -c "$core" -e cycles,instructions,branch-misses,L1-icache-load-misses -- "$side/$prog" "$@"
			exits 0
			cmp -s out "$prog.want" || fail "$side/$prog prints something else"
		done
		python3 - "$prog" "$core" <<'END' || fail "$prog on $core: no gain"
import json, sys
before, after = ({c["event"]: c["value"] for c in json.load(open(f))["counters"]} for f in ("before.json", "after.json"))
print(sys.argv[1], sys.argv[2], *(f"{e} {before[e]:,} -> {after[e]:,} ({100 * (after[e] / before[e] - 1):+.1f} %)" for e in before if before[e]), sep="; ")
sys.exit(after["cycles"] >= before["cycles"])
END
	done
}
gain lua bolt.lua
mkdir amalgamation
(cd amalgamation && "$sources"/sqlite3-3*/configure --disable-tcl --disable-readline && make sqlite3.c shell.c) >log 2>&1 ||
	fail "sqlite3's amalgamation: $(tail -n 5 log)"
"${cross[@]}" -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=0 -Iamalgamation -o sqlite3 amalgamation/shell.c amalgamation/sqlite3.c -lm ||
	fail "cannot build sqlite3"
gain sqlite3 :memory: "$(sed 1d "$SRC/tests/cli/export/bolt.sql")"

# perf.data, and the counted ranges, in the tools that make compilers' profiles.
apmu export perf -i lua.data -o perf.data
ln -s "$(command -v perf2bolt-19)" perf2bolt # which goes by its name
./perf2bolt lua -p perf.data -o sampled.fdata >log 2>&1 || fail "perf2bolt-19: $(tail -n 5 log)"
grep -q 'traces mismatching disassembled function contents: 0 ' log && [ "$(wc -l <sampled.fdata)" -gt 100 ] || fail "perf2bolt-19: $(cat log)"
llvm-bolt-19 lua -o lua.sampled -data sampled.fdata -reorder-blocks=ext-tsp >log 2>&1 || fail "llvm-bolt-19: $(tail -n 5 log)"
# The interpreter's loop has most of the samples, in each of them. (Of autofdo 0.19 only the text can be read back.)
hottest()
{
	sed -nE 's/^([A-Za-z_][^:]*):([0-9]+):.*/\2 \1/p' "$1" | sort -rn | head -n 1 | cut -d ' ' -f 2
}
llvm-profgen-19 --binary=lua --perfdata=perf.data --format=text --output=profgen.perf >log 2>&1 || fail "llvm-profgen-19: $(cat log)"
create_llvm_prof --binary=lua --profile=perf.data --format=text --out=autofdo.perf >log 2>&1 || fail "create_llvm_prof: $(tail -n 3 log)"
apmu export profgen -i lua.data -o ranges
llvm-profgen-19 --binary=lua --unsymbolized-profile=ranges --format=text --output=profgen.text >log 2>&1 || fail "llvm-profgen-19: $(cat log)"
apmu export autofdo -i lua.data -o ranges
create_llvm_prof --binary=lua --profiler=text --profile=ranges --format=text --out=autofdo.text >log 2>&1 || fail "create_llvm_prof: $(tail -n 3 log)"
for file in profgen.perf autofdo.perf profgen.text autofdo.text; do
	[ "$(hottest $file)" = luaV_execute ] || fail "$file: the hottest function is '$(hottest $file)'"
done
verdict
