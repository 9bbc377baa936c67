# SPDX-License-Identifier: MIT
# The shadow stack: every way to enter and leave functions that src/chains has, in A64, A32 and T32, gives the right call chain.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
src=$SRC/tests/guest/src/chains
cd "$work" || exit 1

aarch64-linux-gnu-gcc -O2 -static -pthread "$src/chains.c" -o a64 || exit 1
arm-linux-gnueabi-gcc -O2 -marm -static -pthread "$src/chains.c" -o a32 || exit 1
arm-linux-gnueabi-gcc -O2 -mthumb -march=armv7-a -static -pthread "$src/chains.c" -o t32 || exit 1
aarch64-linux-gnu-g++ -O2 -static "$src/throws.cc" -o throws || exit 1
aarch64-linux-gnu-g++ -O2 "$src/throws.cc" -o throws_dynamic || exit 1

# record PROGRAM [ARGUMENT]: writes the chains of all spin_ functions, from main on, without C library functions in between
record() {
	"$apmu" record --core cortex-a53 -g -e instructions -c 101 -o data -- "./$1" "${@:2}" 2>said || fail "record $*"
	"$apmu" export folded -i data --no-inline >folded 2>>said || fail "export $*"
	sed -n 's/ [0-9]*$//; s/^.*;main;/main;/; s/^.*start_thread;/start_thread;/; /;spin_[a-z_]*$/p' folded |
		sed -E 's/;(raise|__[A-Za-z_]+(\.constprop\.0)?|pthread_kill[^;]*);/;/g; s/;__[A-Za-z_]+(\.constprop\.0)?;/;/g' | sort -u >chains
}

# chains CHAIN...: checks that the chains are exactly these
chains() {
	printf '%s\n' "$@" | sort >wanted
	cmp -s wanted chains || fail "$ran: $(diff wanted chains)"
}
resyncs() {
	grep -q "resynchronised" said && [ "$1" = no ] && fail "$ran: $(cat said)"
	! grep -q "resynchronised" said && [ "$1" = yes ] && fail "$ran: says nothing of having resynchronised"
}

twenty=$(printf ';recurse%.0s' $(seq 21))
for set in a64 a32 t32; do
	ran="$set tail call"; record $set 0
	chains "main;tail_target;spin_tail" "main;spin_after_tail" "main;spin_end"
	resyncs no
	ran="$set longjmp"; record $set 1
	chains "main;jumps;spin_after_longjmp" "main;spin_end"
	resyncs yes
	ran="$set signal"; record $set 2
	chains "main;raises;handler;spin_handler" "main;raises;spin_after_signal" "main;spin_end"
	ran="$set alternate stack"; record $set 3
	chains "main;alternates;on_other_stack;spin_alternate" "main;alternates;spin_after_alternate" "main;spin_end"
	ran="$set siglongjmp"; record $set 4
	chains "main;escapes;spin_after_siglongjmp" "main;spin_end"
	resyncs yes
	ran="$set recursion"; record $set 5
	chains "main;recursion$twenty;spin_bottom" "main;recursion;spin_after_recursion" "main;spin_end"
	resyncs no
	ran="$set threads"; record $set 6
	chains "start_thread;worker;spin_worker" "main;spin_end"
	ran="$set tail call from a large frame"; record $set 8
	chains "main;frames;small_frame;below_small_frame;spin_frame" "main;frames;spin_after_frames" "main;spin_end"
	resyncs no
	ran="$set call made by a handler"; record $set 9
	chains "main;preempted;syscall;put_in_the_way;pushed;spin_pushed" "main;preempted;spin_after_pushed" "main;spin_end"
	resyncs no
	ran="$set longjmp after many calls"; record $set 11
	chains "main;crowd;spin_after_crowd" "main;spin_end"
	ran="$set coroutine"; record $set 7
	grep -q ';coroutine;spin_coroutine$' chains || fail "$ran: $(cat chains)"
	grep -qx 'main;switches;spin_after_coroutine' chains || fail "$ran: $(cat chains)"
	grep -qx 'main;spin_end' chains || fail "$ran: $(cat chains)"
	resyncs yes
done
for set in a64 a32 t32; do
	ran="$set longjmp to an address that no call returns to"; record $set 10
	chains "main;builtins;lands;settles;spin_after_landing" "main;builtins;spin_at_once" "main;spin_end"
	resyncs yes
done
# A coroutine's chain begins where its stack was begun, not below what continued it.
for set in a64 a32 t32; do
	ran="$set coroutines in turn"; record $set 15
	chains "$set;continues;first;in_first;spin_first" "main;turns;alternate;spin_between" "main;spin_end" \
		"$set;continues;second;in_second;in_second;in_second;spin_second"
done
for set in a32 t32; do
	ran="$set exception by a trap on the stack"; record $set 13
	chains "main;walks;traps;spin_trapped" "main;walks;after_trap;spin_after_trap" "main;spin_end"
	ran="$set switch to where a call returns"; record $set 14
	chains "main;chooses;chooser;chooser;spin_chosen" "main;chooses;chooser;spin_chosen" "main;spin_end"
	resyncs no
done
ran="calls by jumps"; record a64 12
chains "main;interprets;jumped_to;spin_jumped" "main;interprets;calls_by_jump;spin_after_jumps" "main;spin_end"
# Signals between any two blocks, also right after calls and returns: the stack stays right, except for cases that no block can show.
for set in aarch64-linux-gnu-gcc "arm-linux-gnueabi-gcc -marm" "arm-linux-gnueabi-gcc -mthumb -march=armv7-a"; do
	ran="timer, $set"
	$set -O1 -static "$src/timer.c" -o timer || exit 1
	"$apmu" record --core cortex-a53 -g -e instructions -c 1000 -o data -- ./timer >signals 2>said || fail "record $ran"
	"$apmu" export folded -i data --no-inline >folded 2>>said || fail "export $ran"
	again=$(sed -n 's/.*resynchronised \([0-9]*\) times.*/\1/p' said)
	wrong=$(awk '/;main;/ { all += $NF; if (!/;main;(recurse;)*(middle(;leaf)?|recurse|leaf) / && !/handler /) wrong += $NF } END { print all ? int(1000 * wrong / all) : 1000 }' folded)
	echo "$ran: $(cat signals) signals, ${again:-0} resyncs, $wrong per mille wrong"
	[ "$(cat signals)" -gt 100 ] || fail "$ran: $(cat signals) signals"
	[ "${again:-0}" -lt $(($(cat signals) / 10)) ] && [ "$wrong" -le 5 ] || fail "$ran: $again resyncs, $wrong per mille in wrong chains"
done
for program in throws throws_dynamic; do
	ran=$program; record $program
	chains "main;tries;passes;guard::~guard();spin_cleanup" "main;tries;spin_catch" "main;tries;spin_after_catch" \
		"main;catches;alike;spin_below" "main;catches;alike;spin_at_once" "main;spin_end"
	resyncs yes
done
finish
