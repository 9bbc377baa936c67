# SPDX-License-Identifier: MIT
# Sourced after lib.sh: makes a profile with known figures, of a program built here.
#
#   make_program              $work/prog, static AArch64: main -> twice -> outer, with middle and leaf inlined into outer
#   make_profile FILE [LINE...]  a profile of it, by tests/cli/profile.py; the lines are added to the description
#
# Weights of "branch-misses", period 100: outer 5000 (of it 3000 at its first instruction, which is leaf's), twice 1000,
# main 200; a second thread adds 400 in outer, without callers. "cycles" has 7 samples of 1000 in main.
from=$SRC/tests/guest/src/symbols

make_program()
{
	aarch64-linux-gnu-gcc -static -no-pie -g -gdwarf-4 -O2 "$from/inlined.c" -o "$work/prog" || exit 1
	start_of() { aarch64-linux-gnu-nm "$work/prog" | awk -v f="$1" '$3 == f { print "0x" $1 }'; }
	outer=$(start_of outer) twice=$(start_of twice) main=$(start_of main)
	build_id=$(readelf -n "$work/prog" | awk '/Build ID/ { print $3 }')
	text=$(readelf -lW "$work/prog" | awk '$1 == "LOAD" && /R E/ { print $3, $2, $5 }')
	read -r text_at text_offset text_size <<<"$text"
}

make_profile()
{
	local file=$1
	shift
	{
		cat <<-END
			program $work/prog
			argv ./prog one "two
			core cortex-a53
			chains
			event branch-misses BR_MIS_PRED 0x10 100
			event cpu-cycles CPU_CYCLES cycles 1000
			map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id
			thread 0 100
			frame $((main + 8)) 0
			frame $((twice + 12)) 1
			sample $outer 1000 weight=100 chain=2 times=30 step=1000
			sample $((outer + 4)) 31000 weight=100 chain=2 times=20 step=1000
			sample $((twice + 4)) 51000 weight=100 chain=1 times=10 step=1000
			sample $main 61000 weight=200
			sample $main 61500 event=1 weight=1000 times=7 step=10
			thread 1 101 two
			sample $outer 500 weight=400
			total 0 6200 7000
			total 1 400 0
		END
		[ $# -eq 0 ] || printf '%s\n' "$@"
	} | python3 "$SRC/tests/cli/profile.py" "$file" || exit 1
}
