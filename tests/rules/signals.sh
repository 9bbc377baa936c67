#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A signal has a source where its row says so: src/uarch names it, or, of classes, the
# engines' table of operations does; or it is the engines' own (unit "fault": both name it; unit "tags": the one under QEMU), or the host's; a signal whose row says that nothing produces it is named nowhere.
. "$(dirname "$0")/lib.sh"

sources=$(ls "$SRC"/src/uarch/{,fast/}*.[ch])
while read -r word name unit _; do
	[ "$word" = signal ] || continue
	named=$(cat $sources | grep -cw "APMU_SIG_$name" || true)
	case $unit in
	host) ;;
	fault)
		for engine in qemu machine; do
			grep -qw "APMU_SIG_$name" "$SRC/src/$engine"/*.c || fail "spec/signals.sig: the engine $engine does not add to $name"
		done
		;;
	tags)
		grep -qw "APMU_SIG_$name" "$SRC/src/qemu"/plugin_tags.c || fail "spec/signals.sig: the QEMU plugin does not add to $name"
		;;
	class)
		[ "$named" -ne 0 ] || grep -qw "$name" "$SRC/src/isa/classify_operations.c" ||
			fail "spec/signals.sig: neither src/uarch nor the table of operations adds to $name; its unit is '$unit'"
		;;
	-) [ "$named" -eq 0 ] || fail "spec/signals.sig: $name has a source in src/uarch; its unit is not '-'" ;;
	*) [ "$named" -ne 0 ] || fail "spec/signals.sig: nothing in src/uarch adds to $name; its unit is '-'" ;;
	esac
done <"$SRC/spec/signals.sig"

# What a signal is stands in its row's columns: only the command, which prints it, reads its name.
named=$(grep -rnE 'signal_row\(.*\)->name' "$SRC/src" | grep -v "^$SRC/src/cli/" || true)
[ -z "$named" ] || fail "reads a signal's name: $named"

verdict
