#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `stat --per-thread`, its JSON and `report` give threads the same names: a number, and the name that the thread or another one set.
. "$(dirname "$0")/../lib.sh"
# Threads are numbered in the order in which they begin to run; the host's scheduler decides that for threads created together.
names() { sed 's/^[1-4] *//' | sort | tr '\n' ';'; }
for arch in "aarch64-linux-gnu cortex-a53" "arm-linux-gnueabi cortex-a7"; do
	read -r compiler core <<<"$arch"
	$compiler-gcc -O1 -static -pthread "$SRC/tests/cli/stat/thread_names.c" -o names || exit 1
	apmu stat -c "$core" --per-thread -e instructions -- ./names
	[ "$(sed -n 's/^ Thread \([^,]*\), process.*/\1/p' err | names)" = ";;(by another);(itself);" ] || fail "$said: $err"
	apmu stat -c "$core" --per-thread -e instructions -j -- ./names
	[ "$(python3 -c 'import json; print(*[t.get("name", "") for t in json.load(open("err"))["threads"]], sep="\n")' | names)" = ";;by another;itself;" ] || fail "$said: $err"
	apmu record -q --core "$core" -e instructions -c 500 -- ./names
	apmu report --sort thread
	[ "$(printf '%s\n' "$out" | sed -n 's/^ *[0-9.]*% .*[0-9]  //p' | names)" = ";;(by another);(itself);" ] || fail "$said: $out"
done
verdict
