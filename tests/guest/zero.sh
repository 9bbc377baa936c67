# SPDX-License-Identifier: MIT
# DC ZVA: a hand-counted program under QEMU, which makes no access for it, and in libunicorn, which makes many; and a C library's memset.
. "$SRC/tests/guest/lib.sh"

settings='--set prefetch.streams=0' # of counts

# refills HOW SETTING: lines that Cortex-A53's L2 reads
refills() {
	"$APMU" $1 -c cortex-a53 --set prefetch.streams=0 --set "$2" -e L2D_CACHE_REFILL "$work/zero" 2>&1 </dev/null |
		sed -nE 's/^ *([0-9]+) +L2D_CACHE_REFILL( .*)?$/\1/p'
}

# Per line: twice a DC ZVA and a load; one store. The store's line is in L1, 15 lines are not.
aarch64-linux-gnu-gcc -nostdlib -static "$SRC/tests/guest/src/zero.S" -o "$work/zero" || exit 1
aarch64-linux-gnu-gcc -nostdlib -static -DUNKNOWN "$SRC/tests/guest/src/zero.S" -o "$work/zero_unknown" || exit 1
for how in 'run --linux' stat; do
	# L2 takes the 15 lines, and gives them to the loads; the line that the store missed is the only one that is read from memory.
	counts "$how" cortex-a76 zero L1D_CACHE=65 L1D_CACHE_RD=32 L1D_CACHE_WR=33 L1D_CACHE_REFILL=16 L1D_CACHE_REFILL_WR=1 L1D_CACHE_REFILL_RD=15 \
		L2D_CACHE_WR=15 L1D_TLB_REFILL=1
	# Cortex-A53 writes them to memory, from where they are read.
	counts "$how" cortex-a53 zero ST_RETIRED=33 L1D_CACHE=65 L1D_CACHE_REFILL=16
	more=$(($(refills "$how" zero_to_memory=1) - $(refills "$how" zero_to_memory=0)))
	[ $more = 15 ] || fail "$how: $more lines more are read from memory"
	# A64FX's lines and blocks have 256 bytes: four DC ZVAs per line.
	counts "$how" a64fx zero DCZVA_SPEC=32 L1D_CACHE=65 L1D_CACHE_REFILL=4
done
# Under a QEMU that shows no registers an address that only a sum of two gives is not known: all are counted, the first 16 change no cache.
shows_registers && past=16 || past=0
counts stat cortex-a76 zero_unknown L1D_CACHE=64 L1D_CACHE_WR=32 L1D_CACHE_REFILL=16 L2D_CACHE_WR=$past
counts 'run --linux' cortex-a76 zero_unknown L1D_CACHE=64 L1D_CACHE_WR=32 L1D_CACHE_REFILL=16 L2D_CACHE_WR=16
# A system call changes registers.
aarch64-linux-gnu-gcc -nostdlib -static -DCALL "$SRC/tests/guest/src/zero.S" -o "$work/zero_call" || exit 1
shows_registers && past=1
counts stat cortex-a76 zero_call L1D_CACHE_WR=1 L2D_CACHE_WR=$past
counts 'run --linux' cortex-a76 zero_call L1D_CACHE_WR=1 L2D_CACHE_WR=1
finish
