# SPDX-License-Identifier: MIT
# Shared by the scripts of this folder: a firmware runs inside, what it printed is looked at here.
#
#   firmware PROGRAM CORE [OPTION...]   runs examples/firmware/PROGRAM.elf, one cycle an instruction, caches on
#   firmware_file FILE CORE [OPTION...] the same for another program
#   want NAME VALUE                     the line "NAME VALUE" is there
#   between NAME LOW HIGH               its value lies there, both included
#   tables ROW                          the generated files that a core's row needs
#   counted FIGURE EVENT                --stat printed this count
set -u
: "${SRC:?}" "${BUILD:?}" "${APMU:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
asked=0

fail()
{
	echo "FAIL: $title: $*"
	failed=1
}

firmware()
{
	local program=$1
	shift
	firmware_file "$BUILD/examples/firmware/$program.elf" "$@"
}

firmware_file()
{
	local file=$1 core=$2 status=0
	shift 2
	title="$(basename "$file") on $core $*"
	timeout 60 "$APMU" run -c "$core" --cpi 1 --warm "$@" "$file" >"$work/out" 2>"$work/err" || status=$?
	[ "$status" = 0 ] || {
		fail "exit status $status: $(tail -n 3 "$work/err")"
		tail -n 5 "$work/out"
	}
}

value()
{
	sed -n "s|^$1 ||p" "$work/out"
}

want()
{
	asked=$((asked + 1))
	[ "$(value "$1")" = "$2" ] || fail "$1 is '$(value "$1")', not $2"
}

between()
{
	local got
	got=$(value "$1")
	asked=$((asked + 1))
	[ -n "$got" ] && [ "$got" -ge "$2" ] && [ "$got" -le "$3" ] || fail "$1 is '$got', not $2 to $3"
}

# counted FIGURE EVENT: --stat said so
counted()
{
	asked=$((asked + 1))
	grep -qE "^ *$1 +$2 \\(" "$work/err" || fail "$2 is not $1: $(tail -n 6 "$work/err")"
}

finish()
{
	[ "$asked" -gt 0 ] || fail "nothing was asked"
	[ "$failed" = 0 ] && echo "$asked values"
	exit "$failed"
}

tables()
{
	local gen=$SRC/src/spec/gen word
	echo "$gen/core_$1.c"
	grep -oE 'apmu_spec__(bank|events|event_index)_[a-z0-9_]+' "$gen/core_$1.c" | sed 's/event_index/events/' | sort -u | while read -r word; do
		echo "$gen/${word#apmu_spec__}.c"
	done
}
