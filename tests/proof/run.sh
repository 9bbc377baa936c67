#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Frama-C's value analysis (Eva) of the access path of ARM11 and XScale: every core with the plain rules, from every
# state that a snapshot may hold, for every access and value. Fails on an alarm, and on a claim that is not shown.
#   tests/proof/run.sh [core...]      needs frama-c (Debian: frama-c-base); 77 if it is not there
set -euo pipefail
cd "$(dirname "$0")/../.."
cores=(xscale1 xscale2 arm1136jf-s arm1156t2-s arm1176jzf-s) # the order of subjects.c
[ $# -gt 0 ] || set -- "${cores[@]}"
command -v frama-c >/dev/null || {
	echo "proof skipped: no frama-c (Debian: frama-c-base)"
	exit 77
}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT



# Frama-C's preprocessor knows no compiler's built-ins: frama.h spells out the one that is used.
flags="-std=c11 -I$PWD/include -I$PWD/src -I$PWD/tests/proof -include $PWD/tests/proof/frama.h -D__FRAMAC__"
sources=(tests/proof/{harness,subjects,frama}.c
	src/model/{access,plain,field,count,overflow,settle,lint,lifecycle,snapshot}.c src/spec/{reg,event}.c
	src/spec/gen/{bank_arm11,bank_xscale1,bank_xscale2}.c
	src/spec/gen/{core,events}_xscale{1,2}.c src/spec/gen/core_arm11*.c src/spec/gen/events_arm11*.c)

# Alarms of a log as "file: source line", without the place: what explained.txt lists.
alarms()
{
	local place
	sed -nE 's/^\[eva:alarm\] ([^ ]+:[0-9]+): Warning:.*/\1/p' "$1" | sort -u | while read -r place; do
		echo "${place%%:*}: $(sed -n "${place##*:}p" "${place%%:*}" | sed 's/^[ \t]*//')"
	done | sort -u
}

# prove CORE: one analysis; says what it found, and fails on what explained.txt does not list.
prove()
{
	local log=$out/$1.log subject new
	subject=$(printf '%s\n' "${cores[@]}" | grep -nx "$1" | cut -d: -f1)
	frama-c -eva -eva-precision 8 -eva-ilevel 256 -eva-auto-loop-unroll 200 -eva-interprocedural-splits \
		-machdep gcc_x86_64 -cpp-extra-args="$flags -DPROOF_SUBJECT=$((subject - 1))" \
		"${sources[@]}" >"$log" 2>&1 || {
		tail -n 20 "$log"
		return 1
	}
	alarms "$log" >"$log.alarms"
	new=$(grep -vxFf <(grep -v '^#' tests/proof/explained.txt) "$log.alarms" || true)
	echo "$1: $(wc -l <"$log.alarms") alarms, $(grep -c . <<<"$new" || true) of them not explained;" \
		"$(sed -nE 's/.*, ([0-9]+ statements reached).*/\1/p' "$log")"
	[ -z "$new" ] || printf '%s\n' "$new"
	[ -z "$new" ] && ! grep -qE 'missing-spec|NON TERMINATING' "$log" && grep -q 'ANALYSIS SUMMARY' "$log"
}

failed=0
for core in "$@"; do
	prove "$core" || failed=1
done
exit $failed
