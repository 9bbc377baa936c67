# SPDX-License-Identifier: MIT
# Whole systems: bare-metal programs whose instructions were counted by hand, in QEMU's virt board.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
src=$SRC/tests/guest/src/system
cd "$work" || exit 1
board=(-M virt -nographic -semihosting-config "enable=on,target=native")
flags=(-nostdlib -static -Wl,-Ttext=0x40080000 -Wl,--build-id=none -Wl,-n)
for name in count64 pair64 device64; do
	aarch64-linux-gnu-gcc "${flags[@]}" "$src/$name.S" -o $name || exit 1
done
arm-linux-gnueabi-gcc "${flags[@]}" "$src/count32.S" -o count32 || exit 1

# counts CORE EXIT WANT QEMU ARG...: JSON in `json`; WANT is a jq test over it
counts() {
	local core=$1 exit=$2 test=$3
	shift 3
	timeout -s KILL 100 "$apmu" stat -j -o json -c "$core" -e instructions,cycles --system -- "$@" </dev/null >said 2>&1
	[ $? = "$exit" ] || fail "$*: exit status: $(cat said)"
	jq -e "$test" json >/dev/null || fail "$*: not so: $test"$'\n'"$(cat json said)"
}
one='.counters[0].value == 2009013 and .vcpus[0].vcpu == 0 and (.vcpus | length) == 1 and .system and .undecoded == null'
counts cortex-a53 5 "$one" qemu-system-aarch64 "${board[@]}" -kernel count64
counts cortex-a53 5 "$one" qemu-system-aarch64 "${board[@]}" -kernel count64 -icount shift=0
cp json first
counts cortex-a53 5 "$one" qemu-system-aarch64 "${board[@]}" -kernel count64 -icount shift=0
cmp first json || fail "-icount: two runs differ"

# The other CPU may or may not have run its WFI when this one ends the run.
two='.vcpus[1].counters[0].value == 30000004 and (.vcpus[0].counters[0].value | . == 200006 or . == 200007) and
	.counters[0].value == .vcpus[0].counters[0].value + .vcpus[1].counters[0].value and .vcpus[1].vcpu == 1'
counts cortex-a53 0 "$two" qemu-system-aarch64 "${board[@]}" -smp 2 -kernel pair64
counts cortex-a53 0 "$two" qemu-system-aarch64 "${board[@]}" -smp 2 -kernel pair64 -icount shift=0

# 32-bit, in either QEMU; the core decides which instruction set qemu-system-aarch64 is assumed to run.
both='.counters[0].value == 1000007 and .undecoded == null'
counts cortex-a15 0 "$both" qemu-system-arm "${board[@]}" -kernel count32
counts cortex-a15 0 "$both" qemu-system-aarch64 "${board[@]}" -kernel count32
counts cortex-a53 0 '.undecoded > 600000' qemu-system-aarch64 -cpu cortex-a15 "${board[@]}" -kernel count32

# Accesses to a device are not cache look-ups: 1,000 loads and stores each of RAM and of the UART, and three literals.
for how in "" "-icount shift=0"; do
	# shellcheck disable=SC2086
	timeout -s KILL 100 "$apmu" stat -j -o json -c cortex-a53 -e l1d_cache,mem_access,l1d_cache_refill --system -- \
		qemu-system-aarch64 "${board[@]}" -kernel device64 $how </dev/null >said 2>&1 || fail "device64 $how: $(cat said)"
	jq -e '[.counters[].value] | .[0] == 2003 and .[1] == 4003 and .[2] <= 4' json >/dev/null ||
		fail "device64 $how: $(cat json)"
done

# The text output names virtual CPUs; -I and --as-hardware work per virtual CPU.
text() { timeout -s KILL 100 "$apmu" stat -c cortex-a53 "$@" --system -- qemu-system-aarch64 "${board[@]}" -smp 2 -kernel pair64 </dev/null 2>&1; }
text -e instructions >out
grep -q 'whole system:' out && grep -q '^ vCPU 1:$' out && grep -q ' 30,000,004  instructions' out || fail "text: $(cat out)"
text -e instructions -x, --per-thread >out
grep -q '^CPU1,30000004,,instructions,' out || fail "-x: $(cat out)"
text -e instructions -x, -I 10000000 >out
[ "$(awk -F, '$2 == "CPU1" { n += $3 } END { print n }' out)" = 30000004 ] || fail "-I: $(cat out)"
text -e instructions -I 10000000 >out
[ "$(awk '$2 == 1 && $4 == "instructions" { gsub(",", "", $3); n += $3 } END { print n }' out)" = 30000004 ] || fail "-I, as text: $(cat out)"

# Regions: a loop; a loop with faults and their handler; one instruction before and one behind a faulting one; symbols; one virtual CPU.
# region EXIT SPEC WANT PROGRAM OPTION...: instructions, also as the sum of a recording's samples
region() {
	local exit=$1 spec=$2 want=$3 program=$4
	shift 4
	timeout -s KILL 100 "$apmu" stat -j -o json -c cortex-a53 -e instructions --system --region "$spec" "$@" -- \
		qemu-system-aarch64 "${board[@]}" -smp 2 -kernel "$program" </dev/null >said 2>&1
	[ $? = "$exit" ] || fail "$spec: exit status: $(cat said)"
	jq -e ".counters[0].value == $want" json >/dev/null || fail "$spec: not $want: $(cat json said)"
	timeout -s KILL 100 "$apmu" record --core cortex-a53 -o data -e instructions -c 10 --system --region "$spec" "$@" -- \
		qemu-system-aarch64 "${board[@]}" -smp 2 -kernel "$program" </dev/null >said 2>&1
	"$apmu" export json -i data >json
	jq -e ".events[0].weight == $want - $want % 10" json >/dev/null || fail "$spec: samples: $(head -c 600 json; cat said)"
}
region 5 0x40080004,0x4008000c 2000000 count64
region 5 0x40080030,0x40080048 9000 count64
region 5 0x40080030,0x40080034 1000 count64
region 5 0x40080034,0x4008003c 5000 count64
region 5 0x40080038,0x4008003c 1000 count64
region 0 second,status 30000004 pair64
aarch64-linux-gnu-strip -o bare pair64
nm pair64 >pair.map
region 0 second,status 30000004 bare --kernel-symbols pair.map

# record: by the ELF file that -kernel names, by a symbol map, and by address where there is neither.
record() { timeout -s KILL 100 "$apmu" record --core cortex-a53 -o data "$@" </dev/null >said 2>&1; }
record -e instructions -c 1000 --system -- qemu-system-aarch64 "${board[@]}" -smp 2 -kernel pair64 || fail "record: $(cat said)"
"$apmu" report -i data --sort function,thread,object >out 2>&1
grep -Eq ' 30,000,000 +30,000 +second +vCPU 1 +pair64$' out || fail "record by ELF: $(cat out)"
grep -Eq ' 200,000 +200 +_start +vCPU 0 +pair64$' out || fail "record by ELF: $(cat out)"
# Exports call virtual CPUs by their number; perf finds what each of them ran.
"$apmu" export trace -i data | jq -e '[.traceEvents[] | select(.name == "thread_name").args.name] == ["vCPU 0", "vCPU 1"]' >/dev/null ||
	fail "export trace: names of virtual CPUs"
"$apmu" export html -i data >vcpus.html; grep -q '^{"name":"vCPU 1","instructions":30' vcpus.html || fail "export html: names of virtual CPUs"
"$apmu" export perf -i data -o perf.data
perf report -i perf.data --stdio --sort comm,sym 2>/dev/null >out
grep -Eq ' vCPU 1 .* second' out && grep -Eq ' vCPU 0 .* _start' out && ! grep -q 0x40080 out || fail "export perf: $(cat out)"
nm pair64 >pair.map
record -e instructions -c 1000 --system --kernel-symbols pair.map -- qemu-system-aarch64 "${board[@]}" -smp 2 -kernel pair64
"$apmu" report -i data --sort function,object --thread 0 >out 2>&1
grep -q KASLR out && fail "a kernel at the addresses of its symbols: $(cat out)"
grep -Eq ' 200,000 +200 +_start +pair.map$' out || fail "record by map: $(cat out)"
grep -q second out && fail "--thread 0: $(cat out)"
sed 's/^0000000040/ffffff8040/' pair.map >moved.map
record -e instructions -c 1000 --system --kernel-symbols moved.map -- qemu-system-aarch64 "${board[@]}" -smp 2 -kernel pair64
"$apmu" report -i data >out 2>&1
grep -q "moved.map: nothing ran at its addresses; a kernel that moves itself (KASLR) keeps them with 'nokaslr' on its command line" out ||
	fail "symbols of other addresses: $(cat out)"
aarch64-linux-gnu-strip -o bare pair64
record -e instructions -c 1000 --system -- qemu-system-aarch64 "${board[@]}" -smp 2 -kernel bare
"$apmu" report -i data --sort address >out 2>&1
grep -Eq "0x$(nm pair64 | sed -n 's/^0*\([0-9a-f]*\) t second/\1/p' | python3 -c 'print("%x" % (int(input(), 16) + 4))')" out ||
	fail "record by address: $(cat out)"
timeout -s KILL 100 "$apmu" top-down -c cortex-a53 --by function --system --kernel-symbols pair.map -- qemu-system-aarch64 \
	"${board[@]}" -smp 2 -kernel bare </dev/null >out 2>&1
grep -Eq '^ 99.*100\.0% +second$' out || fail "top-down --by function, names by map: $(cat out)"
record -e instructions --exact --system -- qemu-system-aarch64 "${board[@]}" -kernel count64
"$apmu" report data --sort address >out 2>&1
[ "$(awk '/^ *[0-9.]+%/ { gsub(",", "", $2); n += $2 } END { print n }' out)" = 2009013 ] || fail "--exact: $(cat out)"
grep -Eq ' 1,000,000 +0x40080004' out && ! grep -q 0x40080034 out || fail "--exact: $(cat out)"

# Command lines that are refused.
refuses() {
	local want=$1
	shift
	"$apmu" "$@" >out 2>&1 </dev/null && fail "$*: ends with 0"
	grep -qF -- "$want" out || fail "$*: $(cat out), not $want"
}
refuses '--system runs qemu-system-aarch64 or qemu-system-arm' stat --system -- ./count64
user="--system cannot tell user space from the kernel and counts both: leave out ':u' and --all-user, or count the program by itself"
refuses "$user" stat -e instructions:u --system -- qemu-system-aarch64
refuses "$user" stat --all-user --system -- qemu-system-aarch64
refuses "$user" record --all-user --system -- qemu-system-aarch64
refuses "$user" record -e '{cycles,instructions}:up' --system -- qemu-system-aarch64
refuses "lines that virtual CPUs take from each other are not modelled" c2c record --system -- qemu-system-aarch64
refuses "lines that virtual CPUs take from each other are not modelled" record --transfers --system -- qemu-system-aarch64
refuses 'leave out -i, --sysroot' stat --system -i -- qemu-system-arm
refuses 'it needs --system' record --kernel-symbols pair.map -- ./count64
refuses "--kernel-symbols names the code of a whole system: it needs --system" top-down --by function --kernel-symbols pair.map -- ./count64
refuses "it needs --system and --region" top-down --kernel-symbols pair.map --system -- qemu-system-aarch64
refuses "-g cannot follow calls in a whole system, whose kernel switches threads unseen: leave out -g, or record the program by itself, without --system" record -g --system -- qemu-system-aarch64
refuses 'has no symbols of code' record --core cortex-a53 --kernel-symbols zeros --system -- qemu-system-aarch64 \
	"$(printf '0000000000000000 T %s\n' a b >zeros)"
refuses 'the file must be an ELF file or have lines of ADDRESS TYPE NAME' record --core cortex-a53 --kernel-symbols said --system -- qemu-system-aarch64 \
	"$(echo text >said)"
refuses 'no instruction of the system ran' stat -c cortex-a53 --system -- qemu-system-aarch64 -M none -display none -S -no-reboot -machine nonsense
refuses 'emulates a whole system: add --system' stat -c arm1136 -- qemu-system-arm
refuses 'leave out -daemonize: counting would end when the system begins' stat -c cortex-a53 --system -- qemu-system-aarch64 -M none -daemonize
refuses 'runs AArch64 alone' stat -c cortex-a65 --system -- qemu-system-arm -M none
finish
