#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy finds nothing in code that is not generated. Other versions have other checks, so the rule is version 14's (Debian 12).
. "$(dirname "$0")/lib.sh"
cd "$SRC"

if ! clang-tidy --version 2>/dev/null | grep -q "version 14\."; then
	echo "rules/lint_slow skipped: no clang-tidy 14 (Debian 12: clang-tidy)"
	exit 77
fi
tools/lint "$BUILD" >"$BUILD/lint.log" 2>&1 || {
	grep -E '(warning|error): ' "$BUILD/lint.log" | sort -u | head -n 50
	fail "make lint"
}

verdict
