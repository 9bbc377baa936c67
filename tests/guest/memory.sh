# SPDX-License-Identifier: MIT
# Loads, stores, accesses by each core's rule, and misses of walks through a cache of known size.
. "$SRC/tests/guest/lib.sh"
arm memory
arm exclusive
arm small stride -DSIZE=8192 -DROUNDS=10
arm large stride -DSIZE=65536 -DROUNDS=3

# memory.S, per round: LDR LDRB LDM LDM LDRD LDR; STRH STR STM. Before the rounds: one LDR.
count -c arm1136jf-s "$work/memory"
want 't["LD_RETIRED"]' 601
want 't["ST_RETIRED"]' 300
# ARM11 counts lines (AN195 7): 1 1 1(LDM) 2(LDM over two) 1(LDRD) 2(unaligned over two); 1 1 1
want 't["L1D_ACCESS"]' 1101

# XScale counts registers: 1 1 8 8 2 1; 1 1 8 (IXP42X, event 0xA). pxa270 has LDRD; unaligned LDR is one register.
count -c xscale2 "$work/memory"
want 't["LD_RETIRED"]' 601
want 't["ST_RETIRED"]' 300
want 't["L1D_ACCESS"]' 3101

# exclusive.S: the LDR of the address, 200 LDREX, SWP's read; 200 STREX, SWP's write.
count -c arm1136jf-s "$work/exclusive"
want 't["LD_RETIRED"]' 202
want 't["ST_RETIRED"]' 201

# stride.S, 8 KiB in a cache of 32 KiB: 256 lines miss in the first round, and the line of the pool; none after.
# A round: 256 loads and one from the pool. Two pages of data and the pool's.
count -c arm1136jf-s "$work/small"
want 't["LD_RETIRED"]' 2570
want 't["L1D_ACCESS"]' 2570
want 't["L1D_MISS"]' 257
want 't["L1D_FILL"]' 257
want 't["L1D_TLB_REFILL"]' 3

# 64 KiB through 32 KiB of 32-way round robin: each line is evicted before its turn comes again, so each of the
# 3 * 2048 loads misses. The pool's line is read once a round; it too is gone by then: 3 misses.
count -c xscale1 "$work/large"
want 't["LD_RETIRED"]' 6147
want 't["L1D_MISS"]' 6147
want 't["L1D_WB_HALF"]' 0
finish
