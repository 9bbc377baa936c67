# Signals: what an event source can say. One row each; the order is the enum's order (include/apmu/signal.h).
#
#   signal NAME  UNIT  STEP  "what one count means"
#
# UNIT names the event source (a unit of src/uarch, or `host` for what only a host or a test can inject).
# STEP is the largest count in one core cycle. A source adds to its running totals; it never reads them back.

signal CYCLES              core    1  "core clock cycles, before any divide-by-64"
signal INST                core    2  "instructions executed, condition-failed ones included"
signal FIQ_DISABLED        core    1  "cycles with FIQ masked"
signal IRQ_DISABLED        core    1  "cycles with IRQ masked"

signal LD_RETIRED          lsu     2  "instructions that read memory (condition passed)"
signal ST_RETIRED          lsu     2  "instructions that write memory (condition passed)"

signal BR_EXEC             branch  2  "branches executed, taken or not"
signal BR_IMMED            branch  1  "B and BL executed, taken or not (A32, T32)"
signal BR_OTHER            branch  1  "branches executed other than B and BL"
signal BR_MIS_PRED         branch  1  "branches whose prediction was wrong and that flushed the pipeline"
signal BR_IMMED_MIS_PRED   branch  1  "the B and BL among BR_MIS_PRED"
signal PC_CHANGE           branch  2  "changes of the PC by software without a change of mode"
signal CALL                branch  1  "procedure calls executed, return address pushed"
signal RETURN              branch  1  "procedure returns executed, address popped"
signal RETURN_PRED         branch  1  "returns that were predicted by the return stack"
signal RETURN_MIS_PRED     branch  1  "returns predicted wrongly by the return stack"

signal L1I_MISS            fetch   1  "non-sequential L1 instruction look-ups that missed, cancelled ones included"
signal L1I_FILL            fetch   1  "lines filled into the L1 instruction cache"
signal FETCH_STALL         fetch   1  "cycles with nothing to issue because the fetch side cannot deliver"
signal FETCH_STALL_EXTRA   fetch   1  "spurious counts of the XScale event 0x1 erratum"
signal L1I_TLB_REFILL      fetch   1  "first-level instruction TLB misses"

signal L1D_ACCESS          data    2  "data-side accesses by the core's own counting rule, any memory type"
signal L1D_ACCESS_CACHEABLE data   2  "the cacheable (and TCM) ones among L1D_ACCESS"
signal L1D_MISS            data    1  "accesses that missed L1 data and went outside, by the core's own counting rule"
signal L1D_FILL            data    1  "lines filled into the L1 data cache"
signal L1D_WB_HALF         data    2  "half lines written back from L1 data"
signal L1D_TLB_REFILL      data    1  "first-level data TLB misses"
signal TLB_WALK            data    1  "main TLB misses, instruction or data: table walks"
signal DATA_STALL          data    1  "cycles stalled because an operand has not arrived"
signal LSU_FULL_STALL      data    1  "cycles stalled because the load/store or data-cache request queue is full"
signal LSU_FULL_RUN        data    1  "contiguous runs of LSU_FULL_STALL"
signal EXT_ACCESS          data    1  "explicit external data accesses: refills, non-cacheable, write-through"
signal WBUF_DRAIN          data    1  "write-buffer drains by a barrier or a Strongly Ordered access"

signal BCU_REQUEST         bus     1  "memory requests the bus controller accepted from the core"
signal BCU_FULL            bus     1  "cycles the bus controller's request queue was full"
signal BCU_DRAIN           bus     1  "bus-controller drains by drain-write-buffer or an uncached unbuffered access"

signal ETMEXTOUT0          host    1  "cycles ETMEXTOUT[0] asserted"
signal ETMEXTOUT1          host    1  "cycles ETMEXTOUT[1] asserted"
signal L1I_TAG_PARITY      host    1  "parity errors in instruction-cache tag or valid RAM"
signal L1I_DATA_PARITY     host    1  "parity errors in instruction-cache data RAM"
signal L1D_TAG_PARITY      host    1  "parity errors in data-cache tag or valid RAM"
signal L1D_DATA_PARITY     host    1  "parity errors in data-cache data RAM"
signal L1D_DIRTY_PARITY    host    1  "parity errors in data-cache dirty RAM"
signal ITCM_ERROR          host    1  "errors reported by the instruction TCM"
signal DTCM_ERROR          host    1  "errors reported by the data TCM"
signal BCU_ECC_NO_ELOG     host    1  "ECC errors seen with no free log register"
signal BCU_1_BIT_ERR       host    1  "single-bit ECC errors on read data"
signal BCU_RMW             host    1  "read-modify-writes for a narrow write to ECC memory"
