#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `make help` lists the targets that there are, each once, and each that makes something first has tools/setup install what is missing.
set -u
cd "$SRC" || exit 1
failed=0
fail() { echo "FAIL: $*"; failed=1; }

make -s help >"$BUILD/make-help" || fail "make help"
listed=$(sed -nE 's/^ +make ([a-z-]+) .*/\1/p' "$BUILD/make-help" | sort)
there=$(sed -n 's/^\.PHONY: //p' Makefile | tr ' ' '\n' | grep -vxE 'all|help|build' | sort) # these three are `make`, and this list
[ "$listed" = "$there" ] || fail "make help: $(diff <(echo "$listed") <(echo "$there"))"
grep -qE '^ +make  ' "$BUILD/make-help" || fail "make help does not say what make alone does"

for target in $there; do
	case $target in clean | distclean | uninstall) continue ;; esac
	make -n "$target" | grep -q '^tools/setup' || fail "make $target installs nothing that is missing"
done
exit $failed
