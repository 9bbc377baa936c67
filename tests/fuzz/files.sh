#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# First inputs of fuzz_files: files.sh FOLDER. A good file of each kind, under each command that reads it.
set -euo pipefail
put() { { printf "\\x$(printf %02x "$1")\\x$(printf %02x "$2")"; cat; } >"$folder/seed-$1-$2"; }
folder=$1
profile=$folder/seed.data
python3 "$SRC/tests/cli/profile.py" "$profile" <<'WORDS'
core cortex-a53
program /bin/nowhere
machine 183
chains
data
argv ./nowhere 1
event cycles CYCLES cycles 100
event cache-misses L1D_CACHE_REFILL 3 10
map 400000 410000 0 /bin/nowhere 0102030405060708
thread 0 100
frame 400100 0
frame 400200 1
sample 400300 50 chain=2 times=4 step=30 data=500000,12,2
sample 400304 200 event=1 weight=10 chain=1
thread 1 101
frame 400100 0
sample 400310 90 chain=1
total 0 400 10
total 1 100 0
exit 0
WORDS
for how in $(seq 0 13); do
	put 0 "$how" <"$profile"
	put 1 "$how" <"$profile"
done
rm "$profile"
stat='{"schema":"apmu-stat/1","program":["./p"],"exit":0,"cores":[{"core":"cortex-a53","exit":0,"time":"cycles","counters":[{"event":"cycles","number":null,"name":"CYCLES","value":9,"enabled":9,"running":9}],"unsupported":[]}]}'
board='{"counter-value" : "1000.000000", "unit" : "", "event" : "cycles:u", "event-runtime" : 123, "pcnt-running" : 100.00}'
for how in 0 1 2 3 4; do put 2 "$how" <<<"$stat"; done
put 2 3 <<<"$board"
printf 'program ./p "a b"   # text\ncore cortex-a53 arm1136\nevent cycles 0x11\nset l1d.size 16384 32768\noption -L /srv\n' | put 3 0
printf '%s\n' '{"schema":"apmu-sweep/1","command":"apmu stat -c cortex-a53 -e cycles --set l1d.size=16384 -- ./p","program":["./p"],"core":"cortex-a53","set":{"l1d.size":"16384"},"exit":0,"counters":{"cycles":9}}' | put 4 0
put 5 0 <"$SRC/spec/uarch/cortex-a53.uarch"
