#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program at one path, with the same arguments and environment, has the same counts and profile to the byte, whatever the user,
# HOME, host name, folder, terminal width, language, time zone, and the path of apmu. A recording's sums are the counts, whatever
# its period, in order and out of order.
. "$(dirname "$0")/lib.sh"
mkdir -p "$work/prog" "$work/else/where" "$work/home" && cd "$work" || exit 1
aarch64-linux-gnu-gcc -O2 -static -o prog/loops -x c - <<'END_OF_C' || exit 1
static int cell[40000];
__attribute__((noinline)) static int walk(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += cell[i * 7919 % 40000] + (i & 5 ? 1 : 2);
	return sum;
}
int main(void) { return walk(200000) & 1; }
END_OF_C
cp "$BUILD/apmu" "$BUILD/apmu-tcg.so" else/where || exit 1
# The program's environment is empty.
printf '#!/bin/sh\nexec env -i %s "$@"\n' "$(command -v qemu-aarch64)" >qemu && chmod +x qemu || exit 1

# once NAME APMU WORD...: the words run the command, such as `env HOME=...`.
once()
{
	local name=$1 apmu=$2
	shift 2
	"$@" "$apmu" stat -j -o "$work/$name.stat" --qemu "$work/qemu" -c cortex-a53,cortex-a72 -e cycles,instructions,cache-misses \
		-- "$work/prog/loops" 2>"$name.err"
	"$@" "$apmu" record -q --qemu "$work/qemu" --core cortex-a53 -e cycles,cache-misses -c 1000 -g -d -o "$work/$name.data" \
		-- "$work/prog/loops" 2>>"$name.err"
	"$@" "$apmu" export json -i "$work/$name.data" -o "$work/$name.json" 2>>"$name.err"
	[ -s "$name.stat" ] && [ -s "$name.json" ] || fail "$name: $(cat "$name.err")"
	for kind in stat json; do
		cmp -s "first.$kind" "$name.$kind" || fail "$name: another $kind: $(diff "first.$kind" "$name.$kind" | head -n 5)"
	done
}

once first "$BUILD/apmu" env
[ "$(jq '[.. | .value? // empty] | length' first.stat)" -ge 6 ] || fail "no counts: $(head -c 300 first.stat)"
once again "$BUILD/apmu" env
once home "$BUILD/apmu" env HOME="$work/home" USER=somebody LOGNAME=somebody XDG_CONFIG_HOME="$work/home"
once words "$BUILD/apmu" env LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 LANGUAGE=de TZ=Asia/Kolkata TERM=dumb COLUMNS=31 LINES=7 NO_COLOR=1
once folder "$BUILD/apmu" env -C /
once elsewhere "$work/else/where/apmu" env -C "$work/home" TMPDIR="$work/home"
if unshare -u true 2>/dev/null; then
	once host "$BUILD/apmu" unshare -u sh -c 'hostname another 2>/dev/null || echo another >/proc/sys/kernel/hostname; exec "$@"' sh
else
	once host "$BUILD/apmu" env HOSTNAME=another
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod -R a+rX "$work" && chmod a+rwx "$work" && once user "$BUILD/apmu" setpriv --reuid 65534 --regid 65534 --clear-groups
fi

# A recording's totals are the counts, whatever the period.
for core in cortex-a53 cortex-a72; do
	for event in cycles instructions cache-misses; do
		"$BUILD/apmu" stat -x, -o counted --qemu ./qemu -c $core -e $event -- prog/loops 2>err
		counted=$(grep -E "^[0-9]" counted | cut -d, -f1)
		for period in 100 10007; do
			"$BUILD/apmu" record -q --qemu ./qemu --core $core -e $event -c $period -o sum.data -- prog/loops 2>err
			recorded=$("$BUILD/apmu" export json -i sum.data | jq '[.threads[].totals[0]] | add')
			[ -n "$counted" ] && [ "$recorded" = "$counted" ] || fail "$core $event -c $period: $recorded, not $counted"
		done
	done
done
finish
