# SPDX-License-Identifier: MIT
# Sourced after lib.sh by tests that ask many pages: one Chromium for all of them.
coproc BROWSER { exec python3 "$SRC/tests/cli/browser.py" --serve 2>&1; }
browser=$BROWSER_PID
exec {ask}>&"${BROWSER[1]}" {told}<&"${BROWSER[0]}"
exec {BROWSER[1]}>&-
trap 'exec {ask}>&-; wait "$browser"; rm -rf "$work"' EXIT

# look URL EXPRESSION...: as browser.py, in a window of its own
look()
{
	local line
	printf '%s\0' "$@" "" >&"$ask"
	while IFS= read -r line <&"$told"; do
		case $line in
		done) return 0 ;;
		failed) return 1 ;;
		esac
		printf '%s\n' "$line"
	done
	return 1
}
