# SPDX-License-Identifier: MIT
# record --cpi-stack: the back end's stalls by level are no more than all its stalls, and with the front end's no more than the cycles. Cycles,
# instructions and misses of L1 data are those of `stat`, also where stores go past L1 (read-allocate mode). Reports do not show the stack's events unless asked.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1
cat >walk.c <<'END'
static volatile char big[8 << 20];
static unsigned random_at(void) { static unsigned x = 1; return x = x * 1103515245 + 12345; }
int main(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 40000; i++) {
		unsigned at = random_at() >> 8;
		sum += big[at % sizeof big] + (at & 64 ? sum / 3 : i);
	}
	for (unsigned i = 0; i < 20000; i++)
		big[i] = 0;
	return sum & 1;
}
END
aarch64-linux-gnu-gcc -O1 -static walk.c -o walk || exit 1

# part FILE NAME: prints the total of that event
part() { jq --arg n "$2" '[.events[] | select(.event == $n)][0].total' "$1"; }
for core in cortex-a53 cortex-a72; do
	"$apmu" record --core $core --cpi-stack -q -o $core.data -- ./walk || [ $? -le 1 ] || fail "$core"
	"$apmu" export json -i $core.data -o $core.json || fail "$core: json"
	cycles=$(part $core.json cycles) back=$(part $core.json stall-back-end) front=$(part $core.json stall-front-end)
	told=0
	for name in stall-l2 stall-l3 stall-memory stall-tlb stall-store; do told=$((told + $(part $core.json $name))); done
	[ "$told" -gt 0 ] && [ "$told" -le "$back" ] && [ $((back + front)) -le "$cycles" ] || fail "$core: $told of $back and $front of $cycles"
	# Random reads of 8 MiB: most stalls wait for memory.
	[ $(($(part $core.json stall-memory) * 2)) -gt "$back" ] || fail "$core: memory $(part $core.json stall-memory) of $back"
	"$apmu" report -i $core.data >report 2>&1 && [ "$(grep -c '^# .* of ' report)" = 1 ] && grep -q '^# cycles of' report || fail "$core: report: $(cat report)"
	"$apmu" report -i $core.data -e stall-memory 2>&1 | grep -q '^ *[0-9.]*% .*main' || fail "$core: report -e"
	"$apmu" annotate -i $core.data main 2>/dev/null | grep -q stall && fail "$core: annotate shows what nobody asked for"
	"$apmu" stat -c $core -e cycles,instructions,cache-misses -j -o stat.json -- ./walk
	[ "$(part $core.json cycles) $(part $core.json instructions) $(part $core.json l1d-misses)" = "$(jq -r '[.counters[].value] | join(" ")' stat.json)" ] || fail "$core: not as stat: $(cat stat.json)"
done
finish
