#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The nineteen registers that every PMUv3 has in both instruction sets: each has a page of the reference, vectors, and can be decoded.
set -u
failed=0

fail()
{
	echo "FAIL: $*"
	failed=1
}

for reg in PMCCFILTR PMCCNTR PMCEID0 PMCEID1 PMCNTENCLR PMCNTENSET PMCR PMEVCNTR PMEVTYPER PMINTENCLR PMINTENSET \
	PMMIR PMOVSCLR PMOVSSET PMSELR PMSWINC PMUSERENR PMXEVCNTR PMXEVTYPER; do
	n=
	case $reg in PMEVCNTR | PMEVTYPER) n=3 ;; esac
	grep -qE "^#+ .*\b$reg" "$SRC/docs/reference/registers-pmuv3.md" || fail "$reg has no page"
	lines=$(cat "$SRC"/tests/conformance/pmuv3-*.vec | grep -vE '^(#|$)' | grep -cE "\b$reg[0-9]*(_EL[01])?\b")
	[ "$lines" -ge 5 ] || fail "$reg has $lines vectors"
	out=$("$APMU" decode "$reg$n" 0xFFFFFFFF --core neoverse-n2 2>&1) || fail "decode $reg$n: $out"
	grep -q "$reg" <<<"$out" || fail "decode $reg$n does not name it: $out"
	[ "$(wc -l <<<"$out")" -ge 3 ] || fail "decode $reg$n shows no fields: $out"
done
[ $failed = 0 ] && echo ok
exit $failed
