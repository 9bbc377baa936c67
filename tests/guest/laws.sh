# SPDX-License-Identifier: MIT
# A model clock that runs away is noticed and located: with plugins that have a fault in the clock, stat and record say so and exit with 1.
. "$SRC/tests/guest/lib.sh"

dir=$work
cp "$BUILD/apmu" "$dir/apmu"
walks=$dir/walks
aarch64-linux-gnu-gcc -O2 -static "$SRC/tests/guest/src/walks.c" -o "$walks" || exit 1
aarch64-linux-gnu-gcc -O2 -static-pie "$SRC/tests/guest/src/walks.c" -o "$walks-moved" || exit 1

# fault FILE OLD NEW: builds the plugin beside $dir/apmu with a line of src/uarch/FILE changed
fault() {
	python3 - "$SRC/src/uarch/$1" "$dir/$1" "$2" "$3" <<'E2' || fail "the fault is not where it was: src/uarch/$1"
import sys
source, out, old, new = sys.argv[1:]
text = open(source).read()
open(out, 'w').write(text.replace(old, new))
sys.exit(text.count(old) != 1)
E2
	cc -std=c11 -O1 -fPIC -fvisibility=hidden -shared -Wl,--exclude-libs,ALL -I"$SRC/src" -I"$SRC/include" $(pkg-config --cflags capstone) \
		-o "$dir/apmu-tcg.so" "$SRC"/src/qemu/plugin*.c "$dir/$1" -Wl,--start-group "$BUILD"/libapmu-{engine,profile,symbol,uarch}.a \
		"$BUILD/libapmu.a" -Wl,--end-group $(pkg-config --libs capstone libelf libdw) || fail "the plugin cannot be built"
}

# breaks WHAT PATTERN ARG...: checks that the command exits with 1 and prints the pattern
breaks() {
	local what=$1 pattern=$2
	shift 2
	(cd "$dir" && ./apmu "$@" 2>err)
	[ $? -eq 1 ] || fail "$what: exit status"
	grep -qE "$pattern" "$dir/err" || fail "$what says: $(cat "$dir/err")"
}

# The fault: the wait of a load for a prefetched line counts from its block's dispatch and is added to the load's own start, so each step of a walk doubles the time.
fault late_ops.c 'return a->when > now ? a->when - now : 0;' 'return a->when > u->clock ? a->when - u->clock : 0;'
core=neoverse-n1 # its row gives no scheduler a size, which would hold dispatch, and with it the clock
named="$core: after the block at 0x[0-9a-f]+ \((warm_)?stride of .*walks\) the clock was at [0-9]+ cycles, and what ran so far takes at most [0-9]+"
breaks 'stat of what is loaded elsewhere' "${named/of .\*walks/of .*walks-moved}" stat -c $core -e cycles -- "$walks-moved" stride 2000
breaks stat "$named" stat -c $core -e cycles,instructions -- "$walks" stride 2000
grep -q "The cycles of $core are not to be trusted" "$dir/err" || fail "stat prints: $(cat "$dir/err")"
breaks 'stat of a region' "$named" stat -c $core -e cycles --region stride -- "$walks" stride 2000
breaks 'stat of a region that is not reached' "$named" stat -c $core -e cycles --region list -- "$walks" stride 2000
"$dir/apmu" stat -j -c $core -e cycles -- "$walks" stride 2000 2>"$dir/err"
grep -q '"untrusted": "cycles"' "$dir/err" || fail "stat -j prints: $(cat "$dir/err")"
"$dir/apmu" stat -c $core -e instructions -- "$walks" stride 2000 2>"$dir/err" || fail "without cycles: $(cat "$dir/err")"
breaks bench "$named" bench --core $core -e cycles -- "$walks" stride 2000
breaks record "$named" record --core $core -e cycles -F 1000 -- "$walks" stride 2000

# The fault: 24 cycles too many per instruction. A division may take as long, but not the loads and additions of a walk that hits.
fault dispatch.c 'cost = (uint64_t)cycles * w->cycle;' 'cost = ((uint64_t)cycles + 24u * b->n) * w->cycle;'
breaks 'stat of short instructions' "$core: (after the block at 0x|[0-9]+ cycles for [0-9]+ instructions are impossible)" \
	stat -c $core -e cycles -- "$walks" stride 2000
finish
