#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh WORK ARCHIVE...: builds the bench with Verilator against dpi.c and libapmu.a, runs it, plain and with +bug.
set -euo pipefail
work=$1
shift
here=$(cd "$(dirname "$0")" && pwd)

verilator --binary --timing -Wall -Wno-DECLFILENAME -Wno-BLKSEQ -Wno-INITIALDLY --top-module bench --Mdir "$work" \
	-CFLAGS -O1 -o bench "$here/bench.sv" "$here/pmu.sv" "$@" >"$work.log" 2>&1 || {
	cat "$work.log"
	exit 1
}
"$work/bench"
if ("$work/bench" +bug) >"$work/bug.txt" 2>&1; then
	echo "a planted bug was not found"
	exit 1
fi
grep -m 1 cycle "$work/bug.txt"
