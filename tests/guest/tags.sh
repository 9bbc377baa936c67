# SPDX-License-Identifier: MIT
# Tag checks (FEAT_MTE): tags.S says which of its accesses are checked, 3 reads and 3 writes a turn, 100 turns.
. "$SRC/tests/guest/lib.sh"
a64 tags
a64 types64

# checked PROGRAM CORE: all, reads, writes
checked()
{
	"$BUILD/apmu" stat -c "$2" -j -o "$work/json" -e MEM_ACCESS_CHECKED,MEM_ACCESS_CHECKED_RD,MEM_ACCESS_CHECKED_WR \
		-- "$work/$1" >"$work/out" || fail "$1 on $2: exit status $?"
	python3 -c 'import json, sys; print(*[c["value"] for c in json.load(open(sys.argv[1]))["counters"]])' "$work/json"
}
for core in neoverse-n2 cortex-a510; do
	got=$(checked tags $core)
	[ "$got" = "600 300 300" ] || fail "$core: $got"
done
got=$(checked types64 neoverse-n2)
[ "$got" = "0 0 0" ] || fail "memory without tags: $got"
finish
