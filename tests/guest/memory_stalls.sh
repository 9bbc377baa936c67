# SPDX-License-Identifier: MIT
# Stalls of memory out of order: what waits behind a load of memory, a mispredicted branch or a full scheduler too, is memory's.
. "$SRC/tests/guest/lib.sh"

aarch64-linux-gnu-gcc -O1 -fno-if-conversion -fno-if-conversion2 -static "$SRC/tests/guest/src/chase_branch.c" -o "$work/chase" || exit 1

# share PART WHOLE CORE ARGUMENT...: PART in percent of WHOLE
share() {
	local part=$1 whole=$2 core=$3
	shift 3
	"$APMU" stat -j -o "$work/json" -c "$core" --set l3.size=1048576 --set l3.ways=16 --region walk -e "$part,$whole" -- "$work/chase" "$@" >/dev/null || fail "stat $core $*"
	python3 -c 'import json, sys
count = {c["event"]: c["value"] for c in json.load(open(sys.argv[1]))["counters"]}
print(100 * count[sys.argv[2]] // count[sys.argv[3]])' "$work/json" "$part" "$whole"
}

# stalls CORE PART: nine tenths of the stalls with and without branches
stalls() {
	local plain wrong
	plain=$(share "$2" STALL_BACKEND "$1")
	wrong=$(share "$2" STALL_BACKEND "$1" branches)
	[ "$plain" -ge 90 ] && [ "$wrong" -ge 70 ] || fail "$1: $2 is $plain % of STALL_BACKEND, $wrong % with mispredicted branches"
}

stalls neoverse-v2 STALL_BACKEND_MEM
stalls neoverse-v3 STALL_BACKEND_MEMBOUND
for core in cortex-a72 cortex-a76; do
	"$APMU" record -q --core $core --cpi-stack --region walk -o "$work/data" -- "$work/chase" branches >/dev/null || fail "record $core"
	"$APMU" report --cpi-stack "$work/data" >"$work/stack" || fail "report $core"
	part=$(awk '/ cycles +count/ {for (i = 1; i <= NF; i++) if ($i == "memory") at = i - NF} / walk / {print int($(NF + at))}' "$work/stack")
	[ "${part:-0}" -ge 75 ] || fail "$core: memory is ${part:-missing} % of a walk's cycles: $(cat "$work/stack")"
done
finish
