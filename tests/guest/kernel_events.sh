# SPDX-License-Identifier: MIT
# Events of operating systems in the machine: returns, calls, writes of the context and of table bases, and which level takes an exception.
. "$SRC/tests/guest/lib.sh"

aarch64-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x80000 "$SRC/tests/guest/src/kernel_events.S" -o "$work/kernel" || exit 1
aarch64-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x80000 -DLEVELS "$SRC/tests/guest/src/kernel_events.S" -o "$work/levels" || exit 1
arm-linux-gnueabi-gcc -march=armv7-a -mfloat-abi=soft -marm -nostdlib -static -Wl,-Ttext=0 "$SRC/tests/guest/src/kernel_events_a32.S" -o "$work/kernel_a32" || exit 1
counts run cortex-a57 kernel EXC_SVC=10 EXC_UNDEF=10 EXC_TAKEN=20 EXC_RETURN=30 CID_WRITE_RETIRED=10 TTBR_WRITE_RETIRED=20 EXC_TRAP_OTHER=0
counts 'run --el 2' neoverse-n1 levels EXC_HVC=10 EXC_UNDEF=10 EXC_TRAP_OTHER=10 EXC_RETURN=31 EXC_SMC=0 EXC_TAKEN=30
# the last SVC is the host's: it returns nowhere
counts run cortex-a15 kernel_a32 EXC_RETURN=50 CID_WRITE_RETIRED=10 TTBR_WRITE_RETIRED=20
# exception returns change the PC too (DDI0487 D14.3, 0x000C), ERET among them; what is no return to the return stack is none here
arm-linux-gnueabi-gcc -march=armv7-a -mfloat-abi=soft -marm -nostdlib -static -Wl,-Ttext=0 "$SRC/tests/guest/src/returns_a32.S" -o "$work/returns_a32" || exit 1
counts run cortex-a7 returns_a32 BR_RETURN_RETIRED=10 EXC_RETURN=10 PC_WRITE_RETIRED=50
counts run cortex-a53 kernel EXC_RETURN=30 PC_WRITE_RETIRED=58
finish
