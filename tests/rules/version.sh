#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One version: that of CMakeLists.txt. The command says it, CHANGELOG.md has it as the newest release, with a date and no two
# alike, pages that name a release's file name it; packages and tarballs are made with it (tools/package-deb, tools/dist).
set -u
failed=0
fail() { echo "FAIL: $*"; failed=1; }

version=$(sed -nE 's/^project\(apmu VERSION ([0-9]+\.[0-9]+\.[0-9]+) .*/\1/p' "$SRC/CMakeLists.txt")
[ -n "$version" ] || fail "CMakeLists.txt names no version"
[ "$("$APMU" --version | head -n 1)" = "apmu $version" ] || fail "apmu --version says $("$APMU" --version | head -n 1), not $version"

mapfile -t releases < <(sed -nE 's/^## \[([0-9][^]]*)\].*/\1/p' "$SRC/CHANGELOG.md")
[ "${releases[0]:-none}" = "$version" ] || fail "CHANGELOG.md's newest release is ${releases[0]:-none}, not $version"
[ "$(printf '%s\n' "${releases[@]}" | sort -u | wc -l)" = ${#releases[@]} ] || fail "CHANGELOG.md has a release twice"
[ "$(printf '%s\n' "${releases[@]}")" = "$(printf '%s\n' "${releases[@]}" | sort -rV)" ] || fail "CHANGELOG.md's releases are out of order"
grep -qE "^## \[$version\] - 20[0-9]{2}-[01][0-9]-[0-3][0-9]$" "$SRC/CHANGELOG.md" || fail "CHANGELOG.md has no date for $version"
[ "$(grep -m 1 '^## ' "$SRC/CHANGELOG.md")" = "## [Unreleased]" ] || fail "CHANGELOG.md does not begin with [Unreleased]"

while IFS=: read -r page name; do
	[ "$name" = "apmu-$version" ] || fail "$page names $name, and the version is $version"
done < <(cd "$SRC" && grep -oE 'apmu-[0-9]+\.[0-9]+\.[0-9]+' README.md docs/*.md)

[ ! -e "$SRC/packaging/debian/changelog" ] || fail "packaging/debian/changelog is there: tools/package-deb makes it"
for tool in package-deb dist; do
	grep -q 'project\\(apmu VERSION' "$SRC/tools/$tool" || fail "tools/$tool does not take the version from CMakeLists.txt"
done
exit $failed
