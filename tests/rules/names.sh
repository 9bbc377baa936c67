#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An internal name says which layer defines it, and means one thing: every name that files share begins with the prefix
# of its layer, and no two layers define the same one. Names with two underscores are internal by convention.
. "$(dirname "$0")/lib.sh"
cd "$SRC"

# Layer (a folder of src/) and its prefix. What the shipped libraries define begins with apmu_ (`rules/symbols`).
declare -A prefix=([base]=apmu_base [spec]=apmu_spec [model]=apmu_model [uarch]=apmu_uarch [driver]=apmu_driver [isa]=apmu_isa
	[qemu]=apmu_qemu [machine]=apmu_machine [board]=apmu_board [linux-user]=apmu_linux [symbol]=symbol [profile]=profile [cli]=cli)

# ctags LINE: name, file, kind. Definitions alone; a struct and a function of one layer may share a name, as C allows.
ctags -R --langmap=C:.c.h --languages=C --kinds-C=fgstudev -f - --fields=+K src include 2>/dev/null |
	awk -F'\t' '!/^!/ && $1 ~ /^[A-Za-z][A-Za-z_]*[a-z0-9A-Z]__[A-Za-z]/ && $0 !~ /typeref.*prototype/ { split($2, part, "/"); print $1 "\t" part[2] "\t" $2 }' |
	sort -u >"$BUILD/names"
[ "$(wc -l <"$BUILD/names")" -gt 1500 ] || fail "ctags found $(wc -l <"$BUILD/names") names"
while IFS= read -r line; do
	fail "defined in two layers: $line"
done < <(awk -F'\t' '{ if (!(($1, $2) in seen)) { seen[$1, $2] = 1; n[$1]++; where[$1] = where[$1] " " $3 } } END { for (k in n) if (n[k] > 1) print k ":" where[k] }' "$BUILD/names" | sort)
for layer in src/*/; do
	layer=$(basename "$layer")
	[ -n "${prefix[$layer]:-}" ] || { fail "src/$layer has no prefix: add it to the table in tests/rules/names.sh"; continue; }
	while IFS= read -r line; do
		fail "names of src/$layer begin with ${prefix[$layer]}__: $line"
	done < <(awk -F'\t' -v layer="$layer" -v prefix="${prefix[$layer]}__" '$2 == layer && index(tolower($1), prefix) != 1 { print $1 " in " $3 }' "$BUILD/names")
done
verdict
