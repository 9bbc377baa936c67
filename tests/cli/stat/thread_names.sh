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

# More threads on the second core than on the first, and names with characters that a terminal would obey.
cat >more.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>
static void *named(void *name) { prctl(PR_SET_NAME, name); return name; }
int main(void)
{
	int n = access("ran", F_OK) == 0 ? 20 : 1;
	close(open("ran", O_CREAT | O_WRONLY, 0666));
	for (int i = 0; i < n; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, named, "red \033[31m");
		pthread_join(thread, NULL);
	}
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static -pthread more.c -o more || exit 1
apmu stat -J 1 -c cortex-a53,cortex-a72 --per-thread -e instructions -- ./more
[ "$(grep -c '^ Thread ' err)" = 21 ] && [ "$(grep -cE '^ Thread [0-9]+ \(red \?\[31m\):$' err)" = 20 ] || fail "$said: $err"
verdict
