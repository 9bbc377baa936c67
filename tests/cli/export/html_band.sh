#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# With a CPI stack the page gives the error band of its cycles, as stat does; without one it gives none.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/cli/lib_browser.sh"
cat >walk.c <<'END'
static volatile int v[1 << 18];
int main(void)
{
	unsigned x = 1, s = 0;

	for (int i = 0; i < 100000; i++) {
		x = x * 1664525u + 1013904223u;
		s += (unsigned)v[x >> 14];
		if (x & 0x8000)
			s ^= (unsigned)i;
	}
	return s == 1;
}
END
aarch64-linux-gnu-gcc -O1 -static walk.c -o walk || exit 1
# stat estimates what cycles went to where nothing else needs it, so they may differ by a point.
for core in cortex-a53 cortex-a72 cortex-a76 neoverse-v1; do
	apmu stat -j -o stat.json -c $core -e cycles -- ./walk
	exits 0
	within=$(jq '[.. | objects | .band? | objects | .within][0] * 100 | round' stat.json)
	apmu record -q --core $core --cpi-stack -e cycles -o stack.data -- ./walk
	apmu export html -i stack.data -o page.html
	exits 0
	shown=$(grep -o '"band":{"percent":[0-9]*' page.html | grep -o '[0-9]*$')
	[ -n "$shown" ] && [ $((shown - within)) -ge -1 ] && [ $((shown - within)) -le 1 ] || fail "$core: the page says '$shown' %, stat $within"
	look "file://$work/page.html" document.documentElement.outerHTML >dom || fail "page: $(cat dom)"
	grep -q "modelled, about $shown&nbsp;%" dom || fail "$core: the page shows no band"
done
apmu record -q --core cortex-a53 -e cycles -o bare.data -- ./walk
apmu export html -i bare.data -o page.html
! grep -q '"band":{' page.html || fail "a band out of nowhere"
verdict
