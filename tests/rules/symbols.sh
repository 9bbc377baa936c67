#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names and needs of the shipped objects, by nm: public names apmu_..., internal ones apmu_LAYER__... and hidden; the
# freestanding library wants memcpy and memset alone and has nothing that can change; the plugin shows QEMU its
# two names only.
. "$(dirname "$0")/lib.sh"
cd "$BUILD"

for library in libapmu.a libapmu-driver.a libapmu-uarch.a libapmu-engine.a; do
	[ -e $library ] || { fail "$library is missing"; continue; }
	names=$(nm --defined-only --extern-only --format=posix $library | awk 'NF >= 2 { print $1 }' | sort -u)
	[ -n "$names" ] || fail "$library defines nothing"
	foreign=$(grep -vE '^apmu_' <<<"$names" || true)
	[ -z "$foreign" ] || fail "$library: names without apmu_:" $foreign
	declared=$(grep -ohE '\bapmu_[a-z0-9_]+' "$SRC"/include/apmu/*.h | sort -u)
	undeclared=$(grep -vE '^apmu_[a-z]+__' <<<"$names" | comm -23 - <(echo "$declared") || true)
	[ -z "$undeclared" ] || fail "$library: in no public header, so must have the prefix of its layer:" $undeclared
	shown=$(readelf -sW $library 2>/dev/null |
		awk '$5 == "GLOBAL" && $6 != "HIDDEN" && $7 != "UND" { print $8 }' | sort -u)
	[ -z "$shown" ] || fail "$library: not hidden:" $shown
done

wanted=$(comm -23 <(nm --undefined-only --format=posix libapmu.a | awk 'NF >= 2 { print $1 }' | sort -u) \
	<(nm --defined-only --extern-only --format=posix libapmu.a | awk 'NF >= 2 { print $1 }' | sort -u) |
	grep -vE '^(memcpy|memset|_GLOBAL_OFFSET_TABLE_)$' || true)
[ -z "$wanted" ] || fail "libapmu.a needs more than memcpy and memset:" $wanted

# The driver's core, without the backends that know the model or Linux: memcpy and memset, and the description.
core=$(ar t libapmu-driver.a | grep -vE '^backend_(model|perf)')
mkdir -p "$BUILD/rules-symbols" && (cd "$BUILD/rules-symbols" && rm -f ./*.o && ar x "$BUILD/libapmu-driver.a")
wanted=$(cd "$BUILD/rules-symbols" && comm -23 <(nm --undefined-only --format=posix $core | awk 'NF >= 2 { print $1 }' | sort -u) \
	<(nm --defined-only --extern-only --format=posix ./*.o "$BUILD/libapmu.a" | awk 'NF >= 2 { print $1 }' | sort -u) |
	grep -vE '^(memcpy|memset|_GLOBAL_OFFSET_TABLE_)$' || true)
[ -z "$wanted" ] || fail "the driver's core needs more than memcpy and memset:" $wanted

# A program links all of them, so one name may not stand for two things.
twice=$(nm --defined-only --extern-only --format=posix libapmu.a libapmu-driver.a libapmu-uarch.a libapmu-engine.a libapmu-profile.a libapmu-symbol.a libapmu-cli.a |
	awk 'NF >= 3 && $2 ~ /[A-Z]/ { print $1 }' | sort | uniq -d)
[ -z "$twice" ] || fail "defined twice:" $twice

# The section names, because relocated constants (.data.rel.ro) are shown like data by nm's letters.
changing=$(nm --format=sysv libapmu.a libapmu-driver.a libapmu-uarch.a | awk -F'|' 'NF >= 7 { gsub(/ /, "", $1); gsub(/ /, "", $7);
	if ($7 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $7 !~ /^\.data\.rel\.ro/) print $1 }')
[ -z "$changing" ] || fail "state outside the caller's structs:" $changing

if [ -e apmu-tcg.so ]; then
	exported=$(nm -D --defined-only --format=posix apmu-tcg.so | awk '{ print $1 }' | sort | paste -sd ' ')
	[ "$exported" = "qemu_plugin_install qemu_plugin_version" ] || fail "apmu-tcg.so exports: $exported"
else
	fail "apmu-tcg.so is missing"
fi

verdict
