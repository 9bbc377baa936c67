#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Exports in tools that are large to install: go's pprof, and KCachegrind in a display of its own.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/cli/lib_profile.sh"
make_program
make_profile apmu.data
"$APMU" export pprof -o profile.pb || exit 1
"$APMU" export callgrind -o callgrind.out.1 || exit 1

# go tool pprof: self and inclusive sums with inlined functions, stacks, threads as labels, source lines.
go tool pprof -top -nodecount 100 -sample_index=branch-misses profile.pb >top 2>err || fail "go tool pprof: $(cat err)"
flat() { sed -E 's/[ \t]+/ /g; s/^ //' "$1"; }
for line in "Type: branch-misses" "Showing nodes accounting for 6600, 100% of 6600 total" \
	"3400 51.52% 51.52% 3400 51.52% leaf (inline)" "2000 30.30% 81.82% 5400 81.82% middle (inline)" \
	"1000 15.15% 96.97% 6000 90.91% twice" "200 3.03% 100% 6200 93.94% main" "0 0% 100% 5400 81.82% outer"; do
	flat top | grep -qxF -- "$line" || fail "go tool pprof does not say '$line':" "$(cat top)"
done
grep -q "^Build ID: $build_id" top || fail "build-id: $(head -n 3 top)"
go tool pprof -top -sample_index=cpu-cycles profile.pb 2>/dev/null | flat - | grep -qx "7000 100% 100% 7000 100% main" || fail "go tool pprof: cpu-cycles"
go tool pprof -tags -sample_index=branch-misses profile.pb >tags 2>err
flat tags | grep -qE '^6200(\.0)? \(93\.94%\): 1$' && flat tags | grep -qE '^400(\.0)? \( ?6\.06%\): 2$' || fail "threads: $(cat tags)"
go tool pprof -list '^outer$' -sample_index=branch-misses profile.pb >list 2>err
flat list | grep -qxF ". 5400 18: return middle(x) + sink;" || fail "go tool pprof -list: $(cat list)"

# KCachegrind says on its error stream what it cannot read, and which function it shows first.
export HOME=$work XDG_RUNTIME_DIR=$work
chmod 700 "$work"
cat >show.sh <<'END'
for n in {70..99}; do
	Xvfb :$n -screen 0 1200x800x24 >/dev/null 2>&1 &
	server=$!
	for _ in {1..50}; do [ ! -e /tmp/.X11-unix/X$n ] || break; sleep 0.1; done
	! kill -0 $server 2>/dev/null || break
done
DISPLAY=:$n timeout 60 kcachegrind "$1" >/dev/null 2>said &
viewer=$!
for _ in {1..300}; do ! grep -q Selected said || break; sleep 0.1; done
sleep 0.5
kill $viewer $server
END
shows() { dbus-run-session -- bash show.sh "$1" 2>/dev/null; }
shows callgrind.out.1
grep -q 'Selected  "main"' said && ! grep -q 'Loading' said || fail "KCachegrind: $(cat said)"
sed 's/^calls=/cells=/' callgrind.out.1 >callgrind.out.2
shows callgrind.out.2
grep -q "Invalid line 'cells=" said || fail "KCachegrind does not mind a broken file: $(cat said)"

verdict
