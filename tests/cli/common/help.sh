#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Help texts and version.
. "$(dirname "$0")/../lib.sh"

apmu --help
exits 0
prints "usage: apmu COMMAND"
for command in stat list decode; do
	prints "  $command "
	apmu "$command" --help
	exits 0
	prints "usage: apmu $command"
	[ -z "$err" ] || fail "$said: standard error: $err"
	while IFS= read -r line; do
		[ "$(expand <<<"$line" | wc -L)" -le 110 ] || fail "$said: wide line: $line"
	done <<<"$out"
	apmu --help
done

apmu --version
exits 0
version=$(sed -nE 's/^project\(apmu VERSION ([0-9.]+).*/\1/p' "$SRC/CMakeLists.txt")
[ -n "$version" ] || fail "no version in CMakeLists.txt"
prints "apmu $version"
prints "MIT"
prints "GPLv2"

# Only a program's own part is counted, and the help says so.
apmu stat --help
prints ":u"
prints "no kernel"
for option in --core --event --metrics --json --field-separator --output --repeat --per-thread --interval \
	--as-hardware --sysroot --no-inherit --follow --set --cpu --qemu --verbose; do
	prints "$option"
done

# What chooses the QEMU is there too.
for command in stat record bench; do
	apmu "$command" --help
	prints "APMU_QEMU"
done

# -c is short for --core, except where it is the period, as in perf.
apmu record --help
[[ $out != *"-c, --core"* ]] || fail "record has -c for the core"
apmu list events -c arm1136 BR_EXEC
prints "BR_EXEC"
apmu decode -c arm1136 PMNC 1
prints "on arm1136jf-s"

refuses 2 "apmu: no command given; 'apmu --help' lists the commands"
refuses 2 "apmu: unknown command 'stta'; did you mean 'stat'?" stta
refuses 2 "apmu: unknown command 'frobnicate'; 'apmu --help' lists the commands" frobnicate
refuses 2 "apmu: unknown option '--frob'; 'apmu --help' lists the options" --frob
refuses 2 "apmu: unknown option '--versoin'; did you mean '--version'?" --versoin
refuses 2 "apmu: unknown command 'stta'; did you mean 'stat'?" help stta

apmu stat --help
by_option=$out
apmu help stat
exits 0
[ "$out" = "$by_option" ] || fail "$said is not what stat --help says"
apmu --help
by_option=$out
for words in "--help" "-h" "help"; do
	apmu help $words
	exits 0
	[ "$out" = "$by_option" ] || fail "$said is not what --help says"
done
refuses 2 "apmu: unknown option '--frob'; 'apmu --help' lists the options" help --frob

# A full disk is not success.
"$APMU" list cores >/dev/full 2>err
[ $? -eq 1 ] || fail "list to a full disk"
grep -q "cannot write" err || fail "list to a full disk says: $(<err)"

verdict
