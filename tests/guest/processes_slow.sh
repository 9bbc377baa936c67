# SPDX-License-Identifier: MIT
# More children than there are slots for threads, one after another: each is counted, and recorded.
. "$SRC/tests/guest/lib.sh"
cd "$work" || exit 1
cat >many.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 8300; i++) {
		if (fork() == 0)
			_exit(0);
		wait(0);
	}
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static many.c -o many || exit 1
"$BUILD/apmu" stat -c cortex-a53 --per-thread -x , -e instructions -o out.csv -- ./many >out 2>said || fail "stat: $(cat said)"
grep -q missing said && fail "$(cat said)"
[ "$(grep -c ',,instructions' out.csv)" = 8301 ] || fail "$(grep -c ',,instructions' out.csv) threads"
"$BUILD/apmu" record --core cortex-a53 -q -e instructions -c 1 -o data -- ./many >out 2>said || fail "record: $(cat said)"
"$BUILD/tests/guest/profile_dump" data 2>about | awk '{ n[$8]++ } END { for (t in n) k++; print k }' >threads
[ "$(cat threads)" = 8301 ] || fail "$(cat threads) threads in the recording"
finish
