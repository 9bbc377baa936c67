# SPDX-License-Identifier: MIT
# Sourced by the rules: SRC is the source root, BUILD the build folder.
set -euo pipefail
: "${SRC:?}" "${BUILD:?}"
export LC_ALL=C

# fail MESSAGE...: report and go on; the script ends with `verdict`.
failures=0
fail()
{
	echo "FAIL: $*"
	failures=$((failures + 1))
}

verdict()
{
	[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
}

# scratch: an empty folder that goes away at the end.
scratch()
{
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
}
