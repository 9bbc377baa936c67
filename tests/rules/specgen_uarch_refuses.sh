#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The generator of core parameters refuses what spec/uarch may not say, and names file and line.
. "$(dirname "$0")/lib.sh"
scratch

# refuse FILE SED-SCRIPT MESSAGE: with FILE edited, the generator must fail and say MESSAGE after "FILE:line:".
refuse()
{
	rm -rf "${work:?}/tree"
	mkdir -p "$work/tree/spec"
	cp -r "$SRC/spec/uarch" "$SRC/spec/sources.txt" "$work/tree/spec/"
	sed -i "$2" "$work/tree/spec/uarch/$1"
	! cmp -s "$SRC/spec/uarch/$1" "$work/tree/spec/uarch/$1" || fail "the edit '$2' changed nothing in $1"
	if "$SRC"/tools/specgen_uarch.py "$work/tree" >"$work/out" 2>&1; then
		fail "accepted: $1 with '$2'"
	elif ! grep -qE "/${1##*/}:[0-9]+: $3" "$work/out"; then
		fail "$1 with '$2' says: $(cat "$work/out")"
	fi
	[ ! -e "$work/tree/src" ] || fail "$1 with '$2' wrote something all the same"
}

refuse arm1136.uarch 's/^memory = 95/memori = 95/' "unknown key 'memori'"
refuse arm1136.uarch 's/^\(page = .*\)/\1\n\1/' "key 'page' stands twice"
refuse arm1136.uarch '/^walk = /d' "arm1136 lacks the key 'walk'"
refuse arm1136.uarch 's/^tlb_hit = 8 .*/tlb_hit = 8/' 'a parameter is'
refuse arm1136.uarch 's/^\(tlb_hit = 8\) .*/\1 ""/' 'tlb_hit has no source'
refuse arm1136.uarch 's/"7C11: 180 ns/"7C12: 180 ns/' "unknown source '7C12'"
refuse arm1136.uarch 's/"7C11: 180 ns/"unverified, XTRM: 180 ns/' "unknown source 'XTRM'"
refuse cortex-a7.uarch 's/"calibrated, SB 4MCU: C copy/"calibrated: C copy/' 'calibrated on what'
refuse arm1136.uarch 's/^misses = 3/misses = 33/' 'misses is 33, which is not within 1 to 32'
refuse arm1136.uarch 's/^misses = 3/misses = few/' "'few' is not a number"
refuse arm1136.uarch 's/^l1d.replace = random/l1d.replace = lucky/' "'lucky' is none of"
refuse arm1136.uarch 's/+immed-x/+jump/' "'jump' is none of"
refuse arm1136.uarch 's/^l1d.size = 32768/l1d.size = 24576/' 'l1d: 768 entries in 4 ways'
refuse arm1136.uarch 's/^l1i.line = 32/l1i.line = 48/' 'l1i: a line of 48 bytes'
refuse arm1136.uarch 's/^l1i.size = 32768/l1i.size = 1000/' 'l1i: 1000 bytes are not whole lines'
refuse arm1136.uarch 's/^itlb.replace = round-robin/itlb.replace = plru/' 'itlb: plru needs'
refuse arm1136.uarch 's/^btb = 128/btb = 100/' 'btb: 100 is not a power of two'
refuse xscale1.uarch 's/^mini.line = 32/mini.line = 64/' 'mini: its line must be that of l1d'
refuse arm1136.uarch 's/^\(page = .*\)/\1\nfetch_bytes = 12 "x"/' 'fetch_bytes: not a power of two'
refuse arm1136.uarch 's/^\(page = .*\)/\1\nrob = 8 "x"/' 'folding: only in order'
refuse cortex-a77.uarch 's/^mop.ways = 12/mop.ways = 10/' 'mop: 1536 entries are not 8 x 10 ways'
refuse cortex-a77.uarch 's/^mop.decode = 4/mop.decode = 7/' 'mop.decode: more than are dispatched'
refuse thunderx2.uarch 's/^pipes.6 = 2/pipes.6 = 4/' 'within.6: more pipes than the group'
refuse thunderx2.uarch 's/^within.2 = 1/within.1 = 1/' 'within.1: a ring of groups'
refuse cortex-a53.uarch 's/^l1d.size/shared = 1 "x"\n&/' 'shared: the first level'
refuse arm1136.uarch 's/^mispredict = 5/mispredict = 0/' 'stall_on_mispredict: more than a flush costs'
refuse arm1136.uarch 's/^uarch arm1136/uarch arm1137/' 'arm1137 must stand in arm1137.uarch'
refuse arm1176.uarch 's/^like arm1136/like arm1137/' "no uarch 'arm1137'"
refuse arm1176.uarch 's/^like arm1136/like arm1176/' 'arm1176 is like itself'
refuse ../sources.txt 's/^\(CM  .*\)/\1\n\1/' "'CM' stands twice"
refuse keys.txt 's/^\(page .*\)/\1\n\1/' "key 'page' stands twice"
refuse keys.txt 's/^\(page *\)int/\1float/' "unknown kind 'float'"
refuse keys.txt 's/^needs rob: /needs robs: /' "unknown key 'robs'"
refuse keys.txt 's/^needs rob: vector_slots sve_passes load_queue/needs rob: vector_slots sve_passes loads_queue/' "unknown key 'loads_queue'"
refuse keys.txt 's/^needs direction = tage:/needs direction = taga:/' "'taga' is none of"
refuse keys.txt 's/^needs rob = 0:/needs rob = 9:/' 'a condition of a small number'
refuse keys.txt 's/^needs rob: /needs rob /' 'a need is'

verdict
