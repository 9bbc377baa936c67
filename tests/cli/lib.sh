# SPDX-License-Identifier: MIT
# Sourced by the tests of the command. APMU is the command, SRC the source root, BUILD the build folder.
set -uo pipefail
: "${APMU:?}" "${SRC:?}" "${BUILD:?}"
export LC_ALL=C
unset COLUMNS

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

failures=0
fail()
{
	echo "FAIL: $*"
	failures=$((failures + 1))
}

verdict()
{
	[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
	exit 0
}

# apmu WORD...: runs the command; its output is in $out and $err, its exit status in $code, its command line in $said.
apmu()
{
	said="apmu $*"
	"$APMU" "$@" >"$work/out" 2>"$work/err"
	code=$?
	out=$(<"$work/out")
	err=$(<"$work/err")
}

# Checks of the last command's result.
exits() { [ "$code" -eq "$1" ] || fail "$said: exit $code, not $1: $err"; }
prints() { [[ $out == *"$1"* ]] || fail "$said: standard output lacks '$1':"$'\n'"$out"; }
says() { [[ $err == *"$1"* ]] || fail "$said: standard error lacks '$1':"$'\n'"$err"; }
silent() { [ -z "$out" ] || fail "$said: printed: $out"; }

# refuses CODE LINE WORD...: runs a command that must print exactly this line on standard error and nothing on standard output, with this exit status.
refuses()
{
	local want=$1 line=$2
	shift 2
	apmu "$@"
	exits "$want"
	silent
	[ "$err" = "$line" ] || fail "$said:"$'\n'"  says   $err"$'\n'"  not    $line"
}

# holds JQ-TEST: the last command's standard output is JSON for which the test is true. For empty input jq 1.6 succeeds, so that is checked too.
holds()
{
	[ -s "$work/${2:-out}" ] || { fail "$said: printed nothing to hold against $1"; return; }
	jq -e "$1" <"$work/${2:-out}" >/dev/null || fail "$said: not so: $1"$'\n'"$(<"$work/${2:-out}")"
}

# arm NAME: assembles standard input to a program without libraries, for any of the cores.
arm()
{
	arm-linux-gnueabi-gcc -nostdlib -static -x assembler - -o "$work/$1" || { echo "cannot build $1"; exit 1; }
}

# loop: 2,000,004 instructions, 1,000,000 of them branches; exit status 7.
build_loop()
{
	arm loop <<-'END'
		.arch armv5t
		.syntax unified
		.arm
		.global _start
	_start:	ldr	r0, =1000000
	1:	subs	r0, r0, #1
		bne	1b
		mov	r0, #7
		mov	r7, #1
		svc	#0
	END
}

# cores_of FILE... [at least N]: prints the cores whose rows use one of these files of spec/regs (and have N event counters), in the
# form of the command's lists: eight names, then the number of others.
cores_of()
{
	awk -v want="$*" 'BEGIN { n = split(want, w, " "); least = 0; if (w[n - 1] == "least") { least = w[n]; n -= 3 } }
		FNR == 1 { name = ""; fits = 0 }
		$1 == "core" { name = $2 }
		$1 == "regs" { for (i = 1; i <= n; i++) for (k = 2; k <= NF; k++) if ($k == w[i]) fits = i }
		$1 == "counters" && fits && $2 >= least { print fits, name }' "$SRC"/spec/cores/*.core | sort -s -k1,1n -k2,2V |
		awk '{ if (NR <= 8) s = s (NR > 1 ? ", " : "") $2 } END { print s (NR > 8 ? " and " NR - 8 " more" : "") }'
}
