# SPDX-License-Identifier: MIT
# Tag checks (FEAT_MTE): tags.S says which of its accesses are checked, 3 reads and 3 writes per iteration, 100 iterations.
. "$SRC/tests/guest/lib.sh"
a64 tags
a64 types64

# checked PROGRAM CORE: prints the checks of all accesses, of reads, of writes
checked()
{
	"$BUILD/apmu" stat -c "$2" -j -o "$work/json" -e MEM_ACCESS_CHECKED,MEM_ACCESS_CHECKED_RD,MEM_ACCESS_CHECKED_WR \
		-- "$work/$1" >"$work/out" || fail "$1 on $2: exit status $?"
	python3 -c 'import json, sys; print(*[c["value"] for c in json.load(open(sys.argv[1]))["counters"]])' "$work/json"
}
for core in neoverse-n2 cortex-a510; do
	got=$(checked tags $core)
	[ "$got" = "600 300 300" ] || fail "$core: $got"
done
got=$(checked types64 neoverse-n2)
[ "$got" = "0 0 0" ] || fail "memory without tags: $got"

# Memory that mremap() moves keeps its tags: 100 reads before, 100 after, beyond its old length.
cat >"$work/remap.c" <<'END'
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/prctl.h>
int main(void)
{
	if (prctl(55, 3, 0, 0, 0)) return 1;
	volatile long *p = mmap(0, 8192, 0x23, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 100; i++) p[i];
	p = mremap((void *)p, 8192, 65536, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)0x700000000);
	for (int i = 0; i < 100; i++) p[i + 4000];
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static "$work/remap.c" -o "$work/remap" || exit 1
got=$(checked remap neoverse-n2)
[ "$got" = "200 200 0" ] || fail "memory that was moved: $got"
finish
