# SPDX-License-Identifier: MIT
# A clock that runs away is noticed: a plugin in which a load waits for a prefetched line as counted from its block's
# dispatch, on top of its own start, doubles time with each step of a walk. stat and record say so and exit with 1.
. "$SRC/tests/guest/lib.sh"

dir=$work
sed 's/return a->when > now ? a->when - now : 0;/return a->when > u->clock ? a->when - u->clock : 0;/' \
	"$SRC/src/uarch/special.c" >"$dir/special.c"
cmp -s "$dir/special.c" "$SRC/src/uarch/special.c" && fail "the fault is not where it was: src/uarch/special.c, coming()"
cc -std=c11 -O1 -fPIC -fvisibility=hidden -shared -Wl,--exclude-libs,ALL -I"$SRC/src" -I"$SRC/include" $(pkg-config --cflags capstone) \
	-o "$dir/apmu-tcg.so" "$SRC"/src/qemu/plugin*.c "$dir/special.c" -Wl,--start-group "$BUILD"/libapmu-{engine,profile,symbol,uarch}.a \
	"$BUILD/libapmu.a" -Wl,--end-group $(pkg-config --libs capstone libelf libdw) || fail "the plugin cannot be built"
cp "$BUILD/apmu" "$dir/apmu"
walks=$dir/walks
aarch64-linux-gnu-gcc -O2 -static "$SRC/tests/guest/src/walks.c" -o "$walks" || exit 1

"$dir/apmu" stat -c cortex-a72 -e cycles,instructions -- "$walks" stride 2000 2>"$dir/err"
[ $? -eq 1 ] || fail "stat: exit status"
grep -q 'cortex-a72: .* cycles for .* instructions cannot be' "$dir/err" || fail "stat says: $(cat "$dir/err")"
grep -q 'The cycles of cortex-a72 are not to be trusted' "$dir/err" || fail "stat prints: $(cat "$dir/err")"
"$dir/apmu" stat -j -c cortex-a72 -e cycles -- "$walks" stride 2000 2>"$dir/err"
grep -q '"untrusted": "cycles"' "$dir/err" || fail "stat -j prints: $(cat "$dir/err")"
"$dir/apmu" stat -c cortex-a72 -e instructions -- "$walks" stride 2000 2>"$dir/err" || fail "without cycles: $(cat "$dir/err")"
(cd "$dir" && ./apmu record --core cortex-a72 -e cycles -F 1000 -- "$walks" stride 2000 2>err)
[ $? -eq 1 ] || fail "record: exit status"
grep -q 'cannot be' "$dir/err" || fail "record says: $(cat "$dir/err")"
finish
