#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An internal name means one thing: no function, type or macro of that name is defined in two layers.
. "$(dirname "$0")/lib.sh"
cd "$SRC"

# ctags LINE: name, file, kind. Definitions alone; a struct and a function of one layer may share a name, as C allows.
ctags -R --langmap=C:.c.h --languages=C --kinds-C=fgstud --exclude=gen -f - --fields=+K src include 2>/dev/null |
	awk -F'\t' '!/^!/ && tolower($1) ~ /^apmu__/ && $0 !~ /typeref.*prototype/ { split($2, part, "/"); print $1 "\t" part[2] "\t" $2 }' |
	sort -u >"$BUILD/names"
[ "$(wc -l <"$BUILD/names")" -gt 500 ] || fail "ctags found $(wc -l <"$BUILD/names") names"
while IFS= read -r line; do
	fail "defined in two layers: $line"
done < <(awk -F'\t' '{ if (!(($1, $2) in seen)) { seen[$1, $2] = 1; n[$1]++; where[$1] = where[$1] " " $3 } } END { for (k in n) if (n[k] > 1) print k ":" where[k] }' "$BUILD/names" | sort)
verdict
