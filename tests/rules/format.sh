#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-format decides the layout. Other versions decide otherwise, so the rule is version 14's (Debian 12).
. "$(dirname "$0")/lib.sh"
cd "$SRC"

clang-format --version | grep -q "version 14\." || fail "clang-format is not version 14"
tools/sources | xargs clang-format --dry-run -Werror 2>"$BUILD/format.log" || {
	grep -oE '^[^:]+:[0-9]+' "$BUILD/format.log" | sort -u | head -n 50
	fail "make format"
}

verdict
