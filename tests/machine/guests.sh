#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Guests in assembly that check themselves: exactness, T32 and IT blocks, exceptions and their syndromes, levels.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# guest NAME SOURCE GCC-ARG...
guest()
{
	local name=$1 source=$2
	shift 2
	"$@" -nostdlib -nostartfiles -static -I"$SRC/tests/machine/src" "$SRC/tests/machine/src/$source.S" -o "$work/$name" ||
		exit 1
}

# passes NAME ARG...: the guest's checks all hold
passes()
{
	local name=$1 status
	shift
	timeout 60 "$APMU" run --max-insns 1000000 "$@" "$work/$name" >"$work/out" 2>&1
	status=$?
	[ $status = 0 ] && return
	echo "FAIL: $name $*: check $status"
	cat "$work/out"
	failed=1
}

# alike NAME OTHER ARG...: the two guests end with the same status, 100 or more
alike()
{
	local name=$1 other=$2 one two
	shift 2
	timeout 60 "$APMU" run --max-insns 1000000 "$@" "$work/$name" >"$work/out" 2>&1
	one=$?
	timeout 60 "$APMU" run --max-insns 1000000 "$@" "$work/$other" >>"$work/out" 2>&1
	two=$?
	[ $one -ge 100 ] && [ $one = $two ] && return
	echo "FAIL: $name and $other $*: $one and $two"
	cat "$work/out"
	failed=1
}

a32="arm-none-eabi-gcc -marm"
guest exact exact_v7 $a32 -mcpu=cortex-a9 -Wl,-Ttext=0 -DSKID=0
guest late exact_v7 $a32 -mcpu=cortex-a9 -Wl,-Ttext=0 -DSKID=3
guest t32 exact_t32 $a32 -mcpu=cortex-a9 -Wl,-Ttext=0x8000
guest it it_undefined $a32 -mcpu=cortex-a9 -Wl,-Ttext=0
guest return it_return $a32 -mcpu=cortex-a9 -Wl,-Ttext=0
guest refused it_refused $a32 -mcpu=cortex-a9 -Wl,-Ttext=0
guest back it_back $a32 -mcpu=cortex-a15 -Wl,-Ttext=0
guest it_host it_host $a32 -mcpu=cortex-a9 -Wl,-Ttext=0
guest exceptions exceptions_a32 $a32 -mcpu=cortex-a9 -Wl,-Ttext=0x40000000
for core in cortex-a5 cortex-a7 cortex-a8 cortex-a9 cortex-a15 generic-v9-aa32; do
	[ $core = cortex-a9 ] || passes exact -c $core --cpi 1 # which has no INST_RETIRED
	[ $core = cortex-a9 ] || passes late -c $core --cpi 1 --skid 3
	passes t32 -c $core --cpi 1
	passes exceptions -c $core
	passes it -c $core
	passes refused -c $core
	passes return -c $core --cpi 1
	passes back -c $core --cpi 1
	passes it_host -c $core
done
guest signal signal_it $a32 -mcpu=cortex-a9
passes signal -c cortex-a9 --linux
passes signal -c cortex-a15 --cpi 1 --linux
guest a64 exceptions_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
for core in cortex-a53 cortex-a57 cortex-a72 neoverse-n1 generic-v9; do
	passes a64 -c $core --cpi 1
done
guest pan_a64 pan_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
for core in cortex-a76 neoverse-n1 generic-v9; do
	passes pan_a64 -c $core --cpi 1
	passes pan_a64 -c $core
done
guest pan_a32 pan_a32 $a32 -mcpu=cortex-a15 -Wl,-Ttext=0x40000000
passes pan_a32 -c generic-v9-aa32
guest pieces pieces_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
passes pieces -c cortex-a53 --board virt
passes pieces -c neoverse-n1 --cpi 1 --board virt
for pair in cortex-a53=0x2222 cortex-a72=0x2222 cortex-a76=0x1112 neoverse-n1=0x1112 cortex-x4=0x1111 generic-v9=0x1111; do
	for version in 2 3; do
		guest features features_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none -DHAS=$((version - 2)) -DLEVELS="${pair#*=}"
		passes features -c "${pair%=*}" -b "$([ $version = 2 ] && echo virt || echo virt-gicv3)" --cpi 1
	done
done
guest host_names host_names_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
guest host_pauth host_names_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none -DPAUTH
for how in "" "--cpi 1"; do
	passes host_names -c neoverse-n1 -b virt --el 2 $how
	passes host_pauth -c generic-v9 -b virt --el 2 $how
done
guest breakpoint breakpoint_a32 $a32 -mcpu=cortex-a15 -Wl,-Ttext=0x40000000
for core in cortex-a7 cortex-a15 generic-v9-aa32; do
	passes breakpoint -c $core
done
guest levels levels_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
for core in cortex-a53 cortex-a57 cortex-a72 neoverse-n1 cortex-a710 generic-v9; do
	passes levels -c $core --cpi 1 --el 3
done
# HVC and SMC take as long as a supervisor call in their place
for call in svc hvc smc; do
	guest $call calls_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none -DCALL=$call
done
for core in cortex-a53 cortex-a72 neoverse-n1; do
	alike svc hvc -c $core --warm --el 2
	alike svc smc -c $core --warm --el 3
done
guest late_accesses late_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
for how in "" --warm "--cpi 1" "--cpi 1 --warm"; do
	passes late_accesses -c cortex-a53 --el 2 $how
	passes late_accesses -c cortex-a72 $how
done
guest stage2 stage2_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
for core in cortex-a53 cortex-a57 cortex-a72 neoverse-n1 cortex-a710 generic-v9; do
	passes stage2 -c $core -b virt --el 2 --cpi 1
	passes stage2 -c $core -b virt --el 2
done
# AArch32 at EL0 under an AArch64 kernel: the user's part is a file of its own
a64="aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--section-start=.user=0x40090000,--build-id=none"
for timed in "" -DTIMED; do
	guest user narrow_user $a32 $timed -mcpu=cortex-a15 -mfpu=neon -mfloat-abi=softfp -Wl,-Ttext=0x40090000
	arm-none-eabi-objcopy -O binary -j .text "$work/user" "$work/user.bin" || exit 1
	guest narrow$timed narrow_a64 $a64 -DUSER="\"$work/user.bin\""
done
guest no_narrow narrow_a64 $a64 -DWITHOUT
for core in cortex-a35 cortex-a53 cortex-a57 cortex-a72 cortex-a76 neoverse-n1 cortex-a710; do
	passes narrow -c $core --cpi 1
	passes narrow-DTIMED -c $core --warm # its time runs out where nothing is cached
	passes narrow -c $core --cpi 1 --el 3
done
guest host host_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
passes host -c cortex-a53
passes no_narrow -c neoverse-v2 --cpi 1
passes no_narrow -c generic-v9 --cpi 1 --el 3
guest monitor monitor_a32 $a32 -mcpu=cortex-a9 -Wl,-Ttext=0x40000000
guest monitor_filter monitor_a32 $a32 -mcpu=cortex-a15 -Wl,-Ttext=0x40000000 -DFILTER
guest monitor_arm11 monitor_a32 $a32 -mcpu=arm1176jzf-s -Wl,-Ttext=0x40000000 -DARM11
for core in cortex-a5 cortex-a7 cortex-a8 cortex-a9 cortex-a15 cortex-a17; do
	passes monitor -c $core --cpi 1 --el 3
done
for core in cortex-a7 cortex-a15 cortex-a17; do
	passes monitor_filter -c $core --cpi 1 --el 3
done
passes monitor_arm11 -c arm1176jzf-s --cpi 1 --el 3
guest hyp hyp_a32 $a32 -mcpu=cortex-a15 -Wl,-Ttext=0x40000000
guest hyp_monitor hyp_a32 $a32 -mcpu=cortex-a15 -Wl,-Ttext=0x40000000 -DMONITOR
guest hyp_fiq hyp_a32 $a32 -mcpu=cortex-a15 -Wl,-Ttext=0x40000000 -DFIQ
guest hyp_v8 hyp_a32 $a32 -mcpu=cortex-a15 -Wl,-Ttext=0x40000000 -DV8
for core in cortex-a7 cortex-a15 cortex-a17; do
	passes hyp -c $core --cpi 1 --el 2
	passes hyp_fiq -c $core --cpi 1 --el 2 --fiq
	passes hyp_monitor -c $core --cpi 1 --el 3
done
for core in cortex-a53 cortex-a72 generic-v9-aa32; do
	passes hyp_v8 -c $core --cpi 1 --el 2
done
guest stage2_32 stage2_a32 $a32 -mcpu=cortex-a15 -Wl,-Ttext=0x40000000
guest stage2_v8 stage2_a32 $a32 -mcpu=cortex-a15 -Wl,-Ttext=0x40000000 -DV8
for core in cortex-a7 cortex-a15 cortex-a17; do
	passes stage2_32 -c $core -b virt --cpi 1 --el 2
	passes stage2_32 -c $core -b virt --el 2
done
for core in cortex-a53 cortex-a72 generic-v9-aa32; do
	passes stage2_v8 -c $core -b virt --cpi 1 --el 2
done
guest clock clock_a32 $a32 -mcpu=cortex-a9 -Wl,-Ttext=0x40000000
guest clock11 clock_a32 $a32 -mcpu=arm1136jf-s -Wl,-Ttext=0x40000000 -DARM11
guest clock1 clock_a32 $a32 -mcpu=xscale -Wl,-Ttext=0x40000000 -DXSC1
guest clock2 clock_a32 $a32 -mcpu=xscale -Wl,-Ttext=0x40000000 -DXSC2
for how in "" "--cpi 1"; do
	for core in cortex-a5 cortex-a7 cortex-a8 cortex-a9 cortex-a15 cortex-a17 generic-v9-aa32; do
		passes clock -c $core $how
	done
	for core in arm1136jf-s arm1156t2-s arm1176jzf-s; do
		passes clock11 -c $core $how
	done
	passes clock1 -c xscale1 $how
	passes clock2 -c xscale2 $how
done
guest page it_page $a32 -mcpu=cortex-a9 -Wl,-Ttext=0x40000000
for core in cortex-a7 cortex-a8 cortex-a9 cortex-a15; do
	passes page -c $core --cpi 1
done
guest wfi wfi_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
guest wfi_runs wfi_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none -DRUNS
passes wfi -c cortex-a53 --cpi 1
passes wfi -c neoverse-n1 --cpi 1
passes wfi_runs -c generic-v9 --cpi 1
guest step step_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
guest step-el1 step_el1_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
for core in cortex-a53 cortex-a72 neoverse-n1; do
	passes step -c $core --cpi 1 --board virt
	passes step -c $core --board virt
	passes step-el1 -c $core --cpi 1 --board virt
	passes step-el1 -c $core --board virt
done
# Position-independent: linked for 0, where virt has no RAM
aarch64-linux-gnu-gcc -nostdlib -nostartfiles -static-pie -Wl,--build-id=none "$SRC/tests/machine/src/pie_a64.S" -o "$work/pie" || exit 1
passes pie -c cortex-a53 --board virt
guest timers timers_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
guest timers_vhe timers_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none -DVHE
passes timers -c cortex-a53 --cpi 1 --el 2 --board virt
passes timers -c cortex-a72 --el 2 --board virt
passes timers_vhe -c neoverse-n1 --cpi 1 --el 2 --board virt
guest as_user_a64 as_user_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
passes as_user_a64 -c cortex-a53 --board virt
passes as_user_a64 -c neoverse-n1 --cpi 1 --board virt
guest as_user_pan as_user_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none -DPAN
passes as_user_pan -c neoverse-n1 --board virt
passes as_user_pan -c cortex-a76 --cpi 1 --board virt
guest as_user_a32 as_user_a32 $a32 -mcpu=xscale -Wl,-Ttext=0
passes as_user_a32 -c cortex-a9 --board bare
passes as_user_a32 -c arm1176jzf-s --cpi 1 --board versatile
passes as_user_a32 -c xscale2 --board pxa
guest tge tge_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
for core in cortex-a53 cortex-a72 neoverse-n1; do
	passes tge -c $core --cpi 1 --el 2 --board virt
	passes tge -c $core --el 2 --board virt
done
guest host_user host_user_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
for core in cortex-a76 neoverse-n1 generic-v9; do
	passes host_user -c $core --cpi 1 --el 2 --board virt
	passes host_user -c $core --el 2 --board virt
done
guest vector_el2 vector_el2_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
guest vector_vhe vector_el2_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none -DVHE
for core in cortex-a53 cortex-a72 neoverse-n1; do
	passes vector_el2 -c $core --el 2 --board virt
	passes vector_el2 -c $core --cpi 1 --el 3 --board virt
done
passes vector_vhe -c neoverse-n1 --cpi 1 --el 2 --board virt
passes vector_vhe -c generic-v9 --el 2 --board virt
guest narrow_el2 narrow_el2_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none
guest narrow_host narrow_el2_a64 aarch64-linux-gnu-gcc -no-pie -Wl,-Ttext=0x40080000,--build-id=none -DVHE
passes narrow_el2 -c cortex-a53 --el 2 --board virt
passes narrow_host -c cortex-a76 --cpi 1 --el 2 --board virt
guest masks masks_a32 $a32 -mcpu=cortex-a9 -Wl,-Ttext=0x40000000
for core in cortex-a8 cortex-a9 arm1176jzf-s; do
	passes masks -c $core --el 3 --board virt
done
guest masked masked_r4 $a32 -mcpu=cortex-r4 -Wl,-Ttext=0 -DCPI=1
guest masked3 masked_r4 $a32 -mcpu=cortex-r4 -Wl,-Ttext=0 -DCPI=3
passes masked -c cortex-r4 --cpi 1
passes masked3 -c cortex-r4 --cpi 3
guest masked6 masked_arm1156 $a32 -mcpu=arm1156t2-s -Wl,-Ttext=0
passes masked6 -c arm1156
passes masked6 -c arm1156 --cpi 100
[ $failed = 0 ] && echo ok
exit $failed
