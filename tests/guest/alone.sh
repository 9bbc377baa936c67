# SPDX-License-Identifier: MIT
# An event counts the same alone and beside others that need more of the machine.
. "$SRC/tests/guest/lib.sh"

# repeat NAME OFFSET INSN
repeat() {
	aarch64-linux-gnu-gcc -nostdlib -static "-DOFFSET=$2" "-DINSN=$3" "$SRC/tests/guest/src/repeat.S" -o "$work/$1" || exit 1
}

# of EVENTS CORE PROGRAM: the first event's count
of() {
	"$APMU" stat -j -o "$work/json" -c "$2" -e "$1" -- "$work/$3" >/dev/null || fail "stat $*"
	python3 -c 'import json, sys; print(next(c["value"] for c in json.load(open(sys.argv[1]))["counters"] if c["event"] == sys.argv[2]))' "$work/json" "${1%%,*}"
}

# same CORE PROGRAM EVENT OTHERS [COUNT]
same() {
	local alone beside
	alone=$(of "$3" "$1" "$2")
	beside=$(of "$3,$4" "$1" "$2")
	[ "$alone" = "$beside" ] || fail "$1, $2: $3 is $alone alone, $beside beside $4"
	[ $# -lt 5 ] || [ "$alone" = "$5" ] || fail "$1, $2: $3 is $alone, not $5"
}

repeat pair_q 1 'ldp q0, q1, [x1]'
repeat store_q 1 'stp q0, q1, [x1]'
repeat pair_q_40 40 'ldp q0, q1, [x1]'
repeat two_q_40 40 'ld1 {v0.16b, v1.16b}, [x1]'
repeat pair_x_56 56 'ldp x3, x4, [x1]'
repeat pair_w_60 60 'ldp w3, w4, [x1]'
repeat mulh 0 'umulh x3, x4, x5; umulh x6, x4, x5'
for core in cortex-a53 cortex-a55; do
	same $core pair_q cycles UNALIGNED_LDST_RETIRED
	same $core store_q cycles UNALIGNED_LDST_RETIRED
done
for core in neoverse-v2 cortex-a510; do
	same $core pair_q_40 LDST_ALIGN_LAT cycles 10000
	same $core two_q_40 LDST_ALIGN_LAT cycles 10000
	same $core pair_x_56 LDST_ALIGN_LAT cycles 0 # each register within a line
	same $core pair_w_60 LDST_ALIGN_LAT cycles 0
done
# slots that an operation takes beyond its own are stalls: nothing is left over
for core in neoverse-v1 neoverse-n2; do
	slots=$(of STALL_SLOT,OP_SPEC,cycles $core mulh)
	ops=$(of OP_SPEC,STALL_SLOT,cycles $core mulh)
	cycles=$(of cycles,STALL_SLOT,OP_SPEC $core mulh)
	width=$("$APMU" list cores -v $core | awk '$1 == "width" {print $2}')
	[ $((slots + ops + 2000)) -ge $((width * cycles)) ] && [ $((slots + ops - 16)) -le $((width * cycles)) ] ||
		fail "$core: $slots and $ops of $width * $cycles slots"
done
# unaligned vectors that miss, whose accesses share a callback: in as many parts as QEMU makes
aarch64-linux-gnu-gcc -nostdlib -static -o "$work/vectors" -xassembler - <<'ASSEMBLER' || exit 1
	.global _start
_start:	adrp x1, buffer + 33
	add x1, x1, :lo12:buffer + 33
	mov x2, #2000
1:	stp x3, x4, [sp, #-16]!
	ldp q0, q1, [x1]
	ldp q2, q3, [x1, #96]
	ldp x3, x4, [sp], #16
	add x1, x1, #64
	subs x2, x2, #1
	b.ne 1b
	mov x0, #0
	mov x8, #93
	svc #0
	.bss
	.balign 64
buffer:	.space 1 << 18
ASSEMBLER
same cortex-a53 vectors cycles UNALIGNED_LDST_RETIRED
same cortex-a510 vectors cycles LDST_ALIGN_LAT
arm-linux-gnueabi-gcc -nostdlib -static -march=armv7-a -marm -o "$work/adds" -xassembler - <<'ASSEMBLER' || exit 1
	.syntax unified
	.global _start
_start:	mov r2, #1000
1:	add r0, r0, #1
	add r1, r1, #1
	mul r3, r2, r2
	subs r2, r2, #1
	bne 1b
	mov r0, #0
	mov r7, #1
	svc #0
ASSEMBLER
same cortex-a9 adds MAIN_UNIT_EXECUTED_INST cycles
[ "$(of MAIN_UNIT_EXECUTED_INST cortex-a9 adds)" -ge 1000 ] || fail 'MAIN_UNIT_EXECUTED_INST alone counts nothing'
finish
